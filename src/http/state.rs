//! What every handler shares.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use actix_web::web;
use ipnet::IpNet;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use url::Url;

use super::cookies::CookieMode;
use super::error::ApiError;
use super::serving::metrics::Metrics;
use super::serving::queue::WorkQueue;
use super::serving::rate_limit::RateLimits;
use super::serving::response_cache::ResponseCache;
use super::storefront::Storefronts;
use crate::accounts::{AccountError, Accounts};
use crate::clicks::{Judge, Looks};
use crate::mail::Mailer;
use crate::maintenance::backups::Plan;
use crate::store::{Store, StoreError};

/// Requests that may hash a password or wait to; more are told to come back. The
/// last one waits some seconds, at half a second for a sign-in that fails.
const WAITING: usize = 24;

/// Exports at once: each holds a thread and a snapshot of the database for as long as its
/// client reads.
const EXPORTS: usize = 2;

/// Built once at start; cloning is cheap.
#[derive(Clone)]
pub struct AppState {
    /// Dropped before what is shared: when nobody shares that any more, nobody uses the database.
    store: Store,
    shared: Arc<Inner>,
}

struct Inner {
    accounts: Accounts,
    options: Options,
    storefronts: Storefronts,
    judge: Judge,
    rate_limits: RateLimits,
    services: Services,
    metrics: OnceLock<Metrics>,
    response_cache: ResponseCache,
    queue: WorkQueue,
    hashing: Arc<Semaphore>,
    exports: Arc<Semaphore>,
    waiting: Arc<AtomicUsize>,
}

/// What runs beside the server.
pub struct Services {
    /// When the server makes backups, if it does.
    pub backups: Option<Plan>,
    /// Where mails go.
    pub mailer: Arc<Mailer>,
    /// What people look at.
    pub looks: Looks,
}

/// What the owner decides when the server starts.
#[derive(Debug, Clone)]
pub struct Options {
    /// The address under which visitors know the site; never taken from a request.
    pub public_url: Url,
    /// How the session's cookie is set.
    pub cookies: CookieMode,
    /// Proxies whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<IpNet>,
    /// Networks whose clicks are the shop's own.
    pub own_networks: Vec<IpNet>,
    /// Origins of other sites whose pages may use the API.
    pub cors_origins: Vec<String>,
    /// How the shop tells its visitors that it earns by its links, unless the settings do.
    pub disclosure: String,
    /// Whether browsers keep copies for when there is no network.
    pub offline: bool,
    /// For how many seconds a cache in front may use what anybody may see; not at all without.
    pub shared_cache: Option<u32>,
}

impl AppState {
    /// Joins what a server needs.
    pub fn new(store: Store, accounts: Accounts, options: Options, services: Services) -> Self {
        // Hashing takes a quarter of a second of a core. One core in two keeps
        // the list quick while many sign in.
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let shared = Arc::new(Inner {
            accounts,
            storefronts: Storefronts::new(&options.disclosure),
            options,
            judge: Judge::default(),
            rate_limits: RateLimits::default(),
            services,
            metrics: OnceLock::new(),
            response_cache: ResponseCache::default(),
            queue: WorkQueue::new(),
            exports: Arc::new(Semaphore::new(EXPORTS)),
            hashing: Arc::new(Semaphore::new((cores / 2).max(1))),
            waiting: Arc::default(),
        });
        Self { store, shared }
    }

    /// Whether anybody has the state still, as a function that does not have it.
    pub(crate) fn is_held(&self) -> impl Fn() -> bool + use<> {
        let shared = Arc::downgrade(&self.shared);
        move || shared.strong_count() > 0
    }

    /// The database.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// The address under which visitors know the site.
    pub fn public_url(&self) -> &Url {
        &self.shared.options.public_url
    }

    /// Who tells clicks that somebody meant from the others.
    pub(crate) fn judge(&self) -> &Judge {
        &self.shared.judge
    }

    /// What people look at.
    pub(crate) fn looks(&self) -> &Looks {
        &self.shared.services.looks
    }

    /// Where mails go.
    pub(crate) fn mailer(&self) -> &Mailer {
        &self.shared.services.mailer
    }

    /// Networks whose clicks are the shop's own.
    pub(crate) fn own_networks(&self) -> &[IpNet] {
        &self.shared.options.own_networks
    }

    /// Whether browsers keep copies for when there is no network.
    pub(crate) fn offline(&self) -> bool {
        self.shared.options.offline
    }

    /// For how many seconds a cache in front may use what anybody may see.
    pub(crate) fn shared_cache(&self) -> Option<u32> {
        self.shared.options.shared_cache
    }

    /// A slot for an export, given back when it is dropped.
    pub(crate) fn export_slot(&self) -> Result<OwnedSemaphorePermit, ApiError> {
        Arc::clone(&self.shared.exports)
            .try_acquire_owned()
            .map_err(|_| ApiError::Busy)
    }

    /// When the server makes backups, if it does.
    pub(crate) fn backups(&self) -> Option<&Plan> {
        self.shared.services.backups.as_ref()
    }

    /// Counts requests from now on.
    pub(crate) fn measure(&self) {
        self.shared.metrics.get_or_init(Metrics::default);
    }

    /// Where requests are counted, if they are.
    pub(crate) fn metrics(&self) -> Option<&Metrics> {
        self.shared.metrics.get()
    }

    /// What the owner's settings make of every page.
    pub(crate) fn storefronts(&self) -> &Storefronts {
        &self.shared.storefronts
    }

    pub(crate) fn cookies(&self) -> CookieMode {
        self.shared.options.cookies
    }

    pub(crate) fn trusted_proxies(&self) -> &[IpNet] {
        &self.shared.options.trusted_proxies
    }

    pub(crate) fn cors_origins(&self) -> &[String] {
        &self.shared.options.cors_origins
    }

    pub(crate) fn rate_limits(&self) -> &RateLimits {
        &self.shared.rate_limits
    }

    pub(crate) fn response_cache(&self) -> &ResponseCache {
        &self.shared.response_cache
    }

    /// The queue of what anonymous requests have made.
    pub(crate) fn queue(&self) -> &WorkQueue {
        &self.shared.queue
    }

    /// As [`AppState::query`], for work that makes an answer of what it reads.
    pub(crate) async fn work<T, F>(&self, work: F) -> Result<T, ApiError>
    where
        T: Send + 'static,
        F: FnOnce(&Store) -> Result<T, ApiError> + Send + 'static,
    {
        let store = self.store.clone();
        block(move || work(&store)).await
    }

    /// Runs a query on a thread that may block: waiting for a connection or for
    /// the disk must not hold up the other requests of this worker.
    pub(crate) async fn query<T, F>(&self, query: F) -> Result<T, ApiError>
    where
        T: Send + 'static,
        F: FnOnce(&Store) -> Result<T, StoreError> + Send + 'static,
    {
        let store = self.store.clone();
        block(move || query(&store)).await
    }

    /// As [`AppState::query`], for what accounts do.
    pub(crate) async fn accounts_work<T, F>(&self, work: F) -> Result<T, ApiError>
    where
        T: Send + 'static,
        F: FnOnce(&Accounts) -> Result<T, AccountError> + Send + 'static,
    {
        let accounts = self.shared.accounts.clone();
        block(move || work(&accounts)).await
    }

    /// As [`AppState::accounts_work`], for what hashes a password: a few at a
    /// time, and a bounded number waiting. What holds the slot belongs to the work
    /// and not to the request: a client that hangs up must not make room while its
    /// password is still being hashed.
    pub(crate) async fn hashing<T, F>(&self, work: F) -> Result<T, ApiError>
    where
        T: Send + 'static,
        F: FnOnce(&Accounts) -> Result<T, AccountError> + Send + 'static,
    {
        let slot = QueueSlot::take(&self.shared.waiting).ok_or(ApiError::Busy)?;
        let permit = Arc::clone(&self.shared.hashing)
            .acquire_owned()
            .await
            .map_err(|error| ApiError::Internal(error.to_string()))?;
        self.accounts_work(move |accounts| {
            let _held = (slot, permit);
            work(accounts)
        })
        .await
    }
}

async fn block<T, E, F>(work: F) -> Result<T, ApiError>
where
    T: Send + 'static,
    E: Into<ApiError> + Send + 'static,
    F: FnOnce() -> Result<T, E> + Send + 'static,
{
    web::block(work)
        .await
        .map_err(|error| ApiError::Internal(error.to_string()))?
        .map_err(Into::into)
}

/// A slot in the queue, given back when the work ends, however it ends.
struct QueueSlot(Arc<AtomicUsize>);

impl QueueSlot {
    fn take(taken: &Arc<AtomicUsize>) -> Option<Self> {
        let slot = Self(Arc::clone(taken));
        (taken.fetch_add(1, Ordering::Relaxed) < WAITING).then_some(slot)
    }
}

impl Drop for QueueSlot {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
