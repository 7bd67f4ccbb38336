//! What the clock makes of products: each has a state beside its times, so that lists and counts
//! need not look at the time. A start or an end moves a product when the clock gets there.

use jiff::Timestamp;
use rusqlite::{Connection, params};

use super::prices;
use crate::domain::{Lifetime, State, day_in_india};
use crate::store::Store;
use crate::store::db::error::StoreError;
use crate::store::db::pending::Pending;
use crate::store::db::rows::time_at;

/// The state that a table's columns make at the time `?1`, as SQL; as `Lifetime::state` does.
pub(crate) fn state_of(table: &str) -> String {
    format!(
        "CASE WHEN {table}.draft THEN 3 WHEN {table}.ends_at <= ?1 THEN 2 \
         WHEN {table}.starts_at > ?1 THEN 1 ELSE 0 END"
    )
}

/// What an unfinished import has not shown yet is settled when it is.
const SHOWN: &str =
    "NOT EXISTS (SELECT 1 FROM hidden_products WHERE products.key BETWEEN first AND last)";

/// How many products are in each state.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct StateCounts {
    /// In the lists.
    pub live: i64,
    /// Not begun.
    pub scheduled: i64,
    /// Over.
    pub ended: i64,
    /// Not to be seen.
    pub drafts: i64,
}

impl Store {
    /// Whether the clock has come to a moment at which something begins, ends, or says that it
    /// ends soon, or to another day, since it was last settled. Takes microseconds.
    pub fn is_unsettled(&self, now: Timestamp) -> Result<bool, StoreError> {
        self.read(|connection| {
            let settled = settled_at(connection)?;
            if now < settled || day_in_india(now) != day_in_india(settled) {
                return Ok(true);
            }
            let mut due = connection.prepare_cached(
                "SELECT EXISTS (SELECT 1 FROM listed_products WHERE state > 0 AND state = 1 AND starts_at <= ?1) \
                 OR EXISTS (SELECT 1 FROM listed_products WHERE state = 0 AND ends_at <= ?1) \
                 OR EXISTS (SELECT 1 FROM listed_products WHERE state = 0 AND ends_at >= ?2 AND ends_at < ?3) \
                 OR EXISTS (SELECT 1 FROM offer_ends WHERE at > ?4 AND at <= ?1)",
            )?;
            let (soon, was_soon) = (now + Lifetime::SOON, settled + Lifetime::SOON);
            let values = [now, was_soon, soon, settled].map(Timestamp::as_millisecond);
            Ok(due.query_row(values, |row| row.get(0))?)
        })
    }

    /// Gives every product the state that the time makes; returns how many changed. Commits also
    /// where none did, so that cached responses that tell of the time are out of date.
    pub fn settle(&self, now: Timestamp) -> Pending<u64> {
        self.write(move |connection| {
            let changed = settle_all(connection, now)?;
            if day_in_india(now) != day_in_india(settled_at(connection)?) {
                prices::mark_all_stale(connection)?;
            }
            connection
                .prepare_cached("UPDATE clock SET settled_at = ?")?
                .execute([now.as_millisecond()])?;
            Ok(changed)
        })
    }

    /// How many products are in each state.
    pub fn count_states(&self) -> Result<StateCounts, StoreError> {
        self.read(|connection| {
            let mut counts = StateCounts {
                live: connection
                    .prepare_cached("SELECT products FROM product_counts WHERE category = 'all'")?
                    .query_row([], |row| row.get(0))?,
                ..StateCounts::default()
            };
            let mut statement = connection.prepare_cached(
                "SELECT state, count(*) FROM listed_products WHERE state > 0 GROUP BY state",
            )?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let (state, products): (i64, i64) = (row.get(0)?, row.get(1)?);
                match State::ALL.into_iter().find(|known| known.code() == state) {
                    Some(State::Scheduled) => counts.scheduled = products,
                    Some(State::Ended) => counts.ended = products,
                    Some(State::Draft) => counts.drafts = products,
                    Some(State::Live) | None => {}
                }
            }
            Ok(counts)
        })
    }
}

fn settled_at(connection: &Connection) -> Result<Timestamp, StoreError> {
    let mut statement = connection.prepare_cached("SELECT settled_at FROM clock")?;
    Ok(statement.query_row([], |row| time_at(row, 0))?)
}

/// Gives every product the state that the time makes, by the indexes of what is next.
pub(crate) fn settle_all(connection: &Connection, now: Timestamp) -> Result<u64, StoreError> {
    let mut changed = 0;
    for which in [
        "state = 0 AND ends_at <= ?1",
        // These two where the clock was put back.
        "state = 0 AND starts_at > ?1",
        "state > 0 AND state = 2 AND (ends_at > ?1 OR ends_at IS NULL)",
        "state > 0 AND state = 1 AND starts_at <= ?1",
    ] {
        changed += connection
            .prepare_cached(&format!(
                "UPDATE products SET state = {} WHERE {which} AND {SHOWN}",
                state_of("products")
            ))?
            .execute([now.as_millisecond()])?;
    }
    Ok(changed as u64)
}

/// Gives a product that was just written the state that the time makes.
pub(crate) fn settle(connection: &Connection, id: &str, now: Timestamp) -> Result<(), StoreError> {
    connection
        .prepare_cached(&format!(
            "UPDATE products SET state = {0} WHERE id = ?2 AND state <> {0}",
            state_of("products")
        ))?
        .execute(params![now.as_millisecond(), id])?;
    Ok(())
}
