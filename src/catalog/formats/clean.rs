//! Texts of cells as people read them: entities and escaped quotes are replaced, and letters that
//! were broken before are reported.

use std::borrow::Cow;

use memchr::memchr2;
use quick_xml::escape::resolve_html5_entity;
use serde_json::Value;

use super::error::ReadError;
use super::row::{Each, Note, RowSource, join};
use crate::domain::{counted, truncate};

/// Maximum number of times that entities were encoded.
const MOST_TIMES: usize = 4;
/// Maximum length of an entity's name.
const LONGEST: usize = 32;
/// Beginnings of letters that were read in the wrong encoding: of Latin letters, signs, emoji and
/// Devanagari.
const BROKEN: [&str; 8] = ["â€", "â‚¹", "ï¿½", "ðŸ", "à¤", "à¥", "\u{fffd}", "Ãƒ"];

/// Rows of a file with clean texts.
pub(super) struct Clean(pub(super) Box<dyn RowSource>);

impl RowSource for Clean {
    fn read(self: Box<Self>, each: Each<'_>) -> Result<Note, ReadError> {
        let mut broken: Option<(u64, String)> = None;
        let mut more = 0;
        let note = self.0.read(&mut |columns, mut row| {
            let mut is_broken = false;
            for (_, value) in &mut row.cells {
                let Value::String(text) = value else {
                    continue;
                };
                if let Cow::Owned(clean) = cleaned(text) {
                    *text = clean;
                }
                if !is_broken && let Some(at) = broken_letter(text) {
                    is_broken = true;
                    if broken.is_none() {
                        let from = text[..at].rfind(char::is_whitespace).unwrap_or(0);
                        broken = Some((row.number, truncate(text[from..].trim(), 30)));
                    } else {
                        more += 1;
                    }
                }
            }
            each(columns, row)
        })?;
        let broken = broken.map(|(row, text)| {
            let others = match more {
                0 => String::new(),
                more => format!(" and {}", counted(more, "further row")),
            };
            format!(
                "Row {row}{others} has letters that were broken before (“{text}”): export the file \
                 anew as UTF-8."
            )
        });
        Ok(join(note, broken))
    }
}

/// Returns a text without entities and escaped quotes.
fn cleaned(text: &str) -> Cow<'_, str> {
    let mut clean = Cow::Borrowed(text);
    for _ in 0..MOST_TIMES {
        match memchr2(b'&', b'\\', clean.as_bytes()) {
            None => break,
            Some(_) => {
                let next = replaced(&clean);
                if next == clean {
                    break;
                }
                clean = Cow::Owned(next);
            }
        }
    }
    clean
}

/// Replaces entities once, and backslashes before quotes and, in an address, before slashes.
fn replaced(text: &str) -> String {
    // In JSON a backslash has its own meaning.
    let is_json = text.trim_start().starts_with(['[', '{']);
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = memchr2(b'&', b'\\', rest.as_bytes()) {
        let (before, after) = rest.split_at(at);
        plain.push_str(before);
        let known = if let Some(escaped) = after.strip_prefix('\\') {
            let is_quote = escaped.starts_with(['"', '\'', '/']) && !is_json;
            is_quote.then(|| (1, String::new()))
        } else {
            let mut end = after.bytes().take(LONGEST + 2);
            let end = end.position(|byte| byte == b';');
            end.and_then(|end| Some((end + 1, character(&after[1..end])?)))
        };
        let (taken, character) = known.unwrap_or_else(|| (1, after[..1].to_owned()));
        plain.push_str(&character);
        rest = &after[taken..];
    }
    plain.push_str(rest);
    plain
}

fn character(name: &str) -> Option<String> {
    let Some(number) = name.strip_prefix('#') else {
        return resolve_html5_entity(name).map(str::to_owned);
    };
    let code = match number.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16).ok()?,
        None => number.parse().ok()?,
    };
    char::from_u32(code)
        .filter(|c| *c != '\0')
        .map(String::from)
}

/// Returns the position of a letter that was read in the wrong encoding, like `Ã©`.
fn broken_letter(text: &str) -> Option<usize> {
    if text.is_ascii() {
        return None;
    }
    let known = BROKEN.iter().find_map(|broken| text.find(broken));
    known.or_else(|| {
        let pairs = text.char_indices().zip(text.chars().skip(1));
        let mut pairs = pairs.map(|((at, first), second)| (at, first, second));
        let found = pairs.find(|(_, first, second)| match first {
            'Ã' => matches!(
                second,
                '\u{80}'..='\u{bf}' | 'Œ' | 'œ' | 'Š' | 'š' | '€' | '‚' | '„'
            ),
            'Â' => matches!(second, '\u{a0}'..='\u{bf}'),
            _ => false,
        });
        found.map(|(at, ..)| at)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn html_entities_are_decoded_as_often_as_they_were_encoded() {
        for (text, clean) in [
            ("B&amp;O headset, 5&quot; plug", "B&O headset, 5\" plug"),
            ("Home &amp;gt; Decor", "Home > Decor"),
            ("&amp;amp;lt;b&amp;amp;gt; thrice", "<b> thrice"),
            (
                "https://a.example/?x=1&amp;tag=me-21",
                "https://a.example/?x=1&tag=me-21",
            ),
            (
                "&#8377;499 &#x20B9;5 &unknown; AT&T",
                "₹499 ₹5 &unknown; AT&T",
            ),
            (r#"5\" plug, Men\'s"#, "5\" plug, Men's"),
            (r"https:\/\/a.example\/1.jpg", "https://a.example/1.jpg"),
            (r#"["5\" plug"]"#, r#"["5\" plug"]"#),
            (r"a\b & c; d", r"a\b & c; d"),
        ] {
            assert_eq!(cleaned(text), clean, "{text}");
        }
    }

    #[test]
    fn letters_read_in_the_wrong_encoding_are_recognized() {
        for text in [
            "CafÃ© crÃ¨me",
            "itâ€™s",
            "Pens ï¿½ blue",
            "lost \u{fffd}",
            "Â£5",
            "ðŸ”¥ deal",
            "à¤šà¤¾à¤¯",
            "Ã€ la carte",
            "â‚¹499",
        ] {
            assert!(broken_letter(text).is_some(), "{text}");
        }
        for text in [
            "Café crème",
            "it’s ₹499 – “fine”",
            "SÃO PAULO",
            "ÂNGELA",
            "चाय 🔥",
            "plain",
            "Ângstrom à la",
        ] {
            assert!(broken_letter(text).is_none(), "{text}");
        }
    }
}
