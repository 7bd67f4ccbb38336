//! Words in cells, and what they mean (`assets/file-words.txt`).

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::super::cells::normal;

static LIST: &str = include_str!("../../../../assets/file-words.txt");
/// Words by sense.
static SENSES: LazyLock<HashMap<&str, HashSet<&str>>> = LazyLock::new(|| {
    let lines = LIST.lines().filter(|line| !line.starts_with(['#', ':']));
    let lines = lines.filter_map(|line| line.split_once(": "));
    lines
        .map(|(sense, words)| (sense, words.split(" | ").collect()))
        .collect()
});
/// Names of currencies by their codes, signs and words.
static CURRENCIES: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
    let lines = LIST.lines().filter_map(|line| line.strip_prefix(':'));
    let lines = lines.filter_map(|line| line.split_once(": "));
    let words = lines.flat_map(|(name, words)| words.split(" | ").map(move |word| (word, name)));
    words.collect()
});
pub(in crate::catalog::mapping) const RUPEES: &str = "rupees";
/// Maximum length of a word in bytes.
const LONGEST: usize = 80;
/// Maximum length of a text for no value in bytes; each cell is compared.
const LONGEST_EMPTY: usize = 32;

/// True if a word in lower case has a sense.
pub(in crate::catalog::mapping) fn means(sense: &str, word: &str) -> bool {
    SENSES.get(sense).is_some_and(|words| words.contains(word))
}

/// Returns the name of a currency by a code, sign or word in lower case.
pub(in crate::catalog::mapping) fn currency(word: &str) -> Option<&'static str> {
    CURRENCIES.get(word).copied()
}

/// True for a text that programs write for no value.
pub(in crate::catalog::mapping) fn is_empty(text: &str) -> bool {
    let text = text.trim();
    if text.len() > LONGEST_EMPTY || text.starts_with(|c: char| c.is_ascii_digit() && c != '0') {
        return false;
    }
    let is_dash = |c: char| matches!(c, '-' | '–' | '—' | '−' | '_' | '.' | '…' | '/' | '?');
    text.chars().all(is_dash) || means("empty", &text.to_lowercase())
}

/// True for a text that says that there is no end.
pub(in crate::catalog::mapping) fn is_endless(text: &str) -> bool {
    let text = text.trim();
    text.len() <= LONGEST
        && means(
            "endless",
            text.trim_end_matches(['.', '!']).to_lowercase().as_str(),
        )
}

/// Returns `live` or `draft` for a text about stock or visibility, in a column whose name may say
/// the opposite, like *Hidden*; none for any other text.
pub(in crate::catalog::mapping) fn status(text: &str, column: &str) -> Option<&'static str> {
    // schema.org writes an address, like https://schema.org/InStock.
    let text = text.rsplit('/').find(|part| !part.is_empty())?.trim();
    if text.len() > LONGEST {
        return None;
    }
    let letters = normal(text);
    let has = |sense: &str, letters: &str| {
        let words = SENSES.get(sense);
        words.is_some_and(|words| words.iter().any(|word| letters.contains(word)))
    };
    let number = |text: &str| text.replace(',', "").parse::<f64>().ok();
    let is_live = if let Some(number) = number(text) {
        number > 0.0
    } else if means("draft", &letters) || has("within draft", &letters) {
        false
    } else if means("live", &letters) {
        true
    } else if has("within live", &letters) {
        let mut words = text.split(|c: char| !c.is_ascii_digit());
        let count = words.find_map(|word| word.parse::<u64>().ok());
        count != Some(0)
    } else {
        return None;
    };
    let is_inverted =
        ANSWERS.contains(&letters.as_str()) && has("within inverted", &normal(column));
    Some(if is_live == is_inverted {
        "draft"
    } else {
        "live"
    })
}

/// Answers to the question that the name of a column is.
const ANSWERS: [&str; 10] = ["yes", "no", "y", "n", "true", "false", "t", "f", "1", "0"];
