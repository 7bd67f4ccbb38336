//! Sending what the outbox holds: a thread of its own, so that no request ever
//! waits for a mail server.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

use jiff::tz::{Offset, TimeZone};
use jiff::{SignedDuration, Timestamp};

use super::{Secrets, monotonic_clock};
use crate::mail::{Mailer, Message};
use crate::store::{MailKind, QueuedMail, Store, StoreError};

/// How often the outbox is looked at when nothing wakes the sender.
const INTERVAL: Duration = Duration::from_secs(5);
/// Seconds until a mail that failed is tried again; the last one holds on.
const BACK_OFF: [i64; 6] = [5, 15, 60, 300, 900, 3_600];

/// Wakes the sender; a [`MailWaker`] that nobody listens to does nothing, as in a
/// command that leaves its mails to the server.
#[derive(Clone, Default)]
pub struct MailWaker(Option<SyncSender<()>>);

impl MailWaker {
    /// Tells the sender that there is mail.
    pub(super) fn wake(&self) {
        if let Some(sender) = &self.0 {
            // It is awake already when there is no room.
            let _ = sender.try_send(());
        }
    }
}

/// Waits, when dropped, for the sender's thread, which ends when the last [`MailWaker`] is dropped.
pub struct MailWorker(Receiver<()>);

impl MailWorker {
    /// Starts sending what waits and what comes.
    pub fn open(
        store: Store,
        secrets: Secrets,
        mailer: Arc<Mailer>,
        shop: String,
    ) -> std::io::Result<(MailWaker, Self)> {
        let (sender, woken) = sync_channel(1);
        let (running, ended) = sync_channel(0);
        std::thread::Builder::new()
            .name("mail".to_owned())
            .spawn(move || {
                let sender = Sender {
                    store,
                    secrets,
                    mailer,
                    shop,
                };
                sender.run(&woken);
                // The end is told once the database is let go.
                drop(sender);
                drop(running);
            })?;
        Ok((MailWaker(Some(sender)), Self(ended)))
    }
}

/// How long a stop waits for the mail that is being sent.
const GRACE: Duration = Duration::from_secs(2);

impl Drop for MailWorker {
    /// A mail server that is silent must not hold up a stop: the mail stays in the
    /// outbox and is sent after the next start.
    fn drop(&mut self) {
        if let Err(RecvTimeoutError::Timeout) = self.0.recv_timeout(GRACE) {
            tracing::warn!("stopped while a mail was being sent; it will be sent again");
        }
    }
}

struct Sender {
    store: Store,
    secrets: Secrets,
    mailer: Arc<Mailer>,
    /// The shop's address, for the texts.
    shop: String,
}

impl Sender {
    fn run(&self, woken: &Receiver<()>) {
        self.check();
        loop {
            if let Err(error) = self.send_all_due(woken) {
                tracing::warn!(%error, "the outbox could not be read");
            }
            match woken.recv_timeout(INTERVAL) {
                Ok(()) | Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    /// Tells at once, and not with the first mail, that mail will not arrive.
    fn check(&self) {
        if let Mailer::Log = *self.mailer {
            tracing::warn!(
                "no mail server is configured: mails with codes are printed in this log. \
                 Set DEALS_SMTP_URL and DEALS_MAIL_FROM to send them."
            );
        } else if let Err(reason) = self.mailer.check() {
            tracing::warn!(
                reason,
                "mails wait until DEALS_SMTP_URL leads to a mail server that takes them"
            );
        }
    }

    fn send_all_due(&self, woken: &Receiver<()>) -> Result<(), StoreError> {
        self.store.delete_expired_mails(monotonic_clock::now())?;
        while let Some(mail) = self.store.next_mail(monotonic_clock::now())? {
            self.send(&mail)?;
            // Whoever stops the server does not wait for every mail.
            if matches!(
                woken.try_recv(),
                Err(std::sync::mpsc::TryRecvError::Disconnected)
            ) {
                return Ok(());
            }
        }
        Ok(())
    }

    fn send(&self, mail: &QueuedMail) -> Result<(), StoreError> {
        match self.mailer.send(&self.compose(mail)) {
            Ok(()) => self.store.delete_mail(mail.key).wait(),
            Err(reason) => {
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
        };
        let code = mail.seed.map(|seed| self.secrets.code(&seed));
        let when = in_india(mail.form_at.unwrap_or_else(monotonic_clock::now));
        let fill = |template: &str, escape: fn(&str) -> String| {
            template
                .replace("{code}", code.as_deref().unwrap_or_default())
                .replace("{when}", &when)
                .replace("{shop}", &escape(&self.shop))
                .replace("{username}", &escape(&unlinked(&mail.username)))
        };
        let (mut text, mut html) = (fill(text, str::to_owned), fill(html, escape_html));
        if let Some(name) = self.name() {
            text += &format!("\n{name}\n");
            let signed = format!("<p>{}</p>\n  </body>", escape_html(&name));
            html = html.replace("</body>", &signed);
        }
        Message {
            to: mail.recipient.clone(),
            subject: subject.to_owned(),
            text,
            html,
        }
    }

    /// The shop's name, if its owner gave it one; a mail goes out without it too.
    fn name(&self) -> Option<String> {
        let settings = self.store.settings().ok()?;
        Some(settings.shop.name).filter(|name| !name.is_empty())
    }
}

/// A name without what programs that show mails make links of: anybody may have typed it.
fn unlinked(name: &str) -> String {
    name.replace(['.', '/', ':', '@', '\\'], "·")
}

/// A moment as people in India read it: it has one time, without daylight saving.
fn in_india(at: Timestamp) -> String {
    let offset = Offset::constant(5).saturating_add(SignedDuration::from_mins(30));
    let local = at.to_zoned(TimeZone::fixed(offset));
    format!("{} (India)", local.strftime("%-d %b %Y, %H:%M"))
}

fn escape_html(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
