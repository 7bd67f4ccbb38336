//! `deals serve`.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{anyhow, bail};
use clap::Args;
use jiff::Timestamp;
use url::{Host, Url};

use super::options::{MailConfig, SecretText, ServeConfig};
use super::{counted, say};
use crate::accounts::{Accounts, MailWorker, Secrets};
use crate::catalog::demo;
use crate::clicks::Views;
use crate::http::{AppState, CookieMode, Options, Server, Services, Stopper};
use crate::mail::Mailer;
use crate::maintenance::backups::Schedule;
use crate::maintenance::clock;
use crate::periodic::{Next, Periodic};
use crate::store::{
    Import, Loss, OpenError, ServerLock, Store, StoreError, examine, find_damage, is_small,
};
use crate::telemetry;

/// The options of `deals serve`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  deals serve --demo                         look around in a shop with demo products
  deals serve --db shop.sqlite --listen 0.0.0.0:8080 --public-url https://deals.example.com

Stop it with Ctrl-C or SIGTERM: running requests finish first.
DEALS_LOG chooses what is logged (error, warn, info, debug).")]
pub(super) struct Serve {
    #[command(flatten)]
    config: ServeConfig,
}

impl Serve {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let config = self.config;
        telemetry::init(config.log_format).map_err(|reason| anyhow!(reason))?;
        let mailer = Arc::new(mailer(&config.mail)?);
        let path = &config.database.db;
        let listening = config
            .address
            .listening(path, config.metrics_listen.as_deref());
        let known_url = config.known_url();
        if listening.redirect_from.is_some() && known_url.is_none() {
            bail!(
                "where --redirect-from leads to is unknown: \
                 name the address that visitors use, with --public-url."
            );
        }
        let server = Server::bind(listening)?;
        examine(path)?;
        let _lock = ServerLock::take(path)?;
        let store = Store::open(path)?;
        store.guard()?;
        let secret = config.key.secret.as_ref().map(SecretText::reveal);
        let secrets = Secrets::load(secret, &store)?;
        let demo = if config.demo {
            Some(demo::fill(&store, Import::begin(path)?, Timestamp::now())?)
        } else {
            None
        };
        let public_url = known_url.unwrap_or_else(|| server.local_url());
        let cookies = cookie_mode(&public_url, config.allow_http_sign_in);
        let shop = origin(&public_url).to_owned();
        let (waker, _mail_worker) = MailWorker::open(
            store.clone(),
            secrets.clone(),
            Arc::clone(&mailer),
            shop.clone(),
        )?;
        let accounts = Accounts::new(store.clone(), secrets, &shop, waker);
        let options = Options {
            public_url,
            cookies,
            trusted_proxies: config.trusted_proxy,
            own_networks: config.own_network,
            cors_origins: config
                .cors_origin
                .iter()
                .map(|url| url.origin().ascii_serialization())
                .collect(),
            disclosure: config.disclosure,
            offline: !config.no_offline,
            shared_cache: config.shared_cache,
        };
        let plan = config.backups.plan();
        let views = Views::default();
        let services = Services {
            backups: plan.clone(),
            mailer,
            views: views.clone(),
        };
        let state = AppState::new(store.clone(), accounts, options, services);
        let _schedule = match plan {
            Some(plan) => Some(Schedule::start(plan, path.clone())?),
            None => None,
        };
        let _views = views.keep_in(store.clone())?;
        let _clock = clock::start(store.clone())?;
        let address = server.local_url();
        let greeting = Greeting {
            address: origin(&address),
            plain: server.redirects_from(),
            metrics: server.metrics_at(),
            database: path,
            products: u64::try_from(store.count_products()?).unwrap_or_default(),
            demo,
        };
        if !is_small(path) {
            watch_for_damage(path.clone(), server.stopper())?;
        }
        let _watch = watch_for_loss(store, path.clone(), server.stopper())?;
        server.run(state, || greeting.print())?;
        Ok(())
    }
}

/// Looks through a large database while it is served, and stops the server when it is
/// damaged: what is written to it then may be lost, and may spoil more.
fn watch_for_damage(path: PathBuf, stopper: Stopper) -> std::io::Result<()> {
    std::thread::Builder::new()
        .name("check".to_owned())
        .spawn(move || match find_damage(&path) {
            Ok(()) => tracing::debug!("the database is sound"),
            Err(damage @ OpenError::Damaged { .. }) => stopper.stop(damage.to_string()),
            Err(error) => tracing::warn!(%error, "the database could not be looked through"),
        })?;
    Ok(())
}

/// How often a server looks whether its database is still there.
const LOOK_FOR_LOSS: Duration = Duration::from_secs(1);

/// Looks whether the database is still the file that was opened, saves what can be saved
/// of one that is lost, and stops the server.
fn watch_for_loss(store: Store, path: PathBuf, stopper: Stopper) -> std::io::Result<Periodic> {
    let watch = move || match store.look_for_loss() {
        Err(StoreError::Gone(loss)) => {
            stopper.stop(told(&store, &path, loss));
            Next::Never
        }
        _ => Next::Again,
    };
    Periodic::start("watch", LOOK_FOR_LOSS, watch, || ())
}

/// What the owner is told of a database that is lost.
fn told(store: &Store, path: &Path, loss: Loss) -> String {
    let database = path.display();
    let saved = match store.save_from(loss, Timestamp::now()) {
        Ok(Some(saved)) if loss == Loss::Deleted => format!(
            "What it held is saved as {0}: `deals restore {0} --db {database}` puts it back.",
            saved.display()
        ),
        Ok(Some(saved)) => format!(
            "What was not yet in it is kept as {}. Restore a backup with \
             `deals restore BACKUP --db {database}`, or start again with what is there now.",
            saved.display()
        ),
        Ok(None) => "What was acknowledged is in the file that was moved. Put it back, or \
                     start again with what is there now; `deals restore` replaces a \
                     database that is not being served."
            .to_owned(),
        Err(error) => format!("Restore a backup: what it held could not be saved ({error})."),
    };
    format!(
        "{database} {} while it was served, so nothing was acknowledged since. {saved}",
        loss.words()
    )
}

/// What is printed once the shop is open.
struct Greeting<'a> {
    address: &'a str,
    /// Where plain http leads to it.
    plain: Option<SocketAddr>,
    metrics: Option<SocketAddr>,
    database: &'a Path,
    products: u64,
    /// With `--demo`: how many products were added, if any.
    demo: Option<Option<u64>>,
}

impl Greeting<'_> {
    fn print(&self) {
        say(format_args!("listening on {}", self.address));
        if let Some(plain) = self.plain {
            say(format_args!("plain http is led there from http://{plain}"));
        }
        if let Some(metrics) = self.metrics {
            say(format_args!("metrics are at http://{metrics}/metrics"));
        }
        let database = self.database.display();
        say(format_args!(
            "database {database} holds {}",
            counted(self.products, "product")
        ));
        match self.demo {
            Some(Some(added)) => say(format_args!(
                "added {}, with a made-up month of clicks",
                counted(added, "demo product")
            )),
            Some(None) => say("--demo added nothing: it only fills an empty database"),
            None if self.products == 0 => say(format_args!(
                "no products yet: add some with `deals import products.json --db {database}`, \
                 or start with --demo to look around"
            )),
            None => {}
        }
    }
}

/// Where mails go.
pub(super) fn mailer(config: &MailConfig) -> anyhow::Result<Mailer> {
    let url = config.smtp_url.as_ref().map(SecretText::reveal);
    match url.filter(|url| !url.is_empty()) {
        None => Ok(Mailer::Log),
        Some(url) => Ok(Mailer::smtp(url, config.mail_from.as_deref())?),
    }
}

/// Browsers keep a secure cookie only over https, or from this machine.
fn cookie_mode(public_url: &Url, allow_http: bool) -> CookieMode {
    let on_this_machine = match public_url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    };
    if public_url.scheme() == "https" {
        return CookieMode::Secure;
    }
    if on_this_machine || allow_http {
        return CookieMode::Plain;
    }
    tracing::warn!(
        "nobody can sign in over plain http at {}: serve the site by https, \
         or take the risk with --allow-http-sign-in",
        origin(public_url)
    );
    CookieMode::Secure
}

/// A URL without the slash that an empty path has.
fn origin(url: &Url) -> &str {
    url.as_str().trim_end_matches('/')
}
