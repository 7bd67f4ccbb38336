//! Collects additions to and removals from posting lists, so that each list is written once per
//! batch.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use roaring::RoaringBitmap;

use super::chunks::{chunk_of, doc_id, first_id};
use super::stem::stem;
use super::terms::{
    SHORT, SearchScope, Texts, first_letters, for_each_title_token, for_each_token, is_joined_term,
    prefix_term,
};
use crate::store::StoreError;

/// Limits at which a batch is flushed before the end of its chunk: entries of posting lists (two
/// bytes each), and words.
const MANY_MEMBERSHIPS: usize = 8_000_000;
const MANY_WORDS: usize = 150_000;

/// A product's key, and its texts before and after.
pub(crate) type Change = (i64, Option<Texts>, Option<Texts>);

/// Unwritten changes of products of one chunk.
#[derive(Default)]
pub(crate) struct Batch {
    chunk: u32,
    /// New products by word.
    lists: HashMap<String, Lists, foldhash::fast::RandomState>,
    memberships: usize,
    /// New products by category and source, and changes of existing products.
    deltas: BTreeMap<String, Delta>,
}

/// Ascending ids, within the chunk, of new products with a word.
#[derive(Default)]
struct Lists {
    anywhere: Vec<u16>,
    in_title: Vec<u16>,
}

#[derive(Debug, Default)]
/// Changes of one posting list in one chunk.
pub(crate) struct Delta {
    pub(crate) added: RoaringBitmap,
    pub(crate) removed: RoaringBitmap,
}

impl Batch {
    /// Adds changes of products that are not in the batch yet. Calls `flush`, which takes the
    /// contents, when the batch is full or the chunk changes.
    pub(crate) fn change_all(
        &mut self,
        changes: Vec<Change>,
        mut flush: impl FnMut(&mut Self) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        // Only the first and last state of a product matter.
        let mut merged: BTreeMap<i64, (Option<Texts>, Option<Texts>)> = BTreeMap::new();
        for (key, before, after) in changes {
            merged.entry(key).or_insert((before, None)).1 = after;
        }
        for (key, texts) in &merged {
            match texts {
                (None, Some(texts)) => self.add(*key, texts, &mut flush)?,
                (before, after) => {
                    let id = self.flush_if_full(*key, &mut flush)?;
                    self.change(id, before.as_ref(), after.as_ref());
                }
            }
        }
        Ok(())
    }

    /// Like [`Batch::change_all`], for one new product; keys must ascend.
    pub(crate) fn add(
        &mut self,
        key: i64,
        texts: &Texts,
        flush: impl FnMut(&mut Self) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let id = self.flush_if_full(key, flush)?;
        for name in texts.names() {
            self.deltas.entry(name).or_default().added.insert(id);
        }
        let id = (id - first_id(self.chunk)) as u16;
        for text in [&texts.description, &texts.source] {
            for_each_token(text, SearchScope::Anywhere, |token| {
                self.add_word(token, id, false);
            });
        }
        for_each_title_token(&texts.title, |token| {
            self.add_word(token, id, true);
        });
        Ok(())
    }

    fn flush_if_full(
        &mut self,
        key: i64,
        mut flush: impl FnMut(&mut Self) -> Result<(), StoreError>,
    ) -> Result<u32, StoreError> {
        let id = doc_id(key)?;
        let is_large = self.memberships > MANY_MEMBERSHIPS || self.lists.len() > MANY_WORDS;
        if is_large || chunk_of(id) != self.chunk {
            flush(self)?;
            self.chunk = chunk_of(id);
        }
        Ok(id)
    }

    fn add_word(&mut self, word: &str, id: u16, in_title: bool) {
        let joined = match self.lists.get_mut(word) {
            Some(lists) => lists.join(id, in_title),
            None => self
                .lists
                .entry(word.to_owned())
                .or_default()
                .join(id, in_title),
        };
        self.memberships += joined;
    }

    /// Adds the difference of an existing product's terms.
    fn change(&mut self, id: u32, before: Option<&Texts>, after: Option<&Texts>) {
        let before = before.map(Texts::terms).unwrap_or_default();
        let after = after.map(Texts::terms).unwrap_or_default();
        for term in before.difference(&after) {
            self.deltas
                .entry(term.clone())
                .or_default()
                .removed
                .insert(id);
        }
        for term in after.difference(&before) {
            self.deltas
                .entry(term.clone())
                .or_default()
                .added
                .insert(id);
        }
    }

    /// Drains the batch: changes by term. A term may occur twice.
    pub(crate) fn drain(&mut self) -> impl Iterator<Item = (String, Delta)> {
        let Self {
            chunk,
            lists,
            deltas,
            ..
        } = std::mem::take(self);
        let mut lists: Vec<(String, Lists)> = lists.into_iter().collect();
        // Write neighbouring terms in sequence.
        lists.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        let lists = Rc::new(lists);
        let of_words = Rc::clone(&lists);
        let words = (0..lists.len()).flat_map(move |index| {
            let (word, lists) = &of_words[index];
            let sets = lists.by_scope();
            sets.map(|(scope, ids)| (scope.term(word), set_of(chunk, ids)))
        });
        // Lazy, to free the words' lists first.
        let united = std::iter::once_with(move || united(chunk, &lists)).flatten();
        let added = words.chain(united);
        let added = added.filter(|(_, ids)| !ids.is_empty());
        deltas.into_iter().chain(added.map(|(term, added)| {
            (
                term,
                Delta {
                    added,
                    ..Delta::default()
                },
            )
        }))
    }
}

/// Returns the lists that unite several words: of stems, and of prefixes of words and stems.
fn united(chunk: u32, words: &[(String, Lists)]) -> BTreeMap<String, RoaringBitmap> {
    let mut all = BTreeMap::new();
    for scope in [SearchScope::Title, SearchScope::Anywhere] {
        let mut stems: HashMap<String, RoaringBitmap> = HashMap::new();
        // First by each word's longest prefix; then each prefix is added to the one that is a
        // letter shorter.
        let mut prefixes: BTreeMap<String, RoaringBitmap> = BTreeMap::new();
        let mut begin = |word: &str, ids: &RoaringBitmap| {
            let first = (1..=SHORT)
                .rev()
                .find_map(|letters| first_letters(word, letters));
            match first.map(|first| (first, prefixes.get_mut(first))) {
                Some((_, Some(list))) => *list |= ids,
                Some((first, None)) => drop(prefixes.insert(first.to_owned(), ids.clone())),
                None => {}
            }
        };
        for (word, lists) in words
            .iter()
            .filter(|(word, lists)| !lists.in_scope(scope).is_empty() && !is_joined_term(word))
        {
            let ids = set_of(chunk, lists.in_scope(scope));
            begin(word, &ids);
            let stem = stem(word);
            if stem != *word {
                *stems.entry(stem).or_default() |= ids;
            }
        }
        for (stem, ids) in stems {
            begin(&stem, &ids);
            all.insert(scope.term(&stem), ids);
        }
        for letters in (1..=SHORT).rev() {
            let mut shorter: BTreeMap<String, RoaringBitmap> = BTreeMap::new();
            for (first, ids) in prefixes {
                if first.chars().count() < letters {
                    *shorter.entry(first).or_default() |= ids;
                    continue;
                }
                if letters > 1
                    && let Some(less) = first_letters(&first, letters - 1)
                {
                    *shorter.entry(less.to_owned()).or_default() |= &ids;
                }
                all.insert(scope.term(&prefix_term(&first)), ids);
            }
            prefixes = shorter;
        }
    }
    all
}

/// Returns the document ids of a chunk's products, which are nearly always ascending.
fn set_of(chunk: u32, ids: &[u16]) -> RoaringBitmap {
    let ids = ids.iter().map(|id| first_id(chunk) | u32::from(*id));
    RoaringBitmap::from_sorted_iter(ids.clone()).unwrap_or_else(|_| ids.collect())
}

impl Delta {
    pub(crate) fn chunk(&self) -> Option<u32> {
        self.added.min().or(self.removed.min()).map(chunk_of)
    }
}

impl Lists {
    fn in_scope(&self, scope: SearchScope) -> &[u16] {
        match scope {
            SearchScope::Title => &self.in_title,
            SearchScope::Anywhere => &self.anywhere,
        }
    }

    fn by_scope(&self) -> [(SearchScope, &[u16]); 2] {
        [SearchScope::Title, SearchScope::Anywhere].map(|scope| (scope, self.in_scope(scope)))
    }

    /// Adds a product; returns the number of new entries.
    fn join(&mut self, id: u16, in_title: bool) -> usize {
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
