//! The verdict on a price: badge, sentence and figures, all from the same statistics.

use jiff::{SignedDuration, Timestamp};

use super::history::{Known, PriceFigures, PriceHistory, days};
use super::money::{Discount, Paise, short_rupees};
use super::plot::small_path;
use super::verdict_kind::PriceVerdictKind;
use crate::domain::{day_in_india, in_india};

/// Smallest discount that [`PriceVerdictKind::ListPriceMisleads`] questions, in hundredths of a percent.
const MIN_CLAIMED: i64 = 2_000;
/// Age of a history up to which a deal is called new.
const NEW_FOR: SignedDuration = days(7);

/// Verdict on a price.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PriceVerdict {
    /// Statement.
    pub kind: PriceVerdictKind,
    /// Short phrase; never empty.
    pub words: String,
    /// Whole sentence.
    pub sentence: String,
    /// Since when the price is known, like `Watched since 29 Sep.`, if the judgement is on less than 90 days.
    pub watched: Option<String>,
    /// Amounts that support it.
    pub figures: Vec<Figure>,
    /// Small plot as SVG path data in a box of [`super::plot::SMALL`]; none for a constant price.
    pub path: Option<String>,
}

impl PriceVerdict {
    /// Returns the proven saving, like `₹325 less`.
    pub fn less(&self) -> Option<String> {
        let saved = self.figures.iter().find(|figure| figure.is_saved);
        saved.map(|figure| format!("{} less", short_rupees(figure.amount)))
    }
}

/// Compares a price with the usual one, like `Usually ₹900. ₹50 more today.`
fn usually(price: Paise, usual: Paise) -> String {
    let more = (price > usual).then(|| format!(" {} more today.", difference(price, usual)));
    format!(
        "Usually {}.{}",
        short_rupees(usual),
        more.unwrap_or_default()
    )
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
        let start = self.recent_start().filter(|_| figures.known == Known::Well);
        Some(PriceVerdict {
            kind,
            words,
            sentence,
            watched: start.map(|day| format!("Watched since {day}.")),
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
        if let Some(judged) = self.judge_low(figures, usual) {
            return judged;
        }
        let is_usual = is_near(price, usual);
        let usual_words = ["Near usual price", "Usual price"][usize::from(price == usual)];
        let all = self.seen_prices(|_| true);
        let near = self.seen_prices(|price| is_near(price, usual));
        let is_mostly_near = near.time * 2 >= all.time;
        if is_usual && is_mostly_near && claimed.get() >= MIN_CLAIMED {
            let percent = claimed.whole_percent();
            let sentence = format!("Listed as −{percent}%, but it was {}.", self.on_days(&near));
            let words = usual_words.to_owned();
            return (PriceVerdictKind::ListPriceMisleads, words, sentence);
        }
        if let Some((before, raised)) = self.raised()
            && figures.low30.is_none_or(|low| price >= low)
        {
            let list = self.runs().last().map_or(before, |last| last.price);
            let sentence = format!(
                "List price rose from {} to {} on {}. {}",
                short_rupees(before),
                short_rupees(list),
                self.day(raised),
                usually(price, usual)
            );
            let words = "List price raised".to_owned();
            return (PriceVerdictKind::ListPriceRaised, words, sentence);
        }
        if !is_usual {
            let words = format!("{} over usual", difference(price, usual));
            return (PriceVerdictKind::Higher, words, usually(price, usual));
        }
        if !is_mostly_near {
            let period = self.period("in the last 90 days");
            let mut sentence = format!("{} {period}.", all.range());
            if price > usual {
                sentence += &format!(" {}", usually(price, usual));
            }
            return (PriceVerdictKind::Usual, "Price varies".to_owned(), sentence);
        }
        let sentence = format!("Its usual price: {}.", self.on_days(&near));
        (PriceVerdictKind::Usual, usual_words.to_owned(), sentence)
    }

    /// Judges a price that is clearly below the usual one; a low price that is not proves nothing.
    fn judge_low(
        &self,
        figures: &PriceFigures,
        usual: Paise,
    ) -> Option<(PriceVerdictKind, String, String)> {
        let price = figures.current;
        if price >= usual || is_near(price, usual) {
            return None;
        }
        let (usually, saved) = (short_rupees(usual), difference(usual, price));
        let less = format!("Usually {usually}. {saved} less today");
        let periods = [
            (
                PriceVerdictKind::Lowest90,
                figures.low90,
                self.period("in 90 days"),
            ),
            (
                PriceVerdictKind::Lowest30,
                figures.low30,
                "in 30 days".to_owned(),
            ),
        ];
        for (kind, low, period) in periods {
            if low.is_some_and(|low| price < low) {
                let sentence = format!("{less}, the lowest {period}.");
                return Some((kind, format!("Lowest {period}"), sentence));
            }
        }
        let percent = Discount::between(usual, price).get() / 100;
        let rest = match figures.low90 {
            Some(low) if low < price => format!(
                ", though it was as low as {} {}.",
                short_rupees(low),
                self.period("in the last 90 days")
            ),
            _ => ", though it was as low before.".to_owned(),
        };
        let words = format!("{percent}% under usual");
        Some((PriceVerdictKind::ProvenCheaper, words, less + &rest))
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
            let day = is_today.then(|| "today".to_owned());
            let day = day.unwrap_or_else(|| self.day(figures.current_since));
            let name = if low < current {
                format!("Lowest price {}", self.period("in 90 days"))
            } else {
                format!("Lowest before {day}")
            };
            named.push(figure(&name, low, false));
        }
        named.push(figure("Usual price", usual, false));
        let name = ["Less than usual", "More than usual"][usize::from(usual < current)];
        let difference = Paise::new((usual.get() - current.get()).abs());
        if let Some(amount) = difference.filter(|_| usual != current) {
            let is_saved = usual > current && !is_near(current, usual);
            named.push(figure(name, amount, is_saved));
        }
        named
    }

    /// Returns `ninety`, or `since` and the day of the first price if that is less than 90 days ago.
    fn period(&self, ninety: &str) -> String {
        self.recent_start()
            .map_or_else(|| ninety.to_owned(), |day| format!("since {day}"))
    }

    /// Returns the day of the first price if that is less than 90 days ago.
    pub(super) fn recent_start(&self) -> Option<String> {
        let first = self.since().filter(|_| self.tracked() < days(90))?;
        Some(self.day(first))
    }

    /// Returns the prices of the window that match.
    fn seen_prices(&self, matches: impl Fn(Paise) -> bool) -> SeenPrices {
        let seen = self.seen(self.now() - self.window(), self.now());
        let mut found = SeenPrices::default();
        for (price, time) in seen.filter(|(price, _)| matches(*price)) {
            let (least, most) = found.range.unwrap_or((price, price));
            found.range = Some((least.min(price), most.max(price)));
            found.time += time;
        }
        found
    }

    /// Says how long prices were seen, like `₹399–₹419 on 81 of the last 90 days`.
    fn on_days(&self, prices: &SeenPrices) -> String {
        let (seen, all) = (rounded_days(prices.time), rounded_days(self.window()));
        let days = match self.recent_start() {
            Some(start) => format!("the {all} days since {start}"),
            None => "the last 90 days".to_owned(),
        };
        format!("{} on {seen} of {days}", prices.range())
    }

    /// Formats a day, with its year if it is not the current one.
    pub(super) fn day(&self, at: Timestamp) -> String {
        let (at, now) = (in_india(at), in_india(self.now()));
        let has_year = at.year() != now.year();
        at.strftime(if has_year { "%-d %b %Y" } else { "%-d %b" })
            .to_string()
    }
}

/// Prices that were seen in a period.
#[derive(Default)]
struct SeenPrices {
    /// The lowest and the highest.
    range: Option<(Paise, Paise)>,
    /// How long they were seen together.
    time: SignedDuration,
}

impl SeenPrices {
    fn range(&self) -> String {
        match self.range {
            Some((least, most)) if least == most => short_rupees(least),
            Some((least, most)) => format!("{}–{}", short_rupees(least), short_rupees(most)),
            None => String::new(),
        }
    }
}

fn rounded_days(time: SignedDuration) -> i64 {
    (time.as_hours() + 12) / 24
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
    fn verdicts_match_a_table_of_histories() {
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
            if let Some(less) = figure("Less than usual") {
                let usual = figure("Usual price").unwrap();
                assert_eq!(usual.get() - less.get(), price.get(), "{line}");
                assert!(!matches!(found.kind, PriceVerdictKind::Higher), "{line}");
            }
            let is_saving = found.figures.iter().any(|figure| figure.is_saved);
            assert_eq!(is_saving, found.kind.is_cheaper(), "{line}");
            if matches!(
                found.kind,
                PriceVerdictKind::New | PriceVerdictKind::Unclear
            ) {
                assert!(found.figures.is_empty(), "{line}");
            }
        }
    }

    #[test]
    fn the_small_price_plot_covers_ninety_days() {
        let found = verdict("90-60 1000/700, 60-2 1000/1000, 2-0 1000/700").unwrap();
        assert_eq!(found.words, "Lowest in 30 days");
        assert_eq!(found.path.unwrap(), "M0 17H20V3H60V17H64");
        let found = verdict("60-2 1000/1000, 2-0 1000/700").unwrap();
        assert_eq!(found.words, "Lowest since 23 Sep");
        assert_eq!(found.path.unwrap(), "M0 3H60V17H64");
    }

    #[test]
    fn price_figures_say_when_the_lowest_price_was() {
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
                "Less than usual ₹169.45"
            ]
        );
        assert_eq!(
            names("120-60 1000/1000, 60-0 1000/600"),
            ["Lowest before 23 Sep ₹1,000", "Usual price ₹600"]
        );
        assert_eq!(
            names("90-5 1000/600, 5-0 1000/900"),
            [
                "Lowest price in 90 days ₹600",
                "Usual price ₹600",
                "More than usual ₹300"
            ]
        );
    }
}
