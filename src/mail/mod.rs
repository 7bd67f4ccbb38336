//! Sends mail over SMTP, or writes it to the log if there is no mail server.

mod addresses;
mod failure;
mod server;
mod smtp;

use std::path::Path;

use url::Url;

pub use addresses::{is_loopback, is_sender};
pub use server::{MayDial, Server};
use smtp::Smtp;

/// A mail with equal text and HTML parts.
#[derive(Debug)]
pub struct Message {
    /// Recipient.
    pub to: String,
    /// Subject, one line.
    pub subject: String,
    /// Plain text.
    pub text: String,
    /// HTML.
    pub html: String,
    /// The shop's name: the sender's, if the configuration has only an address.
    pub shop: String,
    /// Address at which one POST ends such mails (RFC 8058).
    pub unsubscribe: Option<String>,
}

impl Message {
    /// Composes a test mail of the shop with this name and, if known, address.
    pub fn test(to: String, shop: &str, address: Option<&str>) -> Self {
        let at = address.map_or_else(String::new, |address| format!(" ({address})"));
        let words = format!("Mail from {shop}{at} arrives.");
        Self {
            to,
            subject: format!("Test mail from {shop}"),
            html: format!(
                "<!doctype html>\n<html>\n  <body>\n<p>{}</p>\n  </body>\n</html>\n",
                escape_html(&words)
            ),
            text: words + "\n",
            shop: shop.to_owned(),
            unsubscribe: None,
        }
    }
}

/// Mail configuration error, with advice.
#[derive(Debug, thiserror::Error)]
pub enum MailConfigError {
    /// Invalid URL of the mail server.
    #[error(
        "DEALS_SMTP_URL is not an address of a mail server: {0}. \
         Write it like smtps://user:password@mail.example.com:465, or smtp:// for STARTTLS. In \
         the name and password, write %40 for @, %23 for #, %2F for /, %3F for ? and %25 for %."
    )]
    Url(String),
    /// A server without a sender.
    #[error(
        "DEALS_MAIL_FROM is missing: with DEALS_SMTP_URL, mails need a sender, like \"Deals <deals@example.com>\""
    )]
    NoSender,
    /// Invalid sender.
    #[error(
        "DEALS_MAIL_FROM is not an e-mail address: write one sender like \"Deals <deals@example.com>\""
    )]
    Sender,
    /// A server that can't be used.
    #[error("the mail server can't be used: {0}")]
    Server(String),
    /// Unusable file of certificates.
    #[error("DEALS_SMTP_CA: cannot use {0}: {1}. It must be a PEM file of certificates.")]
    Authority(String, String),
}

/// Why a mail was not sent: host, port and the kind of failure, without the server's words, which
/// may repeat the address.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{reason}")]
pub struct Failure {
    /// The reason in words.
    pub reason: String,
    /// True if another attempt would fail as well.
    pub is_final: bool,
    /// True if the server answered and refused this mail for now, which says nothing of others.
    pub is_of_mail: bool,
}

/// Destination of mails.
pub enum Mailer {
    /// A mail server.
    Smtp(Box<Smtp>),
    /// A mail server that can't be used: its host and port, and the reason.
    Unusable(String, String),
    /// The log.
    Log,
}

impl Mailer {
    /// Creates a mailer from a URL: `smtps` uses TLS from the start; `smtp` requires STARTTLS, which a
    /// server on this machine need not offer. `authority` is a PEM file of certificates to trust besides
    /// the public ones. The host of `site` introduces the shop to the mail server.
    pub fn smtp(
        url: &str,
        from: Option<&str>,
        authority: Option<&Path>,
        site: Option<&Url>,
    ) -> Result<Self, MailConfigError> {
        let from = from.ok_or(MailConfigError::NoSender)?;
        let from = addresses::sender(from).ok_or(MailConfigError::Sender)?;
        let smtp = Smtp::new(Server::parse(url)?, from, authority, site)?;
        Ok(Self::Smtp(Box::new(smtp)))
    }

    /// Creates a mailer for a server, as [`Mailer::smtp`] does.
    pub fn to(
        server: Server,
        from: &str,
        authority: Option<&Path>,
        site: Option<&Url>,
    ) -> Result<Self, MailConfigError> {
        let from = addresses::sender(from).ok_or(MailConfigError::Sender)?;
        Ok(Self::Smtp(Box::new(Smtp::new(
            server, from, authority, site,
        )?)))
    }

    /// Host and port of the mail server, if there is one.
    pub fn server(&self) -> Option<String> {
        match self {
            Self::Smtp(smtp) => Some(smtp.server()),
            Self::Unusable(server, _) => Some(server.clone()),
            Self::Log => None,
        }
    }

    /// The sender, if there is a mail server that can be used.
    pub fn sender(&self) -> Option<String> {
        match self {
            Self::Smtp(smtp) => Some(smtp.sender()),
            Self::Unusable(..) | Self::Log => None,
        }
    }

    /// Sends a mail.
    ///
    /// # Errors
    ///
    /// See [`Failure`].
    pub fn send(&self, message: &Message) -> Result<(), Failure> {
        match self {
            Self::Smtp(smtp) => smtp.send(message),
            Self::Unusable(_, reason) => Err(Failure {
                reason: reason.clone(),
                is_final: false,
                is_of_mail: false,
            }),
            Self::Log => {
                tracing::warn!(
                    to = message.to,
                    subject = message.subject,
                    "no mail server is configured, so this mail is printed here:\n{}",
                    message.text
                );
                Ok(())
            }
        }
    }

    /// Checks the connection to the mail server.
    ///
    /// # Errors
    ///
    /// Host, port and the kind of failure.
    pub fn check(&self) -> Result<(), String> {
        match self {
            Self::Smtp(smtp) => smtp.check(),
            Self::Unusable(_, reason) => Err(reason.clone()),
            Self::Log => Ok(()),
        }
    }
}

/// Escapes text for HTML.
pub fn escape_html(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
