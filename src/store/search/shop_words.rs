//! Words of Indian shops: spellings of one word (`assets/search/shop-words.txt`), words that are also
//! written as two (`compounds.txt`), words that say nothing about a product (`filler-words.txt`), things
//! made for others (`accessories.txt`), lines of products (`product-lines.txt`), words that say how a thing
//! is (`describing-words.txt`), and words that are no misspellings (`everyday-words.txt`).

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::stem::stem;
use crate::domain::for_each_word;

const LIST: &str = include_str!("../../../assets/search/shop-words.txt");
const COMPOUND_LIST: &str = include_str!("../../../assets/search/compounds.txt");

/// The line of each spelling by stem.
static LINES: LazyLock<HashMap<String, &str>> = LazyLock::new(|| {
    let lines = words_of(LIST);
    let spellings = lines.flat_map(|line| line.split(' ').map(move |word| (stem(word), line)));
    spellings.collect()
});

/// The two words of each compound, by the stem of the compound.
static COMPOUNDS: LazyLock<HashMap<String, (&str, &str)>> = LazyLock::new(|| {
    let pairs = COMPOUND_LIST.lines().filter_map(|line| {
        let (left, right) = line.split_once(' ')?;
        Some((left, right.trim_end_matches(IS_KIND)))
    });
    pairs
        .map(|(left, right)| (stem(&format!("{left}{right}")), (left, right)))
        .collect()
});

/// Sign at compounds whose second word names their kind: a pressure cooker is a cooker, a lunch box no box.
const IS_KIND: char = '*';

/// Compounds whose second word names their kind.
static OF_KIND: LazyLock<HashSet<(&str, &str)>> = LazyLock::new(|| {
    let marked = COMPOUND_LIST
        .lines()
        .filter_map(|line| line.strip_suffix(IS_KIND));
    marked.filter_map(|line| line.split_once(' ')).collect()
});

static FILLERS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    let words = include_str!("../../../assets/search/filler-words.txt");
    words.split_whitespace().collect()
});

/// Where an accessory stands in titles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Accessory {
    /// Directly after the thing that it is made for; before one, it may describe it, like “table lamp”.
    AfterIt,
    Anywhere,
}

static ACCESSORIES: LazyLock<HashMap<&str, Accessory>> = LazyLock::new(|| {
    let lines = words_of(include_str!("../../../assets/search/accessories.txt"));
    let of_line = |line: &'static str| match line.strip_prefix('*') {
        Some(words) => (words, Accessory::AfterIt),
        None => (line, Accessory::Anywhere),
    };
    let lines = lines.map(of_line);
    lines
        .flat_map(|(words, place)| words.split_whitespace().map(move |word| (word, place)))
        .collect()
});

/// The kind of each line of products, and the kind `other` of words that exclude these.
static PRODUCT_LINES: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
    let lines = words_of(include_str!("../../../assets/search/product-lines.txt"));
    let lines = lines.filter_map(|line| line.split_once(": "));
    let each = lines.flat_map(|(kind, names)| names.split(", ").map(move |name| (name, kind)));
    let mut all: HashMap<&str, &str> = HashMap::new();
    for (name, kind) in each {
        if kind == OTHER {
            all.extend(name.split(' ').map(|word| (word, kind)));
        } else {
            all.insert(name, kind);
        }
    }
    all
});

/// The kind of words that exclude the others.
const OTHER: &str = "other";

static DESCRIBING: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    let words = words_of(include_str!("../../../assets/search/describing-words.txt"));
    words.flat_map(str::split_whitespace).collect()
});

static EVERYDAY: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    let everyday = words_of(include_str!("../../../assets/search/everyday-words.txt"));
    let lines = everyday.chain(words_of(COMPOUND_LIST));
    lines.flat_map(str::split_whitespace).collect()
});

/// Returns the lines of a file without comments.
fn words_of(file: &'static str) -> impl Iterator<Item = &'static str> {
    file.lines().filter(|line| !line.starts_with('#'))
}

/// Returns a word without the s of a plural.
fn singular(word: &str) -> &str {
    word.strip_suffix('s').unwrap_or(word)
}

/// Returns where a word that names an accessory, in singular or plural, stands in titles.
pub(crate) fn accessory(word: &str) -> Option<Accessory> {
    let known = |word| ACCESSORIES.get(word).copied();
    known(word).or_else(|| known(singular(word)))
}

/// People, for whom a thing is made without being their accessory.
const PEOPLE: [&str; 18] = [
    "adults", "baby", "babies", "boy", "boys", "children", "couple", "gents", "girl", "girls",
    "her", "him", "kids", "ladies", "men", "unisex", "woman", "women",
];

/// True for a word that says for whom a product is.
pub(crate) fn is_person(word: &str) -> bool {
    PEOPLE.contains(&word)
}

/// True for a word before the thing that a product is made for.
pub(crate) fn is_for(word: &str) -> bool {
    matches!(word, "for" | "compatible" | "fits")
}

/// True for a word before something that comes with a product.
pub(crate) fn is_with(word: &str) -> bool {
    matches!(word, "with" | "without")
}

/// True for a word of shops or everyday life, which is no misspelling of another one.
pub(crate) fn is_everyday(word: &str) -> bool {
    let known = |word| EVERYDAY.contains(word) || is_describing(word);
    known(word) || known(singular(word)) || accessory(word).is_some()
}

/// True for a colour, a material, or another word that says how a thing is.
pub(crate) fn is_describing(word: &str) -> bool {
    DESCRIBING.contains(word)
}

/// The kind of thing that a title names.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct TitleKind {
    /// The kind of a line of products among the first words.
    pub(crate) line: Option<&'static str>,
    pub(crate) accessory: Option<Accessory>,
}

/// Number of words among which a title names its line of products.
const FIRST_WORDS: usize = 3;

/// Returns the kind that a title names, by the words before a “|”, “for” or “with” and outside of brackets.
pub(crate) fn kind_of(title: &str) -> TitleKind {
    let mut words: Vec<String> = Vec::new();
    let (mut ends, mut is_inside) = (false, false);
    for_each_word(title, |gap, word| {
        let bracket = gap.rfind(['(', '[', ')', ']']).map(|at| &gap[at..]);
        is_inside = bracket.map_or(is_inside, |rest| rest.starts_with(['(', '[']));
        ends |= gap.contains('|') || is_for(word) || is_with(word);
        if !ends && !is_inside {
            // A model's number: “Watch4”.
            let name = word.trim_end_matches(|c: char| c.is_ascii_digit());
            words.push(name.to_owned());
        }
    });
    let kind = |words: &[String]| PRODUCT_LINES.get(words.join(" ").as_str()).copied();
    let line = |at: usize| {
        let pair = words.get(at..at + 2).and_then(kind);
        pair.or_else(|| words.get(at..=at).and_then(kind))
    };
    let accessory = words.iter().filter_map(|word| accessory(word)).max();
    let is_other = |word: &String| PRODUCT_LINES.get(word.as_str()) == Some(&OTHER);
    // “OnePlus Nord Watch” is a watch.
    let line = (0..FIRST_WORDS).rev().find_map(line);
    TitleKind {
        line: line.filter(|_| accessory.is_none() && !words.iter().any(is_other)),
        accessory,
    }
}

/// Returns the two words that a word is also written as.
pub(crate) fn compound(word: &str) -> Option<(&'static str, &'static str)> {
    COMPOUNDS.get(&stem(word)).copied()
}

/// Returns the kind of the thing that a compound names, if its second word says it.
pub(crate) fn compound_kind(word: &str) -> Option<&'static str> {
    let parts = compound(word)?;
    OF_KIND.contains(&parts).then_some(parts.1)
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
