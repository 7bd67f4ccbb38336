//! Identifiers and times as tables store them.

use jiff::Timestamp;
use rusqlite::types::{FromSql, Type};
use rusqlite::{Connection, Params, Row, RowIndex};
use uuid::Uuid;

use super::error::Result;

/// Returns a new public identifier: a version 7 UUID (RFC 9562) without its dashes, so that newer
/// rows are at the end of their index.
pub(crate) fn new_id() -> String {
    Uuid::now_v7().simple().to_string()
}

/// Executes a cached statement without results.
pub(crate) fn run(connection: &Connection, sql: &str, values: impl Params) -> Result<()> {
    connection.prepare_cached(sql)?.execute(values)?;
    Ok(())
}

/// Returns the first column of the first row, by a cached statement.
pub(crate) fn scalar<T: FromSql>(
    connection: &Connection,
    sql: &str,
    values: impl Params,
) -> rusqlite::Result<T> {
    connection
        .prepare_cached(sql)?
        .query_row(values, |row| row.get(0))
}

/// Returns the first column of every row, by a cached statement.
pub(crate) fn column<T: FromSql, C: FromIterator<T>>(
    connection: &Connection,
    sql: &str,
    values: impl Params,
) -> rusqlite::Result<C> {
    connection
        .prepare_cached(sql)?
        .query_map(values, |row| row.get(0))?
        .collect()
}

/// Reads a time as [`time_at`]; none for null.
pub(crate) fn optional_time_at(
    row: &Row<'_>,
    column: impl RowIndex,
) -> rusqlite::Result<Option<Timestamp>> {
    let time: Option<i64> = row.get(column)?;
    Ok(time.and_then(|time| Timestamp::from_millisecond(time).ok()))
}

/// Reads a time, stored as milliseconds since 1970, UTC.
pub(crate) fn time_at(row: &Row<'_>, column: impl RowIndex) -> rusqlite::Result<Timestamp> {
    Timestamp::from_millisecond(row.get(column)?)
        .map_err(|error| rusqlite::Error::FromSqlConversionFailure(0, Type::Integer, error.into()))
}
