//! Queues the messages for those who wait for a price, when it has fallen.

use crate::jobs::Context;
use crate::jobs::runner::{Next, Outcome};

/// Looks at the alerts of products whose price moved. A run without work reads two empty indexes.
pub(in crate::jobs) fn run(context: &Context) -> Outcome {
    context.outgoing.queue_alerts(|| context.is_stopping())?;
    Ok(Next::AtInterval)
}
