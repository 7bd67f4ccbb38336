//! Sends queued mails in a thread of its own, so that no request waits for a mail server.

use super::Context;
use super::runner::{Next, Outcome};

/// Sends until none is due. A mail that can't be sent has a back-off of its own and is no failed run.
pub(super) fn run(context: &Context) -> Outcome {
    context.mail.send_due(|| context.is_stopping())?;
    Ok(Next::AtInterval)
}
