//! When the price of a product was last checked: by a change of the price, or by an import or a save
//! that found it as it was. A change of something else checks nothing.

use jiff::Timestamp;
use rusqlite::{Connection, params};

use crate::store::db::error::StoreError;

/// Notes that the change just made checked the price: without a row, `updated_at` tells when.
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
