//! Possible duplicates: live products with the same title and seller.

use std::cmp::Reverse;

use super::{Product, State};

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

/// Returns the possible duplicate to keep: the cheapest; of several, the one with the most clicks, then
/// the oldest.
pub fn cheapest(duplicates: &[Product]) -> Option<&Product> {
    duplicates.iter().min_by_key(|product| {
        let Product {
            details,
            clicks,
            created_at,
            id,
            ..
        } = product;
        (details.final_price, Reverse(*clicks), *created_at, id)
    })
}
