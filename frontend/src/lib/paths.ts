/** Where each screen is (spec section 2). */
export const paths = {
  listing: "/",
  /** Leads to the search box of the listing. */
  search: "/search",
  details: (id: string) => `/details/${encodeURIComponent(id)}`,
} as const;
