//! The response cache: responses that are used again as long as nothing was committed to
//! the database.
//!
//! Most visitors ask for the same few pages, and most of the time nothing changes
//! between two of them. The version of the database is asked for before an answer is used
//! again and costs a look at shared memory, so an answer is never older than the last
//! commit, whoever made it: this server or `deals import` in another process.

use std::collections::{HashMap, HashSet};
use std::hash::BuildHasher as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use actix_web::http::StatusCode;
use actix_web::http::header::{
    ACCEPT, ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_SECURITY_POLICY, EntityTag, HeaderMap,
    HeaderValue,
};
use actix_web::{HttpRequest, HttpResponse, web};
use jiff::Timestamp;
use serde::Serialize;

use super::caching::{is_anonymous, revalidated, tag_of};
use super::compression::{Beginning, Effort, Encoding};
use crate::http::error::ApiError;
use crate::store::{Store, StoreError, Version};

/// Bytes of all answers that a worker keeps; a list's page takes about 12,000.
const MOST_BYTES: usize = 4 * 1_024 * 1_024;
/// What an answer takes besides its address and its bytes, about.
const BESIDES: usize = 256;
/// Addresses that are remembered for having been asked for once, at eight bytes each.
const MOST_ASKED: usize = 4_096;
/// Longer addresses, and larger answers, are rare enough to be made each time.
pub(crate) const LONGEST_KEPT_ADDRESS: usize = 512;
const LARGEST_ANSWER: usize = 1_024 * 1_024;
/// Kept responses of one address that were asked for with different headers, and what one takes
/// besides its body.
const MOST_WHOLE: usize = 4;
const HEAD_BYTES: usize = 4 * 1_024;

/// What a handler makes.
pub(crate) struct Content {
    status: StatusCode,
    kind: &'static str,
    bytes: Vec<u8>,
    /// What the bytes may begin with.
    beginning: Option<Arc<Beginning>>,
    policy: Option<HeaderValue>,
    found_nothing: bool,
    /// Whether something is counted with each answer.
    is_counted: bool,
    /// Whether it is a screen that the app makes by itself.
    is_of_app: bool,
}

/// Marks the answer to a search that found nothing.
pub(crate) struct FoundNothing;

impl Content {
    pub(crate) fn new(status: StatusCode, kind: &'static str, bytes: Vec<u8>) -> Self {
        Self {
            status,
            kind,
            bytes,
            beginning: None,
            policy: None,
            found_nothing: false,
            is_counted: false,
            is_of_app: false,
        }
    }

    /// The same, as a screen that the app makes by itself, like those of accounts and the office.
    pub(crate) fn of_app(mut self) -> Self {
        self.is_of_app = true;
        self
    }

    /// The same, of which each answer is counted by its handler.
    pub(crate) fn counted(mut self) -> Self {
        self.is_counted = true;
        self
    }

    /// The same, which begins as many others do.
    pub(crate) fn beginning_with(mut self, beginning: Arc<Beginning>) -> Self {
        self.beginning = Some(beginning);
        self
    }

    /// The same under a content security policy of its own.
    pub(crate) fn under(mut self, policy: Option<HeaderValue>) -> Self {
        self.policy = policy;
        self
    }

    /// The same, marked as [`FoundNothing`] where that is so.
    pub(crate) fn that_found(mut self, total: i64) -> Self {
        self.found_nothing = total == 0;
        self
    }

    /// The answer for one request, which is not kept.
    pub(crate) fn revalidated(self, request: &HttpRequest) -> HttpResponse {
        let policy = self.policy;
        let mut response = revalidated(request, self.status, self.kind, self.bytes);
        if let Some(policy) = policy {
            let headers = response.headers_mut();
            headers.insert(CONTENT_SECURITY_POLICY, policy);
        }
        response
    }

    /// The answer for an administrator alone, which nobody keeps.
    pub(crate) fn private(self, request: &HttpRequest) -> HttpResponse {
        let mut response = self.revalidated(request);
        let headers = response.headers_mut();
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        response
    }

    pub(crate) fn json(body: &impl Serialize) -> Result<Self, ApiError> {
        let bytes = serde_json::to_vec(body).map_err(ApiError::unwritten)?;
        Ok(Self::written_json(bytes))
    }

    /// What is JSON already.
    pub(crate) fn written_json(bytes: Vec<u8>) -> Self {
        Self::new(StatusCode::OK, "application/json", bytes)
    }
}

/// A response as it is sent.
pub(crate) struct CachedResponse {
    pub(crate) status: StatusCode,
    pub(crate) kind: &'static str,
    /// A weak one: every encoding of the same content has it.
    pub(crate) tag: EntityTag,
    pub(crate) encoding: Encoding,
    pub(crate) body: web::Bytes,
    /// The content security policy, where it is not that of every page.
    pub(crate) policy: Option<HeaderValue>,
    /// Whether it answers a search that found nothing.
    pub(crate) found_nothing: bool,
    /// Whether its handler does nothing but send it.
    pub(crate) is_only_sent: bool,
    /// Whether browsers may keep a copy.
    pub(crate) may_be_kept: bool,
    /// Whether a cache in front may answer with it: what people look at, and no error.
    pub(crate) may_be_shared: bool,
}

/// A response with the whole head that it had when it was sent, but for the request's id.
pub(crate) struct WholeResponse {
    pub(crate) accept: Option<HeaderValue>,
    pub(crate) accept_encoding: Option<HeaderValue>,
    pub(crate) is_for_anybody: bool,
    pub(crate) headers: HeaderMap,
    pub(crate) body: web::Bytes,
    /// The pattern of its route, for what is counted.
    pub(crate) route: Option<String>,
}

impl WholeResponse {
    /// Whether it answers a request with these headers: what else they say changes no kept response.
    fn is_for(&self, headers: &HeaderMap) -> bool {
        self.accept.as_ref() == headers.get(ACCEPT)
            && self.accept_encoding.as_ref() == headers.get(ACCEPT_ENCODING)
            && self.is_for_anybody == is_anonymous(headers)
    }
}

/// The responses that are kept. Each worker has its own, so that none waits for another.
#[derive(Default)]
pub(crate) struct ResponseCache(Mutex<Cache>);

#[derive(Default)]
struct Cache {
    version: Option<Version>,
    /// The number of the period that the responses are of, and its length in seconds.
    period: (i64, i64),
    bytes: usize,
    responses: HashMap<(String, Encoding), Arc<CachedResponse>>,
    /// Those that were sent, with their heads, by address: a few that accept different things.
    whole: HashMap<String, Vec<Arc<WholeResponse>>>,
    /// The hashes of addresses that were asked for once: only what is asked for again is
    /// kept, so that a walk through the catalogue does not push the usual pages out.
    asked: HashSet<u64>,
}

/// What is kept for an address.
pub(crate) enum Found {
    /// The response, made of what the database holds now.
    Response(Arc<CachedResponse>),
    /// No response of this version is kept.
    Missing(Version),
    /// It was not asked for before, and need not be kept: the version was not looked at.
    NeverAsked,
}

impl ResponseCache {
    /// What is kept for an address; responses are of use for `seconds` at most.
    pub(crate) fn find(
        &self,
        store: &Store,
        key: &(String, Encoding),
        seconds: i64,
    ) -> Result<Found, ApiError> {
        let mut cache = self.lock();
        let hash = cache.responses.hasher().hash_one(key);
        if !cache.asked.contains(&hash) && !cache.responses.contains_key(key) {
            return Ok(Found::NeverAsked);
        }
        let version = cache.version_now(store, seconds)?;
        Ok(match cache.responses.get(key) {
            Some(response) if cache.version == Some(version) => {
                Found::Response(Arc::clone(response))
            }
            _ => Found::Missing(version),
        })
    }

    /// What was sent before to a request with this address and such headers, if the app would make
    /// the same now.
    pub(crate) fn whole(
        &self,
        store: &Store,
        address: &str,
        headers: &HeaderMap,
        seconds: i64,
    ) -> Option<Arc<WholeResponse>> {
        let mut cache = self.lock();
        let sent = cache.whole.get(address)?;
        let whole = Arc::clone(sent.iter().find(|whole| whole.is_for(headers))?);
        let version = cache.version_now(store, seconds).ok()?;
        (cache.version == Some(version)).then_some(whole)
    }

    /// Keeps a response with its head, if the response itself is still kept.
    pub(crate) fn keep_whole(&self, address: &str, of: &Arc<CachedResponse>, whole: WholeResponse) {
        let mut cache = self.lock();
        let key = (address.to_owned(), of.encoding);
        let is_kept = cache
            .responses
            .get(&key)
            .is_some_and(|kept| Arc::ptr_eq(kept, of));
        if !is_kept {
            return;
        }
        let sent = cache.whole.entry(key.0).or_default();
        if sent.len() < MOST_WHOLE {
            sent.push(Arc::new(whole));
            cache.bytes += HEAD_BYTES;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Cache> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that an address was asked for.
    pub(crate) fn note(&self, key: &(String, Encoding)) {
        let mut cache = self.lock();
        if cache.asked.len() >= MOST_ASKED {
            cache.asked.clear();
        }
        let hash = cache.responses.hasher().hash_one(key);
        cache.asked.insert(hash);
    }

    pub(crate) fn keep(
        &self,
        version: Version,
        key: (String, Encoding),
        response: &Arc<CachedResponse>,
    ) {
        if response.body.len() > LARGEST_ANSWER {
            return;
        }
        let mut cache = self.lock();
        if cache.version != Some(version) || cache.bytes > MOST_BYTES {
            cache.version = Some(version);
            cache.responses.clear();
            cache.whole.clear();
            cache.bytes = 0;
        }
        cache.bytes += key.0.len() + response.body.len() + BESIDES;
        cache.responses.insert(key, Arc::clone(response));
    }
}

impl Cache {
    /// The version of the database; in a new period it first drops that of the responses.
    fn version_now(&mut self, store: &Store, seconds: i64) -> Result<Version, StoreError> {
        let period = (Timestamp::now().as_second() / seconds, seconds);
        if self.period != period {
            self.period = period;
            self.version = None;
        }
        store.version()
    }
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
            .encode(content.bytes, effort, content.beginning.as_deref())
            .map_err(|error| ApiError::Internal(error.to_string()))?;
        Ok(Self {
            status: content.status,
            kind: content.kind,
            tag,
            encoding,
            policy: content.policy,
            found_nothing: content.found_nothing,
            is_only_sent: !content.found_nothing && !content.is_counted,
            may_be_kept: true,
            may_be_shared: content.status == StatusCode::OK && !content.is_of_app,
            body: match effort {
                Effort::Once => body.into(),
                // Without the room that was not needed.
                Effort::Kept => body.into_boxed_slice().into(),
            },
        })
    }
}
