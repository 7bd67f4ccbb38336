//! Forgets deleted products after 90 days.

use jiff::Timestamp;

use super::Context;
use super::runner::{Next, Outcome};

/// Writes only if there is a product that was deleted long enough ago.
pub(super) fn run(context: &Context) -> Outcome {
    let now = Timestamp::now();
    if context.store.has_old_removed(now)? {
        context.store.forget_old_removed(now).wait()?;
    }
    Ok(Next::AtInterval)
}
