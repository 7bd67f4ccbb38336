//! Pictures that failed to load, as browsers report because the server fetches none.

use jiff::Timestamp;
use rusqlite::params;

use crate::store::db::pending::Pending;
use crate::store::db::rows::{column, scalar};
use crate::store::{Store, StoreError};

/// Maximum number of pictures; the oldest make room, those that visitors reported first.
const MOST: i64 = 1_000;
/// Time in milliseconds after which a picture is forgotten: a week.
pub(crate) const KEPT_FOR: i64 = 7 * 24 * 60 * 60_000;

impl Store {
    /// Returns true if a live product has this picture.
    pub fn has_picture(&self, id: &str, image: &str) -> Result<bool, StoreError> {
        self.read(|connection| {
            let sql = "SELECT EXISTS (SELECT 1 FROM live_products WHERE id = ? \
                       AND EXISTS (SELECT 1 FROM json_each(images) WHERE value = ?))";
            Ok(scalar(connection, sql, [id, image])?)
        })
    }

    /// Records a picture that failed to load for several visitors, or in an owner's browser. Fails
    /// with [`NotFound`](crate::store::StoreError::NotFound) if no live product has it.
    pub fn picture_failed(
        &self,
        id: String,
        image: String,
        by_owner: bool,
        now: Timestamp,
    ) -> Pending<()> {
        self.write(move |connection| {
            let sql = "SELECT key FROM live_products WHERE id = ? \
                       AND EXISTS (SELECT 1 FROM json_each(images) WHERE value = ?)";
            let key: i64 = scalar(connection, sql, [&id, &image])?;
            let now = now.as_millisecond();
            connection
                .prepare_cached(
                    "INSERT INTO broken_images (product, image, at, by_owner) VALUES (?, ?, ?, ?) \
                     ON CONFLICT DO UPDATE \
                     SET at = excluded.at, by_owner = max(by_owner, excluded.by_owner)",
                )?
                .execute(params![key, image, now, by_owner])?;
            connection
                .prepare_cached(
                    "DELETE FROM broken_images WHERE at <= ? OR (product, image) IN \
                     (SELECT product, image FROM broken_images \
                      ORDER BY by_owner DESC, at DESC LIMIT -1 OFFSET ?)",
                )?
                .execute([now - KEPT_FOR, MOST])?;
            Ok(())
        })
    }

    /// Returns the pictures of a product that failed to load in an owner's browser.
    pub fn missing_pictures(&self, id: &str, now: Timestamp) -> Result<Vec<String>, StoreError> {
        self.read(|connection| {
            let sql = "SELECT image FROM broken_images WHERE by_owner AND at > ? \
                       AND product = (SELECT key FROM listed_products WHERE id = ?)";
            let since = now.as_millisecond() - KEPT_FOR;
            Ok(column(connection, sql, params![since, id])?)
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
