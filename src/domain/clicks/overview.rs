//! What an owner sees first in the morning.

use super::reports::ReportRow;

/// The figures of the overview. Only counted clicks are in them, but for the days and the verdicts.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Overview {
    /// Counted clicks of this day in India.
    pub today: u64,
    /// The last hour of today that is over, 0 to 23, and what was counted until then, today and
    /// yesterday.
    pub until: Option<(i64, Compared)>,
    /// The last 7 times 24 hours that are over, and those before.
    pub week: Compared,
    /// The last 30 days.
    pub days: Vec<ReportRow>,
    /// What the clicks of those days were found to be.
    pub verdicts: Vec<ReportRow>,
    /// From where visitors came in the last 7 times 24 hours, most first.
    pub channels: Vec<ReportRow>,
    /// What moves most, up and down.
    pub movers: Vec<Mover>,
    /// What was searched for in vain in 7 days, most first.
    pub vain: Vec<VainSearch>,
}

/// A sum, and the one of the same time before.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Compared {
    /// Of this time.
    pub now: u64,
    /// Of the time before.
    pub before: u64,
}

impl Compared {
    /// Clicks in a week below which nothing is said of a deal: chance moves it more.
    pub const FEW: u64 = 20;

    /// How much it moved, 1 for not at all: five clicks are added to both, so that 0 to 20 is no
    /// infinity. Nothing where both are few.
    pub fn moved(self) -> Option<f64> {
        let most = self.now.max(self.before);
        let with = |clicks: u64| f64::from(u32::try_from(clicks).unwrap_or(u32::MAX)) + 5.0;
        (most >= Self::FEW).then(|| with(self.now) / with(self.before))
    }
}

/// A deal whose clicks rise or fall.
#[derive(Debug, Clone, PartialEq)]
pub struct Mover {
    /// The product's `_id`.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Its seller.
    pub source: String,
    /// Its category.
    pub category: String,
    /// Its first picture.
    pub image: String,
    /// Clicks of the last 7 times 24 hours, and of those before.
    pub clicks: Compared,
    /// Clicks of each of the last 14 days.
    pub days: Vec<u64>,
}

/// What people searched for and did not find.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VainSearch {
    /// In small letters, with single spaces.
    pub words: String,
    /// How often.
    pub times: u64,
}

impl VainSearch {
    /// The most characters of one.
    const MOST: usize = 60;
    /// Digits of a telephone number or more: models and prices have fewer.
    const DIGITS: usize = 8;

    /// A search as it is kept; nothing where it may be somebody's mail address or telephone number.
    pub fn words_of(search: &str) -> Option<String> {
        let digits = search.chars().filter(char::is_ascii_digit).count();
        if search.contains('@') || digits >= Self::DIGITS {
            return None;
        }
        let words: Vec<String> = search.split_whitespace().map(str::to_lowercase).collect();
        let words: String = words.join(" ").chars().take(Self::MOST).collect();
        (!words.is_empty()).then_some(words)
    }
}

/// What in the shop needs a look: how many of each.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Needs {
    /// Mails that could not be sent yet.
    pub failed_mails: u64,
    /// Products whose price was not looked at for [`Needs::OLD_PRICE`] days.
    pub old_prices: u64,
    /// The day of the oldest of them.
    pub oldest: Option<jiff::Timestamp>,
    /// Products with a picture that a browser could not show.
    pub missing_pictures: u64,
    /// Products whose title and seller another has too.
    pub duplicates: u64,
    /// Products that nobody clicked within 30 days, though they are older than that.
    pub unclicked: u64,
}

impl Needs {
    /// Days after which a price is old.
    pub const OLD_PRICE: i64 = 30;
}

/// What of the products an owner looks through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NeedsView {
    /// Prices that are old.
    OldPrice,
    /// A picture that a browser could not show.
    Pictures,
    /// The same title and seller as another.
    Duplicates,
    /// Not clicked within 30 days.
    Unclicked,
}

impl NeedsView {
    /// All of them, with their names on the wire.
    pub const NAMES: [(&str, Self); 4] = [
        ("old-price", Self::OldPrice),
        ("pictures", Self::Pictures),
        ("duplicates", Self::Duplicates),
        ("no-clicks", Self::Unclicked),
    ];

    /// Finds one by its exact name.
    pub fn parse(name: &str) -> Option<Self> {
        let named = Self::NAMES.iter().find(|(other, _)| *other == name);
        named.map(|(_, view)| *view)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deal_moves_only_with_enough_clicks() {
        let moved = |before, now| Compared { now, before }.moved();
        assert_eq!(moved(0, 19), None);
        assert_eq!(moved(0, 20), Some(5.0));
        assert_eq!(moved(20, 0), Some(0.2));
        assert_eq!(moved(30, 30), Some(1.0));
    }

    #[test]
    fn what_may_name_somebody_is_not_kept_of_a_search() {
        let words = VainSearch::words_of;
        assert_eq!(words("  Air   COOLER "), Some("air cooler".to_owned()));
        assert_eq!(
            words("iphone 15 under 9999").as_deref(),
            Some("iphone 15 under 9999")
        );
        assert_eq!(words("98765 43210"), None);
        assert_eq!(words("root@example.com"), None);
        assert_eq!(words("  "), None);
    }
}
