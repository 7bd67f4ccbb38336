//! Sentences about what went wrong with a mail server.

use std::error::Error as _;
use std::io;
use std::net::ToSocketAddrs;

use lettre::transport::smtp::Error as SmtpError;
use tokio_rustls::rustls::{CertificateError, Error as TlsError};

use super::smtp::Smtp;
use crate::domain::MailSecurity;

impl Smtp {
    /// Describes a failure without the server's words: they may repeat the address, which must not
    /// be logged.
    pub(super) fn describe(&self, error: &SmtpError) -> String {
        let reason = match (error.status(), io_error(error)) {
            (Some(code), _) => self.refusal(&code.to_string()),
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

    /// Returns true for the refusal of a mail; a refused login says nothing of it.
    pub(super) fn is_final(&self, error: &SmtpError) -> bool {
        let code = error.status().map(|code| code.to_string());
        error.is_permanent() && !code.is_some_and(|code| LOGIN.contains(&code.as_str()))
    }

    /// Returns true for an answer about one mail: about its address (RFC 3463, section 3.2) or its mailbox
    /// (RFC 3463, section 3.3), like `450 4.1.2`. Others, like too many mails, are about all.
    pub(super) fn is_of_mail(error: &SmtpError) -> bool {
        let text = error.to_string();
        let mut words = text.split_whitespace();
        error.status().is_some()
            && words.any(|word| word.starts_with("4.1.") || word.starts_with("4.2."))
    }

    /// A plain client and a server that expects TLS wait for each other.
    fn hint(&self) -> &'static str {
        match (self.to.security, self.is_chosen()) {
            (MailSecurity::Tls, _) => "",
            (_, false) => "; if its port is TLS from the start, as 465 is, write smtps://",
            (_, true) => "; if its port is TLS from the start, as 465 is, choose TLS",
        }
    }

    fn describe_io(&self, error: &io::Error) -> String {
        let tls = error.get_ref().and_then(|cause| cause.downcast_ref());
        if let Some(cause) = tls {
            return self.describe_tls(cause);
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
            _ if (self.to.host.as_str(), self.to.port)
                .to_socket_addrs()
                .is_err() =>
            {
                "was not found: check its name".to_owned()
            }
            _ => format!("can't be reached: {error}"),
        }
    }

    /// Whether an administrator chose the server in a form; otherwise a URL names it.
    fn is_chosen(&self) -> bool {
        self.to.may_dial.is_some()
    }

    /// Describes a refusal by its code (RFC 5321; RFC 4954 for the login).
    fn refusal(&self, code: &str) -> String {
        if code == "530" {
            return "wants a login (code 530): add a name and password".to_owned();
        }
        if !LOGIN.contains(&code) {
            return format!("refused with code {code}");
        }
        let advice = if self.is_chosen() {
            ""
        } else {
            ", in which %40 stands for @, %23 for # and %25 for %"
        };
        format!("refused the login (code {code}): check name and password{advice}")
    }

    fn describe_tls(&self, error: &TlsError) -> String {
        let TlsError::InvalidCertificate(cause) = error else {
            let advice = match self.is_chosen() {
                true => "port 465 is for TLS, port 587 for STARTTLS",
                false => {
                    "smtps:// is TLS from the start (port 465), smtp:// is STARTTLS (port 587)"
                }
            };
            return format!("does not speak TLS as expected: {advice}");
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
}

/// Codes that concern the login (RFC 4954).
const LOGIN: [&str; 5] = ["454", "530", "534", "535", "538"];

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
