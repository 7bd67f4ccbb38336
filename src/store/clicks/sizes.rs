//! Sizes of the tables that visitors fill, for `deals check`.

use std::path::Path;

use rusqlite::Connection;

use super::HOURLY_KINDS;
use super::days::{DAILY_KINDS, OTHER};
use super::views::DAILY_VIEWED;
use crate::store::db::error::StoreError;
use crate::store::db::open;
use crate::store::db::preflight::OpenError;
use crate::store::db::rows::scalar;

/// Sizes of the click and view sums, with their limits.
#[derive(Debug, Clone)]
pub struct ClickSizes {
    /// Rows of the last 15 days' hours.
    pub hourly: u64,
    /// Bytes of earlier days.
    pub daily: u64,
    /// Number of earlier days.
    pub days: u64,
    /// Rows of views.
    pub views: u64,
    /// Whether an hour of the last 15 days had more sums than are kept.
    pub was_full: bool,
}

impl ClickSizes {
    /// Maximum rows of an hour.
    pub const PER_HOUR: i64 = HOURLY_KINDS;
    /// Maximum sums of an earlier day, of 12 bytes each.
    pub const PER_DAY: usize = DAILY_KINDS;
    /// Maximum rows of views of a day.
    pub const VIEWED_PER_DAY: i64 = DAILY_VIEWED;

    /// Reads the sizes from a database, which a server may use meanwhile.
    ///
    /// # Errors
    ///
    /// [`OpenError`] if this program cannot read it.
    pub fn of(path: &Path) -> Result<Self, OpenError> {
        let connection = open::for_reading(path)?;
        let sizes = Self::read(&connection);
        sizes.map_err(|error| OpenError::other(path, &error))
    }

    fn read(connection: &Connection) -> Result<Self, StoreError> {
        let full = "SELECT EXISTS (SELECT 1 FROM hourly_clicks WHERE product = ?)";
        Ok(Self {
            hourly: scalar(connection, "SELECT count(*) FROM hourly_clicks", [])?,
            daily: scalar(
                connection,
                "SELECT coalesce(sum(length(sums)), 0) FROM daily_clicks",
                [],
            )?,
            days: scalar(connection, "SELECT count(*) FROM daily_clicks", [])?,
            views: scalar(connection, "SELECT count(*) FROM daily_views", [])?,
            was_full: scalar(connection, full, [OTHER])?,
        })
    }
}
