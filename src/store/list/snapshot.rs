//! The database as of one moment, with the orders in memory that belong to it.

use rusqlite::{Connection, Rows, Statement};

use super::sort_cache::Kept;
use super::sort_index::Orders;
use crate::store::{Store, StoreError, Timed};

/// How often a snapshot is taken anew because the orders are a commit ahead of it.
const TRIES: usize = 4;

/// Holds for products that are in lists; those of an import that is not finished
/// are in none.
pub(crate) const VISIBLE: &str =
    "NOT EXISTS (SELECT 1 FROM hidden_products WHERE products.key BETWEEN first AND last)";

/// What a query reads.
pub(crate) struct Snapshot<'a> {
    pub(crate) connection: &'a Connection,
    /// The keys, from and to, of products that no list shows yet.
    pub(crate) hidden: Vec<(i64, i64)>,
    /// Every product's place in every sort, if that is known.
    pub(crate) orders: Option<&'a Orders>,
}

impl Snapshot<'_> {
    /// Whether lists leave this product out.
    pub(crate) fn hides(&self, key: i64) -> bool {
        is_hidden(&self.hidden, key)
    }
}

impl Store {
    /// Runs a query on one snapshot of the database, with the orders in memory if it
    /// can use them and they are there.
    #[track_caller]
    pub(crate) fn at_one_moment<T, E: From<StoreError>>(
        &self,
        with_orders: bool,
        query: impl FnOnce(&Snapshot<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let connection = self.connection()?;
        let _timed = Timed::begin();
        let mut state = connection.prepare_cached(STATE).map_err(StoreError::from)?;
        for _ in 0..TRIES {
            let moment = Moment::begin(&mut state)?;
            let kept = if with_orders {
                let orders = &self.0.orders;
                orders.at(&connection, moment.change, &self.0.path)?
            } else {
                Kept::Missing
            };
            let orders = match &kept {
                Kept::Newer => continue,
                Kept::Missing => None,
                Kept::Ready(orders) => orders.as_ref(),
            };
            return read(&connection, &moment, orders, query);
        }
        let moment = Moment::begin(&mut state)?;
        read(&connection, &moment, None, query)
    }
}

/// The number of the last change, and whether any products are hidden.
const STATE: &str = "SELECT coalesce(max(number), 0), EXISTS (SELECT 1 FROM hidden_products) \
     FROM product_changes";

/// A moment of the database, for as long as this is there. A statement that has given a row
/// and was not reset holds its snapshot, and every other statement of the connection reads
/// the same one. `BEGIN` and `COMMIT` would be two statements more, each a fiftieth of the
/// time of a page.
struct Moment<'a> {
    change: i64,
    hides_any: bool,
    _held: Rows<'a>,
}

impl<'a> Moment<'a> {
    fn begin(state: &'a mut Statement<'_>) -> Result<Self, StoreError> {
        let mut rows = state.query([])?;
        let row = rows.next()?.ok_or(rusqlite::Error::QueryReturnedNoRows)?;
        Ok(Self {
            change: row.get(0)?,
            hides_any: row.get(1)?,
            _held: rows,
        })
    }
}

fn read<T, E: From<StoreError>>(
    connection: &Connection,
    moment: &Moment<'_>,
    orders: Option<&Orders>,
    query: impl FnOnce(&Snapshot<'_>) -> Result<T, E>,
) -> Result<T, E> {
    query(&Snapshot {
        connection,
        hidden: match moment.hides_any {
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
pub(crate) fn hidden(connection: &Connection) -> Result<Vec<(i64, i64)>, StoreError> {
    let mut statement = connection.prepare_cached("SELECT first, last FROM hidden_products")?;
    let ranges = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(ranges.collect::<Result<_, _>>()?)
}

/// Whether a key is in one of the ranges.
pub(crate) fn is_hidden(hidden: &[(i64, i64)], key: i64) -> bool {
    hidden
        .iter()
        .any(|(first, last)| (*first..=*last).contains(&key))
}
