//! Sentences about what a provider answers.

use std::error::Error;

use super::address::Address;
use crate::domain::disarmed;

/// Longest part of a provider's answer that is repeated.
const MOST: usize = 200;

/// Sentence about a host that may not be dialled.
pub(super) const NOT_PUBLIC: &str = "its host is not at a public address. Choose another endpoint, or have the \
    server's operator allow the network with DEALS_FETCH_NETWORK.";

/// Fault codes of providers, and their sentences.
#[rustfmt::skip]
const KNOWN: [(&[&str], &str); 12] = [
    (&["InvalidAccessKeyId"],
     "the provider does not know this key. Correct AWS_ACCESS_KEY_ID."),
    (&["SignatureDoesNotMatch"],
     "the secret is not the one of this key. Correct AWS_SECRET_ACCESS_KEY."),
    (&["RequestTimeTooSkewed", "RequestExpired"],
     "the clock of this machine is wrong{time}. Set it, like with `timedatectl set-ntp true`."),
    (&["ExpiredToken", "InvalidToken", "TokenRefreshRequired"],
     "the session token has expired. Correct AWS_SESSION_TOKEN."),
    (&["AuthorizationHeaderMalformed", "PermanentRedirect", "IllegalLocationConstraint",
       "incorrectly configured region", "301 Moved", "307 Temporary"],
     "the bucket is in another region. Set AWS_REGION{region}."),
    (&["NoSuchBucket", "bucket does not exist"],
     "there is no such bucket. Create it, or correct its name or AWS_ENDPOINT_URL."),
    (&["AccessDenied", "403 Forbidden"],
     "the key may not {doing} it. Let it list the bucket, and get, put and delete objects."),
    (&["401 Unauthorized"],
     "the provider does not accept the key. Correct AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY."),
    (&["SlowDown", "503 Service", "429 Too Many"],
     "the provider is busy: try again later."),
    (&["not a public address"], NOT_PUBLIC),
    (&["dns error", "failed to lookup"],
     "its host is not known. Look at the network and at AWS_ENDPOINT_URL."),
    (&["invalid peer certificate", "UnknownIssuer"],
     "its certificate is not valid for its name, or is of an unknown authority, which \
      AWS_CA_BUNDLE=FILE names."),
];

/// Reason for a failed request, as a sentence that says what to do.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{sentence}")]
pub struct BucketError {
    sentence: String,
    is_missing: bool,
}

impl BucketError {
    pub(super) fn new(sentence: String) -> Self {
        Self {
            sentence,
            is_missing: false,
        }
    }

    /// Changes the sentence.
    pub(super) fn map(self, change: impl FnOnce(String) -> String) -> Self {
        Self {
            sentence: change(self.sentence),
            ..self
        }
    }

    /// True if there is no such object; not for a missing bucket.
    pub fn is_missing(&self) -> bool {
        self.is_missing
    }

    /// Describes an answer of the store; `doing` completes "cannot …".
    pub(super) fn describe(address: &Address, doing: &str, error: &object_store::Error) -> Self {
        let text = chain(error);
        let known = KNOWN
            .iter()
            .find(|(codes, _)| codes.iter().any(|code| text.contains(code)));
        let is_missing = matches!(error, object_store::Error::NotFound { .. }) && known.is_none();
        let reason = match known {
            Some((_, sentence)) => filled(sentence, doing, &text),
            None => unknown(error, &text),
        };
        Self {
            // The provider's words go to a terminal, the log and a mail.
            sentence: disarmed(&format!("cannot {doing} {address}: {reason}")).into_owned(),
            is_missing,
        }
    }

    pub(super) fn silent(address: &Address, doing: &str, seconds: u64) -> Self {
        Self::new(format!(
            "cannot {doing} {address}: no answer within {seconds} seconds. Look at the network and at AWS_ENDPOINT_URL."
        ))
    }
}

/// Joins an error with its causes.
fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}

/// Returns the content of an XML element.
fn element<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(&format!("<{name}>"))?;
    Some(rest.split_once('<')?.0.trim()).filter(|text| !text.is_empty() && text.len() < MOST)
}

/// Adds the operation and the provider's message.
fn filled(sentence: &str, doing: &str, text: &str) -> String {
    let region = match element(text, "Region") {
        Some(name) => format!("={name}"),
        None => " to it".to_owned(),
    };
    let time = element(text, "ServerTime").map(|time| format!(" (there it is {time})"));
    sentence
        .replace("{region}", &region)
        .replace("{doing}", doing)
        .replace("{time}", &time.unwrap_or_default())
}

/// Describes an answer by its innermost cause, without the address of the request: that may have
/// a signature.
fn unknown(error: &object_store::Error, text: &str) -> String {
    if matches!(error, object_store::Error::NotFound { .. }) {
        return "it is not there any more. A lifecycle rule or another program deleted it."
            .to_owned();
    }
    let mut innermost: &dyn Error = error;
    while let Some(cause) = innermost.source() {
        innermost = cause;
    }
    let said = match (element(text, "Code"), element(text, "Message")) {
        (Some(code), Some(message)) => format!("{code}: {message}"),
        _ => innermost.to_string(),
    };
    let words: Vec<&str> = said.split_whitespace().collect();
    let said: String = words.join(" ").chars().take(MOST).collect();
    let said = said.trim_end_matches(['.', ':', ' ']);
    format!("{said}. Try again later.")
}
