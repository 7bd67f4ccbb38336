//! The words that products have, and those among them that look like another one.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use rusqlite::{Connection, OptionalExtension};

use super::budget::Budget;
use super::query;
use super::terms::{Scope, is_stop_word, stem};
use crate::domain::folded_words;
use crate::store::db::error::StoreError;

/// Terms that are all compared with a word, which takes some milliseconds.
const FEW_TERMS: i64 = 100_000;
/// Terms that are compared between two looks at the clock.
const BETWEEN_CHECKS: usize = 500;
/// Candidates that are looked at; of each it has to be found how it is written.
const LOOKED_AT: usize = 24;
/// Products in which the spelling of a term is looked for.
const PRODUCTS: usize = 16;

/// A word that somebody wrote, and by how many typing errors it differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Near {
    pub(crate) word: String,
    pub(crate) slips: usize,
}

/// Returns how many typing errors are forgiven: so few that they do not make another word.
fn forgiven(length: usize) -> usize {
    match length {
        0..=2 => 0,
        3..=7 => 1,
        _ => 2,
    }
}

/// Returns for each word at most so many known ones with the fewest differences, and of several
/// the most common. Digits are no slip: another number is another thing. Where there are very
/// many terms, only those are compared that begin with one of a word's first two letters.
pub(crate) fn nearest(
    connection: &Connection,
    words: &[&str],
    limit: usize,
    budget: Budget,
) -> Result<Vec<Vec<Near>>, StoreError> {
    let lengths: Vec<usize> = words.iter().map(|word| word.chars().count()).collect();
    let letters: Vec<u32> = words.iter().map(|word| letters_of(word)).collect();
    let mut candidates = vec![Vec::new(); words.len()];
    // The index alone has the terms; what else is asked of a few is not read for all.
    let mut statement = connection
        .prepare_cached("SELECT term FROM search_terms WHERE term >= ?1 AND term < ?2")?;
    let mut compared = 0_usize;
    for (first, after) in ranges(connection, words)? {
        let mut rows = statement.query([first, after])?;
        while let Some(row) = rows.next()? {
            compared += 1;
            if compared.is_multiple_of(BETWEEN_CHECKS) && budget.is_spent() {
                return Ok(vec![Vec::new(); words.len()]);
            }
            let term = row.get_ref(0)?.as_str().map_err(rusqlite::Error::from)?;
            let (length, letters_of_term) = (term.chars().count(), letters_of(term));
            for (at, word) in words.iter().enumerate() {
                // Each slip takes one letter away, or adds one, or both.
                let most = forgiven(lengths[at]);
                let differing = (letters_of_term ^ letters[at]).count_ones() as usize;
                if differing > 2 * most || length.abs_diff(lengths[at]) > most {
                    continue;
                }
                let slips = strsim::osa_distance(term, word);
                if (1..=most).contains(&slips)
                    && (same_digits(term, word) || has_letter_for_digit(word, term))
                    && !(words.len() == 1 && changes_sense(word, term))
                {
                    let products = query::count_with(connection, term)?;
                    candidates[at].push((slips, Reverse(products), term.to_owned()));
                }
            }
        }
    }
    let mut all = Vec::new();
    for mut candidates in candidates {
        candidates.sort();
        let mut near = Vec::new();
        for (slips, _, term) in candidates.into_iter().take(LOOKED_AT) {
            if near.len() == limit || budget.is_spent() {
                break;
            }
            if let Some(word) = written(connection, &term)?
                && near.iter().all(|other: &Near| other.word != word)
            {
                near.push(Near { word, slips });
            }
        }
        all.push(near);
    }
    Ok(all)
}

/// Where in the vocabulary the words' neighbours are looked for: from a text up to another.
fn ranges(
    connection: &Connection,
    words: &[&str],
) -> Result<BTreeSet<(String, String)>, StoreError> {
    if has_few_terms(connection)? {
        // Between the two are terms that are no words.
        let all = [("0", ":"), ("a", "\u{10ffff}")];
        return Ok(all.map(|(from, to)| (from.into(), to.into())).into());
    }
    let letters = words.iter().flat_map(|word| word.chars().take(2));
    let range = |letter: char| {
        let next = char::from_u32(u32::from(letter) + 1).unwrap_or(char::MAX);
        (letter.to_string(), next.to_string())
    };
    Ok(letters.map(range).collect())
}

/// Whether there are so few terms that all can be compared with a word.
pub(crate) fn has_few_terms(connection: &Connection) -> Result<bool, StoreError> {
    let mut statement =
        connection.prepare_cached("SELECT coalesce(max(number), 0) FROM search_terms")?;
    let terms: i64 = statement.query_row([], |row| row.get(0))?;
    Ok(terms <= FEW_TERMS)
}

/// A bit for each letter that a word has, several letters sharing one.
fn letters_of(word: &str) -> u32 {
    word.bytes()
        .fold(0, |letters, byte| letters | 1 << (byte % 32))
}

fn same_digits(a: &str, b: &str) -> bool {
    let digits = |text: &str| -> String { text.chars().filter(char::is_ascii_digit).collect() };
    digits(a) == digits(b)
}

/// Whether a term is no correction of a word that stands alone: nobody searches for a stop word,
/// and few miss the first letter.
fn changes_sense(word: &str, term: &str) -> bool {
    is_stop_word(term) || word.chars().next() != term.chars().next()
}

/// Whether one digit of the term is a letter in the word, as in "15o0".
fn has_letter_for_digit(word: &str, term: &str) -> bool {
    let mut differing = word.chars().zip(term.chars()).filter(|(a, b)| a != b);
    word.len() == term.len()
        && differing
            .next()
            .is_some_and(|(typed, meant)| typed.is_alphabetic() && meant.is_ascii_digit())
        && differing.next().is_none()
}

/// Whether two words that products have stand side by side in one of the titles looked at.
pub(crate) fn are_neighbours(
    connection: &Connection,
    left: &str,
    right: &str,
) -> Result<bool, StoreError> {
    let mut keys = query::with_word(connection, left, Scope::Title, None)?;
    keys = query::with_word(connection, right, Scope::Title, Some(&keys))?;
    let (left, right) = (stem(left), stem(right));
    for key in keys.iter().take(PRODUCTS) {
        let words = folded_words(&text_of(connection, key, "title")?);
        let stems: Vec<String> = words.iter().map(|word| stem(word)).collect();
        if stems.windows(2).any(|pair| *pair == [&*left, &*right]) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The text of some columns of a product, empty where it is not listed.
fn text_of(connection: &Connection, key: u32, columns: &str) -> Result<String, StoreError> {
    let sql = format!("SELECT {columns} FROM listed_products WHERE key = ?");
    let mut statement = connection.prepare_cached(&sql)?;
    let text: Option<String> = statement.query_row([key], |row| row.get(0)).optional()?;
    Ok(text.unwrap_or_default())
}

/// How a term is written: the index holds stems too, which are shown as one of their words.
/// `None` where none of the products looked at is listed.
fn written(connection: &Connection, term: &str) -> Result<Option<String>, StoreError> {
    let mut form = None;
    for key in query::some_with(connection, term, PRODUCTS)? {
        let columns = "title || ' ' || description || ' ' || source || ' ' || category";
        for word in folded_words(&text_of(connection, key, columns)?) {
            if word == term {
                return Ok(Some(word));
            }
            if form.is_none() && stem(&word) == term {
                form = Some(word);
            }
        }
        if form.is_some() {
            break;
        }
    }
    Ok(form)
}
