//! Mail addresses that get mails without an account, and the lists that they follow.

pub(crate) mod alerts;
pub(crate) mod asking;
mod demo;
pub(crate) mod digests;

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension};
use serde_json::{Map, json};

use super::Store;
use super::db::error::Result;
use super::db::pending::Pending;
use super::db::rows::{run, scalar, time_at};
use super::products::activity::ActivityLog;
use crate::domain::Action;
use asking::{leave_alone, note_answer};

/// An address that gets mails.
#[derive(Clone)]
pub struct Subscriber {
    pub(crate) key: i64,
    pub(crate) email: String,
    /// Seed of the token of its link.
    pub(crate) seed: [u8; 16],
    pub(crate) is_confirmed: bool,
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

    /// Confirms an address, of which this is the hash, and everything that was asked for with it.
    pub fn confirm_subscriber(&self, key: i64, hash: [u8; 32], now: Timestamp) -> Pending<()> {
        self.write(move |connection| {
            let sql = "UPDATE subscribers SET confirmed_at = coalesce(confirmed_at, ?2), \
                 asked_at = NULL WHERE key = ?1";
            run(connection, sql, (key, now.as_millisecond()))?;
            note_answer(connection, hash)?;
            digests::confirm(connection, key, now)
        })
    }

    /// Deletes an address, of which this is the hash, with everything about it.
    pub fn remove_subscriber(&self, key: i64, hash: [u8; 32], now: Timestamp) -> Pending<()> {
        self.write(move |connection| {
            run(connection, "DELETE FROM subscribers WHERE key = ?", [key])?;
            leave_alone(connection, hash, now)
        })
    }

    /// Ends a list or an alert of a subscriber. Without another one the address, of which this is the hash, is
    /// deleted too; if it never confirmed, that is a no.
    pub fn end_subscription(
        &self,
        subscriber: &Subscriber,
        hash: [u8; 32],
        what: Subscription,
        now: Timestamp,
    ) -> Pending<()> {
        let (owner, is_confirmed) = (subscriber.key, subscriber.is_confirmed);
        self.write(move |connection| {
            let (table, key) = match what {
                Subscription::List(key) => ("digests", key),
                Subscription::Alert(key) => ("alerts", key),
            };
            let sql = format!("DELETE FROM {table} WHERE subscriber = ? AND key = ?");
            run(connection, &sql, (owner, key))?;
            let sql = "DELETE FROM subscribers WHERE key = ?1 \
                 AND NOT EXISTS (SELECT 1 FROM digests WHERE subscriber = ?1) \
                 AND NOT EXISTS (SELECT 1 FROM alerts WHERE subscriber = ?1)";
            let deleted = connection.prepare_cached(sql)?.execute([owner])?;
            match deleted > 0 && !is_confirmed {
                true => leave_alone(connection, hash, now),
                false => Ok(()),
            }
        })
    }

    /// Returns true if something was not confirmed in time, has ended, or is kept for too long.
    pub fn has_outdated_subscribers(&self, now: Timestamp) -> Result<bool> {
        let any: Vec<String> = OLD
            .iter()
            .map(|(table, condition)| format!("EXISTS (SELECT 1 FROM {table} WHERE {condition})"))
            .collect();
        let sql = format!("SELECT {}", any.join(" OR "));
        self.read(|connection| Ok(scalar(connection, &sql, [now.as_millisecond()])?))
    }

    /// Deletes requests that were not confirmed in time, alerts of browsers that have ended, those who have none left, and
    /// hashes that are no longer needed.
    pub fn delete_outdated_subscribers(&self, now: Timestamp) -> Pending<()> {
        self.write(move |connection| {
            for (table, condition) in OLD {
                let sql = format!("DELETE FROM {table} WHERE {condition}");
                run(connection, &sql, [now.as_millisecond()])?;
            }
            Ok(())
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

/// Subscription of a subscriber, by key.
#[derive(Debug, Clone, Copy)]
pub enum Subscription {
    /// The new deals of a list.
    List(i64),
    /// The price of a product.
    Alert(i64),
}

/// Rows to delete, by table and in this order; `?1` is now.
const OLD: [(&str, &str); 7] = [
    (
        "digests",
        "sent_until IS NULL AND created_at < ?1 - 7 * 86400000",
    ),
    (
        "alerts",
        "is_confirmed = 0 AND created_at < ?1 - 7 * 86400000",
    ),
    // `PriceAlert::IN_BROWSER`.
    (
        "alerts",
        "browser IS NOT NULL AND max(created_at, coalesce(told_at, 0)) < ?1 - 90 * 86400000",
    ),
    (
        "push_browsers",
        "created_at <= ?1 AND NOT EXISTS (SELECT 1 FROM alerts WHERE browser = push_browsers.key)",
    ),
    (
        "subscribers",
        "created_at <= ?1 AND NOT EXISTS (SELECT 1 FROM alerts WHERE subscriber = subscribers.key) \
         AND NOT EXISTS (SELECT 1 FROM digests WHERE subscriber = subscribers.key)",
    ),
    (
        "subscribers",
        "confirmed_at IS NULL AND coalesce(asked_at, created_at) < ?1 - 7 * 86400000",
    ),
    (
        "asked_addresses",
        "asked_at < ?1 - 30 * 86400000 AND quiet_until <= ?1",
    ),
];

/// Notes that the owner of an address, who is signed in, asks for mails.
fn confirm_owner(connection: &Connection, subscriber: i64, now: Timestamp) -> Result<()> {
    let sql = "UPDATE subscribers SET confirmed_at = coalesce(confirmed_at, ?2) WHERE key = ?1";
    run(connection, sql, (subscriber, now.as_millisecond()))
}

fn find(
    connection: &Connection,
    condition: &str,
    value: impl rusqlite::ToSql,
) -> Result<Option<Subscriber>> {
    let sql = format!("SELECT * FROM subscribers WHERE {condition}");
    let mut statement = connection.prepare_cached(&sql)?;
    let found = statement.query_row([value], |row| {
        Ok(Subscriber {
            key: row.get("key")?,
            email: row.get("email")?,
            seed: row.get("seed")?,
            is_confirmed: row.get::<_, Option<i64>>("confirmed_at")?.is_some(),
        })
    });
    Ok(found.optional()?)
}
