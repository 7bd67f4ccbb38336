//! Limits on the number of connections, of the process and of one address.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ipnet::IpNet;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::Instant;

use super::budget::{Account, ByteBudget};
use crate::http::serving::rate_limit::Client;

/// Maximum connections of the process; each takes 10 kB, and what is in `budget.rs`.
const MAX_CONNECTIONS: u64 = 12_000;
/// Maximum refused connections that are kept until their request has arrived.
const MAX_REFUSALS: usize = 64;
/// File descriptors for everything but connections: the database, its readers, logs, and
/// refused connections.
const OTHER_FILES: u64 = 64 + MAX_REFUSALS as u64;
/// Minimum number of file descriptors that a server starts with.
pub(crate) const MIN_FILES: u64 = 256;
/// Minimum address space in bytes. With less, the allocator cannot map a heap for each thread and
/// fails in the middle of the work.
pub(crate) const MIN_ADDRESS_SPACE: u64 = 768 * 1_024 * 1_024;
/// The open connections, counted by address.
#[derive(Debug)]
pub(crate) struct Connections {
    open: Mutex<Open>,
    budget: ByteBudget,
    refusals: Semaphore,
    max: u64,
    max_per_address: u64,
    trusted_proxies: Vec<IpNet>,
}

#[derive(Debug, Default)]
struct Open {
    total: u64,
    by_client: HashMap<Client, u64>,
}

impl Connections {
    /// Allows as many connections as the process may open files, and `max_per_address` from
    /// each address that is not a trusted proxy.
    pub(crate) fn new(max_per_address: u64, trusted_proxies: Vec<IpNet>) -> Self {
        let files = raise_file_limit();
        Self {
            open: Mutex::default(),
            budget: ByteBudget::new(),
            refusals: Semaphore::new(MAX_REFUSALS),
            max: MAX_CONNECTIONS.min(files.saturating_sub(OTHER_FILES).max(1)),
            max_per_address,
            trusted_proxies,
        }
    }

    /// Returns the number of open connections.
    pub(crate) fn count(&self) -> u64 {
        self.lock().total
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a slot for a connection, or returns `None` when there are too many.
    pub(crate) fn admit(self: &Arc<Self>, peer: IpAddr) -> Option<ConnectionSlot> {
        let client = Client::new(peer);
        let peer = peer.to_canonical();
        let is_proxy = self.trusted_proxies.iter().any(|net| net.contains(&peer));
        let mut open = self.lock();
        let of_client = open.by_client.get(&client).copied().unwrap_or_default();
        if open.total >= self.max || (!is_proxy && of_client >= self.max_per_address) {
            return None;
        }
        open.total += 1;
        open.by_client.insert(client, of_client + 1);
        drop(open);
        Some(ConnectionSlot {
            account: self.budget.open(peer),
            connections: Arc::clone(self),
            client,
            is_proxy,
        })
    }

    /// Allows a refused connection to stay open for a moment, unless too many do.
    pub(crate) fn refusal(&self) -> Option<SemaphorePermit<'_>> {
        self.refusals.try_acquire().ok()
    }
}

/// Raises the limit of open files as far as the system allows, and returns it.
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

/// Returns the limit of the process's address space in bytes.
pub(crate) fn address_space() -> u64 {
    getrlimit(Resource::As).current.unwrap_or(u64::MAX)
}

/// A connection's slot, released when dropped.
pub(crate) struct ConnectionSlot {
    connections: Arc<Connections>,
    client: Client,
    is_proxy: bool,
    pub(super) account: Arc<Account>,
}

impl ConnectionSlot {
    pub(super) fn connections(&self) -> Arc<Connections> {
        Arc::clone(&self.connections)
    }

    /// Records how many bytes the connection holds, and since when; without a time it is not ended
    /// for others. `is_overdue` if it has held them for longer than it should.
    pub(super) fn hold(&self, bytes: usize, is_overdue: bool, since: Option<Instant>) {
        let is_shared = is_overdue && !self.is_proxy;
        let overdue = if is_shared { bytes } else { 0 };
        let budget = &self.connections.budget;
        budget.hold(&self.account, bytes, overdue, since);
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        self.connections.budget.close(&self.account);
        let mut open = self.connections.lock();
        open.total -= 1;
        if let Some(of_client) = open.by_client.get_mut(&self.client) {
            *of_client -= 1;
            if *of_client == 0 {
                open.by_client.remove(&self.client);
            }
        }
    }
}
