//! `deals serve`.

use std::path::Path;
use std::sync::Arc;

use clap::Args;
use jiff::Timestamp;
use url::Url;

use super::Usage;
use super::accounts::setup_link::setup_line;
use super::greeting::Greeting;
use super::options::{MailConfig, ServeConfig, environment};
use super::senders::{origin, senders, storefronts};
use crate::accounts::{Accounts, MailOptions, MailServer, Secrets, renew_setup_link};
use crate::catalog::demo;
use crate::clicks::PageViewCounter;
use crate::domain::is_this_machine;
use crate::http::{AppState, Certificate, CookieMode, Options, Server, Services};
use crate::jobs::{Context, Jobs};
use crate::mail::Mailer;
use crate::maintenance::backups::{BackupOptions, BackupPlan, BackupSchedule};
use crate::replica::{Copy, POLL, Role, Tend};
use crate::store::{
    Import, OpenError, ServerLock, ServerSubject, Store, examine, has_room, is_read_only, is_there,
    key_check_of, server_setting_of,
};
use crate::telemetry;

/// The options of `deals serve`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  deals serve --demo                         look around in a shop with demo products
  deals serve --db shop.sqlite --listen 0.0.0.0:8080 --public-url https://deals.example.com

Prints a link that makes the first administrator in a browser, until there is one.
Stop it with Ctrl-C or SIGTERM: running requests finish first.
DEALS_LOG chooses what is logged (error, warn, info, debug).")]
pub(super) struct Serve {
    #[command(flatten)]
    config: ServeConfig,
}

impl Serve {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let config = self.config;
        telemetry::init(config.log_format).map_err(Usage)?;
        for warning in environment::unknown() {
            tracing::warn!("{warning}");
        }
        let known_url = config.known_url();
        let mailer = mailer(&config.mail, known_url.as_ref())?.map(MailServer::given);
        let path = &config.database.db;
        let listening = config
            .address
            .listening(path, config.metrics_listen.as_deref());
        if listening.redirect_from.is_some() && known_url.is_none() {
            let reason = "where --redirect-from leads to is unknown: \
                          name the address that visitors use, with --public-url.";
            return Err(Usage(reason.to_owned()).into());
        }
        let certificate = listening.certificate.clone();
        let mut server = Server::bind(listening)?;
        if config.machines.follow.is_none() {
            examine(path)?;
        }
        while let Some(next) = Self::serve(server, &config, mailer.as_ref(), certificate.as_ref())?
        {
            server = next;
        }
        Ok(())
    }

    /// Serves until the server is stopped, or until a disk that was full or read-only can be written to:
    /// returns the server that goes on then.
    fn serve(
        server: Server,
        config: &ServeConfig,
        mailer: Option<&MailServer>,
        certificate: Option<&Certificate>,
    ) -> anyhow::Result<Option<Server>> {
        let path = &config.database.db;
        let Opened {
            lock,
            store,
            secrets,
            tend,
        } = open(config)?;
        let is_copy = tend.is_some() && store.is_read_only();
        let successor = if tend.is_some() || store.is_read_only() {
            Some(server.successor(certificate.cloned())?)
        } else {
            None
        };
        let certificate = server.certificate();
        let known_url = config.known_url();
        let demo = fill_empty_shop(config, &store)?;
        if !store.is_read_only() {
            keep_feed_base(&store, known_url.as_ref())?;
        }
        let public_url = known_url.unwrap_or_else(|| server.local_url());
        let tag = secrets.shop_tag();
        let options = options(config, public_url.clone(), tag, is_copy);
        let shop = origin(&public_url).to_owned();
        let page_views = PageViewCounter::default();
        let stopper = server.stopper();
        let keys = secrets.clone();
        let (mail, backups) = if is_copy {
            (MailServer::given(Mailer::Log), BackupSchedule::given(None))
        } else {
            mail_and_backups(config, mailer.cloned(), &store, &keys)
        };
        let storefronts = storefronts(&options, &mail);
        let senders = senders(config, &store, &keys, &mail, &storefronts, &public_url);
        let (channels, subscribers) = (senders.channels.clone(), senders.subscribers.clone());
        let context = Context::new(
            store.clone(),
            senders,
            page_views.clone(),
            backups.clone(),
            certificate.clone(),
            move |reason| match reason {
                Some(reason) => stopper.stop(reason),
                None => stopper.start_anew(),
            },
        );
        let jobs = Jobs::start(context, lock.clone(), tend)?;
        let accounts = Accounts::new(store.clone(), secrets, &shop, jobs.outgoing_waker());
        let services = Services {
            backups,
            certificate,
            storefronts,
            channels,
            mail,
            subscribers,
            page_views,
            last_runs: jobs.last_runs(),
            backup_waker: jobs.backup_waker(),
            outgoing_waker: jobs.outgoing_waker(),
        };
        let state = AppState::new(store.clone(), accounts, options, services);
        let address = server.local_url();
        let greeting = Greeting {
            address: origin(&address),
            plain: server.redirects_from(),
            metrics: server.metrics_at(),
            database: path,
            products: u64::try_from(store.count_products()?).unwrap_or_default(),
            demo,
            setup: new_setup_secret(&store).map(|secret| setup_line(&public_url, &secret)),
        };
        drop(store);
        let goes_on = server.run(state, || greeting.print())?;
        Ok(successor.filter(|_| goes_on))
    }
}

/// The database of a server, open.
struct Opened {
    lock: Option<Arc<ServerLock>>,
    store: Store,
    secrets: Secrets,
    /// Role of a machine among several.
    tend: Option<Tend>,
}

/// Opens the database of the shop, or a copy of the one that is followed.
fn open(config: &ServeConfig) -> anyhow::Result<Opened> {
    let path = &config.database.db;
    let key = config.key.reveal();
    let (copy, tend): Role = match (config.machines.cluster(path)?, &config.machines.follow) {
        (Some(cluster), _) => cluster.join(key)?,
        (None, Some(place)) => {
            let (lock, store, mut copy) = Copy::open(place, path, key)?;
            let tend = move |_: &_| copy.advance().map(|()| Some(POLL));
            (Some((lock, store)), Box::new(tend))
        }
        (None, None) => return open_own(path, key),
    };
    let Some((lock, store)) = copy else {
        let own = open_own(path, key)?;
        // One that can't write does not lead until it can.
        let tend = Some(tend).filter(|_| !own.store.is_read_only());
        return Ok(Opened { tend, ..own });
    };
    Ok(Opened {
        lock: Some(Arc::new(lock)),
        secrets: Secrets::load(key, &store)?,
        store,
        tend: Some(tend),
    })
}

/// Opens the database to write, or only to read it while its disk is full or read-only.
fn open_own(path: &Path, secret: Option<&str>) -> anyhow::Result<Opened> {
    let to_write = || {
        let lock = Arc::new(ServerLock::acquire(path)?);
        let store = Store::open(path)?;
        store.guard()?;
        Ok(Opened {
            lock: Some(lock),
            secrets: Secrets::load(secret, &store)?,
            store,
            tend: None,
        })
    };
    let is_in_use =
        |error: &anyhow::Error| matches!(error.downcast_ref(), Some(OpenError::InUse { .. }));
    let opened = match to_write() {
        Err(error) if !is_in_use(&error) && is_there(path) && !has_room(path) => {
            let store = Store::open_for_reading(path)?;
            Opened {
                lock: ServerLock::acquire(path).ok().map(Arc::new),
                secrets: Secrets::load(secret, &store)?,
                store,
                tend: None,
            }
        }
        opened => opened?,
    };
    if opened.store.is_read_only() {
        let disk = if is_read_only(path) {
            "read-only"
        } else {
            "full"
        };
        tracing::warn!(
            "the disk of {} is {disk}: visitors can read, and nothing can be changed until the disk \
             can be written to, which the server notices by itself",
            path.display(),
        );
    }
    Ok(opened)
}

/// With `--demo`, adds the demo products to an empty database, and returns their number.
fn fill_empty_shop(config: &ServeConfig, store: &Store) -> anyhow::Result<Option<Option<u64>>> {
    if !config.demo || store.is_read_only() {
        return Ok(None);
    }
    let import = Import::begin(&config.database.db)?;
    Ok(Some(demo::fill(store, import, true, Timestamp::now())?))
}

/// Keeps the public address for the ids of feed entries, if it is one that others reach.
fn keep_feed_base(store: &Store, known_url: Option<&Url>) -> anyhow::Result<()> {
    match known_url {
        Some(url) if url.scheme() == "https" && !is_this_machine(url) => {
            Ok(store.keep_feed_base(url.as_str())?)
        }
        _ => Ok(()),
    }
}

/// Returns the mail server and the schedule of backups: those of options, or else those of settings.
fn mail_and_backups(
    config: &ServeConfig,
    mailer: Option<MailServer>,
    store: &Store,
    keys: &Secrets,
) -> (MailServer, BackupSchedule) {
    let mail = mailer
        .unwrap_or_else(|| MailServer::chosen(store.clone(), keys.clone(), mail_options(config)));
    let backups = match config.backups.plan() {
        Some(plan) => BackupSchedule::given(Some(plan)),
        None => BackupSchedule::chosen(store.clone(), keys.clone(), backup_options(config)),
    };
    (mail, backups)
}

/// Returns the options of the server for a site at this address.
fn options(config: &ServeConfig, public_url: Url, shop_tag: u32, is_copy: bool) -> Options {
    let origins = config.cors_origin.iter();
    let leader = config.machines.leader.as_ref();
    let leader = leader.unwrap_or(&public_url).clone();
    Options {
        cookies: CookieMode {
            secure: is_secure(&public_url, config.allow_http_sign_in),
            shop: public_url.port().map(|_| shop_tag),
        },
        leader: is_copy.then_some(leader),
        public_url,
        allow_http_sign_in: config.allow_http_sign_in,
        require_totp: config.require_totp,
        hsts_subdomains: config.hsts_subdomains,
        trusted_proxies: config.trusted_proxy.clone(),
        own_networks: config.own_network.clone(),
        cors_origins: origins
            .map(|url| url.origin().ascii_serialization())
            .collect(),
        fetch_networks: config.fetching.fetch_network.clone(),
        disclosure: config.disclosure.clone(),
        offline: !config.no_offline,
        shared_cache: config.shared_cache,
    }
}

/// Makes a setup link, unless there is an administrator; a full disk must not prevent a start.
fn new_setup_secret(store: &Store) -> Option<String> {
    if store.is_read_only() {
        return None;
    }
    renew_setup_link(store).unwrap_or_else(|error| {
        tracing::warn!(%error, "no setup link could be made: run `deals setup-link` later");
        None
    })
}

/// Returns the mail server that options name for the site at this address, if they name one.
pub(super) fn mailer(config: &MailConfig, site: Option<&Url>) -> anyhow::Result<Option<Mailer>> {
    let Some(url) = config.url() else {
        return Ok(None);
    };
    let (from, authority) = (config.mail_from.as_deref(), config.smtp_ca.as_deref());
    Ok(Some(Mailer::smtp(url, from, authority, site)?))
}

/// Returns what mails of the shop in a database go by: the server that options name, or else the chosen one.
pub(super) fn mailer_of(
    config: &MailConfig,
    options: &MailOptions,
    database: &Path,
    secret: Option<&str>,
) -> anyhow::Result<Mailer> {
    if let Some(mailer) = mailer(config, options.site.as_ref())? {
        return Ok(mailer);
    }
    // Other checks report a database that can't be read.
    let setting = server_setting_of(database, ServerSubject::Mail).unwrap_or_default();
    Ok(options.mailer(setting.as_ref(), secrets_of(database, secret).as_ref()))
}

/// Returns the schedule of backups of the shop in a database, if there is one.
pub(super) fn plan_of(config: &ServeConfig) -> Option<BackupPlan> {
    config.backups.plan().or_else(|| {
        let database = &config.database.db;
        let setting = server_setting_of(database, ServerSubject::Backups).unwrap_or_default();
        let secrets = secrets_of(database, config.key.reveal());
        backup_options(config).plan(setting.as_ref(), secrets.as_ref())
    })
}

/// Returns the key of a shop, unless there is none or it is another shop's.
fn secrets_of(database: &Path, secret: Option<&str>) -> Option<Secrets> {
    let known = key_check_of(database).ok().flatten()?;
    Secrets::find(secret, database, Some(known)).ok()
}

/// Returns the options for a mail server that an administrator chose.
pub(super) fn mail_options(config: &ServeConfig) -> MailOptions {
    MailOptions {
        sender: config.mail.mail_from.clone(),
        authority: config.mail.smtp_ca.clone(),
        site: config.known_url(),
        networks: config.fetching.fetch_network.clone(),
    }
}

fn backup_options(config: &ServeConfig) -> BackupOptions {
    BackupOptions {
        every: config.backups.backup_every,
        keep: config.backups.backup_keep.into(),
        networks: config.fetching.fetch_network.clone(),
    }
}

/// True for cookies that browsers send over https only; over plain http they keep others on this
/// machine or where the owner allows it.
fn is_secure(public_url: &Url, allow_http: bool) -> bool {
    if allow_http {
        return false;
    }
    if public_url.scheme() == "https" {
        return true;
    }
    if is_this_machine(public_url) {
        return false;
    }
    tracing::warn!(
        "nobody can sign in over plain http at {} with a browser: serve the site by https, \
         or take the risk with --allow-http-sign-in",
        origin(public_url)
    );
    true
}
