//! Words of a search with other words for the same thing, which it finds as well: the spellings of shop words
//! (`assets/search/shop-words.txt`) and the pairs of `assets/search/same-words.txt`.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::shop_words::spellings;
use super::stem::stem;

const LIST: &str = include_str!("../../../assets/search/same-words.txt");

/// The other words that a word finds, by its stem.
static OTHERS: LazyLock<HashMap<String, Vec<&str>>> = LazyLock::new(|| {
    let mut others: HashMap<String, Vec<&str>> = HashMap::new();
    let lines = LIST.lines().filter(|line| !line.starts_with('#'));
    for line in lines {
        let (kinds, separator) = match line.contains('>') {
            true => (1, " > "),
            false => (usize::MAX, " = "),
        };
        let words: Vec<&str> = line.split(separator).collect();
        for (at, word) in words.iter().enumerate().take(kinds) {
            let rest = words.iter().enumerate().filter(|(other, _)| *other != at);
            let rest = rest.flat_map(|(_, other)| with_spellings(other));
            for spelling in with_spellings(word) {
                others
                    .entry(stem(spelling))
                    .or_default()
                    .extend(rest.clone());
            }
        }
    }
    others
});

fn with_spellings(word: &'static str) -> impl Iterator<Item = &'static str> + Clone {
    let others: Vec<&str> = spellings(&stem(word)).into_iter().flatten().collect();
    let alone = others.is_empty().then_some(word);
    others.into_iter().chain(alone)
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
    pub(crate) text: &'static str,
    pub(crate) stem: String,
}

impl SearchWord {
    pub(crate) fn new(text: String) -> Self {
        let own = stem(&text);
        let others = spellings(&own).into_iter().flatten();
        let others = others.chain(OTHERS.get(&own).into_iter().flatten().copied());
        let others = others.map(|text| OtherWord {
            text,
            stem: stem(text),
        });
        Self {
            others: others.filter(|other| other.stem != own).collect(),
            stem: own,
            text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::folded_words;

    #[test]
    fn every_line_has_different_folded_words() {
        for line in LIST.lines().filter(|line| !line.starts_with('#')) {
            let words: Vec<&str> = line.split([' ', '=', '>']).collect();
            let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
            assert!(words.len() > 1, "{line}");
            let mut stems: Vec<String> = words.iter().map(|word| stem(word)).collect();
            for word in words {
                assert_eq!(folded_words(word), [word], "{line}");
            }
            stems.sort();
            stems.dedup();
            let names = line.matches([' ']).count() / 2 + 1;
            assert_eq!(stems.len(), names, "{line}");
        }
    }

    #[test]
    fn a_word_finds_its_spellings_equals_and_kinds() {
        let others = |word: &str| {
            let others = SearchWord::new(word.to_owned()).others.into_iter();
            others.map(|other| other.text).collect::<Vec<_>>()
        };
        assert_eq!(others("sari")[0], "saree");
        assert!(others("chappals").contains(&"slipper"));
        assert!(others("slippers").contains(&"chapal"));
        assert!(others("kurtas").contains(&"kurti"));
        assert!(!others("kurti").contains(&"kurta"));
        assert!(others("cable").is_empty());
    }

    #[test]
    fn the_forms_of_a_word_are_not_its_other_words() {
        for word in ["sari", "saris", "slippers", "kurta"] {
            let word = SearchWord::new(word.to_owned());
            assert!(!word.others.is_empty(), "{}", word.text);
            for other in &word.others {
                assert_eq!(other.stem, stem(other.text));
                assert_ne!(other.stem, word.stem, "{} and {}", word.text, other.text);
            }
        }
    }
}
