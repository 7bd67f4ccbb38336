//! Embedded files: the app, the service worker, demo pictures; and health checks.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, Read as _, Write as _};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use actix_web::http::Method;
use actix_web::http::header::{self, CacheControl, CacheDirective, ETag, EntityTag, HeaderValue};
use actix_web::{HttpRequest, HttpResponse, Responder, ResponseError as _, web};
use brotli::Decompressor;
use flate2::Compression;
use flate2::write::GzEncoder;
use rust_embed::{EmbeddedFile, RustEmbed};
use serde::Serialize;
use sha2::{Digest, Sha256};
use tokio::time::timeout;
use utoipa::ToSchema;

use crate::catalog::demo;
use crate::http::describe::JSON;
use crate::http::error::ApiError;
use crate::http::pages;
use crate::http::routes::{Route, get};
use crate::http::serving::caching::{accepts, is_known};
use crate::http::state::AppState;
use crate::jobs::{BACKUP, FOLLOW};
use crate::maintenance::disk;
use crate::store::{StoreError, free_bytes, is_read_only};

/// Routes of this file.
pub(in crate::http) fn routes() -> Vec<Route> {
    vec![
        get("/healthz", check_health)
            .summary("Returns ok if the process is alive.")
            .answers::<HealthResponse>("Alive"),
        get("/readyz", check_readiness)
            .summary("Checks that the database is writable and has space.")
            .answers::<HealthResponse>("Ready; a failed backup is named")
            .describe(|call| {
                call.content::<HealthResponse>(503, "Not ready, with the reasons", JSON);
            }),
        get("/sw.js", service_worker),
        get("/assets/{file:.*}", asset),
        get("/demo/{file}", demo_picture),
    ]
}

/// Buffer size for decompression in bytes.
const BUFFER: usize = 16 * 1_024;

/// Files of the front end's build; a compressible one is embedded as its `.br` variant only.
#[derive(RustEmbed)]
#[folder = "$OUT_DIR/site/"]
struct Site;

pub(crate) const HASHED: &str = "public, max-age=31536000, immutable";

/// Health of the server.
#[derive(Serialize, ToSchema)]
pub(crate) struct HealthResponse {
    /// ok or degraded
    status: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    problems: Vec<String>,
}

pub(crate) async fn check_health() -> impl Responder {
    web::Json(HealthResponse {
        status: "ok",
        problems: Vec::new(),
    })
}

/// Maximum duration of the test write.
const READY_WITHIN: Duration = Duration::from_secs(2);
/// Seconds after which a copy is too far behind its leader.
const TOO_OLD: i64 = 10;

pub(crate) async fn check_readiness(state: web::Data<AppState>) -> HttpResponse {
    let mut problems = Vec::new();
    let age = state.last_runs().age_of(FOLLOW);
    match timeout(READY_WITHIN, state.store().check_writable()).await {
        _ if state.options().leader.is_some() && age <= TOO_OLD => {}
        _ if state.options().leader.is_some() => {
            problems.push(format!("this copy has not followed its leader for {age} s"));
        }
        // It answers visitors, and a proxy may have no other server.
        Ok(Ok(()) | Err(StoreError::Unconfirmed(_))) => {}
        Ok(Err(error)) => problems.push(error.to_string()),
        Err(_) => problems.push("the database is busy".to_owned()),
    }
    if let Ok(free) = free_bytes(state.store().path())
        && free < disk::LITTLE
    {
        problems.push(format!(
            "only {} of the disk are free",
            disk::readable(free)
        ));
    }
    if is_read_only(state.store().path()) {
        problems.push("the disk of the database is mounted read-only".to_owned());
    }
    let (mut response, status) = if problems.is_empty() {
        (HttpResponse::Ok(), "ok")
    } else {
        (HttpResponse::ServiceUnavailable(), "degraded")
    };
    // Visitors can be served without backups. The reason has a path, and anybody may read this.
    if state.last_runs().failure_of(BACKUP).is_some() {
        problems.push("the last backup failed".to_owned());
    }
    response.json(HealthResponse { status, problems })
}

/// `GET /assets/{file}`: scripts and styles with hashed names.
pub(crate) async fn asset(request: HttpRequest) -> Result<HttpResponse, ApiError> {
    file(&request, request.path(), Some(HASHED))
}

/// `GET /sw.js`: the service worker, or one that unregisters itself.
pub(crate) async fn service_worker(
    state: web::Data<AppState>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let name = if state.options().offline {
        "sw.js"
    } else {
        "sw-off.js"
    };
    file(&request, name, None)
}

/// `GET /demo/{file}`: a picture of a demo product.
pub(crate) async fn demo_picture(
    request: HttpRequest,
    name: web::Path<String>,
) -> Result<HttpResponse, ApiError> {
    let picture = demo::picture(&name).ok_or(ApiError::UnknownPath)?;
    Ok(respond(
        &request,
        picture.into(),
        "image/svg+xml",
        None,
        Some("public, max-age=86400"),
    ))
}

/// All other paths: a file, or the app's page if the client accepts HTML.
pub(crate) async fn fallback(
    state: web::Data<AppState>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return Err(ApiError::MethodNotAllowed("GET, HEAD".into()));
    }
    if let Some(redirect) = redirect_without_slash(&request) {
        return Ok(redirect);
    }
    let mut answer = match file(&request, request.path(), None) {
        Err(ApiError::UnknownPath) if accepts_html(&request) => {
            pages::unknown_page(&state, &request).await?
        }
        Err(error @ ApiError::UnknownPath) => error.error_response(),
        answer => return answer,
    };
    let by_accept = HeaderValue::from_static("accept");
    answer.headers_mut().append(header::VARY, by_accept);
    Ok(answer)
}

/// Redirects to the address without the slash at its end. A path that begins with a letter can't
/// lead to another host.
fn redirect_without_slash(request: &HttpRequest) -> Option<HttpResponse> {
    let path = request.path().strip_suffix('/')?;
    if !path.as_bytes().get(1)?.is_ascii_alphanumeric() {
        return None;
    }
    let query = request.uri().query();
    let query = query.map_or_else(String::new, |query| format!("?{query}"));
    let location = (header::LOCATION, format!("{path}{query}"));
    let mut response = HttpResponse::PermanentRedirect();
    Some(response.insert_header(location).finish())
}

/// Returns the built page.
pub(crate) fn index() -> Cow<'static, [u8]> {
    Site::get(INDEX).map_or(Cow::Borrowed(&[]), |file| file.data)
}

/// Returns the default mark as a PNG file, if there is one of this name.
pub(super) fn default_icon(name: &str) -> Option<Cow<'static, [u8]>> {
    Site::get(&format!("icon-{name}.png")).map(|file| file.data)
}

/// Not served as a file: the server fills it in first.
const INDEX: &str = "index.html";

/// Serves an embedded file in the best encoding that the client accepts.
fn file(
    request: &HttpRequest,
    path: &str,
    caching: Option<&'static str>,
) -> Result<HttpResponse, ApiError> {
    let name = path.trim_start_matches('/');
    if name == INDEX || name.ends_with(".br") {
        return Err(ApiError::UnknownPath);
    }
    let kind = mime_guess::from_path(name).first_or_octet_stream();
    let kind = match kind.type_() {
        mime_guess::mime::TEXT => format!("{kind}; charset=utf-8"),
        _ => kind.to_string(),
    };
    let (body, encoding) = match Site::get(&format!("{name}.br")) {
        Some(brotli) if accepts(request, "br") => (brotli.into(), Some("br")),
        // The only encoding that browsers accept over plain http.
        Some(brotli) if accepts(request, "gzip") => {
            let file = cached_file(name, true, || gzip(&decompressed(&brotli)?))?;
            (file, Some("gzip"))
        }
        Some(brotli) => (cached_file(name, false, || decompressed(&brotli))?, None),
        None => (Site::get(name).ok_or(ApiError::UnknownPath)?.into(), None),
    };
    Ok(respond(request, body, &kind, encoding, caching))
}

/// A file's bytes and their SHA-256.
#[derive(Clone)]
struct Body {
    data: web::Bytes,
    hash: [u8; 32],
}

impl From<EmbeddedFile> for Body {
    fn from(file: EmbeddedFile) -> Self {
        Self {
            hash: file.metadata.sha256_hash(),
            data: match file.data {
                Cow::Borrowed(bytes) => web::Bytes::from_static(bytes),
                Cow::Owned(bytes) => bytes.into(),
            },
        }
    }
}

fn gzip(data: &[u8]) -> io::Result<Vec<u8>> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(data)?;
    packed.finish()
}

fn decompressed(brotli: &EmbeddedFile) -> io::Result<Vec<u8>> {
    let mut data = Vec::new();
    Decompressor::new(&*brotli.data, BUFFER).read_to_end(&mut data)?;
    Ok(data)
}

/// Returns a file in another encoding, made on first use; all are at most a megabyte.
fn cached_file(
    name: &str,
    is_gzip: bool,
    make: impl FnOnce() -> io::Result<Vec<u8>>,
) -> Result<Body, ApiError> {
    static CACHE: Mutex<BTreeMap<(String, bool), Body>> = Mutex::new(BTreeMap::new());
    let mut cache = CACHE.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (name.to_owned(), is_gzip);
    if let Some(body) = cache.get(&key) {
        return Ok(body.clone());
    }
    let data = make().map_err(|error| ApiError::Internal(error.to_string()))?;
    let body = Body {
        hash: Sha256::digest(&data).into(),
        data: data.into(),
    };
    cache.insert(key, body.clone());
    Ok(body)
}

fn respond(
    request: &HttpRequest,
    file: Body,
    kind: &str,
    encoding: Option<&'static str>,
    caching: Option<&'static str>,
) -> HttpResponse {
    // Half of the hash is unique enough.
    let (halves, _) = file.hash.as_chunks::<16>();
    let tag = EntityTag::new_strong(format!("{:032x}", u128::from_be_bytes(halves[0])));
    let known = is_known(request, &tag);
    let mut response = if known {
        HttpResponse::NotModified()
    } else {
        HttpResponse::Ok()
    };
    response.insert_header(ETag(tag));
    response.insert_header((header::VARY, "accept-encoding"));
    match caching {
        Some(caching) => response.insert_header((header::CACHE_CONTROL, caching)),
        None => response.insert_header(CacheControl(vec![CacheDirective::NoCache])),
    };
    if known {
        return response.finish();
    }
    if let Some(encoding) = encoding {
        response.insert_header((header::CONTENT_ENCODING, encoding));
    }
    response.insert_header((header::CONTENT_TYPE, kind));
    response.body(file.data)
}

/// Returns true if the client accepts HTML. `*/*` counts unless the path has a file extension,
/// because browsers send it for pictures.
fn accepts_html(request: &HttpRequest) -> bool {
    let accepted = request.headers().get(header::ACCEPT);
    let accepted = accepted.map_or("*/*", |value| value.to_str().unwrap_or_default());
    let last = request.path().rsplit('/').next().unwrap_or_default();
    accepted.contains("text/html") || (accepted.contains("*/*") && !last.contains('.'))
}
