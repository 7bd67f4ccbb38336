//! Words of Indian shops: spellings of one word (`assets/search/shop-words.txt`), words that are also
//! written as two (`compounds.txt`), and words that say nothing about a product (`filler-words.txt`).

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::stem::stem;

const LIST: &str = include_str!("../../../assets/search/shop-words.txt");

/// The line of each spelling by stem.
static LINES: LazyLock<HashMap<String, &str>> = LazyLock::new(|| {
    let lines = LIST.lines().filter(|line| !line.starts_with('#'));
    let spellings = lines.flat_map(|line| line.split(' ').map(move |word| (stem(word), line)));
    spellings.collect()
});

/// The two words of each compound, by the stem of the compound.
static COMPOUNDS: LazyLock<HashMap<String, (&str, &str)>> = LazyLock::new(|| {
    let lines = include_str!("../../../assets/search/compounds.txt").lines();
    let pairs = lines.filter_map(|line| line.split_once(' '));
    pairs
        .map(|(left, right)| (stem(&format!("{left}{right}")), (left, right)))
        .collect()
});

static FILLERS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    let words = include_str!("../../../assets/search/filler-words.txt");
    words.split_whitespace().collect()
});

/// Returns the two words that a word is also written as.
pub(crate) fn compound(word: &str) -> Option<(&'static str, &'static str)> {
    COMPOUNDS.get(&stem(word)).copied()
}

/// True for a word that asks for no property of a product, like “cheap” or “ke liye”.
pub(crate) fn is_filler(word: &str) -> bool {
    FILLERS.contains(word)
}

/// Returns every spelling of a shop word by its stem, or `None` for another word.
pub(crate) fn spellings(stem: &str) -> Option<impl Iterator<Item = &'static str>> {
    Some(LINES.get(stem)?.split(' '))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::folded_words;

    #[test]
    fn each_spelling_variant_is_one_folded_word() {
        let mut twice = Vec::new();
        let mut stems = std::collections::HashSet::new();
        for line in LIST.lines().filter(|line| !line.starts_with('#')) {
            for word in line.split(' ') {
                assert_eq!(folded_words(word), [word], "{line}");
                if !stems.insert(stem(word)) {
                    twice.push(word);
                }
            }
        }
        assert!(twice.is_empty(), "{twice:?}");
        assert!(spellings(&stem("sarees")).is_some_and(|mut all| all.any(|word| word == "sari")));
        assert!(spellings(&stem("cable")).is_none());
    }
}
