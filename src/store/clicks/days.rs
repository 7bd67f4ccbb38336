//! Click sums: rows per hour, and a blob of 12-byte records per older day. A year's report may take
//! 100 ms, and over rows it would take 150 to 830 ms (docs/benchmarks.md).

use std::collections::BTreeMap;

use rusqlite::{Connection, OptionalExtension, params};

use crate::store::db::error::StoreError;
use crate::store::db::rows::scalar;

/// Clicks of a product with the same channel, place and verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sum {
    /// Number in `clicked_products`.
    pub(crate) product: i64,
    /// Codes of `Channel`, `Place` and `Verdict`.
    pub(crate) channel: i64,
    pub(crate) place: i64,
    pub(crate) verdict: i64,
    pub(crate) clicks: u64,
}

/// Record size in bytes: product and clicks as big-endian u32, one byte each for channel, place and
/// verdict, and a zero byte.
const RECORD: usize = 12;
/// Maximum number of records of a day, some 600 kB; the rest is summed as [`OTHER`], by verdict.
pub(super) const DAILY_KINDS: usize = 50_000;
/// Number of "Other deals" in `clicked_products`.
pub(crate) const OTHER: i64 = 0;

/// Calls `each` with every sum of a range of hours, in hours since 1970 in India.
pub(crate) fn for_each_hour(
    connection: &Connection,
    (first, last): (i64, i64),
    mut each: impl FnMut(i64, Sum),
) -> Result<(), StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT hour, product, channel, place, verdict, clicks FROM hourly_clicks \
         WHERE hour BETWEEN ? AND ?",
    )?;
    let mut rows = statement.query([first, last])?;
    while let Some(row) = rows.next()? {
        let sum = Sum {
            product: row.get(1)?,
            channel: row.get(2)?,
            place: row.get(3)?,
            verdict: row.get(4)?,
            clicks: row.get(5)?,
        };
        each(row.get(0)?, sum);
    }
    Ok(())
}

/// Calls `each` with every sum of a range of days, including hourly ones.
pub(crate) fn for_each_day(
    connection: &Connection,
    (first, last): (i64, i64),
    mut each: impl FnMut(i64, Sum),
) -> Result<(), StoreError> {
    let mut statement = connection
        .prepare_cached("SELECT day, sums FROM daily_clicks WHERE day BETWEEN ? AND ?")?;
    let mut rows = statement.query([first, last])?;
    while let Some(row) = rows.next()? {
        let day = row.get(0)?;
        let sums = row.get_ref(1)?.as_blob().map_err(rusqlite::Error::from)?;
        let (records, rest) = sums.as_chunks::<RECORD>();
        if !rest.is_empty() {
            return Err(StoreError::Other(format!(
                "the clicks of day {day} are truncated"
            )));
        }
        for record in records {
            each(day, unpack(record));
        }
    }
    let hours = (
        first.saturating_mul(24),
        last.saturating_mul(24).saturating_add(23),
    );
    for_each_hour(connection, hours, |hour, sum| {
        each(hour.div_euclid(24), sum);
    })
}

/// Adds the product under whose name the sums beyond a limit are.
pub(super) fn insert_other(connection: &Connection) -> Result<(), StoreError> {
    connection
        .prepare_cached(
            "INSERT OR IGNORE INTO clicked_products (number, id, title, source, category) \
             VALUES (?, '', 'Other deals', '', '')",
        )?
        .execute([OTHER])?;
    Ok(())
}

/// Moves the sums of a day's hours to the day. SQLite groups and sorts them in temporary files, so that
/// memory does not grow with them; the record of a day has [`DAILY_KINDS`] of them.
pub(super) fn fold(connection: &Connection, day: i64) -> Result<(), StoreError> {
    let hours = [day * 24, day * 24 + 23];
    unfold(connection, day)?;
    let mut statement = connection.prepare_cached(
        "SELECT product, channel, place, verdict, sum(clicks) AS clicks FROM hourly_clicks \
         WHERE hour BETWEEN ? AND ? GROUP BY product, channel, place, verdict \
         ORDER BY clicks DESC, product, channel, place, verdict",
    )?;
    let mut rows = statement.query(hours)?;
    let (mut sums, mut others) = (Vec::new(), BTreeMap::<i64, u64>::new());
    while let Some(row) = rows.next()? {
        let kind = [row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?];
        let clicks: u64 = row.get(4)?;
        if sums.len() < DAILY_KINDS * RECORD {
            sums.extend(pack(kind, clicks)?);
        } else {
            *others.entry(kind[3]).or_default() += clicks;
        }
    }
    if !others.is_empty() {
        insert_other(connection)?;
    }
    for (verdict, clicks) in others {
        sums.extend(pack([OTHER, 0, 0, verdict], clicks)?);
    }
    connection
        .prepare_cached("INSERT OR REPLACE INTO daily_clicks VALUES (?, ?)")?
        .execute(params![day, sums])?;
    connection
        .prepare_cached("DELETE FROM hourly_clicks WHERE hour BETWEEN ? AND ?")?
        .execute(hours)?;
    Ok(())
}

/// Moves the sums of a day that has some already to its first hour, so that one statement adds all.
fn unfold(connection: &Connection, day: i64) -> Result<(), StoreError> {
    let sql = "SELECT sums FROM daily_clicks WHERE day = ?";
    let known: Option<Vec<u8>> = scalar(connection, sql, [day]).optional()?;
    let mut add = connection.prepare_cached(
        "INSERT INTO hourly_clicks VALUES (?, ?, ?, ?, ?, ?) \
         ON CONFLICT DO UPDATE SET clicks = clicks + excluded.clicks",
    )?;
    for record in known.unwrap_or_default().as_chunks::<RECORD>().0 {
        let sum = unpack(record);
        add.execute(params![
            day * 24,
            sum.product,
            sum.channel,
            sum.place,
            sum.verdict,
            sum.clicks
        ])?;
    }
    Ok(())
}

fn pack(
    [product, channel, place, verdict]: [i64; 4],
    clicks: u64,
) -> Result<[u8; RECORD], StoreError> {
    let pack = || {
        let mut record = [0; RECORD];
        let (numbers, codes) = record.split_at_mut(8);
        let (first, second) = numbers.split_at_mut(4);
        first.copy_from_slice(&u32::try_from(product).ok()?.to_be_bytes());
        second.copy_from_slice(&u32::try_from(clicks).ok()?.to_be_bytes());
        for (byte, code) in codes.iter_mut().zip([channel, place, verdict]) {
            *byte = u8::try_from(code).ok()?;
        }
        Some(record)
    };
    pack().ok_or_else(|| StoreError::Other("a day has more clicks than fit".to_owned()))
}

fn unpack(&[a, b, c, d, e, f, g, h, channel, place, verdict, _]: &[u8; RECORD]) -> Sum {
    Sum {
        product: u32::from_be_bytes([a, b, c, d]).into(),
        channel: channel.into(),
        place: place.into(),
        verdict: verdict.into(),
        clicks: u32::from_be_bytes([e, f, g, h]).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_read_as_it_was_written() {
        for (kind, clicks) in [
            ([0, 0, 0, 0], 0),
            ([1, 13, 3, 8], 258),
            ([i64::from(u32::MAX), 255, 255, 255], u32::MAX.into()),
        ] {
            let sum = unpack(&pack(kind, clicks).unwrap());
            let read = [sum.product, sum.channel, sum.place, sum.verdict];
            assert_eq!((read, sum.clicks), (kind, clicks));
        }
        let full = i64::from(u32::MAX) + 1;
        assert!(pack([full, 0, 0, 0], 1).is_err());
        assert!(pack([1, 0, 0, 0], 1 << 32).is_err());
        assert!(pack([-1, 0, 0, 0], 1).is_err());
    }
}
