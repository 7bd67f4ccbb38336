//! Characters that are not seen, or change how others are shown.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization as _;

/// True for control characters, line separators and marks of direction (UAX #9): they act on a
/// terminal or reorder the text beside them.
pub fn is_active(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}')
}

/// True for white space, active characters and others that take no ink: those that Unicode calls
/// default-ignorable, and blank letters.
pub fn is_invisible(c: char) -> bool {
    c.is_whitespace()
        || is_active(c)
        || matches!(c, '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{206f}'
            | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// True for embeddings, overrides and isolates, which reorder the text beside them (UAX #9).
fn reorders(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Removes characters that reorder the text beside them.
pub fn without_reordering(text: &str) -> String {
    text.replace(reorders, "")
}

/// Returns a name on one line, without outer space and without characters that act.
pub fn plain_name(name: &str) -> String {
    let plain = without_controls(name).replace('\n', " ").replace('\0', "");
    plain.trim().to_owned()
}

/// Compares names without case, characters that are not seen, and other forms of the same letters.
pub fn are_alike(one: &str, other: &str) -> bool {
    let [one, other] = [one, other].map(|name| {
        let seen = name.nfkc().filter(|c| !is_invisible(*c));
        seen.collect::<String>().to_lowercase()
    });
    one == other
}

/// Removes control characters, except line breaks and U+0000, which is refused, and characters that
/// reorder the text beside them. Tabs become blanks.
///
/// Joiners and the marks U+200E and U+200F, which texts in Indian and Arabic scripts need, stay.
pub fn without_controls(text: &str) -> Cow<'_, str> {
    let acts = |c: char| (c.is_control() && !matches!(c, '\n' | '\0')) || reorders(c);
    if text.contains(acts) {
        let text = text.replace("\r\n", "\n");
        // Other line breaks: those of old computers, of PowerPoint and of Unicode.
        let text = text.replace(['\r', '\u{b}', '\u{c}', '\u{85}'], "\n");
        Cow::Owned(text.replace('\t', " ").replace(acts, ""))
    } else {
        Cow::Borrowed(text)
    }
}

/// Returns a text that anybody may have written for a mail, a title or a list of the office: on one line, without
/// control characters and those that reorder the text beside them.
pub fn in_line(text: &str) -> String {
    without_controls(text).replace(['\n', '\0', '\u{2028}', '\u{2029}'], " ")
}

/// Replaces active characters other than tabs and line breaks with U+FFFD.
pub fn disarmed(text: &str) -> Cow<'_, str> {
    let harms = |c| is_active(c) && !matches!(c, '\n' | '\t');
    if text.contains(harms) {
        let plain = text.replace("\r\n", "\n").replace(harms, "\u{fffd}");
        Cow::Owned(plain)
    } else {
        Cow::Borrowed(text)
    }
}

/// Like [`disarmed`], on one line.
pub fn one_line(text: &str) -> String {
    disarmed(&text.replace(['\n', '\r', '\t'], " ")).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_replaced_for_terminals() {
        assert_eq!(
            disarmed("a\u{1b}[2Jb\u{9b}c\u{202e}d\r\ne\tf\u{7f}"),
            "a\u{fffd}[2Jb\u{fffd}c\u{fffd}d\ne\tf\u{fffd}"
        );
        // Devanagari and emoji need joiners.
        let joined = "क्‍ष 👩‍💻 “x”\r\n";
        assert_eq!(disarmed("क्‍ष 👩‍💻 “x”"), "क्‍ष 👩‍💻 “x”");
        assert_eq!(one_line(joined), "क्‍ष 👩‍💻 “x”  ");
    }

    #[test]
    fn control_and_direction_override_characters_are_removed_from_texts() {
        let sent = "a\u{7}b\u{b}c\td\u{96}\u{202e}e\u{2066}f\u{2069}\u{200e}";
        assert_eq!(without_controls(sent), "ab\nc def\u{200e}");
        assert_eq!(without_controls("क्‍ष 👩‍💻 “x”"), "क्‍ष 👩‍💻 “x”");
    }

    #[test]
    fn words_of_strangers_stay_on_their_line_and_in_their_order() {
        let sent = "a\u{0}\u{1b}b\r\nBcc: c\td\u{202e}e\u{2067}\u{2029}f";
        assert_eq!(in_line(sent), "a b Bcc: c de f");
        assert_eq!(in_line("क्‍ष 👩‍💻 “x”"), "क्‍ष 👩‍💻 “x”");
    }

    #[test]
    fn blank_letters_are_invisible() {
        assert!(
            "\u{200b}\u{200d}\u{3164}\u{2800} \u{202e}\u{fe0f}"
                .chars()
                .all(is_invisible)
        );
        assert!(!"aक1。-".chars().any(is_invisible));
    }
}
