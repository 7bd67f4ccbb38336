//! Sending queued mails.

use std::sync::Once;
use std::sync::mpsc::SyncSender;

use jiff::SignedDuration;

use super::server::mail::MailServer;
use super::{Secrets, monotonic_clock};
use crate::domain::{DEFAULT_NAME, Role, moment_in_india};
use crate::mail::{Failure, Mailer, Message, escape_html};
use crate::store::outgoing::{Job, Outcome, Sent};
use crate::store::{MailKind, QueuedMail, Store};

/// Seconds until a mail that failed is tried again, by its failures; the last one repeats.
const BACK_OFF: [i64; 6] = [5, 15, 60, 300, 900, 3_600];

/// Has a job run at once. The default does nothing: a command leaves its mails to the server.
#[derive(Clone, Default)]
pub struct Waker(Option<SyncSender<()>>);

impl Waker {
    /// Wakes by a message on this channel.
    pub fn new(sender: SyncSender<()>) -> Self {
        Self(Some(sender))
    }

    /// Reports that there is something to do.
    pub fn wake(&self) {
        if let Some(sender) = &self.0 {
            // A full channel has a message that is not read yet.
            let _ = sender.try_send(());
        }
    }
}

/// Sends queued mails.
pub struct MailSender {
    store: Store,
    secrets: Secrets,
    server: MailServer,
    /// The shop's address, for the texts.
    shop: String,
    checked: Once,
}

impl MailSender {
    /// Combines the store, the key of the codes, the mail server, and the shop's address.
    pub fn new(store: Store, secrets: Secrets, server: MailServer, shop: String) -> Self {
        Self {
            store,
            secrets,
            server,
            shop,
            checked: Once::new(),
        }
    }

    /// Warns at the start, and not with the first mail, of a mail server that can't be used.
    pub fn check_once(&self) {
        self.checked.call_once(|| self.check());
    }

    fn check(&self) {
        let mailer = self.server.current();
        if let Mailer::Log = *mailer {
            tracing::warn!(
                "no mail server is configured: mails with codes are printed in this log. \
                 Choose one in the office, at Settings, Mail, or set DEALS_SMTP_URL and DEALS_MAIL_FROM."
            );
        } else if let Err(reason) = mailer.check() {
            let by = match self.server.is_given() {
                true => "DEALS_SMTP_URL leads to",
                false => "the settings have",
            };
            tracing::warn!(
                reason,
                "mails wait until {by} a mail server that takes them"
            );
        }
    }

    /// Mails every administrator that backups fail, past the queue: a full disk, which is one
    /// reason, takes no mails either.
    ///
    /// # Errors
    ///
    /// The reason if no administrator could be mailed.
    pub fn report_failed_backups(&self, reason: &str) -> Result<(), String> {
        let texts = (
            include_str!("../../assets/mail/backup-failed.txt"),
            include_str!("../../assets/mail/backup-failed.html"),
        );
        self.mail_admins("The backups of your shop are failing", texts, "", reason)
    }

    /// Mails every administrator that the webhook to a host was switched off.
    ///
    /// # Errors
    ///
    /// The reason if no administrator could be mailed.
    pub fn report_webhook_off(&self, host: &str, reason: &str) -> Result<(), String> {
        let texts = (
            include_str!("../../assets/mail/webhook-off.txt"),
            include_str!("../../assets/mail/webhook-off.html"),
        );
        self.mail_admins(
            "A webhook of your shop was switched off",
            texts,
            host,
            reason,
        )
    }

    fn mail_admins(
        &self,
        subject: &str,
        (text, html): (&str, &str),
        host: &str,
        reason: &str,
    ) -> Result<(), String> {
        let users = self.store.list_users().map_err(|error| error.to_string())?;
        let mut outcome = Err("there is no administrator".to_owned());
        for user in users.iter().filter(|user| user.role == Role::Admin) {
            let fill = |template: &str, escape: fn(&str) -> String| {
                template
                    .replace("{shop}", &escape(&self.shop))
                    .replace("{host}", &escape(host))
                    .replace("{reason}", &escape(reason))
                    .replace("{username}", &escape(&unlinked(&user.username)))
            };
            let sent = self.server.current().send(&Message {
                to: user.email.as_str().to_owned(),
                subject: subject.to_owned(),
                text: fill(text, str::to_owned),
                html: fill(html, escape_html),
                shop: self.name().unwrap_or_else(|| DEFAULT_NAME.to_owned()),
                unsubscribe: None,
            });
            match sent {
                Ok(()) => outcome = Ok(()),
                Err(failure) if outcome.is_err() => outcome = Err(failure.reason),
                Err(_) => {}
            }
        }
        outcome
    }

    /// Sends a queued mail.
    pub fn send(&self, job: &Job) -> Sent {
        let Some(mail) = QueuedMail::of(job) else {
            return Outcome::Done.into();
        };
        let outcome = match self.server.current().send(&self.compose(&mail)) {
            Ok(()) => Outcome::Done,
            Err(Failure {
                reason, is_final, ..
            }) if is_final => {
                tracing::warn!(reason, "a mail was refused for good and is not tried again");
                Outcome::GivenUp { error: reason }
            }
            Err(Failure { reason, .. }) => {
                let step = (job.attempts as usize).min(BACK_OFF.len() - 1);
                let delay = SignedDuration::from_secs(BACK_OFF[step]);
                tracing::warn!(
                    reason,
                    attempt = job.attempts + 1,
                    again_in_seconds = delay.as_secs(),
                    "a mail could not be sent"
                );
                Outcome::Again {
                    next_at: monotonic_clock::now() + delay,
                    error: reason,
                    lane_waits: false,
                }
            }
        };
        outcome.into()
    }

    fn compose(&self, mail: &QueuedMail) -> Message {
        let (subject, text, html) = match mail.kind {
            MailKind::RegisterCode => (
                "Your code to finish registering",
                include_str!("../../assets/mail/register-code.txt"),
                include_str!("../../assets/mail/register-code.html"),
            ),
            MailKind::KnownAddress => (
                "You already have an account",
                include_str!("../../assets/mail/known-address.txt"),
                include_str!("../../assets/mail/known-address.html"),
            ),
            MailKind::ResetCode => (
                "Your code for a new password",
                include_str!("../../assets/mail/reset-code.txt"),
                include_str!("../../assets/mail/reset-code.html"),
            ),
            MailKind::PasswordChanged => (
                "Your password was changed",
                include_str!("../../assets/mail/password-changed.txt"),
                include_str!("../../assets/mail/password-changed.html"),
            ),
            MailKind::Invitation => (
                "You are invited to help",
                include_str!("../../assets/mail/invitation.txt"),
                include_str!("../../assets/mail/invitation.html"),
            ),
            MailKind::TotpReset => (
                "Your second factor was removed",
                include_str!("../../assets/mail/totp-reset.txt"),
                include_str!("../../assets/mail/totp-reset.html"),
            ),
        };
        let code = mail.seed.map(|seed| self.secrets.code(&seed));
        let link = mail.seed.map(|seed| {
            let shop = self.shop.trim_end_matches('/');
            format!("{shop}/invite#{}", self.secrets.invitation(&seed))
        });
        let when = moment_in_india(mail.form_at.unwrap_or_else(monotonic_clock::now));
        let fill = |template: &str, escape: fn(&str) -> String| {
            template
                .replace("{code}", code.as_deref().unwrap_or_default())
                .replace("{when}", &when)
                .replace("{link}", &escape(link.as_deref().unwrap_or_default()))
                .replace("{shop}", &escape(&self.shop))
                .replace("{username}", &escape(&unlinked(&mail.username)))
        };
        let (mut text, mut html) = (fill(text, str::to_owned), fill(html, escape_html));
        let name = self.name();
        let mut subject = subject.to_owned();
        if let Some(name) = &name {
            subject += &format!(" at {name}");
            text += &format!("\n{name}\n");
            let signed = format!("<p>{}</p>\n  </body>", escape_html(name));
            html = html.replace("</body>", &signed);
        }
        Message {
            to: mail.recipient.clone(),
            subject,
            text,
            html,
            shop: name.unwrap_or_else(|| DEFAULT_NAME.to_owned()),
            unsubscribe: None,
        }
    }

    /// Returns the shop's name, if it has one and can be read.
    fn name(&self) -> Option<String> {
        let settings = self.store.settings().ok()?;
        Some(settings.shop.texts.name).filter(|name| !name.is_empty())
    }
}

/// Returns a name without the characters by which mail programs recognise links: anybody may have typed it.
fn unlinked(name: &str) -> String {
    name.replace(['.', '/', ':', '@', '\\'], "·")
}
