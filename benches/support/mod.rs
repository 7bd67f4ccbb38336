//! What the benchmarks share.
#![allow(
    dead_code,
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::cast_precision_loss,
    reason = "each benchmark uses a part, and prints its table"
)]

pub mod catalogue;

use std::time::Instant;

/// Sizes of catalogues to measure, from the command line or the usual three.
pub fn sizes() -> Vec<usize> {
    let given: Vec<usize> = std::env::args()
        .filter_map(|size| size.parse().ok())
        .collect();
    if given.is_empty() {
        vec![1_000, 100_000, 1_000_000]
    } else {
        given
    }
}

/// How long work takes, in seconds, and what it gives.
pub fn timed<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let start = Instant::now();
    let result = work();
    (start.elapsed().as_secs_f64(), result)
}

/// The value below which this part (0 to 1) of the values are.
pub fn quantile(values: &mut [f64], part: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let last = values.len().saturating_sub(1);
    values
        .get((last as f64 * part).round() as usize)
        .copied()
        .unwrap_or(f64::NAN)
}
