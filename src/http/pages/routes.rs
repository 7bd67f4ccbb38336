//! Where each screen is, as in `routes.tsx`, `paths.ts` and `office-paths.ts`.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use url::Url;

/// The screens that the app makes by itself, besides the list and the details.
pub(in crate::http) const SCREENS: [&str; 17] = [
    "/search",
    "/saved",
    "/login",
    "/register",
    "/verify-otp/{email}",
    "/forgot-password",
    "/reset-password/{email}",
    "/profile",
    "/add-product",
    "/update-product/{productId}",
    "/admin",
    "/admin/products",
    "/admin/sources",
    "/admin/files",
    "/admin/activity",
    "/admin/reports",
    "/admin/settings",
];

/// What `encodeURIComponent` leaves as it is, besides letters and digits.
pub(super) const COMPONENT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'!')
    .remove(b'~')
    .remove(b'*')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')');

/// An address of this site with the public address before it.
pub(in crate::http) fn absolute(public_url: &Url, path: &str) -> Url {
    public_url.join(path).unwrap_or_else(|_| public_url.clone())
}

/// The path of a product's page.
pub(in crate::http) fn details_path(id: &str) -> String {
    format!("/details/{}", utf8_percent_encode(id, COMPONENT))
}

/// The path of the call that answers with what stands beside a product.
pub(super) fn alike_call_path(id: &str) -> String {
    format!("/product/alike/{}", utf8_percent_encode(id, COMPONENT))
}

/// The path of the call that answers with the product, exactly as the app writes it.
pub(super) fn product_call_path(id: &str) -> String {
    format!("/product/product/{}", utf8_percent_encode(id, COMPONENT))
}

/// The path of the call that answers with a product's former prices.
pub(super) fn history_call_path(id: &str) -> String {
    let id = utf8_percent_encode(id, COMPONENT);
    format!("/product/price-history/{id}")
}
