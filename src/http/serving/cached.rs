//! Answers requests from the response cache, or builds the response.

use std::borrow::Cow;
use std::sync::Arc;

use actix_web::http::StatusCode;
use actix_web::http::header::{
    CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, ETag, VARY,
};
use actix_web::{HttpRequest, HttpResponse};

use super::caching::{is_anonymous, is_known, shared_for};
use super::compression::{Effort, Encoding};
use super::rate_limit::Client;
use super::response_cache::{CachedResponse, Content, FoundNothing, Stamp};
use crate::http::error::ApiError;
use crate::http::state::AppState;
use crate::store::Store;
use crate::storefront::Storefront;

/// Answers with the cached response of this address, or with what `make` builds in the client's
/// turn.
///
/// # Errors
///
/// The errors of `make`, which are not cached, and [`ApiError::Busy`] when the queue is full.
pub(crate) async fn cached(
    state: &AppState,
    request: &HttpRequest,
    make: impl FnOnce(&Store) -> Result<Content, ApiError> + Send + 'static,
) -> Result<HttpResponse, ApiError> {
    cached_variant(state, request, "", make).await
}

/// As [`cached`], for an address whose responses differ by `Accept`: `variant` tells them apart.
pub(crate) async fn cached_variant(
    state: &AppState,
    request: &HttpRequest,
    variant: &str,
    make: impl FnOnce(&Store) -> Result<Content, ApiError> + Send + 'static,
) -> Result<HttpResponse, ApiError> {
    let encoding = Encoding::accepted_by(request);
    let address = request.uri().path_and_query();
    let address = address.map_or(request.path(), |address| address.as_str());
    let key = (format!("{variant}{address}"), encoding);
    // Before the database is read: a commit in between makes this response stale.
    let stamp = Stamp::now(state.store(), state.storefronts())?;
    if let Some(hit) = state.response_cache().find(stamp, &key) {
        return Ok(respond(state, request, &hit));
    }
    let is_repeated = state.response_cache().record_request(&key);
    // An address with a query is often requested only once.
    let effort = if is_repeated || !key.0.contains('?') {
        Effort::Cached
    } else {
        Effort::Once
    };
    let shared = state.clone();
    let response = state.lanes().pages.run(
        Client::from_request(request, &state.options().trusted_proxies),
        move |_| {
            // A job for the same page may have finished meanwhile.
            if let Some(hit) = shared.response_cache().find(stamp, &key) {
                return Ok(hit);
            }
            let content = make(shared.store())?;
            let mut response = CachedResponse::new(content, encoding, effort)?;
            let is_kept = is_repeated && response.may_be_stored;
            // Read last, when the newest settings are known.
            response.may_be_stored &= shared.storefronts().newest().may_be_stored();
            let response = Arc::new(response);
            if is_kept {
                shared.response_cache().insert(stamp, key, &response);
            }
            Ok::<_, ApiError>(response)
        },
    );
    Ok(respond(state, request, &*response.await?))
}

/// As [`cached`], for responses that depend on the settings alone.
pub(crate) async fn cached_front(
    state: &AppState,
    request: &HttpRequest,
    make: impl FnOnce(&Storefront) -> Result<Content, ApiError> + Send + 'static,
) -> Result<HttpResponse, ApiError> {
    let shared = state.clone();
    cached(state, request, move |store| {
        make(&*shared.storefronts().current(store)?)
    })
    .await
}

fn respond(state: &AppState, request: &HttpRequest, cached: &CachedResponse) -> HttpResponse {
    let known = cached.status == StatusCode::OK && is_known(request, &cached.tag);
    let mut response = if known {
        HttpResponse::NotModified()
    } else {
        HttpResponse::build(cached.status)
    };
    let cache_control = match state.options().shared_cache {
        _ if !cached.may_be_stored => Cow::Borrowed("no-store"),
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
    // Also with 304: it replaces the policy of the stored response.
    if let Some(policy) = &cached.policy {
        response.insert_header((CONTENT_SECURITY_POLICY, policy.clone()));
    }
    let mut response = if known {
        response.finish()
    } else {
        if let Some(name) = cached.encoding.name() {
            response.insert_header((CONTENT_ENCODING, name));
        }
        response
            .insert_header((CONTENT_TYPE, cached.kind))
            .body(cached.body.clone())
    };
    if cached.found_nothing {
        response.extensions_mut().insert(FoundNothing);
    }
    response
}
