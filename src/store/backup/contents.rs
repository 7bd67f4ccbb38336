//! Summary of a database.

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
    /// Number of pictures.
    pub pictures: u64,
    /// Size of the pictures in bytes.
    pub picture_bytes: u64,
    /// Size in bytes.
    pub bytes: u64,
}

impl Contents {
    /// Reads the summary from a database.
    pub(crate) fn read(connection: &Connection) -> Result<Self, StoreError> {
        let schema = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
        let number = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, u64>(0));
        let accounts = number("SELECT count(*) FROM users")?;
        let products = number("SELECT count(*) FROM listed_products")?;
        let bytes =
            number("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")?;
        Ok(Self {
            schema,
            products,
            accounts,
            // An older schema has none.
            pictures: number("SELECT count(*) FROM pictures").unwrap_or(0),
            picture_bytes: number("SELECT coalesce(sum(bytes), 0) FROM pictures").unwrap_or(0),
            bytes,
        })
    }
}
