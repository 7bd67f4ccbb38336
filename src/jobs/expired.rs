//! Deletes what has expired: answers kept for repeated requests, sessions, invitations and
//! addresses that did not confirm.

use jiff::Timestamp;

use super::Context;
use super::runner::{Next, Outcome};

/// Writes only if there is something to delete.
pub(super) fn run(context: &Context) -> Outcome {
    let now = Timestamp::now();
    if context.store.has_old_answers(now)? {
        context.store.delete_old_answers(now).wait()?;
    }
    if context.store.has_expired_sessions(now)? {
        context.store.delete_expired_sessions(now).wait()?;
    }
    if context.store.has_expired_invitations(now)? {
        context.store.delete_expired_invitations(now).wait()?;
    }
    if context.store.has_outdated_subscribers(now)? {
        context.store.delete_outdated_subscribers(now).wait()?;
    }
    Ok(Next::AtInterval)
}
