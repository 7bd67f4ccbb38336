//! How text becomes searchable words, the same for products and for queries.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

use rusqlite::Connection;
use rusqlite::functions::FunctionFlags;
use rust_stemmers::{Algorithm, Stemmer};

use crate::domain::{NewProduct, folded_words};

/// Words that stems are remembered for; descriptions repeat a small vocabulary.
const REMEMBERED: usize = 20_000;

thread_local! {
    static STEMS: RefCell<HashMap<String, String>> = RefCell::default();
}

fn stem(word: &str) -> String {
    STEMS.with_borrow_mut(|stems| {
        if let Some(stem) = stems.get(word) {
            return stem.clone();
        }
        let stem = Stemmer::create(Algorithm::English).stem(word).into_owned();
        if stems.len() < REMEMBERED {
            stems.insert(word.to_owned(), stem.clone());
        }
        stem
    })
}

/// The text to index: every word, and its stem where that differs. A query for
/// a whole word asks for the stem, one for the beginning of a word needs the
/// word itself ("electroni" begins "electronics" but not its stem "electron").
pub(super) fn search_words(text: &str) -> String {
    let mut indexed = String::with_capacity(text.len() * 3 / 2);
    for word in folded_words(text) {
        let stem = stem(&word);
        if !indexed.is_empty() {
            indexed.push(' ');
        }
        indexed.push_str(&word);
        if stem != word {
            indexed.push(' ');
            indexed.push_str(&stem);
        }
    }
    indexed
}

/// What a visitor typed, as words: every one must match, the last one also as
/// the beginning of a word (decisions, section 3).
pub(super) struct Query {
    words: Vec<String>,
}

impl Query {
    /// Takes the words out of a text; `None` when nothing in it is a word.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let words = folded_words(text);
        (!words.is_empty()).then_some(Self { words })
    }

    /// The words, folded.
    pub(super) fn words(&self) -> impl Iterator<Item = &str> {
        self.words.iter().map(String::as_str)
    }

    /// The FTS5 expression that matches wherever the words stand.
    ///
    /// Words are quoted, so operators and quotes of the input are plain text; none
    /// of them can contain a quote because only letters, numbers and marks are left.
    pub(super) fn expression(&self) -> String {
        let last = self.words.len() - 1;
        let terms = self.words.iter().enumerate().map(|(index, word)| {
            if index == last {
                Self::beginning_with(word)
            } else {
                format!("\"{}\"", stem(word))
            }
        });
        terms.collect::<Vec<_>>().join(" AND ")
    }

    /// The FTS5 expression that matches where all words stand in the title.
    pub(super) fn in_title(&self) -> String {
        format!("title : ({})", self.expression())
    }

    /// The FTS5 expression for a word, whole in any form or unfinished.
    pub(super) fn beginning_with(word: &str) -> String {
        format!("(\"{}\" OR \"{word}\" *)", stem(word))
    }
}

/// Characters of a description that a card shows (spec section 9).
const SHOWN: usize = 100;

/// The words of these products' titles and of the beginnings of their descriptions
/// that a query's words stand for, folded and sorted.
pub(super) fn matching_words<'a>(
    query: &Query,
    products: impl Iterator<Item = &'a NewProduct>,
) -> Vec<String> {
    let stems: Vec<String> = query.words().map(stem).collect();
    let last = query.words().last().unwrap_or_default();
    let mut found = BTreeSet::new();
    for product in products {
        let shown: String = product.description.chars().take(SHOWN).collect();
        for word in folded_words(&product.title)
            .into_iter()
            .chain(folded_words(&shown))
        {
            if !found.contains(&word) && (word.starts_with(last) || stems.contains(&stem(&word))) {
                found.insert(word);
            }
        }
    }
    found.into_iter().collect()
}

/// Makes `search_words` known to the triggers and views of a connection.
pub(super) fn register(connection: &Connection) -> rusqlite::Result<()> {
    connection.create_scalar_function(
        c"search_words",
        1,
        FunctionFlags::SQLITE_UTF8
            | FunctionFlags::SQLITE_DETERMINISTIC
            | FunctionFlags::SQLITE_INNOCUOUS,
        |context| Ok(search_words(context.get_raw(0).as_str()?)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_indexed_with_their_stems() {
        assert_eq!(search_words("USB-C Cables"), "usb c cables cabl");
        assert_eq!(search_words("Café, “crème”"), "cafe creme");
        assert_eq!(search_words("हिन्दी किताब"), "हिन्दी किताब");
        assert_eq!(search_words(" \"'*()-:^ "), "");
    }

    #[test]
    fn every_word_must_match_and_the_last_one_may_be_unfinished() {
        let match_expression = |text| Query::parse(text).map(|query| query.expression());
        assert_eq!(
            match_expression("Phones charg").unwrap(),
            r#""phone" AND ("charg" OR "charg" *)"#
        );
        assert_eq!(
            match_expression(r#"NEAR("a" OR"#).unwrap(),
            r#""near" AND "a" AND ("or" OR "or" *)"#
        );
        assert_eq!(match_expression(" \"*( "), None);
    }
}
