//! Suggests a search for one without results: tries other readings of its words, likeliest first,
//! until a product has all of them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::time::Duration;

use roaring::RoaringBitmap;
use rusqlite::Connection;

use super::budget::Budget;
use super::query;
use super::same_words::{SearchWord, is_listed, listed_words, sounding_like};
use super::shop_words::{is_everyday, spellings};
use super::stem::stem;
use super::terms::{Query, SearchScope, is_stop_word};
use super::vocabulary::{
    CHANGE, Near, are_neighbours, cost, has_few_terms, is_likely, is_near, nearest,
};
use crate::store::db::error::StoreError;

/// CPU time limit of a suggestion.
pub(crate) const BUDGET: Duration = Duration::from_millis(40);
/// Maximum number of words of a corrected search.
const MOST_WORDS: usize = 8;
/// Maximum number of similar words tried per word.
const NEAREST: usize = 12;
/// Maximum cost of all changes of a search.
const MOST_CHANGES: usize = 9;
/// Number of products with a word from which on it is no misspelling: texts of one product may have it.
const IN_USE: i64 = 4;
/// Maximum number of search prefixes tried.
const MOST_STEPS: usize = 200;

/// Returns the most similar search for which `finds` is true; `None` if there is none within the
/// budget.
pub(crate) fn correct(
    connection: &Connection,
    query: &Query,
    budget: Budget,
    mut finds: impl FnMut(&str) -> Result<bool, StoreError>,
) -> Result<Option<String>, StoreError> {
    let words = query.words();
    if words.len() > MOST_WORDS {
        return Ok(None);
    }
    let typed: Vec<&str> = words.iter().map(|word| &word.text[..]).collect();
    // Comparing known words as well takes too long with very many terms.
    let compares_all = has_few_terms(connection)?;
    let mut compared = Vec::new();
    for word in words {
        let is_open = spellings(&word.stem).is_none() && !is_real(&word.text);
        let is_rare = compares_all && query::count_with(connection, &word.stem)? < IN_USE
            || !query::is_known(connection, word)?;
        let is_compared = is_open && is_rare;
        compared.push(if is_compared { &word.text[..] } else { "" });
    }
    let near = nearest(connection, &compared, NEAREST, budget)?;
    let mut ways = Vec::new();
    for (at, near) in near.into_iter().enumerate() {
        ways.push(readings(connection, query, at, near, budget)?);
        let is_covered =
            |readings: &Vec<WordReading>| readings.iter().any(|reading| reading.covers > 1);
        if ways[at].is_empty() && !(at > 0 && is_covered(&ways[at - 1])) {
            return Ok(None);
        }
    }
    for scope in [SearchScope::Title, SearchScope::Anywhere] {
        let mut tree = Tree::new(connection, query, &ways, scope, budget)?;
        for _ in 0..MOST_STEPS {
            if budget.is_spent() {
                return Ok(None);
            }
            match tree.step() {
                Some(SearchStep::Complete(text)) if finds(&text)? => {
                    return Ok((text != typed.join(" ")).then_some(text));
                }
                Some(_) => {}
                None => break,
            }
        }
    }
    Ok(None)
}

/// A reading of one or more search words.
struct WordReading {
    words: Vec<String>,
    /// Number of search words it replaces.
    covers: usize,
    /// Cost of its changes.
    changes: usize,
}

/// Returns the readings of the words from `at` on; `near` are similar to the first.
fn readings(
    connection: &Connection,
    query: &Query,
    at: usize,
    near: Vec<Near>,
    budget: Budget,
) -> Result<Vec<WordReading>, StoreError> {
    let words = query.words();
    let word = &words[at];
    let mut readings = Vec::new();
    let mut add = |words, covers, changes| {
        readings.push(WordReading {
            words,
            covers,
            changes,
        });
    };
    if query::is_known(connection, word)? {
        add(vec![word.text.clone()], 1, 0);
    }
    if let Some(spellings) = spellings(&word.stem) {
        for other in spellings.filter(|other| *other != word.text) {
            if query::has_word(connection, other)? {
                add(vec![other.to_owned()], 1, CHANGE);
            }
        }
        return Ok(readings);
    }
    if let Some(next) = words.get(at + 1)
        && spellings(&next.stem).is_none()
    {
        let joined = query.word(format!("{}{}", word.text, next.text));
        for (left, right) in known_splits(connection, &joined.text, words, budget)? {
            add(vec![left.to_owned(), right.to_owned()], 2, 2 * CHANGE);
        }
        if query::is_known(connection, &joined)? {
            add(vec![joined.text], 2, CHANGE);
        }
    }
    for (left, right) in known_splits(connection, &word.text, words, budget)? {
        add(vec![left.to_owned(), right.to_owned()], 1, CHANGE);
    }
    let is_known = |other: &str| query::is_known(connection, &query.word(other.to_owned()));
    for other in sounding_like(&word.text).filter(|other| *other != word.text) {
        if is_known(other)? {
            add(vec![other.to_owned()], 1, CHANGE);
        }
    }
    if is_real(&word.text) {
        return Ok(readings);
    }
    for other in listed_words().filter(|other| is_near(&word.text, other)) {
        if is_likely(&word.text, other) && is_known(other)? {
            add(vec![other.to_owned()], 1, cost(&word.text, other, 1));
        }
    }
    for near in near
        .into_iter()
        .filter(|near| is_likely(&word.text, &near.word))
    {
        let cost = cost(&word.text, &near.word, near.distance);
        add(vec![near.word], 1, cost);
    }
    Ok(readings)
}

/// True for a word that exists, so that it is no misspelling of another one.
fn is_real(word: &str) -> bool {
    is_listed(word) || is_everyday(word)
}

/// Returns the splits of a text into two words that are adjacent in a title, except into a single
/// letter and a stop word.
fn known_splits<'a>(
    connection: &Connection,
    text: &'a str,
    search: &[SearchWord],
    budget: Budget,
) -> Result<Vec<(&'a str, &'a str)>, StoreError> {
    let mut known = Vec::new();
    for (at, _) in text.char_indices().skip(1) {
        let (left, right) = text.split_at(at);
        // Not within a number: “iphone 15” is not “phones 1 5”.
        let is_digit = |c: char| c.is_ascii_digit();
        if left.ends_with(is_digit) && right.starts_with(is_digit) {
            continue;
        }
        let is_letter = |part: &str| part.chars().nth(1).is_none();
        let is_stop = |part: &str| is_stop_word(part) || is_stop_word(&stem(part));
        if is_letter(left) && is_stop(right) || is_stop(left) && is_letter(right) {
            continue;
        }
        if budget.is_spent() {
            break;
        }
        if query::has_word(connection, left)?
            && query::has_word(connection, right)?
            && are_neighbours(connection, left, right, search)?
        {
            known.push((left, right));
        }
    }
    Ok(known)
}

/// Result of a search step.
enum SearchStep {
    Prefix,
    Complete(String),
}

/// Best-first search over readings of the search's prefixes.
struct Tree<'a> {
    ways: &'a [Vec<WordReading>],
    /// Products of each reading.
    products: Vec<Vec<RoaringBitmap>>,
    nodes: Vec<Node<'a>>,
    /// Queue of nodes, ordered by fewest changes, most words, most products, and age.
    waiting: BinaryHeap<(Reverse<usize>, usize, u64, Reverse<usize>)>,
}

/// A prefix: another one plus a reading of the next words.
struct Node<'a> {
    before: Option<usize>,
    words: &'a [String],
    /// Products with all of its words.
    found: Option<RoaringBitmap>,
}

impl<'a> Tree<'a> {
    fn new(
        connection: &Connection,
        query: &Query,
        ways: &'a [Vec<WordReading>],
        scope: SearchScope,
        budget: Budget,
    ) -> Result<Self, StoreError> {
        let mut products = Vec::new();
        for (at, readings) in ways.iter().enumerate() {
            let of = |reading: &WordReading| {
                if budget.is_spent() {
                    return Ok(RoaringBitmap::new());
                }
                let is_last = at + reading.covers == ways.len();
                products_of(connection, query, &reading.words, is_last, scope)
            };
            products.push(readings.iter().map(of).collect::<Result<_, _>>()?);
        }
        let mut tree = Self {
            ways,
            products,
            nodes: Vec::new(),
            waiting: BinaryHeap::new(),
        };
        tree.expand(None, 0, 0);
        Ok(tree)
    }

    /// Expands the likeliest prefix.
    fn step(&mut self) -> Option<SearchStep> {
        let (Reverse(changes), covered, _, Reverse(node)) = self.waiting.pop()?;
        if covered == self.ways.len() {
            return Some(SearchStep::Complete(self.text(node)));
        }
        self.expand(Some(node), covered, changes);
        Some(SearchStep::Prefix)
    }

    /// Adds all continuations of a prefix that have products.
    fn expand(&mut self, before: Option<usize>, at: usize, changes: usize) {
        let ways = self.ways;
        for (reading, products) in ways[at].iter().zip(&self.products[at]) {
            let found = match before.and_then(|node| self.nodes[node].found.as_ref()) {
                Some(found) => found & products,
                None => products.clone(),
            };
            let changes = changes + reading.changes;
            if changes > MOST_CHANGES || found.is_empty() {
                continue;
            }
            let node = self.nodes.len();
            let covered = at + reading.covers;
            let next = (Reverse(changes), covered, found.len(), Reverse(node));
            self.waiting.push(next);
            self.nodes.push(Node {
                before,
                words: &reading.words,
                found: Some(found),
            });
        }
        // It is not expanded again.
        if let Some(node) = before {
            self.nodes[node].found = None;
        }
    }

    fn text(&self, node: usize) -> String {
        let nodes = std::iter::successors(Some(node), |node| self.nodes[*node].before);
        let mut parts: Vec<String> = nodes.map(|node| self.nodes[node].words.join(" ")).collect();
        parts.reverse();
        parts.join(" ")
    }
}

/// Returns the products with all words; the search's last word may be a prefix.
fn products_of(
    connection: &Connection,
    query: &Query,
    words: &[String],
    is_last: bool,
    scope: SearchScope,
) -> Result<RoaringBitmap, StoreError> {
    let mut found: Option<RoaringBitmap> = None;
    for (at, word) in words.iter().enumerate() {
        let within = found.as_ref();
        let word = query.word(word.clone());
        found = Some(if is_last && at + 1 == words.len() {
            query::with_prefix(connection, &word, scope, within)?
        } else {
            query::with_searched(connection, &word, scope, within)?
        });
    }
    Ok(found.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::search::batch::Batch;
    use crate::store::search::changes::WriteConnection;
    use crate::store::search::terms::Texts;
    use crate::store::search::writer;

    #[test]
    fn a_search_without_cpu_budget_left_gets_no_suggestion() {
        let connection = WriteConnection::in_memory().unwrap().connection;
        let texts = Texts {
            title: "Powerbank".to_owned(),
            description: String::new(),
            source: String::new(),
            category: String::new(),
            tags: "[]".to_owned(),
        };
        let mut batch = Batch::default();
        batch.add(1, &texts, |_| Ok(())).unwrap();
        writer::write(&connection, &mut batch).unwrap();
        let query = Query::parse("power bank").unwrap();
        let within = |time| correct(&connection, &query, Budget::new(time), |_| Ok(true)).unwrap();
        assert_eq!(within(BUDGET), Some("powerbank".to_owned()));
        assert_eq!(within(Duration::ZERO), None);
    }
}
