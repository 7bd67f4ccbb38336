//! `deals serve`.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use clap::Args;
use jiff::Timestamp;
use url::Url;

use super::accounts::setup_link::setup_line;
use super::options::{MailConfig, ServeConfig, environment};
use super::{Usage, counted, say};
use crate::accounts::{Accounts, MailSender, Secrets, WebhookSender, renew_setup_link};
use crate::catalog::demo;
use crate::clicks::Views;
use crate::domain::is_this_machine;
use crate::http::{AppState, Certificate, CookieMode, Options, Server, Services};
use crate::jobs::{Context, Jobs};
use crate::mail::Mailer;
use crate::store::{Import, ServerLock, Store, examine, is_read_only};
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
        let mailer = Arc::new(mailer(&config.mail)?);
        let path = &config.database.db;
        let listening = config
            .address
            .listening(path, config.metrics_listen.as_deref());
        let known_url = config.known_url();
        if listening.redirect_from.is_some() && known_url.is_none() {
            let reason = "where --redirect-from leads to is unknown: \
                          name the address that visitors use, with --public-url.";
            return Err(Usage(reason.to_owned()).into());
        }
        let certificate = listening.certificate.as_ref().map(Certificate::files);
        let server = Server::bind(listening)?;
        examine(path)?;
        // No other server can write to a read-only disk, and no lock file can be made there.
        let lock = if is_read_only(path) && path.exists() {
            tracing::warn!(
                "the disk of {} is read-only: visitors can read, and nothing can be changed. \
                 Start the server again when the disk is writable.",
                path.display()
            );
            None
        } else {
            Some(Arc::new(ServerLock::take(path)?))
        };
        let store = Store::open(path)?;
        store.guard()?;
        let secret = config.key.reveal();
        let secrets = Secrets::load(secret, &store)?;
        let demo = if config.demo {
            Some(demo::fill(
                &store,
                Import::begin(path)?,
                true,
                Timestamp::now(),
            )?)
        } else {
            None
        };
        let public_url = known_url.unwrap_or_else(|| server.local_url());
        let cookies = cookie_mode(&public_url, config.allow_http_sign_in);
        let shop = origin(&public_url).to_owned();
        let plan = config.backups.plan();
        let views = Views::default();
        let stopper = server.stopper();
        let jobs = Jobs::start(
            Context::new(
                store.clone(),
                MailSender::new(
                    store.clone(),
                    secrets.clone(),
                    Arc::clone(&mailer),
                    shop.clone(),
                ),
                WebhookSender::new(
                    store.clone(),
                    secrets.clone(),
                    config.fetching.fetch_network.clone(),
                    public_url.clone(),
                ),
                views.clone(),
                plan.clone(),
                certificate.clone(),
                move |reason| stopper.stop(reason),
            ),
            lock.clone(),
        )?;
        let accounts = Accounts::new(store.clone(), secrets, &shop, jobs.mail_waker());
        let shop_url = public_url.clone();
        let options = Options {
            public_url,
            cookies,
            allow_http_sign_in: config.allow_http_sign_in,
            require_totp: config.require_totp,
            hsts_subdomains: config.hsts_subdomains,
            trusted_proxies: config.trusted_proxy,
            own_networks: config.own_network,
            cors_origins: config
                .cors_origin
                .iter()
                .map(|url| url.origin().ascii_serialization())
                .collect(),
            fetch_networks: config.fetching.fetch_network,
            disclosure: config.disclosure,
            offline: !config.no_offline,
            shared_cache: config.shared_cache,
        };
        let services = Services {
            backups: plan,
            certificate,
            mailer,
            views,
            last_runs: jobs.last_runs(),
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
            setup: new_setup_secret(&store).map(|secret| setup_line(&shop_url, &secret)),
        };
        drop(store);
        server.run(state, || greeting.print())?;
        Ok(())
    }
}

/// The lines that are printed once the server answers.
struct Greeting<'a> {
    address: &'a str,
    /// The address that redirects plain http to it.
    plain: Option<SocketAddr>,
    metrics: Option<SocketAddr>,
    database: &'a Path,
    products: u64,
    /// With `--demo`, the number of products added, `None` if the database was not empty.
    demo: Option<Option<u64>>,
    /// The setup link of a shop without an administrator, in a sentence.
    setup: Option<String>,
}

impl Greeting<'_> {
    fn print(&self) {
        say(format_args!("listening on {}", self.address));
        if let Some(setup) = &self.setup {
            say(format_args!("there is no administrator yet: {setup}"));
        }
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

/// Returns the mail server that is configured, or the log without one.
pub(super) fn mailer(config: &MailConfig) -> anyhow::Result<Mailer> {
    match config.url().filter(|url| !url.is_empty()) {
        None => Ok(Mailer::Log),
        Some(url) => Ok(Mailer::smtp(
            url,
            config.mail_from.as_deref(),
            config.smtp_ca.as_deref(),
        )?),
    }
}

/// Chooses the kind of session cookie: browsers keep a secure one only over https, or from this machine.
fn cookie_mode(public_url: &Url, allow_http: bool) -> CookieMode {
    if allow_http {
        return CookieMode::Plain;
    }
    if public_url.scheme() == "https" {
        return CookieMode::Secure;
    }
    if is_this_machine(public_url) {
        return CookieMode::Plain;
    }
    tracing::warn!(
        "nobody can sign in over plain http at {} with a browser: serve the site by https, \
         or take the risk with --allow-http-sign-in",
        origin(public_url)
    );
    CookieMode::Secure
}

/// Returns a URL without the slash of an empty path.
fn origin(url: &Url) -> &str {
    url.as_str().trim_end_matches('/')
}
