//! Other words for the things that a search word names: other spellings
//! (`assets/search/shop-words.txt`), the lines of `same-words.txt`, `same-words-home.txt` and
//! `hindi-words.txt` there, and the owner's.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, LazyLock, PoisonError, RwLock};

use rusqlite::Connection;

use super::shop_words::{compound, spellings};
use super::stem::stem;
use crate::domain::SameWordsLine;
use crate::store::db::error::Result;
use crate::store::settings;

const LISTS: [&str; 3] = [
    include_str!("../../../assets/search/same-words.txt"),
    include_str!("../../../assets/search/same-words-home.txt"),
    include_str!("../../../assets/search/hindi-words.txt"),
];

static BUILT_IN: LazyLock<SameWords> = LazyLock::new(|| {
    // A test reads each line.
    let lines = LISTS.map(|list| SameWordsLine::parse_all(list).unwrap_or_default());
    SameWords::new(&lines.concat())
});

/// Words of the lists by their [`sound`].
static SOUNDS: LazyLock<HashMap<String, Vec<&str>>> = LazyLock::new(|| {
    let mut words: HashMap<String, Vec<&str>> = HashMap::new();
    for word in listed_words() {
        words.entry(sound(word)).or_default().push(word);
    }
    words
});

/// The words of the lists, each once.
static LISTED: LazyLock<BTreeSet<&str>> = LazyLock::new(|| {
    let lines = LISTS.iter().flat_map(|list| list.lines());
    let lines = lines.filter(|line| !line.starts_with('#'));
    let words = lines.flat_map(|line| line.split([' ', '=', '>']));
    words.filter(|word| !word.is_empty()).collect()
});

/// Returns the words of the lists.
pub(super) fn listed_words() -> impl Iterator<Item = &'static str> {
    LISTED.iter().copied()
}

/// True for a word of the lists in any form, if it finds others.
pub(super) fn is_listed(word: &str) -> bool {
    BUILT_IN.0.contains_key(&stem(word))
}

/// Returns a key that is equal for the usual spellings of a Hindi word in Latin letters, also of its
/// plural: joota, joote and jutaa.
fn sound(word: &str) -> String {
    let mut word = word.to_owned();
    for (long, short) in [
        ("aa", "a"),
        ("ee", "i"),
        ("oo", "u"),
        ("ph", "f"),
        ("w", "v"),
        ("z", "j"),
        ("q", "k"),
    ] {
        word = word.replace(long, short);
    }
    let plurals = [
        ("iyan", "i"),
        ("iyon", "i"),
        ("ein", ""),
        ("en", ""),
        ("on", ""),
        ("e", "a"),
    ];
    let mut endings = plurals.into_iter();
    if let Some((ending, single)) = endings.find(|(ending, _)| word.ends_with(ending)) {
        word.truncate(word.len() - ending.len());
        word.push_str(single);
    }
    let mut letters: Vec<char> = word.chars().collect();
    letters.dedup();
    letters.into_iter().collect()
}

/// Returns the words of the lists that sound like a word.
pub(super) fn sounding_like(word: &str) -> impl Iterator<Item = &'static str> {
    SOUNDS.get(&sound(word)).into_iter().flatten().copied()
}

/// The other words that a word finds, by its stem.
#[derive(Debug, Default)]
pub(crate) struct SameWords(HashMap<String, Vec<String>>);

impl SameWords {
    fn new(lines: &[SameWordsLine]) -> Self {
        let mut others: HashMap<String, Vec<String>> = HashMap::new();
        for line in lines {
            for (word, rest) in line.finds() {
                let rest: Vec<String> = rest.into_iter().flat_map(with_spellings).collect();
                for spelling in with_spellings(word) {
                    let known = others.entry(stem(&spelling)).or_default();
                    known.extend_from_slice(&rest);
                }
            }
        }
        Self(others)
    }

    fn others(&self, stem: &str) -> impl Iterator<Item = &str> {
        self.0.get(stem).into_iter().flatten().map(String::as_str)
    }
}

fn with_spellings(word: &str) -> Vec<String> {
    let others: Vec<String> = spellings(&stem(word))
        .into_iter()
        .flatten()
        .map(str::to_owned)
        .collect();
    if others.is_empty() {
        vec![word.to_owned()]
    } else {
        others
    }
}

/// The owner's words of the newest settings that a query has read.
#[derive(Default)]
pub(crate) struct SameWordsCache(RwLock<(i64, Arc<SameWords>)>);

impl SameWordsCache {
    /// Returns the words of the settings that a transaction reads.
    pub(crate) fn at(&self, transaction: &Connection) -> Result<Arc<SameWords>> {
        let version = settings::version(transaction)?;
        let cached = self.0.read().unwrap_or_else(PoisonError::into_inner);
        if cached.0 == version {
            return Ok(Arc::clone(&cached.1));
        }
        drop(cached);
        let text = settings::read(transaction)?.shop.same_words;
        let lines = SameWordsLine::parse_all(&text).unwrap_or_default();
        let words = Arc::new(SameWords::new(&lines));
        let mut cached = self.0.write().unwrap_or_else(PoisonError::into_inner);
        *cached = (version, Arc::clone(&words));
        Ok(words)
    }
}

/// A word of a search.
pub(crate) struct SearchWord {
    /// The folded word.
    pub(crate) text: String,
    pub(crate) stem: String,
    /// The other words that it finds, without its own forms.
    pub(crate) others: Vec<OtherWord>,
}

/// Another word for the same thing.
pub(crate) struct OtherWord {
    pub(crate) text: String,
    pub(crate) stem: String,
}

impl SearchWord {
    pub(crate) fn new(text: String, same_words: &SameWords) -> Self {
        let own = stem(&text);
        let mut others: Vec<&str> = spellings(&own).into_iter().flatten().collect();
        others.extend(BUILT_IN.others(&own));
        others.extend(same_words.others(&own));
        let others = others.into_iter().map(|text| OtherWord {
            text: text.to_owned(),
            stem: stem(text),
        });
        Self {
            others: others.filter(|other| other.stem != own).collect(),
            stem: own,
            text,
        }
    }

    /// Returns the two words that the word, or another one for it, is also written as, and whether they are
    /// those of the word itself.
    pub(crate) fn compounds(&self) -> impl Iterator<Item = (&'static str, &'static str, bool)> {
        let others = self.others.iter().map(|other| (&other.text, false));
        let all = [(&self.text, true)].into_iter().chain(others);
        all.filter_map(|(word, is_typed)| {
            let (left, right) = compound(word)?;
            Some((left, right, is_typed))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn others(word: &str, own: &str) -> Vec<String> {
        let own = SameWords::new(&SameWordsLine::parse_all(own).unwrap());
        let others = SearchWord::new(word.to_owned(), &own).others.into_iter();
        others.map(|other| other.text).collect()
    }

    #[test]
    fn every_line_of_the_file_has_words_of_different_stems() {
        let lines = LISTS.map(|list| SameWordsLine::parse_all(list).unwrap());
        for line in lines.concat() {
            let mut stems: Vec<String> = line.words().iter().map(|word| stem(word)).collect();
            stems.sort();
            stems.dedup();
            assert_eq!(stems.len(), line.words().len(), "{line:?}");
        }
    }

    #[test]
    fn a_word_finds_its_spellings_equals_and_kinds() {
        let others = |word: &str| others(word, "");
        assert_eq!(others("sari")[0], "saree");
        assert!(others("chappals").contains(&"slipper".to_owned()));
        assert!(others("slippers").contains(&"chapal".to_owned()));
        assert!(others("kurtas").contains(&"kurti".to_owned()));
        assert!(!others("kurti").contains(&"kurta".to_owned()));
        assert!(others("adapter").is_empty());
    }

    #[test]
    fn a_word_finds_the_owners_words_as_well() {
        let own = "lugda = saree\nadapter > cord";
        assert!(others("lugda", own).contains(&"sari".to_owned()));
        assert!(others("sari", own).contains(&"lugda".to_owned()));
        assert_eq!(others("adapters", own), ["cord"]);
        assert!(others("cord", own).is_empty());
    }

    #[test]
    fn spellings_and_plurals_of_a_hindi_word_sound_alike() {
        for (typed, listed) in [
            ("joote", "joota"),
            ("jutaa", "juta"),
            ("kitabein", "kitab"),
            ("khilone", "khilona"),
            ("gaddaa", "gadda"),
        ] {
            let mut found = sounding_like(typed);
            assert!(found.any(|word| word == listed), "{typed}");
        }
        assert_eq!(sounding_like("router").count(), 0);
    }

    #[test]
    fn the_forms_of_a_word_are_not_its_other_words() {
        for word in ["sari", "saris", "slippers", "kurta"] {
            let word = SearchWord::new(word.to_owned(), &SameWords::default());
            assert!(!word.others.is_empty(), "{}", word.text);
            for other in &word.others {
                assert_eq!(other.stem, stem(&other.text));
                assert_ne!(other.stem, word.stem, "{} and {}", word.text, other.text);
            }
        }
    }
}
