//! Sizes of the tables that visitors fill, for `deals check`.

use std::path::Path;

use rusqlite::Connection;

use super::HOURLY_KINDS;
use super::page_views::DAILY_VIEWED;
use super::sums::{DAILY_KINDS, HOURS, for_each_hour};
use crate::domain::ClickKind;
use crate::store::db::error::StoreError;
use crate::store::db::open;
use crate::store::db::preflight::OpenError;
use crate::store::db::rows::scalar;

/// Sizes of the click and page view sums, with their limits.
#[derive(Debug, Clone)]
pub struct ClickSizes {
    /// Sums of the last 15 days' hours.
    pub hourly: u64,
    /// Sums of earlier days.
    pub daily: u64,
    /// Number of earlier days.
    pub days: u64,
    /// Rows of page views.
    pub page_views: u64,
    /// Whether an hour of the last 15 days had more sums than are kept.
    pub was_full: bool,
}

impl ClickSizes {
    /// Maximum rows of an hour.
    pub const PER_HOUR: i64 = HOURLY_KINDS;
    /// Maximum sums of an earlier day.
    pub const PER_DAY: i64 = DAILY_KINDS;
    /// Maximum rows of page views of a day.
    pub const VIEWED_PER_DAY: i64 = DAILY_VIEWED;

    /// Reads the sizes from a database, which a server may use meanwhile.
    ///
    /// # Errors
    ///
    /// [`OpenError`] if this program cannot read it.
    pub fn read_from(path: &Path) -> Result<Self, OpenError> {
        let connection = open::for_reading(path)?;
        let sizes = Self::read(&connection);
        sizes.map_err(|error| OpenError::other(path, &error))
    }

    fn read(connection: &Connection) -> Result<Self, StoreError> {
        let sums = |what: &str, period: &str| -> Result<u64, StoreError> {
            let sql = format!("SELECT {what} FROM click_sums WHERE period {period} ?");
            Ok(scalar(connection, &sql, [HOURS])?)
        };
        Ok(Self {
            hourly: sums("count(*)", ">=")?,
            daily: sums("count(*)", "<")?,
            days: sums("count(DISTINCT period)", "<")?,
            page_views: scalar(connection, "SELECT count(*) FROM daily_views", [])?,
            was_full: has_other_deals(connection)?,
        })
    }
}

/// Returns true if an hour has a sum of "Other deals".
fn has_other_deals(connection: &Connection) -> Result<bool, StoreError> {
    let mut has = false;
    for_each_hour(connection, (0, i64::MAX - HOURS), |_, kind, _| {
        has |= kind.product() == ClickKind::OTHER_DEALS;
    })?;
    Ok(has)
}
