//! The mean of the prices of several products.

use super::super::history::{PriceHistory, days};
use super::{LONGEST, SMALL, SMALL_GRID, SMALL_MARGIN, Step, joined, path};

/// Smallest height of the plot of a mean, as a part of it.
const FLATTEST_MEAN: f64 = 0.04;

/// Returns the mean of several prices over 90 days, each compared with its own mean, as SVG path data in a
/// box of [`SMALL`]; `None` if it is constant.
pub fn mean_path<'a>(histories: impl Iterator<Item = &'a PriceHistory>) -> Option<String> {
    const POINTS: i64 = SMALL.0 / SMALL_GRID;
    let mut sums = [(0.0, 0.0); POINTS as usize];
    for history in histories {
        let before = |point: i64| days(LONGEST) * (POINTS - 1 - point) as i32 / (POINTS - 1) as i32;
        let prices = (0..POINTS).map(|point| history.price_at(history.now() - before(point)));
        let prices: Vec<Option<f64>> = prices.map(|price| Some(price?.get() as f64)).collect();
        let known: Vec<f64> = prices.iter().flatten().copied().collect();
        let own_mean = known.iter().sum::<f64>() / known.len() as f64;
        for ((sum, count), price) in sums.iter_mut().zip(prices) {
            if let Some(price) = price {
                *sum += price / own_mean;
                *count += 1.0;
            }
        }
    }
    let means = (0..).zip(sums).filter(|(_, (_, count))| *count > 0.0);
    let means: Vec<(i64, f64)> = means.map(|(at, (sum, count))| (at, sum / count)).collect();
    let least = means.iter().map(|(_, mean)| *mean).fold(f64::MAX, f64::min);
    let most = means.iter().map(|(_, mean)| *mean).fold(0.0, f64::max);
    if most - least < FLATTEST_MEAN / 10.0 {
        return None;
    }
    let height = (most - least).max(FLATTEST_MEAN);
    let steps: Vec<Step> = means
        .iter()
        .map(|(at, mean)| Step {
            left: at * SMALL_GRID,
            right: (at + 1) * SMALL_GRID,
            height: SMALL_MARGIN
                + ((most - mean) / height * (SMALL.1 - 2 * SMALL_MARGIN) as f64).round() as i64,
        })
        .collect();
    Some(path(&joined(steps)))
}

#[cfg(test)]
mod tests {
    use super::super::super::history::tests::{now, runs};
    use super::*;

    #[test]
    fn the_mean_of_several_prices_compares_each_with_its_own() {
        let mean = |texts: &[&str]| {
            let histories = texts
                .iter()
                .map(|text| PriceHistory::new(runs(text), now()));
            mean_path(histories.collect::<Vec<_>>().iter())
        };
        assert_eq!(mean(&[]), None);
        assert_eq!(mean(&["90-0 1000/900", "90-0 1000/5"]), None);
        // A cheap and a dear product that fall alike count alike.
        let (cheap, dear) = ("90-30 10/10, 30-0 10/5", "90-30 9000/8000, 30-0 9000/4000");
        assert_eq!(mean(&[cheap]).unwrap(), "M0 3H44V17H64");
        assert_eq!(mean(&[cheap, dear]), mean(&[dear]));
        // One per cent is no cliff, and a gap is none.
        assert_eq!(
            mean(&["90-30 1000/1000, 30-0 1000/990"]).unwrap(),
            "M0 3H44V7H64"
        );
        assert_eq!(
            mean(&["60-30 1000/1000, 30-0 1000/500"]).unwrap(),
            "M20 3H44V17H64"
        );
    }
}
