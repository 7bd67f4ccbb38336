//! Extractors and their limits.

use std::cell::Cell;
use std::future::{Future, Ready, poll_fn, ready};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use actix_web::dev::{Decompress, Payload};
use actix_web::error::{PayloadError, QueryPayloadError};
use actix_web::http::header::{CONTENT_ENCODING, ContentLength, Header};
use actix_web::web::{self, Bytes, PathConfig, QueryConfig};
use actix_web::{FromRequest, HttpMessage, HttpRequest};
use futures_core::Stream;
use mime_guess::mime;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use tokio::sync::Notify;
use utoipa::ToSchema;

use super::describe::{Call, Described, JSON};
use super::error::ApiError;
use super::serving::connections::body_timeout::is_too_late;
use super::serving::rate_limit::Client;
use super::state::AppState;

/// Answers 404 for a path that cannot be decoded.
pub(crate) fn path_config() -> PathConfig {
    PathConfig::default().error_handler(|_, _| ApiError::UnknownPath.into())
}

/// Answers 400 as JSON for a query that cannot be parsed.
pub(crate) fn query_config() -> QueryConfig {
    QueryConfig::default().error_handler(|error, _| {
        let reason = match error {
            QueryPayloadError::Deserialize(error) => error.to_string(),
            _ => "unknown".to_owned(),
        };
        ApiError::Malformed(format!(
            "The query of this address can't be read: {reason}."
        ))
        .into()
    })
}

impl FromRequest for Client {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let state = request.app_data::<web::Data<AppState>>();
        let proxies = state.map_or(&[][..], |state| &state.options().trusted_proxies[..]);
        ready(Ok(Self::from_request(request, proxies)))
    }
}

/// Maximum size of an account form in bytes.
pub(crate) const ACCOUNT_BODY: usize = 16 * 1_024;

/// Maximum size of a JSON body in bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BodyLimit(pub(crate) usize);

/// A JSON body within the [`BodyLimit`] of its scope. A body without a JSON content type is
/// refused, because other sites' forms can send one.
pub(crate) struct Json<T>(pub(crate) T);

impl<T: ToSchema> Described for Json<T> {
    fn describe(call: &mut Call) {
        call.body::<T>(JSON);
    }
}

impl<T: ToSchema> Described for HashedJson<T> {
    fn describe(call: &mut Call) {
        call.body::<T>(JSON);
    }
}

impl Described for Client {}

impl<T: DeserializeOwned + 'static> FromRequest for Json<T> {
    type Error = ApiError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, ApiError>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let body = receive(request, payload.take());
        Box::pin(async move { parse(&body.await?).map(Self) })
    }
}

/// Like [`Json`], with the SHA-256 of the body, for a call with an `Idempotency-Key`.
pub(crate) struct HashedJson<T>(pub(crate) T, pub(crate) [u8; 32]);

impl<T: DeserializeOwned + 'static> FromRequest for HashedJson<T> {
    type Error = ApiError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, ApiError>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let body = receive(request, payload.take());
        Box::pin(async move {
            let body = body.await?;
            Ok(Self(parse(&body)?, Sha256::digest(&body).into()))
        })
    }
}

/// Parses a body; an error names the field.
fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, ApiError> {
    let malformed = |error: &serde_json::Error| {
        ApiError::Malformed(format!("The JSON is not as expected: {error}."))
    };
    let mut json = serde_json::Deserializer::from_slice(body);
    let value = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let field = error.path().to_string();
        let cause = error.inner();
        if cause.is_data() && field != "." {
            ApiError::invalid(&field, format!("{field} is not as expected: {cause}."))
        } else {
            malformed(cause)
        }
    })?;
    json.end().map_err(|error| malformed(&error))?;
    Ok(value)
}

/// Checks of the account that a request's body waits for: nothing of a stranger's is read.
#[derive(Default)]
struct Checks {
    open: Cell<usize>,
    done: Notify,
}

/// Runs a check that comes before the body, in whichever order a handler takes them.
pub(crate) fn before_body<T, F: Future<Output = Result<T, ApiError>>>(
    request: &HttpRequest,
    check: F,
) -> impl Future<Output = Result<T, ApiError>> + use<T, F> {
    let checks = checks(request);
    checks.open.set(checks.open.get() + 1);
    async move {
        let outcome = check.await;
        checks.open.set(checks.open.get() - 1);
        checks.done.notify_one();
        outcome
    }
}

fn checks(request: &HttpRequest) -> Rc<Checks> {
    let mut extensions = request.extensions_mut();
    if let Some(checks) = extensions.get::<Rc<Checks>>() {
        return Rc::clone(checks);
    }
    let checks = Rc::<Checks>::default();
    extensions.insert(Rc::clone(&checks));
    checks
}

/// Waits for the checks of a request, which have all begun.
async fn checked(checks: &Checks) {
    while checks.open.get() > 0 {
        checks.done.notified().await;
    }
}

/// Receives a JSON body and unpacks it.
fn receive(
    request: &HttpRequest,
    payload: Payload,
) -> impl Future<Output = Result<Vec<u8>, ApiError>> + use<> {
    let request = request.clone();
    let is_json = match request.mime_type() {
        Ok(Some(kind)) => kind.subtype() == mime::JSON || kind.suffix() == Some(mime::JSON),
        _ => false,
    };
    let BodyLimit(limit) = request.app_data().copied().unwrap_or(BodyLimit(0));
    let announced = ContentLength::parse(&request).map(|length| *length);
    let is_too_large = announced.is_ok_and(|length| length > limit);
    let checks = checks(&request);
    async move {
        checked(&checks).await;
        if !is_json {
            return Err(ApiError::NotJson);
        }
        if is_too_large {
            return Err(ApiError::TooLarge);
        }
        let body = read_to_end(payload, limit).await?;
        if !request.headers().contains_key(CONTENT_ENCODING) {
            return Ok(body);
        }
        // The decoder allocates 32 kB, so it starts only when the whole body has arrived.
        let received = ReceivedBody(Some(body.into()));
        read_to_end(Decompress::from_headers(received, request.headers()), limit).await
    }
}

/// A body that has arrived.
struct ReceivedBody(Option<Bytes>);

impl Stream for ReceivedBody {
    type Item = Result<Bytes, PayloadError>;

    fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Poll::Ready(self.get_mut().0.take().map(Ok))
    }
}

/// Reads at most `limit` bytes. Allocates only for received data: actix's own extractor reserves 8
/// kB for each client, even one that sends nothing.
pub(crate) async fn read_to_end(
    mut payload: impl Stream<Item = Result<Bytes, PayloadError>> + Unpin,
    limit: usize,
) -> Result<Vec<u8>, ApiError> {
    let mut body = Vec::new();
    while let Some(chunk) = poll_fn(|context| Pin::new(&mut payload).poll_next(context)).await {
        let chunk = chunk.map_err(|error| match is_too_late(&error) {
            true => ApiError::TooSlow,
            false => ApiError::Malformed("The request could not be read.".to_owned()),
        })?;
        if body.len() + chunk.len() > limit {
            return Err(ApiError::TooLarge);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}
