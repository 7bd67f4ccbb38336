//! How text falls into words, the same for searching and for marking what was found.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// A piece of a text: one that is to be marked, or what stands between those.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece<'a> {
    /// The text as it is written.
    pub text: &'a str,
    /// Whether it is one of the words that were looked for.
    pub marked: bool,
}

/// Returns the first characters of a text, followed by an ellipsis if that is not all of it, as
/// `truncate.ts` does.
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

/// Splits text into words, with case and diacritics removed.
///
/// Marks of scripts in which they carry meaning (the vowel signs of Devanagari,
/// for one) stay; the accents of Latin, Greek and Cyrillic letters go.
pub fn folded_words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for_each_word(text, |_, word| words.push(word.to_owned()));
    words
}

/// Calls `each` with every word of a text, as [`folded_words`], and the separator before it.
pub fn for_each_word(text: &str, mut each: impl FnMut(&str, &str)) {
    let (mut gap, mut word) = (String::new(), String::new());
    if text.is_ascii() {
        // Most texts are: nothing has to be decomposed.
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

/// Cuts a text where words begin and end whose folded form is among these, sorted.
pub fn marked_pieces<'a>(text: &'a str, folded: &[String]) -> Vec<Piece<'a>> {
    let mut pieces = Vec::new();
    if folded.is_empty() && !text.is_empty() {
        return vec![Piece {
            text,
            marked: false,
        }];
    }
    let mut from = 0;
    let mut start = None;
    let ends = text.char_indices().chain([(text.len(), ' ')]);
    for (at, c) in ends {
        if is_of_word(c) {
            start.get_or_insert(at);
            continue;
        }
        let Some(begin) = start.take() else { continue };
        let word = &text[begin..at];
        if folded.binary_search(&fold(word)).is_ok() {
            if begin > from {
                let text = &text[from..begin];
                pieces.push(Piece {
                    text,
                    marked: false,
                });
            }
            pieces.push(Piece {
                text: word,
                marked: true,
            });
            from = at;
        }
    }
    if from < text.len() {
        let text = &text[from..];
        pieces.push(Piece {
            text,
            marked: false,
        });
    }
    pieces
}

fn fold(word: &str) -> String {
    word.nfkd()
        .filter(|c| !is_accent(*c))
        .flat_map(char::to_lowercase)
        .collect()
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
    fn words_are_marked_as_they_are_written() {
        let words = ["cable".to_owned(), "cafe".to_owned()];
        let pieces = marked_pieces("A Café-CABLE, cables", &words);
        let shown: Vec<(&str, bool)> = pieces.iter().map(|p| (p.text, p.marked)).collect();
        assert_eq!(
            shown,
            [
                ("A ", false),
                ("Café", true),
                ("-", false),
                ("CABLE", true),
                (", cables", false)
            ]
        );
        assert_eq!(marked_pieces("", &words), []);
        assert_eq!(marked_pieces("हिन्दी", &["हिन्दी".to_owned()]).len(), 1);
    }
}
