//! Offers for a list with few or no results: another spelling, and the counts without one of the filters
//! or words.

use super::filter::{number_of, select};
use super::snapshot::Snapshot;
use crate::domain::{Filters, ListQuery, Listing, Product, folded_words};
use crate::store::db::error::Result;
use crate::store::search::budget::Budget;
use crate::store::search::shop_words::is_filler;
use crate::store::search::suggest;
use crate::store::search::terms::{Query, is_stop_word};

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

/// Maximum number of words that are tried without, and of searches that are returned.
const MOST_WORDS: usize = 6;
const MOST_SHORTER: usize = 3;

/// Returns searches with fewer words that find more than `found`, and how many, the most first:
/// without one of the words, or if none of these finds more, with one only. Small words are left out.
pub(super) fn shorter(
    snapshot: &Snapshot<'_>,
    filters: &Filters,
    found: i64,
) -> Result<Vec<(String, i64)>> {
    let text = filters.search.as_deref().unwrap_or_default();
    let says = |word: &&str| {
        let mut folded = folded_words(word).into_iter();
        folded.any(|word| !is_stop_word(&word) && !is_filler(&word))
    };
    let words = text.split_whitespace().filter(says);
    let words: Vec<&str> = words.take(MOST_WORDS).collect();
    if words.len() < 2 {
        return Ok(Vec::new());
    }
    let mut lists: Vec<Vec<String>> = vec![
        (0..words.len())
            .map(|at| [&words[..at], &words[at + 1..]].concat().join(" "))
            .collect(),
    ];
    // Of two words, each is alone already.
    if words.len() > 2 {
        lists.push(words.iter().map(|word| (*word).to_owned()).collect());
    }
    for searches in lists {
        let mut counts = Vec::new();
        for search in searches {
            let shorter = Filters {
                search: Some(search.clone()),
                ..filters.clone()
            };
            counts.push((search, number_of(snapshot, &shorter)?));
        }
        counts.retain(|(_, total)| *total > found);
        if !counts.is_empty() {
            counts.sort_by(|(one, more), (other, most)| most.cmp(more).then(one.cmp(other)));
            counts.dedup();
            counts.truncate(MOST_SHORTER);
            return Ok(counts);
        }
    }
    Ok(Vec::new())
}

/// Returns the search without its fillers if that has results, otherwise the most similar one with results.
pub(super) fn suggest_search(
    snapshot: &Snapshot<'_>,
    filters: &Filters,
    words: &Query,
) -> Result<Option<String>> {
    let finds = |text: &str| {
        let words = snapshot.parse(text);
        Ok(select(snapshot, filters, words.as_ref(), false)?.total > 0)
    };
    let all = words.words().iter().map(|word| &word.text[..]);
    let meaning: Vec<&str> = all.filter(|word| !is_filler(word)).collect();
    let is_shorter = meaning.len() < words.words().len();
    let meaning = meaning.join(" ");
    if is_shorter && !meaning.is_empty() && finds(&meaning)? {
        return Ok(Some(meaning));
    }
    let shorter = snapshot.parse(&meaning);
    let words = shorter.as_ref().unwrap_or(words);
    let budget = Budget::new(suggest::BUDGET);
    suggest::correct(snapshot.connection, words, budget, finds)
}

/// Returns the query with the words of the suggestion, or else with the rarest of its words that find something,
/// without measures if possible, if it asks for that and its own words find nothing without the other filters
/// either.
pub(super) fn corrected(
    snapshot: &Snapshot<'_>,
    query: &ListQuery,
    found: &Listing<Product>,
) -> Result<Option<ListQuery>> {
    let measures = |search: &str| {
        let words = search.split_whitespace();
        words
            .filter(|word| word.contains(|c: char| c.is_ascii_digit()))
            .count()
    };
    let rarest = found.shorter.iter();
    let rarest = rarest.min_by_key(|(search, total)| (measures(search), *total));
    let words = found.suggestion.as_ref().or(rarest.map(|(words, _)| words));
    let Some(words) = words.filter(|_| query.corrects && found.page.total == 0) else {
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
