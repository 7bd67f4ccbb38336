//! Finding what a search that finds nothing may have meant: its words are read in other
//! ways, the likeliest first, until some product has all of them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use roaring::RoaringBitmap;
use rusqlite::Connection;

use super::query;
use super::spellings::cuts;
use super::terms::{Query, Scope};
use super::vocabulary::{has_few_terms, nearest};
use crate::store::db::error::StoreError;

/// Words of a search that is corrected; more take too long.
const MOST_WORDS: usize = 8;
/// Words that one may have been meant as.
const NEAREST: usize = 12;
/// Changes of a search, a slip of a letter each or a space, that are thought of.
const MOST_CHANGES: usize = 4;
/// Beginnings of a search that are looked at: how long it may take.
const MOST_STEPS: usize = 200;

/// The search that is most like this one of which `finds` something; `None` where nothing
/// is near.
pub(crate) fn correct(
    connection: &Connection,
    query: &Query,
    mut finds: impl FnMut(&str) -> Result<bool, StoreError>,
) -> Result<Option<String>, StoreError> {
    let words: Vec<String> = query.words().map(str::to_owned).collect();
    if words.len() > MOST_WORDS {
        return Ok(None);
    }
    let mut ways = Vec::new();
    for at in 0..words.len() {
        ways.push(readings(connection, &words, at)?);
        let is_covered =
            |readings: &Vec<Reading>| readings.iter().any(|reading| reading.covers > 1);
        if ways[at].is_empty() && !(at > 0 && is_covered(&ways[at - 1])) {
            return Ok(None);
        }
    }
    for scope in [Scope::Title, Scope::Anywhere] {
        let mut tree = Tree::new(connection, &ways, scope)?;
        for _ in 0..MOST_STEPS {
            match tree.step() {
                Some(Step::Whole(text)) if finds(&text)? => {
                    return Ok((text != words.join(" ")).then_some(text));
                }
                Some(_) => {}
                None => break,
            }
        }
    }
    Ok(None)
}

/// One way to read some words of a search.
struct Reading {
    words: Vec<String>,
    /// How many words of the search it stands for.
    covers: usize,
    changes: usize,
}

/// The ways to read the words from an index on.
fn readings(
    connection: &Connection,
    words: &[String],
    at: usize,
) -> Result<Vec<Reading>, StoreError> {
    let word = &words[at];
    let mut readings = Vec::new();
    let mut add = |words, covers, changes| {
        readings.push(Reading {
            words,
            covers,
            changes,
        });
    };
    let is_known = query::is_known(connection, word)?;
    if is_known {
        add(vec![word.clone()], 1, 0);
    }
    if let Some(next) = words.get(at + 1) {
        let joined = format!("{word}{next}");
        for (left, right) in known_cuts(connection, &joined)? {
            add(vec![left, right], 2, 2);
        }
        if query::is_known(connection, &joined)? {
            add(vec![joined], 2, 1);
        }
    }
    for (left, right) in known_cuts(connection, word)? {
        add(vec![left, right], 1, 1);
    }
    // A slip may make another word, but to look at every word takes long among very many.
    if !is_known || has_few_terms(connection)? {
        for near in nearest(connection, word, NEAREST)? {
            add(vec![near.word], 1, near.slips);
        }
    }
    Ok(readings)
}

/// The ways to cut a text in two words that products have.
fn known_cuts(connection: &Connection, text: &str) -> Result<Vec<(String, String)>, StoreError> {
    let mut known = Vec::new();
    for (left, right) in cuts(text) {
        if query::has_whole(connection, left)? && query::has_whole(connection, right)? {
            known.push((left.to_owned(), right.to_owned()));
        }
    }
    Ok(known)
}

/// What a look at the next beginning gave.
enum Step {
    /// It is a beginning only.
    Part,
    /// It is a whole search, which some product answers.
    Whole(String),
}

/// Beginnings of the search, each read in some way, that some product has.
struct Tree<'a> {
    ways: &'a [Vec<Reading>],
    /// The products of each reading.
    products: Vec<Vec<RoaringBitmap>>,
    nodes: Vec<Node<'a>>,
    /// Nodes to look at: the one with the fewest changes first, of those the longest, of
    /// those the one that most products have, and then the one that was thought of first.
    waiting: BinaryHeap<(Reverse<usize>, usize, u64, Reverse<usize>)>,
}

/// A beginning: another one, and how the next words are read.
struct Node<'a> {
    before: Option<usize>,
    words: &'a [String],
    /// The products that have all of it.
    found: Option<RoaringBitmap>,
}

impl<'a> Tree<'a> {
    fn new(
        connection: &Connection,
        ways: &'a [Vec<Reading>],
        scope: Scope,
    ) -> Result<Self, StoreError> {
        let mut products = Vec::new();
        for (at, readings) in ways.iter().enumerate() {
            let of = |reading: &Reading| {
                let is_last = at + reading.covers == ways.len();
                products_of(connection, &reading.words, is_last, scope)
            };
            products.push(readings.iter().map(of).collect::<Result<_, _>>()?);
        }
        let mut tree = Self {
            ways,
            products,
            nodes: Vec::new(),
            waiting: BinaryHeap::new(),
        };
        tree.grow(None, 0, 0);
        Ok(tree)
    }

    /// Looks at the likeliest beginning.
    fn step(&mut self) -> Option<Step> {
        let (Reverse(changes), covered, _, Reverse(node)) = self.waiting.pop()?;
        if covered == self.ways.len() {
            return Some(Step::Whole(self.text(node)));
        }
        self.grow(Some(node), covered, changes);
        Some(Step::Part)
    }

    /// Adds every way to go on from a beginning that some product has.
    fn grow(&mut self, before: Option<usize>, at: usize, changes: usize) {
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
        // Nobody goes on from it again.
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

/// The products that have all of these words, of which the last word of a search may be the
/// beginning of one.
fn products_of(
    connection: &Connection,
    words: &[String],
    is_last: bool,
    scope: Scope,
) -> Result<RoaringBitmap, StoreError> {
    let mut found: Option<RoaringBitmap> = None;
    for (at, word) in words.iter().enumerate() {
        let within = found.as_ref();
        found = Some(if is_last && at + 1 == words.len() {
            query::beginning_with(connection, word, scope, within)?
        } else {
            query::with_word(connection, word, scope, within)?
        });
    }
    Ok(found.unwrap_or_default())
}
