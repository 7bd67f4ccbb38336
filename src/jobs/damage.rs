//! Checks a large database for damage while the server runs; a small one is checked at the start.

use super::Context;
use super::runner::{Next, Outcome};
use crate::store::{OpenError, find_damage, is_small};

/// Reads every page once, and stops the server if one is damaged: what is written then may be
/// lost, and may spoil more.
pub(super) fn run(context: &Context) -> Outcome {
    let database = context.store.path();
    if is_small(database) {
        return Ok(Next::Off);
    }
    match find_damage(database) {
        Ok(()) => tracing::debug!("the database is sound"),
        Err(damage @ OpenError::Damaged { .. }) => (context.stop_server)(Some(damage.to_string())),
        Err(error) => return Err(error.into()),
    }
    Ok(Next::Never)
}
