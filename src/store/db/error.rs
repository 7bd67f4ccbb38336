//! What can go wrong in the store, as few cases as a caller can act upon.

use rusqlite::ffi;

use super::sentinel::Loss;

/// Why the store did not do what it was asked.
#[derive(Debug, Clone, thiserror::Error)]
pub enum StoreError {
    /// There is no such row: a product, an account, a session, an undo.
    #[error("not found")]
    NotFound,
    /// Another row already has this value; the column is named.
    #[error("{0} already exists")]
    Conflict(String),
    /// The database or its queue is occupied; the same call may succeed later.
    #[error("the database is busy: {0}")]
    Busy(String),
    /// The disk is full or the file may not grow.
    #[error("the disk is full")]
    Full,
    /// The file or its disk takes no writes.
    #[error("the database can't be written to")]
    ReadOnly,
    /// The file is not the one any more that the server opened.
    #[error("the database {}", .0.words())]
    Gone(Loss),
    /// Anything else: the caller can only report it.
    #[error("{0}")]
    Other(String),
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
            // The hook of the connections that change products and accounts (`open.rs`).
            ffi::SQLITE_CONSTRAINT_COMMITHOOK => Self::ReadOnly,
            // How SQLite tells of a disk, a quota or a limit that is reached while it
            // writes or makes room for the WAL.
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
