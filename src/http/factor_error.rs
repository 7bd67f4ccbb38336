//! The second factor's errors in answers: status, and what the client does next.

use actix_web::http::StatusCode;

use crate::accounts::FactorError;

pub(super) fn status(error: &FactorError) -> StatusCode {
    match error {
        FactorError::CodeNeeded(_) | FactorError::SignInEnded => StatusCode::UNAUTHORIZED,
        FactorError::WrongCode | FactorError::UsedCode => StatusCode::BAD_REQUEST,
        FactorError::Unreadable | FactorError::Unconfirmed | FactorError::Missing => {
            StatusCode::FORBIDDEN
        }
        FactorError::Exists | FactorError::None => StatusCode::CONFLICT,
    }
}

/// Returns what the client does next: `totp` asks for a code, `enrol` sets a factor up, `password`
/// begins again.
pub(super) fn next(error: &FactorError) -> Option<&'static str> {
    match error {
        FactorError::CodeNeeded(_) | FactorError::Unconfirmed => Some("totp"),
        FactorError::Missing => Some("enrol"),
        FactorError::SignInEnded => Some("password"),
        _ => None,
    }
}

/// Returns the handle of a sign-in that waits for a code.
pub(super) fn pending(error: &FactorError) -> Option<&str> {
    match error {
        FactorError::CodeNeeded(handle) => Some(handle),
        _ => None,
    }
}
