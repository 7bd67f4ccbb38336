//! Sums of clicks by kind in one table: a row for each hour of recent days, and for each earlier day.

use std::collections::BTreeMap;

use rusqlite::{Connection, Params};

use crate::domain::ClickKind;
use crate::store::db::error::StoreError;
use crate::store::db::rows::scalar;

/// `period` of an hour minus the hour since 1970 in India; a smaller `period` is a day.
pub(super) const HOURS: i64 = 1_000_000;
/// Maximum number of kinds of a day, some 700 kB; the rest is summed as "Other deals", by classification.
pub(super) const DAILY_KINDS: i64 = 50_000;

const HOURS_OF_DAY: i64 = 24;

/// Calls `each` with the kind and clicks of every sum of a range of hours, in hours since 1970 in
/// India.
pub(crate) fn for_each_hour(
    connection: &Connection,
    (first, last): (i64, i64),
    mut each: impl FnMut(i64, ClickKind, u64),
) -> Result<(), StoreError> {
    let sql = "SELECT period, kind, clicks FROM click_sums WHERE period BETWEEN ? AND ?";
    let hours = [HOURS + first, HOURS + last];
    for_each(connection, sql, hours, |period, kind, clicks| {
        each(period - HOURS, kind, clicks);
    })
}

/// Calls `each` with the kind and clicks of every sum of a range of days, including those of hours.
pub(crate) fn for_each_day(
    connection: &Connection,
    (first, last): (i64, i64),
    each: impl FnMut(i64, ClickKind, u64),
) -> Result<(), StoreError> {
    // One statement, so that no hour becomes part of its day meanwhile.
    let sql = "SELECT period, kind, clicks FROM click_sums WHERE period BETWEEN ?1 AND ?2 \
               UNION ALL \
               SELECT (period - ?3) / ?4, kind, clicks FROM click_sums \
               WHERE period BETWEEN max(?3, ?3 + ?1 * ?4) AND ?3 + ?2 * ?4 + ?4 - 1";
    for_each(connection, sql, [first, last, HOURS, HOURS_OF_DAY], each)
}

/// Calls `each` with the kind and clicks of every sum.
pub(crate) fn for_each_sum(
    connection: &Connection,
    mut each: impl FnMut(ClickKind, u64),
) -> Result<(), StoreError> {
    let sql = "SELECT period, kind, clicks FROM click_sums";
    for_each(connection, sql, [], |_, kind, clicks| each(kind, clicks))
}

fn for_each(
    connection: &Connection,
    sql: &str,
    periods: impl Params,
    mut each: impl FnMut(i64, ClickKind, u64),
) -> Result<(), StoreError> {
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(periods)?;
    while let Some(row) = rows.next()? {
        each(row.get(0)?, ClickKind(row.get(1)?), row.get(2)?);
    }
    Ok(())
}

/// Adds clicks to a sum of a period.
pub(super) fn add(
    connection: &Connection,
    period: i64,
    kind: ClickKind,
    clicks: u64,
) -> Result<(), StoreError> {
    connection
        .prepare_cached(
            "INSERT INTO click_sums VALUES (?, ?, ?) \
             ON CONFLICT DO UPDATE SET clicks = clicks + excluded.clicks",
        )?
        .execute((period, kind.0, clicks))?;
    Ok(())
}

/// Adds the product under whose name the sums beyond a limit are.
pub(super) fn insert_other_deals(connection: &Connection) -> Result<(), StoreError> {
    connection
        .prepare_cached(
            "INSERT OR IGNORE INTO clicked_products (number, id, title, source, category) \
             VALUES (?, '', 'Other deals', '', '')",
        )?
        .execute([ClickKind::OTHER_DEALS])?;
    Ok(())
}

/// Adds the sums of an hour to its day. After the last hour of a day, the day keeps its
/// [`DAILY_KINDS`] largest sums.
pub(super) fn fold(connection: &Connection, hour: i64) -> Result<(), StoreError> {
    let (day, period) = (hour.div_euclid(HOURS_OF_DAY), HOURS + hour);
    connection
        .prepare_cached(
            "INSERT INTO click_sums SELECT ?, kind, clicks FROM click_sums WHERE period = ? \
             ON CONFLICT DO UPDATE SET clicks = clicks + excluded.clicks",
        )?
        .execute([day, period])?;
    connection
        .prepare_cached("DELETE FROM click_sums WHERE period = ?")?
        .execute([period])?;
    let first = HOURS + day * HOURS_OF_DAY;
    let has_hours = "SELECT EXISTS (SELECT 1 FROM click_sums WHERE period BETWEEN ? AND ?)";
    if !scalar::<bool>(connection, has_hours, [first, first + HOURS_OF_DAY - 1])? {
        keep_largest(connection, day)?;
    }
    Ok(())
}

/// Adds up what a day has beyond its largest sums. SQLite sorts in temporary files, so that memory does
/// not grow with the day.
fn keep_largest(connection: &Connection, day: i64) -> Result<(), StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT kind, clicks FROM click_sums WHERE period = ? \
         ORDER BY clicks DESC, kind LIMIT -1 OFFSET ?",
    )?;
    let mut delete =
        connection.prepare_cached("DELETE FROM click_sums WHERE (period, kind) = (?, ?)")?;
    let mut rows = statement.query([day, DAILY_KINDS])?;
    let mut others = BTreeMap::<ClickKind, u64>::new();
    while let Some(row) = rows.next()? {
        let kind = ClickKind(row.get(0)?);
        delete.execute([day, kind.0])?;
        *others.entry(kind.of_other_deals()).or_default() += row.get::<_, u64>(1)?;
    }
    if !others.is_empty() {
        insert_other_deals(connection)?;
    }
    for (kind, clicks) in others {
        add(connection, day, kind, clicks)?;
    }
    Ok(())
}
