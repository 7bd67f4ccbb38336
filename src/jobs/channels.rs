//! Finds what is to be posted by rules, and which posts are to follow their deals.

use super::Context;
use super::runner::{Next, Outcome};
use crate::accounts::monotonic_clock;

/// Queues the posts; `outgoing` sends them.
pub(super) fn run(context: &Context) -> Outcome {
    let channels = &context.outgoing.senders.channels;
    channels.look_for_news(monotonic_clock::now())?;
    Ok(Next::AtInterval)
}
