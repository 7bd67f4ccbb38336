//! Which products changed, as triggers note it, whoever changes them.

use std::collections::BTreeMap;

use rusqlite::Connection;

use crate::store::db::error::StoreError;
use crate::store::search::chunks::doc_id;

/// Changes that are told one by one; to begin again is quicker for more.
const TOLD: usize = 2_000;

/// The products that changed after a change, as of the snapshot that the connection reads, and of
/// each whether nothing but its clicks did; nothing when they are too many, or not known any more.
pub(crate) fn changed_since(
    connection: &Connection,
    change: i64,
) -> Result<Option<BTreeMap<u32, bool>>, StoreError> {
    let mut changes = BTreeMap::new();
    let mut statement = connection.prepare_cached(
        "SELECT number, key, clicks_only FROM product_changes WHERE number > ? ORDER BY number",
    )?;
    let mut rows = statement.query([change])?;
    let mut expected = change;
    while let Some(row) = rows.next()? {
        let (number, key): (i64, i64) = (row.get(0)?, row.get(1)?);
        expected += 1;
        if number != expected || key == 0 || changes.len() > TOLD {
            return Ok(None);
        }
        let clicks_only: bool = row.get(2)?;
        *changes.entry(doc_id(key)?).or_insert(true) &= clicks_only;
    }
    Ok(Some(changes))
}
