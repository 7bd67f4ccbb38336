//! Names of columns, and texts and numbers in their cells.

use serde_json::Value;

use super::number;
use super::rule::FieldRule;
use crate::domain::is_invisible;

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

pub(super) fn is_zero(value: &Value) -> bool {
    match value {
        Value::String(text) => number::parse(text) == Ok(0.0),
        other => other.as_f64() == Some(0.0),
    }
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

/// Translates a text by the rule's table; none if it is to be left out.
pub(super) fn translated(rule: &FieldRule, text: &str) -> Option<String> {
    if rule.table.is_empty() {
        return Some(text.to_owned());
    }
    // Not only letters: -1 and 1 differ.
    let wanted = text.trim().to_lowercase();
    let found = rule
        .table
        .iter()
        .find(|(name, _)| name.trim().to_lowercase() == wanted);
    match found {
        Some((_, value)) => value.clone(),
        None if rule.only_table => None,
        None => Some(text.to_owned()),
    }
}

/// Splits addresses at white space, and at commas, semicolons and bars before the next one.
pub(super) fn addresses(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        const BETWEEN: [char; 3] = [',', ';', '|'];
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || BETWEEN.contains(&c));
        if rest.is_empty() {
            return None;
        }
        let end = rest
            .char_indices()
            .find(|(at, c)| {
                let after = &rest[at + c.len_utf8()..];
                c.is_whitespace() || BETWEEN.contains(c) && after.trim_start().starts_with("http")
            })
            .map_or(rest.len(), |(at, _)| at);
        let address = rest[..end].trim_end_matches(BETWEEN);
        rest = &rest[end..];
        Some(address)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_split_where_the_next_begins() {
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
            (" , ", vec![]),
        ] {
            assert_eq!(addresses(text).collect::<Vec<_>>(), expected, "{text}");
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
