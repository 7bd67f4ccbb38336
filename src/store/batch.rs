//! Products that join and leave the sets of the full-text index, gathered in memory:
//! each set is written once, however many products that concerns.

use std::collections::{HashMap, HashSet};

use super::index::{Change, Texts};
use super::joining::Joining;
use super::key_set::{Chunk, place};
use super::postings::Scope;
use super::vocabulary::{Vocabulary, number};
use super::words::{SHORT, first_letters, terms_of};
use crate::domain::for_each_word;

/// Terms that are remembered from one writing to the next, some hundred bytes each.
const REMEMBERED: usize = 200_000;

/// Tokens whose sets are taken out together.
const TAKEN_AT_ONCE: usize = 20_000;

/// What waits to be written. It keeps what it knows about words from one writing to
/// the next.
#[derive(Default)]
pub(super) struct Batch {
    tokens: Vocabulary,
    /// The chunk that the keys of the tokens belong to.
    chunk: usize,
    /// Who joins, as products come. One long list is written to faster than a list for
    /// each word.
    joining: Joining,
    /// The same, sorted by the token: all places, and where those of each begin.
    sorted: Vec<u16>,
    starts: Vec<u32>,
    /// The tokens that are still to be taken out, the last ones first.
    order: Vec<u32>,
    beginnings: Beginnings,
    /// What happens in other chunks, and to products that were there before.
    ready: Vec<Moves>,
    /// The numbers of terms that are no tokens.
    numbers: HashMap<String, i64>,
}

/// What happens to the set of a term in one chunk.
pub(super) struct Moves {
    pub(super) term: Term,
    pub(super) chunk: usize,
    /// In ascending order, as the others.
    pub(super) leaving: Vec<u16>,
    pub(super) joining: Vec<u16>,
}

/// Which term it is.
pub(super) enum Term {
    /// The term of a token, anywhere or in titles, by the place of the token.
    OfToken(usize, Scope),
    /// Another one.
    Text(String),
}

impl Batch {
    /// How many memberships wait to be written: some six bytes each.
    pub(super) fn len(&self) -> usize {
        self.joining.len() + self.ready.len()
    }

    /// Adds what happened to products. None of them may wait to be written already.
    pub(super) fn change_all(&mut self, changes: Vec<Change>) {
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
    pub(super) fn add(&mut self, key: i64, texts: &Texts) {
        let chunk = place(key).0;
        if chunk != self.chunk {
            self.sort_tokens();
            self.take_tokens(usize::MAX);
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
        let moves = |term: &String, leaving, joining| Moves {
            term: Term::Text(term.clone()),
            chunk,
            leaving,
            joining,
        };
        let leaving = before
            .difference(&after)
            .map(|term| moves(term, vec![place], vec![]));
        self.ready.extend(leaving);
        let joining = after
            .difference(&before)
            .map(|term| moves(term, vec![], vec![place]));
        self.ready.extend(joining);
    }

    /// Takes the next sets out that change; none when all were.
    pub(super) fn moves(&mut self) -> Vec<Moves> {
        if self.joining.len() > 0 {
            self.sort_tokens();
        }
        self.take_tokens(TAKEN_AT_ONCE);
        std::mem::take(&mut self.ready)
    }

    /// The number of a term in the index, if it was met before.
    pub(super) fn number(&self, term: &Term) -> Option<i64> {
        match term {
            Term::OfToken(token, scope) => self.tokens.number(*token, *scope as usize),
            Term::Text(text) => self.numbers.get(text).copied(),
        }
    }

    /// Remembers the number of a term.
    pub(super) fn set_number(&mut self, term: &Term, number: i64) {
        match term {
            Term::OfToken(token, scope) => {
                self.tokens.set_number(*token, *scope as usize, number);
            }
            Term::Text(text) => drop(self.numbers.insert(text.clone(), number)),
        }
    }

    /// The text of a term.
    pub(super) fn text(&self, term: &Term) -> String {
        match term {
            Term::OfToken(token, scope) => scope.term(self.tokens.text(*token)),
            Term::Text(text) => text.clone(),
        }
    }

    /// Forgets words when there are too many; nothing may wait to be written.
    pub(super) fn forget(&mut self) {
        if self.tokens.len() + self.numbers.len() > REMEMBERED {
            *self = Self::default();
        }
    }

    /// Sorts who joins by the tokens, and those by the alphabet.
    fn sort_tokens(&mut self) {
        let joining = std::mem::take(&mut self.joining);
        let mut starts = vec![0_u32; 2 * self.tokens.len() + 1];
        for term in joining.terms() {
            starts[term as usize + 1] += 1;
        }
        for token in 1..starts.len() {
            starts[token] += starts[token - 1];
        }
        let mut sorted = vec![0; joining.len()];
        let mut next = starts.clone();
        joining.drain(|term, place| {
            let next = &mut next[term as usize];
            sorted[*next as usize] = place;
            *next += 1;
        });
        let mut order: Vec<u32> = (0..number(self.tokens.len()))
            .filter(|token| starts[2 * *token as usize] < starts[2 * *token as usize + 2])
            .collect();
        let text = |token: &u32| self.tokens.text(*token as usize);
        order.sort_unstable_by(|a, b| text(b).cmp(text(a)));
        (self.sorted, self.starts, self.order) = (sorted, starts, order);
    }

    /// Makes the products of the next tokens ready to be written.
    fn take_tokens(&mut self, most: usize) {
        for _ in 0..most {
            let Some(index) = self.order.pop() else { break };
            let index = index as usize;
            let text = self.tokens.text(index);
            for scope in [Scope::Anywhere, Scope::Title] {
                let at = 2 * index + scope as usize;
                let joining = &self.sorted[self.starts[at] as usize..self.starts[at + 1] as usize];
                if joining.is_empty() {
                    continue;
                }
                let places = (self.chunk, joining);
                self.beginnings.add(scope, text, places, &mut self.ready);
                self.ready.push(Moves {
                    term: Term::OfToken(index, scope),
                    chunk: self.chunk,
                    leaving: Vec::new(),
                    joining: joining.to_vec(),
                });
            }
        }
        if self.order.is_empty() {
            self.beginnings.finish(self.chunk, &mut self.ready);
            self.sorted = Vec::new();
            self.starts = Vec::new();
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
        term: Term::Text(scope.term(&format!("*{beginning}"))),
        chunk,
        leaving: Vec::new(),
        joining: united.places().collect(),
    }
}

/// Every term of a product.
fn terms(texts: &Texts) -> HashSet<String> {
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
