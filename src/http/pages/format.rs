//! Amounts, counts and dates, as in `rupees.ts` and `day.ts`.

use jiff::Timestamp;

use crate::domain::{Discount, in_india};

pub(super) use crate::domain::{counted, group_digits as count, rupees, truncate};

/// Formats a share in whole percent, like 13%.
pub(super) fn percent(share: Discount) -> String {
    format!("{}%", share.whole_percent())
}

/// Formats a rating with one decimal, halves rounded up as in JavaScript.
pub(super) fn rating(average: f64) -> String {
    // Only a quarter or three quarters are exactly between two tenths.
    let between = (average * 4.0).fract() == 0.0 && (average * 2.0).fract() != 0.0;
    format!("{:.1}", if between { average + 0.05 } else { average })
}

/// Formats a date in India, like 1 March 2026.
pub(super) fn day(time: Timestamp) -> String {
    in_india(time).strftime("%-d %B %Y").to_string()
}

/// Formats hundredths as JavaScript does, without trailing zeros.
pub(super) fn hundredths(value: i64) -> String {
    match (value / 100, value % 100) {
        (whole, 0) => whole.to_string(),
        (whole, rest) if rest % 10 == 0 => format!("{whole}.{}", rest / 10),
        (whole, rest) => format!("{whole}.{rest:02}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_round_as_javascript_does() {
        assert_eq!(
            [4.25, 4.75, 4.35, 0.0, 5.0, 4.04, 3.96].map(rating),
            ["4.3", "4.8", "4.3", "0.0", "5.0", "4.0", "4.0"]
        );
    }
}
