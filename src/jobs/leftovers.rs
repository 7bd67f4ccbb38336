//! Deletes the hidden products of a killed import.

use super::Context;
use super::runner::{Next, Outcome};

/// Deletes hidden products, if there are any and no import is publishing.
pub(super) fn run(context: &Context) -> Outcome {
    context.store.discard_leftovers()?;
    Ok(Next::AtInterval)
}
