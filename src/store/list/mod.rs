//! Product lists: filters, sorts, pages and counts.

mod alternatives;
mod category;
mod facets;
pub(crate) mod filter;
mod home;
pub(crate) mod planner;
mod product_changes;
mod related;
pub(crate) mod snapshot;
pub(crate) mod sort_cache;
mod sort_columns;
pub(crate) mod sort_index;

use std::sync::{RwLock, RwLockWriteGuard};

use roaring::RoaringBitmap;

use self::alternatives::{corrected, mentioned, relaxed, shorter, suggest_search, without_fillers};
use self::filter::select;
use self::planner::{Plan, page};
use self::snapshot::Snapshot;
use super::Store;
use super::db::error::{Result, StoreError};
use super::products::columns::products_by_key;
use super::products::prices;
use super::search::query::{also_found, weights};
use super::search::terms::{Matching, Query};
use crate::domain::{
    CONSTANTS, Facets, Filters, ListQuery, Listing, NewProduct, Paged, PricedSearch, Product,
    SortBy, Stated,
};

/// Offset up to which an unfiltered list is read from the database index; beyond it, and with
/// filters, the sorts in memory are faster.
const NEAR: i64 = 200;

impl Store {
    /// Returns one page of the products that match the filters, and the total.
    pub fn list_products(&self, query: &ListQuery) -> Result<Listing<Product>> {
        self.list_products_by(query, Plan::Cheapest)
    }

    /// Like [`Store::list_products`], with a given plan; every plan gives the same page.
    pub fn list_products_by(&self, query: &ListQuery, plan: Plan) -> Result<Listing<Product>> {
        let (listing, ()) = self.list(query, plan, false, |_, _| Ok(()))?;
        Ok(listing)
    }

    /// Like [`Store::list_products`], with the facets of the same snapshot.
    pub fn list_with_facets(&self, query: &ListQuery) -> Result<(Listing<Product>, Facets)> {
        self.list(query, Plan::Cheapest, true, facets::facets)
    }

    /// Returns the list and the result of `also`, which may need the sorts, on the same snapshot and filters.
    fn list<A>(
        &self,
        query: &ListQuery,
        plan: Plan,
        also_needs_sorts: bool,
        also: impl FnOnce(&Snapshot<'_>, &Filters) -> Result<A>,
    ) -> Result<(Listing<Product>, A)> {
        let priced = PricedSearch::read(&query.filters);
        let mut read = query.clone();
        if let Some(priced) = &priced {
            read.filters.clone_from(&priced.filters);
        }
        let has_index = !matches!(
            query.sort_by,
            SortBy::Clicks | SortBy::Drop | SortBy::EndsAt
        );
        let far = read.offset() >= NEAR || read.filters != Filters::default() || !has_index;
        let with_sorts = match plan {
            Plan::Cheapest => far,
            Plan::Sorts | Plan::Blocks => true,
            Plan::Index | Plan::Sort => false,
        };
        let (mut listing, other) =
            self.with_snapshot(with_sorts || also_needs_sorts, |snapshot| {
                let mut found = listing(snapshot, &read, plan)?;
                if let Some(corrected) = corrected(snapshot, &read, &found)? {
                    let typed = snapshot.words(&read.filters);
                    let meaning = typed.and_then(|typed| without_fillers(&typed));
                    read = corrected;
                    let mut next = listing(snapshot, &read, plan)?;
                    // Fillers are left out without a notice.
                    let search = read.filters.search.clone();
                    next.suggestion = search.filter(|it| Some(it) != meaning.as_ref());
                    if found.suggestion.is_none() {
                        next.shorter = found.shorter;
                    }
                    found = next;
                }
                Ok::<_, StoreError>((found, also(snapshot, &read.filters)?))
            })?;
        if let Some(priced) = &priced {
            listing.stated.clone_from(&priced.stated);
            if let Some(words) = &mut listing.suggestion {
                *words = priced.with_phrases(words);
            }
        }
        let is_possible = read.filters.min_price.is_none_or(|least| {
            let most = read.filters.max_price;
            most.is_none_or(|most| least <= most)
        });
        listing.read = (is_possible && read.filters != query.filters).then_some(read.filters);
        Ok((listing, other))
    }

    /// Returns the weights that [`score`](super::score) takes for a search.
    pub fn search_weights(&self, query: &Query) -> Result<Vec<f64>> {
        self.with_snapshot(false, |snapshot| weights(snapshot.connection, query))
    }

    /// True if the sorts are in memory; the first query that needs them builds them.
    pub fn has_sorts(&self) -> bool {
        self.0.sorts.are_built()
    }
}

fn listing(snapshot: &Snapshot<'_>, query: &ListQuery, plan: Plan) -> Result<Listing<Product>> {
    let found = find(snapshot, query, plan)?;
    let mut items = products_by_key(snapshot.connection, &found.keys)?;
    prices::attach(snapshot.connection, &mut items)?;
    let matches = found.words.as_ref().map(|words| {
        let mut matching = Matching::new(words);
        for NewProduct {
            title, description, ..
        } in items.iter().map(|product| &product.details)
        {
            matching.add_text(title, description);
        }
        matching.into_words()
    });
    let suggestion = match &found.words {
        Some(words) if found.total == 0 => suggest_search(snapshot, &query.filters, words)?,
        _ => None,
    };
    let mentioned = match (&found.words, &found.untitled) {
        (Some(words), Some(results)) => mentioned(snapshot, words, results, &items)?,
        _ => None,
    };
    let has_few = found.total <= i64::from(CONSTANTS.few_deals);
    Ok(Listing {
        page: Paged {
            items,
            total: found.total,
        },
        matches: matches.unwrap_or_default(),
        suggestion,
        also: found.also,
        mentioned,
        stated: Stated::default(),
        read: None,
        relaxed: if has_few {
            relaxed(snapshot, &query.filters, found.total)?
        } else {
            Vec::new()
        },
        shorter: if has_few {
            shorter(snapshot, &query.filters, found.total)?
        } else {
            Vec::new()
        },
    })
}

/// Locks for writing; resets the value if a thread panicked while it held the lock.
fn write_lock<T: Default>(lock: &RwLock<T>) -> RwLockWriteGuard<'_, T> {
    lock.write().unwrap_or_else(|poisoned| {
        lock.clear_poison();
        let mut value = poisoned.into_inner();
        *value = T::default();
        value
    })
}

/// Keys and total of a list.
#[derive(Default)]
struct Found {
    /// The products of the page.
    keys: Vec<i64>,
    total: i64,
    /// Parsed search, if any.
    words: Option<Query>,
    /// Other words for the same things that the results have.
    also: Vec<String>,
    /// The products of all pages of a filtered list, unless some are known to have the thing in the title.
    untitled: Option<RoaringBitmap>,
}

fn find(snapshot: &Snapshot<'_>, query: &ListQuery, plan: Plan) -> Result<Found> {
    let search = query.filters.search.as_deref();
    let words = snapshot.words(&query.filters);
    if search.is_some() && words.is_none() {
        // A search without words matches nothing.
        return Ok(Found::default());
    }
    let by_relevance = query.sort_by == SortBy::Relevance;
    let selection = select(snapshot, &query.filters, words.as_ref(), by_relevance)?;
    // The sorts hold only live products.
    let plan = query.filters.state.map_or(plan, |_| Plan::Sort);
    let also = match (&words, &selection.keys) {
        (Some(words), Some(results)) => also_found(snapshot.connection, words, results)?,
        _ => Vec::new(),
    };
    let in_title = selection.in_title.iter().flatten();
    let is_titled = in_title.map(RoaringBitmap::len).sum::<u64>() > 0;
    Ok(Found {
        also,
        keys: page(snapshot, query, words.as_ref(), &selection, plan)?,
        total: selection.total,
        words,
        untitled: selection.keys.filter(|_| !is_titled),
    })
}
