//! API errors: a status, a code for programs and one sentence, never the cause.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::http::header::{ALLOW, RETRY_AFTER, WWW_AUTHENTICATE};
use actix_web::{HttpResponse, ResponseError};
use serde::Serialize;
use utoipa::ToSchema;

use super::factor_error;
use crate::accounts::{AccountError, FactorError};
use crate::domain::FieldError;
use crate::store::Answer;

/// Every error of the API (decisions, section 5).
#[derive(Debug)]
pub(crate) enum ApiError {
    /// 400: invalid fields, with one message per field.
    Invalid(Vec<FieldError>),
    /// 400: a file that can't be imported.
    InvalidFile(String),
    /// 400: the code of a mail is wrong, expired or used.
    WrongCode,
    /// 401: no session was sent.
    NotSignedIn,
    /// 401: the session sent is unknown or has ended.
    SessionEnded,
    /// 401: the API key is mistyped, revoked or expired.
    InvalidKey,
    /// 401: wrong address or password.
    WrongCredentials,
    /// Refused by the second factor.
    Factor(FactorError),
    /// 401: the same, of a sign-in.
    FactorAtSignIn(FactorError),
    /// 403: not allowed for this account, with the reason.
    Forbidden(&'static str),
    /// 403: a write from another site's page.
    CrossSite,
    /// 403: refused over plain http, with the remedy.
    PlainHttp(&'static str),
    /// 403: the form with this handle still waits for its code.
    Unverified(String),
    /// 404: no such thing.
    NotFound(&'static str),
    /// 404: no such path.
    UnknownPath,
    /// 405, with the allowed methods.
    MethodNotAllowed(Cow<'static, str>),
    /// 400: the body is not JSON of the expected shape.
    Malformed(String),
    /// 409: not possible as things are.
    Conflict(String),
    /// 409: the seller's deal with this link, by its id, is there already.
    Exists(String),
    /// 422: the idempotency key belongs to another request.
    KeyReused,
    /// The first answer to a repeated request; `idempotency::once` sends it.
    Repeated(Answer),
    /// 409: changed since the client read it.
    Changed(String),
    /// 408: the body took too long to arrive.
    TooSlow,
    /// 413.
    TooLarge,
    /// 414.
    LongAddress,
    /// 415.
    NotJson,
    /// 429: too many requests; retry after this time.
    TooMany(Duration),
    /// 503: retry shortly.
    Busy,
    /// 507: the disk is full; reads go on.
    Full,
    /// 503: the database is read-only; reads go on.
    ReadOnly,
    /// 503: a copy that follows another shop, as the sentence says.
    Follows(String),
    /// 500: the cause is logged and never sent.
    Internal(String),
    /// 500 after a panic, which is logged when it happens.
    Panicked,
}

/// Error of a call.
#[derive(Serialize, ToSchema)]
#[schema(as = Error)]
pub(crate) struct ErrorBody<'a> {
    /// One sentence for people.
    error: &'a str,
    /// Reason for programs.
    code: ErrorCode,
    /// Message of each invalid field.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schema(value_type = Option<BTreeMap<String, String>>)]
    fields: BTreeMap<&'a str, &'a str>,
    /// With 403 of sign-in: handle of the form that still waits for its code.
    #[serde(skip_serializing_if = "Option::is_none")]
    registration: Option<&'a str>,
    /// With 409 of add-product: id of the deal that is there already.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    /// Next step of the client: totp asks for a code, enrol sets up a second factor, password signs in again.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<&'static str>,
    /// With 401 of sign-in: handle of the sign-in that waits for a code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pending: Option<&'a str>,
}

/// Reason of an error, for programs. A code keeps its meaning; new ones may be added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ErrorCode {
    InvalidFields,
    MalformedRequest,
    InvalidFile,
    WrongCode,
    NotSignedIn,
    SessionEnded,
    InvalidApiKey,
    WrongCredentials,
    CodeNeeded,
    SignInEnded,
    SecondFactorMissing,
    SecondFactorUnreadable,
    NotAllowed,
    CrossSite,
    HttpsRequired,
    NotVerified,
    NotFound,
    UnknownPath,
    MethodNotAllowed,
    TooSlow,
    Conflict,
    ChangedMeanwhile,
    AlreadyExists,
    KeyReused,
    TooLarge,
    AddressTooLong,
    NotJson,
    TooManyRequests,
    InternalError,
    Busy,
    ReadOnly,
    DiskFull,
}

fn code_of(error: &FactorError) -> ErrorCode {
    match error {
        FactorError::CodeNeeded(_) | FactorError::Unconfirmed => ErrorCode::CodeNeeded,
        FactorError::SignInEnded => ErrorCode::SignInEnded,
        FactorError::WrongCode | FactorError::UsedCode => ErrorCode::WrongCode,
        FactorError::Unreadable => ErrorCode::SecondFactorUnreadable,
        FactorError::Missing => ErrorCode::SecondFactorMissing,
        FactorError::Exists | FactorError::None => ErrorCode::Conflict,
    }
}

impl ApiError {
    /// Returns the status, the code and the sentence of an error.
    #[rustfmt::skip]
    fn facts(&self) -> (u16, ErrorCode, Cow<'_, str>) {
        let (status, code, sentence) = match self {
            Self::Invalid(errors) => (400, ErrorCode::InvalidFields,
                errors.first().map_or("The request is not valid.", |error| error.message.as_str())),
            Self::Malformed(sentence) => (400, ErrorCode::MalformedRequest, sentence.as_str()),
            Self::InvalidFile(sentence) => (400, ErrorCode::InvalidFile, sentence.as_str()),
            Self::WrongCode => (400, ErrorCode::WrongCode, "please enter correct otp"),
            Self::NotSignedIn => (401, ErrorCode::NotSignedIn, "please login to continue"),
            Self::SessionEnded => (401, ErrorCode::SessionEnded, "please login to continue"),
            Self::InvalidKey => (401, ErrorCode::InvalidApiKey,
                "This API key is not valid: it was revoked, has expired, or is not complete."),
            Self::WrongCredentials => (401, ErrorCode::WrongCredentials, "Invalid credentials"),
            Self::Factor(error) => {
                let status = factor_error::status(error).as_u16();
                return (status, code_of(error), error.to_string().into());
            }
            Self::FactorAtSignIn(error) => return (401, code_of(error), error.to_string().into()),
            Self::Forbidden(sentence) => (403, ErrorCode::NotAllowed, *sentence),
            Self::CrossSite => (403, ErrorCode::CrossSite,
                "This request came from another site and was refused."),
            Self::PlainHttp(sentence) => (403, ErrorCode::HttpsRequired, *sentence),
            Self::Unverified(_) => (403, ErrorCode::NotVerified, "Please verify your email first."),
            Self::NotFound(sentence) => (404, ErrorCode::NotFound, *sentence),
            Self::UnknownPath => (404, ErrorCode::UnknownPath, "There is nothing at this address."),
            Self::MethodNotAllowed(_) => (405, ErrorCode::MethodNotAllowed,
                "This address does not take this method."),
            Self::TooSlow => (408, ErrorCode::TooSlow,
                "The request took too long to arrive. Please try again."),
            Self::Conflict(sentence) => (409, ErrorCode::Conflict, sentence.as_str()),
            Self::Changed(sentence) => (409, ErrorCode::ChangedMeanwhile, sentence.as_str()),
            Self::Exists(_) => (409, ErrorCode::AlreadyExists,
                "This seller already has a deal with this link. Change that one, or send the request without unique=true."),
            Self::TooLarge => (413, ErrorCode::TooLarge, "The request is too large."),
            Self::LongAddress => (414, ErrorCode::AddressTooLong, "This address is too long."),
            Self::NotJson => (415, ErrorCode::NotJson,
                "Send JSON, with content-type: application/json."),
            Self::KeyReused => (422, ErrorCode::KeyReused,
                "This Idempotency-Key belongs to another request. Send a new key with a new request."),
            Self::TooMany(_) => (429, ErrorCode::TooManyRequests,
                "Too many attempts. Please try again later."),
            Self::Internal(_) | Self::Panicked | Self::Repeated(_) => (500, ErrorCode::InternalError,
                "Something went wrong on our side. Please try again later."),
            Self::Busy => (503, ErrorCode::Busy, "The shop is busy. Please try again in a moment."),
            Self::ReadOnly => (503, ErrorCode::ReadOnly,
                "The shop can't be changed at the moment. Please try again later."),
            Self::Follows(sentence) => (503, ErrorCode::ReadOnly, sentence.as_str()),
            Self::Full => (507, ErrorCode::DiskFull,
                "The shop's disk is full, so nothing was saved. Please try again later."),
        };
        (status, code, sentence.into())
    }

    /// Reports one missing field.
    pub(crate) fn missing(field: &str) -> Self {
        Self::Invalid(vec![FieldError::missing(field)])
    }

    /// Reports one invalid field.
    pub(crate) fn invalid(field: &str, message: impl Into<String>) -> Self {
        Self::Invalid(vec![FieldError::new(field, message)])
    }

    /// Converts the error of a response that cannot be serialized.
    #[expect(clippy::needless_pass_by_value, reason = "it is given to map_err")]
    pub(crate) fn serialization(error: serde_json::Error) -> Self {
        Self::Internal(error.to_string())
    }

    /// The second factor of an account that signs in, rather than of a session.
    pub(crate) fn at_sign_in(self) -> Self {
        match self {
            Self::Factor(error @ (FactorError::WrongCode | FactorError::UsedCode)) => {
                Self::FactorAtSignIn(error)
            }
            other => other,
        }
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.facts().2)
    }
}

impl ResponseError for ApiError {
    fn status_code(&self) -> StatusCode {
        StatusCode::from_u16(self.facts().0).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    fn error_response(&self) -> HttpResponse {
        let mut response = HttpResponse::build(self.status_code());
        match self {
            Self::Internal(cause) => tracing::error!(cause, "a request failed"),
            Self::Busy => {
                response.insert_header((RETRY_AFTER, "1"));
            }
            Self::Full | Self::ReadOnly => {
                response.insert_header((RETRY_AFTER, "60"));
            }
            Self::TooMany(wait) => {
                // Rounded up, because 0 would mean "retry at once".
                response.insert_header((RETRY_AFTER, wait.as_secs() + 1));
            }
            Self::MethodNotAllowed(allowed) => {
                response.insert_header((ALLOW, allowed.as_ref()));
            }
            Self::NotSignedIn
            | Self::WrongCredentials
            | Self::FactorAtSignIn(_)
            | Self::Factor(FactorError::CodeNeeded(_) | FactorError::SignInEnded) => {
                response.insert_header((WWW_AUTHENTICATE, "Bearer realm=\"deals\""));
            }
            Self::SessionEnded | Self::InvalidKey => {
                let challenge = "Bearer realm=\"deals\", error=\"invalid_token\"";
                response.insert_header((WWW_AUTHENTICATE, challenge));
            }
            _ => {}
        }
        let (_, code, sentence) = self.facts();
        let mut body = ErrorBody {
            error: &sentence,
            code,
            fields: BTreeMap::new(),
            registration: None,
            id: None,
            next: None,
            pending: None,
        };
        match self {
            Self::Invalid(errors) => {
                let fields = errors.iter();
                let fields = fields.map(|error| (error.field.as_str(), error.message.as_str()));
                body.fields = fields.collect();
            }
            Self::Unverified(handle) => body.registration = Some(handle),
            Self::Exists(id) => body.id = Some(id),
            Self::Factor(error) | Self::FactorAtSignIn(error) => {
                body.next = factor_error::next(error);
                body.pending = factor_error::pending(error);
            }
            _ => {}
        }
        response.json(body)
    }
}

impl From<AccountError> for ApiError {
    fn from(error: AccountError) -> Self {
        match error {
            AccountError::Invalid(errors) => Self::Invalid(errors),
            AccountError::Credentials => Self::WrongCredentials,
            AccountError::Unverified(handle) => Self::Unverified(handle),
            AccountError::Code => Self::WrongCode,
            AccountError::SetupLink => Self::NotFound(
                "This setup link is not valid: it was used, is older than 24 hours, or a newer one \
                 replaced it. Run `deals setup-link` on the server to get a new one.",
            ),
            AccountError::AlreadySetUp => Self::Conflict(
                "Somebody else set this shop up with the same link a moment ago. If you don't know \
                 who, run `deals user list` on the server."
                    .to_owned(),
            ),
            AccountError::Invitation => Self::NotFound(
                "This invitation is not valid: it was used, is older than three days, or was replaced or \
                 withdrawn. Ask the person who sent it for a new one.",
            ),
            AccountError::LastAdmin => Self::Conflict(
                "This is the shop's last administrator. Make somebody else an administrator first."
                    .to_owned(),
            ),
            AccountError::Exists => Self::Conflict(
                "This address has an account already. Sign in with it; an administrator can change its role."
                    .to_owned(),
            ),
            AccountError::Factor(error) => Self::Factor(error),
            AccountError::Changed => Self::Changed(
                "Somebody else changed these settings in the meantime.".to_owned(),
            ),
            AccountError::SignedOut => Self::SessionEnded,
            AccountError::Key => Self::InvalidKey,
            AccountError::TooMany(wait) => Self::TooMany(wait),
            AccountError::Store(error) => error.into(),
            AccountError::Unknown | AccountError::Internal(_) => {
                Self::Internal(error.to_string())
            }
        }
    }
}
