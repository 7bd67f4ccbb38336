//! Writes the page views and the searches without results that were collected in memory.

use jiff::Timestamp;

use super::Context;
use super::runner::{Next, Outcome};

/// Adds them to the sums of the day. Those of a run that fails are lost.
pub(super) fn run(context: &Context) -> Outcome {
    let new = context.page_views.take_new();
    if !new.is_empty() {
        context.store.add_page_views(new, Timestamp::now()).wait()?;
    }
    Ok(Next::AtInterval)
}
