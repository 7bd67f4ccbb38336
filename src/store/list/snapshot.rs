//! A read transaction and the matching sorts in memory.

use std::sync::Arc;

use roaring::RoaringBitmap;
use rusqlite::{Connection, Transaction};

use super::sort_cache::CachedSorts;
use super::sort_index::SortIndex;
use crate::domain::{Categories, Filters};
use crate::store::db::error::StoreError;
use crate::store::products::hidden::{hidden, not_live};
use crate::store::search::same_words::SameWords;
use crate::store::search::terms::Query;
use crate::store::{SlowQueryWarning, Store};

/// Retries if the sorts are a commit ahead of the snapshot.
const TRIES: usize = 4;

/// Data of one query.
pub(crate) struct Snapshot<'a> {
    pub(crate) connection: &'a Connection,
    /// Keys of hidden and not live products; empty if `sorts` is set.
    not_shown: RoaringBitmap,
    hides_any: bool,
    pub(crate) categories: Arc<Categories>,
    /// Sorts in memory, if up to date.
    pub(crate) sorts: Option<&'a SortIndex>,
    same_words: Arc<SameWords>,
}

impl<'a> Snapshot<'a> {
    fn new(
        connection: &'a Connection,
        categories: Arc<Categories>,
        hides_any: bool,
        sorts: Option<&'a SortIndex>,
        same_words: Arc<SameWords>,
    ) -> Result<Self, StoreError> {
        let not_shown = if hides_any && sorts.is_none() {
            hidden(connection)? | not_live(connection)?
        } else {
            RoaringBitmap::new()
        };
        Ok(Self {
            connection,
            categories,
            not_shown,
            hides_any,
            sorts,
            same_words,
        })
    }

    /// Parses the text of a search; `None` if it has no words.
    pub(crate) fn parse(&self, search: &str) -> Option<Query> {
        Query::parse_with(search, &self.same_words)
    }

    /// Parses the search of filters; `None` without words.
    pub(crate) fn words(&self, filters: &Filters) -> Option<Query> {
        self.parse(filters.search.as_deref()?)
    }

    /// Removes unlisted products, unless filtered by state.
    pub(crate) fn remove_unlisted(&self, filters: &Filters, keys: &mut RoaringBitmap) {
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
    /// Runs a query in a read transaction, with the sorts in memory if wanted and available.
    #[track_caller]
    pub(crate) fn with_snapshot<T, E: From<StoreError>>(
        &self,
        with_sorts: bool,
        query: impl FnOnce(&Snapshot<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let connection = self.connection()?;
        let _timed = SlowQueryWarning::begin();
        for _ in 0..TRIES {
            let (transaction, change, hides_any) = begin(&connection)?;
            let same_words = self.0.same_words.at(&transaction)?;
            let cached = if with_sorts {
                self.0.sorts.at(&transaction, change, &self.0.file)?
            } else {
                CachedSorts::Missing
            };
            let sorts = match &cached {
                CachedSorts::Newer => continue,
                CachedSorts::Missing => None,
                CachedSorts::Ready(sorts) => sorts.as_ref(),
            };
            let categories = self.0.categories.at(&transaction)?;
            return query(&Snapshot::new(
                &transaction,
                categories,
                hides_any,
                sorts,
                same_words,
            )?);
        }
        let (transaction, _, hides_any) = begin(&connection)?;
        let same_words = self.0.same_words.at(&transaction)?;
        let categories = self.0.categories.at(&transaction)?;
        query(&Snapshot::new(
            &transaction,
            categories,
            hides_any,
            None,
            same_words,
        )?)
    }
}

/// Number of the last change, and whether unlisted products exist.
const STATE: &str = "SELECT coalesce(max(number), 0), EXISTS (SELECT 1 FROM hidden_products) \
     OR EXISTS (SELECT 1 FROM listed_products WHERE state > 0) FROM product_changes";

/// Begins a read transaction and returns the values of [`STATE`].
fn begin(connection: &Connection) -> Result<(Transaction<'_>, i64, bool), StoreError> {
    let transaction = connection.unchecked_transaction()?;
    let (change, hides_any) = transaction
        .prepare_cached(STATE)?
        .query_row([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok((transaction, change, hides_any))
}
