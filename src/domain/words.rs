//! Splits text into words, for searching and for highlighting matches.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Returns the first `length` characters, with an ellipsis if the text is longer; mirrors
/// `truncate.ts`.
pub fn truncate(text: &str, length: usize) -> String {
    match text.char_indices().nth(length) {
        Some((end, _)) => {
            // White space as JavaScript defines it.
            let space = |c: char| (c.is_whitespace() && c != '\u{85}') || c == '\u{feff}';
            format!("{}…", text[..end].trim_end_matches(space))
        }
        None => text.to_owned(),
    }
}

/// Splits text into lower-case words without diacritics.
///
/// Combining marks that carry meaning (such as Devanagari vowel signs) stay; Latin, Greek and
/// Cyrillic accents go.
pub fn folded_words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for_each_word(text, |_, word| words.push(word.to_owned()));
    words
}

/// Words at the start of a title that variants of a product share.
const SAME_WORDS: usize = 5;

/// Returns the words of a title that variants of a product share: those before the colour or the size.
pub fn variant_key(title: &str) -> Vec<String> {
    let before = title.split(['(', ',', '|']).next().unwrap_or(title);
    let mut words = folded_words(before);
    if words.len() < 2 {
        words = folded_words(title);
    }
    words.truncate(SAME_WORDS);
    words
}

/// Calls `each` with the separator before each word, and the word folded as in [`folded_words`].
pub fn for_each_word(text: &str, mut each: impl FnMut(&str, &str)) {
    let (mut gap, mut word) = (String::new(), String::new());
    if text.is_ascii() {
        // Fast path: ASCII needs no decomposition.
        let (mut end, mut start) = (0, 0);
        for part in text.split(|c: char| !c.is_ascii_alphanumeric()) {
            if !part.is_empty() {
                word.clear();
                word.push_str(part);
                word.make_ascii_lowercase();
                each(&text[end..start], &word);
                end = start + part.len();
            }
            start += part.len() + 1;
        }
        return;
    }
    for c in text.nfkd().filter(|c| !is_accent(*c)) {
        if is_of_word(c) {
            word.extend(c.to_lowercase());
            continue;
        }
        if !word.is_empty() {
            each(&gap, &word);
            gap.clear();
            word.clear();
        }
        gap.push(c);
    }
    if !word.is_empty() {
        each(&gap, &word);
    }
}

fn is_accent(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}')
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || is_combining_mark(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_share_the_start_of_their_title() {
        let is_same = |a: &str, b: &str| variant_key(a) == variant_key(b);
        assert!(is_same(
            "boAt BassHeads 100 in-Ear Wired Headphones (Black)",
            "boAt BassHeads 100 in-Ear Wired Headphones with Mic (Furious Red)"
        ));
        assert!(is_same(
            "Tandoval Rain Jacket, Ochre",
            "Tandoval Rain Jacket, Blue"
        ));
        assert!(!is_same("HDMI Cable, 2 m", "USB Cable, 2 m"));
        assert!(!is_same(
            "The Complete Works of Asha Verma",
            "The Complete Works of Ravi Rao"
        ));
    }
}
