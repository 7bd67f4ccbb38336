//! How text becomes searchable words, the same for products and for queries.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

use rust_stemmers::{Algorithm, Stemmer};

use crate::domain::folded_words;

/// Words that stems are remembered for; descriptions repeat a small vocabulary.
const REMEMBERED: usize = 20_000;

thread_local! {
    static STEMS: RefCell<HashMap<String, String>> = RefCell::default();
}

/// The stem of a word, for who remembers it.
pub(crate) fn new_stem(word: &str) -> Cow<'_, str> {
    Stemmer::create(Algorithm::English).stem(word)
}

/// The stem of a word.
pub(crate) fn stem(word: &str) -> String {
    STEMS.with_borrow_mut(|stems| {
        if let Some(stem) = stems.get(word) {
            return stem.clone();
        }
        let stem = new_stem(word).into_owned();
        if stems.len() < REMEMBERED {
            stems.insert(word.to_owned(), stem.clone());
        }
        stem
    })
}

/// The terms that a word of a product is found by: the word, its stem, and what the
/// two begin with. A query for a whole word asks for the stem, one for the beginning
/// of a word needs the word itself ("electroni" begins "electronics" but not its stem
/// "electron").
pub(crate) fn terms_of(word: &str) -> Vec<String> {
    let stem = stem(word);
    let mut terms = vec![word.to_owned()];
    if stem != word {
        terms.push(stem);
    }
    for token in 0..terms.len() {
        for letters in 1..=SHORT {
            if let Some(short) = first_letters(&terms[token], letters) {
                let term = format!("*{short}");
                if !terms.contains(&term) {
                    terms.push(term);
                }
            }
        }
    }
    terms
}

/// Beginnings of words up to this length, in characters, have sets of their own: so
/// many words begin with them that uniting the sets of the words takes too long.
pub(crate) const SHORT: usize = 3;

/// The first so many characters of a word that has as many.
pub(crate) fn first_letters(word: &str, letters: usize) -> Option<&str> {
    let (last, c) = word.char_indices().nth(letters - 1)?;
    word.get(..last + c.len_utf8())
}

/// What a visitor typed, as words: every one must match, the last one also as
/// the beginning of a word (decisions, section 3).
pub(crate) struct Query {
    words: Vec<String>,
}

impl Query {
    /// Takes the words out of a text; `None` when nothing in it is a word.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let words = folded_words(text);
        (!words.is_empty()).then_some(Self { words })
    }

    /// The words, folded.
    pub(crate) fn words(&self) -> impl Iterator<Item = &str> {
        self.words.iter().map(String::as_str)
    }

    /// The stems of the words that must be whole: all but the last.
    pub(crate) fn whole(&self) -> impl Iterator<Item = String> {
        let whole = self.words.iter().take(self.words.len() - 1);
        whole.map(|word| stem(word))
    }

    /// The word that may be unfinished.
    pub(crate) fn last(&self) -> &str {
        self.words.last().map_or("", String::as_str)
    }
}

/// Characters of a description that a card shows (spec section 9).
const SHOWN: usize = 100;

/// The words of products' titles and of the beginnings of their descriptions that a
/// query's words stand for.
pub(crate) struct Matching<'a> {
    stems: Vec<String>,
    last: &'a str,
    found: BTreeSet<String>,
}

impl<'a> Matching<'a> {
    pub(crate) fn new(query: &'a Query) -> Self {
        Self {
            stems: query.words().map(stem).collect(),
            last: query.last(),
            found: BTreeSet::new(),
        }
    }

    pub(crate) fn look_at(&mut self, title: &str, description: &str) {
        let shown: String = description.chars().take(SHOWN).collect();
        for word in folded_words(title).into_iter().chain(folded_words(&shown)) {
            if !self.found.contains(&word)
                && (word.starts_with(self.last) || self.stems.contains(&stem(&word)))
            {
                self.found.insert(word);
            }
        }
    }

    /// The words, folded and sorted.
    pub(crate) fn into_words(self) -> Vec<String> {
        self.found.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_found_by_itself_its_stem_and_its_beginning() {
        assert_eq!(terms_of("cables"), ["cables", "cabl", "*c", "*ca", "*cab"]);
        assert_eq!(terms_of("5g"), ["5g", "*5", "*5g"]);
        assert_eq!(terms_of("किताब"), ["किताब", "*क", "*कि", "*कित"]);
    }

    #[test]
    fn every_word_must_match_and_the_last_one_may_be_unfinished() {
        let query = Query::parse("Phones \"NEAR(charg").unwrap();
        assert_eq!(query.whole().collect::<Vec<_>>(), ["phone", "near"]);
        assert_eq!(query.last(), "charg");
        assert!(Query::parse(" \"*( ").is_none());
    }
}
