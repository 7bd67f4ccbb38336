//! The response cache. A response is used until something is committed to the database or its
//! period ends.
//!
//! The stamp is compared before each use, so a response is never older than the last commit, even
//! of `deals import` in another process.

use std::collections::{HashMap, HashSet};
use std::hash::BuildHasher as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use actix_web::http::StatusCode;
use actix_web::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, ETAG, ETag, EntityTag, HeaderValue,
};
use actix_web::{HttpRequest, HttpResponse, web};
use jiff::Timestamp;
use serde::Serialize;

use super::caching::{is_known, tag_of};
use super::compression::{Effort, Encoding};
use crate::http::error::ApiError;
use crate::store::{Store, StoreError, Version};
use crate::storefront::Storefronts;

/// Maximum size of all cached responses in bytes; a page of the list has about 12,000.
const MAX_BYTES: usize = 4 * 1_024 * 1_024;
/// Approximate overhead of a response in bytes, besides its address and body.
const OVERHEAD: usize = 256;
/// Maximum number of addresses remembered as requested once, at eight bytes each.
const MAX_REQUESTED: usize = 8_192;
/// Maximum length of a cached address and maximum size of a cached response, in bytes.
const MAX_ADDRESS: usize = 512;
const MAX_RESPONSE: usize = 1_024 * 1_024;

/// A handler's response before compression.
pub(crate) struct Content {
    status: StatusCode,
    kind: &'static str,
    bytes: Vec<u8>,
    policy: Option<HeaderValue>,
    found_nothing: bool,
    is_app_only: bool,
    is_unrendered: bool,
}

/// Marks the response to a search without results.
pub(crate) struct FoundNothing;

impl Content {
    pub(crate) fn new(status: StatusCode, kind: &'static str, bytes: Vec<u8>) -> Self {
        Self {
            status,
            kind,
            bytes,
            policy: None,
            found_nothing: false,
            is_app_only: false,
            is_unrendered: false,
        }
    }

    /// Marks a screen that the app renders alone, such as accounts and the office.
    pub(crate) fn app_only(mut self) -> Self {
        self.is_app_only = true;
        self
    }

    /// Marks a page that the server should have rendered, which nobody stores.
    pub(crate) fn unrendered(mut self) -> Self {
        self.is_unrendered = true;
        self
    }

    /// Sets a content security policy of its own.
    pub(crate) fn with_policy(mut self, policy: Option<HeaderValue>) -> Self {
        self.policy = policy;
        self
    }

    /// Marks the content as [`FoundNothing`] if `total` is 0.
    pub(crate) fn with_total(mut self, total: i64) -> Self {
        self.found_nothing = total == 0;
        self
    }

    /// Converts it to a response that is not cached by the server.
    pub(crate) fn revalidated(self, request: &HttpRequest) -> HttpResponse {
        let tag = tag_of(&self.bytes);
        let is_known = self.status == StatusCode::OK && is_known(request, &tag);
        let mut response = if is_known {
            HttpResponse::NotModified()
        } else {
            HttpResponse::build(self.status)
        };
        response
            .insert_header((ETAG, ETag(tag)))
            .insert_header((CACHE_CONTROL, "no-cache"));
        if let Some(policy) = self.policy {
            response.insert_header((CONTENT_SECURITY_POLICY, policy));
        }
        if is_known {
            return response.finish();
        }
        response.content_type(self.kind).body(self.bytes)
    }

    /// Converts it to a response for administrators, which nobody caches.
    pub(crate) fn private(self, request: &HttpRequest) -> HttpResponse {
        let mut response = self.revalidated(request);
        let headers = response.headers_mut();
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        response
    }

    pub(crate) fn json(body: &impl Serialize) -> Result<Self, ApiError> {
        let bytes = serde_json::to_vec(body).map_err(ApiError::serialization)?;
        Ok(Self::from_json(bytes))
    }

    /// Creates content from serialized JSON.
    pub(crate) fn from_json(bytes: Vec<u8>) -> Self {
        Self::new(StatusCode::OK, "application/json", bytes)
    }
}

/// An encoded response.
pub(crate) struct CachedResponse {
    pub(crate) status: StatusCode,
    pub(crate) kind: &'static str,
    /// Weak, because all encodings share it.
    pub(crate) tag: EntityTag,
    pub(crate) encoding: Encoding,
    pub(crate) body: web::Bytes,
    /// Content security policy, if it is not the default.
    pub(crate) policy: Option<HeaderValue>,
    pub(crate) found_nothing: bool,
    /// Whether browsers and the server may store it.
    pub(crate) may_be_stored: bool,
    /// Whether a shared cache may use it: not errors, and not screens that the app renders alone.
    pub(crate) may_be_shared: bool,
}

impl CachedResponse {
    pub(crate) fn new(
        content: Content,
        encoding: Encoding,
        effort: Effort,
    ) -> Result<Self, ApiError> {
        let tag = tag_of(&content.bytes);
        // Pictures are compressed already.
        let encoding = if content.kind.starts_with("image/") {
            Encoding::Identity
        } else {
            encoding
        };
        let body = encoding
            .encode(content.bytes, effort)
            .map_err(|error| ApiError::Internal(error.to_string()))?;
        Ok(Self {
            status: content.status,
            kind: content.kind,
            tag,
            encoding,
            policy: content.policy,
            found_nothing: content.found_nothing,
            may_be_stored: !content.is_unrendered,
            may_be_shared: content.status == StatusCode::OK && !content.is_app_only,
            body: match effort {
                Effort::Once => body.into(),
                // Without spare capacity.
                Effort::Cached => body.into_boxed_slice().into(),
            },
        })
    }
}

/// State of the shop that a response was built from; another stamp means stale.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp {
    database: Version,
    /// Number and length in seconds of the current period (see [`Storefronts`]).
    period: (i64, i64),
}

impl Stamp {
    pub(crate) fn now(store: &Store, storefronts: &Storefronts) -> Result<Self, StoreError> {
        let seconds = storefronts.newest().period();
        Ok(Self {
            database: store.version()?,
            period: (Timestamp::now().as_second() / seconds, seconds),
        })
    }
}

/// Address with its query, and the encoding.
pub(crate) type Key = (String, Encoding);

/// Cached responses of one stamp.
#[derive(Default)]
pub(crate) struct ResponseCache(Mutex<Cache>);

#[derive(Default)]
struct Cache {
    stamp: Option<Stamp>,
    bytes: usize,
    responses: HashMap<Key, Arc<CachedResponse>>,
    /// Hashes of keys that were requested once.
    requested: HashSet<u64>,
}

impl ResponseCache {
    /// Returns the response for a key, if it has this stamp.
    pub(crate) fn find(&self, stamp: Stamp, key: &Key) -> Option<Arc<CachedResponse>> {
        let cache = self.lock();
        let response = cache.responses.get(key)?;
        (cache.stamp == Some(stamp)).then(|| Arc::clone(response))
    }

    /// Records a request and returns true if the key was requested before. Only such responses are
    /// cached, so that a crawl of the catalogue does not evict popular pages.
    pub(crate) fn record_request(&self, key: &Key) -> bool {
        if key.0.len() > MAX_ADDRESS {
            return false;
        }
        let mut cache = self.lock();
        if cache.requested.len() >= MAX_REQUESTED {
            cache.requested.clear();
        }
        let hash = cache.responses.hasher().hash_one(key);
        !cache.requested.insert(hash)
    }

    pub(crate) fn insert(&self, stamp: Stamp, key: Key, response: &Arc<CachedResponse>) {
        if response.body.len() > MAX_RESPONSE {
            return;
        }
        let mut cache = self.lock();
        if cache.stamp != Some(stamp) || cache.bytes > MAX_BYTES {
            cache.stamp = Some(stamp);
            cache.responses.clear();
            cache.bytes = 0;
        }
        cache.bytes += key.0.len() + response.body.len() + OVERHEAD;
        cache.responses.insert(key, Arc::clone(response));
    }

    fn lock(&self) -> MutexGuard<'_, Cache> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
