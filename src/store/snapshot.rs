//! The database as of one moment, with the orders in memory that belong to it.

use rusqlite::Connection;

use super::kept_orders::Kept;
use super::orders::Orders;
use super::{Store, StoreError, Timed};

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
    #[track_caller]
    pub(super) fn at_one_moment<T>(
        &self,
        with_orders: bool,
        query: impl FnOnce(&Snapshot<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let connection = self.connection()?;
        let _timed = Timed::begin();
        for _ in 0..TRIES {
            let _moment = Moment::begin(&connection)?;
            let (change, hides_any) = state_of(&connection)?;
            let kept = if with_orders {
                self.0.orders.at(&connection, change, &self.0.path)?
            } else {
                Kept::Missing
            };
            let orders = match &kept {
                Kept::Newer => continue,
                Kept::Missing => None,
                Kept::Ready(orders) => orders.as_ref(),
            };
            return read(&connection, hides_any, orders, query);
        }
        let _moment = Moment::begin(&connection)?;
        let (_, hides_any) = state_of(&connection)?;
        read(&connection, hides_any, None, query)
    }
}

/// A transaction that only reads: its statements are prepared once for a connection,
/// which takes a tenth of the time of a small query otherwise.
struct Moment<'a>(&'a Connection);

impl<'a> Moment<'a> {
    fn begin(connection: &'a Connection) -> Result<Self, StoreError> {
        connection.prepare_cached("BEGIN")?.execute([])?;
        Ok(Self(connection))
    }
}

impl Drop for Moment<'_> {
    fn drop(&mut self) {
        let ended = self
            .0
            .prepare_cached("COMMIT")
            .and_then(|mut end| end.execute([]));
        if let Err(error) = ended {
            tracing::error!(%error, "a snapshot could not be ended");
        }
    }
}

/// The number of the last change, and whether any products are hidden: one statement for
/// both, because each takes a fiftieth of the time of a page.
fn state_of(connection: &Connection) -> Result<(i64, bool), StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT coalesce(max(number), 0), EXISTS (SELECT 1 FROM hidden_products) \
         FROM product_changes",
    )?;
    Ok(statement.query_row([], |row| Ok((row.get(0)?, row.get(1)?)))?)
}

fn read<T>(
    connection: &Connection,
    hides_any: bool,
    orders: Option<&Orders>,
    query: impl FnOnce(&Snapshot<'_>) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    query(&Snapshot {
        connection,
        hidden: match hides_any {
            true => hidden(connection)?,
            false => Vec::new(),
        },
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
