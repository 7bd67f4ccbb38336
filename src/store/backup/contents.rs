//! Summary of a database of any schema version.

use rusqlite::Connection;

use crate::store::db::error::StoreError;

/// Summary of a database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Contents {
    /// Schema version.
    pub schema: i64,
    /// Number of products in any state, without those of an unfinished import.
    pub products: u64,
    /// Number of accounts.
    pub accounts: u64,
    /// Size in bytes.
    pub bytes: u64,
}

impl Contents {
    /// Reads the summary from a database of any schema version.
    pub(crate) fn of(connection: &Connection) -> Result<Self, StoreError> {
        let schema = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
        let number = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, u64>(0));
        let accounts = match has_table(connection, "users")? {
            true => number("SELECT count(*) FROM users")?,
            false => 0,
        };
        let products = number(&format!(
            "SELECT count(*) FROM {}",
            products_of(connection)?
        ))?;
        let bytes =
            number("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")?;
        Ok(Self {
            schema,
            products,
            accounts,
            bytes,
        })
    }
}

/// Returns the table or view of the products without those of an unfinished import.
pub(crate) fn products_of(connection: &Connection) -> rusqlite::Result<&'static str> {
    let has_view = has_table(connection, "listed_products")?;
    Ok(if has_view {
        "listed_products"
    } else {
        "products"
    })
}

/// True if there is a table or view of this name.
pub(crate) fn has_table(connection: &Connection, name: &str) -> rusqlite::Result<bool> {
    connection.query_row(
        "SELECT count(*) FROM sqlite_schema WHERE type IN ('table', 'view') AND name = ?",
        [name],
        |row| row.get(0),
    )
}
