//! Sends mail over SMTP, or writes it to the log if there is no mail server.

use std::net::IpAddr;
use std::time::Duration;

use lettre::message::{Mailbox, MultiPart};
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Tls, TlsParameters};
use lettre::{SmtpTransport, Transport};
use url::Url;

/// Timeout of the mail server.
const TIMEOUT: Duration = Duration::from_secs(20);

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
}

/// Mail configuration error, with advice.
#[derive(Debug, thiserror::Error)]
pub enum MailConfigError {
    /// Invalid URL of the mail server.
    #[error(
        "DEALS_SMTP_URL is not an address of a mail server: {0}. \
         Write it like smtps://user:password@mail.example.com:465, or smtp:// for STARTTLS."
    )]
    Url(String),
    /// A server without a sender.
    #[error(
        "DEALS_MAIL_FROM is missing: with DEALS_SMTP_URL, mails need a sender, like \"Deals <deals@example.com>\""
    )]
    NoSender,
    /// Invalid sender.
    #[error(
        "DEALS_MAIL_FROM is not an e-mail address: write it like \"Deals <deals@example.com>\""
    )]
    Sender,
}

/// Destination of mails.
pub enum Mailer {
    /// A mail server.
    Smtp(Box<Smtp>),
    /// The log.
    Log,
}

/// Mail server and sender.
pub struct Smtp {
    transport: SmtpTransport,
    from: Mailbox,
}

impl Mailer {
    /// Creates a mailer. `smtps` uses TLS from the start; `smtp` requires STARTTLS unless the
    /// server is on this machine.
    pub fn smtp(url: &str, from: Option<&str>) -> Result<Self, MailConfigError> {
        let refuse = |reason: &str| MailConfigError::Url(reason.to_owned());
        let from = from.ok_or(MailConfigError::NoSender)?;
        let from = from.parse().map_err(|_| MailConfigError::Sender)?;
        // The error must not repeat the URL, which has a password.
        let url = Url::parse(url).map_err(|error| refuse(&error.to_string()))?;
        let name = url.host_str().unwrap_or_default().to_owned();
        if name.is_empty() {
            return Err(refuse("it names no host"));
        }
        let parameters =
            || TlsParameters::new(name.clone()).map_err(|error| refuse(&error.to_string()));
        let (tls, port) = match url.scheme() {
            "smtps" => (Tls::Wrapper(parameters()?), 465),
            "smtp" if is_loopback(&name) => (Tls::None, 25),
            "smtp" => (Tls::Required(parameters()?), 587),
            other => return Err(refuse(&format!("{other} is neither smtp nor smtps"))),
        };
        let mut builder = SmtpTransport::builder_dangerous(name.clone())
            .port(url.port().unwrap_or(port))
            .tls(tls)
            .timeout(Some(TIMEOUT));
        if !url.username().is_empty() {
            builder = builder.credentials(Credentials::new(
                decoded(url.username()),
                decoded(url.password().unwrap_or_default()),
            ));
        }
        Ok(Self::Smtp(Box::new(Smtp {
            transport: builder.build(),
            from,
        })))
    }

    /// Sends a mail.
    ///
    /// # Errors
    ///
    /// The kind of failure, without the server's words, which may repeat the address.
    pub fn send(&self, message: &Message) -> Result<(), String> {
        match self {
            Self::Smtp(smtp) => smtp.send(message),
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
    /// The kind of failure.
    pub fn check(&self) -> Result<(), String> {
        match self {
            Self::Smtp(smtp) => match smtp.transport.test_connection() {
                Ok(true) => Ok(()),
                Ok(false) => Err("the mail server does not answer".to_owned()),
                Err(error) => Err(describe(&error)),
            },
            Self::Log => Ok(()),
        }
    }
}

impl Smtp {
    fn send(&self, message: &Message) -> Result<(), String> {
        let to = message
            .to
            .parse()
            .map_err(|_| "the recipient is not a valid address".to_owned())?;
        let mail = lettre::Message::builder()
            .from(self.from.clone())
            .to(Mailbox::new(None, to))
            .subject(&message.subject)
            .multipart(MultiPart::alternative_plain_html(
                message.text.clone(),
                message.html.clone(),
            ))
            .map_err(|_| "the mail could not be composed".to_owned())?;
        self.transport
            .send(&mail)
            .map(drop)
            .map_err(|error| describe(&error))
    }
}

/// Describes a failure without the server's words: they may repeat the address, which must not be
/// logged.
fn describe(error: &lettre::transport::smtp::Error) -> String {
    match error.status() {
        Some(code) => format!("the mail server refused with code {code}"),
        None if error.is_timeout() => "the mail server did not answer in time".to_owned(),
        None if error.is_tls() => "no secure connection to the mail server".to_owned(),
        None if error.is_client() => {
            "the mail server does not support what the configuration requires".to_owned()
        }
        None => "the mail server could not be reached".to_owned(),
    }
}

/// `url` parses addresses of web schemes only; here they are names.
fn is_loopback(host: &str) -> bool {
    let address = host.trim_matches(['[', ']']).parse::<IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}

fn decoded(text: &str) -> String {
    let bytes = text.replace('+', "%2B");
    url::form_urlencoded::parse(bytes.as_bytes())
        .next()
        .map(|(text, _)| text.into_owned())
        .unwrap_or_default()
}
