//! Stems of English words, with a cache for each thread.

use std::cell::RefCell;
use std::collections::HashMap;

use foldhash::fast::RandomState;
use rust_stemmers::{Algorithm, Stemmer};

/// Size of the stem cache; descriptions repeat a small vocabulary.
const REMEMBERED: usize = 20_000;

thread_local! {
    static STEMS: RefCell<HashMap<String, String, RandomState>> = RefCell::default();
}

/// Returns the stem of a word. A stem that has a different stem itself is marked with `!`, because
/// it may also be an unrelated word: "summersible" has the stem "summers", but is no form of
/// "summer".
pub(crate) fn stem(word: &str) -> String {
    STEMS.with_borrow_mut(|stems| {
        if let Some(stem) = stems.get(word) {
            return stem.clone();
        }
        let stemmer = Stemmer::create(Algorithm::English);
        let mut stem = stemmer.stem(word).into_owned();
        if stemmer.stem(&stem) != stem {
            stem.insert(0, '!');
        }
        if stems.len() < REMEMBERED {
            stems.insert(word.to_owned(), stem.clone());
        }
        stem
    })
}
