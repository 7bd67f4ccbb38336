//! Sends the events that wait for webhooks.

use super::Context;
use super::runner::{Next, Outcome};

/// Sends until none is due. A failed delivery has a back-off of its own and is no failed run.
pub(super) fn run(context: &Context) -> Outcome {
    let is_stopping = || context.is_stopping();
    context.webhooks.send_due(&context.mail, is_stopping)?;
    Ok(Next::AtInterval)
}
