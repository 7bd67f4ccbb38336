//! Answers requests from the response cache, or with what is made of the database now.

use std::borrow::Cow;
use std::sync::Arc;

use actix_web::http::StatusCode;
use actix_web::http::header::{
    CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, ETag, VARY,
};
use actix_web::{HttpRequest, HttpResponse};

use super::caching::{is_anonymous, is_known, shared_for};
use super::compression::{Effort, Encoding};
use super::response_cache::{CachedResponse, Content, Found, FoundNothing, LONGEST_KEPT_ADDRESS};
use crate::domain::ListQuery;
use crate::http::error::ApiError;
use crate::http::state::AppState;
use crate::http::storefront::Storefront;
use crate::store::Store;

/// How long a response takes to make, and so where it is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cost {
    /// Some tens of microseconds: less than handing it to another thread and back,
    /// which halves the answers per second (`benches/listing.rs`).
    Inline,
    /// It may be milliseconds; other requests of this worker go on meanwhile.
    Blocking,
}

impl Cost {
    /// What the list's answer takes.
    pub(crate) fn of(state: &AppState, query: &ListQuery) -> Self {
        if state.store().is_quick(query) {
            Self::Inline
        } else {
            Self::Blocking
        }
    }
}

/// Answers a request with what was made for the same address since the last commit, or
/// with what `make` makes of the database now.
///
/// # Errors
///
/// Those of `make`, which are not kept.
pub(crate) async fn cached(
    state: &AppState,
    request: &HttpRequest,
    cost: Cost,
    make: impl FnOnce(&Store) -> Result<Content, ApiError> + Send + 'static,
) -> Result<HttpResponse, ApiError> {
    let encoding = Encoding::of(request);
    let address = request.uri().path_and_query();
    let address = address.map_or(request.path(), |address| address.as_str());
    let key = (address.to_owned(), encoding);
    // Before the database is read: a commit in between makes this answer an old one.
    let version = match state.response_cache().find(
        state.store(),
        &key,
        state.storefronts().newest().period(),
    )? {
        Found::Response(response) => return Ok(respond(state, request, &response, true)),
        Found::Missing(version) => Some(version),
        Found::NeverAsked => None,
    };
    // What was never asked for may never be asked for again, but for the few that have no query.
    let effort = if version.is_none() && key.0.contains('?') {
        Effort::Once
    } else {
        Effort::Kept
    };
    let work = move |store: &Store| {
        make(store).and_then(|content| CachedResponse::new(content, encoding, effort))
    };
    let mut response = if cost == Cost::Inline && encoding == Encoding::Identity {
        work(state.store())?
    } else {
        state.make(work).await?
    };
    // After it was made: by then the newest settings are known.
    response.may_be_kept = state.storefronts().newest().may_be_kept();
    let response = Arc::new(response);
    match version {
        Some(version) => state.response_cache().keep(version, key, &response),
        None if key.0.len() <= LONGEST_KEPT_ADDRESS => state.response_cache().note(&key),
        None => {}
    }
    Ok(respond(state, request, &response, version.is_some()))
}

/// As [`cached`], for what is made of the owner's settings alone.
pub(crate) async fn cached_front(
    state: &AppState,
    request: &HttpRequest,
    make: impl FnOnce(&Storefront) -> Result<Content, ApiError> + Send + 'static,
) -> Result<HttpResponse, ApiError> {
    let shared = state.clone();
    cached(state, request, Cost::Inline, move |store| {
        make(&*shared.storefronts().current(store)?)
    })
    .await
}

fn respond(
    state: &AppState,
    request: &HttpRequest,
    cached: &Arc<CachedResponse>,
    is_kept: bool,
) -> HttpResponse {
    let mut response = revalidated(state, request, cached);
    if cached.found_nothing {
        response.extensions_mut().insert(FoundNothing);
    }
    // For the fast path.
    if is_kept && cached.is_only_sent {
        response.extensions_mut().insert(Arc::clone(cached));
    }
    response
}

fn revalidated(state: &AppState, request: &HttpRequest, cached: &CachedResponse) -> HttpResponse {
    let known = cached.status == StatusCode::OK && is_known(request, &cached.tag);
    let mut response = if known {
        HttpResponse::NotModified()
    } else {
        HttpResponse::build(cached.status)
    };
    let cache_control = match state.shared_cache() {
        _ if !cached.may_be_kept => Cow::Borrowed("no-store"),
        None => "no-cache".into(),
        Some(seconds) if cached.may_be_shared && is_anonymous(request.headers()) => {
            shared_for(seconds).into()
        }
        Some(_) => "private, no-cache".into(),
    };
    response
        .insert_header((ETAG, ETag(cached.tag.clone())))
        .insert_header((CACHE_CONTROL, cache_control.as_ref()))
        .insert_header((VARY, "accept-encoding"));
    // Also with 304: the browser takes it in the place of the one it has kept.
    if let Some(policy) = &cached.policy {
        response.insert_header((CONTENT_SECURITY_POLICY, policy.clone()));
    }
    if known {
        return response.finish();
    }
    if let Some(name) = cached.encoding.name() {
        response.insert_header((CONTENT_ENCODING, name));
    }
    response
        .insert_header((CONTENT_TYPE, cached.kind))
        .body(cached.body.clone())
}
