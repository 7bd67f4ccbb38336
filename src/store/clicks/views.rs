//! Page views, searches without results, and the owner's trials.

use std::collections::HashMap;

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, params};

use crate::domain::{FailedSearch, day_in_india};
use crate::store::Store;
use crate::store::db::error::StoreError;
use crate::store::db::pending::Pending;
use crate::store::db::rows::time_at;

/// Retention of searches, in days.
const SEARCHES_FOR: i64 = 30;
/// Maximum number of different searches stored per day.
const SEARCHES: i64 = 1_000;

/// Counts of page views and searches to be written.
#[derive(Debug, Default)]
pub struct UsageCounts {
    /// Page views by product `_id`.
    pub views: HashMap<String, u64>,
    /// Searches without results, by text.
    pub failed_searches: HashMap<String, u64>,
}

impl UsageCounts {
    /// True if there is nothing to write.
    pub fn is_empty(&self) -> bool {
        self.views.is_empty() && self.failed_searches.is_empty()
    }
}

impl Store {
    /// Adds the counts to those of the current day; skips unknown products.
    pub fn add_usage(&self, counts: UsageCounts, now: Timestamp) -> Pending<()> {
        self.write(move |connection| {
            let day = day_in_india(now);
            for (id, views) in &counts.views {
                add_views(connection, day, id, *views)?;
            }
            for (words, times) in &counts.failed_searches {
                connection
                    .prepare_cached(
                        "INSERT INTO zero_result_searches VALUES (?, ?, ?) \
                         ON CONFLICT DO UPDATE SET times = times + excluded.times",
                    )?
                    .execute(params![day, words, times])?;
            }
            if !counts.failed_searches.is_empty() {
                connection.execute(
                    "DELETE FROM zero_result_searches WHERE day <= ?1 - ?2 OR (day = ?1 AND query IN \
                     (SELECT query FROM zero_result_searches WHERE day = ?1 \
                      ORDER BY times DESC, query LIMIT -1 OFFSET ?3))",
                    [day, SEARCHES_FOR, SEARCHES],
                )?;
            }
            Ok(())
        })
    }

    /// Records a successful trial, such as a test mail.
    pub fn note_trial(&self, name: &'static str, now: Timestamp) -> Pending<()> {
        self.execute(
            "INSERT INTO setup_checks VALUES (?, ?) \
             ON CONFLICT DO UPDATE SET passed_at = excluded.passed_at",
            (name, now.as_millisecond()),
        )
    }

    /// Returns the time of the last successful trial.
    pub fn last_trial(&self, name: &str) -> Result<Option<Timestamp>, StoreError> {
        self.read(|connection| {
            let mut statement =
                connection.prepare_cached("SELECT passed_at FROM setup_checks WHERE name = ?")?;
            Ok(statement
                .query_row([name], |row| time_at(row, 0))
                .optional()?)
        })
    }
}

fn add_views(connection: &Connection, day: i64, id: &str, views: u64) -> Result<(), StoreError> {
    connection
        .prepare_cached(
            "INSERT OR IGNORE INTO clicked_products (id, title, source, category) \
             SELECT id, title, source, category FROM listed_products WHERE id = ?",
        )?
        .execute([id])?;
    connection
        .prepare_cached(
            "INSERT INTO daily_views SELECT ?1, number, ?2 FROM clicked_products WHERE id = ?3 \
             ON CONFLICT DO UPDATE SET views = views + excluded.views",
        )?
        .execute(params![day, views, id])?;
    Ok(())
}

/// Returns the most frequent searches without results since `day`.
pub(super) fn failed_searches_since(
    connection: &Connection,
    day: i64,
    most: u32,
) -> Result<Vec<FailedSearch>, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT query, sum(times) AS times FROM zero_result_searches WHERE day >= ? \
         GROUP BY query ORDER BY times DESC, query LIMIT ?",
    )?;
    let rows = statement.query_map(params![day, most], |row| {
        Ok(FailedSearch {
            words: row.get(0)?,
            times: row.get(1)?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}
