//! Shared by the benchmarks.
#![allow(
    clippy::allow_attributes,
    dead_code,
    unreachable_pub,
    missing_docs,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::unwrap_used,
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "each benchmark uses a part, and prints its table"
)]

pub mod catalogue;
pub mod cpu;
pub mod files;
pub mod load;
#[path = "../../tests/it/support/nginx.rs"]
pub mod nginx;
pub mod queries;
pub mod shop;
pub mod tls;

use std::time::Instant;

/// Sizes of catalogues to measure, from the command line or the usual three.
pub fn sizes() -> Vec<usize> {
    let given: Vec<usize> = std::env::args()
        .filter_map(|size| size.replace('_', "").parse().ok())
        .collect();
    if given.is_empty() {
        vec![1_000, 100_000, 1_000_000]
    } else {
        given
    }
}

/// Returns the duration of some work in seconds, and its result.
pub fn timed<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let start = Instant::now();
    let result = work();
    (start.elapsed().as_secs_f64(), result)
}

/// Returns a quantile (0 to 1) of the values.
pub fn quantile(values: &mut [f64], part: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let last = values.len().saturating_sub(1);
    values
        .get((last as f64 * part).round() as usize)
        .copied()
        .unwrap_or(f64::NAN)
}

/// Prints a measure with its value for each size.
pub fn row(name: &str, values: impl IntoIterator<Item = String>) {
    print!("{name:<52}");
    for value in values {
        print!("{value:>16}");
    }
    println!();
}

pub fn grouped(number: f64) -> String {
    let digits = format!("{number:.0}");
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
