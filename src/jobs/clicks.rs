//! Merges the hourly click sums of old days into daily ones, and deletes old uncounted clicks.

use jiff::Timestamp;

use super::Context;
use super::runner::{Next, Outcome};

/// Writes only if there is something old.
pub(super) fn run(context: &Context) -> Outcome {
    let now = Timestamp::now();
    if context.store.has_old_clicks(now)? {
        context.store.fold_clicks(now).wait()?;
    }
    Ok(Next::AtInterval)
}
