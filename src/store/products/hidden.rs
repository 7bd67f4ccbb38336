//! Products of an import that is not finished: no list shows them yet.

use roaring::RoaringBitmap;
use rusqlite::Connection;

use crate::store::db::error::StoreError;

/// Their document ids. SQL leaves them out by the view `listed_products`; this is for what
/// works with the full-text index, or walks the database's indexes.
pub(crate) fn hidden(connection: &Connection) -> Result<RoaringBitmap, StoreError> {
    let mut statement = connection.prepare_cached("SELECT first, last FROM hidden_products")?;
    let mut rows = statement.query([])?;
    let mut hidden = RoaringBitmap::new();
    while let Some(row) = rows.next()? {
        hidden.insert_range(row.get::<_, u32>(0)?..=row.get::<_, u32>(1)?);
    }
    Ok(hidden)
}
