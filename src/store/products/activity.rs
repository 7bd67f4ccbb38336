//! The trail of what was changed, written in the transaction of the change.

use jiff::Timestamp;
use rusqlite::{Connection, Row, params};
use serde_json::{Map, Value};

use crate::domain::{Action, Activity, Page};
use crate::store::Store;
use crate::store::db::error::StoreError;
use crate::store::db::rows::time_at;

impl Store {
    /// One page of the trail, newest first; `page` counts from 1.
    pub fn list_activity(&self, page: u32, limit: u32) -> Result<Page<Activity>, StoreError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT at, actor, action, product, title, details FROM activity \
                 ORDER BY key DESC LIMIT ? OFFSET ?",
            )?;
            let offset = i64::from(page.max(1) - 1) * i64::from(limit);
            let rows = statement.query_map(params![limit, offset], activity)?;
            Ok(Page {
                items: rows.collect::<Result<_, _>>()?,
                total: connection
                    .query_row("SELECT count(*) FROM activity", [], |row| row.get(0))?,
            })
        })
    }
}

pub(crate) fn insert(
    connection: &Connection,
    actor: &str,
    action: Action,
    product: Option<(&str, &str)>,
    details: Map<String, Value>,
    now: Timestamp,
) -> Result<(), StoreError> {
    connection
        .prepare_cached(
            "INSERT INTO activity (at, actor, action, product, title, details) VALUES (?, ?, ?, ?, ?, ?)",
        )?
        .execute(params![
            now.as_millisecond(),
            actor,
            action.as_str(),
            product.map(|(id, _)| id),
            product.map(|(_, title)| title),
            Value::from(details).to_string(),
        ])?;
    Ok(())
}

fn activity(row: &Row<'_>) -> rusqlite::Result<Activity> {
    let (action, details): (String, String) = (row.get("action")?, row.get("details")?);
    Ok(Activity {
        at: time_at(row, "at")?,
        actor: row.get("actor")?,
        action: Action::parse(&action).ok_or(rusqlite::Error::InvalidQuery)?,
        product: row.get("product")?,
        title: row.get("title")?,
        details: serde_json::from_str(&details).unwrap_or_default(),
    })
}
