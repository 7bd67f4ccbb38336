//! Finished answers, kept for as long as nothing was committed to the database.
//!
//! Most visitors ask for the same few pages, and most of the time nothing changes
//! between two of them. The version of the database is asked for before an answer is used
//! again and costs a look at shared memory, so an answer is never older than the last
//! commit, whoever made it: this server or `deals import` in another process.

use std::collections::{HashMap, HashSet};
use std::hash::BuildHasher as _;
use std::io::Write as _;
use std::sync::{Arc, Mutex, PoisonError};

use actix_web::http::StatusCode;
use actix_web::http::header::{
    CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, ETag, EntityTag, VARY,
};
use actix_web::{HttpRequest, HttpResponse, web};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Serialize;

use super::caching::{accepts, is_known, tag_of};
use crate::domain::ListQuery;
use crate::http::error::ApiError;
use crate::http::state::AppState;
use crate::store::{Store, Version, Watcher};

/// Bytes of all answers that a worker keeps; a list's page takes about 12,000.
const MOST_BYTES: usize = 4 * 1_024 * 1_024;
/// What an answer takes besides its address and its bytes, about.
const BESIDES: usize = 256;
/// Addresses that are remembered for having been asked for once, at eight bytes each.
const MOST_ASKED: usize = 4_096;
/// Longer addresses, and larger answers, are rare enough to be made each time.
const LONGEST_ADDRESS: usize = 512;
const LARGEST_ANSWER: usize = 1_024 * 1_024;
/// A middling effort (of 11), and a window of 256 kB in place of 4 MB, which takes longer
/// to set up than a page takes to compress.
const BROTLI_QUALITY: u32 = 4;
const BROTLI_WINDOW: u32 = 18;

/// What a handler makes.
pub(crate) struct Content {
    status: StatusCode,
    kind: &'static str,
    bytes: Vec<u8>,
}

impl Content {
    pub(crate) fn new(status: StatusCode, kind: &'static str, bytes: Vec<u8>) -> Self {
        Self {
            status,
            kind,
            bytes,
        }
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

/// An answer as it is sent.
struct Answer {
    status: StatusCode,
    kind: &'static str,
    /// A weak one: every encoding of the same content has it.
    tag: EntityTag,
    encoding: Encoding,
    body: web::Bytes,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Encoding {
    Identity,
    Gzip,
    Brotli,
}

/// How long an answer takes to make.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effort {
    /// Some tens of microseconds: less than handing it to another thread and back,
    /// which halves the answers per second (`benches/listing.rs`).
    Little,
    /// It may be milliseconds; other requests of this worker go on meanwhile.
    Much,
}

impl Effort {
    /// What the list's answer takes.
    pub(crate) fn of(state: &AppState, query: &ListQuery) -> Self {
        if state.store().is_quick(query) {
            Self::Little
        } else {
            Self::Much
        }
    }
}

/// The answers that are kept. Each worker has its own, so that none waits for another.
#[derive(Default)]
pub(crate) struct Answers(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    watcher: Option<Watcher>,
    version: Option<Version>,
    bytes: usize,
    answers: HashMap<(String, Encoding), Arc<Answer>>,
    /// The hashes of addresses that were asked for once: only what is asked for again is
    /// kept, so that a walk through the catalogue does not push the usual pages out.
    asked: HashSet<u64>,
}

/// Answers a request with what was made for the same address since the last commit, or
/// with what `make` makes of the database now.
///
/// # Errors
///
/// Those of `make`, which are not kept.
pub(crate) async fn answer(
    state: &AppState,
    request: &HttpRequest,
    effort: Effort,
    make: impl FnOnce(&Store) -> Result<Content, ApiError> + Send + 'static,
) -> Result<HttpResponse, ApiError> {
    let encoding = Encoding::of(request);
    let address = request.uri().path_and_query();
    let address = address.map_or(request.path(), |address| address.as_str());
    let key = (address.to_owned(), encoding);
    // Before the database is read: a commit in between makes this answer an old one.
    let version = match state.answers().find(state.store(), &key)? {
        Found::Answer(answer) => return Ok(respond(request, &answer)),
        Found::Nothing(version) => Some(version),
        Found::NeverAsked => None,
    };
    let work = move |store: &Store| make(store).and_then(|content| Answer::new(content, encoding));
    let answer = if effort == Effort::Little && encoding == Encoding::Identity {
        work(state.store())?
    } else {
        state.work(work).await?
    };
    let answer = Arc::new(answer);
    match version {
        Some(version) => state.answers().keep(version, key, &answer),
        None if key.0.len() <= LONGEST_ADDRESS => state.answers().note(&key),
        None => {}
    }
    Ok(respond(request, &answer))
}

/// What is kept for an address.
enum Found {
    /// The answer, made of what the database holds now.
    Answer(Arc<Answer>),
    /// No answer of this version.
    Nothing(Version),
    /// It was not asked for before, and need not be kept: the version was not looked at.
    NeverAsked,
}

impl Answers {
    fn find(&self, store: &Store, key: &(String, Encoding)) -> Result<Found, ApiError> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let hash = kept.answers.hasher().hash_one(key);
        if !kept.asked.contains(&hash) && !kept.answers.contains_key(key) {
            return Ok(Found::NeverAsked);
        }
        let watcher = match kept.watcher.take() {
            Some(watcher) => watcher,
            None => store.watch()?,
        };
        let version = watcher.version()?;
        kept.watcher = Some(watcher);
        Ok(match kept.answers.get(key) {
            Some(answer) if kept.version == Some(version) => Found::Answer(Arc::clone(answer)),
            _ => Found::Nothing(version),
        })
    }

    /// Notes that an address was asked for.
    fn note(&self, key: &(String, Encoding)) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.asked.len() >= MOST_ASKED {
            kept.asked.clear();
        }
        let hash = kept.answers.hasher().hash_one(key);
        kept.asked.insert(hash);
    }

    fn keep(&self, version: Version, key: (String, Encoding), answer: &Arc<Answer>) {
        if answer.body.len() > LARGEST_ANSWER {
            return;
        }
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.version != Some(version) || kept.bytes > MOST_BYTES {
            kept.version = Some(version);
            kept.answers.clear();
            kept.bytes = 0;
        }
        kept.bytes += key.0.len() + answer.body.len() + BESIDES;
        kept.answers.insert(key, Arc::clone(answer));
    }
}

impl Answer {
    fn new(content: Content, encoding: Encoding) -> Result<Self, ApiError> {
        let tag = tag_of(&content.bytes);
        let body = encoding
            .encode(content.bytes)
            .map_err(|error| ApiError::Internal(error.to_string()))?;
        Ok(Self {
            status: content.status,
            kind: content.kind,
            tag,
            encoding,
            // Without the room that was not needed: it may be kept.
            body: body.into_boxed_slice().into(),
        })
    }
}

fn respond(request: &HttpRequest, answer: &Answer) -> HttpResponse {
    let known = answer.status == StatusCode::OK && is_known(request, &answer.tag);
    let mut response = if known {
        HttpResponse::NotModified()
    } else {
        HttpResponse::build(answer.status)
    };
    response
        .insert_header((ETAG, ETag(answer.tag.clone())))
        .insert_header((CACHE_CONTROL, "no-cache"))
        .insert_header((VARY, "accept-encoding"));
    if known {
        return response.finish();
    }
    if let Some(name) = answer.encoding.name() {
        response.insert_header((CONTENT_ENCODING, name));
    }
    response
        .insert_header((CONTENT_TYPE, answer.kind))
        .body(answer.body.clone())
}

impl Encoding {
    fn of(request: &HttpRequest) -> Self {
        if accepts(request, "br") {
            Self::Brotli
        } else if accepts(request, "gzip") {
            Self::Gzip
        } else {
            Self::Identity
        }
    }

    fn name(self) -> Option<&'static str> {
        match self {
            Self::Identity => None,
            Self::Gzip => Some("gzip"),
            Self::Brotli => Some("br"),
        }
    }

    fn encode(self, bytes: Vec<u8>) -> std::io::Result<Vec<u8>> {
        match self {
            Self::Identity => Ok(bytes),
            Self::Gzip => {
                let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
                encoder.write_all(&bytes)?;
                encoder.finish()
            }
            Self::Brotli => {
                let mut body = Vec::new();
                let mut encoder = brotli::CompressorWriter::new(
                    &mut body,
                    bytes.len().max(1),
                    BROTLI_QUALITY,
                    BROTLI_WINDOW,
                );
                encoder.write_all(&bytes)?;
                drop(encoder);
                Ok(body)
            }
        }
    }
}
