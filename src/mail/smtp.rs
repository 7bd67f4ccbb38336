//! Conversations with a mail server.

use std::error::Error as _;
use std::net::ToSocketAddrs;
use std::path::Path;
use std::time::Duration;

use lettre::message::header::{Header, HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart};
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Certificate, Tls, TlsParameters};
use lettre::transport::smtp::extension::ClientId;
use lettre::{SmtpTransport, Transport};
use url::Url;
use uuid::Uuid;

use super::addresses::{address, hello};
use super::{Failure, MailConfigError, Message, Server};
use crate::domain::MailSecurity;

/// Timeout of the mail server.
const TIMEOUT: Duration = Duration::from_secs(20);

/// Mail server and sender.
pub struct Smtp {
    pub(super) to: Server,
    tls: Tls,
    hello: ClientId,
    from: Mailbox,
}

impl Smtp {
    pub(super) fn new(
        to: Server,
        from: Mailbox,
        authority: Option<&Path>,
        site: Option<&Url>,
    ) -> Result<Self, MailConfigError> {
        let authority = authority.map(certificates).transpose()?;
        let parameters = |is_verified: bool| {
            let mut builder = TlsParameters::builder(to.host.clone());
            if let Some(authority) = &authority {
                builder = builder.add_root_certificate(authority.clone());
            }
            builder
                .dangerous_accept_invalid_certs(!is_verified)
                .dangerous_accept_invalid_hostnames(!is_verified)
                .build()
                .map_err(|error| MailConfigError::Server(error.to_string()))
        };
        let tls = match to.security {
            MailSecurity::Tls => Tls::Wrapper(parameters(true)?),
            // The certificate of a server on this machine is usually its own, and nobody listens
            // in between.
            MailSecurity::None => Tls::Opportunistic(parameters(authority.is_some())?),
            MailSecurity::StartTls => Tls::Required(parameters(true)?),
        };
        Ok(Self {
            to,
            tls,
            hello: hello(site),
            from,
        })
    }

    pub(super) fn server(&self) -> String {
        self.to.to_string()
    }

    pub(super) fn sender(&self) -> String {
        self.from.to_string()
    }

    /// Returns what connects to the server. The address that may be dialled is the one that is dialled,
    /// whatever the server's name leads to next.
    fn transport(&self) -> Result<SmtpTransport, String> {
        let Server { host, port, .. } = &self.to;
        let mut dialled = host.clone();
        if let Some(may_dial) = &self.to.may_dial {
            let found = (host.as_str(), *port).to_socket_addrs();
            let found: Vec<_> = found.map_or_else(|_| Vec::new(), Iterator::collect);
            let Some(first) = found.first() else {
                return Err(format!("{} was not found: check its name", self.to));
            };
            if !found.iter().all(|address| may_dial(*address)) {
                return Err(format!(
                    "{} is not at a public address. Choose another server, or have the server's operator \
                     allow the network with DEALS_FETCH_NETWORK",
                    self.to
                ));
            }
            dialled = first.ip().to_string();
        }
        let mut builder = SmtpTransport::builder_dangerous(dialled)
            .port(*port)
            .tls(self.tls.clone())
            .hello_name(self.hello.clone())
            .timeout(Some(TIMEOUT));
        if let Some((name, password)) = &self.to.login {
            builder = builder.credentials(Credentials::new(name.clone(), password.clone()));
        }
        Ok(builder.build())
    }

    pub(super) fn check(&self) -> Result<(), String> {
        match self.transport()?.test_connection() {
            Ok(true) => Ok(()),
            Ok(false) => Err(format!("{} does not answer", self.to)),
            Err(error) => Err(self.describe(&error)),
        }
    }

    pub(super) fn send(&self, message: &Message) -> Result<(), Failure> {
        let never = |reason: &str| Failure {
            reason: reason.to_owned(),
            is_final: true,
            is_of_mail: true,
        };
        let to = address(&message.to).ok_or_else(|| never("the recipient is not an address"))?;
        let mut from = self.from.clone();
        from.name.get_or_insert_with(|| message.shop.clone());
        let id = format!("<{}@{}>", Uuid::now_v7(), from.email.domain());
        let mut mail = lettre::Message::builder()
            .from(from)
            .to(Mailbox::new(None, to))
            .subject(&message.subject)
            .message_id(Some(id))
            .header(AutoSubmitted);
        if let Some(address) = &message.unsubscribe {
            let header =
                |name, value| HeaderValue::new(HeaderName::new_from_ascii_str(name), value);
            mail = mail
                .raw_header(header("List-Unsubscribe", format!("<{address}>")))
                .raw_header(header(
                    "List-Unsubscribe-Post",
                    "List-Unsubscribe=One-Click".to_owned(),
                ));
        }
        let mail = mail
            .multipart(MultiPart::alternative_plain_html(
                message.text.clone(),
                message.html.clone(),
            ))
            .map_err(|_| never("the mail could not be composed"))?;
        let transport = self.transport().map_err(|reason| Failure {
            reason,
            is_final: false,
            is_of_mail: false,
        })?;
        transport.send(&mail).map(drop).map_err(|error| {
            let words = error.source().map(ToString::to_string);
            if error.is_client() && words.is_some_and(|words| words.contains("SMTPUTF8")) {
                return never(&format!(
                    "{} has no SMTPUTF8, so it takes no address with such letters before the @",
                    self.to
                ));
            }
            Failure {
                reason: self.describe(&error),
                is_final: self.is_final(&error),
                is_of_mail: Self::is_of_mail(&error),
            }
        })
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

fn certificates(path: &Path) -> Result<Certificate, MailConfigError> {
    let fail = |reason: String| MailConfigError::Authority(path.display().to_string(), reason);
    let pem = std::fs::read(path).map_err(|error| fail(error.to_string()))?;
    if !String::from_utf8_lossy(&pem).contains("BEGIN CERTIFICATE") {
        return Err(fail("it has no certificate".to_owned()));
    }
    Certificate::from_pem(&pem).map_err(|error| fail(error.to_string()))
}
