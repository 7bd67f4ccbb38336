//! Click counts and hourly sums by verdict.

pub(crate) mod days;
mod overview;
mod report;
mod sizes;
mod tasks;
mod views;

use std::sync::{Arc, Mutex, PoisonError};

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, params};

pub use sizes::ClickSizes;
pub use views::NewViews;

use super::Store;
use super::db::error::StoreError;
use super::db::pending::Pending;
use super::db::rows::scalar;
use crate::domain::{Click, HOURS_KEPT, Verdict, day_in_india, hour_in_india};

/// Maximum number of sums (of a product, channel, place and verdict) of an hour. In an hour that has
/// more, the rest is summed under "Other deals", by verdict.
pub(super) const HOURLY_KINDS: i64 = 20_000;
/// Maximum number of uncounted clicks stored.
const LEFT_OUT: i64 = 10_000;
/// Retention of uncounted clicks: 30 days, in milliseconds.
const LEFT_OUT_FOR: i64 = 30 * 24 * 60 * 60_000;

impl Store {
    /// Records a click and returns the product's new count once committed; `judge` is called when
    /// the product was found. Fails with [`StoreError::NotFound`] if there is no public product with
    /// this id.
    pub fn record_click(
        &self,
        id: String,
        at: Timestamp,
        judge: impl FnOnce() -> Click + Send + 'static,
    ) -> Pending<i64> {
        let rows = self.0.hour_rows.clone();
        self.write(move |connection| {
            // A SELECT is faster than RETURNING, which uses a temporary table.
            let mut product = connection.prepare_cached(
                "SELECT key, clicks FROM listed_products \
                 WHERE id = ? AND NOT draft AND coalesce(starts_at <= ?, 1)",
            )?;
            let at = at.as_millisecond();
            let (key, before): (i64, i64) =
                product.query_row(params![id, at], |row| Ok((row.get(0)?, row.get(1)?)))?;
            let clicks = before + 1;
            connection
                .prepare_cached("UPDATE products SET clicks = ? WHERE key = ?")?
                .execute([clicks, key])?;
            explain(connection, &id, &judge(), &rows)?;
            Ok(clicks)
        })
    }

    /// Adds already counted clicks, oldest first, to the sums.
    pub fn explain_clicks(&self, clicks: Vec<(String, Click)>) -> Pending<()> {
        let rows = self.0.hour_rows.clone();
        self.write(move |connection| {
            for (id, click) in &clicks {
                explain(connection, id, click, &rows)?;
            }
            Ok(())
        })
    }

    /// Returns the oldest day whose hours [`Store::fold_day`] has to fold.
    pub fn day_to_fold(&self, now: Timestamp) -> Result<Option<i64>, StoreError> {
        self.read(|connection| {
            let oldest: Option<i64> =
                scalar(connection, "SELECT min(hour) FROM hourly_clicks", [])?;
            let day = oldest.map(|hour| hour.div_euclid(24));
            Ok(day.filter(|day| *day <= day_in_india(now) - HOURS_KEPT))
        })
    }

    /// Folds the sums of a day's hours into one row.
    pub fn fold_day(&self, day: i64) -> Pending<()> {
        self.write(move |connection| days::fold(connection, day))
    }

    /// Returns true if [`Store::delete_old_left_out`] has something to do.
    pub fn has_old_left_out(&self, now: Timestamp) -> Result<bool, StoreError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT coalesce((SELECT max(key) FROM excluded_clicks) \
                     - (SELECT min(key) FROM excluded_clicks) >= ?1, 0) \
                 OR coalesce((SELECT at FROM excluded_clicks ORDER BY key LIMIT 1) < ?2, 0)",
            )?;
            let oldest = now.as_millisecond() - LEFT_OUT_FOR;
            Ok(statement.query_row([LEFT_OUT, oldest], |row| row.get(0))?)
        })
    }

    /// Deletes old uncounted clicks.
    pub fn delete_old_left_out(&self, now: Timestamp) -> Pending<()> {
        self.execute(
            "DELETE FROM excluded_clicks \
             WHERE key <= (SELECT max(key) FROM excluded_clicks) - ?1 OR at < ?2",
            [LEFT_OUT, now.as_millisecond() - LEFT_OUT_FOR],
        )
    }
}

/// Number of rows in `hourly_clicks` of the hour that was clicked last, so that a click need not count
/// them.
#[derive(Clone, Default)]
pub(super) struct HourRows(Arc<Mutex<Option<(i64, i64)>>>);

impl HourRows {
    /// Returns true, and counts a row, if the hour has fewer than [`HOURLY_KINDS`].
    fn take(&self, connection: &Connection, hour: i64) -> Result<bool, StoreError> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let rows = match *known {
            Some((of, rows)) if of == hour => rows,
            _ => {
                let sql = "SELECT count(*) FROM hourly_clicks WHERE hour = ?";
                scalar(connection, sql, [hour])?
            }
        };
        let has_room = rows < HOURLY_KINDS;
        *known = Some((hour, rows + i64::from(has_room)));
        Ok(has_room)
    }
}

/// Adds a click to its hourly sum.
fn explain(
    connection: &Connection,
    id: &str,
    click: &Click,
    rows: &HourRows,
) -> Result<(), StoreError> {
    let counted = i64::from(click.verdict == Verdict::Counted);
    let day = day_in_india(click.at) * counted;
    let number = match add(connection, id, counted, day)? {
        Some(number) => number,
        None => first(connection, id, counted, day)?,
    };
    let verdict = click.verdict.code();
    let kind = [click.channel.code(), click.place.code(), verdict];
    add_to_hour(connection, hour_in_india(click.at), number, kind, rows)?;
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

/// Adds to the sum of a product, channel, place and verdict. Once an hour has [`HOURLY_KINDS`] of
/// them, new ones are added up by verdict alone.
fn add_to_hour(
    connection: &Connection,
    hour: i64,
    product: i64,
    [channel, place, verdict]: [i64; 3],
    rows: &HourRows,
) -> Result<(), StoreError> {
    let mut add = connection.prepare_cached(
        "UPDATE hourly_clicks SET clicks = clicks + 1 \
         WHERE (hour, product, channel, place, verdict) = (?, ?, ?, ?, ?)",
    )?;
    if add.execute([hour, product, channel, place, verdict])? > 0 {
        return Ok(());
    }
    let mut insert = connection.prepare_cached(
        "INSERT INTO hourly_clicks VALUES (?, ?, ?, ?, ?, 1) \
         ON CONFLICT DO UPDATE SET clicks = clicks + 1",
    )?;
    if rows.take(connection, hour)? {
        insert.execute([hour, product, channel, place, verdict])?;
    } else {
        days::insert_other(connection)?;
        insert.execute([hour, days::OTHER, 0, 0, verdict])?;
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
