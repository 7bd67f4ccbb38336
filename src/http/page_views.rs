//! Counts page views of products and searches without results, made by people and not by programs.

use actix_web::http::Method;
use actix_web::http::header::{HeaderName, IF_NONE_MATCH};
use actix_web::{FromRequest as _, HttpRequest, HttpResponse};
use jiff::Timestamp;

use super::api::permissions::is_own;
use super::serving::rate_limit::Client;
use super::serving::response_cache::FoundNothing;
use super::state::AppState;
use crate::clicks::{ClickNote, Request};
use crate::domain::{CONSTANTS, Filters, ListQuery};

/// Counts a view of a product's own page, loaded by itself or within the app.
pub(crate) async fn count_product(
    state: &AppState,
    request: &HttpRequest,
    id: &str,
    answer: &HttpResponse,
) {
    let was_found = answer.status().is_success() || answer.status() == 304;
    if was_found && is_new(request) {
        of_a_visitor(state, request, id, |it| state.page_views().add_product(it)).await;
    }
}

/// Counts a search whose first page found nothing.
pub(crate) async fn count_search(
    state: &AppState,
    request: &HttpRequest,
    query: &ListQuery,
    answer: &HttpResponse,
) {
    let Some(search) = &query.filters.search else {
        return;
    };
    // With another filter, that filter may be the reason.
    let only = Filters {
        search: Some(search.clone()),
        ..Filters::default()
    };
    // A shorter page is of suggestions, for a word that is not yet whole.
    let is_empty = query.page == 1
        && query.limit == CONSTANTS.page_size
        && query.filters == only
        && answer.extensions().contains::<FoundNothing>();
    if is_empty && is_new(request) {
        of_a_visitor(state, request, "", |it| {
            state.page_views().add_search(it, search);
        })
        .await;
    }
}

/// Returns true for a first request and for a navigation. The app revalidates its data
/// whenever its window gets the focus, and that is no page view.
fn is_new(request: &HttpRequest) -> bool {
    if *request.method() != Method::GET {
        return false;
    }
    const MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");
    let is_navigation = request
        .headers()
        .get(MODE)
        .is_some_and(|mode| mode == "navigate");
    is_navigation || !request.headers().contains_key(IF_NONE_MATCH)
}

/// Calls `count` unless a program or an administrator sends the request.
async fn of_a_visitor(
    state: &AppState,
    request: &HttpRequest,
    product: &str,
    count: impl FnOnce(&Request<'_>),
) {
    let Ok(client) = Client::extract(request).await else {
        return;
    };
    let headers = request.headers();
    let seen = Request {
        header: &|name| headers.get(name)?.to_str().ok(),
        address: &client.octets(),
        is_own: false,
        is_https: state.public_url().scheme() == "https",
        host: "",
        product,
        note: ClickNote::default(),
        now: Timestamp::now(),
    };
    if seen.is_of_a_visitor() && !is_own(state, request, client.address()).await {
        count(&seen);
    }
}
