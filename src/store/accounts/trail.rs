//! Entries of accounts in the activity log.

use jiff::Timestamp;
use rusqlite::Connection;
use serde_json::{Map, json};

use crate::domain::Action;
use crate::store::db::error::Result;
use crate::store::products::activity::{ActivityLog, PERSON};

/// Writes a change of an account to the activity log: `from` is empty for an act, `to` for a removal.
pub(super) fn log_person(
    connection: &Connection,
    actor: &str,
    now: Timestamp,
    who: &str,
    from: &str,
    to: &str,
) -> Result<()> {
    let change = json!({ "from": from, "to": to });
    let details = Map::from_iter([(format!("{PERSON}{who}"), change)]);
    ActivityLog::new(actor, now).write(connection, Action::Set, None, details)
}
