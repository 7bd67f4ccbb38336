//! Products that join and leave the sets of the full-text index, gathered in memory: each
//! set is written once for all products of a chunk that come together, unless those take
//! too much memory.

use std::collections::{HashMap, HashSet};

use super::changes::{Change, Texts};
use super::joining::{Joining, number};
use super::key_set::{Chunk, place, stored};
use super::query::Scope;
use super::terms::{SHORT, first_letters, terms_of};
use super::vocabulary::Vocabulary;
use crate::domain::for_each_word;

/// How much a batch holds and gives at once.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    /// Words and stems that are remembered from one writing to the next, some hundred bytes
    /// each.
    pub(crate) remembered: usize,
    /// Bytes of memberships, or of words, above which they should be written, although a
    /// later writing may then write the same sets again.
    pub(crate) bytes: usize,
    /// Words and stems whose sets are written together, and the memberships of these: a
    /// transaction for them takes some tenths of a second.
    pub(crate) tokens_at_once: usize,
    pub(crate) memberships_at_once: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            remembered: 150_000,
            bytes: 12 * 1_024 * 1_024,
            tokens_at_once: 6_000,
            memberships_at_once: 500_000,
        }
    }
}

/// What waits to be written. It keeps the words it knows from one writing to the next.
#[derive(Default)]
pub(crate) struct Batch {
    limits: Limits,
    tokens: Vocabulary,
    /// How often the words were forgotten.
    forgotten: u32,
    /// The chunk that the keys of the tokens belong to.
    chunk: usize,
    /// Who joins. A term is twice its token, and one more for titles.
    joining: Joining,
    /// The tokens that are still to be taken out, the last ones of the alphabet first.
    order: Vec<u32>,
    beginnings: Beginnings,
    /// What happens in other chunks, and to products that were there before.
    ready: Vec<Moves>,
}

/// A part of what a batch has to write.
pub(crate) struct Part {
    pub(crate) moves: Vec<Moves>,
    /// Whether it is the last one of what waited.
    pub(crate) is_last: bool,
    /// How often the batch forgot its words before: a token is the same as long as this is.
    pub(crate) forgotten: u32,
}

/// What happens to the set of a term in one chunk.
pub(crate) struct Moves {
    pub(crate) term: Term,
    pub(crate) chunk: usize,
    /// The place that leaves, if one does.
    pub(crate) leaving: Option<u16>,
    /// The places that join, in the stored form.
    pub(crate) joining: Vec<u8>,
}

/// Which term it is.
pub(crate) struct Term {
    pub(crate) text: String,
    /// What a batch knows the term of a word or a stem by.
    pub(crate) place: Option<u32>,
}

impl Batch {
    /// A batch with limits of its own.
    #[cfg(test)]
    pub(crate) fn within(limits: Limits) -> Self {
        Self {
            limits,
            ..Self::default()
        }
    }

    /// Whether so much waits that it should be written, full chunk or not.
    pub(crate) fn is_large(&self) -> bool {
        self.joining.bytes() > self.limits.bytes || self.knows_much()
    }

    /// Whether this key is of another chunk than the products that wait.
    pub(crate) fn leaves_chunk(&self, key: i64) -> bool {
        place(key).0 != self.chunk
    }

    fn knows_much(&self) -> bool {
        self.tokens.len() > self.limits.remembered || self.tokens.bytes() > self.limits.bytes
    }

    /// Adds what happened to products. None of them may wait to be written already.
    pub(crate) fn change_all(&mut self, changes: Vec<Change>) {
        // Of several changes of a product only the first and the last state matter.
        let mut last: HashMap<i64, usize> = HashMap::new();
        let mut merged: Vec<Change> = Vec::with_capacity(changes.len());
        for (key, before, after) in changes {
            if let Some(&at) = last.get(&key) {
                merged[at].2 = after;
            } else {
                last.insert(key, merged.len());
                merged.push((key, before, after));
            }
        }
        merged.sort_unstable_by_key(|(key, ..)| *key);
        for (key, before, after) in &merged {
            match (before, after) {
                (None, Some(texts)) => self.add(*key, texts),
                (before, after) => self.change(*key, before.as_ref(), after.as_ref()),
            }
        }
    }

    /// Adds a new product. Keys come in ascending order.
    pub(crate) fn add(&mut self, key: i64, texts: &Texts) {
        let chunk = place(key).0;
        if chunk != self.chunk {
            self.sort_tokens();
            while !self.order.is_empty() {
                self.take_tokens();
            }
            self.chunk = chunk;
        }
        for name in names(texts) {
            let token = self.tokens.place(&name);
            self.join(token, key, false);
        }
        for text in [&texts.description, &texts.source, &texts.category] {
            for_each_word(text, |word| self.add_word(word, key, false));
        }
        for_each_word(&texts.title, |word| self.add_word(word, key, true));
        self.joining.end_product(place(key).1);
    }

    fn add_word(&mut self, word: &str, key: i64, in_title: bool) {
        let token = self.tokens.place(word);
        let stem = self.tokens.stem_of(token, word);
        self.join(token, key, in_title);
        if stem != token {
            self.join(stem, key, in_title);
        }
    }

    fn join(&mut self, token: usize, key: i64, in_title: bool) {
        let key = u32::try_from(key).unwrap_or_default();
        for scope in 0..=usize::from(in_title) {
            if self.tokens.meets(token, scope, key) {
                self.joining.push(number(2 * token + scope));
            }
        }
    }

    /// A product that was there before: only what differs is written.
    fn change(&mut self, key: i64, before: Option<&Texts>, after: Option<&Texts>) {
        let before = before.map_or_else(HashSet::new, terms);
        let after = after.map_or_else(HashSet::new, terms);
        let (chunk, place) = place(key);
        let moves = |term: &String, leaving: Option<u16>, joining: &[u16]| Moves {
            term: Term {
                text: term.clone(),
                place: None,
            },
            chunk,
            leaving,
            joining: stored(joining),
        };
        let leaving = before
            .difference(&after)
            .map(|term| moves(term, Some(place), &[]));
        self.ready.extend(leaving);
        let joining = after
            .difference(&before)
            .map(|term| moves(term, None, &[place]));
        self.ready.extend(joining);
    }

    /// Takes the next sets out that change; `None` when all were. None may be added
    /// between the first part and the last.
    pub(crate) fn next_part(&mut self) -> Option<Part> {
        if self.order.is_empty() {
            self.sort_tokens();
        }
        self.take_tokens();
        if self.ready.is_empty() {
            if self.knows_much() {
                *self = Self {
                    limits: self.limits,
                    forgotten: self.forgotten + 1,
                    ..Self::default()
                };
            }
            return None;
        }
        Some(Part {
            moves: std::mem::take(&mut self.ready),
            is_last: self.order.is_empty(),
            forgotten: self.forgotten,
        })
    }

    /// Sorts the tokens that products join by the alphabet.
    fn sort_tokens(&mut self) {
        self.joining.pack();
        let joining = self.joining.counts().chunks(2).zip(0..);
        let joined = joining.filter(|(counts, _)| counts.iter().any(|count| *count > 0));
        let mut order: Vec<u32> = joined.map(|(_, token)| token).collect();
        let text = |token: &u32| self.tokens.text(*token as usize);
        order.sort_unstable_by(|a, b| text(b).cmp(text(a)));
        self.order = order;
    }

    /// Makes the products of the next tokens ready to be written.
    fn take_tokens(&mut self) {
        let counts = self.joining.counts();
        let count = |term: u32| counts.get(term as usize).copied().unwrap_or_default();
        let mut terms = Vec::new();
        let mut memberships = 0;
        for _ in 0..self.limits.tokens_at_once {
            let Some(token) = self.order.pop() else { break };
            for term in [2 * token, 2 * token + 1] {
                let products = count(term) as usize;
                if products > 0 {
                    terms.push((term, products));
                    memberships += products;
                }
            }
            if memberships > self.limits.memberships_at_once {
                break;
            }
        }
        let numbers: Vec<u32> = terms.iter().map(|(term, _)| *term).collect();
        let places = self.joining.places_of(&numbers);
        let mut rest = &places[..];
        for (term, products) in terms {
            let (joining, others) = rest.split_at(products);
            rest = others;
            let text = self.tokens.text(term as usize / 2);
            let scope = match term % 2 {
                0 => Scope::Anywhere,
                _ => Scope::Title,
            };
            let places = (self.chunk, joining);
            self.beginnings.add(scope, text, places, &mut self.ready);
            self.ready.push(Moves {
                term: Term {
                    text: scope.term(text),
                    place: Some(term),
                },
                chunk: self.chunk,
                leaving: None,
                joining: stored(joining),
            });
        }
        if self.order.is_empty() {
            self.beginnings.finish(self.chunk, &mut self.ready);
            self.joining = Joining::default();
        }
    }
}

/// The products that have a word with a beginning: words come in the order of the
/// alphabet, so that those that begin alike follow one another.
#[derive(Default)]
struct Beginnings {
    /// For each scope and number of letters the one that words are added to.
    current: [[Option<(String, Chunk)>; SHORT]; 2],
}

impl Beginnings {
    /// Adds a word's products to those of its beginnings; what is finished is ready.
    fn add(
        &mut self,
        scope: Scope,
        word: &str,
        (chunk, places): (usize, &[u16]),
        ready: &mut Vec<Moves>,
    ) {
        if word.starts_with(['@', '$']) {
            return;
        }
        for letters in 1..=SHORT {
            let Some(first) = first_letters(word, letters) else {
                return;
            };
            let current = &mut self.current[scope as usize][letters - 1];
            if current
                .as_ref()
                .is_some_and(|(beginning, _)| beginning != first)
            {
                ready.extend(current.take().map(|found| finish(chunk, scope, found)));
            }
            let (_, united) = current.get_or_insert_with(|| (first.to_owned(), Chunk::empty()));
            for place in places {
                united.add(*place);
            }
        }
    }

    fn finish(&mut self, chunk: usize, ready: &mut Vec<Moves>) {
        for (scope, current) in [Scope::Anywhere, Scope::Title]
            .into_iter()
            .zip(&mut self.current)
        {
            let found = current.iter_mut().filter_map(Option::take);
            ready.extend(found.map(|found| finish(chunk, scope, found)));
        }
    }
}

fn finish(chunk: usize, scope: Scope, (beginning, united): (String, Chunk)) -> Moves {
    Moves {
        term: Term {
            text: scope.term(&format!("*{beginning}")),
            place: None,
        },
        chunk,
        leaving: None,
        joining: united.to_stored(united.count()),
    }
}

/// Every term of a product.
pub(crate) fn terms(texts: &Texts) -> HashSet<String> {
    let mut terms: HashSet<String> = names(texts).into_iter().collect();
    for text in [&texts.description, &texts.source, &texts.category] {
        for_each_word(text, |word| terms.extend(terms_of(word)));
    }
    for_each_word(&texts.title, |word| {
        for term in terms_of(word) {
            terms.insert(format!("={term}"));
            terms.insert(term);
        }
    });
    terms
}

/// The terms of a product's category and source.
fn names(texts: &Texts) -> [String; 2] {
    [format!("@{}", texts.category), format!("${}", texts.source)]
}
