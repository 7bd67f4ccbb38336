//! Sets the states of products when they begin and end, at most a second late, so that lists,
//! counts and sorts need not compare times. Single products, clicks and the filter `endingSoon`
//! still do.

use jiff::Timestamp;

use super::Context;
use super::runner::{Next, Outcome};

/// Sets the states that are due, and renews proven discounts that are out of date.
pub(super) fn run(context: &Context) -> Outcome {
    let store = &context.store;
    let now = Timestamp::now();
    if store.is_unsettled(now)? {
        let changed = store.settle(now)?;
        if changed > 0 {
            tracing::info!(products = changed, "deals began or ended");
        }
    }
    let collections = store.settle_collections(now)?;
    if collections > 0 {
        tracing::info!(collections, "collections began or ended");
    }
    if store.has_stale_proofs()? {
        store.renew_proofs(now).wait()?;
    }
    // Once per run: the next one is due later.
    if let Some(product) = store.publish_queued(now)? {
        tracing::info!(product = %product.id, "a draft of the queue went live");
    }
    Ok(Next::AtInterval)
}
