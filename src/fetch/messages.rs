//! Messages to webhooks, channels and push services.

use std::io::Read;

use ureq::Body;
use ureq::http::{Method, Request, Response};
use url::Url;

use super::{FetchError, Fetcher, fetch_error};

/// Maximum number of bytes read of an answer to a message.
const LARGEST_REPLY: u64 = 64 * 1_024;
/// Media type of messages.
const JSON: &str = "application/json";

/// An answer to a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessageAnswer {
    /// HTTP status.
    pub status: u16,
    /// The header `Retry-After`.
    pub retry_after: Option<String>,
}

impl Fetcher {
    /// Posts a message in JSON. Blocks.
    ///
    /// # Errors
    ///
    /// [`FetchError`] if there is no answer; the caller checks the address with [`super::takes_messages`].
    pub fn post(
        &self,
        address: &Url,
        headers: &[(&str, String)],
        body: &str,
    ) -> Result<MessageAnswer, FetchError> {
        self.post_bytes(address, JSON, headers, body.as_bytes())
    }

    /// Posts a message of another media type. Blocks.
    ///
    /// # Errors
    ///
    /// As [`Fetcher::post`].
    pub fn post_bytes(
        &self,
        address: &Url,
        media_type: &'static str,
        headers: &[(&str, String)],
        body: &[u8],
    ) -> Result<MessageAnswer, FetchError> {
        let response = self.message(&Method::POST, address, media_type, headers, body)?;
        Ok(answer_of(&response))
    }

    /// Sends a message in JSON by a method, and returns the answer with its body. Blocks.
    ///
    /// # Errors
    ///
    /// As [`Fetcher::post`].
    pub fn exchange(
        &self,
        method: &Method,
        address: &Url,
        headers: &[(&str, String)],
        body: &str,
    ) -> Result<(MessageAnswer, String), FetchError> {
        let mut response = self.message(method, address, JSON, headers, body.as_bytes())?;
        let mut bytes = Vec::new();
        let reader = response.body_mut().as_reader();
        reader
            .take(LARGEST_REPLY)
            .read_to_end(&mut bytes)
            .map_err(|error| {
                fetch_error(
                    address.host_str().unwrap_or_default(),
                    ureq::Error::from(error),
                )
            })?;
        let body = String::from_utf8_lossy(&bytes).into_owned();
        Ok((answer_of(&response), body))
    }

    fn message(
        &self,
        method: &Method,
        address: &Url,
        media_type: &'static str,
        headers: &[(&str, String)],
        body: &[u8],
    ) -> Result<Response<Body>, FetchError> {
        let host = address.host_str().ok_or(FetchError::Address)?;
        let mut request = Request::builder()
            .method(method)
            .uri(address.as_str())
            .header("content-type", media_type);
        for (name, value) in headers {
            request = request.header(*name, value);
        }
        let request = request.body(body).map_err(|_| FetchError::Address)?;
        self.0
            .run(request)
            .map_err(|error| fetch_error(host, error))
    }
}

fn answer_of(response: &Response<Body>) -> MessageAnswer {
    let retry_after = response.headers().get("retry-after");
    MessageAnswer {
        status: response.status().as_u16(),
        retry_after: retry_after.and_then(|value| value.to_str().ok().map(str::to_owned)),
    }
}
