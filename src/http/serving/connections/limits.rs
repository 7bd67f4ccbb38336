//! How many connections there may be at once, of all and of one address, and how many
//! requests of one connection.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::Waker;
use std::time::Duration;

use ipnet::IpNet;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::time::Instant;

use crate::http::serving::rate_limit::Client;

/// Connections at once that one process serves; each takes some 20 to 40 kB.
const MOST: u64 = 12_000;
/// File descriptors for everything but connections: the database, its readers, logs, and
/// those that are refused.
const OTHER_FILES: u64 = 64 + MOST_REFUSED;
/// The fewest files with which a shop is worth opening.
pub(crate) const FEWEST_FILES: u64 = 256;
/// The least address space, in bytes, that threads find room for their heaps in, and the rows of
/// products: with less the system's allocator gives up in the middle of the work, at some limits and
/// not others.
pub(crate) const LEAST_ADDRESSES: u64 = 768 * 1_024 * 1_024;
/// Connections that are being told that they are one too many.
const MOST_REFUSED: u64 = 64;
/// Connections whose clients are waited for to take an answer; each holds 50 kB and more.
/// A slow phone is waited for, and thousands of clients that never read are not.
const MOST_BLOCKED: u64 = 512;
/// Those of one address.
const MOST_BLOCKED_OF_ONE: u64 = 32;
/// Requests of one connection that may run or be answered at once: browsers send some ten
/// over HTTP/2, and actix bounds them by nothing.
const MOST_RUNNING: u32 = 64;

/// The connections that are open, by the address that they come from.
#[derive(Debug)]
pub(crate) struct Connections {
    open: Mutex<Open>,
    most: u64,
    most_of_one: u64,
    trusted_proxies: Vec<IpNet>,
}

#[derive(Debug, Default)]
struct Open {
    all: u64,
    /// Those whose clients do not take what is written.
    blocked: u64,
    /// Those that are being told that they are one too many.
    refused: u64,
    by_client: HashMap<Client, OfOne>,
}

/// The connections of one address.
#[derive(Debug, Default)]
struct OfOne {
    all: u64,
    blocked: u64,
}

impl Connections {
    /// Takes as many in all as the process may open files, and `most_of_one` of one
    /// address that is no trusted proxy.
    pub(crate) fn new(most_of_one: u64, trusted_proxies: Vec<IpNet>) -> Self {
        let files = raise_file_limit();
        Self {
            open: Mutex::default(),
            most: MOST.min(files.saturating_sub(OTHER_FILES).max(1)),
            most_of_one,
            trusted_proxies,
        }
    }

    /// How many are open.
    pub(crate) fn count(&self) -> u64 {
        self.lock().all
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn admit(self: &Arc<Self>, peer: IpAddr) -> Result<ConnectionSlot, Refused> {
        let client = Client::new(peer);
        let peer = peer.to_canonical();
        let is_proxy = self.trusted_proxies.iter().any(|net| net.contains(&peer));
        let mut open = self.lock();
        let of_this = open.by_client.get(&client).map_or(0, |of_one| of_one.all);
        if open.all >= self.most {
            return Err(Refused::AtOnce);
        }
        if !is_proxy && of_this >= self.most_of_one {
            if open.refused >= MOST_REFUSED {
                return Err(Refused::AtOnce);
            }
            open.refused += 1;
            return Err(Refused::InPeace(Refusing(Arc::clone(self))));
        }
        open.all += 1;
        open.by_client.entry(client).or_default().all += 1;
        Ok(ConnectionSlot {
            connections: Arc::clone(self),
            client,
            is_proxy,
            is_blocked: false,
        })
    }
}

/// Lets the process open as many files as the system allows it, and returns how many.
pub(crate) fn raise_file_limit() -> u64 {
    let limit = getrlimit(Resource::Nofile);
    let raised = Rlimit {
        current: limit.maximum,
        maximum: limit.maximum,
    };
    let now = match setrlimit(Resource::Nofile, raised) {
        Ok(()) => limit.maximum,
        Err(_) => limit.current,
    };
    now.unwrap_or(u64::MAX)
}

/// The bytes of address space that the process may have, if that is limited.
pub(crate) fn address_space() -> u64 {
    getrlimit(Resource::As).current.unwrap_or(u64::MAX)
}

/// How a connection is refused that is one too many.
pub(crate) enum Refused {
    AtOnce,
    /// After it had time to send its request, so that it sees the answer.
    InPeace(#[expect(dead_code, reason = "its slot is held while it is told")] Refusing),
}

/// A connection that is told that it is one too many; it has a file open meanwhile.
pub(crate) struct Refusing(Arc<Connections>);

impl Drop for Refusing {
    fn drop(&mut self) {
        self.0.lock().refused -= 1;
    }
}

/// A connection's slot, given back when it ends.
pub(crate) struct ConnectionSlot {
    connections: Arc<Connections>,
    client: Client,
    /// Many visitors come by it.
    is_proxy: bool,
    is_blocked: bool,
}

impl ConnectionSlot {
    /// Whether its client is waited for.
    pub(crate) fn is_blocked(&self) -> bool {
        self.is_blocked
    }

    /// Notes whether the client is waited for, and returns whether it may be.
    pub(crate) fn set_blocked(&mut self, is_blocked: bool) -> bool {
        if self.is_blocked == is_blocked {
            return true;
        }
        self.is_blocked = is_blocked;
        let mut open = self.connections.lock();
        let Open {
            blocked, by_client, ..
        } = &mut *open;
        let of_one = by_client.entry(self.client).or_default();
        if is_blocked {
            *blocked += 1;
            of_one.blocked += 1;
            *blocked <= MOST_BLOCKED && (self.is_proxy || of_one.blocked <= MOST_BLOCKED_OF_ONE)
        } else {
            *blocked -= 1;
            of_one.blocked -= 1;
            true
        }
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        self.set_blocked(false);
        let mut open = self.connections.lock();
        open.all -= 1;
        if let Some(of_one) = open.by_client.get_mut(&self.client) {
            of_one.all -= 1;
            if of_one.all == 0 {
                open.by_client.remove(&self.client);
            }
        }
    }
}

/// The requests of a connection that run or are being answered.
#[derive(Debug, Clone, Default)]
pub(crate) struct Requests(Arc<Running>);

#[derive(Debug)]
struct Running {
    count: AtomicU32,
    /// All that there were.
    begun: AtomicU32,
    /// It asked for too much at once, and is ended.
    too_many: AtomicBool,
    since: Instant,
    /// When the connection ends because of a body that nobody reads and that still comes, in
    /// milliseconds from `since`; 0 without one.
    unread_until: AtomicU64,
    /// Who waits for the client to send something.
    reader: Mutex<Option<Waker>>,
}

impl Default for Running {
    fn default() -> Self {
        Self {
            count: AtomicU32::default(),
            begun: AtomicU32::default(),
            too_many: AtomicBool::default(),
            since: Instant::now(),
            unread_until: AtomicU64::default(),
            reader: Mutex::default(),
        }
    }
}

/// A request that runs, until its answer was written or dropped.
pub(crate) struct Request(Requests);

impl Requests {
    /// Counts one more, unless there are too many: the connection ends then.
    pub(crate) fn begin(&self) -> Option<Request> {
        let request = Request(self.clone());
        self.0.begun.fetch_add(1, Ordering::Relaxed);
        // The one before it was read to its end.
        self.0.unread_until.store(0, Ordering::Relaxed);
        if self.0.count.fetch_add(1, Ordering::Relaxed) < MOST_RUNNING {
            return Some(request);
        }
        self.0.too_many.store(true, Ordering::Relaxed);
        None
    }

    /// How many there were.
    pub(crate) fn begun(&self) -> u32 {
        self.0.begun.load(Ordering::Relaxed)
    }

    /// Notes that nobody reads the rest of a body, and when it must have come.
    pub(crate) fn leave_unread(&self, until: Instant) {
        let after = until.saturating_duration_since(self.0.since).as_millis();
        let after = u64::try_from(after).unwrap_or(u64::MAX).max(1);
        self.0.unread_until.store(after, Ordering::Relaxed);
        // It looked at the time when it began to wait.
        let reader = self.lock_reader().take();
        if let Some(reader) = reader {
            reader.wake();
        }
    }

    /// Notes who waits for the client, and is to look at the time again when that changes.
    pub(crate) fn wait(&self, reader: &Waker) {
        let mut waits = self.lock_reader();
        if !waits.as_ref().is_some_and(|known| known.will_wake(reader)) {
            *waits = Some(reader.clone());
        }
    }

    fn lock_reader(&self) -> std::sync::MutexGuard<'_, Option<Waker>> {
        self.0.reader.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// When a body that nobody reads must have come, if there is one.
    pub(crate) fn unread_until(&self) -> Option<Instant> {
        let after = self.0.unread_until.load(Ordering::Relaxed);
        (after > 0).then(|| self.0.since + Duration::from_millis(after))
    }

    /// Whether any runs or is being answered.
    pub(crate) fn are_running(&self) -> bool {
        self.0.count.load(Ordering::Relaxed) > 0
    }

    /// Whether there were too many at once.
    pub(crate) fn are_too_many(&self) -> bool {
        self.0.too_many.load(Ordering::Relaxed)
    }
}

impl Drop for Request {
    fn drop(&mut self) {
        self.0.0.count.fetch_sub(1, Ordering::Relaxed);
    }
}
