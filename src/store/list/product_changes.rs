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
    use super::*;
    use crate::store::products::last_change;
    use crate::store::search::changes::WriteConnection;

    /// A new column needs no change of the triggers.
    #[test]
    fn a_change_of_any_column_is_recorded_in_product_changes() {
        let connection = WriteConnection::in_memory().unwrap().connection;
        connection
            .execute_batch(
                "INSERT INTO products (key, id, title, description, price, discount, final_price, category, \
                 source, affiliate_link, images, average_rating, total_ratings, created_at, updated_at) \
                 VALUES (7, 'a', '', '', 1, 0, 1, 'Books', '', '', '[]', 0, 0, 1, 1)",
            )
            .unwrap();
        let columns: Vec<String> = connection
            .prepare("SELECT name FROM pragma_table_info('products')")
            .unwrap()
            .query_map([], |row| row.get(0))
            .unwrap()
            .collect::<Result<_, _>>()
            .unwrap();
        assert!(columns.len() > 20, "{columns:?}");
        for column in columns {
            let before = last_change(&connection).unwrap();
            let more = if column == "clicks" { "+ 1" } else { "" };
            let change = format!("UPDATE products SET {column} = {column} {more}");
            connection.execute(&change, []).unwrap();
            let noted = changed_since(&connection, before).unwrap().unwrap();
            let expected = BTreeMap::from([(7, column == "clicks")]);
            assert_eq!(noted, expected, "{column}");
        }
    }
}
