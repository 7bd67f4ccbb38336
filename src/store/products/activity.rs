//! Activity log, written in the same transaction as the change.

use std::borrow::Cow;

use jiff::Timestamp;
use rusqlite::{Connection, Row, params};
use serde_json::{Map, Value, json};

use crate::domain::{Action, Activity, Paged, common_changes, page_offset};
use crate::store::Store;
use crate::store::db::error::Result;
use crate::store::db::rows::{scalar, time_at};

/// Actor of changes that nobody asked for.
pub(crate) const SERVER: &str = "the server";

/// Beginning of a detail that names an account.
pub(crate) const PERSON: &str = "person.";

/// Columns of a log line.
const LINE: &str = "activity.key, batch, is_undo, at, actor, account, action, product, title, \
    details, product IS NOT NULL AND NOT EXISTS \
    (SELECT 1 FROM listed_products WHERE listed_products.id = activity.product) AS gone";

/// Returns the condition for lines that a reader may see, with or without those about accounts.
fn visible(people: bool) -> &'static str {
    // A constant leaves the count to an index.
    if people {
        "TRUE"
    } else {
        r#"(action <> 'set' OR instr(details, '{"person.') <> 1)"#
    }
}

/// Writes a change to the activity log; `from` is empty for an addition, `to` for a removal.
pub(crate) fn log_change(
    connection: &Connection,
    (actor, now): (&str, Timestamp),
    name: String,
    from: &str,
    to: &str,
) -> Result<()> {
    let details = Map::from_iter([(name, json!({ "from": from, "to": to }))]);
    ActivityLog::new(actor, now).write(connection, Action::Set, None, details)
}

impl Store {
    /// Returns one page of the log, newest first, one line per batch; `page` counts from 1. Entries
    /// about accounts are left out unless `people`.
    pub fn list_activity(&self, people: bool, page: u32, limit: u32) -> Result<Paged<Activity>> {
        let visible = visible(people);
        self.read(|connection| {
            // With min(), SQLite takes bare columns from the row of the minimum.
            let mut statement = connection.prepare_cached(&format!(
                "SELECT {LINE}, min(activity.key), count(*) AS lines FROM activity \
                 WHERE {visible} GROUP BY batch ORDER BY batch DESC LIMIT ? OFFSET ?"
            ))?;
            let rows = statement.query_map(params![limit, page_offset(page, limit)], activity)?;
            Ok(Paged {
                items: rows.collect::<Result<_, _>>()?,
                total: scalar(
                    connection,
                    &format!("SELECT count(DISTINCT batch) FROM activity WHERE {visible}"),
                    [],
                )?,
            })
        })
    }

    /// Returns one page of the lines of a batch, in order, like [`Store::list_activity`].
    pub fn list_batch(
        &self,
        batch: i64,
        people: bool,
        page: u32,
        limit: u32,
    ) -> Result<Paged<Activity>> {
        let visible = visible(people);
        self.read(|connection| {
            let mut statement = connection.prepare_cached(&format!(
                "SELECT {LINE}, 1 AS lines FROM activity WHERE {visible} AND batch = ? \
                 ORDER BY activity.key LIMIT ? OFFSET ?"
            ))?;
            let of_page = params![batch, limit, page_offset(page, limit)];
            let rows = statement.query_map(of_page, activity)?;
            Ok(Paged {
                items: rows.collect::<Result<_, _>>()?,
                total: scalar(
                    connection,
                    &format!("SELECT count(*) FROM activity WHERE {visible} AND batch = ?"),
                    [batch],
                )?,
            })
        })
    }
}

/// Writes the log lines of one batch.
pub(crate) struct ActivityLog<'a> {
    actor: Cow<'a, str>,
    now: Timestamp,
    undo: bool,
    /// Set by the first line.
    batch: Option<i64>,
    /// Id of the actor's account, set by the first line.
    account: Option<Option<String>>,
}

impl<'a> ActivityLog<'a> {
    /// Begins a batch of changes.
    pub(crate) fn new(actor: impl Into<Cow<'a, str>>, now: Timestamp) -> Self {
        Self {
            actor: actor.into(),
            now,
            undo: false,
            batch: None,
            account: None,
        }
    }

    /// Begins a batch that reverts another.
    pub(crate) fn undo(actor: impl Into<Cow<'a, str>>, now: Timestamp) -> Self {
        Self {
            undo: true,
            ..Self::new(actor, now)
        }
    }

    pub(crate) fn actor(&self) -> &str {
        &self.actor
    }

    /// Writes a line, with the id and title of a product if it concerns one.
    pub(crate) fn write(
        &mut self,
        connection: &Connection,
        action: Action,
        product: Option<(&str, &str)>,
        details: Map<String, Value>,
    ) -> Result<()> {
        let account = match &self.account {
            Some(account) => account,
            None => self.account.insert(account_of(connection, &self.actor)?),
        };
        let key = connection
            .prepare_cached(
                "INSERT INTO activity \
                 (batch, is_undo, at, actor, account, action, product, title, details) \
                 VALUES (coalesce(?, (SELECT coalesce(max(key), 0) + 1 FROM activity)), \
                         ?, ?, ?, ?, ?, ?, ?, ?)",
            )?
            .insert(params![
                self.batch,
                self.undo,
                self.now.as_millisecond(),
                self.actor,
                account,
                action.as_str(),
                product.map(|(id, _)| id),
                product.map(|(_, title)| title),
                Value::from(details).to_string(),
            ])?;
        self.batch.get_or_insert(key);
        Ok(())
    }
}

/// Returns the id of the one member of staff with this name; older shops may have two.
fn account_of(connection: &Connection, name: &str) -> Result<Option<String>> {
    let ids = connection
        .prepare_cached(
            "SELECT id FROM users WHERE username = ? AND (role = 'admin' OR is_editor) LIMIT 2",
        )?
        .query_map([name], |row| row.get(0))?
        .collect::<Result<Vec<String>, _>>()?;
    Ok(<[String; 1]>::try_from(ids).ok().map(|[id]| id))
}

fn activity(row: &Row<'_>) -> rusqlite::Result<Activity> {
    let (action, details): (String, String) = (row.get("action")?, row.get("details")?);
    let details = serde_json::from_str(&details).unwrap_or_default();
    let lines = row.get("lines")?;
    let undo = row.get("is_undo")?;
    Ok(Activity {
        batch: row.get("batch")?,
        lines,
        undo,
        at: time_at(row, "at")?,
        actor: row.get("actor")?,
        account: row.get("account")?,
        action: Action::parse(&action).ok_or(rusqlite::Error::InvalidQuery)?,
        product: row.get("product")?,
        title: row.get("title")?,
        gone: row.get("gone")?,
        details: match (lines, undo) {
            (1, _) => details,
            // Each product got its own former values back.
            (_, true) => Map::new(),
            (_, false) => common_changes(details),
        },
    })
}
