//! Names of columns, and texts and numbers in their cells.

use serde_json::{Value, json};

use super::steps;
use crate::domain::{TAG_SEPARATORS, is_invisible, read_tags};

/// True if a spreadsheet could take the text for a formula, so that an export marks it with an
/// apostrophe; also with apostrophes of its own, so that import can tell them apart.
pub(in crate::catalog) fn is_marked(text: &str) -> bool {
    const STARTS: [char; 12] = [
        '=', '+', '-', '@', '＝', '＋', '－', '＠', '﹦', '﹢', '﹣', '﹫',
    ];
    let text = text.trim_start_matches('\'');
    text.starts_with(STARTS) || text.starts_with(is_invisible)
}

/// Returns a name's letters and digits, in lower case, as a whole and without what follows in
/// parentheses.
pub(super) fn forms(name: &str) -> [String; 2] {
    let short = name.split('(').next().unwrap_or(name);
    let short = if normal(short).is_empty() {
        name
    } else {
        short
    };
    [normal(name), normal(short)]
}

/// Returns a name's letters and digits, in lower case.
pub(super) fn normal(name: &str) -> String {
    let name = name.strip_prefix("g:").unwrap_or(name);
    let letters = name.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// Returns the number as JSON, whole if it is.
pub(super) fn whole(number: f64) -> Value {
    const EXACT_UP_TO: f64 = 9_007_199_254_740_991.0;
    if number.fract() == 0.0 && number.abs() <= EXACT_UP_TO {
        #[expect(clippy::cast_possible_truncation, reason = "whole and below 2^53")]
        return (number as i64).into();
    }
    number.into()
}

/// Returns a name's words in lower case and in the singular, without *and*.
pub(super) fn key(name: &str) -> String {
    let name = name.to_lowercase().replace(['\'', '’', '‘', '`'], "");
    let words = name.split(|c: char| !c.is_alphanumeric());
    let words = words
        .filter(|word| !word.is_empty() && *word != "and")
        .map(singular);
    words.collect::<Vec<_>>().join(" ")
}

fn singular(word: &str) -> String {
    if let Some(stem) = word.strip_suffix("ies").filter(|stem| stem.len() > 2) {
        return format!("{stem}y");
    }
    let double = ["sses", "shes", "ches", "xes"];
    if double.iter().any(|end| word.ends_with(end)) {
        return word[..word.len() - 2].to_owned();
    }
    match word.strip_suffix('s') {
        Some(stem) if stem.len() > 2 && !stem.ends_with(['s', 'u', 'i']) => stem.to_owned(),
        _ => word.to_owned(),
    }
}

/// True for an id of which a spreadsheet has lost digits, like 8.90E+12.
pub(super) fn is_rounded(text: &str) -> bool {
    let text = text.trim().to_ascii_lowercase();
    text.split_once("e+").is_some_and(|(digits, zeros)| {
        let is_number = |text: &str| text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
        !digits.is_empty() && is_number(digits) && zeros.parse::<u16>().is_ok()
    })
}

/// Returns the tags in a text: a list in JSON, or with separators. Of files that are not the shop's own,
/// those that break a rule are left out.
pub(super) fn tags(text: &str, is_own: bool) -> Vec<String> {
    let listed: Option<Vec<String>> = serde_json::from_str(text).ok();
    let listed = listed.unwrap_or_else(|| vec![text.to_owned()]);
    let tags = listed.iter().flat_map(|text| text.split(TAG_SEPARATORS));
    let tags = tags.map(|tag| tag.trim().to_owned());
    tags.filter(|tag| is_own || read_tags(&json!([tag])).is_ok())
        .collect()
}

/// Returns the addresses in a text: a list of any kind, JSON, or with any separators. Other text
/// stays as it is, unless it belongs to a list.
pub(super) fn addresses(text: &str) -> Vec<String> {
    steps(text.len());
    // In JSON, a slash may have a backslash before it.
    let text = &text.trim().replace("\\/", "/");
    let is_list = text.starts_with(['[', '{', '(', '\'', '"', '<']) || text.contains(" ! ");
    let mut pieces = Vec::new();
    // None of these is part of an address.
    for word in text.split(|c: char| c.is_whitespace() || "<>\"\\^`{}".contains(c)) {
        let mut start = 0;
        for at in starts(word) {
            pieces.push((&word[start..at], true));
            start = at;
        }
        pieces.push((&word[start..], false));
    }
    let mut found = Vec::new();
    for (piece, is_followed) in pieces {
        let piece = piece.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '/');
        // Signs before another address separate the two.
        let ends = match (is_followed, is_list) {
            (true, _) => ",;|~#'*+-_.@$&!:()[]=?%",
            (_, true) => ",;|~#')]",
            (_, false) => ",;|~#'",
        };
        let piece = piece.trim_end_matches(|c| ends.contains(c));
        let is_address = piece.contains("://") || piece.starts_with("//");
        let is_break = ["n", "r", "t", "br", "br/"].contains(&piece);
        if !piece.contains(char::is_alphanumeric) || is_break || is_list && !is_address {
            continue;
        }
        let scheme = if piece.starts_with("//") {
            "https:"
        } else {
            ""
        };
        found.push(format!("{scheme}{piece}"));
    }
    if found.is_empty() && text.contains(char::is_alphanumeric) {
        found.push(text.to_owned());
    }
    found
}

/// Returns where a further address begins in a word; not one that is part of the address before it,
/// like `?url=https://` and `/fetch/https://`.
fn starts(word: &str) -> impl Iterator<Item = usize> {
    word.match_indices("//").filter_map(move |(at, _)| {
        let before = &word[..at];
        let scheme = ["https:", "http:"].into_iter().find(|scheme| {
            let end = before.len().checked_sub(scheme.len());
            let end = end.and_then(|end| before.get(end..));
            end.is_some_and(|end| end.eq_ignore_ascii_case(scheme))
        });
        let start = at - scheme.map_or(0, str::len);
        let last = word[..start].chars().next_back()?;
        let is_inside = match scheme {
            Some(_) => "/=?(".contains(last),
            None => !",;|~#\"'[".contains(last),
        };
        (!is_inside).then_some(start)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_addresses_in_one_cell_are_split() {
        for (text, expected) in [
            ("https://a/1.jpg", vec!["https://a/1.jpg"]),
            (
                "https://a/1.jpg, https://a/2,w_5.jpg,https://a/3.jpg ; ",
                vec!["https://a/1.jpg", "https://a/2,w_5.jpg", "https://a/3.jpg"],
            ),
            (
                "https://a|https://b\nhttps://c",
                vec!["https://a", "https://b", "https://c"],
            ),
            (
                "https://a/1.jpg~https://a/2.jpg^https://a/3.jpg::https://a/4.jpg#https://a/5.jpg",
                vec![
                    "https://a/1.jpg",
                    "https://a/2.jpg",
                    "https://a/3.jpg",
                    "https://a/4.jpg",
                    "https://a/5.jpg",
                ],
            ),
            (
                "https://a/1.jpghttps://a/2.jpg-https://a/3.jpg*http://a/4_(x).jpg",
                vec![
                    "https://a/1.jpg",
                    "https://a/2.jpg",
                    "https://a/3.jpg",
                    "http://a/4_(x).jpg",
                ],
            ),
            (
                r#"["https://a/1.jpg", "https://a/2.jpg"]"#,
                vec!["https://a/1.jpg", "https://a/2.jpg"],
            ),
            (
                "['https://a/1.jpg','//a/2.jpg', None]",
                vec!["https://a/1.jpg", "https://a/2.jpg"],
            ),
            (
                r#"[{"src": "https://a/1.jpg", "alt": "Front, side"}]"#,
                vec!["https://a/1.jpg"],
            ),
            (
                "//a/1.jpg,//a/2.jpg|//a/3.jpg",
                vec!["https://a/1.jpg", "https://a/2.jpg", "https://a/3.jpg"],
            ),
            (
                "https://a/?url=https://b/1.jpg https://a/fetch/https://b/2.jpg",
                vec![
                    "https://a/?url=https://b/1.jpg",
                    "https://a/fetch/https://b/2.jpg",
                ],
            ),
            (
                "https://a/1.jpg ! alt : Front ! title : x | https://a/2.jpg ! alt : y",
                vec!["https://a/1.jpg", "https://a/2.jpg"],
            ),
            (
                r"https://a/1.jpg\nhttps://a/2.jpg<br>https://a/3.jpg",
                vec!["https://a/1.jpg", "https://a/2.jpg", "https://a/3.jpg"],
            ),
            ("https://a//1.jpg", vec!["https://a//1.jpg"]),
            ("front.jpg", vec!["front.jpg"]),
            (" , ", vec![]),
        ] {
            assert_eq!(addresses(text), expected, "{text}");
        }
    }

    #[test]
    fn column_names_are_compared_by_letters_and_digits() {
        for (column, name) in [
            ("Body (HTML)", "body html"),
            ("Price (₹)", "price"),
            ("sale_price", "Sale Price"),
            ("g:image_link", "image link"),
            ("(MRP)", "mrp"),
        ] {
            assert!(forms(column).contains(&normal(name)), "{column}");
        }
        assert!(!forms("shipping.price").contains(&normal("price")));
    }
}
