//! Sending the mails of the outbox.

use std::collections::HashMap;
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, Once, PoisonError};

use jiff::SignedDuration;

use super::server::mail::MailServer;
use super::{Secrets, monotonic_clock};
use crate::domain::{DEFAULT_NAME, Role, moment_in_india};
use crate::mail::{Failure, Mailer, Message, escape_html};
use crate::store::{MailKind, QueuedMail, Store, StoreError};

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

/// Sends what waits in the outbox.
pub struct MailSender {
    store: Store,
    secrets: Secrets,
    server: MailServer,
    /// The shop's address, for the texts.
    shop: String,
    checked: Once,
    turns: Mutex<Turns>,
    sent: Condvar,
}

/// Maximum number of mails sent at once, so that a slow conversation delays nobody else.
const AT_ONCE: usize = 8;
/// Maximum number of these that failed before.
const AGAIN_AT_ONCE: usize = 4;
/// Maximum number of lanes whose last turn is remembered.
const MAX_LANES: usize = 1_000;

/// Turns of lanes: the addresses that asked for a mail, and the kinds of other mails.
#[derive(Default)]
struct Turns {
    sending: Vec<QueuedMail>,
    /// Number of the last turn of each lane.
    last: HashMap<String, u64>,
    number: u64,
    /// Error of the database after a mail was sent.
    error: Option<StoreError>,
    is_over: bool,
}

impl Turns {
    /// Takes one of the first mails of each lane: of the lane that waits for longest, one at a time
    /// of a lane and of a recipient.
    fn take_turn(&mut self, waiting: Vec<QueuedMail>) -> Option<QueuedMail> {
        if self.last.len() > MAX_LANES {
            self.last.clear();
        }
        let again = self.sending.iter().filter(|mail| mail.attempts > 0).count();
        let mail = waiting
            .into_iter()
            .filter(|mail| mail.attempts == 0 || again < AGAIN_AT_ONCE)
            .filter(|mail| {
                let is_apart = |other: &QueuedMail| {
                    other.lane != mail.lane && other.recipient != mail.recipient
                };
                self.sending.iter().all(is_apart)
            })
            .min_by_key(|mail| self.last.get(&mail.lane).copied().unwrap_or_default())?;
        self.number += 1;
        self.last.insert(mail.lane.clone(), self.number);
        self.sending.push(mail.clone());
        Some(mail)
    }
}

impl MailSender {
    /// Combines the outbox, the key of the codes, the mail server, and the shop's address.
    pub fn new(store: Store, secrets: Secrets, server: MailServer, shop: String) -> Self {
        Self {
            store,
            secrets,
            server,
            shop,
            checked: Once::new(),
            turns: Mutex::default(),
            sent: Condvar::new(),
        }
    }

    /// Sends the mails that are due in threads of their own, and deletes those that are too late.
    ///
    /// # Errors
    ///
    /// When the database refuses; a mail that can't be sent is logged and tried again later.
    pub fn send_due(self: &Arc<Self>) -> Result<(), StoreError> {
        self.checked.call_once(|| self.check());
        if let Some(error) = self.turns().error.take() {
            return Err(error);
        }
        self.store.delete_expired_mails(monotonic_clock::now())?;
        while let Some(mail) = self.next_mail()? {
            let sender = Arc::clone(self);
            std::thread::spawn(move || sender.send_in_turn(mail));
        }
        Ok(())
    }

    /// Waits until the mails that are being sent have been, and takes no others.
    pub fn finish(&self) {
        let mut turns = self.turns();
        turns.is_over = true;
        while !turns.sending.is_empty() {
            turns = self
                .sent
                .wait(turns)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn turns(&self) -> MutexGuard<'_, Turns> {
        self.turns.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the mail whose turn it is, if one may be sent now.
    fn next_mail(&self) -> Result<Option<QueuedMail>, StoreError> {
        let mut turns = self.turns();
        if turns.is_over || turns.sending.len() >= AT_ONCE {
            return Ok(None);
        }
        let waiting = self.store.next_mails(monotonic_clock::now())?;
        Ok(turns.take_turn(waiting))
    }

    /// Sends this mail and then others, until none is due.
    fn send_in_turn(&self, first: QueuedMail) {
        let mut next = Some(first);
        while let Some(mail) = next {
            let outcome = self.send(&mail);
            self.turns().sending.retain(|other| other.key != mail.key);
            self.sent.notify_all();
            next = outcome
                .and_then(|()| self.next_mail())
                .unwrap_or_else(|error| {
                    self.turns().error = Some(error);
                    None
                });
        }
    }

    /// Warns at the start, and not with the first mail, of a mail server that can't be used.
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

    /// Mails every administrator that backups fail, past the outbox: a full disk, which is one
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
            });
            match sent {
                Ok(()) => outcome = Ok(()),
                Err(failure) if outcome.is_err() => outcome = Err(failure.reason),
                Err(_) => {}
            }
        }
        outcome
    }

    fn send(&self, mail: &QueuedMail) -> Result<(), StoreError> {
        match self.server.current().send(&self.compose(mail)) {
            Ok(()) => self.store.delete_mail(mail.key).wait(),
            Err(Failure { reason, is_final }) if is_final => {
                tracing::warn!(reason, "a mail was refused for good and is not tried again");
                self.store.delete_mail(mail.key).wait()
            }
            Err(Failure { reason, .. }) => {
                let step = (mail.attempts as usize).min(BACK_OFF.len() - 1);
                let delay = SignedDuration::from_secs(BACK_OFF[step]);
                tracing::warn!(
                    reason,
                    attempt = mail.attempts + 1,
                    again_in_seconds = delay.as_secs(),
                    "a mail could not be sent"
                );
                let next = monotonic_clock::now() + delay;
                self.store.postpone_mail(mail.key, next).wait()
            }
        }
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
