//! `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header): a request that is repeated after a
//! time-out gets the first answer, and makes nothing twice.

use std::future::{Ready, ready};
use std::sync::{Arc, OnceLock};

use actix_web::dev::Payload;
use actix_web::http::StatusCode;
use actix_web::http::header::CONTENT_TYPE;
use actix_web::{FromRequest, HttpRequest, HttpResponse};
use jiff::Timestamp;
use sha2::{Digest, Sha256};
use utoipa::IntoParams;

use super::describe::{Call, Described};
use super::error::ApiError;
use super::state::AppState;
use crate::store::{Answer, Keep, MakeAnswer, RepeatableRequest, Store, StoreError};

/// Name of the request header.
pub(crate) const IDEMPOTENCY_KEY: &str = "idempotency-key";
/// Name of the response header that marks a repeated answer.
pub(crate) const IDEMPOTENCY_REPLAYED: &str = "idempotency-replayed";
const MAX_LENGTH: usize = 255;

/// The `Idempotency-Key` of a request, if it has one.
pub(crate) struct IdempotencyKey(Option<Asked>);

struct Asked {
    key: String,
    /// Hash of method, path and query.
    hash: Sha256,
}

#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "only the attributes are read")]
struct KeyHeader {
    /// Of one request, which may be repeated for 24 hours: the repetition gets the first answer again,
    /// with the header Idempotency-Replayed, and makes nothing twice
    #[param(
        rename = "Idempotency-Key",
        min_length = 1,
        max_length = 255,
        pattern = "^[!-~]+$"
    )]
    idempotency_key: Option<String>,
}

impl Described for IdempotencyKey {
    fn describe(call: &mut Call) {
        call.parameters::<KeyHeader>();
        call.refusal(422, "The Idempotency-Key belongs to another request.");
    }
}

impl FromRequest for IdempotencyKey {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(key_of(request).map(|key| {
            Self(key.map(|key| Asked {
                key,
                hash: hash(request),
            }))
        }))
    }
}

fn key_of(request: &HttpRequest) -> Result<Option<String>, ApiError> {
    let mut lines = request.headers().get_all(IDEMPOTENCY_KEY);
    let Some(line) = lines.next() else {
        return Ok(None);
    };
    let key = line.to_str().ok().filter(|key| {
        (1..=MAX_LENGTH).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic())
    });
    match (key, lines.next()) {
        (Some(key), None) => Ok(Some(key.to_owned())),
        _ => Err(ApiError::Malformed(
            "Send one Idempotency-Key of 1 to 255 visible ASCII characters, such as a UUID."
                .to_owned(),
        )),
    }
}

/// Hashes method, path and query, which contain no null byte.
fn hash(request: &HttpRequest) -> Sha256 {
    let parts = [
        request.method().as_str(),
        request.path(),
        request.query_string(),
    ];
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part);
        hash.update([0]);
    }
    hash
}

impl IdempotencyKey {
    /// True if the request has a key, so that the hash of its body is needed.
    pub(crate) fn is_sent(&self) -> bool {
        self.0.is_some()
    }

    /// Completes the key by the account and the SHA-256 of the body.
    pub(crate) fn complete(self, user: &str, body: &[u8; 32]) -> Option<RepeatableRequest> {
        self.0.map(|Asked { key, hash }| RepeatableRequest {
            user: user.to_owned(),
            key,
            fingerprint: hash.chain_update(body).finalize().into(),
        })
    }
}

/// Answers with the first answer if the request is a repetition, otherwise with `body` of what `make`
/// makes. `make` passes the [`Keep`] to the store, which keeps the answer in the same transaction.
pub(crate) async fn once<T: 'static>(
    state: &AppState,
    request: Option<RepeatableRequest>,
    status: StatusCode,
    body: impl Fn(&T) -> serde_json::Result<Vec<u8>> + Clone + Send + 'static,
    make: impl AsyncFnOnce(Option<Keep<'static, T>>) -> Result<T, ApiError>,
) -> Result<HttpResponse, ApiError> {
    let Some(request) = request else {
        let made = make(None).await?;
        let body = body(&made).map_err(ApiError::serialization)?;
        return Ok(respond(status, body, false));
    };
    let kept = Arc::new(OnceLock::new());
    let keep = Keep {
        request: request.clone(),
        answer: answer(status, body.clone(), Arc::clone(&kept)),
    };
    let done = async {
        // A change that was made already might be refused before the store sees the key.
        let known = move |store: &Store| store.refuse_repeated(&request, Timestamp::now());
        state.query(known).await?;
        make(Some(keep)).await
    };
    match done.await {
        Err(ApiError::Repeated(Answer { status, body })) => {
            let status = StatusCode::from_u16(status).unwrap_or_default();
            Ok(respond(status, body, true))
        }
        Err(error) => Err(error),
        Ok(made) => {
            let body = match kept.get() {
                Some(body) => Vec::clone(body),
                None => body(&made).map_err(ApiError::serialization)?,
            };
            Ok(respond(status, body, false))
        }
    }
}

/// Returns the function that builds the answer to keep, and puts its body into `kept`.
fn answer<T: 'static>(
    status: StatusCode,
    body: impl Fn(&T) -> serde_json::Result<Vec<u8>> + Send + 'static,
    kept: Arc<OnceLock<Vec<u8>>>,
) -> MakeAnswer<'static, T> {
    Box::new(move |made| {
        let body = body(made).map_err(|error| StoreError::Other(error.to_string()))?;
        let body = kept.get_or_init(|| body).clone();
        let status = status.as_u16();
        Ok(Answer { status, body })
    })
}

fn respond(status: StatusCode, body: Vec<u8>, is_repeated: bool) -> HttpResponse {
    let mut response = HttpResponse::build(status);
    response.insert_header((CONTENT_TYPE, "application/json"));
    if is_repeated {
        response.insert_header((IDEMPOTENCY_REPLAYED, "true"));
    }
    response.body(body)
}
