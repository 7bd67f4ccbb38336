//! Possible duplicates: live products with the same title and seller.

use std::cmp::Reverse;

use jiff::Timestamp;

use super::{Product, State};
use crate::domain::Paise;

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
