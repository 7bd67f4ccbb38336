//! Page views of products and searches without results by day, and when the set-up was last tested.

use std::collections::HashMap;

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, params};

use crate::domain::{FailedSearch, day_in_india};
use crate::store::Store;
use crate::store::db::error::StoreError;
use crate::store::db::pending::Pending;
use crate::store::db::rows::{scalar, time_at};

/// Days that searches without results are kept.
const SEARCHES_FOR: i64 = 30;
/// Most different searches kept for a day.
const SEARCHES: i64 = 1_000;

/// Maximum number of products of a day whose page views are kept; those of others are not counted.
pub(super) const DAILY_VIEWED: i64 = 20_000;

/// Page views and searches to add, each with its number.
#[derive(Debug, Default)]
pub struct NewPageViews {
    /// Views of a product's own page, by its `_id`.
    pub products: HashMap<String, u64>,
    /// Searches that found nothing, by their words.
    pub searches: HashMap<String, u64>,
}

impl NewPageViews {
    /// Returns true if there is nothing to write.
    pub fn is_empty(&self) -> bool {
        self.products.is_empty() && self.searches.is_empty()
    }
}

impl Store {
    /// Adds page views and searches to the sums of this day in India. Ids of no product are left out.
    pub fn add_page_views(&self, new: NewPageViews, now: Timestamp) -> Pending<()> {
        self.write(move |connection| {
            let day = day_in_india(now);
            if !new.products.is_empty() {
                let sql = "SELECT count(*) FROM daily_views WHERE day = ?";
                let mut rows = scalar(connection, sql, [day])?;
                for (id, page_views) in &new.products {
                    add_product(connection, day, id, *page_views, &mut rows)?;
                }
            }
            for (words, times) in &new.searches {
                connection
                    .prepare_cached(
                        "INSERT INTO zero_result_searches VALUES (?, ?, ?) \
                         ON CONFLICT DO UPDATE SET times = times + excluded.times",
                    )?
                    .execute(params![day, words, times])?;
            }
            if !new.searches.is_empty() {
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

    /// Stores the time of a successful trial, like a test mail, or of what was seen.
    pub fn note_trial(&self, name: &'static str, now: Timestamp) -> Pending<()> {
        self.execute(
            "INSERT INTO setup_checks VALUES (?, ?) \
             ON CONFLICT DO UPDATE SET passed_at = excluded.passed_at",
            (name, now.as_millisecond()),
        )
    }

    /// Returns the time of the last successful trial of this name.
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

/// Adds page views of a product; `rows` counts the rows of the day.
fn add_product(
    connection: &Connection,
    day: i64,
    id: &str,
    page_views: u64,
    rows: &mut i64,
) -> Result<(), StoreError> {
    let mut add = connection.prepare_cached(
        "UPDATE daily_views SET views = views + ?3 WHERE day = ?1 \
         AND product = (SELECT number FROM clicked_products WHERE id = ?2)",
    )?;
    if add.execute(params![day, id, page_views])? > 0 || *rows >= DAILY_VIEWED {
        return Ok(());
    }
    connection
        .prepare_cached(
            "INSERT OR IGNORE INTO clicked_products (id, title, source, category) \
             SELECT id, title, source, category FROM listed_products WHERE id = ?",
        )?
        .execute([id])?;
    let inserted = connection
        .prepare_cached(
            "INSERT INTO daily_views SELECT ?1, number, ?3 FROM clicked_products WHERE id = ?2",
        )?
        .execute(params![day, id, page_views])?;
    *rows += i64::from(inserted > 0);
    Ok(())
}

/// Returns the searches without results since a day, the most frequent first.
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
