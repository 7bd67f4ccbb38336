//! Queues the mails of new deals at the hour that the owner chose.

use jiff::Timestamp;

use super::Context;
use super::runner::{Next, Outcome};

/// Reads one index if nothing is due. What a stopped server missed is queued when it runs again.
pub(super) fn run(context: &Context) -> Outcome {
    context.outgoing.queue_digests(Timestamp::now())?;
    Ok(Next::AtInterval)
}
