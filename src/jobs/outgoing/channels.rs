//! Finds what is to be posted by rules, and which posts are to follow their deals.

use crate::accounts::monotonic_clock;
use crate::jobs::Context;
use crate::jobs::runner::{Next, Outcome};

/// Queues the posts; `outgoing` sends them.
pub(in crate::jobs) fn run(context: &Context) -> Outcome {
    let channels = &context.outgoing.senders.channels;
    channels.look_for_news(monotonic_clock::now())?;
    Ok(Next::AtInterval)
}
