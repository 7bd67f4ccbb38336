//! The mail server: of the command line, or else the one that an administrator chose.

use std::net::{Ipv6Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;

use ipnet::IpNet;
use url::{Host, Url};

use super::{ChoiceChange, SavedChoice, ServerChoice};
use crate::accounts::{AccountError, Secrets};
use crate::domain::{FieldError, MailChoice, MailSecurity};
use crate::fetch::may_dial;
use crate::mail::{Mailer, Server, is_loopback, is_sender};
use crate::store::{DerivedSetting, ServerSetting, ServerSubject, Store};

/// Maximum length of each text.
const MAX_TEXT: usize = 254;
/// Ports of a mail server on this machine: no other service there is for administrators to reach.
const MAIL_PORTS: [u16; 4] = [25, 465, 587, 2525];

impl ServerChoice for MailChoice {
    const SUBJECT: ServerSubject = ServerSubject::Mail;
    const SECRET: &'static str = "password";

    fn takes_secret(&self) -> bool {
        !self.user.is_empty()
    }

    fn has_secret_of(&self, other: &Self) -> bool {
        let login = |it: &Self| (it.host.clone(), it.port, it.security, it.user.clone());
        login(self) == login(other)
    }

    fn describe(&self) -> String {
        if self.host.is_empty() {
            return String::new();
        }
        let security = self.security.words();
        format!("{}, {security}, from {}", address(self), self.sender)
    }
}

/// Options of the command line for a mail server that was chosen.
#[derive(Debug, Clone, Default)]
pub struct MailOptions {
    /// Sender of `DEALS_MAIL_FROM`, which wins.
    pub sender: Option<String>,
    /// PEM file of certificates to trust besides the public ones.
    pub authority: Option<PathBuf>,
    /// Public address of the shop.
    pub site: Option<Url>,
    /// Networks that are not public in which the server may be.
    pub networks: Vec<IpNet>,
}

impl MailOptions {
    /// Makes the mailer of these settings. With one whose password can't be read, mails wait.
    pub fn mailer(&self, setting: Option<&ServerSetting>, secrets: Option<&Secrets>) -> Mailer {
        let choice = MailChoice::stored(setting);
        let Some(setting) = setting.filter(|_| !choice.host.is_empty()) else {
            return Mailer::Log;
        };
        let Ok(password) = MailChoice::secret(setting, secrets) else {
            let reason = "the password of the mail server was stored with another key than the shop's: \
                 enter it again in the office, at Settings, Mail";
            return Mailer::Unusable(address(&choice), reason.to_owned());
        };
        let networks = self.networks.clone();
        let login =
            (!choice.user.is_empty()).then(|| (choice.user.clone(), password.unwrap_or_default()));
        let server = Server {
            host: choice.host.clone(),
            port: choice.port,
            security: choice.security,
            login,
            may_dial: Some(Arc::new(move |address: SocketAddr| {
                let (ip, port) = (address.ip(), address.port());
                (ip.is_loopback() && MAIL_PORTS.contains(&port)) || may_dial(ip, &networks)
            })),
        };
        let sender = self.sender.as_ref().unwrap_or(&choice.sender);
        let (authority, site) = (self.authority.as_deref(), self.site.as_ref());
        Mailer::to(server, sender, authority, site)
            .unwrap_or_else(|error| Mailer::Unusable(address(&choice), error.to_string()))
    }
}

fn address(choice: &MailChoice) -> String {
    let MailChoice { host, port, .. } = choice;
    match host.contains(':') {
        true => format!("[{host}]:{port}"),
        false => format!("{host}:{port}"),
    }
}

/// The mail server in force. Clones share it.
#[derive(Clone)]
pub struct MailServer(Arc<Source>);

enum Source {
    Given(Arc<Mailer>),
    Chosen(Box<Chosen>),
}

struct Chosen {
    store: Store,
    secrets: Secrets,
    options: MailOptions,
    mailer: DerivedSetting<Arc<Mailer>>,
}

impl MailServer {
    /// Always uses this mailer.
    pub fn given(mailer: Mailer) -> Self {
        Self(Arc::new(Source::Given(Arc::new(mailer))))
    }

    /// Uses what the settings say at any time.
    pub fn chosen(store: Store, secrets: Secrets, options: MailOptions) -> Self {
        Self(Arc::new(Source::Chosen(Box::new(Chosen {
            store,
            secrets,
            options,
            mailer: DerivedSetting::new(ServerSubject::Mail),
        }))))
    }

    /// True if options of the command line name the server.
    pub fn is_given(&self) -> bool {
        matches!(*self.0, Source::Given(_))
    }

    /// Sender of the command line for a server that was chosen.
    pub fn given_sender(&self) -> Option<&str> {
        match &*self.0 {
            Source::Given(_) => None,
            Source::Chosen(chosen) => chosen.options.sender.as_deref(),
        }
    }

    /// Returns the mailer in force: if the settings can't be read, the last one.
    pub fn current(&self) -> Arc<Mailer> {
        match &*self.0 {
            Source::Given(mailer) => Arc::clone(mailer),
            Source::Chosen(chosen) => {
                let make = |setting: Option<&ServerSetting>| {
                    Arc::new(chosen.options.mailer(setting, Some(&chosen.secrets)))
                };
                let mailer = chosen.mailer.current(&chosen.store, make);
                mailer.unwrap_or_else(|| Arc::new(Mailer::Log))
            }
        }
    }

    /// Validates and stores a change; an empty host switches mail off.
    ///
    /// # Errors
    ///
    /// [`AccountError::Invalid`] with a message for each field, and those of [`ChoiceChange::save`].
    pub fn change(&self, mut change: ChoiceChange<MailChoice>) -> Result<(), AccountError> {
        let Source::Chosen(chosen) = &*self.0 else {
            return Err(AccountError::Changed);
        };
        if change.choice.host.is_empty() {
            change.choice = MailChoice::default();
        } else {
            tidy(&mut change.choice);
            let has_password = match &change.secret {
                Some(password) => !password.is_empty(),
                None => SavedChoice::<MailChoice>::read(&chosen.store)?
                    .secret_at
                    .is_some(),
            };
            let errors = check(&change, has_password, chosen.options.sender.is_some());
            if !errors.is_empty() {
                return Err(AccountError::Invalid(errors));
            }
        }
        change.save(&chosen.store, &chosen.secrets)
    }
}

fn tidy(choice: &mut MailChoice) {
    choice.host = choice.host.trim_matches(['[', ']']).to_ascii_lowercase();
    choice.sender = choice.sender.trim().to_owned();
}

/// Returns the errors of a choice with a host.
fn check(
    change: &ChoiceChange<MailChoice>,
    has_password: bool,
    has_sender: bool,
) -> Vec<FieldError> {
    let mut errors = Vec::new();
    let mut require = |holds: bool, field: &str, message: &str| {
        if !holds {
            errors.push(FieldError::new(field, message));
        }
    };
    let choice = &change.choice;
    let is_line = |text: &str| text.len() <= MAX_TEXT && !text.contains(char::is_control);
    let is_host = Host::parse(&choice.host).is_ok() || choice.host.parse::<Ipv6Addr>().is_ok();
    require(
        is_host && is_line(&choice.host),
        "host",
        "Enter the mail server's name, like mail.example.com.",
    );
    require(
        choice.port != 0,
        "port",
        "Enter a port from 1 to 65535, like 465 or 587.",
    );
    require(
        choice.security != MailSecurity::None || is_loopback(&choice.host),
        "security",
        "Choose TLS or STARTTLS: without encryption, mail goes to a server on this machine only, like \
         localhost.",
    );
    require(
        choice.security == MailSecurity::Tls || choice.port != 465,
        "security",
        "Port 465 is for TLS: choose TLS, or another port.",
    );
    require(
        is_line(&choice.user),
        "user",
        "Enter a user name of one line, at most 254 characters.",
    );
    let password = change.secret.as_deref().unwrap_or_default();
    require(
        is_line(password),
        "password",
        "Enter a password of one line, at most 254 characters.",
    );
    require(
        has_password || !choice.takes_secret(),
        "password",
        "Enter the password of this user name.",
    );
    require(
        password.is_empty() || choice.takes_secret(),
        "user",
        "Enter the user name that the password is for.",
    );
    require(
        has_sender || (is_line(&choice.sender) && is_sender(&choice.sender)),
        "sender",
        "Enter one address, like shop@example.com or Deals <shop@example.com>.",
    );
    errors
}
