//! Click counts and hourly sums by verdict.

pub(crate) mod days;
mod overview;
mod report;
mod views;

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, params};

pub use views::NewViews;

use super::Store;
use super::db::error::StoreError;
use super::db::pending::Pending;
use super::db::rows::scalar;
use crate::domain::{Click, HOURS_KEPT, Verdict, day_in_india, hour_in_india};

/// Maximum number of uncounted clicks stored.
const LEFT_OUT: i64 = 10_000;
/// Retention of uncounted clicks: 30 days, in milliseconds.
const LEFT_OUT_FOR: i64 = 30 * 24 * 60 * 60_000;

impl Store {
    /// Records a click and returns the product's new count once committed. Fails with
    /// [`StoreError::NotFound`] if there is no public product with this id.
    pub fn record_click(&self, id: String, click: Click) -> Pending<i64> {
        self.write(move |connection| {
            // A SELECT is faster than RETURNING, which uses a temporary table.
            let mut product = connection.prepare_cached(
                "SELECT key, clicks FROM listed_products \
                 WHERE id = ? AND NOT draft AND coalesce(starts_at <= ?, 1)",
            )?;
            let at = click.at.as_millisecond();
            let (key, before): (i64, i64) =
                product.query_row(params![id, at], |row| Ok((row.get(0)?, row.get(1)?)))?;
            let clicks = before + 1;
            connection
                .prepare_cached("UPDATE products SET clicks = ? WHERE key = ?")?
                .execute([clicks, key])?;
            explain(connection, &id, &click)?;
            Ok(clicks)
        })
    }

    /// Adds already counted clicks, oldest first, to the sums.
    pub fn explain_clicks(&self, clicks: Vec<(String, Click)>) -> Pending<()> {
        self.write(move |connection| {
            for (id, click) in &clicks {
                explain(connection, id, click)?;
            }
            Ok(())
        })
    }

    /// Returns true if [`Store::fold_clicks`] has something to do.
    pub fn has_old_clicks(&self, now: Timestamp) -> Result<bool, StoreError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT EXISTS (SELECT 1 FROM hourly_clicks WHERE hour < ?1) \
                 OR coalesce((SELECT max(key) FROM excluded_clicks) \
                     - (SELECT min(key) FROM excluded_clicks) >= ?2, 0) \
                 OR coalesce((SELECT at FROM excluded_clicks ORDER BY key LIMIT 1) < ?3, 0)",
            )?;
            let (hour, at) = oldest_kept(now);
            Ok(statement.query_row([hour, LEFT_OUT, at], |row| row.get(0))?)
        })
    }

    /// Folds the sums of old hours into their days, and deletes old left-out clicks.
    pub fn fold_clicks(&self, now: Timestamp) -> Pending<()> {
        self.write(move |connection| {
            let (hour, at) = oldest_kept(now);
            days::fold(connection, hour)?;
            connection.execute(
                "DELETE FROM excluded_clicks WHERE key <= (SELECT max(key) FROM excluded_clicks) - ?1 OR at < ?2",
                [LEFT_OUT, at],
            )?;
            Ok(())
        })
    }
}

/// Returns the first hour whose sums are kept, and the time of the oldest left-out click.
fn oldest_kept(now: Timestamp) -> (i64, i64) {
    let first_day = day_in_india(now) - HOURS_KEPT + 1;
    (first_day * 24, now.as_millisecond() - LEFT_OUT_FOR)
}

/// Adds a click to its hourly sum.
fn explain(connection: &Connection, id: &str, click: &Click) -> Result<(), StoreError> {
    let counted = i64::from(click.verdict == Verdict::Counted);
    let day = day_in_india(click.at) * counted;
    let number = match add(connection, id, counted, day)? {
        Some(number) => number,
        None => first(connection, id, counted, day)?,
    };
    let (channel, place, verdict) = (
        click.channel.code(),
        click.place.code(),
        click.verdict.code(),
    );
    connection
        .prepare_cached(
            "INSERT INTO hourly_clicks VALUES (?, ?, ?, ?, ?, 1) \
             ON CONFLICT DO UPDATE SET clicks = clicks + 1",
        )?
        .execute(params![
            hour_in_india(click.at),
            number,
            channel,
            place,
            verdict
        ])?;
    if click.verdict != Verdict::Counted {
        let at = click.at.as_millisecond();
        connection
            .prepare_cached(
                "INSERT INTO excluded_clicks (at, product, verdict, reason, user_agent) VALUES (?, ?, ?, ?, ?)",
            )?
            .execute(params![at, number, verdict, click.why, click.agent])?;
    }
    Ok(())
}

/// Counts a click for a previously clicked product; returns its number.
fn add(
    connection: &Connection,
    id: &str,
    counted: i64,
    day: i64,
) -> Result<Option<i64>, StoreError> {
    let sql = "SELECT number FROM clicked_products WHERE id = ?";
    let number: Option<i64> = scalar(connection, sql, [id]).optional()?;
    if let Some(number) = number {
        connection
            .prepare_cached(
                "UPDATE clicked_products SET classified = classified + 1, counted = counted + ?2, \
                 last_counted = max(last_counted, ?3) WHERE number = ?1",
            )?
            .execute([number, counted, day])?;
    }
    Ok(number)
}

fn first(connection: &Connection, id: &str, counted: i64, day: i64) -> Result<i64, StoreError> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO clicked_products (id, title, source, category, classified, counted, last_counted) \
         SELECT id, title, source, category, 1, ?2, ?3 FROM listed_products WHERE id = ?1",
    )?;
    Ok(statement.insert(params![id, counted, day])?)
}
