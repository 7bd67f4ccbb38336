//! Mails of accounts in the queue.

use jiff::{SignedDuration, Timestamp};
use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::CODE_LIFETIME;
use super::quota::ClientCode;
use crate::domain::{hex, named};
use crate::store::db::error::Result;
use crate::store::db::rows::run;
use crate::store::outgoing::{Job, JobKind, NewJob, enqueue};

/// Lifetime of a mail without a code.
const NOTICE_LIFETIME: SignedDuration = SignedDuration::from_hours(24);

named! {
    /// Kind of mail.
    MailKind {
        /// Registration code.
        RegisterCode = "register-code";
        /// Registration attempt with the address of an account.
        KnownAddress = "known-address";
        /// Password reset code.
        ResetCode = "reset-code";
        /// Notice of a changed password.
        PasswordChanged = "password-changed";
        /// Invitation to have an account.
        Invitation = "invitation";
        /// Notice of a second factor that somebody else removed.
        TotpReset = "totp-reset";
    }
}

pub(crate) struct NewMail {
    pub(crate) kind: MailKind,
    pub(crate) recipient: String,
    pub(crate) username: String,
    pub(crate) seed: Option<[u8; 16]>,
    /// Time of the form; none for other mails.
    pub(crate) form_at: Option<Timestamp>,
    /// Asker: mails with the same code are sent one after the other, as are the others of a kind.
    pub(crate) client: Option<ClientCode>,
}

/// Payload of the job.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Payload {
    kind: String,
    username: String,
    /// In hexadecimal digits.
    seed: Option<String>,
    form_at: Option<i64>,
}

/// A queued mail that is due.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the names say it")]
pub struct QueuedMail {
    pub kind: MailKind,
    pub recipient: String,
    pub username: String,
    pub seed: Option<[u8; 16]>,
    /// Time of the form; none for other mails.
    pub form_at: Option<Timestamp>,
}

impl QueuedMail {
    /// Reads a job; `None` if it is no mail.
    pub fn of(job: &Job) -> Option<Self> {
        let payload: Payload = serde_json::from_str(&job.payload).ok()?;
        let seed = payload.seed.as_deref();
        let form_at = payload.form_at;
        Some(Self {
            kind: MailKind::parse(&payload.kind)?,
            recipient: job.subject.clone(),
            username: payload.username,
            seed: seed.and_then(|seed| Some(u128::from_str_radix(seed, 16).ok()?.to_be_bytes())),
            form_at: form_at.and_then(|time| Timestamp::from_millisecond(time).ok()),
        })
    }
}

pub(crate) fn queue(connection: &Connection, mail: &NewMail, now: Timestamp) -> Result<()> {
    let lifetime = if mail.seed.is_some() {
        CODE_LIFETIME
    } else {
        NOTICE_LIFETIME
    };
    queue_until(connection, mail, now, now + lifetime)
}

/// Queues a mail that is not sent after `end`.
pub(crate) fn queue_until(
    connection: &Connection,
    mail: &NewMail,
    now: Timestamp,
    end: Timestamp,
) -> Result<()> {
    let kind = mail.kind.as_str();
    let payload = Payload {
        kind: kind.to_owned(),
        username: mail.username.clone(),
        seed: mail.seed.map(|seed| hex(&seed)),
        form_at: mail.form_at.map(Timestamp::as_millisecond),
    };
    let asked_by = mail.client.map(|client| client.0.to_string());
    let job = NewJob {
        kind: JobKind::Mail,
        lane: format!("mail:{}", asked_by.as_deref().unwrap_or(kind)),
        subject: mail.recipient.clone(),
        payload: json!(payload).to_string(),
        next_at: now,
        expires_at: Some(end),
    };
    enqueue(connection, &job, now)
}

/// Deletes the mail of an invitation that waits.
pub(crate) fn withdraw_invitation(connection: &Connection, recipient: &str) -> Result<()> {
    let sql = "DELETE FROM outgoing WHERE kind = 'mail' AND subject = ? AND payload ->> 'kind' = 'invitation'";
    run(connection, sql, [recipient])
}

pub(crate) fn queue_password_changed(
    connection: &Connection,
    user: i64,
    now: Timestamp,
) -> Result<()> {
    let (recipient, username) = connection.query_row(
        "SELECT email, username FROM users WHERE key = ?",
        [user],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    let mail = NewMail {
        kind: MailKind::PasswordChanged,
        recipient,
        username,
        seed: None,
        form_at: None,
        client: None,
    };
    queue(connection, &mail, now)
}
