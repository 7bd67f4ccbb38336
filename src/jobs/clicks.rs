//! Merges the hourly click sums of old days into daily ones, and deletes old uncounted clicks.

use jiff::Timestamp;

use super::Context;
use super::runner::{Next, Outcome};

/// Folds a day at a time, so that other writes come in between; writes only if there is something old.
pub(super) fn run(context: &Context) -> Outcome {
    let now = Timestamp::now();
    let store = &context.store;
    if store.has_old_left_out(now)? {
        store.delete_old_left_out(now).wait()?;
    }
    while let Some(day) = store.day_to_fold(now)? {
        store.fold_day(day).wait()?;
        if context.is_stopping() {
            return Ok(Next::AtInterval);
        }
    }
    Ok(Next::AtInterval)
}
