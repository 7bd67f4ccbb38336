//! Pages of shelves: the list with a fixed filter.

use actix_web::http::StatusCode;
use actix_web::http::header::{CACHE_CONTROL, LOCATION};
use actix_web::{HttpRequest, HttpResponse, web};

use super::page::{Reader, empty};
use super::{fallback_page, list_page};
use crate::domain::slug_of;
use crate::http::error::ApiError;
use crate::http::routes::{Route, get};
use crate::http::serving::cached::cached_variant;
use crate::http::state::AppState;
use crate::store::Store;
use crate::storefront::list_query::parse_lenient;
use crate::storefront::{Shelf, category_path, seller_path};

/// Routes of categories, which the API's scope mounts and compresses. The call about a collection answers browsers
/// with its page.
pub(in crate::http) fn category_routes() -> [Route; 2] {
    [
        get("/category/{slug}", shelf),
        get("/category/{parent}/{slug}", shelf),
    ]
}

/// Other routes of this file.
pub(super) fn routes() -> [Route; 1] {
    [get("/seller/{slug}", shelf).compressed()]
}

/// `GET /category/{slug}` and the like, with any other filters.
pub(in crate::http) async fn shelf(
    state: web::Data<AppState>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let front = match state.storefront().await {
        Ok(front) => front,
        Err(error) => return Ok(fallback_page(&state, &request, &error)),
    };
    let kind = request.path().split('/').nth(1).unwrap_or_default();
    let kind = kind.to_owned();
    let slug = request.match_info().query("slug").to_owned();
    if let Some(listed) = front
        .categories
        .find_slug(&slug)
        .filter(|_| kind == "category")
    {
        let path = category_path(&front.categories, &listed.category);
        if path != request.path() {
            return Ok(moved(&request, path));
        }
    }
    let former = match kind.as_str() {
        "seller" => front.present_seller(&slug),
        _ => None,
    };
    if let Some(name) = former {
        let sellers = state.query(Store::sellers).await;
        let is_used = sellers.is_ok_and(|names| names.iter().any(|name| slug_of(name) == slug));
        if let Some(path) = seller_path(name).filter(|path| !is_used && path != request.path()) {
            return Ok(moved(&request, path));
        }
    }
    let query = parse_lenient(request.query_string(), front.names());
    let reader = Reader::new(&state, &request);
    let answer = cached_variant(&state, &request, "page ", move |store| {
        let front = reader.state.storefronts().current(store)?;
        let read = |query: &str| parse_lenient(query, front.names()).filters;
        let Some(shelf) = Shelf::find(&front, store, (&kind, &slug), read)? else {
            let title = format!("Page not found · {}", front.name());
            return Ok(empty(&front, &title, "", StatusCode::NOT_FOUND));
        };
        let mut query = query;
        shelf.fix(&mut query.filters);
        list_page(&reader, store, &query, Some(&shelf))
    });
    let answer = answer.await;
    Ok(answer.unwrap_or_else(|error| fallback_page(&state, &request, &error)))
}

/// Redirects a former address. Browsers ask again: it may become that of another category.
fn moved(request: &HttpRequest, path: String) -> HttpResponse {
    let location = match request.uri().query() {
        Some(query) => format!("{path}?{query}"),
        None => path,
    };
    HttpResponse::PermanentRedirect()
        .insert_header((LOCATION, location))
        .insert_header((CACHE_CONTROL, "no-cache"))
        .finish()
}
