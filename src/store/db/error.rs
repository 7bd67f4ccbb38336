//! Errors of the store: one variant for each case that a caller can act upon.

use rusqlite::ffi;

use super::sentinel::Loss;
use crate::domain::FieldError;

/// Result of a call of the store.
pub(crate) type Result<T, E = StoreError> = std::result::Result<T, E>;

/// Reason for which a change of the owner's is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChangeError {
    /// Invalid values.
    Invalid(Vec<FieldError>),
    /// Missing, with the reason.
    Missing(&'static str),
    /// It can't be, as the sentence says.
    Refused(String),
    /// Somebody else changed it meanwhile, as the sentence says.
    Changed(&'static str),
}

/// An error of the store.
#[derive(Debug, Clone, thiserror::Error)]
pub enum StoreError {
    /// No such row: a product, an account, a session, an undo.
    #[error("not found")]
    NotFound,
    /// Another row already has this value; the column is named.
    #[error("{0} already exists")]
    Conflict(String),
    /// The seller's deal with this link exists; its id is named.
    #[error("product {0} has this seller and link")]
    Duplicate(String),
    /// Somebody can't become an administrator or editor with this name, as the sentence says.
    #[error("{0}")]
    StaffName(String),
    /// A change would set final prices that are not above 0 or too high; the products' titles.
    #[error("the prices of {} products would be out of range", .0.len())]
    PriceOutOfRange(Vec<String>),
    /// The products are not possible duplicates of each other, or another one is the cheapest.
    #[error("the products are not the expected duplicates")]
    NotDuplicates,
    /// The picture with this index is not in the shop.
    #[error("picture {0} is not in the shop")]
    MissingPicture(usize),
    /// The shop has no room for more pictures.
    #[error("the shop's pictures take up 1 GB")]
    Pictures,
    /// The request was answered before; nothing was done again.
    #[error("the request was answered before")]
    Repeated(Answer),
    /// The idempotency key belongs to another request.
    #[error("the idempotency key belongs to another request")]
    KeyReused,
    /// The database or its queue is occupied; the same call may succeed later.
    #[error("the database is busy: {0}")]
    Busy(String),
    /// The disk is full or the file may not grow.
    #[error("the disk is full")]
    Full,
    /// The file or its disk takes no writes.
    #[error("the database can't be written to")]
    ReadOnly,
    /// Unknown whether another machine has the change.
    #[error("not known to be in the bucket: {0}")]
    Unconfirmed(String),
    /// The file is no longer the one that the server opened.
    #[error("the database {}", .0.predicate())]
    Gone(Loss),
    /// Any other error, for the log.
    #[error("{0}")]
    Other(String),
}

/// A response that was sent before: its HTTP status, and its JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// HTTP status.
    pub status: u16,
    /// JSON.
    pub body: Vec<u8>,
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        let rusqlite::Error::SqliteFailure(failure, message) = &error else {
            return match error {
                rusqlite::Error::QueryReturnedNoRows => Self::NotFound,
                other => Self::Other(other.to_string()),
            };
        };
        match failure.extended_code {
            ffi::SQLITE_CONSTRAINT_UNIQUE | ffi::SQLITE_CONSTRAINT_PRIMARYKEY => {
                Self::Conflict(conflicting_column(message.as_deref().unwrap_or_default()))
            }
            // The commit hook of writing connections (`open.rs`).
            ffi::SQLITE_CONSTRAINT_COMMITHOOK => Self::ReadOnly,
            // SQLite reports a full disk, a quota or a limit so when it writes or extends the WAL.
            ffi::SQLITE_IOERR_WRITE | ffi::SQLITE_IOERR_SHMSIZE => Self::Full,
            _ => match failure.code {
                rusqlite::ErrorCode::DatabaseBusy | rusqlite::ErrorCode::DatabaseLocked => {
                    Self::Busy(error.to_string())
                }
                rusqlite::ErrorCode::DiskFull => Self::Full,
                rusqlite::ErrorCode::ReadOnly => Self::ReadOnly,
                _ => Self::Other(error.to_string()),
            },
        }
    }
}

/// SQLite says `UNIQUE constraint failed: products.id`.
fn conflicting_column(message: &str) -> String {
    message
        .rsplit_once('.')
        .map_or(message, |(_, column)| column)
        .to_owned()
}
