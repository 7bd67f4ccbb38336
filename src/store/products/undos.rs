//! Changes that can be undone for a minute.

use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, params};

use crate::store::db::error::Result;
use crate::store::db::rows::{new_id, scalar};

/// Time in which a change can be undone; screens offer it for ten seconds.
const LIFETIME: SignedDuration = SignedDuration::from_mins(1);

/// Begins a change that can be undone; returns the key that its rows refer to, and the undo's id.
pub(crate) fn begin(connection: &Connection, now: Timestamp) -> Result<(i64, String)> {
    let sql = "DELETE FROM undos WHERE at < ?";
    connection.execute(sql, [(now - LIFETIME).as_millisecond()])?;
    let id = new_id();
    let sql = "INSERT INTO undos (id, at) VALUES (?, ?)";
    connection.execute(sql, params![id, now.as_millisecond()])?;
    Ok((connection.last_insert_rowid(), id))
}

/// Returns the key of a change; fails with `NotFound` if it is too late.
pub(crate) fn find(connection: &Connection, id: &str, now: Timestamp) -> Result<i64> {
    let sql = "SELECT key FROM undos WHERE id = ? AND at >= ?";
    let oldest = (now - LIFETIME).as_millisecond();
    Ok(scalar(connection, sql, params![id, oldest])?)
}

/// Ends a change that was undone.
pub(crate) fn end(connection: &Connection, key: i64) -> Result<()> {
    connection.execute("DELETE FROM undos WHERE key = ?", [key])?;
    Ok(())
}
