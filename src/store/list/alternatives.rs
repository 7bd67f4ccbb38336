//! Offers for a list without results: another spelling, and the counts without one of the filters.

use super::filter::{number_of, select};
use super::snapshot::Snapshot;
use crate::domain::Filters;
use crate::store::db::error::Result;
use crate::store::search::budget::Budget;
use crate::store::search::suggest;
use crate::store::search::terms::Query;

/// Counts the results without each filter, if several are set.
pub(super) fn relaxed(
    snapshot: &Snapshot<'_>,
    filters: &Filters,
) -> Result<Vec<(&'static str, i64)>> {
    let set = Filters::NAMES.into_iter();
    let set: Vec<_> = set
        .filter_map(|name| Some((name, filters.without(name)?)))
        .collect();
    let mut found = Vec::new();
    if set.len() > 1 {
        for (name, rest) in set {
            found.push((name, number_of(snapshot, &rest)?));
        }
    }
    found.retain(|(_, total)| *total > 0);
    Ok(found)
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
