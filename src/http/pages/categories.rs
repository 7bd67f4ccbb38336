//! Addresses of categories, which lead to their lists.

use actix_web::http::header::{CACHE_CONTROL, LOCATION};
use actix_web::{HttpRequest, HttpResponse, web};

use super::address::category_address;
use super::unknown_page;
use crate::http::error::ApiError;
use crate::http::routes::{Route, get};
use crate::http::state::AppState;

/// Routes of this file, which the API has other methods of.
pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        get("/category/{slug}", top),
        get("/category/{parent}/{slug}", below),
    ]
}

/// `GET /category/{slug}`.
pub(crate) async fn top(
    state: web::Data<AppState>,
    request: HttpRequest,
    slug: web::Path<String>,
) -> Result<HttpResponse, ApiError> {
    lead(&state, request, &slug).await
}

/// `GET /category/{parent}/{slug}`.
pub(crate) async fn below(
    state: web::Data<AppState>,
    request: HttpRequest,
    slugs: web::Path<(String, String)>,
) -> Result<HttpResponse, ApiError> {
    lead(&state, request, &slugs.1).await
}

/// Redirects to the list of a category, which its slug or an earlier one names.
async fn lead(
    state: &web::Data<AppState>,
    request: HttpRequest,
    slug: &str,
) -> Result<HttpResponse, ApiError> {
    let front = state.storefront().await?;
    let Some(listed) = front.categories.find_slug(slug) else {
        return unknown_page(state, &request).await;
    };
    // Not for ever: the address may become that of another category.
    Ok(HttpResponse::Found()
        .insert_header((LOCATION, category_address(&listed.category)))
        .insert_header((CACHE_CONTROL, "no-cache"))
        .finish())
}
