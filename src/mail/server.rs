//! The mail server to use, and the URL that names one.

use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;

use url::{ParseError, Url};

use super::MailConfigError;
use super::addresses::{decoded, is_loopback};
use crate::domain::MailSecurity;

/// Says whether an address may be dialled.
pub type MayDial = Arc<dyn Fn(SocketAddr) -> bool + Send + Sync>;

/// A mail server.
pub struct Server {
    /// Name or address, without brackets.
    pub host: String,
    /// Port.
    pub port: u16,
    /// Encryption; [`MailSecurity::None`] is for a server on this machine.
    pub security: MailSecurity,
    /// Name and password of a login.
    pub login: Option<(String, String)>,
    /// Addresses that may be dialled, of a server that an administrator chose; `None` for any.
    pub may_dial: Option<MayDial>,
}

impl Server {
    /// Parses a URL like `smtps://user:password@mail.example.com:465`.
    pub(super) fn parse(url: &str) -> Result<Self, MailConfigError> {
        let refuse = |reason: &str| MailConfigError::Url(reason.to_owned());
        // The error must not repeat the URL, which has a password.
        let url = Url::parse(url.trim()).map_err(|error| match error {
            ParseError::RelativeUrlWithoutBase => refuse("it has no smtps:// or smtp://"),
            ParseError::InvalidPort => refuse("what follows the colon is not a port"),
            other => refuse(&other.to_string()),
        })?;
        let is_whole = url.query().is_none() && url.fragment().is_none();
        if !is_whole || !matches!(url.path(), "" | "/") {
            return Err(refuse("it has a /, ? or # before its end"));
        }
        if url.scheme() == "smtp" && url.port() == Some(465) {
            return Err(refuse("port 465 is TLS from the start, so it is smtps://"));
        }
        let host = url.host_str().unwrap_or_default();
        let host = host.trim_matches(['[', ']']).to_owned();
        if host.is_empty() {
            return Err(refuse("it names no host"));
        }
        let (security, port) = match url.scheme() {
            "smtps" => (MailSecurity::Tls, 465),
            "smtp" if is_loopback(&host) => (MailSecurity::None, 25),
            "smtp" => (MailSecurity::StartTls, 587),
            other => return Err(refuse(&format!("{other} is neither smtp nor smtps"))),
        };
        let password = url.password().unwrap_or_default();
        let login =
            (!url.username().is_empty()).then(|| (decoded(url.username()), decoded(password)));
        Ok(Self {
            host,
            port: url.port().unwrap_or(port),
            security,
            login,
            may_dial: None,
        })
    }
}

impl fmt::Display for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.host.contains(':') {
            write!(f, "[{}]:{}", self.host, self.port)
        } else {
            write!(f, "{}:{}", self.host, self.port)
        }
    }
}
