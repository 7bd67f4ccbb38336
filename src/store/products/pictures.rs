//! Pictures that failed to load, reported by browsers because the server fetches none.

use jiff::Timestamp;
use rusqlite::params;

use crate::store::db::pending::Pending;
use crate::store::db::rows::{column, run, scalar};
use crate::store::{Store, StoreError};

/// Maximum number of reports, because anybody can send them.
const MOST: i64 = 1_000;

impl Store {
    /// Records a picture that failed to load. Fails with
    /// [`NotFound`](crate::store::StoreError::NotFound) if no live product has it.
    pub fn picture_failed(&self, id: String, image: String, now: Timestamp) -> Pending<()> {
        self.write(move |connection| {
            let sql = "SELECT key FROM live_products WHERE id = ? \
                       AND EXISTS (SELECT 1 FROM json_each(images) WHERE value = ?)";
            let key: i64 = scalar(connection, sql, [&id, &image])?;
            let sql = "INSERT OR IGNORE INTO broken_images SELECT ?, ?, ? \
                     WHERE (SELECT count(*) FROM broken_images) < ?";
            run(
                connection,
                sql,
                params![key, image, now.as_millisecond(), MOST],
            )
        })
    }

    /// Returns the reported pictures of a product.
    pub fn missing_pictures(&self, id: &str) -> Result<Vec<String>, StoreError> {
        self.read(|connection| {
            let sql = "SELECT image FROM broken_images \
                       WHERE product = (SELECT key FROM listed_products WHERE id = ?)";
            Ok(column(connection, sql, [id])?)
        })
    }

    /// Deletes a report; returns whether there was one.
    pub fn picture_loads(&self, id: String, image: String) -> Pending<bool> {
        self.write(move |connection| {
            let forgotten = connection
                .prepare_cached(
                    "DELETE FROM broken_images WHERE image = ?2 \
                     AND product = (SELECT key FROM listed_products WHERE id = ?1)",
                )?
                .execute([&id, &image])?;
            Ok(forgotten > 0)
        })
    }
}
