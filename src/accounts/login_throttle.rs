//! A growing delay for an account whose password is being guessed.

use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Failures that cost nothing: people mistype.
const FREE: u32 = 4;
/// Seconds to wait after each further failure; the last one holds on. About a
/// hundred guesses a day are left (NIST SP 800-63B-4, section 3.2.2).
const DELAYS: [u64; 9] = [1, 3, 5, 10, 30, 60, 120, 300, 900];
/// Failures are forgotten this long after the last one.
const FORGOTTEN: Duration = Duration::from_secs(24 * 60 * 60);
/// Buckets that are remembered, some 10 MB. A password is tried some ten times in a second,
/// and each try at a made-up address costs one.
const MOST: usize = 200_000;

/// Who is counted together.
#[derive(Debug, Clone, Hash)]
pub(super) enum Bucket {
    /// Strangers who guess at an e-mail address, whether or not it has an account. The number is how
    /// often the owner lifted its delay: another one is another bucket.
    Address(String, i64),
    /// A browser that has signed in to the account before, by what its cookie names.
    Browser(String, i64),
    /// Whoever is signed in to the account, and asked for its password.
    SignedIn(String, i64),
}

/// Counts failures. It is kept in memory: a restart forgives.
#[derive(Default)]
pub(super) struct LoginThrottle {
    failures: Mutex<HashMap<u64, Failures>>,
    /// Made again at each start, so that nobody can choose what falls together.
    hasher: RandomState,
}

#[derive(Clone, Copy)]
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

impl LoginThrottle {
    /// How long whoever is counted there has to wait, if they have to.
    pub(super) fn wait(&self, bucket: &Bucket, now: Instant) -> Option<Duration> {
        let key = self.hasher.hash_one(bucket);
        let until = self.lock().get(&key)?.until();
        (until > now).then(|| until - now)
    }

    /// Notes a failure before the password is checked, so that many attempts at
    /// once count one by one; [`LoginThrottle::forgive`] takes all of them back, and
    /// [`LoginThrottle::take_back`] this one.
    pub(super) fn note(&self, bucket: &Bucket, now: Instant) {
        let key = self.hasher.hash_one(bucket);
        let mut failures = self.lock();
        if failures.len() >= MOST && !failures.contains_key(&key) {
            make_room(&mut failures, now);
        }
        let entry = failures.entry(key).or_insert(Failures {
            count: 0,
            last: now,
        });
        if now.duration_since(entry.last) >= FORGOTTEN {
            entry.count = 0;
        }
        entry.count = entry.count.saturating_add(1);
        entry.last = now;
    }

    /// Takes back one failure that was none.
    pub(super) fn take_back(&self, bucket: &Bucket) {
        let key = self.hasher.hash_one(bucket);
        if let Some(entry) = self.lock().get_mut(&key) {
            entry.count = entry.count.saturating_sub(1);
        }
    }

    /// Forgets the failures of a bucket whose owner came in.
    pub(super) fn forgive(&self, bucket: &Bucket) {
        let key = self.hasher.hash_one(bucket);
        self.lock().remove(&key);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<u64, Failures>> {
        self.failures.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Forgets the half with the fewest failures, and of those with as many the older ones: a
/// flood of made-up addresses goes before any delay does.
fn make_room(failures: &mut HashMap<u64, Failures>, now: Instant) {
    failures.retain(|_, entry| now.duration_since(entry.last) < FORGOTTEN);
    let mut kept: Vec<_> = failures.drain().collect();
    let half = MOST / 2;
    if kept.len() > half {
        kept.select_nth_unstable_by(half, |(_, one), (_, other)| {
            (other.count, other.last).cmp(&(one.count, one.last))
        });
        kept.truncate(half);
    }
    failures.extend(kept);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(name: &str) -> Bucket {
        Bucket::Address(name.to_owned(), 0)
    }

    #[test]
    fn delays_grow_with_each_failure_and_end_with_a_success() {
        let lockout = LoginThrottle::default();
        let mut now = Instant::now();
        let mut waits = Vec::new();
        let (a, b) = (address("a"), address("b"));
        for _ in 0..15 {
            lockout.note(&a, now);
            let wait = lockout.wait(&a, now).unwrap_or_default();
            waits.push(wait.as_secs());
            now += wait;
            assert!(lockout.wait(&a, now).is_none());
        }
        assert_eq!(
            waits,
            [0, 0, 0, 0, 1, 3, 5, 10, 30, 60, 120, 300, 900, 900, 900]
        );
        assert!(lockout.wait(&b, now).is_none());
        lockout.forgive(&a);
        lockout.note(&a, now);
        assert!(lockout.wait(&a, now).is_none());
    }

    #[test]
    fn failures_are_forgotten_after_a_day() {
        let lockout = LoginThrottle::default();
        let now = Instant::now();
        let a = address("a");
        for _ in 0..9 {
            lockout.note(&a, now);
        }
        let tomorrow = now + FORGOTTEN;
        lockout.note(&a, tomorrow);
        assert!(lockout.wait(&a, tomorrow).is_none());
    }

    #[test]
    fn a_flood_of_made_up_addresses_forgets_nobodys_delay() {
        let lockout = LoginThrottle::default();
        let now = Instant::now();
        let (guessed, browser) = (address("a"), Bucket::Browser("b".to_owned(), 0));
        for _ in 0..8 {
            lockout.note(&guessed, now);
            lockout.note(&browser, now);
        }
        let wait = lockout.wait(&guessed, now);
        let later = now + Duration::from_millis(1);
        for n in 0..3 * MOST {
            // Even those that were tried more often than is free.
            for _ in 0..if n % 50 == 0 { 6 } else { 1 } {
                lockout.note(&address(&format!("made-up-{n}")), later);
            }
        }
        assert!(wait.is_some());
        assert_eq!(lockout.wait(&guessed, now), wait);
        assert_eq!(lockout.wait(&browser, now), wait);
        assert!(lockout.lock().len() <= MOST);
    }

    #[test]
    fn what_is_taken_back_takes_nothing_else_back() {
        let lockout = LoginThrottle::default();
        let now = Instant::now();
        let a = address("a");
        for _ in 0..5 {
            lockout.note(&a, now);
            lockout.note(&a, now);
            lockout.take_back(&a);
        }
        assert_eq!(lockout.wait(&a, now), Some(Duration::from_secs(1)));
    }
}
