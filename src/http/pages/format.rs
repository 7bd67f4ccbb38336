//! Amounts, counts and dates, as in `rupees.ts` and `day.ts`.

use jiff::Timestamp;
use jiff::tz::Offset;

use crate::domain::Discount;
use crate::http::api::list_query::hundredths;

/// Indian Standard Time, in hours and minutes ahead of UTC: the shop's own time zone,
/// so that every browser names the same day.
const SHOP_TIME: (i8, i32) = (5, 30);

pub(super) use crate::domain::{grouped_in_india as count, rupees, truncate};

/// A share, like 12.5%.
pub(super) fn percent(share: Discount) -> String {
    format!("{}%", hundredths(share.get()))
}

/// A rating with one decimal, halves rounded up as JavaScript rounds them.
pub(super) fn rating(average: f64) -> String {
    // Only a quarter or three quarters stand exactly between two tenths.
    let between = (average * 4.0).fract() == 0.0 && (average * 2.0).fract() != 0.0;
    format!("{:.1}", if between { average + 0.05 } else { average })
}

/// One of a thing or several, like 1 Click and 2 Clicks.
pub(super) fn counted(number: i64, one: &str, several: &str) -> String {
    format!(
        "{} {}",
        count(number),
        if number == 1 { one } else { several }
    )
}

/// A day, like 1 March 2026.
pub(super) fn day(time: Timestamp) -> String {
    let (hours, minutes) = SHOP_TIME;
    let offset = Offset::constant(hours)
        .checked_add(jiff::Span::new().minutes(minutes))
        .unwrap_or(Offset::UTC);
    time.to_zoned(offset.to_time_zone())
        .strftime("%-d %B %Y")
        .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_grouped_in_pairs_above_a_thousand() {
        let counts = [0, 7, 999, 1_000, 99_999, 123_456, 12_345_678, 1_000_000_000];
        assert_eq!(
            counts.map(count),
            [
                "0",
                "7",
                "999",
                "1,000",
                "99,999",
                "1,23,456",
                "1,23,45,678",
                "1,00,00,00,000"
            ]
        );
    }

    #[test]
    fn ratings_round_as_javascript_does() {
        assert_eq!(
            [4.25, 4.75, 4.35, 0.0, 5.0, 4.04, 3.96].map(rating),
            ["4.3", "4.8", "4.3", "0.0", "5.0", "4.0", "4.0"]
        );
    }

    #[test]
    fn days_are_those_of_the_shop() {
        let time = "2026-03-01T18:29:59.999Z".parse().unwrap();
        assert_eq!(day(time), "1 March 2026");
        let time = "2026-03-01T18:30:00Z".parse().unwrap();
        assert_eq!(day(time), "2 March 2026");
    }
}
