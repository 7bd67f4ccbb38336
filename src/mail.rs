//! Sends mail over SMTP, or writes it to the log if there is no mail server.

use std::error::Error as _;
use std::io;
use std::net::{IpAddr, ToSocketAddrs};
use std::path::Path;
use std::time::Duration;

use lettre::message::header::{Header, HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart};
use lettre::transport::smtp::Error as SmtpError;
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Certificate, Tls, TlsParameters};
use lettre::{SmtpTransport, Transport};
use tokio_rustls::rustls::{CertificateError, Error as TlsError};
use url::Url;
use uuid::Uuid;

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
         Write it like smtps://user:password@mail.example.com:465, or smtp:// for STARTTLS, \
         with %40 for @ and %2F for / in the name and password."
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
    /// Unusable file of certificates.
    #[error("DEALS_SMTP_CA: cannot use {0}: {1}. It must be a PEM file of certificates.")]
    Authority(String, String),
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
}

impl Mailer {
    /// Creates a mailer. `smtps` uses TLS from the start; `smtp` requires STARTTLS, which a server
    /// on this machine need not offer. `authority` is a PEM file of certificates to trust besides
    /// the public ones.
    pub fn smtp(
        url: &str,
        from: Option<&str>,
        authority: Option<&Path>,
    ) -> Result<Self, MailConfigError> {
        let refuse = |reason: &str| MailConfigError::Url(reason.to_owned());
        let from = from.ok_or(MailConfigError::NoSender)?;
        let from = from.parse().map_err(|_| MailConfigError::Sender)?;
        // The error must not repeat the URL, which has a password.
        let url = Url::parse(url).map_err(|error| refuse(&error.to_string()))?;
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
    /// Host, port and the kind of failure, without the server's words, which may repeat the
    /// address.
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

    fn send(&self, message: &Message) -> Result<(), String> {
        let to = message
            .to
            .parse()
            .map_err(|_| "the recipient is not a valid address".to_owned())?;
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
            .map_err(|_| "the mail could not be composed".to_owned())?;
        self.transport
            .send(&mail)
            .map(drop)
            .map_err(|error| self.describe(&error))
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
            (None, None) => "does not answer like a mail server".to_owned(),
        };
        format!("{} {reason}", self.server())
    }

    fn describe_io(&self, error: &io::Error) -> String {
        let tls = error.get_ref().and_then(|cause| cause.downcast_ref());
        if let Some(cause) = tls {
            return describe_tls(cause);
        }
        match error.kind() {
            io::ErrorKind::ConnectionRefused => "refuses connections".to_owned(),
            io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => {
                "did not answer in time".to_owned()
            }
            io::ErrorKind::UnexpectedEof | io::ErrorKind::ConnectionReset => {
                "closed the connection".to_owned()
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

/// Describes a refusal by its code (RFC 5321; RFC 4954 for the login).
fn refusal(code: &str) -> String {
    match code {
        "530" => "wants a login (code 530): add a name and password".to_owned(),
        "454" | "534" | "535" | "538" => format!(
            "refused the login (code {code}): check name and password, which are percent-encoded"
        ),
        _ => format!("refused with code {code}"),
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

/// `url` parses addresses of web schemes only; here they are names.
fn is_loopback(host: &str) -> bool {
    let address = host.parse::<IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}

fn decoded(text: &str) -> String {
    let bytes = text.replace('+', "%2B");
    url::form_urlencoded::parse(bytes.as_bytes())
        .next()
        .map(|(text, _)| text.into_owned())
        .unwrap_or_default()
}
