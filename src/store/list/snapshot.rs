//! The database as of one moment, with the sorts in memory that belong to it.

use roaring::RoaringBitmap;
use rusqlite::{Connection, Rows, Statement};

use super::sort_cache::Kept;
use super::sort_index::SortIndex;
use crate::domain::Filters;
use crate::store::db::error::StoreError;
use crate::store::products::hidden::{hidden, not_live};
use crate::store::{SlowQueryWarning, Store};

/// How often a snapshot is taken again because the sorts are a commit ahead of it.
const TRIES: usize = 4;

/// What a query reads.
pub(crate) struct Snapshot<'a> {
    pub(crate) connection: &'a Connection,
    /// The number of the last change of a product.
    pub(crate) change: i64,
    /// Products that no list shows, if there are any: of an import that is not finished, and those
    /// that are not live. None where the sorts tell.
    not_shown: RoaringBitmap,
    hides_any: bool,
    /// Every product's place in every sort, if that is known.
    pub(crate) sorts: Option<&'a SortIndex>,
}

impl Snapshot<'_> {
    /// Takes out what lists do not show. With a filter by state nothing is: that set is complete.
    pub(crate) fn leave_shown(&self, filters: &Filters, keys: &mut RoaringBitmap) {
        if filters.state.is_some() {
            return;
        }
        match self.sorts {
            Some(sorts) if self.hides_any => *keys &= sorts.keys(),
            _ => *keys -= &self.not_shown,
        }
    }
}

impl Store {
    /// Runs a query on one snapshot of the database, with the sorts in memory if it
    /// can use them and they are there.
    #[track_caller]
    pub(crate) fn with_snapshot<T, E: From<StoreError>>(
        &self,
        with_sorts: bool,
        query: impl FnOnce(&Snapshot<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let connection = self.connection()?;
        let _timed = SlowQueryWarning::begin();
        let mut state = connection.prepare_cached(STATE).map_err(StoreError::from)?;
        for _ in 0..TRIES {
            let transaction = ReadTransaction::begin(&mut state)?;
            let kept = if with_sorts {
                let sorts = &self.0.sorts;
                sorts.at(&connection, transaction.change, &self.0.file)?
            } else {
                Kept::Missing
            };
            let sorts = match &kept {
                Kept::Newer => continue,
                Kept::Missing => None,
                Kept::Ready(sorts) => sorts.as_ref(),
            };
            return read(&connection, &transaction, sorts, query);
        }
        let transaction = ReadTransaction::begin(&mut state)?;
        read(&connection, &transaction, None, query)
    }
}

/// The number of the last change, and whether there are products that no list shows.
const STATE: &str = "SELECT coalesce(max(number), 0), EXISTS (SELECT 1 FROM hidden_products) \
     OR EXISTS (SELECT 1 FROM listed_products WHERE state > 0) FROM product_changes";

/// A read transaction, for as long as this is there. A statement that has given a row
/// and was not reset holds its snapshot, and every other statement of the connection reads
/// the same one. `BEGIN` and `COMMIT` would be two statements more, each a fiftieth of the
/// time of a page.
struct ReadTransaction<'a> {
    change: i64,
    hides_any: bool,
    _held: Rows<'a>,
}

impl<'a> ReadTransaction<'a> {
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
    transaction: &ReadTransaction<'_>,
    sorts: Option<&SortIndex>,
    query: impl FnOnce(&Snapshot<'_>) -> Result<T, E>,
) -> Result<T, E> {
    query(&Snapshot {
        connection,
        change: transaction.change,
        not_shown: if transaction.hides_any && sorts.is_none() {
            let mut not_shown = hidden(connection)?;
            not_shown |= not_live(connection)?;
            not_shown
        } else {
            RoaringBitmap::new()
        },
        hides_any: transaction.hides_any,
        sorts,
    })
}
