//! Calls about lists with an address of their own.

use actix_web::{HttpRequest, HttpResponse, web};

use crate::http::error::ApiError;
use crate::http::routes::{Route, get};
use crate::http::serving::cached::cached;
use crate::http::serving::response_cache::Content;
use crate::http::state::AppState;
use crate::storefront::list_query::parse_lenient;
use crate::storefront::{Shelf, ShelfBody};

/// Routes of this file.
pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        get("/product/shelf/{kind}/{slug}", get_shelf)
            .summary("Returns what the page of a category, a seller or a collection has besides its list.")
            .part("kind", "`category`, `seller` or `collection`")
            .part("slug", "Slug of the category or collection, or of the seller's name")
            .answers::<ShelfBody<'_>>("Its name, text and filters")
            .or_missing()
            .or_unchanged(),
    ]
}

pub(crate) async fn get_shelf(
    state: web::Data<AppState>,
    request: HttpRequest,
    parts: web::Path<(String, String)>,
) -> Result<HttpResponse, ApiError> {
    let shared = state.get_ref().clone();
    cached(&state, &request, move |store| {
        let front = shared.storefronts().current(store)?;
        let read = |query: &str| parse_lenient(query, front.names()).filters;
        let shelf = Shelf::find(&front, store, (&parts.0, &parts.1), read)?;
        let shelf = shelf.ok_or(ApiError::NotFound("There is no such page."))?;
        Content::json(&shelf.body())
    })
    .await
}
