//! CPU time limit of suggestions.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// A deadline in CPU time of this thread; waiting for a processor does not count, so that a busy
/// machine still finds suggestions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Budget(Duration);

impl Budget {
    pub(crate) fn new(time: Duration) -> Self {
        Self(cpu_time() + time)
    }

    pub(crate) fn is_spent(self) -> bool {
        cpu_time() >= self.0
    }
}

fn cpu_time() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default()
}
