//! Finding what a misspelt search may have meant.

use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension};

use super::query;
use super::terms::Query;
use crate::domain::folded_words;
use crate::store::db::error::StoreError;

/// Words of a search that are looked for elsewhere; more are no slip of the finger, and
/// each costs a walk through the vocabulary.
const CORRECTED: usize = 3;
/// A candidate that most likely is a word is looked for among this many.
const LOOKED_AT: usize = 8;

/// The search with each word that stands nowhere replaced by the nearest one that
/// does; `None` when every word stands somewhere, or nothing is near.
pub(crate) fn correct(
    connection: &Connection,
    query: &Query,
) -> Result<Option<String>, StoreError> {
    let mut corrected: Vec<String> = Vec::new();
    let mut replaced: HashMap<&str, String> = HashMap::new();
    for word in query.words() {
        if let Some(nearest) = replaced.get(word) {
            corrected.push(nearest.clone());
            continue;
        }
        if query::is_known(connection, word)? {
            corrected.push(word.to_owned());
            continue;
        }
        if replaced.len() == CORRECTED {
            return Ok(None);
        }
        let Some(nearest) = nearest(connection, word)? else {
            return Ok(None);
        };
        corrected.push(nearest.clone());
        replaced.insert(word, nearest);
    }
    Ok((!replaced.is_empty()).then(|| corrected.join(" ")))
}

/// How many typing errors are forgiven: none where they could make any word of any.
fn forgiven(length: usize) -> usize {
    match length {
        0..=2 => 0,
        3..=5 => 1,
        _ => 2,
    }
}

/// The known word with the fewest differences, and of several the most common.
/// Whoever misses the first letter as well is not helped: comparing with the whole
/// vocabulary takes too long in a large shop.
fn nearest(connection: &Connection, word: &str) -> Result<Option<String>, StoreError> {
    let length = word.chars().count();
    let most = forgiven(length);
    let Some(first) = word.chars().next().filter(|_| most > 0) else {
        return Ok(None);
    };
    let mut statement = connection.prepare_cached(
        "SELECT term, products FROM search_terms WHERE term >= ?1 AND term < ?2 AND products > 0",
    )?;
    let after: String = char::from_u32(u32::from(first) + 1).into_iter().collect();
    let rows = statement.query_map([first.to_string(), after], |row| {
        Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?))
    })?;
    let mut candidates = Vec::new();
    for row in rows {
        let (term, products) = row?;
        if term.chars().count().abs_diff(length) > most {
            continue;
        }
        let distance = strsim::osa_distance(&term, word);
        if (1..=most).contains(&distance) {
            candidates.push((distance, std::cmp::Reverse(products), term));
        }
    }
    candidates.sort();
    for (_, _, term) in candidates.into_iter().take(LOOKED_AT) {
        if is_word(connection, &term)? {
            return Ok(Some(term));
        }
    }
    Ok(None)
}

/// Whether the term is a word that somebody wrote: the index holds stems too.
fn is_word(connection: &Connection, term: &str) -> Result<bool, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT title || ' ' || description || ' ' || source || ' ' || category FROM listed_products \
         WHERE key = ?",
    )?;
    let key = query::any_with(connection, term)?;
    let text: Option<String> = statement.query_row([key], |row| row.get(0)).optional()?;
    Ok(text.is_some_and(|text| folded_words(&text).iter().any(|word| word == term)))
}
