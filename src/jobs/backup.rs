//! Makes the scheduled backups.

use super::Context;
use super::runner::{Next, Outcome};

/// Makes a backup if one is due, and deletes the oldest.
pub(super) fn run(context: &Context) -> Outcome {
    let Some(plan) = &context.backups else {
        return Ok(Next::Off);
    };
    let database = context.store.path();
    let folder = plan.folder.display();
    let wait = plan
        .until_next(database)
        .map_err(|error| format!("the folder {folder} can't be used: {error}"))?;
    if !wait.is_zero() {
        return Ok(Next::In(wait));
    }
    plan.make(database)?;
    if let Err(error) = plan.discard_old(database) {
        tracing::error!(%folder, %error, "an old backup could not be removed");
    }
    Ok(Next::In(plan.every))
}
