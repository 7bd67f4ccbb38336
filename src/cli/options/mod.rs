//! Options: flags, then `DEALS_*` variables, then defaults.

pub(super) mod environment;
mod fetching;
mod files;
mod hosts;
mod machines;
mod secrets;
mod values;

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use clap::builder::{PathBufValueParser, TypedValueParser};
use ipnet::IpNet;
use jiff::{Span, SpanRelativeTo};
use url::Url;

use crate::bucket::{Access, check_variables};
use crate::http::{Certificate, Listening};
use crate::maintenance::backups::{BackupPlace, BackupPlan, check_path};
use crate::store::{folder_of, with_suffix};
use crate::telemetry::LogFormat;

pub(super) use fetching::Fetching;
pub(super) use files::FileOptions;
use hosts::{contact, domain, network};
use machines::Machines;
pub(super) use secrets::Key;
use secrets::{SecretText, secret_file};
use values::{address, switch, web_address};
pub(super) use values::{number, public_url};

/// Default affiliate disclosure.
pub(super) const DISCLOSURE: &str =
    "We may earn a commission when you buy through links on this site.";

/// Database file.
#[derive(Debug, Clone, Args)]
pub(super) struct Database {
    /// The database file; created if it does not exist
    #[arg(
        long,
        global = true,
        env = "DEALS_DB",
        value_name = "FILE",
        default_value = "deals.sqlite",
        value_parser = PathBufValueParser::new().try_map(follow)
    )]
    pub db: PathBuf,
}

/// Checks the name of a database, and resolves a symbolic link: SQLite keeps the WAL beside the
/// target, and so must every other file of the database be.
///
/// # Errors
///
/// If the name is no path, or root follows another user's link to a file that is not theirs: root
/// runs commands in folders of the server's user.
fn follow(path: PathBuf) -> Result<PathBuf, String> {
    path.to_str().map_or(Ok(()), check_path)?;
    let Ok(target) = path.read_link() else {
        return Ok(path);
    };
    let maker = std::fs::symlink_metadata(&path).map_or(0, |link| link.uid());
    let owner = std::fs::metadata(&path).map(|file| file.uid()).ok();
    if rustix::process::geteuid().is_root() && maker != 0 && owner != Some(maker) {
        return Err("this is another user's link to a file that is not theirs. \
             Name the file itself, or run this as that user"
            .to_owned());
    }
    Ok(path
        .canonicalize()
        // The database may not exist yet.
        .unwrap_or_else(|_| folder_of(&path).join(target)))
}

/// Mail options.
#[derive(Debug, Clone, Args)]
pub(super) struct MailConfig {
    /// The mail server, like smtps://user:password@mail.example.com [default: mails are printed in
    /// the log]
    #[arg(
        long,
        env = "DEALS_SMTP_URL",
        value_name = "URL",
        hide_env_values = true
    )]
    smtp_url: Option<SecretText>,

    /// A file with the address of the mail server
    #[arg(
        long,
        env = "DEALS_SMTP_URL_FILE",
        value_name = "FILE",
        value_parser = secret_file
    )]
    smtp_url_file: Option<SecretText>,

    /// The sender of mails, like "Deals <deals@example.com>"
    #[arg(long, env = "DEALS_MAIL_FROM", value_name = "SENDER")]
    pub mail_from: Option<String>,

    /// Certificates of authorities to trust for the mail server besides public ones, a PEM file
    #[arg(long, env = "DEALS_SMTP_CA", value_name = "FILE")]
    pub smtp_ca: Option<PathBuf>,
}

impl MailConfig {
    /// Returns the URL of the mail server, if one is configured.
    pub(super) fn url(&self) -> Option<&str> {
        let url = self.smtp_url.as_ref().or(self.smtp_url_file.as_ref());
        url.map(SecretText::reveal).filter(|url| !url.is_empty())
    }
}

/// Options of scheduled backups.
#[derive(Debug, Clone, Args)]
pub(super) struct BackupConfig {
    /// The folder for scheduled backups, or a bucket like s3://bucket/shop [default: no backups]
    #[arg(long, env = "DEALS_BACKUP_DIR", value_name = "FOLDER", value_parser = place)]
    pub backup_dir: Option<BackupPlace>,

    /// The time between scheduled backups, like 24h, 90m or 7d
    #[arg(
        long,
        env = "DEALS_BACKUP_EVERY",
        value_name = "TIME",
        default_value = "24h",
        value_parser = interval
    )]
    pub backup_every: Duration,

    /// The number of scheduled backups to keep
    #[arg(
        long,
        env = "DEALS_BACKUP_KEEP",
        value_name = "N",
        default_value = "7",
        value_parser = number::<u16>(1..=65_535)
    )]
    pub backup_keep: u16,
}

/// Parses a place for backups; a bucket needs variables that can be used.
pub(super) fn place(text: &str) -> Result<BackupPlace, String> {
    let place = BackupPlace::parse(text)?;
    if matches!(place, BackupPlace::Bucket(_)) {
        check_variables()?;
    }
    Ok(place)
}

impl BackupConfig {
    /// Returns the schedule, if there is a folder or a bucket.
    pub(super) fn plan(&self) -> Option<BackupPlan> {
        let place = self.backup_dir.clone()?;
        Some(BackupPlan::new(
            place,
            Access::Variables,
            self.backup_every,
            self.backup_keep.into(),
        ))
    }
}

/// Listen addresses, TLS and connection limits.
#[derive(Debug, Clone, Args)]
pub(super) struct AddressConfig {
    /// The address and port to listen on; port 0 chooses a free one [default: 127.0.0.1:8080, with
    /// --acme-domain 0.0.0.0:443]
    #[arg(long, env = "DEALS_LISTEN", value_name = "ADDRESS:PORT", value_parser = address)]
    pub listen: Option<String>,

    /// Serve https with the certificate in this PEM file; it is reloaded when it changes
    #[arg(
        long,
        env = "DEALS_TLS_CERT",
        value_name = "FILE",
        requires = "tls_key",
        conflicts_with = "acme_domain"
    )]
    pub tls_cert: Option<PathBuf>,

    /// The private key of the certificate, a PEM file
    #[arg(
        long,
        env = "DEALS_TLS_KEY",
        value_name = "FILE",
        requires = "tls_cert"
    )]
    pub tls_key: Option<PathBuf>,

    /// Serve https with a certificate from Let's Encrypt for this domain; several with commas
    #[arg(long, env = "DEALS_ACME_DOMAIN", value_name = "NAME", value_delimiter = ',', value_parser = domain)]
    pub acme_domain: Vec<String>,

    /// The e-mail address for notices from Let's Encrypt, e.g. when a renewal fails
    #[arg(long, env = "DEALS_ACME_CONTACT", value_name = "EMAIL", value_parser = contact)]
    pub acme_contact: Option<String>,

    /// The directory URL of another ACME server
    #[arg(
        long,
        env = "DEALS_ACME_DIRECTORY",
        value_name = "URL",
        default_value = "https://acme-v02.api.letsencrypt.org/directory",
        value_parser = web_address
    )]
    pub acme_directory: Url,

    /// The CA certificate of that server, a PEM file [default: public CAs]
    #[arg(long, env = "DEALS_ACME_CA", value_name = "FILE")]
    pub acme_ca: Option<PathBuf>,

    /// The address and port that redirect http to https [default: with --acme-domain 0.0.0.0:80]
    #[arg(long, env = "DEALS_REDIRECT_FROM", value_name = "ADDRESS:PORT", value_parser = address)]
    pub redirect_from: Option<String>,

    /// The maximum number of open connections per client address; trusted proxies are exempt
    #[arg(
        long,
        env = "DEALS_CONNECTIONS_PER_ADDRESS",
        value_name = "N",
        default_value = "512",
        value_parser = number::<u32>(1..=1_000_000)
    )]
    pub connections_per_address: u32,
}

impl AddressConfig {
    /// Returns the listen addresses of a shop with this database and metrics address.
    pub(super) fn listening(&self, database: &Path, metrics: Option<&str>) -> Listening {
        let acme = !self.acme_domain.is_empty();
        let or = |given: &Option<String>, with_acme: &str| {
            given.clone().or_else(|| acme.then(|| with_acme.to_owned()))
        };
        let certificate = match (&self.tls_cert, &self.tls_key) {
            (Some(chain), Some(key)) => Some(Certificate::Files {
                chain: chain.clone(),
                key: key.clone(),
            }),
            _ => acme.then(|| Certificate::Acme {
                domains: self.acme_domain.clone(),
                contact: self.acme_contact.clone(),
                directory: self.acme_directory.clone(),
                authority: self.acme_ca.clone(),
                folder: with_suffix(database, ".acme"),
            }),
        };
        Listening {
            address: or(&self.listen, "0.0.0.0:443").unwrap_or_else(|| LISTEN.to_owned()),
            certificate,
            redirect_from: or(&self.redirect_from, "0.0.0.0:80"),
            metrics: metrics.map(ToOwned::to_owned),
            connections_per_address: self.connections_per_address,
        }
    }

    /// Returns the name to ask the server by.
    pub(super) fn certified_name(&self) -> &str {
        self.acme_domain.first().map_or("localhost", String::as_str)
    }

    /// Public address by the first certificate domain.
    fn acme_url(&self) -> Option<Url> {
        let domain = self.acme_domain.first()?;
        Url::parse(&format!("https://{domain}")).ok()
    }
}

/// Default listen address.
const LISTEN: &str = "127.0.0.1:8080";

/// Options of the server.
#[derive(Debug, Clone, Args)]
pub(super) struct ServeConfig {
    /// Database.
    #[command(flatten)]
    pub database: Database,

    /// Addresses.
    #[command(flatten)]
    pub address: AddressConfig,

    /// The public address of the site, like https://deals.example.com [default: the listening
    /// address]
    #[arg(long, env = "DEALS_PUBLIC_URL", value_name = "URL", value_parser = public_url)]
    pub public_url: Option<Url>,

    /// The affiliate disclosure on every page
    #[arg(
        long,
        env = "DEALS_DISCLOSURE",
        value_name = "TEXT",
        default_value = DISCLOSURE
    )]
    pub disclosure: String,

    /// Fill an empty database with demo products
    #[arg(long, env = "DEALS_DEMO", value_parser = switch)]
    pub demo: bool,

    /// Key.
    #[command(flatten)]
    pub key: Key,

    /// Mail.
    #[command(flatten)]
    pub mail: MailConfig,

    /// Backups.
    #[command(flatten)]
    pub backups: BackupConfig,

    /// A proxy whose X-Forwarded-For is trusted, as an address or network; several with commas
    #[arg(
        long,
        env = "DEALS_TRUSTED_PROXY",
        value_name = "ADDRESS",
        value_delimiter = ',',
        value_parser = network
    )]
    pub trusted_proxy: Vec<IpNet>,

    /// A network of your own, whose clicks are not counted, like 203.0.113.0/24; several with
    /// commas
    #[arg(
        long,
        env = "DEALS_OWN_NETWORK",
        value_name = "ADDRESS",
        value_delimiter = ',',
        value_parser = network
    )]
    pub own_network: Vec<IpNet>,

    /// Requests to others.
    #[command(flatten)]
    pub fetching: Fetching,

    /// The address of another Telegram Bot API server, which may be in a private network
    #[arg(long, env = "DEALS_TELEGRAM_API", value_name = "URL", value_parser = web_address)]
    pub telegram_api: Option<Url>,

    /// The origin of another site that may use the API, like https://app.example.com; several with
    /// commas
    #[arg(
        long,
        env = "DEALS_CORS_ORIGIN",
        value_name = "URL",
        value_delimiter = ',',
        value_parser = public_url
    )]
    pub cors_origin: Vec<Url>,

    /// The address and port of Prometheus metrics at /metrics; visitors should not reach it
    /// [default: off]
    #[arg(long, env = "DEALS_METRICS_LISTEN", value_name = "ADDRESS:PORT", value_parser = address)]
    pub metrics_listen: Option<String>,

    /// The format of the log
    #[arg(long, env = "DEALS_LOG_FORMAT", value_enum, default_value = "text")]
    pub log_format: LogFormat,

    /// Allow sign-in over plain http on other hosts than this machine
    #[arg(long, env = "DEALS_ALLOW_HTTP_SIGN_IN", value_parser = switch)]
    pub allow_http_sign_in: bool,

    /// Let administrators into the office only with a second factor
    #[arg(long, env = "DEALS_REQUIRE_TOTP", value_parser = switch)]
    pub require_totp: bool,

    /// Have browsers use only https for the subdomains of the public address too
    #[arg(long, env = "DEALS_HSTS_SUBDOMAINS", value_parser = switch)]
    pub hsts_subdomains: bool,

    /// Several machines.
    #[command(flatten)]
    pub machines: Machines,

    /// Disable offline copies in browsers, and delete existing ones
    #[arg(long, env = "DEALS_NO_OFFLINE", value_parser = switch)]
    pub no_offline: bool,

    /// Let a shared cache, like nginx or a CDN, reuse public responses for this many seconds
    /// [default: off]
    #[arg(long, env = "DEALS_SHARED_CACHE", value_name = "SECONDS", value_parser = number::<u32>(1..=86_400))]
    pub shared_cache: Option<u32>,
}

impl ServeConfig {
    /// Public address, if given or implied by other options.
    pub(super) fn known_url(&self) -> Option<Url> {
        self.public_url.clone().or_else(|| self.address.acme_url())
    }
}

/// Parses an interval of at least a minute, because each backup reads the whole database.
fn interval(text: &str) -> Result<Duration, String> {
    let advice = "write a number and a unit, like 24h, 90m or 7d; at least a minute";
    let span: Span = text.parse().map_err(|_| advice.to_owned())?;
    let duration = span
        .to_duration(SpanRelativeTo::days_are_24_hours())
        .map_err(|_| advice.to_owned())?;
    let duration = Duration::try_from(duration).map_err(|_| advice.to_owned())?;
    if duration < Duration::from_secs(60) {
        return Err(advice.to_owned());
    }
    Ok(duration)
}
