//! Queues the mails of new deals at the hour that the owner chose.

use jiff::Timestamp;

use crate::jobs::Context;
use crate::jobs::runner::{Next, Outcome};

/// Reads one index if nothing is due. What a stopped server missed is queued when it runs again.
pub(in crate::jobs) fn run(context: &Context) -> Outcome {
    context.outgoing.queue_digests(Timestamp::now())?;
    Ok(Next::AtInterval)
}
