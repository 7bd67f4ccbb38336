//! Products that no list shows: of an import that is not finished, and those that are not live.

use roaring::RoaringBitmap;
use rusqlite::Connection;

use crate::domain::State;
use crate::store::db::error::StoreError;

/// The document ids of what an unfinished import has not shown yet. SQL leaves them out by the view
/// `listed_products`; this is for what works with the full-text index, or walks the database's
/// indexes.
pub(crate) fn hidden(connection: &Connection) -> Result<RoaringBitmap, StoreError> {
    let mut statement = connection.prepare_cached("SELECT first, last FROM hidden_products")?;
    let mut rows = statement.query([])?;
    let mut hidden = RoaringBitmap::new();
    while let Some(row) = rows.next()? {
        hidden.insert_range(row.get::<_, u32>(0)?..=row.get::<_, u32>(1)?);
    }
    Ok(hidden)
}

/// The document ids of drafts, and of what is scheduled or ended; SQL leaves them out by the view
/// `live_products`.
pub(crate) fn not_live(connection: &Connection) -> Result<RoaringBitmap, StoreError> {
    keys(connection, "state > 0")
}

/// The document ids of the products in one state but live.
pub(crate) fn in_state(connection: &Connection, state: State) -> Result<RoaringBitmap, StoreError> {
    keys(
        connection,
        &format!("state > 0 AND state = {}", state.code()),
    )
}

fn keys(connection: &Connection, which: &str) -> Result<RoaringBitmap, StoreError> {
    let mut statement =
        connection.prepare_cached(&format!("SELECT key FROM listed_products WHERE {which}"))?;
    let keys = statement.query_map([], |row| row.get::<_, u32>(0))?;
    Ok(keys.collect::<Result<_, _>>()?)
}
