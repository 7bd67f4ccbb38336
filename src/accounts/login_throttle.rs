//! Throttle of password guesses: a growing delay per account.

use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Failures without a delay: people mistype.
const FREE_FAILURES: u32 = 4;
/// Delay in seconds after each further failure; the last one repeats. It leaves about a hundred
/// guesses a day (NIST SP 800-63B-4, section 3.2.2).
const DELAYS: [u64; 9] = [1, 3, 5, 10, 30, 60, 120, 300, 900];
/// Time after which failures are forgotten.
const RESET_AFTER: Duration = Duration::from_secs(24 * 60 * 60);
/// Maximum number of buckets, some 10 MB. An attacker can add about ten per second.
const MAX_BUCKETS: usize = 200_000;

/// Unit whose failures are counted together.
#[derive(Debug, Clone, Hash)]
pub(super) enum ThrottleKey {
    /// Unknown browsers, by address, with or without an account. The number increases when the
    /// owner lifts the delay, which starts a new bucket.
    Address(String, i64),
    /// A known browser, by its id.
    Browser(String, i64),
    /// A signed-in user who is asked for the password.
    SignedIn(String, i64),
    /// Codes of a second factor, by the account's id.
    Code(CodeFrom, String, i64),
}

/// Origin of a code. Each has a bucket for the account, so that guesses from elsewhere delay neither
/// known browsers nor sessions.
#[derive(Debug, Clone, Copy, Hash)]
pub(super) enum CodeFrom {
    /// A sign-in from a browser that has signed in before.
    KnownBrowser,
    /// Any other sign-in.
    Elsewhere,
    /// A session that is asked for a code.
    Session,
}

/// Counts failures in memory; a restart clears them.
#[derive(Default)]
pub(super) struct LoginThrottle {
    failures: Mutex<HashMap<u64, Failures>>,
    /// Random for each process, so that nobody can choose collisions.
    hasher: RandomState,
}

#[derive(Clone, Copy)]
struct Failures {
    count: u32,
    last: Instant,
}

impl Failures {
    fn until(&self) -> Instant {
        let step = self.count.saturating_sub(FREE_FAILURES + 1) as usize;
        let seconds = if self.count <= FREE_FAILURES {
            0
        } else {
            DELAYS[step.min(DELAYS.len() - 1)]
        };
        self.last + Duration::from_secs(seconds)
    }
}

impl LoginThrottle {
    /// Returns the remaining delay, if any.
    pub(super) fn wait(&self, bucket: &ThrottleKey, now: Instant) -> Option<Duration> {
        let key = self.hasher.hash_one(bucket);
        let until = self.lock().get(&key)?.until();
        (until > now).then(|| until - now)
    }

    /// Counts a failure before the password is checked, so that parallel attempts count one by one.
    /// [`LoginThrottle::clear`] clears all failures, [`LoginThrottle::undo`] one.
    pub(super) fn record(&self, bucket: &ThrottleKey, now: Instant) {
        let key = self.hasher.hash_one(bucket);
        let mut failures = self.lock();
        if failures.len() >= MAX_BUCKETS && !failures.contains_key(&key) {
            make_room(&mut failures, now);
        }
        let entry = failures.entry(key).or_insert(Failures {
            count: 0,
            last: now,
        });
        if now.duration_since(entry.last) >= RESET_AFTER {
            entry.count = 0;
        }
        entry.count = entry.count.saturating_add(1);
        entry.last = now;
    }

    /// Takes back one failure.
    pub(super) fn undo(&self, bucket: &ThrottleKey) {
        let key = self.hasher.hash_one(bucket);
        if let Some(entry) = self.lock().get_mut(&key) {
            entry.count = entry.count.saturating_sub(1);
        }
    }

    /// Clears a bucket after a success.
    pub(super) fn clear(&self, bucket: &ThrottleKey) {
        let key = self.hasher.hash_one(bucket);
        self.lock().remove(&key);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<u64, Failures>> {
        self.failures.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Removes the half with the fewest failures, older ones first, so that a flood of made-up
/// addresses does not clear a delay.
fn make_room(failures: &mut HashMap<u64, Failures>, now: Instant) {
    failures.retain(|_, entry| now.duration_since(entry.last) < RESET_AFTER);
    let mut remaining: Vec<_> = failures.drain().collect();
    let half = MAX_BUCKETS / 2;
    if remaining.len() > half {
        remaining.select_nth_unstable_by(half, |(_, one), (_, other)| {
            (other.count, other.last).cmp(&(one.count, one.last))
        });
        remaining.truncate(half);
    }
    failures.extend(remaining);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(name: &str) -> ThrottleKey {
        ThrottleKey::Address(name.to_owned(), 0)
    }

    #[test]
    fn sign_in_delays_grow_with_each_failure() {
        let throttle = LoginThrottle::default();
        let mut now = Instant::now();
        let mut waits = Vec::new();
        let (a, b) = (address("a"), address("b"));
        for _ in 0..15 {
            throttle.record(&a, now);
            let wait = throttle.wait(&a, now).unwrap_or_default();
            waits.push(wait.as_secs());
            now += wait;
            assert!(throttle.wait(&a, now).is_none());
        }
        assert_eq!(
            waits,
            [0, 0, 0, 0, 1, 3, 5, 10, 30, 60, 120, 300, 900, 900, 900]
        );
        assert!(throttle.wait(&b, now).is_none());
        throttle.clear(&a);
        throttle.record(&a, now);
        assert!(throttle.wait(&a, now).is_none());
    }

    #[test]
    fn failures_are_forgotten_after_a_day() {
        let throttle = LoginThrottle::default();
        let now = Instant::now();
        let a = address("a");
        for _ in 0..9 {
            throttle.record(&a, now);
        }
        let tomorrow = now + RESET_AFTER;
        throttle.record(&a, tomorrow);
        assert!(throttle.wait(&a, tomorrow).is_none());
    }

    #[test]
    fn a_flood_of_made_up_addresses_evicts_no_sign_in_delay() {
        let throttle = LoginThrottle::default();
        let now = Instant::now();
        let (guessed, browser) = (address("a"), ThrottleKey::Browser("b".to_owned(), 0));
        for _ in 0..8 {
            throttle.record(&guessed, now);
            throttle.record(&browser, now);
        }
        let wait = throttle.wait(&guessed, now);
        let later = now + Duration::from_millis(1);
        for n in 0..3 * MAX_BUCKETS {
            // Some have more failures than are free.
            for _ in 0..if n % 50 == 0 { 6 } else { 1 } {
                throttle.record(&address(&format!("made-up-{n}")), later);
            }
        }
        assert!(wait.is_some());
        assert_eq!(throttle.wait(&guessed, now), wait);
        assert_eq!(throttle.wait(&browser, now), wait);
        assert!(throttle.lock().len() <= MAX_BUCKETS);
    }

    #[test]
    fn undoing_one_failed_sign_in_keeps_the_others() {
        let throttle = LoginThrottle::default();
        let now = Instant::now();
        let a = address("a");
        for _ in 0..5 {
            throttle.record(&a, now);
            throttle.record(&a, now);
            throttle.undo(&a);
        }
        assert_eq!(throttle.wait(&a, now), Some(Duration::from_secs(1)));
    }
}
