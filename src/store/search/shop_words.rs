//! Words of Indian shops, which are only corrected to another spelling of the same word
//! (`assets/search/shop-words.txt`).

use std::collections::HashMap;
use std::sync::LazyLock;

use super::stem::stem;

const LIST: &str = include_str!("../../../assets/search/shop-words.txt");

/// The line of each spelling by stem.
static LINES: LazyLock<HashMap<String, &str>> = LazyLock::new(|| {
    let lines = LIST.lines().filter(|line| !line.starts_with('#'));
    let spellings = lines.flat_map(|line| line.split(' ').map(move |word| (stem(word), line)));
    spellings.collect()
});

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
