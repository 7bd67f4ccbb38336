//! Offers for a list with few or no results: another spelling, and the counts without one of the filters
//! or words.

use std::cmp::{Reverse, min};

use roaring::RoaringBitmap;

use super::filter::{WHOLE, number_of, select};
use super::snapshot::Snapshot;
use crate::domain::{Filters, ListQuery, Listing, Product, folded_words};
use crate::store::db::error::Result;
use crate::store::search::budget::Budget;
use crate::store::search::query::matching;
use crate::store::search::relevance::head_of;
use crate::store::search::shop_words::{compound, compound_kind, is_filler, is_person};
use crate::store::search::suggest;
use crate::store::search::terms::{Query, SearchScope, for_each_token, is_stop_word};

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

/// Returns searches with fewer words that find more than `found`, and how many: those that a title has
/// first, then the most. They are without one of the words, or with the kind of a compound that finds no more:
/// “pressure cooker” is a cooker, but “lunch box” no box. If none of these finds more, they are of one word.
/// Small words are left out.
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
    let words = text.split_whitespace().map(|word| word.trim_matches('"'));
    let words = words.filter(says);
    let mut words: Vec<String> = words.take(MOST_WORDS).map(str::to_owned).collect();
    for at in (1..words.len()).rev() {
        if let [left, right, ..] = &words[at - 1..]
            && compound(&folded_words(&format!("{left}{right}")).concat()).is_some()
        {
            words[at - 1] = format!("{left} {right}");
            words.remove(at);
        }
    }
    let without_one = (0..words.len())
        .map(|at| [&words[..at], &words[at + 1..]].concat().join(" "))
        .filter(|search| !search.is_empty());
    let mut first: Vec<String> = without_one.collect();
    for word in &words {
        if let Some(kind) = compound_kind(&folded_words(word).concat())
            && matches(snapshot, filters, word)?.0 <= found
        {
            first.push(kind.to_owned());
        }
    }
    for searches in [first, words] {
        let mut counts = Vec::new();
        for search in searches {
            let (total, is_in_title) = matches(snapshot, filters, &search)?;
            counts.push((Reverse((is_in_title, total)), search));
        }
        counts.retain(|(Reverse((_, total)), _)| *total > found);
        if !counts.is_empty() {
            counts.sort();
            counts.dedup();
            let counts = counts.into_iter().take(MOST_SHORTER);
            return Ok(counts
                .map(|(Reverse((_, total)), search)| (search, total))
                .collect());
        }
    }
    Ok(Vec::new())
}

/// Returns the number of products that a search finds, and whether a title has its words.
fn matches(snapshot: &Snapshot<'_>, filters: &Filters, search: &str) -> Result<(i64, bool)> {
    let Some(words) = snapshot.parse(search) else {
        return Ok((0, false));
    };
    let selection = select(snapshot, filters, Some(&words), true)?;
    let in_title = selection.in_title.iter().flatten().take(WHOLE);
    let is_in_title = in_title.map(RoaringBitmap::len).sum::<u64>() > 0;
    Ok((selection.total, is_in_title))
}

/// Returns the word for the thing searched if only descriptions have it: no title of the results, but all products
/// shown.
pub(super) fn mentioned(
    snapshot: &Snapshot<'_>,
    words: &Query,
    results: &RoaringBitmap,
    shown: &[Product],
) -> Result<Option<String>> {
    let all = words.words();
    let head = head_of(words);
    let next = min(head + 1, all.len() - 1);
    // Titles may have it joined with the word before or after.
    for places in [head..=head, head.saturating_sub(1)..=head, head..=next] {
        let texts: Vec<&str> = all[places].iter().map(|word| &word.text[..]).collect();
        if let Some(words) = snapshot.parse(&texts.join(" "))
            && !matching(
                snapshot.connection,
                &words,
                SearchScope::Title,
                Some(results),
            )?
            .is_empty()
        {
            return Ok(None);
        }
    }
    // It may be the seller's name.
    let mut is_typed = false;
    let mut is_described = |product: &Product| {
        let mut is_found = false;
        let description = &product.details.description;
        for_each_token(description, SearchScope::Anywhere, |token| {
            for (_, typed) in words.places_of(token).filter(|it| it.0.contains(&head)) {
                is_found = true;
                is_typed |= typed;
            }
        });
        is_found
    };
    let is_only_described = !shown.is_empty() && shown.iter().all(&mut is_described);
    let name = all[head.saturating_sub(1)..=head].iter();
    let name: Vec<&str> = name.map(|word| &word.text[..]).collect();
    let is_one = head > 0 && compound(&name.concat()).is_some();
    let name = if is_one {
        name.join(" ")
    } else {
        all[head].text.clone()
    };
    Ok((is_only_described && is_typed).then_some(name))
}

/// Returns the search without its fillers; `None` if it has none, or nothing else.
pub(super) fn without_fillers(words: &Query) -> Option<String> {
    let all = words.words().iter().map(|word| &word.text[..]);
    let meaning: Vec<&str> = all.filter(|word| !is_filler(word)).collect();
    (!meaning.is_empty() && meaning.len() < words.words().len()).then(|| meaning.join(" "))
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
    let meaning = without_fillers(words);
    if let Some(meaning) = &meaning
        && finds(meaning)?
    {
        return Ok(Some(meaning.clone()));
    }
    let shorter = meaning.and_then(|meaning| snapshot.parse(&meaning));
    let words = shorter.as_ref().unwrap_or(words);
    let budget = Budget::new(suggest::BUDGET);
    suggest::correct(snapshot.connection, words, budget, finds)
}

/// Returns the query with the words that are likely meant: those of the suggestion, or else of the best shorter
/// search, only if it asks for that and its own words find nothing without the other filters either. Fillers go where
/// no title has all words.
pub(super) fn corrected(
    snapshot: &Snapshot<'_>,
    query: &ListQuery,
    found: &Listing<Product>,
) -> Result<Option<ListQuery>> {
    let Some(words) = snapshot.words(&query.filters).filter(|_| query.corrects) else {
        return Ok(None);
    };
    let with = |search: Option<String>| {
        let mut next = query.clone();
        next.filters.search = search;
        Ok(Some(next))
    };
    if found.page.total > 0 {
        let typed = query.filters.search.as_deref().unwrap_or_default();
        return match without_fillers(&words) {
            Some(meaning) if !matches(snapshot, &query.filters, typed)?.1 => with(Some(meaning)),
            _ => Ok(None),
        };
    }
    let alone = Filters {
        search: query.filters.search.clone(),
        ..Filters::default()
    };
    if number_of(snapshot, &alone)? > 0 {
        return Ok(None);
    }
    if found.suggestion.is_some() {
        return with(found.suggestion.clone());
    }
    // "Sabse sasta" means all deals.
    if words.words().iter().all(|word| is_filler(&word.text)) {
        return with(None);
    }
    if let Some(shorter) = best_shorter(snapshot, query, &words, found)? {
        return with(Some(shorter));
    }
    // The filters leave none of the meant words either: these show which filter to remove.
    match suggest_search(snapshot, &alone, &words)? {
        Some(search) => with(Some(search)),
        None => Ok(None),
    }
}

/// Returns the search of fewer words that a title has: without measures and people if possible, with the thing
/// searched, and the rarest words.
fn best_shorter(
    snapshot: &Snapshot<'_>,
    query: &ListQuery,
    words: &Query,
    found: &Listing<Product>,
) -> Result<Option<String>> {
    let says_little = |search: &str| {
        let words = search.split_whitespace();
        let little = |word: &&str| {
            word.contains(|c: char| c.is_ascii_digit()) || is_person(&word.to_lowercase())
        };
        words.filter(little).count()
    };
    let thing = &words.words()[head_of(words)].text;
    let mut best = None;
    for (search, total) in &found.shorter {
        if matches(snapshot, &query.filters, search)?.1 {
            let lacks_thing = !folded_words(search).contains(thing);
            let this = (says_little(search), lacks_thing, *total, search);
            best = Some(best.map_or(this, |other| min(this, other)));
        }
    }
    Ok(best.map(|(.., search)| search.clone()))
}
