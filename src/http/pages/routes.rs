//! Paths of screens and pictures.

use percent_encoding::utf8_percent_encode;

use crate::domain::is_harmless_picture;
use crate::storefront::COMPONENT;

/// Screens that the app renders alone.
pub(in crate::http) const SCREENS: [&str; 30] = [
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
    "/admin/channels",
    "/admin/queue",
    "/admin/outgoing",
    "/admin/files",
    "/admin/activity",
    "/admin/reports",
    "/admin/settings",
];

/// Returns the address of a picture if a page may show it.
pub(super) fn picture_address(picture: &str) -> Option<&str> {
    Some(picture).filter(|picture| is_harmless_picture(picture))
}

/// Path of a call about a product, exactly as the app writes it.
pub(super) fn call_path(call: &str, id: &str) -> String {
    format!("/product/{call}/{}", utf8_percent_encode(id, COMPONENT))
}
