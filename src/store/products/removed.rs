//! Removed products: deleted ones that visitors could see, for 90 days. Triggers write them.

use jiff::{SignedDuration, Timestamp};
use rusqlite::params;

use crate::domain::{Category, RemovedProduct};
use crate::store::Store;
use crate::store::categories::LABEL;
use crate::store::db::error::Result;
use crate::store::db::pending::Pending;
use crate::store::db::rows::{scalar, time_at};

/// Time for which a deleted product is remembered.
const LIFETIME: SignedDuration = SignedDuration::from_hours(90 * 24);

impl Store {
    /// Returns the product with this `_id` that was deleted in the last 90 days.
    pub fn find_removed(&self, id: &str, now: Timestamp) -> Result<RemovedProduct> {
        self.read(|connection| {
            let sql = format!(
                "SELECT id, title, source, {LABEL} AS label, removed_at FROM removed_products \
                 WHERE id = ? AND removed_at >= ?"
            );
            let mut statement = connection.prepare_cached(&sql)?;
            Ok(statement.query_row(params![id, oldest(now)], |row| {
                let label: String = row.get("label")?;
                Ok(RemovedProduct {
                    id: row.get("id")?,
                    title: row.get("title")?,
                    source: row.get("source")?,
                    category: Category::from_label(&label).ok_or(rusqlite::Error::InvalidQuery)?,
                    removed_at: time_at(row, "removed_at")?,
                })
            })?)
        })
    }

    /// True if there are removed products to forget.
    pub fn has_old_removed(&self, now: Timestamp) -> Result<bool> {
        self.read(|connection| {
            let sql = "SELECT EXISTS (SELECT 1 FROM removed_products WHERE removed_at < ?)";
            Ok(scalar(connection, sql, [oldest(now)])?)
        })
    }

    /// Forgets the products that were deleted more than 90 days ago.
    pub fn forget_old_removed(&self, now: Timestamp) -> Pending<()> {
        let sql = "DELETE FROM removed_products WHERE removed_at < ?";
        self.execute(sql, [oldest(now)])
    }
}

fn oldest(now: Timestamp) -> i64 {
    (now - LIFETIME).as_millisecond()
}
