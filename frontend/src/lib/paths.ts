/** Paths of the screens (spec section 2). */
export const paths = {
  listing: "/",
  /** Redirects to the search box of the listing. */
  search: "/search",
  details: (id: string) => `/details/${encodeURIComponent(id)}`,
  saved: "/saved",
  page: (slug: string) => `/pages/${encodeURIComponent(slug)}`,
  login: "/login",
  register: "/register",
  verify: (email: string) => `/verify-otp/${encodeURIComponent(email)}`,
  forgotPassword: "/forgot-password",
  resetPassword: (email: string) => `/reset-password/${encodeURIComponent(email)}`,
  profile: "/profile",
  /** Followed by # and the secret that the server printed. */
  firstStart: "/setup",
  addProduct: "/add-product",
  admin: "/admin",
  updateProduct: (id: string) => `/update-product/${encodeURIComponent(id)}`,
} as const;

/** State of a link of the office to a new product, which leads back there, or to the profile, which keeps its frame. */
export const FROM_OFFICE = { office: true };

/** Returns true if the state of a location is {@link FROM_OFFICE}. */
export function isFromOffice(state: unknown): boolean {
  return Boolean((state as Partial<typeof FROM_OFFICE> | null)?.office);
}
