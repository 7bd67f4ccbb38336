//! Stored product states, so that lists and counts need not compare times. The clock job updates
//! them when a start or end is reached.

use jiff::Timestamp;
use rusqlite::{Connection, params};

use super::prices;
use crate::domain::{Lifetime, State, day_in_india};
use crate::store::Store;
use crate::store::db::error::Result;
use crate::store::db::rows::{run, scalar, time_at};

/// Returns the SQL expression of a row's state at the time `?1`; like `Lifetime::state`.
pub(crate) fn state_of(table: &str) -> String {
    format!(
        "CASE WHEN {table}.draft THEN 3 WHEN {table}.ends_at <= ?1 THEN 2 \
         WHEN {table}.starts_at > ?1 THEN 1 ELSE 0 END"
    )
}

/// Product counts by state.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct StateCounts {
    pub live: i64,
    pub scheduled: i64,
    pub ended: i64,
    pub drafts: i64,
}

impl Store {
    /// True if, since the states were last settled, a product or offer reached its start, its end
    /// or the last 24 hours, or the day changed. Takes microseconds.
    pub fn is_unsettled(&self, now: Timestamp) -> Result<bool> {
        self.read(|connection| {
            let settled = settled_at(connection)?;
            if now < settled || day_in_india(now) != day_in_india(settled) {
                return Ok(true);
            }
            let mut due = connection.prepare_cached(
                "SELECT EXISTS (SELECT 1 FROM listed_products WHERE state > 0 AND state = 1 AND starts_at <= ?1) \
                 OR EXISTS (SELECT 1 FROM listed_products WHERE state = 0 AND ends_at <= ?1) \
                 OR EXISTS (SELECT 1 FROM listed_products WHERE state = 0 AND ends_at >= ?2 AND ends_at < ?3) \
                 OR EXISTS (SELECT 1 FROM offer_ends WHERE at > ?4 AND at <= ?1) \
                 OR EXISTS (SELECT 1 FROM seller_offers WHERE (starts_at > ?4 AND starts_at <= ?1) \
                 OR (ends_at > ?4 AND ends_at <= ?1))",
            )?;
            let (soon, was_soon) = (now + Lifetime::SOON, settled + Lifetime::SOON);
            let values = [now, was_soon, soon, settled].map(Timestamp::as_millisecond);
            Ok(due.query_row(values, |row| row.get(0))?)
        })
    }

    /// Updates the states of all products in parts; returns how many changed. The last part always
    /// commits, to invalidate cached responses that depend on the time.
    ///
    /// # Errors
    ///
    /// When the database refuses; a later call continues.
    pub fn settle(&self, now: Timestamp) -> Result<u64> {
        let settled = self.write_in_parts((now, 0), |connection, (now, changed), room| {
            let of_part = settle_some(connection, *now, room.left())?;
            *changed += of_part as u64;
            if of_part == room.left() {
                return Ok(false);
            }
            if day_in_india(*now) != day_in_india(settled_at(connection)?) {
                prices::mark_all_stale(connection)?;
            }
            let sql = "UPDATE schedule SET applied_at = ?";
            run(connection, sql, [now.as_millisecond()])?;
            Ok(true)
        })?;
        Ok(settled.1)
    }

    /// Product counts by state.
    pub fn count_states(&self) -> Result<StateCounts> {
        self.read(|connection| {
            let mut counts = [0; State::ALL.len()];
            let mut statement = connection.prepare_cached(
                "SELECT state, count(*) FROM listed_products WHERE state > 0 GROUP BY state",
            )?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                if let Some(count) = counts.get_mut(row.get::<_, usize>(0)?) {
                    *count = row.get(1)?;
                }
            }
            let [_, scheduled, ended, drafts] = counts;
            Ok(StateCounts {
                live: count_all_live(connection)?,
                scheduled,
                ended,
                drafts,
            })
        })
    }
}

fn settled_at(connection: &Connection) -> Result<Timestamp> {
    let mut statement = connection.prepare_cached("SELECT applied_at FROM schedule")?;
    Ok(statement.query_row([], |row| time_at(row, 0))?)
}

/// Updates the states of all products.
pub(crate) fn settle_all(connection: &Connection, now: Timestamp) -> Result<()> {
    settle_some(connection, now, usize::MAX)?;
    Ok(())
}

/// Updates the states of at most so many products, by the indexes of starts and ends; returns how many
/// changed.
fn settle_some(connection: &Connection, now: Timestamp, most: usize) -> Result<usize> {
    let mut changed = 0;
    for which in [
        "state = 0 AND ends_at <= ?1",
        // The next two: the clock was set back.
        "state = 0 AND starts_at > ?1",
        "state > 0 AND state = 2 AND (ends_at > ?1 OR ends_at IS NULL)",
        "state > 0 AND state = 1 AND starts_at <= ?1",
    ] {
        let left = i64::try_from(most - changed).unwrap_or(i64::MAX);
        changed += connection
            .prepare_cached(&format!(
                "UPDATE products SET state = {} WHERE key IN \
                 (SELECT key FROM listed_products WHERE {which} LIMIT ?2)",
                state_of("products")
            ))?
            .execute([now.as_millisecond(), left])?;
    }
    Ok(changed)
}

/// Updates the state of one product.
pub(crate) fn settle(connection: &Connection, id: &str, now: Timestamp) -> Result<()> {
    let sql = format!(
        "UPDATE products SET state = {0} WHERE id = ?2 AND state <> {0}",
        state_of("products")
    );
    run(connection, &sql, params![now.as_millisecond(), id])
}

/// Counts the live products.
pub(crate) fn count_all_live(connection: &Connection) -> Result<i64> {
    let sql = "SELECT products FROM product_counts WHERE category = 'all'";
    Ok(scalar(connection, sql, [])?)
}
