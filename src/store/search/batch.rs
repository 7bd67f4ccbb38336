//! Gathers in memory which products join and leave which posting lists, so that a list is
//! written once for all products that come together.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use roaring::RoaringBitmap;

use super::doc_id;
use super::terms::{SHORT, Scope, Texts, beginning_term, first_letters, stem};
use crate::domain::for_each_word;
use crate::store::StoreError;

/// Memberships (a product in a posting list, four bytes each) and words from which on a
/// batch should be written; the same lists may then have to be written again.
const MANY_MEMBERSHIPS: usize = 4_000_000;
const MANY_WORDS: usize = 150_000;

/// A product's key, and its texts before and after.
pub(crate) type Change = (i64, Option<Texts>, Option<Texts>);

/// What waits to be written.
#[derive(Default)]
pub(crate) struct Batch {
    /// The place of each word in `lists`.
    places: HashMap<Arc<str>, usize, foldhash::fast::RandomState>,
    /// New products, by their words.
    lists: Vec<Lists>,
    memberships: usize,
    /// New products by category and source, and what happens to products that were there.
    moves: BTreeMap<String, Moves>,
}

/// New products that have a word; in ascending order.
struct Lists {
    word: Arc<str>,
    anywhere: Vec<u32>,
    in_title: Vec<u32>,
}

/// What happens to one posting list.
#[derive(Debug, Default)]
pub(crate) struct Moves {
    pub(crate) joining: RoaringBitmap,
    pub(crate) leaving: RoaringBitmap,
}

impl Batch {
    /// Whether so much waits that it should be written.
    pub(crate) fn is_large(&self) -> bool {
        self.memberships > MANY_MEMBERSHIPS || self.lists.len() > MANY_WORDS
    }

    /// Adds what happened to products. None of them may wait to be written already.
    pub(crate) fn change_all(&mut self, changes: Vec<Change>) -> Result<(), StoreError> {
        // Of several changes of a product only the first and the last state matter.
        let mut merged: BTreeMap<i64, (Option<Texts>, Option<Texts>)> = BTreeMap::new();
        for (key, before, after) in changes {
            merged.entry(key).or_insert((before, None)).1 = after;
        }
        for (key, texts) in &merged {
            match texts {
                (None, Some(texts)) => self.add(*key, texts)?,
                (before, after) => self.change(*key, before.as_ref(), after.as_ref())?,
            }
        }
        Ok(())
    }

    /// Adds a new product. Keys come in ascending order.
    pub(crate) fn add(&mut self, key: i64, texts: &Texts) -> Result<(), StoreError> {
        let id = doc_id(key)?;
        for name in texts.names() {
            self.moves.entry(name).or_default().joining.insert(id);
        }
        for text in [&texts.description, &texts.source, &texts.category] {
            for_each_word(text, |word| self.add_word(word, id, false));
        }
        for_each_word(&texts.title, |word| self.add_word(word, id, true));
        Ok(())
    }

    fn add_word(&mut self, word: &str, id: u32, in_title: bool) {
        let place = match self.places.get(word) {
            Some(place) => *place,
            None => {
                let (word, place) = (Arc::<str>::from(word), self.lists.len());
                self.places.insert(Arc::clone(&word), place);
                self.lists.push(Lists {
                    word,
                    anywhere: Vec::new(),
                    in_title: Vec::new(),
                });
                place
            }
        };
        self.memberships += self.lists[place].join(id, in_title);
    }

    /// A product that was there before: only what differs is written.
    fn change(
        &mut self,
        key: i64,
        before: Option<&Texts>,
        after: Option<&Texts>,
    ) -> Result<(), StoreError> {
        let id = doc_id(key)?;
        let before = before.map(Texts::terms).unwrap_or_default();
        let after = after.map(Texts::terms).unwrap_or_default();
        for term in before.difference(&after) {
            self.moves
                .entry(term.clone())
                .or_default()
                .leaving
                .insert(id);
        }
        for term in after.difference(&before) {
            self.moves
                .entry(term.clone())
                .or_default()
                .joining
                .insert(id);
        }
        Ok(())
    }

    /// Takes everything out: what happens to each posting list, by its term. A term may
    /// come twice.
    pub(crate) fn take(&mut self) -> impl Iterator<Item = (String, Moves)> {
        let Self {
            mut lists, moves, ..
        } = std::mem::take(self);
        // Lists that stand beside one another are written one after the other.
        lists.sort_unstable_by(|a, b| a.word.cmp(&b.word));
        let united = united(&lists);
        let words = lists.into_iter().flat_map(|list| {
            let sets = list.by_scope();
            sets.map(|(scope, ids)| (scope.term(&list.word), set_of(ids)))
        });
        let joining = united.into_iter().chain(words);
        let joining = joining.filter(|(_, ids)| !ids.is_empty());
        moves.into_iter().chain(joining.map(|(term, joining)| {
            (
                term,
                Moves {
                    joining,
                    ..Moves::default()
                },
            )
        }))
    }
}

/// The lists that are made of several words', by their terms: those of stems, which may be
/// words as well, and of beginnings of words and stems.
fn united(lists: &[Lists]) -> BTreeMap<String, RoaringBitmap> {
    let mut all = BTreeMap::new();
    for scope in [Scope::Title, Scope::Anywhere] {
        let mut stems: HashMap<String, RoaringBitmap> = HashMap::new();
        // By the longest beginning of each word at first; then each beginning joins the one
        // that is a letter shorter.
        let mut beginnings: BTreeMap<String, RoaringBitmap> = BTreeMap::new();
        let mut begin = |word: &str, ids: &RoaringBitmap| {
            let first = (1..=SHORT)
                .rev()
                .find_map(|letters| first_letters(word, letters));
            match first.map(|first| (first, beginnings.get_mut(first))) {
                Some((_, Some(list))) => *list |= ids,
                Some((first, None)) => drop(beginnings.insert(first.to_owned(), ids.clone())),
                None => {}
            }
        };
        for list in lists.iter().filter(|list| !list.of(scope).is_empty()) {
            let ids = set_of(list.of(scope));
            begin(&list.word, &ids);
            let stem = stem(&list.word);
            if *stem != *list.word {
                *stems.entry(stem).or_default() |= ids;
            }
        }
        for (stem, ids) in stems {
            begin(&stem, &ids);
            all.insert(scope.term(&stem), ids);
        }
        for letters in (1..=SHORT).rev() {
            let mut shorter: BTreeMap<String, RoaringBitmap> = BTreeMap::new();
            for (first, ids) in beginnings {
                if first.chars().count() < letters {
                    *shorter.entry(first).or_default() |= ids;
                    continue;
                }
                if letters > 1
                    && let Some(less) = first_letters(&first, letters - 1)
                {
                    *shorter.entry(less.to_owned()).or_default() |= &ids;
                }
                all.insert(scope.term(&beginning_term(&first)), ids);
            }
            beginnings = shorter;
        }
    }
    all
}

/// The set of ids, which nearly always come in ascending order.
fn set_of(ids: &[u32]) -> RoaringBitmap {
    RoaringBitmap::from_sorted_iter(ids.iter().copied())
        .unwrap_or_else(|_| ids.iter().copied().collect())
}

impl Lists {
    fn of(&self, scope: Scope) -> &[u32] {
        match scope {
            Scope::Title => &self.in_title,
            Scope::Anywhere => &self.anywhere,
        }
    }

    fn by_scope(&self) -> [(Scope, &[u32]); 2] {
        [Scope::Title, Scope::Anywhere].map(|scope| (scope, self.of(scope)))
    }

    /// Adds a product, and returns how many memberships that makes.
    fn join(&mut self, id: u32, in_title: bool) -> usize {
        let mut joined = 0;
        let lists = [
            Some(&mut self.anywhere),
            in_title.then_some(&mut self.in_title),
        ];
        for list in lists.into_iter().flatten() {
            if list.last() != Some(&id) {
                list.push(id);
                joined += 1;
            }
        }
        joined
    }
}
