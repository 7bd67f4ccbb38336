//! Entries of accounts in the activity log.

use jiff::Timestamp;
use rusqlite::Connection;

use crate::store::db::error::Result;
use crate::store::products::activity::{PERSON, log_change};

/// Writes a change of an account to the activity log: `from` is empty for an act, `to` for a removal.
pub(super) fn log_person(
    connection: &Connection,
    actor: &str,
    now: Timestamp,
    who: &str,
    from: &str,
    to: &str,
) -> Result<()> {
    log_change(connection, (actor, now), format!("{PERSON}{who}"), from, to)
}
