// Mirrored by src/http/pages/routes.rs

/** Where the screens of the office are, besides the form of a product. */
export const office = {
  products: "/admin/products",
  reports: "/admin/reports",
  sources: "/admin/sources",
  files: "/admin/files",
  activity: "/admin/activity",
  settings: "/admin/settings",
} as const;
