//! Vocabulary of the index, and similar words within it.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use roaring::RoaringBitmap;
use rusqlite::{Connection, OptionalExtension};

use super::budget::Budget;
use super::query;
use super::same_words::SearchWord;
use super::stem::stem;
use super::terms::{SearchScope, is_stop_word};
use crate::domain::folded_words;
use crate::store::categories::NAME;
use crate::store::db::error::Result;
use crate::store::db::rows::scalar;

/// Number of terms up to which all are compared with a word, in milliseconds.
const FEW_TERMS: i64 = 100_000;
/// Comparisons between two checks of the budget.
const BETWEEN_CHECKS: usize = 500;
/// Candidates whose spelling is looked up.
const CANDIDATES: usize = 24;
/// Products that are searched for the spelling of a term.
const PRODUCTS: usize = 16;

/// Cost of a space more or less, and of a letter more, less or in another place. A replaced letter is a
/// rarer mistake, and costs one more.
pub(crate) const CHANGE: usize = 2;

/// A known word and its edit distance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Near {
    pub(crate) word: String,
    pub(crate) distance: usize,
}

/// Returns the maximum edit distance for a word of this length.
fn max_distance(length: usize) -> usize {
    match length {
        0..=2 => 0,
        3..=7 => 1,
        _ => 2,
    }
}

/// Returns up to `limit` known words per word, by edit distance and frequency. Digits must be
/// equal. With very many terms, only those that begin with one of the word's first two letters are
/// compared.
pub(crate) fn nearest(
    connection: &Connection,
    words: &[&str],
    limit: usize,
    budget: Budget,
) -> Result<Vec<Vec<Near>>> {
    let lengths: Vec<usize> = words.iter().map(|word| word.chars().count()).collect();
    let letters: Vec<u32> = words.iter().map(|word| letters_of(word)).collect();
    let mut candidates = vec![Vec::new(); words.len()];
    // Read from the covering index alone; counts are read for candidates only.
    let mut statement = connection.prepare_cached(
        "SELECT term FROM search_terms WHERE term >= ?1 AND term < ?2 \
         UNION ALL SELECT term FROM category_terms WHERE term >= ?1 AND term < ?2",
    )?;
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
            // “pht” is not “ph”.
            if max_distance(length) == 0 {
                continue;
            }
            for (at, word) in words.iter().enumerate() {
                // An edit removes a letter, adds one, or both.
                let most = max_distance(lengths[at]);
                let differing = (letters_of_term ^ letters[at]).count_ones() as usize;
                if differing > 2 * most || length.abs_diff(lengths[at]) > most {
                    continue;
                }
                let distance = strsim::osa_distance(term, word);
                if (1..=most).contains(&distance)
                    && (same_digits(term, word) || has_letter_for_digit(word, term))
                    && !(words.len() == 1 && is_implausible(word, term))
                {
                    let products = query::count_with(connection, term)?;
                    candidates[at].push((distance, Reverse(products), term.to_owned()));
                }
            }
        }
    }
    let mut all = Vec::new();
    for mut candidates in candidates {
        candidates.sort();
        let mut near = Vec::new();
        for (distance, _, term) in candidates.into_iter().take(CANDIDATES) {
            if near.len() == limit || budget.is_spent() {
                break;
            }
            if let Some(word) = written(connection, &term)?
                && near.iter().all(|other: &Near| other.word != word)
            {
                near.push(Near { word, distance });
            }
        }
        all.push(near);
    }
    Ok(all)
}

/// Returns the ranges of terms to compare.
fn ranges(connection: &Connection, words: &[&str]) -> Result<BTreeSet<(String, String)>> {
    if has_few_terms(connection)? {
        // Terms between the two are no words.
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

/// True if there are few enough terms to compare all.
pub(crate) fn has_few_terms(connection: &Connection) -> Result<bool> {
    let sql = "SELECT coalesce(max(number), 0) FROM search_terms";
    Ok(scalar::<i64>(connection, sql, [])? <= FEW_TERMS)
}

/// Returns a 32-bit set of the letters of a word.
fn letters_of(word: &str) -> u32 {
    word.bytes()
        .fold(0, |letters, byte| letters | 1 << (byte % 32))
}

fn same_digits(a: &str, b: &str) -> bool {
    let digits = |text: &str| -> String { text.chars().filter(char::is_ascii_digit).collect() };
    digits(a) == digits(b)
}

/// True for corrections of a single word that are implausible: a stop word, or another first
/// letter.
fn is_implausible(word: &str, term: &str) -> bool {
    is_stop_word(term) || word.chars().next() != term.chars().next()
}

/// True if the only difference is a letter in place of a digit, as in "15o0".
fn has_letter_for_digit(word: &str, term: &str) -> bool {
    let mut differing = word.chars().zip(term.chars()).filter(|(a, b)| a != b);
    word.len() == term.len()
        && differing
            .next()
            .is_some_and(|(typed, meant)| typed.is_alphabetic() && meant.is_ascii_digit())
        && differing.next().is_none()
}

/// True if two words differ by one letter, but not the first.
pub(crate) fn is_near(typed: &str, other: &str) -> bool {
    typed.len().abs_diff(other.len()) <= 1
        && typed.len() > 2
        && typed.chars().next() == other.chars().next()
        && strsim::osa_distance(typed, other) == 1
}

/// Returns the cost of reading a word as another at this distance.
pub(crate) fn cost(typed: &str, other: &str, distance: usize) -> usize {
    CHANGE * distance + usize::from(replaced(typed, other).is_some())
}

/// Returns the first letters that differ, if words of one length do not only change their order.
fn replaced(typed: &str, other: &str) -> Option<(char, char)> {
    let sorted = |word: &str| {
        let mut letters: Vec<char> = word.chars().collect();
        letters.sort_unstable();
        letters
    };
    let (left, right) = (sorted(typed), sorted(other));
    if left.len() != right.len() || left == right {
        return None;
    }
    typed.chars().zip(other.chars()).find(|(a, b)| a != b)
}

/// Length up to which a word is another one if a consonant is replaced by one that is neither near on
/// keyboards nor sounds alike: “kursi” is no “kurti”.
const SHORT_WORD: usize = 5;

/// False if a word is likelier another one than a misspelling.
pub(crate) fn is_likely(typed: &str, other: &str) -> bool {
    let is_consonant = |c: char| c.is_ascii_lowercase() && !VOWELS.contains(c);
    let is_other = |(a, b): (char, char)| is_consonant(a) && is_consonant(b) && !are_alike(a, b);
    begins_alike(typed, other)
        && !(typed.len() <= SHORT_WORD && replaced(typed, other).is_some_and(is_other))
}

/// True for letters that sound alike, or are neighbours on keyboards.
fn are_alike(a: char, b: char) -> bool {
    let place = |c: char| {
        let mut rows = KEYS.iter().enumerate();
        rows.find_map(|(row, keys)| Some((row, keys.find(c)?)))
    };
    let are_near = |((row, at), (other_row, other_at)): ((usize, usize), (usize, usize))| {
        row.abs_diff(other_row) <= 1 && at.abs_diff(other_at) <= 1
    };
    let sounds = |group: &&str| group.contains(a) && group.contains(b);
    SOUNDS.iter().any(sounds) || place(a).zip(place(b)).is_some_and(are_near)
}

const KEYS: [&str; 3] = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];
const VOWELS: &str = "aeiouy";
/// Letters that are mistaken for each other.
const SOUNDS: [&str; 6] = [VOWELS, "ckqx", "cszx", "fp", "gjz", "bvw"];

/// False if the first letter is replaced by one that sounds otherwise: people mistype it least, so that the
/// word is more likely another one, like a brand.
fn begins_alike(typed: &str, other: &str) -> bool {
    let (mut left, mut right) = (typed.chars(), other.chars());
    let (Some(first), Some(other_first)) = (left.next(), right.next()) else {
        return false;
    };
    let sounds = |group: &&str| group.contains(first) && group.contains(other_first);
    let (left, right) = (left.as_str(), right.as_str());
    first == other_first
        || SOUNDS.iter().any(sounds)
        // A letter too many, one too few, or two that changed places.
        || left.starts_with(other_first)
        || right.starts_with(first)
}

/// True if the two words are adjacent in one of the first titles with both, of which those with other
/// words of the search come first.
pub(crate) fn are_neighbours(
    connection: &Connection,
    left: &str,
    right: &str,
    search: &[SearchWord],
) -> Result<bool> {
    let in_title = |word: &str, within: Option<&RoaringBitmap>| {
        query::with_word(connection, word, SearchScope::Title, within)
    };
    let keys = in_title(right, Some(&in_title(left, None)?))?;
    let mut likely = keys.clone();
    for word in search {
        let narrowed = in_title(&word.text, Some(&likely))?;
        if !narrowed.is_empty() {
            likely = narrowed;
        }
    }
    let (left, right) = (stem(left), stem(right));
    let others = &keys - &likely;
    for key in likely.iter().chain(&others).take(PRODUCTS) {
        let words = folded_words(&text_of(connection, key, "title")?);
        let stems: Vec<String> = words.iter().map(|word| stem(word)).collect();
        if stems.windows(2).any(|pair| *pair == [&*left, &*right]) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns the text of some columns of a product; empty if it is not listed.
fn text_of(connection: &Connection, key: u32, columns: &str) -> Result<String> {
    let sql = format!("SELECT {columns} FROM listed_products WHERE key = ?");
    let text: Option<String> = scalar(connection, &sql, [key]).optional()?;
    Ok(text.unwrap_or_default())
}

/// Returns a term as a word: a stem as one of its words; `None` if no listed product was found.
fn written(connection: &Connection, term: &str) -> Result<Option<String>> {
    let mut form = None;
    for key in query::sample_with(connection, term, PRODUCTS)? {
        let columns = format!("title || ' ' || description || ' ' || source || ' ' || {NAME}");
        for word in folded_words(&text_of(connection, key, &columns)?) {
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
