//! Offers for a list without results: another spelling, and the counts without one of the filters.

use super::filter::{number_of, select};
use super::snapshot::Snapshot;
use crate::domain::{Filters, ListQuery, Listing, Product};
use crate::store::db::error::Result;
use crate::store::search::budget::Budget;
use crate::store::search::suggest;
use crate::store::search::terms::Query;

/// Counts the results without each filter, if several are set and one of them leaves more than
/// `found`.
pub(super) fn relaxed(
    snapshot: &Snapshot<'_>,
    filters: &Filters,
    found: i64,
) -> Result<Vec<(&'static str, i64)>> {
    let set = Filters::NAMES.into_iter();
    let set: Vec<_> = set
        .filter_map(|name| Some((name, filters.without(name)?)))
        .collect();
    let mut counts = Vec::new();
    if set.len() > 1 {
        for (name, rest) in set {
            counts.push((name, number_of(snapshot, &rest)?));
        }
    }
    counts.retain(|(_, total)| *total > found);
    Ok(counts)
}

/// Returns the most similar search with results.
pub(super) fn suggest_search(
    snapshot: &Snapshot<'_>,
    filters: &Filters,
    words: &Query,
) -> Result<Option<String>> {
    let budget = Budget::new(suggest::BUDGET);
    suggest::correct(snapshot.connection, words, budget, |text| {
        let words = snapshot.parse(text);
        Ok(select(snapshot, filters, words.as_ref(), false)?.total > 0)
    })
}

/// Returns the query with the words of the suggestion, if it asks for that and its own words find
/// nothing without the other filters either.
pub(super) fn corrected(
    snapshot: &Snapshot<'_>,
    query: &ListQuery,
    found: &Listing<Product>,
) -> Result<Option<ListQuery>> {
    let Some(words) = found.suggestion.as_ref().filter(|_| query.corrects) else {
        return Ok(None);
    };
    let alone = Filters {
        search: query.filters.search.clone(),
        ..Filters::default()
    };
    if number_of(snapshot, &alone)? > 0 {
        return Ok(None);
    }
    let mut next = query.clone();
    next.filters.search = Some(words.clone());
    Ok(Some(next))
}
