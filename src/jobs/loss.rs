//! Detects that the database file of the running server was moved, deleted or overwritten
//! (security, R28).

use std::path::Path;

use jiff::Timestamp;

use super::Context;
use super::runner::{Next, Outcome};
use crate::store::{Loss, Store, StoreError};

/// Saves what can be saved of a database that is lost, and stops the server.
pub(super) fn run(context: &Context) -> Outcome {
    let store = &context.store;
    match store.look_for_loss() {
        Ok(()) => Ok(Next::AtInterval),
        Err(StoreError::Gone(loss)) => {
            (context.stop_server)(Some(reason(store, store.path(), loss)));
            Ok(Next::Never)
        }
        Err(error) => Err(error.into()),
    }
}

/// Saves what can be saved, and returns what happened and what to do next.
fn reason(store: &Store, path: &Path, loss: Loss) -> String {
    let database = path.display();
    let saved = match store.save_from(loss, Timestamp::now()) {
        Ok(Some(saved)) if loss == Loss::Deleted => format!(
            "Its content is saved as {0}: `deals restore {0} --db {database}` puts it back.",
            saved.display()
        ),
        Ok(Some(saved)) => format!(
            "What was not yet in it is kept as {}. Restore a backup with \
             `deals restore BACKUP --db {database}`, or start again with what is there now.",
            saved.display()
        ),
        Ok(None) => "What was acknowledged is in the file that was moved. Put it back, or \
                     start again with what is there now; `deals restore` replaces a \
                     database that is not being served."
            .to_owned(),
        Err(error) => format!("Restore a backup: its content could not be saved ({error})."),
    };
    format!(
        "{database} {} while it was served, so nothing was acknowledged since. {saved}",
        loss.predicate()
    )
}
