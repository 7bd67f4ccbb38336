//! Sends queued mails in a thread of its own, so that no request waits for a mail server.

use super::Context;
use super::runner::{Next, Outcome};

/// Sends all mails that are due. A mail that can't be sent has a back-off of its own and is no failed
/// run. The last run, at a stop, waits for what is being sent.
pub(super) fn run(context: &Context) -> Outcome {
    if context.is_stopping() {
        context.mail.finish();
    } else {
        context.mail.send_due()?;
    }
    Ok(Next::AtInterval)
}
