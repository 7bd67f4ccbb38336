//! What can be set from outside: flags first, then `DEALS_*` variables, then defaults.
#![expect(
    rustdoc::bare_urls,
    reason = "these comments are the texts of --help, where brackets would show"
)]

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::Args;
use clap::builder::FalseyValueParser;
use ipnet::IpNet;
use jiff::{Span, SpanRelativeTo};
use url::Url;

use crate::upkeep::backups::Plan;

/// Where the data is.
#[derive(Debug, Clone, Args)]
pub struct Database {
    /// The database file; it is created when it does not exist
    #[arg(
        long,
        global = true,
        env = "DEALS_DB",
        value_name = "FILE",
        default_value = "deals.sqlite"
    )]
    pub db: PathBuf,
}

/// A value that must not be shown; it prints as `***`.
#[derive(Clone)]
pub struct Hidden(String);

impl Hidden {
    /// The value, for what it is meant for.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Hidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

impl FromStr for Hidden {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self(text.to_owned()))
    }
}

/// The shop's key. The variable is the way to set it: a command line can be read
/// by every user of the machine.
#[derive(Debug, Clone, Args)]
pub struct Key {
    /// The key that passwords, codes and tokens are made with, at least 32 bytes [default: FILE.key beside the database, made at the first start]
    #[arg(
        long,
        global = true,
        env = "DEALS_SECRET",
        value_name = "KEY",
        hide_env_values = true
    )]
    pub secret: Option<Hidden>,
}

/// How mail is sent.
#[derive(Debug, Clone, Args)]
pub struct MailConfig {
    /// The mail server, like smtps://user:password@mail.example.com [default: mails are printed in the log]
    #[arg(
        long,
        env = "DEALS_SMTP_URL",
        value_name = "URL",
        hide_env_values = true
    )]
    pub smtp_url: Option<Hidden>,

    /// Who mails are from, like "Deals <deals@example.com>"
    #[arg(long, env = "DEALS_MAIL_FROM", value_name = "SENDER")]
    pub mail_from: Option<String>,
}

/// Backups that the server makes by itself.
#[derive(Debug, Clone, Args)]
pub struct BackupConfig {
    /// The folder for backups that the server makes while it runs [default: it makes none]
    #[arg(long, env = "DEALS_BACKUP_DIR", value_name = "FOLDER")]
    pub backup_dir: Option<PathBuf>,

    /// The time between two of these backups, like 24h, 90m or 7d
    #[arg(
        long,
        env = "DEALS_BACKUP_EVERY",
        value_name = "TIME",
        default_value = "24h",
        value_parser = interval
    )]
    pub backup_every: Duration,

    /// How many of them are kept
    #[arg(
        long,
        env = "DEALS_BACKUP_KEEP",
        value_name = "N",
        default_value = "7",
        value_parser = clap::value_parser!(u16).range(1..)
    )]
    pub backup_keep: u16,
}

impl BackupConfig {
    /// When and where, if there is a folder.
    pub fn plan(&self) -> Option<Plan> {
        let folder = self.backup_dir.clone()?;
        Some(Plan {
            folder,
            every: self.backup_every,
            keep: self.backup_keep.into(),
        })
    }
}

/// How the site is served.
#[derive(Debug, Clone, Args)]
pub struct ServeConfig {
    /// The database.
    #[command(flatten)]
    pub database: Database,

    /// The address and port to listen on; port 0 takes a free one
    #[arg(
        long,
        env = "DEALS_LISTEN",
        value_name = "ADDRESS:PORT",
        default_value = "127.0.0.1:8080"
    )]
    pub listen: String,

    /// The address visitors use, like https://deals.example.com [default: the listening address]
    #[arg(long, env = "DEALS_PUBLIC_URL", value_name = "URL", value_parser = public_url)]
    pub public_url: Option<Url>,

    /// How visitors are told that the shop earns by its links; it stands on every page
    #[arg(
        long,
        env = "DEALS_DISCLOSURE",
        value_name = "TEXT",
        default_value = "We may earn a commission when you buy through links on this site."
    )]
    pub disclosure: String,

    /// Fill an empty database with demo products
    #[arg(long, env = "DEALS_DEMO", value_parser = FalseyValueParser::new())]
    pub demo: bool,

    /// Where the key is.
    #[command(flatten)]
    pub key: Key,

    /// Where mail goes.
    #[command(flatten)]
    pub mail: MailConfig,

    /// Which backups are made.
    #[command(flatten)]
    pub backups: BackupConfig,

    /// A proxy whose X-Forwarded-For tells where visitors come from, as an address or network; several with commas
    #[arg(
        long,
        env = "DEALS_TRUSTED_PROXY",
        value_name = "ADDRESS",
        value_delimiter = ',',
        value_parser = network
    )]
    pub trusted_proxy: Vec<IpNet>,

    /// Another site whose pages may use the API, like https://app.example.com; several with commas
    #[arg(
        long,
        env = "DEALS_CORS_ORIGIN",
        value_name = "URL",
        value_delimiter = ',',
        value_parser = public_url
    )]
    pub cors_origin: Vec<Url>,

    /// Let people sign in over plain http also where it is not this machine
    #[arg(long, env = "DEALS_ALLOW_HTTP_SIGN_IN", value_parser = FalseyValueParser::new())]
    pub allow_http_sign_in: bool,
}

/// The site's own address: a scheme, a host and perhaps a port, and nothing else.
fn public_url(text: &str) -> Result<Url, String> {
    let url = Url::parse(text).map_err(|error| format!("{error}; {EXAMPLE}"))?;
    let is_origin = matches!(url.scheme(), "http" | "https")
        && url.has_host()
        && url.username().is_empty()
        && url.password().is_none()
        && url.path() == "/"
        && url.query().is_none()
        && url.fragment().is_none();
    if is_origin {
        Ok(url)
    } else {
        Err(format!("the site needs an address of its own; {EXAMPLE}"))
    }
}

/// A minute at least: each backup reads the whole database.
fn interval(text: &str) -> Result<Duration, String> {
    let advice = "write a number and a unit, like 24h, 90m or 7d; a minute at least";
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

const EXAMPLE: &str = "write it like https://deals.example.com";

fn network(text: &str) -> Result<IpNet, String> {
    let text = text.trim();
    text.parse::<IpNet>()
        .or_else(|_| text.parse::<std::net::IpAddr>().map(IpNet::from))
        .map_err(|_| "write an address like 10.0.0.5, or a network like 10.0.0.0/8".to_owned())
}
