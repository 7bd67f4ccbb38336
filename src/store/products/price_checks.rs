//! Times of price checks that differ from `updated_at`. An import, or a save of the product, checks
//! its price; another change does not.

use jiff::Timestamp;
use rusqlite::{Connection, params};

use crate::store::db::error::StoreError;

/// Makes `updated_at` the time of the price check.
pub(crate) fn clear(connection: &Connection, id: &str) -> Result<(), StoreError> {
    connection
        .prepare_cached(
            "DELETE FROM price_checks \
             WHERE product = (SELECT key FROM listed_products WHERE id = ?)",
        )?
        .execute([id])?;
    Ok(())
}

/// Records the time of a price check.
pub(crate) fn record(connection: &Connection, id: &str, at: Timestamp) -> Result<(), StoreError> {
    connection
        .prepare_cached(
            "INSERT OR REPLACE INTO price_checks \
             SELECT key, ?2 FROM listed_products WHERE id = ?1",
        )?
        .execute(params![id, at.as_millisecond()])?;
    Ok(())
}
