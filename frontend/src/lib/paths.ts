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
