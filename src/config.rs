//! What can be set from outside: flags first, then `DEALS_*` variables, then defaults.

use std::path::PathBuf;

use clap::Args;
use url::Url;

/// Where the data is.
#[derive(Debug, Clone, Args)]
pub struct Database {
    /// The database file; it is created when it does not exist
    #[arg(
        long,
        env = "DEALS_DB",
        value_name = "FILE",
        default_value = "deals.sqlite"
    )]
    pub db: PathBuf,
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

    /// Fill an empty database with demo products
    #[arg(long, env = "DEALS_DEMO")]
    pub demo: bool,
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

const EXAMPLE: &str = "write it like https://deals.example.com";
