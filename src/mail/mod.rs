//! Sends mail over SMTP, or writes it to the log if there is no mail server.

mod addresses;

use std::error::Error as _;
use std::io;
use std::net::ToSocketAddrs;
use std::path::Path;
use std::time::Duration;

use lettre::message::header::{Header, HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart};
use lettre::transport::smtp::Error as SmtpError;
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Certificate, Tls, TlsParameters};
use lettre::{SmtpTransport, Transport};
use tokio_rustls::rustls::{CertificateError, Error as TlsError};
use url::{ParseError, Url};
use uuid::Uuid;

use addresses::{address, decoded, hello, is_loopback, sender};

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
    /// The shop's name: the sender's, if the configuration has only an address.
    pub shop: String,
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
    host: String,
    port: u16,
    /// Whether TLS begins with the connection.
    is_smtps: bool,
}

impl Mailer {
    /// Creates a mailer. `smtps` uses TLS from the start; `smtp` requires STARTTLS, which a server
    /// on this machine need not offer. `authority` is a PEM file of certificates to trust besides
    /// the public ones. The host of `site` introduces the shop to the mail server.
    pub fn smtp(
        url: &str,
        from: Option<&str>,
        authority: Option<&Path>,
        site: Option<&Url>,
    ) -> Result<Self, MailConfigError> {
        let refuse = |reason: &str| MailConfigError::Url(reason.to_owned());
        let from = from.ok_or(MailConfigError::NoSender)?;
        let from = sender(from).ok_or(MailConfigError::Sender)?;
        // The error must not repeat the URL, which has a password.
        let url = Url::parse(url.trim()).map_err(|error| match error {
            ParseError::RelativeUrlWithoutBase => refuse("it has no smtps:// or smtp://"),
            ParseError::InvalidPort => refuse("what follows the colon is no port"),
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
        let is_local = is_loopback(&host);
        let authority = authority.map(certificates).transpose()?;
        let parameters = |is_verified: bool| {
            let mut builder = TlsParameters::builder(host.clone());
            if let Some(authority) = &authority {
                builder = builder.add_root_certificate(authority.clone());
            }
            builder
                .dangerous_accept_invalid_certs(!is_verified)
                .dangerous_accept_invalid_hostnames(!is_verified)
                .build()
                .map_err(|error| refuse(&error.to_string()))
        };
        let (tls, port) = match url.scheme() {
            "smtps" => (Tls::Wrapper(parameters(true)?), 465),
            // The certificate of a server on this machine is usually its own, and nobody listens
            // in between.
            "smtp" if is_local => (Tls::Opportunistic(parameters(authority.is_some())?), 25),
            "smtp" => (Tls::Required(parameters(true)?), 587),
            other => return Err(refuse(&format!("{other} is neither smtp nor smtps"))),
        };
        let port = url.port().unwrap_or(port);
        let mut builder = SmtpTransport::builder_dangerous(host.clone())
            .port(port)
            .tls(tls)
            .hello_name(hello(site))
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
            host,
            port,
            is_smtps: url.scheme() == "smtps",
        })))
    }

    /// Host and port of the mail server, if there is one.
    pub fn server(&self) -> Option<String> {
        match self {
            Self::Smtp(smtp) => Some(smtp.server()),
            Self::Log => None,
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
            Self::Smtp(smtp) => match smtp.transport.test_connection() {
                Ok(true) => Ok(()),
                Ok(false) => Err(format!("{} does not answer", smtp.server())),
                Err(error) => Err(smtp.describe(&error)),
            },
            Self::Log => Ok(()),
        }
    }
}

impl Smtp {
    fn server(&self) -> String {
        if self.host.contains(':') {
            format!("[{}]:{}", self.host, self.port)
        } else {
            format!("{}:{}", self.host, self.port)
        }
    }

    fn send(&self, message: &Message) -> Result<(), Failure> {
        let never = |reason: &str| Failure {
            reason: reason.to_owned(),
            is_final: true,
        };
        let to = address(&message.to).ok_or_else(|| never("the recipient is not an address"))?;
        let mut from = self.from.clone();
        from.name.get_or_insert_with(|| message.shop.clone());
        let id = format!("<{}@{}>", Uuid::now_v7(), from.email.domain());
        let mail = lettre::Message::builder()
            .from(from)
            .to(Mailbox::new(None, to))
            .subject(&message.subject)
            .message_id(Some(id))
            .header(AutoSubmitted)
            .multipart(MultiPart::alternative_plain_html(
                message.text.clone(),
                message.html.clone(),
            ))
            .map_err(|_| never("the mail could not be composed"))?;
        self.transport.send(&mail).map(drop).map_err(|error| {
            let words = error.source().map(ToString::to_string);
            if error.is_client() && words.is_some_and(|words| words.contains("SMTPUTF8")) {
                return never(&format!(
                    "{} has no SMTPUTF8, so it takes no address with such letters before the @",
                    self.server()
                ));
            }
            // A refused login says nothing of the mail.
            let code = error.status().map(|code| code.to_string());
            Failure {
                reason: self.describe(&error),
                is_final: error.is_permanent()
                    && !code.is_some_and(|code| LOGIN.contains(&code.as_str())),
            }
        })
    }

    /// Describes a failure without the server's words: they may repeat the address, which must not
    /// be logged.
    fn describe(&self, error: &SmtpError) -> String {
        let reason = match (error.status(), io_error(error)) {
            (Some(code), _) => refusal(&code.to_string()),
            (None, Some(error)) => self.describe_io(error),
            // The library's own words.
            (None, None) if error.is_client() => error.source().map_or_else(
                || "can't be used".to_owned(),
                |cause| format!("can't be used: {cause}"),
            ),
            (None, None) => format!("does not answer like a mail server{}", self.hint()),
        };
        format!("{} {reason}", self.server())
    }

    /// A plain client and a server that expects TLS wait for each other.
    fn hint(&self) -> &'static str {
        if self.is_smtps {
            ""
        } else {
            "; if its port is TLS from the start, as 465 is, write smtps://"
        }
    }

    fn describe_io(&self, error: &io::Error) -> String {
        let tls = error.get_ref().and_then(|cause| cause.downcast_ref());
        if let Some(cause) = tls {
            return describe_tls(cause);
        }
        match error.kind() {
            io::ErrorKind::ConnectionRefused => "refuses connections".to_owned(),
            io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => {
                format!("did not answer in time{}", self.hint())
            }
            io::ErrorKind::UnexpectedEof | io::ErrorKind::ConnectionReset => {
                format!("closed the connection{}", self.hint())
            }
            // The standard library has no kind for a failed look-up.
            _ if (self.host.as_str(), self.port).to_socket_addrs().is_err() => {
                "can't be reached: its name is unknown".to_owned()
            }
            _ => format!("can't be reached: {error}"),
        }
    }
}

/// Marks a mail of a program, to which no program must reply (RFC 3834).
#[derive(Clone)]
struct AutoSubmitted;

impl Header for AutoSubmitted {
    fn name() -> HeaderName {
        HeaderName::new_from_ascii_str("Auto-Submitted")
    }

    fn parse(_: &str) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        Ok(Self)
    }

    fn display(&self) -> HeaderValue {
        HeaderValue::new(Self::name(), "auto-generated".to_owned())
    }
}

/// Codes that concern the login (RFC 4954).
const LOGIN: [&str; 5] = ["454", "530", "534", "535", "538"];

/// Describes a refusal by its code (RFC 5321; RFC 4954 for the login).
fn refusal(code: &str) -> String {
    if code == "530" {
        "wants a login (code 530): add a name and password".to_owned()
    } else if LOGIN.contains(&code) {
        format!(
            "refused the login (code {code}): check name and password, in which %40 stands for @, \
             %23 for # and %25 for %"
        )
    } else {
        format!("refused with code {code}")
    }
}

fn describe_tls(error: &TlsError) -> String {
    let TlsError::InvalidCertificate(cause) = error else {
        return "does not speak TLS as expected: smtps:// is TLS from the start (port 465), \
                smtp:// is STARTTLS (port 587)"
            .to_owned();
    };
    let cause = match cause {
        CertificateError::UnknownIssuer => {
            "who issued it is unknown (name the issuer's certificate by DEALS_SMTP_CA)"
        }
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => "it has expired",
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            "it is not valid yet"
        }
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            "it is for another name"
        }
        _ => "it is not valid",
    };
    format!("has a certificate that is not trusted: {cause}")
}

/// Returns the first input or output error among the causes.
fn io_error(error: &SmtpError) -> Option<&io::Error> {
    let mut cause = error.source();
    while let Some(current) = cause {
        if let Some(found) = current.downcast_ref() {
            return Some(found);
        }
        cause = current.source();
    }
    None
}

fn certificates(path: &Path) -> Result<Certificate, MailConfigError> {
    let fail = |reason: String| MailConfigError::Authority(path.display().to_string(), reason);
    let pem = std::fs::read(path).map_err(|error| fail(error.to_string()))?;
    if !String::from_utf8_lossy(&pem).contains("BEGIN CERTIFICATE") {
        return Err(fail("it has no certificate".to_owned()));
    }
    Certificate::from_pem(&pem).map_err(|error| fail(error.to_string()))
}

/// Escapes text for HTML.
pub fn escape_html(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
