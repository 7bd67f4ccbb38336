/** Paths of the office's screens, without the product forms. */
export const office = {
  setup: "/admin/setup",
  products: "/admin/products",
  reports: "/admin/reports",
  capture: "/admin/capture",
  categories: "/admin/categories",
  collections: "/admin/collections",
  sources: "/admin/sources",
  people: "/admin/people",
  keys: "/admin/keys",
  webhooks: "/admin/webhooks",
  files: "/admin/files",
  activity: "/admin/activity",
  settings: "/admin/settings",
  frontPage: "/admin/front-page",
} as const;
