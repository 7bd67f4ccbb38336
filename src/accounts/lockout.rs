//! A growing delay for an account whose password is being guessed.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Failures that cost nothing: people mistype.
const FREE: u32 = 4;
/// Seconds to wait after each further failure; the last one holds on. About a
/// hundred guesses a day are left (NIST SP 800-63B-4, section 3.2.2).
const DELAYS: [u64; 9] = [1, 3, 5, 10, 30, 60, 120, 300, 900];
/// Failures are forgotten this long after the last one.
const FORGOTTEN: Duration = Duration::from_secs(24 * 60 * 60);
/// Addresses that are remembered; guesses at ever new addresses must not fill
/// the memory.
const MOST: usize = 50_000;

/// Counts failures by address, whether or not it has an account. It is kept in
/// memory: a restart forgives.
#[derive(Default)]
pub(super) struct Lockout(Mutex<HashMap<String, Failures>>);

struct Failures {
    count: u32,
    last: Instant,
}

impl Failures {
    fn until(&self) -> Instant {
        let step = self.count.saturating_sub(FREE + 1) as usize;
        let seconds = if self.count <= FREE {
            0
        } else {
            DELAYS[step.min(DELAYS.len() - 1)]
        };
        self.last + Duration::from_secs(seconds)
    }
}

impl Lockout {
    /// How long this address has to wait, if it has to.
    pub(super) fn wait(&self, address: &str, now: Instant) -> Option<Duration> {
        let failures = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let until = failures.get(address)?.until();
        (until > now).then(|| until - now)
    }

    /// Notes a failure before the password is checked, so that many attempts at
    /// once count one by one; [`Lockout::forgive`] takes it back.
    pub(super) fn note(&self, address: &str, now: Instant) {
        let mut failures = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if failures.len() >= MOST {
            failures.retain(|_, entry| now.duration_since(entry.last) < FORGOTTEN);
            if failures.len() >= MOST {
                failures.clear();
            }
        }
        let entry = failures.entry(address.to_owned()).or_insert(Failures {
            count: 0,
            last: now,
        });
        if now.duration_since(entry.last) >= FORGOTTEN {
            entry.count = 0;
        }
        entry.count = entry.count.saturating_add(1);
        entry.last = now;
    }

    /// Forgets the failures of an address whose owner came in.
    pub(super) fn forgive(&self, address: &str) {
        let mut failures = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        failures.remove(address);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_grow_with_each_failure_and_end_with_a_success() {
        let lockout = Lockout::default();
        let mut now = Instant::now();
        let mut waits = Vec::new();
        for _ in 0..15 {
            lockout.note("a", now);
            let wait = lockout.wait("a", now).unwrap_or_default();
            waits.push(wait.as_secs());
            now += wait;
            assert!(lockout.wait("a", now).is_none());
        }
        assert_eq!(
            waits,
            [0, 0, 0, 0, 1, 3, 5, 10, 30, 60, 120, 300, 900, 900, 900]
        );
        assert!(lockout.wait("b", now).is_none());
        lockout.forgive("a");
        lockout.note("a", now);
        assert!(lockout.wait("a", now).is_none());
    }

    #[test]
    fn failures_are_forgotten_after_a_day() {
        let lockout = Lockout::default();
        let now = Instant::now();
        for _ in 0..9 {
            lockout.note("a", now);
        }
        let tomorrow = now + FORGOTTEN;
        lockout.note("a", tomorrow);
        assert!(lockout.wait("a", tomorrow).is_none());
    }
}
