//! The database's errors as those of the API, with a line in the log.

use std::sync::LazyLock;

use super::error::ApiError;
use super::log_limit::LogLimit;
use crate::store::{ChangeError, PICTURE_GONE, StoreError};

/// Log lines about requests that the database refuses, from all clients.
static BUSY: LazyLock<LogLimit> = LazyLock::new(LogLimit::default);
static REFUSED: LazyLock<LogLimit> = LazyLock::new(LogLimit::default);

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::NotFound => Self::NotFound("Product not found."),
            StoreError::Duplicate(id) => Self::Exists(id),
            StoreError::StaffName(reason) => Self::invalid("username", reason),
            StoreError::MissingPicture(index) => {
                Self::invalid(&format!("images[{index}]"), PICTURE_GONE)
            }
            StoreError::Pictures => Self::Conflict(
                "The shop's pictures take up 1 GB, and there is no room for more. Remove pictures from \
                 deals, or delete deals: a week later there is room."
                    .to_owned(),
            ),
            StoreError::KeyReused => Self::KeyReused,
            StoreError::Repeated(answer) => Self::Repeated(answer),
            StoreError::Busy(cause) => {
                if let Some(not_logged) = BUSY.take_any() {
                    tracing::warn!(cause, not_logged, "the database is busy");
                }
                Self::Busy
            }
            StoreError::Full => {
                if let Some(not_logged) = REFUSED.take_any() {
                    tracing::error!(
                        not_logged,
                        "the disk is full: writes are refused until there is room"
                    );
                }
                Self::Full
            }
            StoreError::ReadOnly | StoreError::Unconfirmed(_) => {
                if let Some(not_logged) = REFUSED.take_any() {
                    tracing::error!(
                        not_logged,
                        "the database can't be written to: writes are refused"
                    );
                }
                Self::ReadOnly
            }
            StoreError::Gone(_) => {
                if let Some(not_logged) = REFUSED.take_any() {
                    tracing::error!(%error, not_logged, "writes are refused");
                }
                Self::ReadOnly
            }
            StoreError::Conflict(_)
            | StoreError::PriceOutOfRange(_)
            | StoreError::NotDuplicates
            | StoreError::Other(_) => Self::Internal(error.to_string()),
        }
    }
}

impl From<ChangeError> for ApiError {
    fn from(error: ChangeError) -> Self {
        match error {
            ChangeError::Invalid(errors) => Self::Invalid(errors),
            ChangeError::Missing(message) => Self::NotFound(message),
            ChangeError::Refused(message) => Self::Conflict(message),
            ChangeError::Changed(message) => Self::Changed(message.to_owned()),
        }
    }
}
