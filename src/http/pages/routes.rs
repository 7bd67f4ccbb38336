//! Paths of screens and pictures.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use url::Url;

use crate::domain::is_harmless_picture;

/// Screens that the app renders alone.
pub(in crate::http) const SCREENS: [&str; 27] = [
    "/search",
    "/saved",
    "/login",
    "/register",
    "/verify-otp/{email}",
    "/forgot-password",
    "/reset-password/{email}",
    "/profile",
    "/setup",
    "/invite",
    "/add-product",
    "/update-product/{productId}",
    "/admin",
    "/admin/setup",
    "/admin/products",
    "/admin/capture",
    "/admin/categories",
    "/admin/front-page",
    "/admin/collections",
    "/admin/sources",
    "/admin/people",
    "/admin/keys",
    "/admin/webhooks",
    "/admin/files",
    "/admin/activity",
    "/admin/reports",
    "/admin/settings",
];

/// Characters that `encodeURIComponent` leaves unescaped, besides letters and digits.
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

/// Returns the absolute public address of a path.
pub(in crate::http) fn absolute(public_url: &Url, path: &str) -> Url {
    public_url.join(path).unwrap_or_else(|_| public_url.clone())
}

pub(in crate::http) fn details_path(id: &str) -> String {
    format!("/details/{}", utf8_percent_encode(id, COMPONENT))
}

/// Returns the address of a picture if a page may show it.
pub(super) fn picture_address(picture: &str) -> Option<&str> {
    Some(picture).filter(|picture| is_harmless_picture(picture))
}

/// Path of a call about a product, exactly as the app writes it.
pub(super) fn call_path(call: &str, id: &str) -> String {
    format!("/product/{call}/{}", utf8_percent_encode(id, COMPONENT))
}
