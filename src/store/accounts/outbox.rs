//! Persistent queue of mails.

use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, Row, params};

use super::CODE_LIFETIME;
use crate::domain::named;
use crate::store::db::error::Result;
use crate::store::db::rows::{optional_time_at, run, scalar};
use crate::store::{Pending, Store};

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
}

/// A queued mail that is due.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the names say it")]
pub struct QueuedMail {
    pub key: i64,
    pub kind: MailKind,
    pub recipient: String,
    pub username: String,
    pub seed: Option<[u8; 16]>,
    /// Time of the form; none for other mails.
    pub form_at: Option<Timestamp>,
    pub attempts: u32,
    /// Lane: of the mails with the same one, one is sent at a time.
    pub lane: String,
}

impl Store {
    /// Returns the unexpired mails that are due for longest, one of each lane: the address that
    /// asked for it, or for other mails the kind. New mails come before those that failed.
    pub fn next_mails(&self, now: Timestamp) -> Result<Vec<QueuedMail>> {
        self.read(|connection| {
            // The event and the mail of one request have the same time.
            let sql = "WITH due AS (SELECT *, CASE \
                 WHEN is_invitation THEN 'invitation' WHEN is_totp_reset THEN 'totp-reset' \
                 ELSE kind END AS named, \
                 (SELECT client FROM code_events WHERE at = created_at) AS client \
                 FROM outbox WHERE next_at <= ?1 AND expires_at > ?1), \
                 turns AS (SELECT *, coalesce(client, named) AS lane, row_number() OVER \
                 (PARTITION BY coalesce(client, named) ORDER BY attempts > 0, next_at) AS turn \
                 FROM due) \
                 SELECT key, recipient, username, seed, submitted_at, attempts, named AS kind, \
                 cast(lane AS TEXT) AS lane FROM turns WHERE turn = 1 ORDER BY next_at";
            let mut statement = connection.prepare_cached(sql)?;
            let mails = statement.query_map([now.as_millisecond()], mail)?;
            Ok(mails.collect::<rusqlite::Result<_>>()?)
        })
    }

    /// Counts the queued mails.
    pub fn count_waiting_mails(&self) -> Result<u64> {
        self.read(|connection| Ok(scalar(connection, "SELECT count(*) FROM outbox", [])?))
    }

    /// Deletes expired mails.
    pub fn delete_expired_mails(&self, now: Timestamp) -> Result<()> {
        let now = now.as_millisecond();
        let any: bool = self.read(|connection| {
            let sql = "SELECT EXISTS (SELECT 1 FROM outbox WHERE expires_at <= ?)";
            Ok(scalar(connection, sql, [now])?)
        })?;
        if !any {
            return Ok(());
        }
        self.execute("DELETE FROM outbox WHERE expires_at <= ?", [now])
            .wait()
    }

    /// Deletes a sent mail.
    pub fn delete_mail(&self, key: i64) -> Pending<()> {
        self.execute("DELETE FROM outbox WHERE key = ?", [key])
    }

    /// Schedules the next attempt.
    pub fn postpone_mail(&self, key: i64, next: Timestamp) -> Pending<()> {
        self.execute(
            "UPDATE outbox SET attempts = attempts + 1, next_at = ? WHERE key = ?",
            (next.as_millisecond(), key),
        )
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
    let is_invitation = mail.kind == MailKind::Invitation;
    let is_totp_reset = mail.kind == MailKind::TotpReset;
    // The column cannot take a new kind; these columns override it.
    let kind = if is_invitation || is_totp_reset {
        MailKind::KnownAddress
    } else {
        mail.kind
    };
    let sql = "INSERT INTO outbox \
         (kind, recipient, username, seed, created_at, expires_at, next_at, submitted_at, is_invitation, is_totp_reset) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?5, ?7, ?8, ?9)";
    run(
        connection,
        sql,
        params![
            kind.as_str(),
            mail.recipient,
            mail.username,
            mail.seed,
            now.as_millisecond(),
            end.as_millisecond(),
            mail.form_at.map(Timestamp::as_millisecond),
            is_invitation,
            is_totp_reset,
        ],
    )
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
    };
    queue(connection, &mail, now)
}

fn mail(row: &Row<'_>) -> rusqlite::Result<QueuedMail> {
    let kind: String = row.get("kind")?;
    Ok(QueuedMail {
        key: row.get("key")?,
        kind: MailKind::parse(&kind).ok_or(rusqlite::Error::InvalidQuery)?,
        recipient: row.get("recipient")?,
        username: row.get("username")?,
        seed: row.get("seed")?,
        form_at: optional_time_at(row, "submitted_at")?,
        attempts: row.get("attempts")?,
        lane: row.get("lane")?,
    })
}
