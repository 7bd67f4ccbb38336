//! Price history statistics (decisions, section 3): lows and usual price. Times without a price check
//! count as unknown.

use jiff::{SignedDuration, Timestamp};

use super::money::{Discount, Paise};

/// Smallest share of the time with a known price, in percent.
const MIN_OBSERVED: i128 = 60;

pub(super) const fn days(days: i64) -> SignedDuration {
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

/// Statistics of a product's price history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PriceFigures {
    /// Start of the history.
    pub since: Timestamp,
    /// Start of the current price.
    pub current_since: Timestamp,
    /// Current final price.
    pub current: Paise,
    /// Lowest of the last 30 days before the current price.
    pub low30: Option<Paise>,
    /// Lowest of the last 90 days before the current price.
    pub low90: Option<Paise>,
    /// Usual price: the time-weighted median of 90 days.
    pub usual: Option<Paise>,
    /// Discount from the usual price, if it is at least [`PriceHistory::PROVEN`] and the price is
    /// not above the lowest of 30 days; none for a price that is not [known](Self::known).
    pub proven: Discount,
    /// How well the price is known.
    pub known: Known,
}

/// How well the history of a price is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Known {
    /// Long and dense enough for a statement.
    Well,
    /// Watched for too short a time.
    New,
    /// Seldom checked.
    Sparse,
    /// Not checked lately.
    Old,
}

/// Prices of a product, oldest first, as of `now`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PriceHistory {
    runs: Vec<PriceRun>,
    /// When the current price was last checked.
    seen: Option<Timestamp>,
    now: Timestamp,
}

impl PriceHistory {
    /// How long a checked price is assumed to hold; a longer interval is a gap.
    pub const SEEN_FOR: SignedDuration = days(7);
    /// Smallest proven discount.
    pub const PROVEN: Discount = Discount::TENTH;
    /// Shortest history that allows a statement about a price.
    pub const MIN_TRACKED: SignedDuration = days(35);

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

    /// Start of the history.
    pub fn since(&self) -> Option<Timestamp> {
        self.runs.first().map(|run| run.from)
    }

    /// Returns how far a proven price is below the usual one.
    pub fn drop_amount(&self) -> Option<Paise> {
        let figures = self.figures()?;
        let is_proven = figures.proven > Discount::NONE;
        let usual = figures.usual.filter(|_| is_proven)?;
        Paise::new(usual.get() - figures.current.get())
    }

    /// Returns the prices, oldest first; a recently checked one lasts until now.
    pub fn runs(&self) -> &[PriceRun] {
        &self.runs
    }

    /// The time for which the history was read.
    pub(super) fn now(&self) -> Timestamp {
        self.now
    }

    /// When the current price was last checked.
    pub(super) fn last_seen(&self) -> Option<Timestamp> {
        self.seen
    }

    /// Computes the statistics; `None` without prices.
    pub fn figures(&self) -> Option<PriceFigures> {
        let (first, last) = (self.runs.first()?, self.runs.last()?);
        let current_since = self.current_since(last.final_price);
        let low = |window| self.lowest(self.now - window, current_since);
        let (low30, low90) = (low(days(30)), low(days(90)));
        let (known, usual) = (self.known(), self.usual());
        let lowest = self.lowest(self.now - days(30), self.now);
        let is_lowest = lowest.is_none_or(|lowest| last.final_price <= lowest);
        // Compared with the usual price, not with the one before: a further cut must not end a proof.
        let proven = match usual {
            Some(usual) if known == Known::Well && is_lowest => {
                Discount::between(usual, last.final_price)
            }
            _ => Discount::NONE,
        };
        Some(PriceFigures {
            since: first.from,
            current_since,
            current: last.final_price,
            low30,
            low90,
            usual,
            proven: if proven < Self::PROVEN {
                Discount::NONE
            } else {
                proven
            },
            known,
        })
    }

    /// Start of the current price, ignoring gaps.
    fn current_since(&self, final_price: Paise) -> Timestamp {
        let same = self.runs.iter().rev();
        let same = same.take_while(|run| run.final_price == final_price);
        same.last().map_or(self.now, |run| run.from)
    }

    /// Returns each price in a period, and for how long it was seen.
    pub(super) fn seen(
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

    fn known(&self) -> Known {
        let (tracked, window) = (self.tracked(), self.window());
        let seen: i128 = self
            .seen(self.now - window, self.now)
            .map(|(_, length)| length.as_millis())
            .sum();
        if self.runs.last().is_some_and(|last| last.until < self.now) {
            Known::Old
        } else if tracked < Self::MIN_TRACKED {
            Known::New
        } else if seen * 100 < window.as_millis() * MIN_OBSERVED {
            Known::Sparse
        } else {
            Known::Well
        }
    }

    /// The last 90 days, or the time since the first price.
    pub(super) fn window(&self) -> SignedDuration {
        self.tracked().min(days(90))
    }

    pub(super) fn tracked(&self) -> SignedDuration {
        let first = self.runs.first().map_or(self.now, |run| run.from);
        self.now.duration_since(first)
    }

    /// Returns the former list price and the time of a rise by 10 % or more in the last 30 days.
    pub(super) fn raised(&self) -> Option<(Paise, Timestamp)> {
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
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in super::super) const TABLE: &str =
        include_str!("../../../tests/fixtures/price-histories.txt");

    pub(in super::super) fn now() -> Timestamp {
        "2026-11-22T06:30:00Z".parse().unwrap()
    }

    pub(in super::super) fn runs(text: &str) -> Vec<PriceRun> {
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

    #[test]
    fn figures_match_a_table_of_forty_histories() {
        let lines = TABLE.lines().filter(|line| !line.starts_with('#'));
        let mut tried = 0;
        for line in lines {
            let mut parts = line.split(" | ");
            let name = parts.next().unwrap();
            let found = PriceHistory::new(runs(parts.next().unwrap()), now()).figures();
            let price = |price: Option<Paise>| {
                price.map_or("-".to_owned(), |price| price.rupees().to_string())
            };
            let row = found.map_or("- - - 0".to_owned(), |found| {
                format!(
                    "{} {} {} {}",
                    price(found.low30),
                    price(found.low90),
                    price(found.usual),
                    found.proven.percent(),
                )
            });
            assert_eq!(row, parts.next().unwrap(), "{name}");
            tried += 1;
        }
        assert!(tried >= 40);
    }
}
