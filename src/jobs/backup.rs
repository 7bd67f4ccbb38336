//! Makes the scheduled backups.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use super::Context;
use super::runner::{Next, Outcome};

/// Failures since the last success, and whether the administrators got a mail about them.
#[derive(Default)]
pub(super) struct BackupFailures {
    in_a_row: AtomicU32,
    is_mailed: AtomicBool,
}

/// Makes a backup if one is due, and deletes the oldest. The first failure in a row is an
/// event of webhooks, the second is mailed.
pub(super) fn run(context: &Context) -> Outcome {
    let outcome = make_if_due(context);
    let failures = &context.backup_failures;
    match &outcome {
        Ok(_) => {
            failures.in_a_row.store(0, Ordering::Relaxed);
            failures.is_mailed.store(false, Ordering::Relaxed);
        }
        Err(error) => {
            let before = failures.in_a_row.fetch_add(1, Ordering::Relaxed);
            if before == 0
                && let Err(reason) = context.store.queue_backup_failed()
            {
                tracing::warn!(%reason, "the event of a failed backup could not be queued");
            }
            if before > 0 && !failures.is_mailed.load(Ordering::Relaxed) {
                let database = context.store.path();
                let plan = context.backups.current();
                let newest = plan.and_then(|plan| plan.newest(database).ok().flatten());
                let newest = newest.map_or_else(
                    || "No earlier backup is known.".to_owned(),
                    |newest| format!("The newest is {}.", newest.age_and_size()),
                );
                let error = error.to_string();
                let reason = format!("{}. {newest}", error.trim_end_matches('.'));
                // Another failure tries again.
                match context.outgoing.senders.mail.report_failed_backups(&reason) {
                    Ok(()) => failures.is_mailed.store(true, Ordering::Relaxed),
                    Err(reason) => {
                        tracing::warn!(reason, "the mail about failed backups could not be sent");
                    }
                }
            }
        }
    }
    outcome
}

fn make_if_due(context: &Context) -> Outcome {
    Ok(match context.backups.run(&context.store)? {
        Some(time) => Next::In(time),
        None if context.backups.is_given() => Next::Off,
        None => Next::Idle,
    })
}
