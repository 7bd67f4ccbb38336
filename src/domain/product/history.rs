//! Price history statistics (decisions, section 3): lows, usual price, and the badge. Times without
//! a price check count as unknown.

use jiff::{SignedDuration, Timestamp};

use super::money::{Discount, Paise, short_rupees};
use crate::domain::in_india;

/// Shortest history that allows a badge.
const MIN_TRACKED: SignedDuration = days(35);
/// Smallest share of the time with a known price, in percent.
const MIN_OBSERVED: i128 = 60;
/// Smallest discount that the badge [`PriceBadge::Usual`] questions, in hundredths of a percent.
const MIN_CLAIMED: i64 = 2_000;

const fn days(days: i64) -> SignedDuration {
    SignedDuration::from_hours(24 * days)
}

/// A price and its period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PriceRun {
    /// First seen.
    pub from: Timestamp,
    /// Last seen, or replaced by the next price.
    pub until: Timestamp,
    /// The price before the discount.
    pub price: Paise,
    /// The price after the discount.
    pub final_price: Paise,
}

/// Badge beside a price.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PriceBadge {
    /// Below every price of the preceding 90 days.
    Lowest,
    /// Within 5 % of the year's lowest and at least 10 % below the usual price.
    Good,
    /// The usual price, although a discount is claimed.
    Usual,
    /// The list price rose, and the final price did not fall.
    Raised,
}

impl PriceBadge {
    /// The name on the wire and on screen.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Lowest => "Lowest in 90 days",
            Self::Good => "Good price",
            Self::Usual => "Usual price",
            Self::Raised => "List price raised",
        }
    }

    /// The database code; 0 for badges that cards do not show.
    pub fn code(self) -> i64 {
        match self {
            Self::Lowest => 1,
            Self::Good => 2,
            Self::Usual | Self::Raised => 0,
        }
    }

    /// Finds a badge by its database code.
    pub fn from_code(code: i64) -> Option<Self> {
        [Self::Lowest, Self::Good]
            .into_iter()
            .find(|badge| badge.code() == code)
    }
}

/// Statistics of a product's price history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PriceFigures {
    /// Start of the history.
    pub since: Timestamp,
    /// Lowest of the last 30 days before the current price.
    pub low30: Option<Paise>,
    /// Lowest of the last 90 days before the current price.
    pub low90: Option<Paise>,
    /// Usual price: the time-weighted median of 90 days.
    pub usual: Option<Paise>,
    /// Discount from the lowest of 30 days.
    pub proven: Discount,
    /// Price badge, if any.
    pub badge: Option<PriceBadge>,
    /// Explanation of the badge, if any.
    pub badge_text: Option<String>,
}

/// Prices of a product, oldest first, as of `now`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PriceHistory {
    runs: Vec<PriceRun>,
    /// When the current price was last checked.
    seen: Option<Timestamp>,
    now: Timestamp,
}

impl PriceHistory {
    /// How long a checked price is assumed to hold; a longer interval is a gap.
    pub const SEEN_FOR: SignedDuration = days(7);

    /// Makes a history of runs in order of time, and extends the last one to `now` if it was
    /// checked within [`PriceHistory::SEEN_FOR`].
    pub fn new(mut runs: Vec<PriceRun>, now: Timestamp) -> Self {
        // The system clock may have been set back.
        for run in &mut runs {
            run.from = run.from.min(now);
            run.until = run.until.clamp(run.from, now);
        }
        let mut seen = None;
        if let Some(last) = runs.last_mut() {
            last.until = last.until.clamp(last.from, now);
            seen = Some(last.until);
            if now.duration_since(last.until) <= Self::SEEN_FOR {
                last.until = now;
            }
        }
        Self { runs, seen, now }
    }

    /// Returns the prices, oldest first, each until it was last seen.
    pub fn points(&self) -> Vec<PriceRun> {
        let mut points = self.runs.clone();
        if let (Some(last), Some(seen)) = (points.last_mut(), self.seen) {
            last.until = seen;
        }
        points
    }

    /// Returns the prices, oldest first; a recently checked one lasts until now.
    pub fn runs(&self) -> &[PriceRun] {
        &self.runs
    }

    /// Computes the statistics for a current price with the discount `claimed`; `None` without
    /// prices.
    pub fn figures(&self, claimed: Discount) -> Option<PriceFigures> {
        let (first, last) = (self.runs.first()?, self.runs.last()?);
        let since = self.current_since(last.final_price);
        let low = |window| self.lowest(self.now - window, since);
        let (low30, low90) = (low(days(30)), low(days(90)));
        let usual = self.usual();
        let final_price = last.final_price;
        let mut figures = PriceFigures {
            since: first.from,
            low30,
            low90,
            usual,
            proven: low30.map_or(Discount::NONE, |low| Discount::between(low, final_price)),
            badge: None,
            badge_text: None,
        };
        if last.until < self.now || !self.is_well_known() {
            figures.proven = Discount::NONE;
            return Some(figures);
        }
        let lowest = self.lowest(self.now - days(365), self.now);
        if low90.is_some_and(|low| final_price < low) {
            figures.badge = Some(PriceBadge::Lowest);
        } else if let (Some(usual), Some(lowest)) = (usual, lowest)
            && is_at_most(final_price, 105, lowest)
            && final_price < usual
            && is_at_most(final_price, 90, usual)
        {
            figures.badge = Some(PriceBadge::Good);
            let under = Discount::between(usual, final_price).get() / 100;
            let usual = short_rupees(usual);
            figures.badge_text = Some(format!("{under} % under its usual {usual}."));
        } else if claimed.get() >= MIN_CLAIMED && usual.is_some_and(|it| is_near(final_price, it)) {
            figures.badge = Some(PriceBadge::Usual);
            figures.badge_text = usual.map(|usual| self.usual_badge_text(usual, claimed));
        } else if let Some((before, raised)) = self.raised()
            && low30.is_none_or(|low| final_price >= low)
        {
            figures.badge = Some(PriceBadge::Raised);
            figures.badge_text = Some(format!(
                "List price rose from {} to {} on {}.",
                short_rupees(before),
                short_rupees(last.price),
                in_india(raised).strftime("%-d %b")
            ));
        }
        Some(figures)
    }

    /// Start of the current price, ignoring gaps.
    fn current_since(&self, final_price: Paise) -> Timestamp {
        let same = self.runs.iter().rev();
        let same = same.take_while(|run| run.final_price == final_price);
        same.last().map_or(self.now, |run| run.from)
    }

    /// Returns each price in a period, and for how long it was seen.
    fn seen(
        &self,
        from: Timestamp,
        until: Timestamp,
    ) -> impl Iterator<Item = (Paise, SignedDuration)> {
        self.runs.iter().filter_map(move |run| {
            let length = run.until.min(until).duration_since(run.from.max(from));
            (length > SignedDuration::ZERO).then_some((run.final_price, length))
        })
    }

    fn lowest(&self, from: Timestamp, until: Timestamp) -> Option<Paise> {
        self.seen(from, until).map(|(price, _)| price).min()
    }

    fn usual(&self) -> Option<Paise> {
        let mut seen: Vec<_> = self.seen(self.now - days(90), self.now).collect();
        seen.sort_unstable();
        let all: i128 = seen.iter().map(|(_, length)| length.as_millis()).sum();
        let mut below = 0;
        seen.into_iter()
            .find(|(_, length)| {
                below += length.as_millis();
                2 * below >= all
            })
            .map(|(price, _)| price)
    }

    /// True if the history is long and dense enough for a badge.
    fn is_well_known(&self) -> bool {
        let tracked = self.tracked();
        let window = tracked.min(days(90));
        let seen: i128 = self
            .seen(self.now - window, self.now)
            .map(|(_, length)| length.as_millis())
            .sum();
        tracked >= MIN_TRACKED && seen * 100 >= window.as_millis() * MIN_OBSERVED
    }

    fn tracked(&self) -> SignedDuration {
        let first = self.runs.first().map_or(self.now, |run| run.from);
        self.now.duration_since(first)
    }

    /// Returns the former list price and the time of a rise by 10 % or more in the last 30 days.
    fn raised(&self) -> Option<(Paise, Timestamp)> {
        let last = self.runs.last()?;
        let pairs = self.runs.windows(2).rev();
        pairs
            .take_while(|pair| pair[1].from > self.now - days(30))
            .find(|pair| {
                let (before, after) = (pair[0].price.get(), pair[1].price.get());
                after * 10 >= before * 11 && last.price.get() * 10 >= before * 11
            })
            .map(|pair| (pair[0].price, pair[1].from))
    }

    fn usual_badge_text(&self, usual: Paise, claimed: Discount) -> String {
        let window = self.tracked().min(days(90));
        let near: Vec<_> = self
            .seen(self.now - window, self.now)
            .filter(|(price, _)| is_near(*price, usual))
            .collect();
        let of_all = |pick: fn(Paise, Paise) -> Paise| {
            let prices = near.iter().map(|(price, _)| *price);
            short_rupees(prices.reduce(pick).unwrap_or(usual))
        };
        let (least, most) = (of_all(Ord::min), of_all(Ord::max));
        let prices = if least == most {
            least
        } else {
            format!("{least}–{most}")
        };
        let time = near.iter().map(|(_, length)| *length);
        let rounded_days = |time: SignedDuration| (time.as_hours() + 12) / 24;
        let seen = rounded_days(time.fold(SignedDuration::ZERO, |all, length| all + length));
        format!(
            "Listed as −{} %, but it was {prices} on {seen} of the last {} days.",
            claimed.percent(),
            rounded_days(window)
        )
    }
}

fn is_at_most(price: Paise, percent: i64, other: Paise) -> bool {
    price.get() * 100 <= other.get() * percent
}

/// True if two prices differ by at most 5 %.
fn is_near(price: Paise, other: Paise) -> bool {
    (price.get() - other.get()).abs() * 20 <= other.get()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = include_str!("../../../tests/fixtures/price-histories.txt");

    fn now() -> Timestamp {
        "2026-11-22T06:30:00Z".parse().unwrap()
    }

    fn runs(text: &str) -> Vec<PriceRun> {
        let rupees = |text: &str| Paise::from_rupees(text.parse().unwrap()).unwrap();
        let ago = |text: &str| now() - days(text.parse().unwrap());
        let runs = text.split(", ").filter(|run| *run != "none");
        runs.map(|run| {
            let (time, prices) = run.trim().split_once(' ').unwrap();
            let ((from, until), (price, paid)) = (
                time.split_once('-').unwrap(),
                prices.split_once('/').unwrap(),
            );
            PriceRun {
                from: ago(from),
                until: ago(until),
                price: rupees(price),
                final_price: rupees(paid),
            }
        })
        .collect()
    }

    fn figures(runs: Vec<PriceRun>) -> Option<PriceFigures> {
        let claimed = runs.last().map_or(Discount::NONE, |run| {
            Discount::between(run.price, run.final_price)
        });
        PriceHistory::new(runs, now()).figures(claimed)
    }

    #[test]
    fn figures_match_a_table_of_forty_histories() {
        let lines = TABLE.lines().filter(|line| !line.starts_with('#'));
        let mut tried = 0;
        for line in lines {
            let mut parts = line.split(" | ");
            let name = parts.next().unwrap();
            let found = figures(runs(parts.next().unwrap()));
            let price = |price: Option<Paise>| {
                price.map_or("-".to_owned(), |price| price.rupees().to_string())
            };
            let row = found.map_or("- - - 0 -".to_owned(), |found| {
                format!(
                    "{} {} {} {} {}",
                    price(found.low30),
                    price(found.low90),
                    price(found.usual),
                    found.proven.percent(),
                    found.badge.map_or("-", PriceBadge::as_str)
                )
            });
            assert_eq!(row, parts.next().unwrap(), "{name}");
            tried += 1;
        }
        assert!(tried >= 40);
    }

    #[test]
    fn a_badge_is_explained_in_a_sentence() {
        let badge_text = |text: &str| figures(runs(text)).unwrap().badge_text;
        assert_eq!(
            badge_text("90-60 1100/399, 60-30 1100/419, 30-9 1100/700, 9-0 1100/399").unwrap(),
            "Listed as −63.73 %, but it was ₹399–₹419 on 69 of the last 90 days."
        );
        assert_eq!(
            badge_text("40-0 1100/440").unwrap(),
            "Listed as −60 %, but it was ₹440 on 40 of the last 40 days."
        );
        assert_eq!(
            badge_text("120-19 999/950, 19-0 1149/950").unwrap(),
            "List price rose from ₹999 to ₹1,149 on 3 Nov."
        );
        assert_eq!(
            badge_text("90-60 1500/1100, 60-2 1500/1299, 2-0 1500/1143.12").unwrap(),
            "12 % under its usual ₹1,299."
        );
    }

    #[test]
    fn a_plot_has_gaps_without_price_checks() {
        let path = |text: &str| {
            let history = PriceHistory::new(runs(text), now());
            crate::domain::price_path(history.runs(), now())
        };
        assert_eq!(path("200-0 1000/500"), None);
        assert_eq!(
            path("200-45 1000/900, 45-30 1000/700, 15-0 1000/800").unwrap(),
            "M0 10H300V110H400M500 60H600"
        );
    }
}
