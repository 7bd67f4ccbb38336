//! Sign-ins with a right password that wait for a code. In memory only: a restart ends them.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::store::StoredUser;

/// Time for the code.
const LIFETIME: Duration = Duration::from_mins(5);
/// Codes that may be tried.
const TRIES: u32 = 5;
/// Maximum number of an address, of an account and of all, some 1 MB; the oldest makes room. Known
/// browsers are counted apart: a stranger who knows the password must not end the owner's.
const OF_ADDRESS: usize = 5;
const OF_ACCOUNT: usize = 20;
const IN_ALL: usize = 2_000;

/// A sign-in that waits for its code.
#[derive(Clone)]
pub(super) struct PendingSignIn {
    pub(super) stored: StoredUser,
    /// Address of the client.
    pub(super) address: IpAddr,
    /// True if the browser has signed in to the account before.
    pub(super) is_known: bool,
    /// Number of commands that reset the sign-in delay.
    pub(super) lifts: i64,
}

struct Entry {
    sign_in: PendingSignIn,
    tries: u32,
    began: Instant,
}

/// Sign-ins by the hash of their handle.
#[derive(Default)]
pub(in crate::accounts) struct PendingSignIns(Mutex<HashMap<[u8; 32], Entry>>);

impl PendingSignIns {
    pub(super) fn add(&self, handle: [u8; 32], sign_in: PendingSignIn, now: Instant) {
        let mut entries = self.lock();
        entries.retain(|_, entry| now.duration_since(entry.began) < LIFETIME);
        let is_alike = |entry: &Entry| entry.sign_in.is_known == sign_in.is_known;
        let user = &sign_in.stored.user.id;
        let is_of_user = |entry: &Entry| is_alike(entry) && entry.sign_in.stored.user.id == *user;
        remove_oldest(&mut entries, OF_ADDRESS, |entry| {
            is_of_user(entry) && entry.sign_in.address == sign_in.address
        });
        remove_oldest(&mut entries, OF_ACCOUNT, is_of_user);
        remove_oldest(&mut entries, IN_ALL, is_alike);
        let entry = Entry {
            sign_in,
            tries: 0,
            began: now,
        };
        entries.insert(handle, entry);
    }

    /// Returns a sign-in, if it has neither ended nor used its tries up.
    pub(super) fn get(&self, handle: &[u8; 32], now: Instant) -> Option<PendingSignIn> {
        let entries = self.lock();
        let entry = entries.get(handle)?;
        let is_open = now.duration_since(entry.began) < LIFETIME && entry.tries < TRIES;
        is_open.then(|| entry.sign_in.clone())
    }

    /// Counts a try before the code is checked, so that parallel ones count one by one. Returns
    /// false if none is left.
    pub(super) fn take_try(&self, handle: &[u8; 32]) -> bool {
        let mut entries = self.lock();
        let Some(entry) = entries.get_mut(handle) else {
            return false;
        };
        entry.tries += 1;
        entry.tries <= TRIES
    }

    /// Ends a sign-in. Returns false if it had ended.
    pub(super) fn remove(&self, handle: &[u8; 32]) -> bool {
        self.lock().remove(handle).is_some()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<[u8; 32], Entry>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Makes room for one more among at most `most` of the entries that `counts`.
fn remove_oldest(
    entries: &mut HashMap<[u8; 32], Entry>,
    most: usize,
    counts: impl Fn(&Entry) -> bool,
) {
    let counted = entries.iter().filter(|(_, entry)| counts(entry));
    if counted.clone().count() >= most {
        let oldest = counted.min_by_key(|(_, entry)| entry.began);
        if let Some(handle) = oldest.map(|(handle, _)| *handle) {
            entries.remove(&handle);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;
    use std::sync::atomic::{AtomicU32, Ordering};

    use jiff::Timestamp;

    use super::*;
    use crate::domain::{Email, Role, User};

    /// Each is of another address.
    fn sign_in_of(user: usize) -> PendingSignIn {
        static MADE: AtomicU32 = AtomicU32::new(0);
        PendingSignIn {
            stored: StoredUser {
                user: User {
                    id: user.to_string(),
                    username: "asha".to_owned(),
                    email: Email::parse("asha@example.com").unwrap(),
                    role: Role::User,
                    created_at: Timestamp::UNIX_EPOCH,
                    has_factor: true,
                },
                password_hash: String::new(),
            },
            address: Ipv4Addr::from(MADE.fetch_add(1, Ordering::Relaxed)).into(),
            is_known: false,
            lifts: 0,
        }
    }

    fn handle(n: usize) -> [u8; 32] {
        let mut handle = [0; 32];
        handle[..8].copy_from_slice(&n.to_be_bytes());
        handle
    }

    #[test]
    fn a_sign_in_takes_five_codes_in_five_minutes() {
        let pending = PendingSignIns::default();
        let now = Instant::now();
        pending.add(handle(1), sign_in_of(1), now);
        let late = now + LIFETIME;
        assert!(
            pending
                .get(&handle(1), late - Duration::from_secs(1))
                .is_some()
        );
        assert!(pending.get(&handle(1), late).is_none());
        for n in 0..7 {
            assert_eq!(pending.take_try(&handle(1)), n < 5, "{n}");
        }
        assert!(pending.get(&handle(1), now).is_none());
        assert!(pending.remove(&handle(1)));
        assert!(!pending.remove(&handle(1)));
        assert!(!pending.take_try(&handle(1)));
    }

    #[test]
    fn at_most_five_sign_ins_of_one_address_are_pending() {
        let pending = PendingSignIns::default();
        let now = Instant::now();
        let after = |n: usize| now + Duration::from_micros(n as u64);
        pending.add(handle(0), sign_in_of(0), now);
        let strange = sign_in_of(0);
        for n in 1..30 {
            pending.add(handle(n), strange.clone(), after(n));
        }
        let open = (0..30).filter(|n| pending.get(&handle(*n), after(30)).is_some());
        assert_eq!(open.collect::<Vec<_>>(), [0, 25, 26, 27, 28, 29]);
    }

    #[test]
    fn pending_sign_ins_are_limited_per_account_and_in_all() {
        let pending = PendingSignIns::default();
        let now = Instant::now();
        let after = |n: usize| now + Duration::from_micros(n as u64);
        for n in 0..30 {
            pending.add(handle(n), sign_in_of(0), after(n));
        }
        let open = (0..30).filter(|n| pending.get(&handle(*n), after(30)).is_some());
        assert_eq!(open.collect::<Vec<_>>(), (10..30).collect::<Vec<_>>());
        for n in 30..IN_ALL + 100 {
            pending.add(handle(n), sign_in_of(n), after(n));
        }
        assert_eq!(pending.lock().len(), IN_ALL);
        assert!(
            pending
                .get(&handle(IN_ALL + 99), after(IN_ALL + 100))
                .is_some()
        );
        for n in 1..=2 {
            let known = PendingSignIn {
                is_known: true,
                ..sign_in_of(n)
            };
            pending.add(handle(n), known, after(IN_ALL + n));
        }
        assert_eq!(pending.lock().len(), IN_ALL + 2, "known browsers are apart");
        pending.add(handle(0), sign_in_of(0), now + LIFETIME * 2);
        assert_eq!(pending.lock().len(), 1, "those that ended are removed");
    }
}
