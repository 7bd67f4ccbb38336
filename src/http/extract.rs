//! Turning requests into what handlers take.

use std::future::{Future, Ready, ready};
use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::error::{JsonPayloadError, QueryPayloadError};
use actix_web::web::{self, JsonConfig, PathConfig, QueryConfig};
use actix_web::{FromRequest, HttpRequest};
use serde::de::DeserializeOwned;

use super::deadline::is_too_late;
use super::error::ApiError;
use super::limits::Client;
use super::state::AppState;

/// A path that can't be decoded names nothing that exists.
pub(super) fn path_config() -> PathConfig {
    PathConfig::default()
        .error_handler(|_, _| ApiError::NotFound("There is nothing at this address.").into())
}

/// A query that can't be read is told in the words of every other error.
pub(super) fn query_config() -> QueryConfig {
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
        ready(Ok(Self::of(
            request,
            state.map_or(&[], |state| state.trusted_proxies()),
        )))
    }
}

/// A JSON body, within the limit of its scope, sent as JSON.
pub(super) struct Json<T>(pub(super) T);

impl<T: DeserializeOwned + 'static> FromRequest for Json<T> {
    type Error = ApiError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, ApiError>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let body = web::Json::<T>::from_request(request, payload);
        Box::pin(async move {
            match body.await {
                Ok(web::Json(body)) => Ok(Self(body)),
                Err(error) => Err(refusal(&error)),
            }
        })
    }
}

fn refusal(error: &actix_web::Error) -> ApiError {
    match error.as_error::<JsonPayloadError>() {
        Some(JsonPayloadError::Overflow { .. } | JsonPayloadError::OverflowKnownLength { .. }) => {
            ApiError::TooLarge
        }
        Some(JsonPayloadError::ContentType) => ApiError::NotJson,
        Some(JsonPayloadError::Deserialize(error)) => {
            ApiError::Malformed(format!("This is not the JSON that is expected: {error}."))
        }
        Some(JsonPayloadError::Payload(error)) if is_too_late(error) => ApiError::TooSlow,
        _ => ApiError::Malformed("The request could not be read.".to_owned()),
    }
}

/// How large a JSON body may be, in bytes. A body without a content type is
/// refused like one of another type, because forms of other sites can send both.
pub(super) fn json_config(most: usize) -> JsonConfig {
    JsonConfig::default().limit(most)
}
