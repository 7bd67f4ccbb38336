//! When the price of a product was looked at: what changes the price looks at it, and what finds it
//! as it was does too; what changes something else does not.

use jiff::Timestamp;
use rusqlite::{Connection, params};

use crate::store::db::error::StoreError;

/// The price of a product that was just changed was looked at then.
pub(crate) fn with_its_change(connection: &Connection, id: &str) -> Result<(), StoreError> {
    connection
        .prepare_cached(
            "DELETE FROM price_looks \
             WHERE product = (SELECT key FROM listed_products WHERE id = ?)",
        )?
        .execute([id])?;
    Ok(())
}

/// The price of a product was looked at then, whenever the product was changed.
pub(crate) fn at(connection: &Connection, id: &str, at: Timestamp) -> Result<(), StoreError> {
    connection
        .prepare_cached(
            "INSERT OR REPLACE INTO price_looks \
             SELECT key, ?2 FROM listed_products WHERE id = ?1",
        )?
        .execute(params![id, at.as_millisecond()])?;
    Ok(())
}
