//! Changes that can be undone for a minute. A change is open until its last part is made, and again while
//! it is being undone.

use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, params};

use crate::store::db::error::{Result, StoreError};
use crate::store::db::rows::{column, run, scalar};

/// Time in which a change can be undone; screens offer it for ten seconds.
const LIFETIME: SignedDuration = SignedDuration::from_mins(1);

/// Begins a change with this new id, and returns the key that its rows refer to.
pub(crate) fn begin(connection: &Connection, id: &str, now: Timestamp) -> Result<i64> {
    let sql = "DELETE FROM undos WHERE at < ? AND is_open = 0";
    connection.execute(sql, [(now - LIFETIME).as_millisecond()])?;
    let sql = "INSERT INTO undos (id, at, is_open) VALUES (?, ?, 1)";
    connection.execute(sql, params![id, now.as_millisecond()])?;
    Ok(connection.last_insert_rowid())
}

/// Opens a change again, to undo it; fails with `NotFound` if it is too late.
pub(crate) fn reopen(connection: &Connection, id: &str, now: Timestamp) -> Result<()> {
    let sql = "UPDATE undos SET is_open = 1 WHERE id = ? AND at >= ?";
    let oldest = (now - LIFETIME).as_millisecond();
    match connection.execute(sql, params![id, oldest])? {
        0 => Err(StoreError::NotFound),
        _ => Ok(()),
    }
}

/// Returns the key of an open change; fails with `NotFound` if another process has reverted it.
pub(crate) fn key_of_open(connection: &Connection, id: &str) -> Result<i64> {
    let sql = "SELECT key FROM undos WHERE id = ? AND is_open = 1";
    Ok(scalar(connection, sql, [id])?)
}

/// Returns the ids of the open changes, the newest first.
pub(crate) fn list_open(connection: &Connection) -> Result<Vec<String>> {
    let sql = "SELECT id FROM undos WHERE is_open = 1 ORDER BY key DESC";
    Ok(column(connection, sql, [])?)
}

/// Closes a change after its last part.
pub(crate) fn close(connection: &Connection, key: i64) -> Result<()> {
    run(
        connection,
        "UPDATE undos SET is_open = 0 WHERE key = ?",
        [key],
    )
}

/// Ends a change that was undone.
pub(crate) fn delete(connection: &Connection, key: i64) -> Result<()> {
    run(connection, "DELETE FROM undos WHERE key = ?", [key])
}
