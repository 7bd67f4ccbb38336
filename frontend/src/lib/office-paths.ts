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
  channels: "/admin/channels",
  queue: "/admin/queue",
  webhooks: "/admin/webhooks",
  outgoing: "/admin/outgoing",
  files: "/admin/files",
  activity: "/admin/activity",
  settings: "/admin/settings",
  frontPage: "/admin/front-page",
} as const;

/** State of a link to the form of a new product that stands in the office: the way back leads there. */
export const FROM_OFFICE = { office: true };
