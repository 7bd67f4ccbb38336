//! State shared by all handlers.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Once, OnceLock};

use actix_web::web;
use ipnet::IpNet;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use url::Url;

use super::cookies::CookieMode;
use super::error::ApiError;
use super::log_limit::LogLimit;
use super::rendering::Renderer;
use super::serving::copies::Copies;
use super::serving::metrics::Metrics;
use super::serving::queue::Party;
use super::serving::queue::lanes::Lanes;
use super::serving::rate_limit::RateLimits;
use super::serving::response_cache::ResponseCache;
use crate::accounts::{AccountError, Accounts, MailServer};
use crate::channels::Channels;
use crate::clicks::{Classifier, OverReports, PageViewCounter, PictureReports};
use crate::jobs::{LastRuns, Waker};
use crate::mail::Mailer;
use crate::maintenance::backups::BackupSchedule;
use crate::maintenance::certificates::SiteCertificate;
use crate::store::{Store, StoreError};
use crate::storefront::{Storefront, Storefronts};
use crate::subscribers::Subscribers;

/// Maximum number of exports at once: each holds a thread and a database snapshot until its client
/// has read everything.
const EXPORTS: usize = 2;

/// State of the server. Cheap to clone.
#[derive(Clone)]
pub struct AppState {
    /// Dropped before `shared`: once `shared` is gone, nobody uses the database.
    store: Store,
    shared: Arc<StateInner>,
}

struct StateInner {
    accounts: Accounts,
    options: Options,
    classifier: Classifier,
    picture_reports: PictureReports,
    over_reports: OverReports,
    slow_log: LogLimit,
    rate_limits: RateLimits,
    services: Services,
    metrics: OnceLock<Metrics>,
    proxy_warning: Once,
    response_cache: ResponseCache,
    renderer: Renderer,
    lanes: Lanes,
    exports: Arc<Semaphore>,
    copies: Copies,
}

/// Services that run beside the server.
pub struct Services {
    /// Schedule of backups.
    pub backups: BackupSchedule,
    /// The certificate, if the server speaks TLS.
    pub certificate: Option<SiteCertificate>,
    /// The shop as visitors see it.
    pub(crate) storefronts: Arc<Storefronts>,
    /// Channels to which deals are posted.
    pub(crate) channels: Arc<Channels>,
    /// Sends mails.
    pub mail: MailServer,
    /// Addresses that get mails without an account.
    pub(crate) subscribers: Subscribers,
    /// Page views of products and searches without results.
    pub page_views: PageViewCounter,
    /// Last runs of the background jobs.
    pub last_runs: LastRuns,
    /// Wakes the backup job, which then reads its schedule again.
    pub backup_waker: Waker,
    /// Wakes the job that sends queued messages.
    pub outgoing_waker: Waker,
}

/// Options of the command line.
#[derive(Debug, Clone)]
pub struct Options {
    /// Public address of the site; never taken from a request.
    pub public_url: Url,
    /// How session cookies are set.
    pub cookies: CookieMode,
    /// Whether browsers may sign in over plain http from other machines.
    pub allow_http_sign_in: bool,
    /// Whether administrators need a second factor.
    pub require_totp: bool,
    /// Whether HSTS includes the subdomains of the public address (RFC 6797, section 6.1.2).
    pub hsts_subdomains: bool,
    /// Proxies whose `X-Forwarded-For` is trusted.
    pub trusted_proxies: Vec<IpNet>,
    /// Networks whose clicks count as the owner's.
    pub own_networks: Vec<IpNet>,
    /// Networks of private addresses to which webhooks may lead.
    pub fetch_networks: Vec<IpNet>,
    /// Origins of other sites that may call the API.
    pub cors_origins: Vec<String>,
    /// Affiliate disclosure, unless the settings have one.
    pub disclosure: String,
    /// Whether the service worker keeps copies for offline use.
    pub offline: bool,
    /// Address of the shop that is followed, if this is a copy that follows one.
    pub leader: Option<Url>,
    /// Seconds for which a shared cache may use public responses; `None` disables it.
    pub shared_cache: Option<u32>,
}

impl AppState {
    /// Assembles the state.
    pub fn new(store: Store, accounts: Accounts, options: Options, services: Services) -> Self {
        let shared = Arc::new(StateInner {
            accounts,
            options,
            classifier: Classifier::default(),
            picture_reports: PictureReports::default(),
            over_reports: OverReports::default(),
            slow_log: LogLimit::default(),
            rate_limits: RateLimits::default(),
            services,
            metrics: OnceLock::new(),
            proxy_warning: Once::new(),
            response_cache: ResponseCache::default(),
            renderer: Renderer::default(),
            lanes: Lanes::start(),
            exports: Arc::new(Semaphore::new(EXPORTS)),
            copies: Copies::default(),
        });
        Self { store, shared }
    }

    /// Returns a check whether the state is still in use, which does not keep it alive.
    pub(crate) fn in_use(&self) -> impl Fn() -> bool + use<> {
        let shared = Arc::downgrade(&self.shared);
        move || shared.strong_count() > 0
    }

    /// The database.
    pub fn store(&self) -> &Store {
        &self.store
    }

    pub(crate) fn options(&self) -> &Options {
        &self.shared.options
    }

    /// Public address of the site.
    pub fn public_url(&self) -> &Url {
        &self.shared.options.public_url
    }

    /// Classifies clicks (person, bot, own).
    pub(crate) fn classifier(&self) -> &Classifier {
        &self.shared.classifier
    }

    /// Limits log lines about slow responses.
    pub(crate) fn slow_log(&self) -> &LogLimit {
        &self.shared.slow_log
    }

    /// Visitors' reports of pictures that failed to load.
    pub(crate) fn picture_reports(&self) -> &PictureReports {
        &self.shared.picture_reports
    }

    /// Bounds on visitors' reports that a deal is over.
    pub(crate) fn over_reports(&self) -> &OverReports {
        &self.shared.over_reports
    }

    /// Page views of products and searches without results, to add to.
    pub(crate) fn page_views(&self) -> &PageViewCounter {
        &self.shared.services.page_views
    }

    /// The mail server, which settings may change.
    pub(crate) fn mail(&self) -> &MailServer {
        &self.shared.services.mail
    }

    /// Returns the mailer in force, which may be read from the database.
    pub(crate) async fn mailer(&self) -> Result<Arc<Mailer>, ApiError> {
        let mail = self.mail().clone();
        self.query(move |_| Ok(mail.current())).await
    }

    /// Addresses that get mails without an account.
    pub(crate) fn subscribers(&self) -> &Subscribers {
        &self.shared.services.subscribers
    }

    /// Channels to which deals are posted.
    pub(crate) fn channels(&self) -> &Channels {
        &self.shared.services.channels
    }

    pub(crate) fn last_runs(&self) -> &LastRuns {
        &self.shared.services.last_runs
    }

    /// Takes a slot for an export, released when dropped.
    pub(crate) fn export_slot(&self) -> Result<OwnedSemaphorePermit, ApiError> {
        Arc::clone(&self.shared.exports)
            .try_acquire_owned()
            .map_err(|_| ApiError::Busy)
    }

    /// The copy of the database that waits for its download.
    pub(crate) fn copies(&self) -> &Copies {
        &self.shared.copies
    }

    /// Wakes the job that sends queued messages.
    pub(crate) fn outgoing_waker(&self) -> &Waker {
        &self.shared.services.outgoing_waker
    }

    /// Wakes the backup job, which then reads its schedule again.
    pub(crate) fn backup_waker(&self) -> &Waker {
        &self.shared.services.backup_waker
    }

    /// The schedule of backups, which settings may change.
    pub(crate) fn backups(&self) -> &BackupSchedule {
        &self.shared.services.backups
    }

    /// Has the warning about an untrusted proxy logged once.
    pub(crate) fn proxy_warning(&self) -> &Once {
        &self.shared.proxy_warning
    }

    pub(crate) fn certificate(&self) -> Option<&SiteCertificate> {
        self.shared.services.certificate.as_ref()
    }

    pub(crate) fn enable_metrics(&self) {
        self.shared.metrics.get_or_init(Metrics::default);
    }

    /// Request counters, if enabled.
    pub(crate) fn metrics(&self) -> Option<&Metrics> {
        self.shared.metrics.get()
    }

    pub(crate) fn storefronts(&self) -> &Storefronts {
        &self.shared.services.storefronts
    }

    /// Returns the storefront of the current settings.
    pub(crate) async fn storefront(&self) -> Result<Arc<Storefront>, ApiError> {
        if let Some(known) = self.storefronts().known(&self.store) {
            return Ok(known);
        }
        let shared = self.clone();
        self.query(move |store| shared.storefronts().current(store))
            .await
    }

    pub(crate) fn rate_limits(&self) -> &RateLimits {
        &self.shared.rate_limits
    }

    pub(crate) fn response_cache(&self) -> &ResponseCache {
        &self.shared.response_cache
    }

    /// Renders visitors' pages.
    pub(crate) fn renderer(&self) -> &Renderer {
        &self.shared.renderer
    }

    /// Queues for work that visitors wait for.
    pub(crate) fn lanes(&self) -> &Lanes {
        &self.shared.lanes
    }

    /// Runs blocking work that builds a response from the database.
    pub(crate) async fn work<T, F>(&self, work: F) -> Result<T, ApiError>
    where
        T: Send + 'static,
        F: FnOnce(&Store) -> Result<T, ApiError> + Send + 'static,
    {
        let store = self.store.clone();
        block(move || work(&store)).await
    }

    /// Runs a query on a blocking thread, so that other requests of this worker need not wait for
    /// it.
    pub(crate) async fn query<T, F>(&self, query: F) -> Result<T, ApiError>
    where
        T: Send + 'static,
        F: FnOnce(&Store) -> Result<T, StoreError> + Send + 'static,
    {
        let store = self.store.clone();
        block(move || query(&store)).await
    }

    /// Runs account operations on a blocking thread.
    pub(crate) async fn accounts_work<T, F>(&self, work: F) -> Result<T, ApiError>
    where
        T: Send + 'static,
        F: FnOnce(&Accounts) -> Result<T, AccountError> + Send + 'static,
    {
        let accounts = self.shared.accounts.clone();
        block(move || work(&accounts)).await
    }

    /// Runs account operations that hash a password, in the party's turn.
    pub(crate) async fn hashing<T, F>(
        &self,
        party: impl Into<Party>,
        work: F,
    ) -> Result<T, ApiError>
    where
        T: Send + 'static,
        F: FnOnce(&Accounts) -> Result<T, AccountError> + Send + 'static,
    {
        let state = self.clone();
        let lane = &self.shared.lanes.sign_ins;
        lane.run(party, move |_| work(&state.shared.accounts)).await
    }

    /// Reads a file, or does other work of the office that takes long, in the party's turn and on threads
    /// of its own. The flag becomes true when the client has gone.
    pub(crate) async fn file_work<T, F>(&self, party: Party, work: F) -> Result<T, ApiError>
    where
        T: Send + 'static,
        F: FnOnce(&Store, &Arc<AtomicBool>) -> Result<T, ApiError> + Send + 'static,
    {
        let state = self.clone();
        let lane = &self.shared.lanes.files;
        lane.run(party, move |is_abandoned| work(&state.store, is_abandoned))
            .await
    }

    /// Reads a picture in the party's turn, one at a time, because each takes up to 120 MB.
    pub(crate) async fn picture_work<T, F>(&self, party: Party, work: F) -> Result<T, ApiError>
    where
        T: Send + 'static,
        F: FnOnce(&Store) -> Result<T, ApiError> + Send + 'static,
    {
        let state = self.clone();
        let lane = &self.shared.lanes.pictures;
        lane.run(party, move |_| work(&state.store)).await
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
