// Mirrored by src/http/pages/routes.rs

/** Where each screen is (spec section 2). */
export const paths = {
  listing: "/",
  /** Leads to the search box of the listing. */
  search: "/search",
  details: (id: string) => `/details/${encodeURIComponent(id)}`,
  /** The deals that are saved on the device. */
  saved: "/saved",
  /** A page that the owner wrote. */
  page: (slug: string) => `/pages/${encodeURIComponent(slug)}`,
  login: "/login",
  register: "/register",
  verify: (email: string) => `/verify-otp/${encodeURIComponent(email)}`,
  forgotPassword: "/forgot-password",
  resetPassword: (email: string) => `/reset-password/${encodeURIComponent(email)}`,
  profile: "/profile",
  addProduct: "/add-product",
  admin: "/admin",
  updateProduct: (id: string) => `/update-product/${encodeURIComponent(id)}`,
} as const;
