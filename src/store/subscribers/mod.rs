//! Mail addresses that get mails without an account, and the lists that they follow.

pub(crate) mod alerts;
pub(crate) mod digests;

use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, OptionalExtension, params};
use serde_json::{Map, json};

use super::Store;
use super::db::error::Result;
use super::db::pending::Pending;
use super::db::rows::{run, scalar, time_at};
use super::outgoing::{JobKind, NewJob, enqueue};
use super::products::activity::ActivityLog;
use crate::domain::{Action, Email};

/// Time after which an address that was not confirmed is deleted.
const WAITS: SignedDuration = SignedDuration::from_hours(7 * 24);
/// Time between two mails that ask an address, unless it has answered the first.
const ASKED_EVERY: SignedDuration = SignedDuration::from_hours(24);
/// Maximum number of mails an hour that ask addresses.
const ASKED_HOURLY: i64 = 300;
/// Lane of the mails that ask addresses.
const ASKING: &str = "subscriber:ask";

/// An address that gets mails.
#[derive(Clone)]
pub struct Subscriber {
    pub(crate) key: i64,
    pub(crate) email: String,
    /// Seed of the token of its link.
    pub(crate) seed: [u8; 16],
}

impl Store {
    /// Finds a subscriber by the seed of its link.
    pub fn subscriber_of_seed(&self, seed: [u8; 16]) -> Result<Option<Subscriber>> {
        self.read(|connection| find(connection, "seed = ?", seed))
    }

    /// Finds a subscriber by its key.
    pub fn subscriber(&self, key: i64) -> Result<Option<Subscriber>> {
        self.read(|connection| find(connection, "key = ?", key))
    }

    /// Confirms an address and everything that was asked for with it.
    pub fn confirm_subscriber(&self, key: i64, now: Timestamp) -> Pending<()> {
        self.write(move |connection| {
            let sql = "UPDATE subscribers SET confirmed_at = coalesce(confirmed_at, ?2), \
                 asked_at = NULL WHERE key = ?1";
            run(connection, sql, (key, now.as_millisecond()))?;
            digests::confirm(connection, key, now)
        })
    }

    /// Deletes an address with everything about it.
    pub fn remove_subscriber(&self, key: i64) -> Pending<()> {
        self.execute("DELETE FROM subscribers WHERE key = ?", [key])
    }

    /// Returns true if something was not confirmed in time.
    pub fn has_unconfirmed_subscribers(&self, now: Timestamp) -> Result<bool> {
        let sql = format!(
            "SELECT EXISTS (SELECT 1 FROM subscribers WHERE {UNCONFIRMED}) \
             OR EXISTS (SELECT 1 FROM digests WHERE {UNANSWERED}) \
             OR EXISTS (SELECT 1 FROM alerts WHERE {UNANSWERED_ALERT})"
        );
        let before = (now - WAITS).as_millisecond();
        self.read(|connection| Ok(scalar(connection, &sql, [before])?))
    }

    /// Deletes what was not confirmed in time.
    pub fn delete_unconfirmed_subscribers(&self, now: Timestamp) -> Pending<()> {
        let before = (now - WAITS).as_millisecond();
        self.write(move |connection| {
            let sql = format!("DELETE FROM digests WHERE {UNANSWERED}");
            run(connection, &sql, [before])?;
            let sql = format!("DELETE FROM alerts WHERE {UNANSWERED_ALERT}");
            run(connection, &sql, [before])?;
            let sql = format!("DELETE FROM subscribers WHERE {UNCONFIRMED}");
            run(connection, &sql, [before])
        })
    }

    /// Numbers of confirmed addresses, and of those that have not confirmed.
    pub fn count_subscribers(&self) -> Result<(i64, i64)> {
        self.read(|connection| {
            let sql = "SELECT count(confirmed_at), count(*) - count(confirmed_at) FROM subscribers";
            let mut statement = connection.prepare_cached(sql)?;
            Ok(statement.query_row([], |row| Ok((row.get(0)?, row.get(1)?)))?)
        })
    }
}

/// A confirmed address with the queries of its lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportedSubscriber {
    pub(crate) email: String,
    pub(crate) confirmed_at: Timestamp,
    pub(crate) queries: Vec<String>,
}

impl Store {
    /// Returns all confirmed addresses, and logs that `actor` has them.
    pub fn export_subscribers(
        &self,
        actor: String,
        now: Timestamp,
    ) -> Pending<Vec<ExportedSubscriber>> {
        self.write(move |connection| {
            let sql = "SELECT email, confirmed_at, (SELECT json_group_array(query) FROM digests \
                 WHERE subscriber = subscribers.key AND sent_until IS NOT NULL) \
                 FROM subscribers WHERE confirmed_at IS NOT NULL ORDER BY confirmed_at, key";
            let mut statement = connection.prepare_cached(sql)?;
            let rows = statement.query_map([], |row| {
                let queries: String = row.get(2)?;
                Ok(ExportedSubscriber {
                    email: row.get(0)?,
                    confirmed_at: time_at(row, 1)?,
                    queries: serde_json::from_str(&queries).unwrap_or_default(),
                })
            })?;
            let all: Vec<_> = rows.collect::<rusqlite::Result<_>>()?;
            let change = json!({ "from": "", "to": format!("{} exported", all.len()) });
            let details = Map::from_iter([("server.subscribers".to_owned(), change)]);
            ActivityLog::new(&actor, now).write(connection, Action::Set, None, details)?;
            Ok(all)
        })
    }
}

const UNCONFIRMED: &str = "confirmed_at IS NULL AND coalesce(asked_at, created_at) < ?1";
const UNANSWERED: &str = "sent_until IS NULL AND created_at < ?1";
const UNANSWERED_ALERT: &str = "is_confirmed = 0 AND created_at < ?1";

/// Deletes an address that gets nothing any more.
fn forget_if_empty(connection: &Connection, subscriber: i64) -> Result<()> {
    let sql = "DELETE FROM subscribers WHERE key = ?1 \
         AND NOT EXISTS (SELECT 1 FROM digests WHERE subscriber = ?1) \
         AND NOT EXISTS (SELECT 1 FROM alerts WHERE subscriber = ?1)";
    run(connection, sql, [subscriber])
}

/// Finds or adds an address, in the transaction that adds what it is asked about; `None` if the
/// shop has asked too many addresses.
pub(crate) fn find_or_add(
    connection: &Connection,
    email: &Email,
    seed: [u8; 16],
    now: Timestamp,
) -> Result<Option<i64>> {
    let since = (now - SignedDuration::from_hours(1)).as_millisecond();
    let sql = "SELECT count(*) FROM subscribers WHERE asked_at > ?";
    // For known addresses too: the answer does not tell them.
    if scalar::<i64>(connection, sql, [since])? >= ASKED_HOURLY {
        return Ok(None);
    }
    let sql = "INSERT INTO subscribers (email, email_key, seed, created_at) VALUES (?, ?, ?, ?) \
         ON CONFLICT (email_key) DO UPDATE SET email_key = email_key RETURNING key";
    let values = params![email.as_str(), email.key(), seed, now.as_millisecond()];
    Ok(Some(scalar(connection, sql, values)?))
}

/// Queues the mail that asks an address, unless it was asked within a day and has not answered.
pub(crate) fn ask(connection: &Connection, subscriber: i64, now: Timestamp) -> Result<()> {
    let sql = "UPDATE subscribers SET asked_at = ?2 WHERE key = ?1 AND coalesce(asked_at <= ?3, 1)";
    let before = (now - ASKED_EVERY).as_millisecond();
    let asked =
        connection
            .prepare_cached(sql)?
            .execute((subscriber, now.as_millisecond(), before))?;
    if asked == 0 {
        return Ok(());
    }
    let job = NewJob {
        kind: JobKind::Subscriber,
        lane: ASKING.to_owned(),
        subject: subscriber.to_string(),
        payload: json!({ "ask": subscriber }).to_string(),
        next_at: now,
        expires_at: Some(now + WAITS),
    };
    enqueue(connection, &job, now)
}

fn find(
    connection: &Connection,
    condition: &str,
    value: impl rusqlite::ToSql,
) -> Result<Option<Subscriber>> {
    let sql = format!("SELECT key, email, seed FROM subscribers WHERE {condition}");
    let mut statement = connection.prepare_cached(&sql)?;
    let found = statement.query_row([value], |row| {
        Ok(Subscriber {
            key: row.get("key")?,
            email: row.get("email")?,
            seed: row.get("seed")?,
        })
    });
    Ok(found.optional()?)
}
