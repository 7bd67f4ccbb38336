//! Deletes the hidden products of a killed import and pictures that no product has, and reverts killed
//! changes of many products.

use jiff::Timestamp;

use super::Context;
use super::runner::{Next, Outcome};

/// Deletes hidden products, if there are any and no import is publishing; reverts changes of which parts
/// are missing.
pub(super) fn run(context: &Context) -> Outcome {
    let now = Timestamp::now();
    context.store.revert_unfinished(now)?;
    context.store.discard_leftovers()?;
    let deleted = context.store.sweep_pictures(now)?;
    if deleted > 0 {
        tracing::info!(deleted, "unused pictures were deleted");
    }
    Ok(Next::AtInterval)
}
