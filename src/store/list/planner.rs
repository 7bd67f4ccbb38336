//! Finds the keys of one page by the cheapest plan.
//!
//! For a large set, the sort is walked and filtered; for a small one, the positions of its keys in
//! the sort are counted. Both take at most two milliseconds for a million products. Until the sorts
//! are in memory, the database index is walked, about fifty times slower, or the set's values are
//! fetched and sorted.
//!
//! A sort by relevance then reorders the first products by score.

use roaring::RoaringBitmap;
use rusqlite::types::Value;

use super::filter::{Selection, chosen_keys};
use super::snapshot::Snapshot;
use super::sort_cache::compare;
use super::sort_columns::sort_columns;
use crate::domain::{ListQuery, Order, SortBy};
use crate::store::categories::NAME;
use crate::store::db::error::Result;
use crate::store::products::lifetimes::count_all_live;
use crate::store::search::chunks::doc_id;
use crate::store::search::query::weights;
use crate::store::search::relevance::{CANDIDATES, Candidate, score};
use crate::store::search::terms::Query;

/// Way to find a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plan {
    /// The plan with the lowest estimated cost.
    Cheapest,
    /// Walk a sort in memory.
    Sorts,
    /// Count matches per block of a sort in memory.
    Blocks,
    /// Walk the database index.
    Index,
    /// Fetch and sort all matches.
    Sort,
}

/// Cost per product in nanoseconds, measured by `benches/search.rs`.
const STEP_IN_INDEX: i64 = 120;
const FETCH: i64 = 3_000;

/// Returns the keys of the query's page.
pub(crate) fn page(
    snapshot: &Snapshot<'_>,
    query: &ListQuery,
    words: Option<&Query>,
    selection: &Selection,
    plan: Plan,
) -> Result<Vec<i64>> {
    let total = selection.total;
    let offset = query.offset();
    let length = (total - offset).min(i64::from(query.limit));
    if length <= 0 {
        return Ok(Vec::new());
    }
    let descending = query.order == Order::Desc;
    let Some(keys) = &selection.keys else {
        return unfiltered_page(snapshot, query, selection, (offset, length));
    };
    if let Some(collection) = &query.filters.collection
        && collection.rule.is_none()
        && query.sort_by == SortBy::CreatedAt
    {
        // The order in which they were chosen takes the place of the usual one.
        let mut chosen = chosen_keys(snapshot.connection, collection)?;
        chosen.retain(|key| keys.contains(*key));
        if !descending {
            chosen.reverse();
        }
        let chosen = chosen
            .into_iter()
            .skip(offset as usize)
            .take(length as usize);
        return Ok(chosen.map(i64::from).collect());
    }
    let part = |keys| Part::new(keys, query.sort_by, descending);
    let (Some(in_title), Some(words)) = (&selection.in_title, words) else {
        return part(keys).keys_at(snapshot, offset, length, plan);
    };
    // Ascending order is descending order from its end.
    let part = |keys| Part::new(keys, query.sort_by, true);
    let elsewhere = in_title.iter().fold(keys.clone(), |rest, keys| rest - keys);
    let parts: Vec<Part<'_>> = in_title.iter().chain([&elsewhere]).map(part).collect();
    let start = if descending {
        offset
    } else {
        total - offset - length
    };
    let mut page = Vec::new();
    if start < CANDIDATES {
        let best = keys_of(&parts, snapshot, 0, CANDIDATES.min(total), plan)?;
        let best = by_score(snapshot, best, words)?.into_iter();
        page.extend(best.skip(start as usize).take(length as usize));
    }
    let rest = length - page.len() as i64;
    let next = start + page.len() as i64;
    page.extend(keys_of(&parts, snapshot, next, rest, plan)?);
    if !descending {
        page.reverse();
    }
    Ok(page)
}

/// Returns a page of several concatenated lists.
fn keys_of(
    parts: &[Part<'_>],
    snapshot: &Snapshot<'_>,
    mut offset: i64,
    length: i64,
    plan: Plan,
) -> Result<Vec<i64>> {
    let mut keys = Vec::new();
    for part in parts {
        let wanted = (part.size - offset).min(length - keys.len() as i64);
        if wanted > 0 {
            keys.extend(part.keys_at(snapshot, offset, wanted, plan)?);
        }
        offset = (offset - part.size).max(0);
    }
    Ok(keys)
}

/// Sorts keys by descending score and id.
fn by_score(snapshot: &Snapshot<'_>, keys: Vec<i64>, words: &Query) -> Result<Vec<i64>> {
    let mut statement = snapshot.connection.prepare_cached(&format!(
        "SELECT title, clicks, total_ratings, id, {NAME} FROM listed_products WHERE key = ?"
    ))?;
    let weights = weights(snapshot.connection, words)?;
    let mut scored: Vec<(f64, String, i64)> = Vec::new();
    for key in keys {
        scored.push(statement.query_row([key], |row| {
            let candidate = Candidate {
                title: row.get_ref(0)?.as_str()?,
                category: row.get_ref(4)?.as_str_or_null()?.unwrap_or_default(),
                clicks: row.get(1)?,
                ratings: row.get(2)?,
            };
            Ok((score(&candidate, words, &weights).total(), row.get(3)?, key))
        })?);
    }
    scored.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then_with(|| b.1.cmp(&a.1)));
    Ok(scored.into_iter().map(|(_, _, key)| key).collect())
}

/// Returns a page of all products, or of a category.
fn unfiltered_page(
    snapshot: &Snapshot<'_>,
    query: &ListQuery,
    selection: &Selection,
    (offset, length): (i64, i64),
) -> Result<Vec<i64>> {
    let descending = query.order == Order::Desc;
    let from_end = selection.total - offset - length;
    let backwards = from_end < offset;
    let skipped = offset.min(from_end);
    let descending = descending != backwards;
    let mut page = match snapshot.sorts {
        Some(sorts) => sorts.page(
            query.sort_by,
            descending,
            selection.category.as_deref(),
            skipped as usize,
            length as usize,
        ),
        None => walk_index(snapshot, query.sort_by, descending, skipped, length, |_| {
            true
        })?,
    };
    if backwards {
        page.reverse();
    }
    Ok(page)
}

/// A set of products in sort order.
struct Part<'a> {
    keys: &'a RoaringBitmap,
    size: i64,
    sort_by: SortBy,
    descending: bool,
}

impl<'a> Part<'a> {
    fn new(keys: &'a RoaringBitmap, sort_by: SortBy, descending: bool) -> Self {
        Self {
            keys,
            size: keys.len().cast_signed(),
            sort_by,
            descending,
        }
    }

    /// Returns a page, found from the nearer end.
    fn keys_at(
        &self,
        snapshot: &Snapshot<'_>,
        offset: i64,
        length: i64,
        plan: Plan,
    ) -> Result<Vec<i64>> {
        let from_end = self.size - offset - length;
        let backwards = from_end < offset;
        let skipped = offset.min(from_end);
        let descending = self.descending != backwards;
        let plan = match plan {
            Plan::Cheapest => self.cheapest(snapshot, skipped + length)?,
            plan => plan,
        };
        let (sort_by, keys) = (self.sort_by, self.keys);
        let mut page = match (plan, snapshot.sorts) {
            (Plan::Sort, _) => return self.sorted(snapshot, offset, length),
            (Plan::Index, _) | (_, None) => {
                let is_wanted = |key| doc_id(key).is_ok_and(|id| keys.contains(id));
                walk_index(snapshot, sort_by, descending, skipped, length, is_wanted)?
            }
            (Plan::Blocks, Some(sorts)) => {
                let (skipped, length) = (skipped as usize, length as usize);
                sorts.page_of(keys, sort_by, descending, skipped, length)
            }
            (_, Some(sorts)) => {
                let all = sorts.walk(sort_by, descending);
                let wanted = all.filter(|key| keys.contains(*key)).map(i64::from);
                let wanted = wanted.skip(skipped as usize);
                wanted.take(length as usize).collect()
            }
        };
        if backwards {
            page.reverse();
        }
        Ok(page)
    }

    /// Compares the cost of reading the whole set with that of a walk, assuming that the set is
    /// spread evenly over the sort.
    fn cheapest(&self, snapshot: &Snapshot<'_>, reached: i64) -> Result<Plan> {
        let steps = |all: i64| all.saturating_mul(reached) / self.size.max(1);
        if let Some(sorts) = snapshot.sorts {
            // A step of the walk costs as much as a product of the set.
            let all = sorts.len(None) as i64;
            return Ok(if steps(all) < self.size {
                Plan::Sorts
            } else {
                Plan::Blocks
            });
        }
        let walking = steps(count_all_live(snapshot.connection)?).saturating_mul(STEP_IN_INDEX);
        Ok(if walking < self.size.saturating_mul(FETCH) {
            Plan::Index
        } else {
            Plan::Sort
        })
    }

    fn sorted(&self, snapshot: &Snapshot<'_>, offset: i64, length: i64) -> Result<Vec<i64>> {
        let mut statement = snapshot.connection.prepare_cached(&format!(
            "SELECT {}, id FROM listed_products WHERE key = ?",
            sort_columns(self.sort_by)
        ))?;
        let columns = statement.column_count();
        let mut rows = Vec::new();
        for key in self.keys.iter().map(i64::from) {
            let values = statement.query_row([key], |row| {
                (0..columns)
                    .map(|column| row.get(column))
                    .collect::<Result<Vec<Value>, _>>()
            })?;
            rows.push((values, key));
        }
        rows.sort_unstable_by(|(a, _), (b, _)| {
            let order = compare(a, b);
            if self.descending {
                order.reverse()
            } else {
                order
            }
        });
        Ok(rows
            .into_iter()
            .skip(offset as usize)
            .take(length as usize)
            .map(|(_, key)| key)
            .collect())
    }
}

/// Returns `length` wanted keys in the order of the database index, after skipping some.
fn walk_index(
    snapshot: &Snapshot<'_>,
    sort_by: SortBy,
    descending: bool,
    mut skipped: i64,
    length: i64,
    is_wanted: impl Fn(i64) -> bool,
) -> Result<Vec<i64>> {
    let direction = if descending { "DESC" } else { "ASC" };
    let columns = sort_columns(sort_by).replace(',', &format!(" {direction},"));
    let mut statement = snapshot.connection.prepare_cached(&format!(
        "SELECT key FROM live_products ORDER BY {columns} {direction}, id {direction}"
    ))?;
    let mut rows = statement.query([])?;
    let mut page = Vec::new();
    while (page.len() as i64) < length
        && let Some(row) = rows.next()?
    {
        let key = row.get(0)?;
        if !is_wanted(key) {
            continue;
        }
        if skipped > 0 {
            skipped -= 1;
        } else {
            page.push(key);
        }
    }
    Ok(page)
}
