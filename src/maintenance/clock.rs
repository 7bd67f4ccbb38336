//! The clock edge: deals begin and end in the database, at most a second late, so that lists, counts
//! and sorts need not compare times. Single products, clicks and the filter "ending soon" still do.

use std::time::Duration;

use jiff::Timestamp;

use crate::periodic::{Next, Periodic};
use crate::store::{Store, StoreError};

/// How often the clock is looked at. A look takes microseconds, and finds what other processes
/// wrote and a clock that jumped as well.
const EVERY: Duration = Duration::from_millis(500);

/// Settles what the time has come for: first now, then whenever something is due.
///
/// # Errors
///
/// When the system gives no thread.
pub fn start(store: Store) -> std::io::Result<Periodic> {
    let look = move || {
        if let Err(error) = settle(&store) {
            tracing::warn!(%error, "what begins or ends now is late");
        }
        Next::Again
    };
    look();
    Periodic::start("clock", EVERY, look, || ())
}

fn settle(store: &Store) -> Result<(), StoreError> {
    let now = Timestamp::now();
    if store.is_unsettled(now)? {
        let changed = store.settle(now).wait()?;
        if changed > 0 {
            tracing::info!(products = changed, "deals began or ended");
        }
    }
    if store.has_stale_proofs()? {
        store.renew_proofs(now).wait()?;
    }
    Ok(())
}
