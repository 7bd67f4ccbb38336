//! The line of the price plot, drawn by both the server and the app.

use std::fmt::Write as _;

use jiff::{SignedDuration, Timestamp};

use super::history::PriceRun;

/// Width and height of the plot, in SVG user units.
pub const PLOT: (i128, i64) = (600, 120);
/// Space above and below the line.
const MARGIN: i64 = 10;
/// Period shown: 90 days.
const WINDOW: SignedDuration = SignedDuration::from_hours(90 * 24);

/// Returns the SVG path data of the last 90 days, with gaps where the price is unknown; `None` for
/// a constant price.
pub fn price_path(runs: &[PriceRun], now: Timestamp) -> Option<String> {
    let start = now - WINDOW;
    let seen: Vec<&PriceRun> = runs
        .iter()
        .filter(|run| run.until > start && run.until > run.from)
        .collect();
    let prices = || seen.iter().map(|run| run.final_price.get());
    let (least, most) = (prices().min()?, prices().max()?);
    if least == most {
        return None;
    }
    let x = |at: Timestamp| {
        let since = at.max(start).duration_since(start).as_millis();
        since * PLOT.0 / WINDOW.as_millis()
    };
    let y = |price: i64| {
        let height = PLOT.1 - 2 * MARGIN;
        MARGIN + (most - price) * height / (most - least)
    };
    let mut path = String::new();
    let mut before: Option<Timestamp> = None;
    for run in seen {
        let (left, right, height) = (x(run.from), x(run.until), y(run.final_price.get()));
        // Writing to a string does not fail.
        let _ = if before == Some(run.from) {
            write!(path, "V{height}H{right}")
        } else {
            write!(path, "M{left} {height}H{right}")
        };
        before = Some(run.until);
    }
    Some(path)
}
