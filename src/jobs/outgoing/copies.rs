//! Queues new deals whose pictures are to be copied, by the rules of their sellers.

use jiff::Timestamp;

use crate::jobs::Context;
use crate::jobs::runner::{Next, Outcome};

/// Reads nothing but the settings without such a rule.
pub(in crate::jobs) fn run(context: &Context) -> Outcome {
    context.outgoing.senders.pictures.queue(Timestamp::now())?;
    Ok(Next::AtInterval)
}
