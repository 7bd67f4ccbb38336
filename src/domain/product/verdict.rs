//! The verdict on a price: badge, sentence and figures, all from the same statistics.

use jiff::{SignedDuration, Timestamp};

use super::history::{Known, PriceFigures, PriceHistory, days};
use super::money::{Discount, Paise, short_rupees};
use super::plot::small_path;
use crate::domain::enums::named;
use crate::domain::{day_in_india, in_india};

/// Smallest discount that [`PriceVerdictKind::ListPriceMisleads`] questions, in hundredths of a percent.
const MIN_CLAIMED: i64 = 2_000;
/// Age of a history up to which a deal is called new.
const NEW_FOR: SignedDuration = days(7);

named! {
    /// Statement about a price that its history supports.
    PriceVerdictKind {
        /// Below every price of the 90 days before.
        Lowest90 = "lowest_90";
        /// Below every price of the 30 days before, and below the usual price.
        Lowest30 = "lowest_30";
        /// Below the usual price.
        ProvenCheaper = "proven_cheaper";
        /// The usual price.
        Usual = "usual";
        /// The usual price, although a discount of 20 % or more is claimed.
        ListPriceMisleads = "list_price_misleads";
        /// The list price rose, and the final price did not fall.
        ListPriceRaised = "list_price_raised";
        /// Above the usual price.
        Higher = "higher";
        /// Watched for too short a time.
        New = "new";
        /// Seldom checked, or not lately.
        Unclear = "unclear";
    }
}

impl PriceVerdictKind {
    /// True if the price is lower than before.
    pub fn is_cheaper(self) -> bool {
        matches!(self, Self::Lowest90 | Self::Lowest30 | Self::ProvenCheaper)
    }
}

/// PriceVerdict on a price.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PriceVerdict {
    /// Statement.
    pub kind: PriceVerdictKind,
    /// Short phrase; never empty.
    pub words: String,
    /// Whole sentence.
    pub sentence: String,
    /// Amounts that support it.
    pub figures: Vec<Figure>,
    /// Small plot as SVG path data in a box of [`super::plot::SMALL`]; none for a constant price.
    pub path: Option<String>,
}

/// Amount that supports a verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Figure {
    /// Name, like `Lowest before today`.
    pub name: String,
    /// The amount.
    pub amount: Paise,
    /// True for what a buyer saves.
    pub is_saved: bool,
}

impl PriceHistory {
    /// Returns the verdict on the current price with the discount `claimed`; `None` without prices.
    pub fn verdict(&self, claimed: Discount) -> Option<PriceVerdict> {
        let figures = self.figures()?;
        let (kind, words, sentence) = match figures.known {
            Known::Well => self.judge(&figures, claimed),
            known => self.excuse(known, figures.since),
        };
        Some(PriceVerdict {
            kind,
            words,
            sentence,
            figures: self.named_figures(&figures),
            path: small_path(self),
        })
    }

    fn judge(
        &self,
        figures: &PriceFigures,
        claimed: Discount,
    ) -> (PriceVerdictKind, String, String) {
        let price = figures.current;
        let usual = figures.usual.unwrap_or(price);
        let usually = format!("Usually {}.", short_rupees(usual));
        let less = format!("{usually} {} less today", difference(usual, price));
        let is_below = |low: Option<Paise>| low.is_some_and(|low| price < low);
        let is_near = is_near(price, usual);
        if is_below(figures.low90) {
            let sentence = if price < usual {
                format!("{less}, the lowest in 90 days.")
            } else {
                format!(
                    "{} since {}, {} less than before: the lowest in 90 days.",
                    short_rupees(price),
                    self.day(figures.current_since),
                    difference(figures.low90.unwrap_or(price), price)
                )
            };
            let words = "Lowest in 90 days".to_owned();
            return (PriceVerdictKind::Lowest90, words, sentence);
        }
        if price < usual && !is_near {
            if is_below(figures.low30) {
                let words = "Lowest in 30 days".to_owned();
                let sentence = format!("{less}, the lowest in 30 days.");
                return (PriceVerdictKind::Lowest30, words, sentence);
            }
            let percent = Discount::between(usual, price).get() / 100;
            let rest = match figures.low90 {
                Some(low) if low < price => {
                    format!(", though it was {} in the last 90 days.", short_rupees(low))
                }
                _ => ", as low as once before in 90 days.".to_owned(),
            };
            let words = format!("{percent}% under usual");
            return (PriceVerdictKind::ProvenCheaper, words, less + &rest);
        }
        if is_near && claimed.get() >= MIN_CLAIMED {
            let percent = claimed.whole_percent();
            let sentence = format!(
                "Listed as −{percent}%, but it was {}.",
                self.days_near(usual)
            );
            let words = "Usual price".to_owned();
            return (PriceVerdictKind::ListPriceMisleads, words, sentence);
        }
        if let Some((before, raised)) = self.raised()
            && figures.low30.is_none_or(|low| price >= low)
        {
            let list = self.runs().last().map_or(before, |last| last.price);
            let sentence = format!(
                "List price rose from {} to {} on {}. Usually {}.",
                short_rupees(before),
                short_rupees(list),
                self.day(raised),
                short_rupees(usual)
            );
            let words = "List price raised".to_owned();
            return (PriceVerdictKind::ListPriceRaised, words, sentence);
        }
        if !is_near {
            let over = difference(price, usual);
            let words = format!("{over} over usual");
            let sentence = format!("{usually} {over} more today.");
            return (PriceVerdictKind::Higher, words, sentence);
        }
        let sentence = format!("Its usual price: {}.", self.days_near(usual));
        (PriceVerdictKind::Usual, "Usual price".to_owned(), sentence)
    }

    /// Says why nothing can be said.
    fn excuse(&self, known: Known, since: Timestamp) -> (PriceVerdictKind, String, String) {
        let first = self.day(since);
        match known {
            Known::New if self.tracked() < NEW_FOR => (
                PriceVerdictKind::New,
                "New here".to_owned(),
                format!("New here: prices watched since {first}."),
            ),
            Known::New => (
                PriceVerdictKind::New,
                format!("Watched since {first}"),
                format!("Prices watched since {first}: too short to say what is usual."),
            ),
            Known::Old => {
                let last = self.day(self.last_seen().unwrap_or(since));
                (
                    PriceVerdictKind::Unclear,
                    format!("Last seen {last}"),
                    format!("Last seen on {last}: too long ago to judge."),
                )
            }
            Known::Sparse | Known::Well => (
                PriceVerdictKind::Unclear,
                "Seldom checked".to_owned(),
                format!("Prices watched since {first}, but too seldom to judge."),
            ),
        }
    }

    /// Returns the amounts that support the verdict.
    fn named_figures(&self, figures: &PriceFigures) -> Vec<Figure> {
        let PriceFigures { current, low90, .. } = *figures;
        let Some(usual) = figures.usual.filter(|_| figures.known == Known::Well) else {
            return Vec::new();
        };
        let figure = |name: &str, amount, is_saved| Figure {
            name: name.to_owned(),
            amount,
            is_saved,
        };
        let mut named = Vec::new();
        if let Some(low) = low90 {
            let is_today = day_in_india(figures.current_since) == day_in_india(self.now());
            let day = if is_today {
                "today".to_owned()
            } else {
                self.day(figures.current_since)
            };
            named.push(figure(&format!("Lowest before {day}"), low, false));
        }
        named.push(figure("Usual price", usual, false));
        let (name, compared) = match low90 {
            Some(low) if usual == current && low > current => ("Less than before", low),
            _ if usual < current => ("You pay more", usual),
            _ => ("You pay less", usual),
        };
        let difference = Paise::new((compared.get() - current.get()).abs());
        if let Some(amount) = difference.filter(|_| compared != current) {
            named.push(figure(name, amount, compared > current));
        }
        named
    }

    /// Says how long a price was near another, like `₹399–₹419 on 81 of the last 90 days`.
    fn days_near(&self, usual: Paise) -> String {
        let window = self.window();
        let near: Vec<_> = self
            .seen(self.now() - window, self.now())
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
            "{prices} on {seen} of the last {} days",
            rounded_days(window)
        )
    }

    /// Formats a day, with its year if it is not the current one.
    pub(super) fn day(&self, at: Timestamp) -> String {
        let (at, now) = (in_india(at), in_india(self.now()));
        let format = if at.year() == now.year() {
            "%-d %b"
        } else {
            "%-d %b %Y"
        };
        at.strftime(format).to_string()
    }
}

/// True if two prices differ by at most 5 %.
fn is_near(price: Paise, other: Paise) -> bool {
    (price.get() - other.get()).abs() * 20 <= other.get()
}

fn difference(more: Paise, less: Paise) -> String {
    short_rupees(Paise::new(more.get() - less.get()).unwrap_or(more))
}

#[cfg(test)]
mod tests {
    use super::super::history::tests::{TABLE, now, runs};
    use super::*;

    fn verdict(text: &str) -> Option<PriceVerdict> {
        let runs = runs(text);
        let claimed = runs.last().map_or(Discount::NONE, |run| {
            Discount::between(run.price, run.final_price)
        });
        PriceHistory::new(runs, now()).verdict(claimed)
    }

    #[test]
    fn verdicts_match_a_table_of_forty_histories() {
        let lines = TABLE.lines().filter(|line| !line.starts_with('#'));
        for line in lines {
            let parts: Vec<&str> = line.split(" | ").collect();
            let found = verdict(parts[1]);
            let said = found.as_ref().map_or("-".to_owned(), |found| {
                format!(
                    "{} | {} | {}",
                    found.kind.as_str(),
                    found.words,
                    found.sentence
                )
            });
            assert_eq!(said, parts[3..].join(" | "), "{}", parts[0]);
        }
    }

    #[test]
    fn figures_never_contradict_the_badge() {
        let lines = TABLE.lines().filter(|line| !line.starts_with('#'));
        for line in lines {
            let parts: Vec<&str> = line.split(" | ").collect();
            let Some(found) = verdict(parts[1]) else {
                continue;
            };
            assert!(!found.words.is_empty() && found.sentence.ends_with('.'));
            let price = runs(parts[1]).last().unwrap().final_price;
            let figure = |name: &str| {
                let mut figures = found.figures.iter();
                figures.find_map(|it| it.name.starts_with(name).then_some(it.amount))
            };
            if found.kind == PriceVerdictKind::Lowest90 {
                assert!(figure("Lowest before").unwrap() > price, "{line}");
            }
            if let Some(less) = figure("You pay less") {
                let usual = figure("Usual price").unwrap();
                assert_eq!(usual.get() - less.get(), price.get(), "{line}");
                assert!(!matches!(found.kind, PriceVerdictKind::Higher), "{line}");
            }
            if figure("You pay more").is_some() {
                assert!(
                    !found.kind.is_cheaper() || found.kind == PriceVerdictKind::Lowest90,
                    "{line}"
                );
            }
            if matches!(
                found.kind,
                PriceVerdictKind::New | PriceVerdictKind::Unclear
            ) {
                assert!(found.figures.is_empty(), "{line}");
            }
        }
    }

    #[test]
    fn figures_say_before_which_day_the_lowest_was() {
        let names = |text: &str| {
            let figures = verdict(text).unwrap().figures;
            let named = figures.iter();
            named
                .map(|it| format!("{} {}", it.name, short_rupees(it.amount)))
                .collect::<Vec<_>>()
        };
        assert_eq!(
            names("90-0 1799/979, 0-0 1799/809.55"),
            [
                "Lowest before today ₹979",
                "Usual price ₹979",
                "You pay less ₹169.45"
            ]
        );
        assert_eq!(
            names("120-60 1000/1000, 60-0 1000/600"),
            [
                "Lowest before 23 Sep ₹1,000",
                "Usual price ₹600",
                "Less than before ₹400"
            ]
        );
        assert_eq!(
            names("90-5 1000/600, 5-0 1000/900"),
            [
                "Lowest before 17 Nov ₹600",
                "Usual price ₹600",
                "You pay more ₹300"
            ]
        );
    }
}
