//! Dashboard figures.

use super::reports::ReportRow;
use crate::domain::enums::named;
use crate::domain::product::Product;

/// Dashboard figures of counted clicks; `days` and `classifications` include the others.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Overview {
    /// Counted clicks today in India.
    pub today: u64,
    /// Number of completed hours today, and clicks until then, today and yesterday.
    pub until: Option<(i64, Compared)>,
    /// The last 168 completed hours and the 168 before.
    pub week: Compared,
    /// Title and clicks of the live product that was clicked most in the last 168 hours.
    pub best: Option<(String, u64)>,
    /// The last 30 days.
    pub days: Vec<ReportRow>,
    /// Clicks of those days by classification.
    pub classifications: Vec<ReportRow>,
    /// Traffic sources of the last 168 hours, most first.
    pub channels: Vec<ReportRow>,
    /// Products with the largest rise and fall.
    pub movers: Vec<Mover>,
    /// Searches without results in 7 days, most frequent first.
    pub failed_searches: Vec<FailedSearch>,
}

/// A sum, and that of the preceding period.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Compared {
    /// Current period.
    pub now: u64,
    /// Preceding period.
    pub before: u64,
}

impl Compared {
    /// Fewest clicks in a week for a trend; less is noise.
    pub const FEW: u64 = 20;

    /// Ratio of now to before, smoothed by adding five clicks to both; `None` if both are below
    /// [`Compared::FEW`].
    pub fn ratio(self) -> Option<f64> {
        let most = self.now.max(self.before);
        let with = |clicks: u64| clicks as f64 + 5.0;
        (most >= Self::FEW).then(|| with(self.now) / with(self.before))
    }
}

/// A product whose clicks rise or fall.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Mover {
    pub id: String,
    pub title: String,
    pub source: String,
    pub category: String,
    pub image: String,
    /// Clicks of the last 168 hours, and of the 168 before.
    pub clicks: Compared,
    /// Clicks of each of the last 14 days.
    pub days: Vec<u64>,
}

/// A search without results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailedSearch {
    /// Lower-case search text with single spaces.
    pub words: String,
    /// Number of searches.
    pub times: u64,
}

impl FailedSearch {
    /// Maximum stored length, in characters.
    const MOST: usize = 60;
    /// Fewest digits of a telephone number; models and prices have fewer.
    const DIGITS: usize = 8;

    /// Normalizes a search for storing; `None` if it may be an e-mail or web address or a telephone
    /// number, or has characters that no keyboard types: anybody can send it, and the owner reads it.
    pub fn normalize(search: &str) -> Option<String> {
        let digits = search.chars().filter(char::is_ascii_digit).count();
        if search.contains('@')
            || digits >= Self::DIGITS
            || search.chars().any(is_invisible)
            || search.contains("://")
            || search.split_whitespace().any(may_be_a_domain)
        {
            return None;
        }
        let words: Vec<String> = search.split_whitespace().map(str::to_lowercase).collect();
        let words: String = words.join(" ").chars().take(Self::MOST).collect();
        (!words.is_empty()).then_some(words)
    }
}

/// Returns true for control characters, and for those that change the direction of text or have no
/// width, except the joiners of Indian scripts.
fn is_invisible(c: char) -> bool {
    let is_mark = matches!(
        c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}'
    );
    (c.is_control() && !c.is_whitespace()) || is_mark
}

/// Returns true for `evil.example`, also within longer words, and for addresses like `10.0.0.1`, but
/// not for `2.5kg` or `no.5`.
fn may_be_a_domain(word: &str) -> bool {
    let dots = ['.', '\u{3002}', '\u{ff0e}', '\u{ff61}'];
    let labels: Vec<&str> = word.split(dots).collect();
    let begins = |label: &&str| label.chars().take_while(|c| c.is_alphabetic()).count() >= 2;
    let named = labels.windows(2).any(|pair| {
        let ends = pair[0]
            .chars()
            .next_back()
            .is_some_and(char::is_alphanumeric);
        let begins_with_a_letter = pair.last().is_some_and(begins);
        ends && begins_with_a_letter && !pair[0].chars().all(|c| c.is_ascii_digit())
    });
    let is_number = |label: &&str| !label.is_empty() && label.chars().all(|c| c.is_ascii_digit());
    named || labels.iter().filter(|label| is_number(label)).count() >= 4
}

/// Counts of what needs the owner's attention.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Needs {
    /// Jobs that wait after a failed attempt.
    pub failed_jobs: u64,
    /// Products of [`NeedsView::OldPrice`].
    pub old_prices: u64,
    /// Time of the oldest price check.
    pub oldest: Option<jiff::Timestamp>,
    /// Products that end within a day.
    pub ending: u64,
    /// Products with a picture that failed to load.
    pub missing_pictures: u64,
    /// Products that visitors reported as over since their last price check.
    pub over: u64,
    /// Products that share title and seller with another.
    pub duplicates: u64,
    /// Products older than 30 days without a click in 30 days.
    pub unclicked: u64,
}

impl Needs {
    /// Days after which a price is old.
    pub const OLD_PRICE: i64 = 30;
    /// Days after which the price of a clicked deal should be confirmed.
    pub const UNCONFIRMED_PRICE: i64 = 3;
}

named! {
    /// Reason why a deal needs a look.
    TaskKind {
        /// Clicked, but its price was not checked for days.
        Price = "price";
        /// Ends within a day.
        Ending = "ending";
        /// The same title and seller as a more expensive deal.
        Duplicate = "duplicate";
        /// A picture failed to load.
        Picture = "picture";
    }
}

/// A live deal that needs a look.
#[derive(Debug, Clone)]
pub struct Task {
    /// Reason.
    pub kind: TaskKind,
    /// The deal; of duplicates the cheapest.
    pub product: Product,
    /// Counted clicks of the last 168 hours.
    pub clicks: u64,
    /// Ids of its more expensive duplicates.
    pub others: Vec<String>,
}

named! {
    /// List of products that need attention.
    NeedsView {
        /// Reported as over since the last price check.
        Over = "over";
        /// Price not checked for [`Needs::OLD_PRICE`] days, or, of deals that were clicked in a week,
        /// for [`Needs::UNCONFIRMED_PRICE`].
        OldPrice = "old-price";
        /// Ends within a day.
        Ending = "ending";
        /// A picture failed to load.
        Pictures = "pictures";
        /// The same title and seller as another.
        Duplicates = "duplicates";
        /// Not clicked within 30 days.
        Unclicked = "no-clicks";
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deal_moves_only_with_enough_clicks() {
        let moved = |before, now| Compared { now, before }.ratio();
        assert_eq!(moved(0, 19), None);
        assert_eq!(moved(0, 20), Some(5.0));
        assert_eq!(moved(20, 0), Some(0.2));
        assert_eq!(moved(30, 30), Some(1.0));
    }

    #[test]
    fn searches_with_personal_data_are_not_stored() {
        let normalize = FailedSearch::normalize;
        assert_eq!(normalize("  Air   COOLER "), Some("air cooler".to_owned()));
        assert_eq!(
            normalize("iphone 15 under 9999").as_deref(),
            Some("iphone 15 under 9999")
        );
        assert_eq!(normalize("98765 43210"), None);
        assert_eq!(normalize("root@example.com"), None);
        assert_eq!(normalize("  "), None);
        for search in [
            "this shop is a fraud see evil.example",
            "(evil.example)",
            "see https://x/y",
            "xn--e1afmkfd.xn--p1ai",
            "\u{43f}\u{440}\u{438}\u{43c}\u{435}\u{440}\u{3002}\u{440}\u{444}",
            "evil.co/pay",
            "10.0.0.1",
            "a\u{1b}[2Jb",
            "a\u{202e}b",
            "a\0b",
        ] {
            assert_eq!(normalize(search), None, "{search:?}");
        }
        for search in [
            "2.5kg rice",
            "no.5 pen",
            "u.s. polo",
            "usb 3.0 hub",
            "dr. scholl",
        ] {
            assert_eq!(normalize(search).as_deref(), Some(search));
        }
    }
}
