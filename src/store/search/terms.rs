//! Turns text into index terms, for products and queries alike.

use std::collections::{BTreeSet, HashSet};
use std::ops::Range;
use std::sync::Arc;

use super::same_words::{OtherWord, SameWords, SearchWord};
use super::shop_words::{Accessory, kind_of};
use super::stem::stem;
use crate::domain::{folded_words, for_each_word, tag_key};

/// Version of the tokenization, stored with the index. Raise it whenever the same text gives other
/// terms, including by an update of the stemmer or the Unicode tables: an index of another version
/// is rebuilt when the database is opened. The test `search_terms_match_their_golden_file` fails
/// when that is due.
pub(crate) const VERSION: i64 = 4;

/// Searchable texts of a product. The names of its category have rows of their own (`rebuild`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Texts {
    pub(crate) title: String,
    pub(crate) description: String,
    pub(crate) source: String,
    /// The category's key.
    pub(crate) category: String,
    /// The tags as a list in JSON.
    pub(crate) tags: String,
}

impl Texts {
    /// Returns the terms of category, source and tags.
    pub(crate) fn names(&self) -> Vec<String> {
        let mut names = vec![category_term(&self.category), source_term(&self.source)];
        if self.tags != "[]" {
            let tags: Vec<String> = serde_json::from_str(&self.tags).unwrap_or_default();
            names.extend(tags.iter().map(|tag| tag_term(tag)));
        }
        names
    }

    pub(crate) fn terms(&self) -> HashSet<String> {
        let mut terms: HashSet<String> = self.names().into_iter().collect();
        for text in [&self.description, &self.source] {
            for_each_token(text, SearchScope::Anywhere, |token| {
                terms.extend(terms_of(token));
            });
        }
        for_each_title_token(&self.title, |token| {
            for term in terms_of(token) {
                terms.insert(SearchScope::Title.term(&term));
                terms.insert(term);
            }
        });
        terms
    }
}

pub(crate) fn category_term(category: &str) -> String {
    format!("@{category}")
}

pub(crate) fn source_term(source: &str) -> String {
    format!("${source}")
}

pub(crate) fn tag_term(tag: &str) -> String {
    format!("{TAG}{}", tag_key(tag))
}

/// First character of the terms of tags.
pub(crate) const TAG: char = '#';

/// Searched fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SearchScope {
    Anywhere,
    Title,
}

impl SearchScope {
    /// Returns the term of a word, stem or prefix in this scope.
    pub(crate) fn term(self, text: &str) -> String {
        match self {
            Self::Anywhere => text.to_owned(),
            Self::Title => format!("={text}"),
        }
    }
}

/// Returns the term of a short prefix.
pub(crate) fn prefix_term(letters: &str) -> String {
    format!("*{letters}")
}

/// Returns the term of two adjacent words written as one, by the stem of that.
pub(crate) fn joined_term(stem: &str) -> String {
    format!("+{stem}")
}

pub(crate) fn is_joined_term(token: &str) -> bool {
    token.starts_with('+')
}

/// Calls `each` with the words of a text, and with the [`joined_term`] of adjacent words that are
/// also written as one: with a single letter ("T-Shirt", "USB C"), and in titles at digits ("iPhone
/// 15"). Only a space or hyphen may separate them: not "C. Law", not "women's".
pub(crate) fn for_each_token(text: &str, scope: SearchScope, mut each: impl FnMut(&str)) {
    let mut last = String::new();
    let mut stands_free = false;
    for_each_word(text, |gap, word| {
        each(word);
        if stands_free && matches!(gap, " " | "-") && are_joined(&last, word, scope) {
            last.push_str(word);
            each(&joined_term(&stem(&last)));
        }
        stands_free =
            gap.is_empty() || gap.contains(|c: char| c.is_whitespace() || "([".contains(c));
        last.clear();
        last.push_str(word);
    });
}

/// Token of titles that name an accessory. No word has a space.
const ACCESSORY: &str = "+made for";

/// Returns the term of titles that name an accessory.
pub(crate) fn accessory_term() -> String {
    SearchScope::Title.term(ACCESSORY)
}

/// Calls `each` with the tokens of a title, and with those of the kind that it names: the kind of its line
/// of products, as if it were written in two words, and [`ACCESSORY`].
pub(crate) fn for_each_title_token(title: &str, mut each: impl FnMut(&str)) {
    for_each_token(title, SearchScope::Title, &mut each);
    let kind = kind_of(title);
    if let Some(line) = kind.line {
        each(&joined_term(&stem(line)));
    }
    if kind.accessory == Some(Accessory::Anywhere) {
        each(ACCESSORY);
    }
}

fn are_joined(left: &str, right: &str, scope: SearchScope) -> bool {
    let is_digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
    let digits = [
        is_digit(left.as_bytes().last()),
        is_digit(right.as_bytes().first()),
    ];
    let may_be = match digits {
        // Not "Size S", which would read as a plural.
        [false, false] => left.len() == 1 || right.len() == 1 && right != "s",
        [true, true] => false,
        _ => scope == SearchScope::Title,
    };
    may_be && !is_stop_word(left) && !is_stop_word(right)
}

/// English stop words, sorted.
const STOP_WORDS: [&str; 52] = [
    "a", "all", "an", "and", "any", "are", "as", "at", "be", "but", "by", "can", "do", "for",
    "from", "has", "have", "he", "her", "his", "i", "if", "in", "into", "is", "it", "its", "no",
    "not", "of", "on", "or", "our", "she", "so", "such", "that", "the", "their", "then", "there",
    "these", "they", "this", "to", "was", "we", "were", "will", "with", "you", "your",
];

pub(crate) fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.binary_search(&word).is_ok()
}

/// Returns the terms of a word: itself, its stem, and the short prefixes of both. A whole word is
/// searched by its stem, a prefix by the words themselves ("electroni" is a prefix of
/// "electronics", but not of its stem "electron").
pub(crate) fn terms_of(word: &str) -> Vec<String> {
    if is_joined_term(word) {
        return vec![word.to_owned()];
    }
    let stem = stem(word);
    let mut terms = vec![word.to_owned()];
    if stem != word {
        terms.push(stem);
    }
    for token in 0..terms.len() {
        for letters in 1..=SHORT {
            if let Some(short) = first_letters(&terms[token], letters) {
                let term = prefix_term(short);
                if !terms.contains(&term) {
                    terms.push(term);
                }
            }
        }
    }
    terms
}

/// Maximum length, in characters, of prefixes with their own list, because uniting the lists of
/// their many words would take too long.
pub(crate) const SHORT: usize = 3;

/// Returns the prefix of `letters` characters; `None` for a shorter word, or a marked stem, whose
/// word has the same prefix.
pub(crate) fn first_letters(word: &str, letters: usize) -> Option<&str> {
    if word.starts_with('!') {
        return None;
    }
    let (last, c) = word.char_indices().nth(letters - 1)?;
    word.get(..last + c.len_utf8())
}

/// A stem that matches words of a search.
struct SearchStem {
    /// Positions of the words.
    places: Range<usize>,
    stem: String,
    /// False for another word for the same thing.
    is_typed: bool,
}

/// A parsed search: every word but stop words must match, the last one also as a prefix (decisions, section 3).
pub struct Query {
    words: Vec<SearchWord>,
    /// Adjacent words as one.
    pairs: Vec<SearchWord>,
    /// The stems of each word, each pair and their other words, with their positions.
    forms: Vec<SearchStem>,
    same_words: Arc<SameWords>,
}

impl Query {
    /// Parses a text, without words of an owner; `None` if it has no words.
    pub fn parse(text: &str) -> Option<Self> {
        Self::parse_with(text, &Arc::default())
    }

    /// Parses a text, with the owner's words for the same thing; `None` if it has no words.
    pub(crate) fn parse_with(text: &str, same_words: &Arc<SameWords>) -> Option<Self> {
        let words = folded_words(text);
        let word = |text| SearchWord::new(text, same_words);
        let pairs: Vec<SearchWord> = words.windows(2).map(|pair| word(pair.concat())).collect();
        let words: Vec<SearchWord> = words.into_iter().map(word).collect();
        let form = |places: Range<usize>, stem: &String, is_typed| SearchStem {
            places,
            stem: stem.clone(),
            is_typed,
        };
        let singles = words.iter().enumerate();
        let singles = singles.map(|(at, word)| (at..at + 1, word));
        let pairs_at = pairs.iter().enumerate();
        let pairs_at = pairs_at.map(|(at, word)| (at..at + 2, word));
        let all = singles.chain(pairs_at);
        let own = all.clone();
        let own = own.map(|(places, word)| form(places, &word.stem, true));
        let others = all.flat_map(|(places, word)| {
            let others = word.others.iter();
            others.map(move |other| form(places.clone(), &other.stem, false))
        });
        let parts = words.iter().enumerate().flat_map(|(at, word)| {
            word.compounds().flat_map(move |(left, right, _)| {
                [left, right].map(|part| form(at..at + 1, &stem(part), false))
            })
        });
        let forms = own.chain(others).chain(parts).collect();
        (!words.is_empty()).then(|| Self {
            words,
            pairs,
            forms,
            same_words: Arc::clone(same_words),
        })
    }

    /// Returns another word with its other words.
    pub(crate) fn word(&self, text: String) -> SearchWord {
        SearchWord::new(text, &self.same_words)
    }

    /// Returns the other words of the words and of pairs of them.
    pub(crate) fn others(&self) -> impl Iterator<Item = &OtherWord> {
        let words = self.words.iter().chain(&self.pairs);
        words.flat_map(|word| &word.others)
    }

    /// The words.
    pub(crate) fn words(&self) -> &[SearchWord] {
        &self.words
    }

    /// Returns the words that must match: all but stop words, or all if it has only these.
    pub(crate) fn required(&self) -> Vec<&SearchWord> {
        let all = self.words.iter();
        let meaning: Vec<_> = all.filter(|word| !is_stop_word(&word.text)).collect();
        if meaning.is_empty() {
            return self.words.iter().collect();
        }
        meaning
    }

    /// Returns the positions of the search words that a token matches, and whether by a form of the
    /// words themselves.
    pub(crate) fn places_of(&self, token: &str) -> impl Iterator<Item = (Range<usize>, bool)> {
        let forms = self.forms.iter().filter(move |form| {
            match token.strip_prefix('+') {
                Some(joined) => form.stem == joined,
                // Stem and word share the first letter, so most words need no stemming.
                None => {
                    let letters = form.stem.trim_start_matches('!');
                    letters.chars().next() == token.chars().next() && form.stem == stem(token)
                }
            }
        });
        forms.map(|form| (form.places.clone(), form.is_typed))
    }

    /// The last required word, which may be a prefix.
    pub(crate) fn last(&self) -> &str {
        let mut words = self.words.iter().rev();
        let last = words.find(|word| !is_stop_word(&word.text));
        last.or(self.words.last()).map_or("", |word| &word.text)
    }
}

/// Length of a description on a card, in characters (spec section 9).
const SHOWN: usize = 100;

/// Collects the words of titles and shortened descriptions that match a query.
pub(crate) struct Matching<'a> {
    query: &'a Query,
    found: BTreeSet<String>,
}

impl<'a> Matching<'a> {
    pub(crate) fn new(query: &'a Query) -> Self {
        Self {
            query,
            found: BTreeSet::new(),
        }
    }

    pub(crate) fn add_text(&mut self, title: &str, description: &str) {
        let shown: String = description.chars().take(SHOWN).collect();
        for word in folded_words(title).into_iter().chain(folded_words(&shown)) {
            if !self.found.contains(&word)
                && (word.starts_with(self.query.last())
                    || self.query.places_of(&word).next().is_some())
            {
                self.found.insert(word);
            }
        }
    }

    /// Returns the words, folded and sorted.
    pub(crate) fn into_words(self) -> Vec<String> {
        self.found.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Texts in the scripts and with the signs that products have, and their terms.
    const GOLDEN: &str = include_str!("../../../tests/fixtures/terms.txt");

    #[test]
    fn search_terms_match_their_golden_file() {
        let mut version = None;
        let mut expected = String::new();
        let mut found = String::new();
        for line in GOLDEN.lines() {
            if let Some(number) = line.strip_prefix("version ") {
                version = Some(number.parse::<i64>().unwrap());
                continue;
            }
            let (text, _) = line.split_once(" → ").unwrap_or((line, ""));
            let texts = Texts {
                title: String::new(),
                description: text.to_owned(),
                source: String::new(),
                category: String::new(),
                tags: "[]".to_owned(),
            };
            let mut terms = texts.terms().into_iter().collect::<Vec<_>>();
            terms.retain(|term| !["@", "$"].contains(&term.as_str()));
            terms.sort();
            expected.push_str(&format!("{line}\n"));
            found.push_str(&format!("{text} → {}\n", terms.join(" ")));
        }
        if std::env::var_os("DEALS_UPDATE").is_some() {
            let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/terms.txt");
            std::fs::write(path, format!("version {VERSION}\n{found}")).unwrap();
            return;
        }
        assert_eq!(
            (version, found),
            (Some(VERSION), expected),
            "other rules for words: raise VERSION, then DEALS_UPDATE=1 cargo test --lib terms"
        );
    }

    #[test]
    fn a_word_is_indexed_by_its_stem_and_prefixes() {
        assert_eq!(terms_of("cables"), ["cables", "cabl", "*c", "*ca", "*cab"]);
        assert_eq!(terms_of("5g"), ["5g", "*5", "*5g"]);
        assert_eq!(terms_of("किताब"), ["किताब", "*क", "*कि", "*कित"]);
    }

    #[test]
    fn the_last_word_of_a_search_may_be_a_prefix() {
        let query = Query::parse("Phones \"NEAR(charg").unwrap();
        let words: Vec<&str> = query.words().iter().map(|word| &word.text[..]).collect();
        assert_eq!(words, ["phones", "near", "charg"]);
        assert_eq!(query.last(), "charg");
        assert!(Query::parse(" \"*( ").is_none());
    }
}
