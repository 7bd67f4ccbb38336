//! What former prices tell of a price (decisions, section 3): how low it was, what it usually
//! is, and whether a discount is one. Nothing is claimed of a time in which nobody looked.

use jiff::{SignedDuration, Timestamp};

use super::money::{Discount, Paise, short_rupees};
use crate::domain::time_in_india;

/// How long a product must be watched before anything is claimed.
const TRACKED: SignedDuration = days(35);
/// The share of the time in which its price must have been known, in percent.
const OBSERVED: i128 = 60;
/// A discount that is worth a doubt, in hundredths of a percent.
const CLAIMED: i64 = 2_000;

const fn days(days: i64) -> SignedDuration {
    SignedDuration::from_hours(24 * days)
}

/// A price, and the time in which it was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PriceRun {
    /// When it was first seen.
    pub from: Timestamp,
    /// When it was last seen, or when the next one came.
    pub until: Timestamp,
    /// The price before the discount.
    pub price: Paise,
    /// What was to be paid.
    pub final_price: Paise,
}

/// What is told of a price beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PriceBadge {
    /// Lower than ever in the 90 days before.
    Lowest,
    /// Near its lowest of a year, and a tenth under its usual.
    Good,
    /// What it usually is, though a discount is claimed.
    Usual,
    /// The list price was raised, and what is paid is no lower.
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

    /// The number in the database: of those that cards show.
    pub fn code(self) -> i64 {
        match self {
            Self::Lowest => 1,
            Self::Good => 2,
            Self::Usual | Self::Raised => 0,
        }
    }

    /// The badge with this number.
    pub fn of_code(code: i64) -> Option<Self> {
        [Self::Lowest, Self::Good]
            .into_iter()
            .find(|badge| badge.code() == code)
    }
}

/// What the former prices of a product tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PriceFigures {
    /// Since when it is watched.
    pub since: Timestamp,
    /// The lowest of the last 30 days, before it was what it is.
    pub low30: Option<Paise>,
    /// The lowest of the last 90 days, before it was what it is.
    pub low90: Option<Paise>,
    /// What it usually is: the median of 90 days, each price by the time that it was so.
    pub usual: Option<Paise>,
    /// How far it is below the lowest of 30 days.
    pub proven: Discount,
    /// What is told beside it, if anything is.
    pub badge: Option<PriceBadge>,
    /// The badge in a sentence, where one says more.
    pub told: Option<String>,
}

/// The prices of a product, the oldest first, as of a moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PriceHistory {
    runs: Vec<PriceRun>,
    /// When the last price was seen last.
    seen: Option<Timestamp>,
    now: Timestamp,
}

impl PriceHistory {
    /// How long a price that was seen is taken to be so; what is longer is a gap.
    pub const SEEN_FOR: SignedDuration = days(7);

    /// Prices by when they were first seen; what was seen a week ago at most is so now.
    pub fn new(mut runs: Vec<PriceRun>, now: Timestamp) -> Self {
        // The clock may have been put back.
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

    /// The prices, the oldest first, each as long as it was seen.
    pub fn points(&self) -> Vec<PriceRun> {
        let mut points = self.runs.clone();
        if let (Some(last), Some(seen)) = (points.last_mut(), self.seen) {
            last.until = seen;
        }
        points
    }

    /// The prices, the oldest first; the last one until now, where that was seen lately.
    pub fn runs(&self) -> &[PriceRun] {
        &self.runs
    }

    /// What they tell of a price that claims this discount; nothing without any.
    pub fn figures(&self, claimed: Discount) -> Option<PriceFigures> {
        let (first, last) = (self.runs.first()?, self.runs.last()?);
        let since = self.begin_of(last.final_price);
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
            told: None,
        };
        if last.until < self.now || !self.is_known_well() {
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
            figures.told = Some(format!("{under} % under its usual {usual}."));
        } else if claimed.get() >= CLAIMED && usual.is_some_and(|it| is_near(final_price, it)) {
            figures.badge = Some(PriceBadge::Usual);
            figures.told = usual.map(|usual| self.told_of_usual(usual, claimed));
        } else if let Some((before, raised)) = self.raised()
            && low30.is_none_or(|low| final_price >= low)
        {
            figures.badge = Some(PriceBadge::Raised);
            figures.told = Some(format!(
                "List price rose from {} to {} on {}.",
                short_rupees(before),
                short_rupees(last.price),
                short_day(raised)
            ));
        }
        Some(figures)
    }

    /// Since when it is what it is now, also where it was not looked at in between.
    fn begin_of(&self, final_price: Paise) -> Timestamp {
        let same = self.runs.iter().rev();
        let same = same.take_while(|run| run.final_price == final_price);
        same.last().map_or(self.now, |run| run.from)
    }

    /// What was seen in a window: each price, and for how long.
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

    /// Whether enough was seen to claim anything.
    fn is_known_well(&self) -> bool {
        let tracked = self.tracked();
        let window = tracked.min(days(90));
        let seen: i128 = self
            .seen(self.now - window, self.now)
            .map(|(_, length)| length.as_millis())
            .sum();
        tracked >= TRACKED && seen * 100 >= window.as_millis() * OBSERVED
    }

    fn tracked(&self) -> SignedDuration {
        let first = self.runs.first().map_or(self.now, |run| run.from);
        self.now.duration_since(first)
    }

    /// When the list price was raised by a tenth or more, if that was in the last 30 days, and from
    /// what.
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

    fn told_of_usual(&self, usual: Paise, claimed: Discount) -> String {
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
        let whole = |time: SignedDuration| (time.as_hours() + 12) / 24;
        let seen = whole(time.fold(SignedDuration::ZERO, |all, length| all + length));
        format!(
            "Listed as −{} %, but it was {prices} on {seen} of the last {} days.",
            claimed.percent(),
            whole(window)
        )
    }
}

/// Whether a price is at most so many percent of another.
fn is_at_most(price: Paise, percent: i64, other: Paise) -> bool {
    price.get() * 100 <= other.get() * percent
}

/// Whether a price is another one, give or take a twentieth.
fn is_near(price: Paise, other: Paise) -> bool {
    (price.get() - other.get()).abs() * 20 <= other.get()
}

fn short_day(at: Timestamp) -> String {
    let time = time_in_india(at);
    time.split(',').next().unwrap_or(&time).to_owned()
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
    fn forty_histories_tell_what_the_table_says() {
        let lines = TABLE.lines().filter(|line| !line.starts_with('#'));
        let mut tried = 0;
        for line in lines {
            let mut parts = line.split(" | ");
            let name = parts.next().unwrap();
            let found = figures(runs(parts.next().unwrap()));
            let price = |price: Option<Paise>| {
                price.map_or("-".to_owned(), |price| price.rupees().to_string())
            };
            let told = found.map_or("- - - 0 -".to_owned(), |found| {
                format!(
                    "{} {} {} {} {}",
                    price(found.low30),
                    price(found.low90),
                    price(found.usual),
                    found.proven.percent(),
                    found.badge.map_or("-", PriceBadge::as_str)
                )
            });
            assert_eq!(told, parts.next().unwrap(), "{name}");
            tried += 1;
        }
        assert!(tried >= 40);
    }

    #[test]
    fn what_is_doubtful_is_said_in_a_sentence() {
        let told = |text: &str| figures(runs(text)).unwrap().told;
        assert_eq!(
            told("90-60 1100/399, 60-30 1100/419, 30-9 1100/700, 9-0 1100/399").unwrap(),
            "Listed as −63.73 %, but it was ₹399–₹419 on 69 of the last 90 days."
        );
        assert_eq!(
            told("40-0 1100/440").unwrap(),
            "Listed as −60 %, but it was ₹440 on 40 of the last 40 days."
        );
        assert_eq!(
            told("120-19 999/950, 19-0 1149/950").unwrap(),
            "List price rose from ₹999 to ₹1,149 on 3 Nov."
        );
        assert_eq!(
            told("90-60 1500/1100, 60-2 1500/1299, 2-0 1500/1143.12").unwrap(),
            "12 % under its usual ₹1,299."
        );
    }

    #[test]
    fn the_line_of_a_plot_has_gaps_where_nobody_looked() {
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
