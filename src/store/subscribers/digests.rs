//! Lists whose new deals go out by mail, daily or weekly.

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde_json::json;

use super::asking::{Admission, AskedFor, admit, ask};
use super::{Subscriber, find};
use crate::store::db::error::Result;
use crate::store::db::rows::{column, run, scalar, time_at};
use crate::store::outgoing::{JobKind, NewJob, enqueue};
use crate::store::{Pending, Store};

/// Maximum number of lists that an address follows, and of those that it has not confirmed.
const MAX_DIGESTS: [i64; 2] = [20, 5];
/// Lane of the mails, so that they delay no others.
const LANE: &str = "subscriber:digest";

/// A list that a subscriber follows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Digest {
    pub(crate) key: i64,
    /// The list's query.
    pub(crate) query: String,
    pub(crate) is_weekly: bool,
    pub(crate) is_confirmed: bool,
}

/// Digests with the same deals.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct DigestGroup {
    pub(crate) query: String,
    pub(crate) is_weekly: bool,
    /// Deals published after it are new.
    pub(crate) since: Timestamp,
}

/// Contents that the mails of a group share.
#[derive(Debug, Clone, Copy)]
pub struct DigestMails {
    /// Deals published after it.
    pub(crate) since: Timestamp,
    /// When they are dropped unsent.
    pub(crate) expires_at: Timestamp,
}

impl Store {
    /// Adds a list that an address follows, and asks it unless its owner does this; false if the shop has asked
    /// too many addresses, or the owner follows too many lists.
    pub fn follow_list(
        &self,
        asked: AskedFor,
        (query, is_weekly): (String, bool),
        now: Timestamp,
    ) -> Pending<bool> {
        self.write(move |connection| {
            let subscriber = match admit(connection, &asked, now)? {
                Admission::Busy => return Ok(false),
                Admission::Quiet => return Ok(true),
                Admission::Subscriber(key) => key,
            };
            let known = "SELECT EXISTS (SELECT 1 FROM digests WHERE subscriber = ? AND query = ? \
                 AND is_weekly = ? AND sent_until IS NOT NULL)";
            if scalar(connection, known, params![subscriber, query, is_weekly])? {
                return Ok(true);
            }
            let count = "SELECT count(*) FROM digests WHERE subscriber = ? AND query <> ? \
                 AND sent_until IS NOT NULL";
            if asked.is_by_owner()
                && scalar::<i64>(connection, count, params![subscriber, query])? >= MAX_DIGESTS[0]
            {
                return Ok(false);
            }
            // A list that is followed already changes only when its link is used, or by its owner.
            let sql = "INSERT INTO digests (subscriber, query, is_weekly, created_at, sent_until) \
                 VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (subscriber, query) DO UPDATE SET \
                 is_weekly = ?3, created_at = ?4, sent_until = coalesce(sent_until, ?5) \
                 WHERE sent_until IS NULL OR ?5 IS NOT NULL";
            let since = asked.is_by_owner().then(|| beginning(now));
            let values = params![subscriber, query, is_weekly, now.as_millisecond(), since];
            run(connection, sql, values)?;
            // The oldest make room: others may have asked for them.
            let sql = "DELETE FROM digests WHERE key IN (SELECT key FROM digests \
                 WHERE subscriber = ? AND sent_until IS NULL \
                 ORDER BY created_at DESC, key DESC LIMIT -1 OFFSET ?)";
            run(connection, sql, (subscriber, MAX_DIGESTS[1]))?;
            if !asked.is_by_owner() {
                ask(connection, subscriber, &asked, now)?;
                return Ok(true);
            }
            super::confirm_owner(connection, subscriber, now)?;
            Ok(true)
        })
    }

    /// Returns the lists that a subscriber follows, the oldest first.
    pub fn digests_of(&self, subscriber: i64) -> Result<Vec<Digest>> {
        self.read(|connection| {
            let sql = "SELECT * FROM digests WHERE subscriber = ? ORDER BY key";
            let mut statement = connection.prepare_cached(sql)?;
            let digests = statement.query_map([subscriber], digest)?;
            Ok(digests.collect::<rusqlite::Result<_>>()?)
        })
    }

    /// Finds the query of a confirmed list, with who follows it.
    pub fn confirmed_digest(&self, key: i64) -> Result<Option<(String, Subscriber)>> {
        self.read(|connection| {
            let sql = "SELECT query FROM digests WHERE key = ? AND sent_until IS NOT NULL";
            let query: Option<String> = scalar(connection, sql, [key]).optional()?;
            let whose = "key = (SELECT subscriber FROM digests WHERE key = ?)";
            Ok(query.zip(find(connection, whose, key)?))
        })
    }

    /// Has a list of a subscriber mailed daily or weekly.
    pub fn change_digest(&self, subscriber: i64, key: i64, is_weekly: bool) -> Pending<()> {
        self.execute(
            "UPDATE digests SET is_weekly = ?3 WHERE subscriber = ?1 AND key = ?2",
            (subscriber, key, is_weekly),
        )
    }

    /// Returns the groups of digests whose last mail has the deals until before `until`.
    pub fn due_digests(&self, is_weekly: bool, until: Timestamp) -> Result<Vec<DigestGroup>> {
        self.read(|connection| {
            let sql = "SELECT DISTINCT query, sent_until FROM digests \
                 WHERE is_weekly = ? AND sent_until < ? ORDER BY query, sent_until";
            let mut statement = connection.prepare_cached(sql)?;
            let groups = statement.query_map((is_weekly, until.as_millisecond()), |row| {
                Ok(DigestGroup {
                    query: row.get(0)?,
                    is_weekly,
                    since: time_at(row, 1)?,
                })
            })?;
            Ok(groups.collect::<rusqlite::Result<_>>()?)
        })
    }

    /// Queues the mails of at most `most` digests of a group, and notes that they have the deals until
    /// `until`, in one transaction: none is mailed twice. Returns how many. Without `mails`, only notes it.
    pub fn send_digests(
        &self,
        group: DigestGroup,
        until: Timestamp,
        mails: Option<DigestMails>,
        most: u32,
        now: Timestamp,
    ) -> Pending<usize> {
        self.write(move |connection| {
            let (since, until) = (group.since.as_millisecond(), until.as_millisecond());
            let keys: Vec<i64> = column(
                connection,
                "SELECT key FROM digests WHERE query = ? AND is_weekly = ? AND sent_until = ? LIMIT ?",
                params![group.query, group.is_weekly, since, most],
            )?;
            for key in &keys {
                let sql = "UPDATE digests SET sent_until = ? WHERE key = ?";
                run(connection, sql, (until, key))?;
                let Some(DigestMails { since, expires_at }) = mails else {
                    continue;
                };
                let since = since.as_millisecond();
                let digest = json!({ "key": key, "since": since, "until": until });
                let job = NewJob {
                    kind: JobKind::Subscriber,
                    lane: LANE.to_owned(),
                    subject: key.to_string(),
                    payload: json!({ "digest": digest }).to_string(),
                    next_at: now,
                    expires_at: Some(expires_at),
                };
                enqueue(connection, &job, now)?;
            }
            Ok(keys.len())
        })
    }

    /// Returns the lists that confirmed addresses follow, with the numbers of daily and weekly mails, the
    /// most first.
    pub fn count_digests(&self) -> Result<Vec<(String, i64, i64)>> {
        self.read(|connection| {
            let sql = "SELECT query, sum(is_weekly = 0), sum(is_weekly) FROM digests \
                 WHERE sent_until IS NOT NULL GROUP BY query ORDER BY count(*) DESC, query LIMIT 100";
            let mut statement = connection.prepare_cached(sql)?;
            let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }
}

/// Confirms the lists of a subscriber, the oldest first, as many as it may have.
pub(super) fn confirm(connection: &Connection, subscriber: i64, now: Timestamp) -> Result<()> {
    let sql = "UPDATE digests SET sent_until = ?2 WHERE sent_until IS NULL AND key IN \
         (SELECT key FROM digests WHERE subscriber = ?1 ORDER BY sent_until IS NULL, key LIMIT ?3)";
    run(
        connection,
        sql,
        (subscriber, beginning(now), MAX_DIGESTS[0]),
    )
}

/// Returns the beginning of the hour, so that those who confirm in an hour get the same deals.
fn beginning(now: Timestamp) -> i64 {
    let now = now.as_millisecond();
    now - now.rem_euclid(3_600_000)
}

fn digest(row: &Row<'_>) -> rusqlite::Result<Digest> {
    Ok(Digest {
        key: row.get("key")?,
        query: row.get("query")?,
        is_weekly: row.get("is_weekly")?,
        is_confirmed: row.get::<_, Option<i64>>("sent_until")?.is_some(),
    })
}
