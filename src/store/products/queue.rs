//! The queue of drafts that go live one after the other.

use std::collections::HashSet;

use jiff::Timestamp;
use rusqlite::{Connection, params};
use serde_json::{Map, Value, json};

use super::activity::{ActivityLog, SERVER};
use super::{find, price_checks, replace};
use crate::domain::{
    Action, FieldError, Product, QueueRequest, QueueRules, State, changed_fields, time_of_day,
};
use crate::store::Store;
use crate::store::channels::posts::post;
use crate::store::db::error::{Result, StoreError};
use crate::store::db::pending::Pending;
use crate::store::db::rows::{column, optional_time_at, run, scalar};

/// Reason for a refused change of the queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QueueError {
    /// Invalid values.
    Invalid(Vec<FieldError>),
    /// Somebody else changed it.
    Changed,
}

/// Result for a product that was to be queued.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Queued {
    /// It is at the end of the queue.
    Added,
    /// It was in the queue before.
    Present,
    /// There is no such product.
    Missing,
    /// It is not a draft.
    NoDraft,
    /// The queue is full.
    Full,
}

impl Store {
    /// Returns the queue: its rules, and its drafts in their order.
    pub fn queue(&self) -> Result<(QueueRules, Vec<Product>)> {
        self.read(|connection| {
            let drafts = order(connection)?.into_iter();
            let drafts = drafts
                .map(|id| find(connection, &id))
                .collect::<Result<_>>()?;
            Ok((rules(connection)?, drafts))
        })
    }

    /// Changes the rules or the order; `actor` is logged.
    pub fn change_queue(
        &self,
        request: QueueRequest,
        actor: String,
        now: Timestamp,
    ) -> Pending<std::result::Result<(), QueueError>> {
        self.write(move |connection| {
            let before = rules(connection)?;
            if request.version.is_some_and(|seen| seen != before.version) {
                return Ok(Err(QueueError::Changed));
            }
            let after = match before.change(&request) {
                Ok(after) => after,
                Err(errors) => return Ok(Err(QueueError::Invalid(errors))),
            };
            let unknown =
                "SELECT value FROM json_each(?) WHERE value NOT IN (SELECT id FROM channels)";
            let unknown: Vec<String> = column(connection, unknown, [list(&after.channels)])?;
            if let Some(id) = unknown.first() {
                let message = format!("There is no channel “{id}”. Choose another one.");
                let error = FieldError::new("channels", message);
                return Ok(Err(QueueError::Invalid(vec![error])));
            }
            set_rules(connection, &after)?;
            if let Some(mut wanted) = request.order {
                let all = order(connection)?;
                let mut left: HashSet<String> = all.iter().cloned().collect();
                wanted.retain(|id| left.remove(id));
                let rest = all.into_iter().filter(|id| left.contains(id));
                let rest: Vec<String> = rest.collect();
                run(connection, "DELETE FROM queued_drafts", [])?;
                for (position, id) in wanted.iter().chain(&rest).enumerate() {
                    let sql = "INSERT OR IGNORE INTO queued_drafts VALUES (?, ?)";
                    run(connection, sql, params![id, position as i64])?;
                }
            }
            let (from, to) = (words(&before), words(&after));
            if from != to {
                let change = json!({ "from": from, "to": to });
                let details = Map::from_iter([("queue".to_owned(), change)]);
                ActivityLog::new(&actor, now).write(connection, Action::Set, None, details)?;
            }
            Ok(Ok(()))
        })
    }

    /// Puts drafts at the end of the queue; returns what became of each.
    pub fn queue_drafts(&self, ids: Vec<String>) -> Pending<Vec<Queued>> {
        self.write(move |connection| {
            let each = ids.iter().map(|id| enqueue(connection, id));
            each.collect()
        })
    }

    /// Puts drafts in the queue as if one had just gone live, for the demo.
    pub fn make_up_queue(&self, ids: Vec<String>, now: Timestamp) -> Pending<()> {
        self.write(move |connection| {
            for id in &ids {
                enqueue(connection, id)?;
            }
            let rules = QueueRules {
                per_hour: 1,
                last_at: Some(now),
                ..rules(connection)?
            };
            set_rules(connection, &rules)
        })
    }

    /// Takes a draft out of the queue; returns false if it was not there.
    pub fn unqueue_draft(&self, id: String) -> Pending<bool> {
        self.write(move |connection| {
            let mut statement =
                connection.prepare_cached("DELETE FROM queued_drafts WHERE product = ?")?;
            Ok(statement.execute([id])? > 0)
        })
    }

    /// Publishes the draft that is due, if any, and queues its posts in the same transaction, so that each
    /// goes live and is posted once. Takes microseconds if none is due.
    pub fn publish_queued(&self, now: Timestamp) -> Result<Option<Product>> {
        if self.read(|connection| due(connection, now))?.is_none() {
            return Ok(None);
        }
        let published = self.write(move |connection| {
            let Some((mut rules, draft)) = due(connection, now)? else {
                return Ok(None);
            };
            let mut details = draft.details.clone();
            details.lifetime.is_draft = false;
            replace(connection, &draft, &details, SERVER, now)?;
            price_checks::record(connection, &draft.id, draft.price_seen_at)?;
            let about = Some((draft.id.as_str(), details.title.as_str()));
            let changes = changed_fields(&draft, &details);
            ActivityLog::new(SERVER, now).write(connection, Action::Changed, about, changes)?;
            rules.last_at = Some(now);
            set_rules(connection, &rules)?;
            for channel in channels(connection, &rules)? {
                post(connection, &channel, &draft.id, false, now)?;
            }
            Ok(Some(find(connection, &draft.id)?))
        });
        published.wait()
    }
}

/// Returns the draft that goes live now, and the rules.
fn due(connection: &Connection, now: Timestamp) -> Result<Option<(QueueRules, Product)>> {
    let is_empty = "SELECT NOT EXISTS (SELECT 1 FROM queued_drafts)";
    if scalar(connection, is_empty, [])? {
        return Ok(None);
    }
    let rules = rules(connection)?;
    if rules.is_paused || rules.next(now) > now {
        return Ok(None);
    }
    for id in order(connection)? {
        let draft = find(connection, &id)?;
        if draft.details.lifetime.waits(now).is_none() {
            return Ok(Some((rules, draft)));
        }
    }
    Ok(None)
}

/// Returns the ids of the drafts in their order.
fn order(connection: &Connection) -> Result<Vec<String>> {
    let sql = "SELECT product FROM queued_drafts \
         WHERE product IN (SELECT id FROM listed_products WHERE draft) ORDER BY position";
    Ok(column(connection, sql, [])?)
}

/// Returns the ids of the channels that post deals as they go live.
fn channels(connection: &Connection, rules: &QueueRules) -> Result<Vec<String>> {
    let every = "SELECT id FROM channels WHERE is_on = 1 ORDER BY key";
    let mut on: Vec<String> = column(connection, every, [])?;
    on.retain(|id| rules.every_channel || rules.channels.contains(id));
    Ok(on)
}

fn enqueue(connection: &Connection, id: &str) -> Result<Queued> {
    let found = match find(connection, id) {
        Err(StoreError::NotFound) => return Ok(Queued::Missing),
        found => found?,
    };
    if found.state != State::Draft {
        return Ok(Queued::NoDraft);
    }
    let sql = "SELECT EXISTS (SELECT 1 FROM queued_drafts WHERE product = ?)";
    if scalar(connection, sql, [id])? {
        return Ok(Queued::Present);
    }
    let count: usize = scalar(connection, "SELECT count(*) FROM queued_drafts", [])?;
    if count >= QueueRules::MOST {
        return Ok(Queued::Full);
    }
    let sql = "INSERT INTO queued_drafts \
         SELECT ?, coalesce(max(position), 0) + 1 FROM queued_drafts";
    run(connection, sql, [id])?;
    Ok(Queued::Added)
}

fn rules(connection: &Connection) -> Result<QueueRules> {
    let sql = "SELECT *, (SELECT json_group_array(value) FROM json_each(channels) \
         WHERE value IN (SELECT id FROM channels)) AS existing FROM queue_rules";
    let mut statement = connection.prepare_cached(sql)?;
    Ok(statement.query_row([], |row| {
        let channels: String = row.get("existing")?;
        Ok(QueueRules {
            per_hour: row.get("per_hour")?,
            from: row.get("from_minute")?,
            to: row.get("to_minute")?,
            is_paused: row.get("is_paused")?,
            every_channel: row.get("every_channel")?,
            channels: serde_json::from_str(&channels).unwrap_or_default(),
            last_at: optional_time_at(row, "last_at")?,
            version: row.get("version")?,
        })
    })?)
}

fn set_rules(connection: &Connection, rules: &QueueRules) -> Result<()> {
    let sql = "UPDATE queue_rules SET (per_hour, from_minute, to_minute, is_paused, every_channel, \
         channels, last_at, version) = (?, ?, ?, ?, ?, ?, ?, ?)";
    let values = params![
        rules.per_hour,
        rules.from,
        rules.to,
        rules.is_paused,
        rules.every_channel,
        list(&rules.channels),
        rules.last_at.map(Timestamp::as_millisecond),
        rules.version,
    ];
    run(connection, sql, values)
}

fn list(ids: &[String]) -> String {
    Value::from(ids).to_string()
}

/// Describes the rules for the activity log.
fn words(rules: &QueueRules) -> String {
    let (from, to) = (time_of_day(rules.from), time_of_day(rules.to));
    let paused = if rules.is_paused { ", paused" } else { "" };
    let posted = match (rules.every_channel, rules.channels.len()) {
        (true, _) => "to every channel".to_owned(),
        (false, chosen) => format!("to {chosen} chosen channels"),
    };
    let per_hour = rules.per_hour;
    format!("{per_hour} an hour from {from} to {to}, {posted}{paused}")
}
