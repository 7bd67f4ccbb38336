//! The words that products have, and those among them that look like another one.

use std::cmp::Reverse;

use rusqlite::{Connection, OptionalExtension};

use super::query;
use super::terms::stem;
use crate::domain::folded_words;
use crate::store::db::error::StoreError;

/// Terms that are all compared with a word, which takes some milliseconds.
const FEW_TERMS: i64 = 100_000;
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

/// How many typing errors are forgiven: none where they could make any word of any.
fn forgiven(length: usize) -> usize {
    match length {
        0..=2 => 0,
        3..=5 => 1,
        _ => 2,
    }
}

/// At most so many known words with the fewest differences, and of several the most common.
/// Digits are no slip: another number is another thing. Where there are very many words,
/// those are found that begin with one of the word's first two letters.
pub(crate) fn nearest(
    connection: &Connection,
    word: &str,
    limit: usize,
) -> Result<Vec<Near>, StoreError> {
    let length = word.chars().count();
    let most = forgiven(length);
    if most == 0 {
        return Ok(Vec::new());
    }
    let mut candidates = Vec::new();
    let letters = letters_of(word);
    for (first, after) in ranges(connection, word)? {
        let mut statement = connection.prepare_cached(
            "SELECT term, products FROM search_terms WHERE term >= ?1 AND term < ?2 AND products > 0",
        )?;
        let mut rows = statement.query([first, after])?;
        while let Some(row) = rows.next()? {
            let term = row.get_ref(0)?.as_str().map_err(rusqlite::Error::from)?;
            // Each slip takes one letter away, or adds one, or both.
            let differing = (letters_of(term) ^ letters).count_ones() as usize;
            if differing > 2 * most
                || term.chars().count().abs_diff(length) > most
                || !(same_digits(term, word) || has_letter_for_digit(word, term))
            {
                continue;
            }
            let slips = strsim::osa_distance(term, word);
            if (1..=most).contains(&slips) {
                let products: i64 = row.get(1)?;
                candidates.push((slips, Reverse(products), term.to_owned()));
            }
        }
    }
    candidates.sort();
    candidates.dedup();
    let mut near = Vec::new();
    for (slips, _, term) in candidates.into_iter().take(LOOKED_AT) {
        if near.len() == limit {
            break;
        }
        if let Some(word) = written(connection, &term)?
            && near.iter().all(|other: &Near| other.word != word)
        {
            near.push(Near { word, slips });
        }
    }
    Ok(near)
}

/// Where in the vocabulary a word's neighbours are looked for: from a text up to another.
fn ranges(connection: &Connection, word: &str) -> Result<Vec<(String, String)>, StoreError> {
    if has_few_terms(connection)? {
        // Between the two are terms that are no words.
        let all = [("0", ":"), ("a", "\u{10ffff}")];
        return Ok(all.map(|(from, to)| (from.into(), to.into())).to_vec());
    }
    let mut letters: Vec<char> = word.chars().take(2).collect();
    letters.dedup();
    let range = |letter: char| {
        let next = char::from_u32(u32::from(letter) + 1).unwrap_or(char::MAX);
        (letter.to_string(), next.to_string())
    };
    Ok(letters.into_iter().map(range).collect())
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

/// Whether one digit of the term is a letter in the word, as in "15o0".
fn has_letter_for_digit(word: &str, term: &str) -> bool {
    let mut differing = word.chars().zip(term.chars()).filter(|(a, b)| a != b);
    word.len() == term.len()
        && differing
            .next()
            .is_some_and(|(typed, meant)| typed.is_alphabetic() && meant.is_ascii_digit())
        && differing.next().is_none()
}

/// How a term is written: the index holds stems too, which are shown as one of their words.
/// `None` where none of the products looked at is listed.
fn written(connection: &Connection, term: &str) -> Result<Option<String>, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT title || ' ' || description || ' ' || source || ' ' || category FROM listed_products \
         WHERE key = ?",
    )?;
    let mut form = None;
    for key in query::some_with(connection, term, PRODUCTS)? {
        let text: Option<String> = statement.query_row([key], |row| row.get(0)).optional()?;
        for word in folded_words(&text.unwrap_or_default()) {
            if word == term {
                return Ok(Some(word));
            }
            if form.is_none() && stem(&word) == term {
                form = Some(word);
            }
        }
    }
    Ok(form)
}
