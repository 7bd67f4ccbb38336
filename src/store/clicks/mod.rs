//! Click counts, and their sums by kind.

pub(crate) mod overview;
mod page_views;
mod report;
mod sizes;
pub(crate) mod sums;
mod tasks;
pub(super) mod week;

use std::sync::{Arc, Mutex, PoisonError};

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, params};

pub use page_views::NewPageViews;
pub use sizes::ClickSizes;

use self::sums::HOURS;
use super::Store;
use super::db::error::StoreError;
use super::db::pending::Pending;
use super::db::rows::scalar;
use crate::domain::{Classification, Click, ClickKind, HOURS_KEPT, day_in_india, hour_in_india};

/// Maximum number of kinds of an hour. In an hour that has more, the rest is summed under "Other
/// deals", by classification.
pub(super) const HOURLY_KINDS: i64 = 20_000;
/// Maximum number of uncounted clicks stored.
const LEFT_OUT: i64 = 10_000;
/// Retention of uncounted clicks: 30 days, in milliseconds.
const LEFT_OUT_FOR: i64 = 30 * 24 * 60 * 60_000;

impl Store {
    /// Records a click and returns the product's new count once committed; `classify` is called when
    /// the product was found. Fails with [`StoreError::NotFound`] if there is no public product with
    /// this id.
    pub fn record_click(
        &self,
        id: String,
        at: Timestamp,
        classify: impl FnOnce() -> Click + Send + 'static,
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
            add_to_sums(connection, &id, &classify(), &rows)?;
            Ok(clicks)
        })
    }

    /// Adds already counted clicks, oldest first, to the sums.
    pub fn add_classified_clicks(&self, clicks: Vec<(String, Click)>) -> Pending<()> {
        let rows = self.0.hour_rows.clone();
        self.write(move |connection| {
            for (id, click) in &clicks {
                add_to_sums(connection, id, click, &rows)?;
            }
            Ok(())
        })
    }

    /// Returns the oldest hour that [`Store::fold_hour`] has to fold.
    pub fn hour_to_fold(&self, now: Timestamp) -> Result<Option<i64>, StoreError> {
        let end = (day_in_india(now) - HOURS_KEPT + 1) * 24;
        self.read(|connection| {
            let sql = "SELECT min(period) FROM click_sums WHERE period >= ?";
            let oldest: Option<i64> = scalar(connection, sql, [HOURS])?;
            Ok(oldest
                .map(|period| period - HOURS)
                .filter(|hour| *hour < end))
        })
    }

    /// Adds the sums of an hour to those of its day.
    pub fn fold_hour(&self, hour: i64) -> Pending<()> {
        self.write(move |connection| sums::fold(connection, hour))
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

/// Number of sums of the hour that was clicked last, so that a click need not count them.
#[derive(Clone, Default)]
pub(super) struct HourRows(Arc<Mutex<Option<(i64, i64)>>>);

impl HourRows {
    /// Returns true, and counts a row, if the hour has fewer than [`HOURLY_KINDS`].
    fn reserve_row(&self, connection: &Connection, period: i64) -> Result<bool, StoreError> {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let rows = match *last {
            Some((of, rows)) if of == period => rows,
            _ => {
                let sql = "SELECT count(*) FROM click_sums WHERE period = ?";
                scalar(connection, sql, [period])?
            }
        };
        let has_room = rows < HOURLY_KINDS;
        *last = Some((period, rows + i64::from(has_room)));
        Ok(has_room)
    }
}

/// Adds a click to its hourly sum.
fn add_to_sums(
    connection: &Connection,
    id: &str,
    click: &Click,
    rows: &HourRows,
) -> Result<(), StoreError> {
    let counted = i64::from(click.classification == Classification::Counted);
    let day = day_in_india(click.at) * counted;
    let number = match count_for_product(connection, id, counted, day)? {
        Some(number) => number,
        None => insert_product(connection, id, counted, day)?,
    };
    add_to_hour(
        connection,
        hour_in_india(click.at),
        click.kind(number),
        rows,
    )?;
    if click.classification != Classification::Counted {
        let at = click.at.as_millisecond();
        connection
            .prepare_cached(
                "INSERT INTO excluded_clicks (at, product, verdict, reason, user_agent) VALUES (?, ?, ?, ?, ?)",
            )?
            .execute(params![
                at,
                number,
                click.classification.code(),
                click.why,
                click.agent
            ])?;
    }
    Ok(())
}

/// Adds a click to the sum of its kind. Once an hour has [`HOURLY_KINDS`] of them, new ones are added
/// up by classification alone.
fn add_to_hour(
    connection: &Connection,
    hour: i64,
    kind: ClickKind,
    rows: &HourRows,
) -> Result<(), StoreError> {
    let period = HOURS + hour;
    let mut update = connection.prepare_cached(
        "UPDATE click_sums SET clicks = clicks + 1 WHERE (period, kind) = (?, ?)",
    )?;
    if update.execute([period, kind.0])? > 0 {
        return Ok(());
    }
    if rows.reserve_row(connection, period)? {
        return sums::add(connection, period, kind, 1);
    }
    sums::insert_other_deals(connection)?;
    sums::add(connection, period, kind.of_other_deals(), 1)
}

/// Counts a click for a previously clicked product; returns its number.
fn count_for_product(
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

fn insert_product(
    connection: &Connection,
    id: &str,
    counted: i64,
    day: i64,
) -> Result<i64, StoreError> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO clicked_products (id, title, source, category, classified, counted, last_counted) \
         SELECT id, title, source, category, 1, ?2, ?3 FROM listed_products WHERE id = ?1",
    )?;
    Ok(statement.insert(params![id, counted, day])?)
}
