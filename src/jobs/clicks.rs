//! Adds the click sums of old hours to those of their days, and deletes old uncounted clicks.

use jiff::Timestamp;

use super::Context;
use super::runner::{Next, Outcome};

/// Folds an hour at a time, so that other writes come in between; writes only if there is something old.
pub(super) fn run(context: &Context) -> Outcome {
    let now = Timestamp::now();
    let store = &context.store;
    if store.has_old_left_out(now)? {
        store.delete_old_left_out(now).wait()?;
    }
    while let Some(hour) = store.hour_to_fold(now)? {
        store.fold_hour(hour).wait()?;
        if context.is_stopping() {
            return Ok(Next::AtInterval);
        }
    }
    Ok(Next::AtInterval)
}
