//! The database as of one moment, with the orders in memory that belong to it.

use rusqlite::Connection;

use super::kept_orders::{self, Kept};
use super::orders::Orders;
use super::{Store, StoreError};

/// How often a snapshot is taken anew because the orders are a commit ahead of it.
const TRIES: usize = 4;

/// Holds for products that are in lists; those of an import that is not finished
/// are in none.
pub(super) const VISIBLE: &str =
    "NOT EXISTS (SELECT 1 FROM hidden_products WHERE products.key BETWEEN first AND last)";

/// What a query reads.
pub(super) struct Snapshot<'a> {
    pub(super) connection: &'a Connection,
    /// The keys, from and to, of products that no list shows yet.
    pub(super) hidden: Vec<(i64, i64)>,
    /// Every product's place in every sort, if that is known.
    pub(super) orders: Option<&'a Orders>,
}

impl Snapshot<'_> {
    /// Whether lists leave this product out.
    pub(super) fn hides(&self, key: i64) -> bool {
        is_hidden(&self.hidden, key)
    }
}

impl Store {
    /// Runs a query on one snapshot of the database, with the orders in memory if it
    /// can use them and they are there.
    pub(super) fn at_one_moment<T>(
        &self,
        with_orders: bool,
        query: impl FnOnce(&Snapshot<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let connection = self.connection()?;
        for _ in 0..TRIES {
            let transaction = connection.unchecked_transaction()?;
            let change = kept_orders::last_change(&transaction)?;
            let kept = if with_orders {
                self.0.orders.at(&transaction, change, &self.0.path)?
            } else {
                Kept::Missing
            };
            let orders = match &kept {
                Kept::Newer => continue,
                Kept::Missing => None,
                Kept::Ready(orders) => orders.as_ref(),
            };
            return read(&transaction, orders, query);
        }
        let transaction = connection.unchecked_transaction()?;
        read(&transaction, None, query)
    }
}

fn read<T>(
    connection: &Connection,
    orders: Option<&Orders>,
    query: impl FnOnce(&Snapshot<'_>) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    query(&Snapshot {
        connection,
        hidden: hidden(connection)?,
        orders,
    })
}

/// The keys, from and to, of products that no list shows yet.
///
/// # Errors
///
/// [`StoreError`] when the database can't be read.
pub(super) fn hidden(connection: &Connection) -> Result<Vec<(i64, i64)>, StoreError> {
    let mut statement = connection.prepare_cached("SELECT first, last FROM hidden_products")?;
    let ranges = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(ranges.collect::<Result<_, _>>()?)
}

/// Whether a key is in one of the ranges.
pub(super) fn is_hidden(hidden: &[(i64, i64)], key: i64) -> bool {
    hidden
        .iter()
        .any(|(first, last)| (*first..=*last).contains(&key))
}
