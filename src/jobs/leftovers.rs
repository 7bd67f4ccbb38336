//! Deletes the hidden products of a killed import, and reverts killed changes of many products.

use jiff::Timestamp;

use super::Context;
use super::runner::{Next, Outcome};

/// Deletes hidden products, if there are any and no import is publishing; reverts changes of which parts
/// are missing.
pub(super) fn run(context: &Context) -> Outcome {
    context.store.revert_unfinished(Timestamp::now())?;
    context.store.discard_leftovers()?;
    Ok(Next::AtInterval)
}
