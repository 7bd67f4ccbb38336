//! A clock that is never set back.

use std::sync::atomic::{AtomicI64, Ordering};

use jiff::Timestamp;

/// The system's time, or the latest one seen when that is set back: a code or a
/// session that has ended stays ended.
#[derive(Default)]
pub(super) struct Clock(AtomicI64);

impl Clock {
    pub(super) fn now(&self) -> Timestamp {
        let system = Timestamp::now().as_millisecond();
        let latest = self.0.fetch_max(system, Ordering::Relaxed).max(system);
        Timestamp::from_millisecond(latest).unwrap_or(Timestamp::MAX)
    }
}
