//! Reads the product changes that triggers record.

use std::collections::BTreeMap;

use rusqlite::Connection;

use crate::store::db::error::StoreError;
use crate::store::search::chunks::doc_id;

/// Maximum number of changes to apply; rebuilding the sorts is faster for more.
const MOST: usize = 500;

/// Returns the products changed after `change`, and whether only their clicks did; [`None`] if they
/// are too many or no longer recorded.
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
        if number != expected || key == 0 || changes.len() > MOST {
            return Ok(None);
        }
        let clicks_only: bool = row.get(2)?;
        *changes.entry(doc_id(key)?).or_insert(true) &= clicks_only;
    }
    Ok(Some(changes))
}

#[cfg(test)]
mod tests {
    use crate::store::Store;
    use crate::store::products::columns;

    #[test]
    fn a_change_of_any_column_but_the_key_is_noted() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("deals.sqlite")).unwrap();
        let noted = |trigger: &str| {
            let sql = store.read(|connection| {
                let sql = "SELECT sql FROM sqlite_schema WHERE name = ?";
                Ok(connection.query_row(sql, [trigger], |row| row.get::<_, String>(0))?)
            });
            let sql = sql.unwrap();
            let (_, columns) = sql.split_once("UPDATE OF").unwrap();
            let (columns, _) = columns.split_once("ON products").unwrap();
            columns
                .split(',')
                .map(|column| column.trim().to_owned())
                .collect::<Vec<_>>()
        };
        let mut noted = [
            noted("products_changed_update"),
            noted("products_changed_click"),
        ]
        .concat();
        let worked_out = ["state", "proof", "badge"].map(str::to_owned);
        let mut all: Vec<_> = columns::ALL
            .split(", ")
            .map(str::to_owned)
            .chain(worked_out)
            .collect();
        noted.sort_unstable();
        all.sort_unstable();
        assert_eq!(noted, all);
    }
}
