//! Reads the full-text index: products by word, category or source.

use roaring::{MultiOps, RoaringBitmap};
use rusqlite::{Connection, params};

use super::chunks::{chunk_bit, chunks_of, first_id, posting_key};
use super::same_words::{OtherWord, SearchWord};
use super::shop_words::compound;
use super::stem::stem;
use super::terms::{
    Query, SHORT, SearchScope, category_term, joined_term, prefix_term, source_term, tag_term,
};
use super::writer::{chunk_count, from_stored};
use crate::domain::CategoryKey;
use crate::store::db::error::{Result, StoreError};
use crate::store::db::rows::scalar;

/// A stored term.
struct Term {
    number: i64,
    products: i64,
    /// The [`chunk_bit`] of each chunk that may contain one.
    chunks: i64,
}

/// Maximum number of word pairs that are also searched as one word.
const MOST_JOINED: usize = 3;

/// Returns the products that match every word, among `within` if given. Adjacent words also match
/// as one ("power bank"), and a compound as its two words.
pub(crate) fn matching(
    connection: &Connection,
    query: &Query,
    scope: SearchScope,
    within: Option<&RoaringBitmap>,
) -> Result<RoaringBitmap> {
    let words = query.required();
    let mut found = all_of(connection, &words, scope, within)?;
    for (at, word) in words.iter().enumerate() {
        for (left, right, is_typed) in word.compounds() {
            let (left, right) = (query.word(left.to_owned()), query.word(right.to_owned()));
            // For another word in a title only: a description may have the two far apart.
            let titles = if is_typed {
                None
            } else {
                Some(all_of(
                    connection,
                    &[&left, &right],
                    SearchScope::Title,
                    within,
                )?)
            };
            let words = [&words[..at], &[&left, &right], &words[at + 1..]].concat();
            found |= all_of(connection, &words, scope, titles.as_ref().or(within))?;
        }
    }
    let mut joined = 0;
    for at in 1..words.len() {
        let word = query.word(format!("{}{}", words[at - 1].text, words[at].text));
        // “Lunch box” is a tiffin too.
        if joined < MOST_JOINED && !searched_terms(connection, &word, scope)?.is_empty() {
            let words = [&words[..at - 1], &[&word], &words[at + 1..]].concat();
            found |= all_of(connection, &words, scope, within)?;
            joined += 1;
        }
    }
    Ok(found)
}

/// Returns the products with all words, the last one also as a prefix.
fn all_of(
    connection: &Connection,
    words: &[&SearchWord],
    scope: SearchScope,
    within: Option<&RoaringBitmap>,
) -> Result<RoaringBitmap> {
    let Some((last, others)) = words.split_last() else {
        return Ok(RoaringBitmap::new());
    };
    let mut terms = Vec::new();
    for word in others {
        let of_word = searched_terms(connection, word, scope)?;
        if of_word.is_empty() {
            return Ok(RoaringBitmap::new());
        }
        terms.push(of_word);
    }
    // Rarest first, so that common lists are read only for its chunks.
    terms.sort_by_key(|terms| terms.iter().map(|term| term.products).sum::<i64>());
    let mut found: Option<RoaringBitmap> = None;
    for terms in terms {
        found = Some(union_of(connection, &terms, found.as_ref().or(within))?);
    }
    with_prefix(connection, last, scope, found.as_ref().or(within))
}

/// Returns the products with a word in any form or as a prefix.
pub(crate) fn with_prefix(
    connection: &Connection,
    word: &SearchWord,
    scope: SearchScope,
    within: Option<&RoaringBitmap>,
) -> Result<RoaringBitmap> {
    union_of(connection, &beginning(connection, word, scope)?, within)
}

/// Returns the products with a whole word in any form, or another word for it.
pub(crate) fn with_searched(
    connection: &Connection,
    word: &SearchWord,
    scope: SearchScope,
    within: Option<&RoaringBitmap>,
) -> Result<RoaringBitmap> {
    union_of(
        connection,
        &searched_terms(connection, word, scope)?,
        within,
    )
}

/// Returns the products with a whole word in any form.
pub(crate) fn with_word(
    connection: &Connection,
    word: &str,
    scope: SearchScope,
    within: Option<&RoaringBitmap>,
) -> Result<RoaringBitmap> {
    with_stem(connection, &stem(word), scope, within)
}

/// Returns the products with a whole word of this stem.
pub(crate) fn with_stem(
    connection: &Connection,
    stem: &str,
    scope: SearchScope,
    within: Option<&RoaringBitmap>,
) -> Result<RoaringBitmap> {
    union_of(connection, &stem_terms(connection, stem, scope)?, within)
}

/// Returns the products with any of these keys of categories.
pub(crate) fn in_categories<'a>(
    connection: &Connection,
    keys: impl IntoIterator<Item = &'a CategoryKey>,
    within: Option<&RoaringBitmap>,
) -> Result<RoaringBitmap> {
    let mut found = Vec::new();
    for key in keys {
        found.extend(terms(connection, &category_term(&key.key))?);
    }
    union_of(connection, &found, within)
}

/// Returns the products of any of these sellers.
pub(crate) fn from_sources(
    connection: &Connection,
    sources: &[String],
    within: Option<&RoaringBitmap>,
) -> Result<RoaringBitmap> {
    let mut found = Vec::new();
    for source in sources {
        found.extend(terms(connection, &source_term(source))?);
    }
    union_of(connection, &found, within)
}

/// Returns the products with a tag.
pub(crate) fn with_tag(
    connection: &Connection,
    tag: &str,
    within: Option<&RoaringBitmap>,
) -> Result<RoaringBitmap> {
    with_term(connection, &tag_term(tag), within)
}

/// Returns the products with exactly this term.
pub(crate) fn with_term(
    connection: &Connection,
    text: &str,
    within: Option<&RoaringBitmap>,
) -> Result<RoaringBitmap> {
    union_of(connection, &terms(connection, text)?, within)
}

/// Returns a weight for each word of a search, 1 on average: a rare word says more about a product than a
/// frequent one (inverse document frequency).
pub(crate) fn weights(connection: &Connection, query: &Query) -> Result<Vec<f64>> {
    let total = "SELECT products FROM product_counts WHERE category = 'all'";
    let total: i64 = scalar(connection, total, [])?;
    let mut weights = Vec::new();
    for word in query.words() {
        let terms = searched_terms(connection, word, SearchScope::Title)?;
        let products: i64 = terms.iter().map(|term| term.products).sum();
        weights.push((1.0 + total as f64 / products.max(1) as f64).ln());
    }
    let sum: f64 = weights.iter().sum();
    let average = sum / weights.len() as f64;
    Ok(weights.into_iter().map(|weight| weight / average).collect())
}

/// True if a product has this whole word in any form.
pub(crate) fn has_word(connection: &Connection, word: &str) -> Result<bool> {
    Ok(!terms(connection, &stem(word))?.is_empty())
}

/// True if a product has this word in any form or as a prefix.
pub(crate) fn is_known(connection: &Connection, word: &SearchWord) -> Result<bool> {
    Ok(!beginning(connection, word, SearchScope::Anywhere)?.is_empty())
}

/// Counts the products with exactly this term; one with it in several texts may count twice.
pub(crate) fn count_with(connection: &Connection, text: &str) -> Result<i64> {
    Ok(terms(connection, text)?
        .iter()
        .map(|term| term.products)
        .sum())
}

/// Returns the oldest product with exactly this term.
pub(crate) fn first_with(connection: &Connection, text: &str) -> Result<Option<u32>> {
    let terms = terms(connection, text)?;
    for chunk in 0..chunk_count(connection)? {
        let within: RoaringBitmap = (first_id(chunk)..=first_id(chunk) + 0xffff).collect();
        if let Some(first) = union_of(connection, &terms, Some(&within))?.min() {
            return Ok(Some(first));
        }
    }
    Ok(None)
}

/// Returns up to `most` terms of products that begin with a sign, the most frequent first, with the number
/// of products.
pub(crate) fn with_terms_from(
    connection: &Connection,
    sign: char,
    most: usize,
) -> Result<Vec<(String, i64)>> {
    let first = sign.to_string();
    let mut statement = connection.prepare_cached(
        "SELECT term, products FROM search_terms WHERE term >= ?1 AND term < ?2 AND products > 0 \
         ORDER BY products DESC, term LIMIT ?3",
    )?;
    let end = prefix_end(&first);
    let rows = statement.query_map(params![first, end, most], |row| {
        Ok((row.get(0)?, row.get(1)?))
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Returns up to `most` products with exactly this term.
pub(crate) fn sample_with(connection: &Connection, text: &str, most: usize) -> Result<Vec<u32>> {
    Ok(with_term(connection, text, None)?
        .iter()
        .take(most)
        .collect())
}

/// Returns the terms of whole words with a stem, also written as two.
fn stem_terms(connection: &Connection, stem: &str, scope: SearchScope) -> Result<Vec<Term>> {
    let mut found = Vec::new();
    for text in [stem, &joined_term(stem)] {
        found.extend(terms(connection, &scope.term(text))?);
    }
    Ok(found)
}

/// Returns the terms of a whole word and of its other words.
fn searched_terms(
    connection: &Connection,
    word: &SearchWord,
    scope: SearchScope,
) -> Result<Vec<Term>> {
    let mut terms = stem_terms(connection, &word.stem, scope)?;
    for other in &word.others {
        terms.extend(stem_terms(connection, &other.stem, scope)?);
    }
    Ok(terms)
}

/// Returns the other words of a search that its results have, one for each form.
pub(crate) fn also_found(
    connection: &Connection,
    query: &Query,
    results: &RoaringBitmap,
) -> Result<Vec<String>> {
    let mut also: Vec<&OtherWord> = Vec::new();
    for other in query.others() {
        let is_new = also.iter().all(|known| known.stem != other.stem);
        let is_found = |other: &OtherWord| {
            let anywhere = SearchScope::Anywhere;
            let found = with_stem(connection, &other.stem, anywhere, Some(results))?;
            if let (true, Some((left, right))) = (found.is_empty(), compound(&other.text)) {
                let title = SearchScope::Title;
                let found = with_word(connection, left, title, Some(results))?;
                return Ok(!with_word(connection, right, title, Some(&found))?.is_empty());
            }
            Ok::<_, StoreError>(!found.is_empty())
        };
        if is_new && is_found(other)? {
            also.push(other);
        }
    }
    Ok(also.into_iter().map(|other| other.text.clone()).collect())
}

/// Returns the terms of a word in any form and of words that begin with it.
fn beginning(connection: &Connection, word: &SearchWord, scope: SearchScope) -> Result<Vec<Term>> {
    let mut found = searched_terms(connection, word, scope)?;
    let word = word.text.as_str();
    if word.chars().count() <= SHORT {
        found.extend(terms(connection, &scope.term(&prefix_term(word)))?);
        return Ok(found);
    }
    let mut statement = connection.prepare_cached(
        "SELECT number, products, chunks FROM search_terms \
         WHERE term >= ?1 AND term < ?2 AND products > 0 \
         UNION ALL SELECT number, products, chunks FROM category_terms AS named \
         JOIN search_terms ON search_terms.term = '@' || category \
         WHERE named.term >= ?1 AND named.term < ?2 AND products > 0",
    )?;
    let first = scope.term(word);
    let end = prefix_end(&first);
    let rows = statement.query_map([first, end], read_term)?;
    for term in rows {
        found.push(term?);
    }
    Ok(found)
}

/// Returns the smallest text greater than every text with this prefix.
fn prefix_end(beginning: &str) -> String {
    let mut end = beginning.to_owned();
    while let Some(last) = end.pop() {
        // Skip the surrogates.
        let next = if last == '\u{d7ff}' {
            Some('\u{e000}')
        } else {
            char::from_u32(u32::from(last) + 1)
        };
        if let Some(next) = next {
            end.push(next);
            return end;
        }
    }
    end
}

/// Returns a term, and those of the categories whose names have it.
fn terms(connection: &Connection, text: &str) -> Result<Vec<Term>> {
    let mut statement = connection.prepare_cached(
        "SELECT number, products, chunks FROM search_terms WHERE term = ?1 AND products > 0 \
         UNION ALL SELECT number, products, chunks FROM category_terms AS named \
         JOIN search_terms ON search_terms.term = '@' || category \
         WHERE named.term = ?1 AND products > 0",
    )?;
    let rows = statement.query_map([text], read_term)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn read_term(row: &rusqlite::Row<'_>) -> rusqlite::Result<Term> {
    Ok(Term {
        number: row.get(0)?,
        products: row.get(1)?,
        chunks: row.get(2)?,
    })
}

/// Returns the products with any of the terms, among `within` if given.
fn union_of(
    connection: &Connection,
    terms: &[Term],
    within: Option<&RoaringBitmap>,
) -> Result<RoaringBitmap> {
    let chunks: Vec<u32> = match within {
        Some(within) => chunks_of(within).into_iter().collect(),
        None => (0..chunk_count(connection)?).collect(),
    };
    let mut statement =
        connection.prepare_cached("SELECT ids FROM search_postings WHERE chunk_and_term = ?")?;
    let mut found = RoaringBitmap::new();
    for chunk in chunks {
        let mut lists = Vec::new();
        for term in terms
            .iter()
            .filter(|term| term.chunks & chunk_bit(chunk) != 0)
        {
            let mut rows = statement.query([posting_key(chunk, term.number)])?;
            if let Some(row) = rows.next()? {
                let stored = row.get_ref(0)?.as_blob().map_err(rusqlite::Error::from)?;
                lists.push(from_stored(stored)?);
            }
        }
        // Unite all at once: a pairwise union would copy the result each time.
        found |= match terms {
            [_] => lists.pop().unwrap_or_default(),
            _ => lists.union(),
        };
    }
    if let Some(within) = within {
        found &= within;
    }
    Ok(found)
}
