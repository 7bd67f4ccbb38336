//! Other words for the same thing, which a search finds as well: the spellings of shop words
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
    let others: Vec<&str> = spellings(word).into_iter().flatten().collect();
    let alone = others.is_empty().then_some(word);
    others.into_iter().chain(alone)
}

/// Returns the other words that a search for this one finds, without forms of the word itself.
pub(crate) fn same_words(word: &str) -> Vec<&'static str> {
    let own = stem(word);
    let mut same: Vec<&str> = spellings(word).into_iter().flatten().collect();
    same.extend(OTHERS.get(&own).into_iter().flatten());
    same.retain(|other| stem(other) != own);
    same
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
        assert_eq!(same_words("sari")[0], "saree");
        assert!(same_words("Chappals".to_lowercase().as_str()).contains(&"slipper"));
        assert!(same_words("slippers").contains(&"chapal"));
        assert!(same_words("kurtas").contains(&"kurti"));
        assert!(!same_words("kurti").contains(&"kurta"));
        assert!(same_words("cable").is_empty());
    }
}
