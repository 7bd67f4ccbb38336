//! Possible duplicates, live products with the same title and seller, and versions of a product.

use std::cmp::Reverse;

use jiff::Timestamp;

use super::{Product, State};
use crate::domain::{Paise, truncate, variant_key};

/// Returns true if they are possible duplicates of each other: live, with the same title and seller.
pub fn are_duplicates(products: &[Product]) -> bool {
    let live = products.iter().all(|product| product.state == State::Live);
    live && products.windows(2).all(|pair| match pair {
        [one, other] => identity(one) == identity(other),
        _ => true,
    })
}

/// Returns the title and the seller.
fn identity(product: &Product) -> (&str, &str) {
    (&product.details.title, &product.details.source)
}

/// Returns the possible duplicate to keep, the first by [`keep_order`].
pub fn cheapest(duplicates: &[Product]) -> Option<&Product> {
    duplicates
        .iter()
        .min_by_key(|it| keep_order(it.details.final_price, it.clicks, it.created_at, &it.id))
}

/// Orders duplicates: the cheapest first; of several, the one with the most clicks, then the oldest.
pub fn keep_order(
    price: Paise,
    clicks: i64,
    created_at: Timestamp,
    id: &str,
) -> impl Ord + use<'_> {
    (price, Reverse(clicks), created_at, id)
}

/// Characters of a title that a card shows in any case.
const SEEN: usize = 40;
/// Maximum characters of a version's name.
const VERSION: usize = 40;

/// Returns for each title the end that tells it from others with the same long beginning, like `Pitch Black`.
pub fn versions(titles: &[&str]) -> Vec<Option<String>> {
    let keys: Vec<_> = titles.iter().map(|title| variant_key(title)).collect();
    let version = |(at, title): (usize, &&str)| {
        let others = titles.iter().enumerate();
        let others = others.filter(|(other, _)| *other != at && keys[*other] == keys[at]);
        let shared = others.map(|(_, other)| shared_bytes(title, other)).max()?;
        if shared == title.len() {
            return None;
        }
        let is_word = char::is_alphanumeric;
        let start = title[..shared].trim_end_matches(is_word).len();
        let parts = title[start..].split(['(', ')', '[', ']']);
        let parts = parts.map(|part| part.trim_matches(|c| !is_word(c)));
        let end = parts
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join(", ");
        let is_hidden = title[..start].chars().nth(SEEN).is_some();
        (is_hidden && !end.is_empty()).then(|| truncate(&end, VERSION))
    };
    titles.iter().enumerate().map(version).collect()
}

/// Number of bytes at the beginning that two texts share, in whole characters.
fn shared_bytes(one: &str, other: &str) -> usize {
    let pairs = one.chars().zip(other.chars());
    pairs
        .take_while(|(a, b)| a == b)
        .map(|(a, _)| a.len_utf8())
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_named_by_the_end_that_differs() {
        let watch = "boAt Xtend Smartwatch with Alexa Built-in, 1.69” HD Display";
        let titles = [
            &format!("{watch} (Pitch Black)")[..],
            &format!("{watch} (Pitch Blue)"),
            &format!("{watch} (Rosé)"),
            watch,
            "boAt Xtend (Red)",
            "Case, Red",
            "Case, Blue",
            "Amazon Basics High-Speed HDMI Cable, 6 Feet - 4K video,Black",
            "Amazon Basics High-Speed HDMI Cable, 6 Feet (2-Pack),Black",
        ];
        let found = versions(&titles);
        let found: Vec<_> = found.iter().map(Option::as_deref).collect();
        assert_eq!(
            found,
            [
                Some("Black"),
                Some("Blue"),
                Some("Rosé"),
                None,
                None,
                None,
                None,
                Some("4K video,Black"),
                Some("2-Pack, Black")
            ]
        );
        assert_eq!(versions(&[watch, watch]), [None, None]);
    }
}
