//! Amounts and prices as texts.

use crate::domain::{Discount, Product};

pub(super) use crate::domain::{counted, rupees, truncate};

/// Formats a share in whole percent, like 13%.
pub(super) fn percent(share: Discount) -> String {
    format!("{}%", share.whole_percent())
}

/// Formats the final price, or says where it can be seen.
pub(super) fn price_text(product: &Product) -> String {
    if product.hides_price() {
        format!("See price on {}", product.details.source)
    } else {
        rupees(product.details.final_price)
    }
}

/// Formats hundredths as JavaScript does, without trailing zeros.
pub(super) fn hundredths(value: i64) -> String {
    match (value / 100, value % 100) {
        (whole, 0) => whole.to_string(),
        (whole, rest) if rest % 10 == 0 => format!("{whole}.{}", rest / 10),
        (whole, rest) => format!("{whole}.{rest:02}"),
    }
}
