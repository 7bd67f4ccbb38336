//! Keys of unlisted products: of an unfinished import, or not live.

use roaring::RoaringBitmap;
use rusqlite::Connection;

use crate::domain::State;
use crate::store::db::error::StoreError;
use crate::store::db::rows::column;

/// Returns the keys of an unfinished import's products, to filter results of the full-text index.
/// SQL uses the view `listed_products` instead.
pub(crate) fn hidden(connection: &Connection) -> Result<RoaringBitmap, StoreError> {
    let mut statement = connection.prepare_cached("SELECT first, last FROM hidden_products")?;
    let mut rows = statement.query([])?;
    let mut hidden = RoaringBitmap::new();
    while let Some(row) = rows.next()? {
        hidden.insert_range(row.get::<_, u32>(0)?..=row.get::<_, u32>(1)?);
    }
    Ok(hidden)
}

/// Returns the keys of drafts, scheduled and ended products. SQL uses the view `live_products`
/// instead.
pub(crate) fn not_live(connection: &Connection) -> Result<RoaringBitmap, StoreError> {
    keys(connection, "state > 0")
}

/// Returns the keys of products in a state other than live.
pub(crate) fn in_state(connection: &Connection, state: State) -> Result<RoaringBitmap, StoreError> {
    let which = format!("state > 0 AND state = {}", state.code());
    keys(connection, &which)
}

fn keys(connection: &Connection, which: &str) -> Result<RoaringBitmap, StoreError> {
    let sql = format!("SELECT key FROM listed_products WHERE {which}");
    Ok(column::<u32, _>(connection, &sql, [])?)
}
