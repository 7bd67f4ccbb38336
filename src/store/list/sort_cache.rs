//! Keeps the sorts in memory up to date.
//!
//! Triggers record each changed product. Before a query uses the sorts, recorded changes are
//! applied within the query's snapshot, so sorts and snapshot always match.

use std::cmp;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension};

use super::product_changes::changed_since;
use super::sort_columns::sort_columns;
use super::sort_index::SortIndex;
use super::write_lock;
use crate::domain::SortBy;
use crate::store::categories;
use crate::store::db::error::StoreError;
use crate::store::db::opened_file::OpenedFile;
use crate::store::db::rows::{column, scalar};
use crate::store::products::last_change;
use crate::store::products::lifetimes::count_all_live;
use crate::store::search::query;

/// Number of products up to which the first query builds the sorts, in milliseconds; for more a
/// background thread does, and queries do without meanwhile.
const BUILT_AT_ONCE: i64 = 20_000;

/// The sorts, once built.
#[derive(Clone, Default)]
pub(crate) struct SortCache(Arc<CacheInner>);

#[derive(Default)]
struct CacheInner {
    sorts: RwLock<Option<SortIndex>>,
    is_building: AtomicBool,
    is_closed: AtomicBool,
}

/// The sorts relative to a snapshot.
pub(crate) enum CachedSorts<'a> {
    /// They match the snapshot.
    Ready(RwLockReadGuard<'a, Option<SortIndex>>),
    /// They are newer: take the snapshot again.
    Newer,
    /// They are not built.
    Missing,
}

impl SortCache {
    /// Returns the sorts as of the connection's snapshot, whose last change is `change`; builds
    /// them if there are none.
    pub(crate) fn at(
        &self,
        connection: &Connection,
        change: i64,
        file: &OpenedFile,
    ) -> Result<CachedSorts<'_>, StoreError> {
        let sorts = self.0.sorts.read().unwrap_or_else(PoisonError::into_inner);
        match sorts.as_ref().map(|sorts| sorts.change) {
            Some(known) if known == change => return Ok(CachedSorts::Ready(sorts)),
            Some(known) if known > change => return Ok(CachedSorts::Newer),
            _ => drop(sorts),
        }
        let mut sorts = write_lock(&self.0.sorts);
        match sorts.as_mut() {
            Some(index) if index.change > change => return Ok(CachedSorts::Newer),
            Some(index) => {
                // Discard the sorts if a change was applied only in part.
                let applied = apply(index, connection, change);
                if !matches!(applied, Ok(true)) {
                    *sorts = None;
                    applied?;
                }
            }
            None => {}
        }
        if sorts.is_some() {
            return Ok(CachedSorts::Ready(RwLockWriteGuard::downgrade(sorts)));
        }
        if self.0.is_closed.load(Ordering::Acquire) {
            return Ok(CachedSorts::Missing);
        }
        if count_all_live(connection)? <= BUILT_AT_ONCE {
            *sorts = build(connection, change)?;
            return Ok(CachedSorts::Ready(RwLockWriteGuard::downgrade(sorts)));
        }
        drop(sorts);
        self.build_in_background(file);
        Ok(CachedSorts::Missing)
    }

    /// Drops the sorts, and builds none as long as it is closed. Returns false, and stays closed, while a
    /// thread builds them.
    pub(crate) fn close(&self, is_closed: bool) -> bool {
        let mut sorts = write_lock(&self.0.sorts);
        if !is_closed && self.0.is_building.load(Ordering::Acquire) {
            return false;
        }
        *sorts = None;
        self.0.is_closed.store(is_closed, Ordering::Release);
        true
    }

    /// True if the sorts are built, even if outdated.
    pub(crate) fn are_built(&self) -> bool {
        let sorts = self.0.sorts.try_read();
        sorts.is_ok_and(|sorts| sorts.is_some())
    }

    fn build_in_background(&self, file: &OpenedFile) {
        if self.0.is_building.swap(true, Ordering::AcqRel) {
            return;
        }
        let (cache, file) = (self.clone(), file.clone());
        let spawned = std::thread::Builder::new()
            .name("sorts".to_owned())
            .spawn(move || {
                match build_from(&file) {
                    Ok(built) => {
                        let mut sorts = write_lock(&cache.0.sorts);
                        if !cache.0.is_closed.load(Ordering::Acquire) {
                            *sorts = built;
                        }
                    }
                    Err(error) => tracing::warn!(%error, "the sorts could not be built"),
                }
                cache.0.is_building.store(false, Ordering::Release);
            });
        if spawned.is_err() {
            self.0.is_building.store(false, Ordering::Release);
        }
    }
}

fn build_from(file: &OpenedFile) -> Result<Option<SortIndex>, StoreError> {
    let connection = file.open()?;
    let snapshot = connection.unchecked_transaction()?;
    let change = last_change(&snapshot)?;
    build(&snapshot, change)
}

fn build(connection: &Connection, change: i64) -> Result<Option<SortIndex>, StoreError> {
    let mut categories = Vec::new();
    for key in categories::read(connection)?.keys() {
        let keys = query::in_categories(connection, [key], None)?;
        categories.push((key.number, keys));
    }
    let mut sorts = SortIndex::new(change, &categories);
    for sort_by in SortBy::ALL {
        let columns = sort_columns(sort_by);
        let sql = format!("SELECT key FROM live_products ORDER BY {columns}, id");
        let keys: Vec<u32> = column(connection, &sql, [])?;
        if !sorts.add_sort(&keys) {
            return Ok(None);
        }
    }
    Ok(Some(sorts))
}

/// Applies recorded changes; false if they are too many or no longer recorded.
fn apply(sorts: &mut SortIndex, connection: &Connection, change: i64) -> Result<bool, StoreError> {
    let Some(changes) = changed_since(connection, sorts.change)? else {
        return Ok(false);
    };
    let all: Vec<u32> = changes.keys().copied().collect();
    let beyond_clicks =
        |(key, clicks_only): (u32, bool)| (!clicks_only || !sorts.contains(key)).then_some(key);
    let changed: Vec<u32> = changes.into_iter().filter_map(beyond_clicks).collect();
    // A click moves a product in two sorts only. All moving keys are removed before any is
    // inserted, so that the remaining ones are in order.
    let moving = |sort_by| match sort_by {
        SortBy::Clicks | SortBy::Relevance => &all,
        _ => &changed,
    };
    for sort_by in SortBy::ALL {
        let moving = moving(sort_by).iter();
        moving.for_each(|key| sorts.remove(sort_by, *key));
    }
    for &key in &changed {
        if let Some(number) = category_of(connection, key)? {
            sorts.set_category(key, number);
        }
    }
    for sort_by in SortBy::ALL {
        if !move_to_position(sorts, connection, sort_by, moving(sort_by))? {
            return Ok(false);
        }
    }
    sorts.change = change;
    Ok(true)
}

fn category_of(connection: &Connection, key: u32) -> Result<Option<u16>, StoreError> {
    let sql = "SELECT number FROM live_products JOIN categories ON categories.key = category \
               WHERE live_products.key = ?";
    Ok(scalar(connection, sql, [key]).optional()?)
}

/// Inserts removed keys at their new positions, in sort order: a key may need its predecessor.
/// Positions are found by comparing values, because not every sort has an index.
fn move_to_position(
    sorts: &mut SortIndex,
    connection: &Connection,
    sort_by: SortBy,
    keys: &[u32],
) -> Result<bool, StoreError> {
    let columns = sort_columns(sort_by);
    let sql = format!("SELECT {columns}, id FROM live_products WHERE key = ?");
    let mut statement = connection.prepare_cached(&sql)?;
    let mut values = |key: u32| -> Result<Option<Vec<Value>>, StoreError> {
        let row = statement.query_row([key], |row| {
            (0..row.as_ref().column_count())
                .map(|column| row.get(column))
                .collect()
        });
        Ok(row.optional()?)
    };
    let mut moved = Vec::new();
    for &key in keys {
        if let Some(own) = values(key)? {
            moved.push((own, key));
        }
    }
    moved.sort_unstable_by(|(a, _), (b, _)| compare(a, b));
    for (own, key) in moved {
        let after = sorts.last_before(sort_by, |other| {
            let other = values(other)?;
            Ok::<_, StoreError>(other.is_some_and(|other| compare(&other, &own).is_lt()))
        })?;
        if !sorts.insert(sort_by, key, after) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Compares two rows of the same non-null types as SQLite does.
pub(crate) fn compare(a: &[Value], b: &[Value]) -> cmp::Ordering {
    let values = a.iter().zip(b).map(|pair| match pair {
        (Value::Integer(a), Value::Integer(b)) => a.cmp(b),
        (Value::Real(a), Value::Real(b)) => a.total_cmp(b),
        (Value::Text(a), Value::Text(b)) => a.as_bytes().cmp(b.as_bytes()),
        _ => cmp::Ordering::Equal,
    });
    values.fold(cmp::Ordering::Equal, cmp::Ordering::then)
}
