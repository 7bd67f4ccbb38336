//! Request ids, the request log, and panics.

use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::task::Poll;
use std::time::{Duration, Instant};

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::error::InternalError;
use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage, web};
use jiff::Timestamp;
use tracing::Span;
use tracing::field::Empty;
use tracing_actix_web::{RequestId, RootSpanBuilder};
use uuid::Uuid;

use super::security::security_headers;
use crate::http::error::ApiError;
use crate::http::serving::caching;
use crate::http::serving::rate_limit::Client;
use crate::http::state::AppState;
use crate::maintenance::check::UNTRUSTED_PROXY;

/// Adds the request's id to every log line. Logs the route's pattern, never the path or query: they
/// contain session tokens (`/user/me/{token}`) and searches.
pub(crate) struct RequestSpan;

impl RootSpanBuilder for RequestSpan {
    fn on_request_start(request: &ServiceRequest) -> Span {
        let id = request.extensions().get::<RequestId>().copied();
        tracing::error_span!(
            "request",
            method = %request.method(),
            route = request.match_pattern().unwrap_or_default(),
            status = Empty,
            id = id.map(tracing::field::display),
        )
    }

    fn on_request_end<B: MessageBody>(span: Span, outcome: &Result<ServiceResponse<B>, Error>) {
        let status = match outcome {
            Ok(response) => response.status(),
            Err(error) => error.as_response_error().status_code(),
        };
        span.record("status", status.as_u16());
    }
}

pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Sends the request's id to the client, so that a report can be matched to the log, and measures
/// the response time.
pub(crate) async fn request_id(
    request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    let id = request.extensions().get::<RequestId>().copied();
    let state = request.app_data::<web::Data<AppState>>().cloned();
    let start = Instant::now();
    let found = state
        .as_ref()
        .map(|state| Client::found(request.request(), &state.options().trusted_proxies));
    let client = found.map(|(client, _)| client);
    let metrics = state.as_ref().and_then(|state| state.metrics());
    if let Some(state) = &state {
        warn_of_proxy(state, &request, found.is_some_and(|(_, is_known)| is_known));
    }
    let method = request.method().clone();
    let mut response = match next.call(request).await {
        Ok(response) => response,
        Err(error) => {
            if let Some(metrics) = metrics {
                let status = error.as_response_error().status_code();
                metrics.answered(&method, None, status, start.elapsed());
            }
            return Err(with_usual_headers(error, id, state.as_ref()));
        }
    };
    let took = start.elapsed();
    let route = || response.request().match_pattern();
    if took > SLOW {
        let log = state.as_ref().zip(client);
        let not_logged = log.map_or(Some(0), |(state, client)| {
            state.slow_log().allow(client.address())
        });
        if let Some(not_logged) = not_logged {
            let ms = milliseconds(took);
            tracing::warn!(ms, route = route(), not_logged, "slow response");
        }
    } else {
        tracing::debug!(
            ms = milliseconds(took),
            status = response.status().as_u16(),
            "answered"
        );
    }
    if let Some(metrics) = metrics {
        metrics.answered(&method, route().as_deref(), response.status(), took);
    }
    let status = response.status();
    let headers = response.headers_mut();
    if let Some(value) = id.and_then(|id| id_value(&id)) {
        headers.insert(REQUEST_ID, value);
    }
    caching::finish(status, headers);
    Ok(response)
}

/// Headers in which proxies and CDNs name the visitor's address.
const VISITOR: [&str; 10] = [
    FORWARDED_FOR,
    "x-real-ip",
    "forwarded",
    "cf-connecting-ip",
    "true-client-ip",
    "x-client-ip",
    "x-cluster-client-ip",
    "fastly-client-ip",
    "fly-client-ip",
    "x-original-forwarded-for",
];
const FORWARDED_FOR: &str = "x-forwarded-for";

/// Logs once that a proxy hides its visitors' addresses: one on this machine that is not trusted,
/// whose time is stored for `deals check`, or a trusted one that names them in another way.
fn warn_of_proxy(state: &AppState, request: &ServiceRequest, is_known: bool) {
    let Some(peer) = request.peer_addr().map(|peer| peer.ip().to_canonical()) else {
        return;
    };
    let mut trusted = state.options().trusted_proxies.iter();
    let is_trusted = trusted.any(|net| net.contains(&peer));
    if (is_trusted && is_known) || (!is_trusted && !peer.is_loopback()) {
        return;
    }
    let mut seen = VISITOR
        .iter()
        .filter(|name| request.headers().contains_key(**name));
    let Some(header) = seen.next() else {
        return;
    };
    state.proxy_warning().call_once(|| {
        if is_trusted {
            let other = seen.next().unwrap_or(header);
            tracing::warn!(
                "the proxy {peer} sends the visitor's address in {other} and no usable \
                 X-Forwarded-For, so all visitors count as one: configure it to send the address \
                 in X-Forwarded-For"
            );
            return;
        }
        tracing::warn!(
            "a proxy on this machine is not trusted, so all visitors count as one: start the \
             server with --trusted-proxy {peer}"
        );
        // Without waiting: a database that is busy or full reports it elsewhere.
        drop(state.store().note_trial(UNTRUSTED_PROXY, Timestamp::now()));
    });
}

/// Formats the value of [`REQUEST_ID`].
pub(crate) fn id_value(id: &Uuid) -> Option<HeaderValue> {
    let mut text = Uuid::encode_buffer();
    HeaderValue::from_str(id.as_hyphenated().encode_lower(&mut text)).ok()
}

/// Adds the usual headers to an error that no handler made.
fn with_usual_headers(
    error: Error,
    id: Option<RequestId>,
    state: Option<&web::Data<AppState>>,
) -> Error {
    let mut response = error.error_response();
    let id = id.map(|id| ("x-request-id", id.to_string()));
    let headers = state.map(|state| security_headers(state));
    let headers = headers.unwrap_or_default();
    for (name, value) in headers.into_iter().chain(id) {
        if let Ok(value) = HeaderValue::from_str(&value) {
            let name = HeaderName::from_static(name);
            response.headers_mut().insert(name, value);
        }
    }
    caching::finish(response.status(), response.headers_mut());
    InternalError::from_response(error, response).into()
}

/// Response time that is logged as slow.
const SLOW: Duration = Duration::from_secs(1);

/// Milliseconds with one decimal.
pub(crate) fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 10_000.0).round() / 10.0
}

/// Turns a handler's panic into a 500. The panic hook has logged it.
pub(crate) async fn contain_panics(
    request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    let mut answer = Box::pin(next.call(request));
    let answered = poll_fn(|context| {
        catch_unwind(AssertUnwindSafe(|| answer.as_mut().poll(context)))
            .unwrap_or_else(|_| Poll::Ready(Err(ApiError::Panicked.into())))
    });
    answered.await
}

#[cfg(test)]
mod tests {
    use actix_web::middleware::from_fn;
    use actix_web::{App, HttpResponse, test};
    use tracing_actix_web::TracingLogger;

    use super::*;

    async fn panics() -> HttpResponse {
        panic!("expected by the test")
    }

    #[actix_web::test]
    async fn a_panic_in_a_handler_ends_only_its_request() {
        let app = App::new()
            .route("/panics", web::get().to(panics))
            .route("/works", web::get().to(HttpResponse::Ok))
            .wrap(from_fn(contain_panics))
            .wrap(from_fn(request_id))
            .wrap(TracingLogger::<RequestSpan>::new());
        let app = test::init_service(app).await;
        let request = |path| test::TestRequest::get().uri(path).to_request();
        for _ in 0..3 {
            let error = test::try_call_service(&app, request("/panics")).await;
            let response = error.err().unwrap().error_response();
            assert_eq!(response.status(), 500);
            assert!(response.headers().contains_key("x-request-id"));
            let works = test::call_service(&app, request("/works")).await;
            assert_eq!(works.status(), 200);
        }
    }
}
