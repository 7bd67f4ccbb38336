//! Kept responses that are sent again before the app's own layers see the request: one layer does
//! for them what those do, with a head that was made once. It is worth a sixth of the answers per
//! second of what is asked for again (`benches/listing.rs`).
//!
//! A response is taken up here as it leaves the app, so its head is the app's, and used for requests
//! that have the same address and accept the same; any other goes through the app.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

use actix_http::{HttpMessage as _, Request, Response};
use actix_service::{Service as _, ServiceFactory, apply_fn_factory};
use actix_web::HttpResponse;
use actix_web::body::{EitherBody, MessageBody};
use actix_web::dev::ServiceResponse;
use actix_web::http::header::{
    ACCEPT, ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, ETAG, HeaderName,
    IF_NONE_MATCH, ORIGIN, TRANSFER_ENCODING,
};
use actix_web::http::{Method, StatusCode};
use actix_web::web::Bytes;
use uuid::{Builder, Uuid};

use super::caching::is_anonymous;
use super::connections::limits::Requests;
use super::middleware::request_log::{REQUEST_ID, id_value, milliseconds};
use super::middleware::security::Counted;
use super::response_cache::{CachedResponse, WholeResponse};
use crate::http::state::AppState;

/// The body of an answer: a kept one, or one of the app.
type Body<B> = EitherBody<Counted<Bytes>, B>;

/// What a worker's fast path needs.
struct FastPath {
    state: AppState,
    /// Ids are a random number and a count.
    ids: u64,
    next: Cell<u64>,
}

/// The app behind a fast path of its worker; without a state there is none.
pub(crate) fn before<F, B>(
    app: F,
    state: Option<AppState>,
) -> impl ServiceFactory<
    Request,
    Config = (),
    Response = Response<Body<B>>,
    Error = HttpResponse,
    InitError = (),
    Service = impl actix_service::Service<Request, Response = Response<Body<B>>, Error = HttpResponse>,
>
where
    F: ServiceFactory<
            Request,
            Config = (),
            Response = ServiceResponse<B>,
            Error = HttpResponse,
            InitError = (),
        >,
    B: MessageBody,
{
    let path = state.map(|state| Rc::new(FastPath::new(state)));
    apply_fn_factory(app, move |request: Request, app: &F::Service| {
        let kept = path.as_ref().and_then(|path| path.answer(&request));
        let kept = kept.ok_or_else(|| app.call(request));
        let path = path.clone();
        async move {
            let call = match kept {
                Ok(kept) => return Ok(kept.map_body(|_, body| EitherBody::left(body))),
                Err(call) => call,
            };
            let answer = call.await?;
            if let Some(path) = path {
                path.take_up(&answer);
            }
            Ok(Response::from(answer).map_body(|_, body| EitherBody::right(body)))
        }
    })
}

impl FastPath {
    fn new(state: AppState) -> Self {
        Self {
            state,
            ids: getrandom::u64().unwrap_or_default(),
            next: Cell::new(0),
        }
    }

    /// The kept answer to a request, if there is one that is as the app would make it now.
    fn answer(&self, request: &Request) -> Option<Response<Counted<Bytes>>> {
        let headers = request.headers();
        let has_body = headers.contains_key(TRANSFER_ENCODING)
            || headers
                .get(CONTENT_LENGTH)
                .is_some_and(|length| length != "0");
        // Other sites' pages are answered for them (CORS).
        if *request.method() != Method::GET || has_body || headers.contains_key(ORIGIN) {
            return None;
        }
        let start = Instant::now();
        let address = request.uri().path_and_query()?.as_str();
        let state = &self.state;
        let seconds = state.storefronts().newest().period();
        let cache = state.response_cache();
        let kept = cache.whole(state.store(), address, headers, seconds)?;
        let is_known = match headers.get(IF_NONE_MATCH) {
            None => false,
            Some(known) if kept.headers.get(ETAG) == Some(known) => true,
            // Several, or another spelling.
            Some(_) => return None,
        };
        let running = match request.conn_data::<Requests>() {
            Some(requests) => Some(requests.begin()?),
            None => None,
        };
        let (status, body) = if is_known {
            (StatusCode::NOT_MODIFIED, Bytes::new())
        } else {
            (StatusCode::OK, kept.body.clone())
        };
        let mut response = Response::with_body(status, Counted::new(body, running));
        let head = response.headers_mut();
        *head = kept.headers.clone();
        if is_known {
            head.remove(CONTENT_TYPE);
            head.remove(CONTENT_ENCODING);
        }
        let id = self.next_id();
        if tracing::enabled!(tracing::Level::DEBUG) {
            let (route, status) = (kept.route.as_deref(), status.as_u16());
            let _span =
                tracing::error_span!("request", method = "GET", route, status, %id).entered();
            tracing::debug!(
                ms = milliseconds(start.elapsed()),
                status,
                kept = true,
                "answered"
            );
        }
        if let Some(id) = id_value(&id) {
            head.insert(REQUEST_ID, id);
        }
        if let Some(metrics) = state.metrics() {
            metrics.answered(&Method::GET, kept.route.as_deref(), status, start.elapsed());
        }
        Some(response)
    }

    fn next_id(&self) -> Uuid {
        let count = self.next.get();
        self.next.set(count.wrapping_add(1));
        let bytes = (u128::from(self.ids) << 64 | u128::from(count)).to_be_bytes();
        Builder::from_custom_bytes(bytes).into_uuid()
    }

    /// Keeps the head of a response that is kept.
    fn take_up<B>(&self, answer: &ServiceResponse<B>) {
        let request = answer.request();
        if answer.status() != StatusCode::OK || *request.method() != Method::GET {
            return;
        }
        let extensions = answer.response().extensions();
        let Some(kept) = extensions.get::<Arc<CachedResponse>>() else {
            return;
        };
        let Some(address) = request.uri().path_and_query() else {
            return;
        };
        let mut headers = answer.headers().clone();
        headers.remove(REQUEST_ID);
        let accepted = |name: HeaderName| request.headers().get(name).cloned();
        let whole = WholeResponse {
            accept: accepted(ACCEPT),
            accept_encoding: accepted(ACCEPT_ENCODING),
            is_for_anybody: is_anonymous(request.headers()),
            headers,
            body: kept.body.clone(),
            route: request.match_pattern(),
        };
        let cache = self.state.response_cache();
        cache.keep_whole(address.as_str(), kept, whole);
    }
}
