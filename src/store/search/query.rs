//! Reading the full-text index: which products have a word, a category, a source.

use roaring::{MultiOps, RoaringBitmap};
use rusqlite::{Connection, OptionalExtension};

use super::chunks::{chunk_bit, chunks_of, posting_key};
use super::terms::{
    Query, SHORT, Scope, beginning_term, category_term, joined_term, source_term, stem,
};
use super::writer::{chunk_count, from_stored};
use crate::store::db::error::StoreError;

/// A term of the index.
struct Term {
    number: i64,
    /// How many products have it.
    products: i64,
    /// The [`chunk_bit`] of each chunk in which there may be one.
    chunks: i64,
}

/// Maximum number of pairs of words that are also looked for as one word.
const MOST_JOINED: usize = 3;

/// Returns the keys of the products that match every word, among `within` if that is given. Two
/// words that stand side by side also match as one, where products have it ("power bank").
pub(crate) fn matching(
    connection: &Connection,
    query: &Query,
    scope: Scope,
    within: Option<&RoaringBitmap>,
) -> Result<RoaringBitmap, StoreError> {
    let words = query.words();
    let mut found = all_of(connection, words, scope, within)?;
    let mut joined = 0;
    for at in 1..words.len() {
        let word = words[at - 1..=at].concat();
        if joined < MOST_JOINED && has_whole(connection, &word)? {
            let words = [&words[..at - 1], &[word], &words[at + 1..]].concat();
            found |= all_of(connection, &words, scope, within)?;
            joined += 1;
        }
    }
    Ok(found)
}

/// The keys of the products that have all of the words, the last one at least as the
/// beginning of a word.
fn all_of(
    connection: &Connection,
    words: &[String],
    scope: Scope,
    within: Option<&RoaringBitmap>,
) -> Result<RoaringBitmap, StoreError> {
    let Some((last, whole)) = words.split_last() else {
        return Ok(RoaringBitmap::new());
    };
    let mut terms = Vec::new();
    for word in whole {
        match whole_terms(connection, word, scope)? {
            none if none.is_empty() => return Ok(RoaringBitmap::new()),
            of_word => terms.push(of_word),
        }
    }
    // The rarest first: only where it left something are the others read.
    terms.sort_by_key(|terms| terms.iter().map(|term| term.products).sum::<i64>());
    let mut found: Option<RoaringBitmap> = None;
    for terms in terms {
        found = Some(united(connection, &terms, found.as_ref().or(within))?);
    }
    beginning_with(connection, last, scope, found.as_ref().or(within))
}

/// The keys of the products that have a word, in any form or as a beginning.
pub(crate) fn beginning_with(
    connection: &Connection,
    word: &str,
    scope: Scope,
    within: Option<&RoaringBitmap>,
) -> Result<RoaringBitmap, StoreError> {
    united(connection, &beginning(connection, word, scope)?, within)
}

/// The keys of the products that have a whole word, in any form.
pub(crate) fn with_word(
    connection: &Connection,
    word: &str,
    scope: Scope,
    within: Option<&RoaringBitmap>,
) -> Result<RoaringBitmap, StoreError> {
    united(connection, &whole_terms(connection, word, scope)?, within)
}

/// The keys of the products of a category.
pub(crate) fn of_category(
    connection: &Connection,
    category: &str,
    within: Option<&RoaringBitmap>,
) -> Result<RoaringBitmap, StoreError> {
    having(connection, &category_term(category), within)
}

/// The keys of the products of a source.
pub(crate) fn of_source(
    connection: &Connection,
    source: &str,
    within: Option<&RoaringBitmap>,
) -> Result<RoaringBitmap, StoreError> {
    having(connection, &source_term(source), within)
}

fn having(
    connection: &Connection,
    text: &str,
    within: Option<&RoaringBitmap>,
) -> Result<RoaringBitmap, StoreError> {
    let term = term(connection, text)?;
    united(connection, term.as_slice(), within)
}

/// Whether any product has this word, whole in any form.
pub(crate) fn has_whole(connection: &Connection, word: &str) -> Result<bool, StoreError> {
    Ok(term(connection, &stem(word))?.is_some())
}

/// Whether any product has this word, whole in any form or as a beginning.
pub(crate) fn is_known(connection: &Connection, word: &str) -> Result<bool, StoreError> {
    Ok(!beginning(connection, word, Scope::Anywhere)?.is_empty())
}

/// How many products have exactly this term.
pub(crate) fn count_with(connection: &Connection, text: &str) -> Result<i64, StoreError> {
    Ok(term(connection, text)?.map_or(0, |term| term.products))
}

/// The keys of some products that have exactly this term.
pub(crate) fn some_with(
    connection: &Connection,
    text: &str,
    most: usize,
) -> Result<Vec<u32>, StoreError> {
    Ok(having(connection, text, None)?.iter().take(most).collect())
}

/// The terms whose products have this whole word in any form, also written as two.
fn whole_terms(connection: &Connection, word: &str, scope: Scope) -> Result<Vec<Term>, StoreError> {
    let mut terms = Vec::new();
    for text in [stem(word), joined_term(word)] {
        terms.extend(term(connection, &scope.term(&text))?);
    }
    Ok(terms)
}

/// The terms whose products have a word that is this one in any form, or begins
/// with it.
fn beginning(connection: &Connection, word: &str, scope: Scope) -> Result<Vec<Term>, StoreError> {
    let mut terms = whole_terms(connection, word, scope)?;
    if word.chars().count() <= SHORT {
        terms.extend(term(connection, &scope.term(&beginning_term(word)))?);
        return Ok(terms);
    }
    let mut statement = connection.prepare_cached(
        "SELECT number, products, chunks FROM search_terms WHERE term >= ?1 AND term < ?2 AND products > 0",
    )?;
    let first = scope.term(word);
    let end = after_all_with(&first);
    let rows = statement.query_map([first, end], read_term)?;
    for term in rows {
        terms.push(term?);
    }
    Ok(terms)
}

/// The first text that sorts after everything that begins with this one.
fn after_all_with(beginning: &str) -> String {
    let mut end = beginning.to_owned();
    while let Some(last) = end.pop() {
        // The numbers between are no characters, and no text holds them.
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

fn term(connection: &Connection, text: &str) -> Result<Option<Term>, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT number, products, chunks FROM search_terms WHERE term = ? AND products > 0",
    )?;
    Ok(statement.query_row([text], read_term).optional()?)
}

fn read_term(row: &rusqlite::Row<'_>) -> rusqlite::Result<Term> {
    Ok(Term {
        number: row.get(0)?,
        products: row.get(1)?,
        chunks: row.get(2)?,
    })
}

/// The keys that have one of the terms, among `within` if that is given.
fn united(
    connection: &Connection,
    terms: &[Term],
    within: Option<&RoaringBitmap>,
) -> Result<RoaringBitmap, StoreError> {
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
        // All at once: joining many small sets one by one copies what is there each time.
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
