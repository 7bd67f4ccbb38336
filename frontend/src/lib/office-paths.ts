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

/** State of a link of the office to a new product, which leads back there, or to the profile, which keeps its frame. */
export const FROM_OFFICE = { office: true };

/** Returns true if the state of a location is {@link FROM_OFFICE}. */
export function isFromOffice(state: unknown): boolean {
  return Boolean((state as Partial<typeof FROM_OFFICE> | null)?.office);
}
