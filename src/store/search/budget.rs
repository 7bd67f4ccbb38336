//! The time that a search for other readings may take.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// CPU time of this thread up to which it may work. Time in which the thread waits for a
/// processor does not count, so that a busy machine still finds suggestions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Budget(Duration);

impl Budget {
    /// Begins a budget of this much CPU time.
    pub(crate) fn of(time: Duration) -> Self {
        Self(cpu_time() + time)
    }

    /// Whether nothing is left.
    pub(crate) fn is_spent(self) -> bool {
        cpu_time() >= self.0
    }
}

fn cpu_time() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default()
}
