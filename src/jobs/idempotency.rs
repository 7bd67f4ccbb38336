//! Deletes the answers that were kept for repeated requests.

use jiff::Timestamp;

use super::Context;
use super::runner::{Next, Outcome};

/// Writes only if there is an answer that is too old.
pub(super) fn run(context: &Context) -> Outcome {
    let now = Timestamp::now();
    if context.store.has_old_answers(now)? {
        context.store.delete_old_answers(now).wait()?;
    }
    Ok(Next::AtInterval)
}
