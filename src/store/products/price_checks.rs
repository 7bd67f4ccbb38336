//! Times of price checks that differ from `updated_at`. An import, a save of the product, or a
//! confirmation checks its price; another change does not.

use jiff::Timestamp;
use rusqlite::{Connection, params};

use crate::store::db::error::StoreError;
use crate::store::db::rows::run;

/// Makes `updated_at` the time of the price check.
pub(crate) fn clear(connection: &Connection, id: &str) -> Result<(), StoreError> {
    let sql = "DELETE FROM price_checks \
             WHERE product = (SELECT key FROM listed_products WHERE id = ?)";
    run(connection, sql, [id])
}

pub(crate) fn record(connection: &Connection, id: &str, at: Timestamp) -> Result<(), StoreError> {
    let sql = "INSERT OR REPLACE INTO price_checks \
             SELECT key, ?2 FROM listed_products WHERE id = ?1";
    run(connection, sql, params![id, at.as_millisecond()])
}
