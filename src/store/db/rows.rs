//! Identifiers and times, as every table stores them.

use jiff::Timestamp;
use rusqlite::types::Type;
use rusqlite::{Row, RowIndex};
use uuid::Uuid;

/// A new public identifier: a version 7 UUID (RFC 9562) without its dashes, so
/// that newer rows sort after older ones and land at the end of their index.
pub(crate) fn new_id() -> String {
    Uuid::now_v7().simple().to_string()
}

/// Reads a time, stored as milliseconds since 1970, UTC.
pub(crate) fn time_at(row: &Row<'_>, column: impl RowIndex) -> rusqlite::Result<Timestamp> {
    Timestamp::from_millisecond(row.get(column)?)
        .map_err(|error| rusqlite::Error::FromSqlConversionFailure(0, Type::Integer, error.into()))
}
