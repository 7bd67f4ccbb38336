//! Budget of memory for what is unfinished: requests that have not arrived, answers that nobody has
//! read, and buffers of idle connections. Who is over it loses the oldest connection of the network
//! that holds the most, not that of a new visitor.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Context;

use futures_util::task::AtomicWaker;
use tokio::time::Instant;

/// Maximum bytes of all connections.
const BUDGET: usize = 64 * 1_024 * 1_024;
/// Maximum bytes that connections of one network hold for longer than they should.
const SHARE: usize = BUDGET / 10;
/// A [`Account::since`] of a connection that must not be ended.
const NEVER: u64 = u64::MAX;

/// Bytes that connections hold, by network.
#[derive(Debug)]
pub(super) struct ByteBudget {
    start: Instant,
    buffered: AtomicUsize,
    networks: Mutex<HashMap<IpAddr, NetworkBytes>>,
}

#[derive(Debug, Default)]
struct NetworkBytes {
    sums: Arc<Sums>,
    accounts: HashMap<u64, Arc<Account>>,
    last: u64,
}

#[derive(Debug, Default)]
struct Sums {
    buffered: AtomicUsize,
    overdue: AtomicUsize,
}

/// Bytes that a connection holds. It is changed without a lock, because every request does.
#[derive(Debug)]
pub(super) struct Account {
    network: IpAddr,
    number: u64,
    sums: Arc<Sums>,
    buffered: AtomicUsize,
    overdue: AtomicUsize,
    /// Time in microseconds.
    since: AtomicU64,
    has_ended: AtomicBool,
    task: AtomicWaker,
}

impl Account {
    /// Wakes the task when the connection is to end, and returns true if it is.
    pub(super) fn has_ended(&self, context: &Context<'_>) -> bool {
        self.task.register(context.waker());
        self.has_ended.load(Ordering::Acquire)
    }

    /// Wakes the connection's task.
    pub(super) fn wake(&self) {
        self.task.wake();
    }
}

impl ByteBudget {
    pub(super) fn new() -> Self {
        Self {
            start: Instant::now(),
            buffered: AtomicUsize::new(0),
            networks: Mutex::default(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<IpAddr, NetworkBytes>> {
        self.networks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a connection from this address.
    pub(super) fn open(&self, peer: IpAddr) -> Arc<Account> {
        let address = network_of(peer);
        let mut networks = self.lock();
        let network = networks.entry(address).or_default();
        network.last += 1;
        let account = Arc::new(Account {
            network: address,
            number: network.last,
            sums: Arc::clone(&network.sums),
            buffered: AtomicUsize::new(0),
            overdue: AtomicUsize::new(0),
            since: AtomicU64::new(NEVER),
            has_ended: AtomicBool::new(false),
            task: AtomicWaker::new(),
        });
        network.accounts.insert(network.last, Arc::clone(&account));
        account
    }

    /// Removes a connection.
    pub(super) fn close(&self, account: &Account) {
        self.set(account, 0, 0);
        let mut networks = self.lock();
        if let Some(network) = networks.get_mut(&account.network) {
            network.accounts.remove(&account.number);
            if network.accounts.is_empty() {
                networks.remove(&account.network);
            }
        }
    }

    /// Sets what a connection holds, `overdue` if its network's share limits it, and since when; a
    /// connection without a time is not ended. Ends others, or this one, if it is too much.
    pub(super) fn hold(
        &self,
        account: &Account,
        buffered: usize,
        overdue: usize,
        since: Option<Instant>,
    ) {
        if account.has_ended.load(Ordering::Acquire) {
            return;
        }
        let since = since.map_or(NEVER, |since| {
            let passed = since.saturating_duration_since(self.start).as_micros();
            u64::try_from(passed).unwrap_or(NEVER)
        });
        account.since.store(since, Ordering::Relaxed);
        self.set(account, buffered, overdue);
        if account.sums.overdue.load(Ordering::Relaxed) > SHARE && overdue > 0 {
            self.trim(account);
        }
        if self.buffered.load(Ordering::Relaxed) > BUDGET && buffered > 0 {
            self.make_room();
        }
    }

    fn set(&self, account: &Account, buffered: usize, overdue: usize) {
        let change = |of: &AtomicUsize, sums: &[&AtomicUsize], to: usize| {
            // Wraps around where it shrinks.
            let by = to.wrapping_sub(of.swap(to, Ordering::Relaxed));
            if by != 0 {
                sums.iter().for_each(|sum| {
                    sum.fetch_add(by, Ordering::Relaxed);
                });
            }
        };
        let Sums {
            buffered: of_network,
            overdue: overdue_of_network,
        } = &*account.sums;
        change(&account.buffered, &[of_network, &self.buffered], buffered);
        change(&account.overdue, &[overdue_of_network], overdue);
    }

    /// Ends the oldest overdue connections of a network that holds more than its share.
    fn trim(&self, account: &Account) {
        let networks = self.lock();
        let Some(network) = networks.get(&account.network) else {
            return;
        };
        let mut overdue: Vec<&Arc<Account>> = network
            .accounts
            .values()
            .filter(|account| account.overdue.load(Ordering::Relaxed) > 0)
            .collect();
        overdue.sort_by_key(|account| account.since.load(Ordering::Relaxed));
        // The newest stays: a single answer may be larger than the share.
        overdue.pop();
        for oldest in overdue {
            if network.sums.overdue.load(Ordering::Relaxed) <= SHARE / 8 * 7 {
                return;
            }
            self.end(oldest);
        }
    }

    /// Ends the oldest connection of the network that holds the most, again and again. An eighth of
    /// the budget is freed at once, so that it is not done for each connection of a flood.
    fn make_room(&self) {
        let networks = self.lock();
        let by_bytes = |network: &&NetworkBytes| network.sums.buffered.load(Ordering::Relaxed);
        while self.buffered.load(Ordering::Relaxed) > BUDGET / 8 * 7 {
            let since = |account: &&Arc<Account>| account.since.load(Ordering::Relaxed);
            let oldest = networks.values().max_by_key(by_bytes).and_then(|network| {
                let accounts = network.accounts.values();
                let buffering = accounts.filter(|it| it.buffered.load(Ordering::Relaxed) > 0);
                buffering.min_by_key(since)
            });
            match oldest {
                Some(oldest) if since(&oldest) != NEVER => self.end(oldest),
                _ => return,
            }
        }
    }

    fn end(&self, account: &Account) {
        account.has_ended.store(true, Ordering::Release);
        self.set(account, 0, 0);
        account.wake();
    }
}

/// Returns the address of IPv4, or the /48 of IPv6, which one customer of a provider may have.
fn network_of(peer: IpAddr) -> IpAddr {
    match peer.to_canonical() {
        IpAddr::V6(address) => {
            let [a, b, c, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, 0, 0, 0, 0, 0))
        }
        v4 @ IpAddr::V4(_) => v4,
    }
}
