//! What was looked at and searched for in vain, and what the owner has tried.

use std::collections::HashMap;

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, params};

use crate::domain::{VainSearch, day_in_india};
use crate::store::Store;
use crate::store::db::error::StoreError;
use crate::store::db::pending::Pending;
use crate::store::db::rows::time_at;

/// Days that searches are kept for.
const SEARCHES_FOR: i64 = 30;
/// Different searches of a day that are kept.
const SEARCHES: i64 = 1_000;

/// Looks and searches, each with how often.
#[derive(Debug, Default)]
pub struct Looked {
    /// Looks at a product's own page, by its `_id`.
    pub views: HashMap<String, u64>,
    /// Searches that found nothing, by their words.
    pub vain: HashMap<String, u64>,
}

impl Looked {
    /// Whether there is nothing to write.
    pub fn is_empty(&self) -> bool {
        self.views.is_empty() && self.vain.is_empty()
    }
}

impl Store {
    /// Adds what was looked at to the sums of this day. What is no product is left out.
    pub fn add_looks(&self, looked: Looked, now: Timestamp) -> Pending<()> {
        self.write(move |connection| {
            let day = day_in_india(now);
            for (id, views) in &looked.views {
                add_views(connection, day, id, *views)?;
            }
            for (words, times) in &looked.vain {
                connection
                    .prepare_cached(
                        "INSERT INTO vain_searches VALUES (?, ?, ?) \
                         ON CONFLICT DO UPDATE SET times = times + excluded.times",
                    )?
                    .execute(params![day, words, times])?;
            }
            if !looked.vain.is_empty() {
                connection.execute(
                    "DELETE FROM vain_searches WHERE day <= ?1 - ?2 OR (day = ?1 AND words IN \
                     (SELECT words FROM vain_searches WHERE day = ?1 \
                      ORDER BY times DESC, words LIMIT -1 OFFSET ?3))",
                    [day, SEARCHES_FOR, SEARCHES],
                )?;
            }
            Ok(())
        })
    }

    /// Notes that something the owner tried went well.
    pub fn note_trial(&self, name: &'static str, now: Timestamp) -> Pending<()> {
        self.write(move |connection| {
            connection.execute(
                "INSERT INTO trials VALUES (?, ?) ON CONFLICT DO UPDATE SET at = excluded.at",
                params![name, now.as_millisecond()],
            )?;
            Ok(())
        })
    }

    /// When something the owner tried went well for the last time.
    pub fn last_trial(&self, name: &str) -> Result<Option<Timestamp>, StoreError> {
        self.read(|connection| {
            let mut statement =
                connection.prepare_cached("SELECT at FROM trials WHERE name = ?")?;
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
            "INSERT INTO view_days SELECT ?1, number, ?2 FROM clicked_products WHERE id = ?3 \
             ON CONFLICT DO UPDATE SET views = views + excluded.views",
        )?
        .execute(params![day, views, id])?;
    Ok(())
}

/// What was searched for in vain since a day, most first.
pub(super) fn vain_since(
    connection: &Connection,
    day: i64,
    most: u32,
) -> Result<Vec<VainSearch>, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT words, sum(times) AS times FROM vain_searches WHERE day >= ? \
         GROUP BY words ORDER BY times DESC, words LIMIT ?",
    )?;
    let rows = statement.query_map(params![day, most], |row| {
        Ok(VainSearch {
            words: row.get(0)?,
            times: row.get(1)?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}
