//! The plots of a price, drawn by both the server and the app.

mod mean;

use std::fmt::Write as _;

use jiff::{SignedDuration, Timestamp};

pub use self::mean::mean_path;
use super::history::{PriceHistory, PriceRun, days};
use super::money::{Paise, short_rupees};

/// Width and height of the plot, in SVG user units.
pub const PLOT: (i64, i64) = (600, 120);
/// Width and height of the plot beside a verdict.
pub const SMALL: (i64, i64) = (64, 20);
/// Horizontal grid of the small plot, which bounds the length of its path.
const SMALL_GRID: i64 = 4;
/// Room above and below the line of the small plot.
const SMALL_MARGIN: i64 = 3;
/// Period shown: 90 days, or since the first price, at least a week.
const LONGEST: i64 = 90;
const SHORTEST: SignedDuration = days(7);
/// Smallest height of the plot, as a part of the highest price: a change of a rupee is no cliff.
const FLATTEST: i64 = 10;
/// Number of labels of each axis.
const LEVELS: i64 = 3;
const DATES: i32 = 4;

/// Plot of a price history with its axes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PricePlot {
    /// Line as SVG path data in a box of [`PLOT`].
    pub path: String,
    /// Times without a price check, as SVG path data; empty without any.
    pub gaps: String,
    /// Prices at equal distances from top to bottom.
    pub levels: Vec<String>,
    /// Days at equal distances from left to right.
    pub dates: Vec<String>,
    /// Points at the lowest price, if that is not today's, and at today's, as SVG path data.
    pub marks: String,
    /// The lowest price in words, like `Lowest ₹700 on 12 Sep · Watched since 5 Sep`; the second part if
    /// that is less than 90 days ago.
    pub lowest: String,
    /// Prices from left to right, in words.
    pub readings: Vec<PlotReading>,
}

/// A price of the plot in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlotReading {
    /// Ends of its line.
    pub left: i64,
    /// See `left`.
    pub right: i64,
    /// Days and price, like `24 Aug to 12 Sep: ₹700`.
    pub words: String,
}

/// A price between two positions.
#[derive(Clone, Copy)]
struct Step {
    left: i64,
    right: i64,
    height: i64,
}

impl PriceHistory {
    /// Returns the plot of the last 90 days, or of less if the first price is younger; `None` for a
    /// constant price.
    pub fn plot(&self) -> Option<PricePlot> {
        // A price of today is visible, too.
        let period = period(self);
        let (start, length) = period;
        let (least, most) = rounded(range(self, start)?);
        let runs = steps(self, period, (least, most), PLOT, 10, PLOT.0 / 60)?;
        let steps: Vec<Step> = runs.iter().map(|(step, _)| *step).collect();
        let level = |at: i64| {
            let height = most.get() - least.get();
            let paise = most.get() - height * at / (LEVELS - 1);
            short_rupees(Paise::new(paise).unwrap_or(least))
        };
        let day = |at: Timestamp| self.day(at.max(start));
        let reading = |(at, (step, run)): (usize, &(Step, &PriceRun))| {
            let (from, until) = (day(run.from), day(run.until));
            let days = match at + 1 == runs.len() {
                true => format!("Since {from}"),
                false if from == until => from,
                false => format!("{from} to {until}"),
            };
            PlotReading {
                left: step.left,
                right: step.right,
                words: format!("{days}: {}", short_rupees(run.final_price)),
            }
        };
        let (today, last) = runs.last()?;
        let (low, lowest) = runs.iter().rev().min_by_key(|(_, run)| run.final_price)?;
        let mut marks = format!("M{} {}h0", today.right, today.height);
        if lowest.final_price < last.final_price {
            let middle = i64::midpoint(low.left, low.right);
            marks += &format!("M{middle} {}h0", low.height);
        }
        let lowest_price = short_rupees(lowest.final_price);
        let lowest = if lowest.final_price < last.final_price {
            let (from, until) = (day(lowest.from), day(lowest.until));
            match from == until {
                true => format!("Lowest {lowest_price} on {from}"),
                false => format!("Lowest {lowest_price} from {from} to {until}"),
            }
        } else {
            format!("Lowest {lowest_price} today")
        };
        let watched = self.recent_start();
        let watched = watched.map_or_else(String::new, |day| format!(" · Watched since {day}"));
        let date = |at: i32| match at {
            last if last == DATES - 1 => "today".to_owned(),
            at => self.day(start + length * at / (DATES - 1)),
        };
        Some(PricePlot {
            path: path(&steps),
            gaps: gaps(&steps),
            levels: (0..LEVELS).map(level).collect(),
            dates: (0..DATES).map(date).collect(),
            marks,
            lowest: lowest + &watched,
            readings: runs.iter().enumerate().map(reading).collect(),
        })
    }

    /// Returns day and price at the left end of the plot, like `29 Aug · ₹1,019`.
    pub fn plot_start(&self) -> Option<String> {
        let (start, _) = period(self);
        let first = runs_since(self, start).next()?;
        let (day, price) = (self.day(first.from.max(start)), first.final_price);
        Some(format!("{day} · {}", short_rupees(price)))
    }

    /// The price at a time; `None` in a gap.
    fn price_at(&self, at: Timestamp) -> Option<Paise> {
        let mut runs = self.runs().iter();
        let run = runs.find(|run| run.from <= at && at <= run.until)?;
        Some(run.final_price)
    }
}

/// Joins neighbours of the same height.
fn joined(mut steps: Vec<Step>) -> Vec<Step> {
    steps.dedup_by(|next, step| {
        let is_same = next.height == step.height && next.left == step.right;
        if is_same {
            step.right = next.right;
        }
        is_same
    });
    steps
}

/// Returns the small plot as SVG path data in a box of [`SMALL`]; `None` for a constant price.
pub(super) fn small_path(history: &PriceHistory) -> Option<String> {
    let period = period(history);
    let range = range(history, period.0)?;
    let steps = steps(history, period, range, SMALL, SMALL_MARGIN, SMALL_GRID)?;
    let mut steps: Vec<Step> = steps.into_iter().map(|(step, _)| step).collect();
    let snapped = |x: i64| (x + SMALL_GRID / 2) / SMALL_GRID * SMALL_GRID;
    for step in &mut steps {
        (step.left, step.right) = (snapped(step.left), snapped(step.right));
    }
    // Short prices vanish, but not the current one.
    steps.retain(|step| step.left < step.right);
    Some(path(&joined(steps)))
}

/// Start and length of the period shown.
fn period(history: &PriceHistory) -> (Timestamp, SignedDuration) {
    let length = history.tracked().clamp(SHORTEST, days(LONGEST));
    (history.now() - length, length)
}

fn runs_since(history: &PriceHistory, start: Timestamp) -> impl Iterator<Item = &PriceRun> {
    let runs = history.runs();
    let last = runs.len().saturating_sub(1);
    let shown = move |(at, run): &(usize, &PriceRun)| {
        run.until > start && (run.until > run.from || *at == last)
    };
    runs.iter().enumerate().filter(shown).map(|(_, run)| run)
}

/// Returns the prices at the bottom and the top of the plot, `None` for a constant price.
fn range(history: &PriceHistory, start: Timestamp) -> Option<(Paise, Paise)> {
    let prices = || runs_since(history, start).map(|run| run.final_price);
    let (least, most) = (prices().min()?, prices().max()?);
    if least == most {
        return None;
    }
    let missing = most.get() / FLATTEST - (most.get() - least.get());
    if missing <= 0 {
        return Some((least, most));
    }
    // In whole rupees, which the axis shows.
    let below = (least.get() - missing / 2).max(0) / 100 * 100;
    let above = (most.get() + missing / 2 + 99) / 100 * 100;
    Some((
        Paise::new(below).unwrap_or(least),
        Paise::new(above).unwrap_or(most),
    ))
}

/// Returns the ends of an axis that has whole steps of 1, 2 or 5 times a power of ten rupees.
fn rounded((least, most): (Paise, Paise)) -> (Paise, Paise) {
    let (mut step, mut factors) = (100, [2, 5, 10].into_iter().cycle());
    let mut unit = step;
    loop {
        let low = least.get() / step * step;
        let high = low + (LEVELS - 1) * step;
        if high >= most.get() {
            return match (Paise::new(low), Paise::new(high)) {
                (Some(low), Some(high)) => (low, high),
                _ => (least, most),
            };
        }
        let factor = factors.next().unwrap_or(10);
        step = unit * factor;
        if factor == 10 {
            unit = step;
        }
    }
}

/// Returns the prices as positions in a box with a margin above and below. The current price is at
/// least `last` wide.
fn steps(
    history: &PriceHistory,
    (start, length): (Timestamp, SignedDuration),
    (least, most): (Paise, Paise),
    (width, height): (i64, i64),
    margin: i64,
    last: i64,
) -> Option<Vec<(Step, &PriceRun)>> {
    let x = |at: Timestamp| {
        let since = at.max(start).duration_since(start).as_millis();
        let x = since * i128::from(width) / length.as_millis().max(1);
        i64::try_from(x).unwrap_or(width)
    };
    let y = |price: Paise| {
        let height = height - 2 * margin;
        margin + (most.get() - price.get()) * height / (most.get() - least.get())
    };
    let mut steps: Vec<(Step, &PriceRun)> = runs_since(history, start)
        .map(|run| {
            let step = Step {
                left: x(run.from),
                right: x(run.until),
                height: y(run.final_price),
            };
            (step, run)
        })
        .collect();
    let (current, _) = steps.last()?;
    let left = current.left.min(current.right - last).max(0);
    let count = steps.len();
    for (at, (step, _)) in steps.iter_mut().enumerate() {
        let is_current = at + 1 == count;
        step.left = if is_current {
            left
        } else {
            step.left.min(left)
        };
        if !is_current {
            step.right = step.right.min(left);
        }
    }
    steps.retain(|(step, _)| step.left < step.right);
    Some(steps)
}

fn path(steps: &[Step]) -> String {
    let mut path = String::new();
    let mut before = None;
    for step in steps {
        // Writing to a string does not fail.
        let _ = if before == Some(step.left) {
            write!(path, "V{}H{}", step.height, step.right)
        } else {
            write!(path, "M{} {}H{}", step.left, step.height, step.right)
        };
        before = Some(step.right);
    }
    path
}

fn gaps(steps: &[Step]) -> String {
    let mut path = String::new();
    for pair in steps.windows(2) {
        let (before, after) = (pair[0], pair[1]);
        if before.right < after.left {
            let _ = write!(
                path,
                "M{} {}H{}V{}",
                before.right, before.height, after.left, after.height
            );
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::super::history::tests::{now, runs};
    use super::*;

    fn plot(text: &str) -> Option<PricePlot> {
        PriceHistory::new(runs(text), now()).plot()
    }

    #[test]
    fn the_price_plot_has_gaps_without_price_checks() {
        assert_eq!(plot("200-0 1000/500"), None);
        let found = plot("200-45 1000/900, 45-30 1000/700, 15-0 1000/800").unwrap();
        assert_eq!(found.path, "M0 10H300V110H400M500 60H600");
        assert_eq!(found.gaps, "M400 110H500V60");
        assert_eq!(found.levels, ["₹900", "₹800", "₹700"]);
        assert_eq!(found.dates, ["24 Aug", "23 Sep", "23 Oct", "today"]);
    }

    #[test]
    fn a_change_of_one_rupee_is_small_in_the_price_plot() {
        let found = plot("90-45 1000/1000, 45-0 1000/999").unwrap();
        assert_eq!(found.path, "M0 60H300V60H600");
        assert_eq!(found.levels, ["₹1,100", "₹1,000", "₹900"]);
    }

    #[test]
    fn a_short_price_history_fills_the_plot() {
        let found = plot("30-0 1000/900.55, 0-0 1000/700").unwrap();
        assert_eq!(found.path, "M0 34H590V85H600");
        assert_eq!(found.dates, ["23 Oct", "2 Nov", "12 Nov", "today"]);
        assert_eq!(found.levels, ["₹1,000", "₹800", "₹600"]);
        assert_eq!(found.marks, "M600 85h0");
        assert_eq!(found.lowest, "Lowest ₹700 today · Watched since 23 Oct");
    }

    #[test]
    fn the_price_plot_marks_the_lowest_price_and_says_each() {
        let found = plot("90-45 1000/900, 45-30 1000/700, 15-0 1000/800").unwrap();
        assert_eq!(found.marks, "M600 60h0M350 110h0");
        assert_eq!(found.lowest, "Lowest ₹700 from 8 Oct to 23 Oct");
        let words: Vec<&str> = found.readings.iter().map(|it| &it.words[..]).collect();
        let expected = [
            "24 Aug to 8 Oct: ₹900",
            "8 Oct to 23 Oct: ₹700",
            "Since 7 Nov: ₹800",
        ];
        assert_eq!(words, expected);
    }

    #[test]
    fn the_start_of_the_plot_has_its_day_and_price() {
        let start = |text: &str| PriceHistory::new(runs(text), now()).plot_start();
        assert_eq!(
            start("200-45 1000/1019, 45-0 1000/700").unwrap(),
            "24 Aug · ₹1,019"
        );
        assert_eq!(start("20-0 1000/99.50").unwrap(), "2 Nov · ₹99.50");
        assert_eq!(start("none"), None);
    }

    #[test]
    fn the_path_of_a_small_price_plot_stays_short() {
        let small = |text: &str| small_path(&PriceHistory::new(runs(text), now()));
        assert_eq!(
            small("90-45 1000/900, 45-0 1000/900, 0-0 1000/700").unwrap(),
            "M0 3H60V17H64"
        );
        assert_eq!(small("90-0 1000/900"), None);
        let daily: Vec<String> = (1..90)
            .rev()
            .map(|day| format!("{}-{day} 1000/{}", day + 1, 500 + 100 * (day % 2)))
            .collect();
        let path = small(&daily.join(", ")).unwrap();
        assert!(path.len() < 120, "{path}");
    }
}
