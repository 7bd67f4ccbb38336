//! Mails that wait to be sent; they survive a restart.

use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::CODE_LIFETIME;
use crate::store::{Pending, Store, StoreError};

/// How long a mail without a code is worth sending.
const NOTICE_LIFETIME: SignedDuration = SignedDuration::from_hours(24);

/// Which text a mail has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailKind {
    /// The code of a registration.
    RegisterCode,
    /// Somebody registered with an address that has an account.
    KnownAddress,
    /// The code for a new password.
    ResetCode,
    /// The password was replaced.
    PasswordChanged,
}

impl MailKind {
    fn as_str(self) -> &'static str {
        match self {
            Self::RegisterCode => "register-code",
            Self::KnownAddress => "known-address",
            Self::ResetCode => "reset-code",
            Self::PasswordChanged => "password-changed",
        }
    }

    fn parse(name: &str) -> Option<Self> {
        [
            Self::RegisterCode,
            Self::KnownAddress,
            Self::ResetCode,
            Self::PasswordChanged,
        ]
        .into_iter()
        .find(|kind| kind.as_str() == name)
    }
}

/// A mail to queue.
pub(crate) struct NewMail {
    pub(crate) kind: MailKind,
    pub(crate) recipient: String,
    pub(crate) username: String,
    pub(crate) seed: Option<[u8; 16]>,
    /// When the form was sent that it is about, where it is about one.
    pub(crate) form_at: Option<Timestamp>,
}

/// A mail that is due.
#[derive(Debug, Clone)]
pub struct QueuedMail {
    /// Which row.
    pub key: i64,
    /// Which text.
    pub kind: MailKind,
    /// The address to send it to.
    pub recipient: String,
    /// How to address its owner.
    pub username: String,
    /// What the code is made from.
    pub seed: Option<[u8; 16]>,
    /// When the form was sent that it is about, where it is about one.
    pub form_at: Option<Timestamp>,
    /// How often sending has failed.
    pub attempts: u32,
}

impl Store {
    /// The mail that has been due for longest, of those that are still of use.
    pub fn next_mail(&self, now: Timestamp) -> Result<Option<QueuedMail>, StoreError> {
        self.read(|connection| {
            Ok(connection
                .query_row(
                    "SELECT key, kind, recipient, username, seed, form_at, attempts FROM outbox \
                     WHERE next_at <= ?1 AND expires_at > ?1 ORDER BY next_at LIMIT 1",
                    [now.as_millisecond()],
                    mail,
                )
                .optional()?)
        })
    }

    /// How many mails are not sent yet.
    pub fn count_waiting_mails(&self) -> Result<u64, StoreError> {
        self.read(|connection| {
            Ok(connection.query_row("SELECT count(*) FROM outbox", [], |row| row.get(0))?)
        })
    }

    /// Forgets the mails that nobody can use any more.
    pub fn delete_expired_mails(&self, now: Timestamp) -> Result<(), StoreError> {
        let now = now.as_millisecond();
        let any: bool = self.read(|connection| {
            let sql = "SELECT EXISTS (SELECT 1 FROM outbox WHERE expires_at <= ?)";
            Ok(connection.query_row(sql, [now], |row| row.get(0))?)
        })?;
        if !any {
            return Ok(());
        }
        self.write(move |connection| {
            connection.execute("DELETE FROM outbox WHERE expires_at <= ?", [now])?;
            Ok(())
        })
        .wait()
    }

    /// Forgets a mail that was sent.
    pub fn delete_mail(&self, key: i64) -> Pending<()> {
        self.write(move |connection| {
            connection.execute("DELETE FROM outbox WHERE key = ?", [key])?;
            Ok(())
        })
    }

    /// Puts a mail off until `next`.
    pub fn postpone_mail(&self, key: i64, next: Timestamp) -> Pending<()> {
        self.write(move |connection| {
            connection.execute(
                "UPDATE outbox SET attempts = attempts + 1, next_at = ? WHERE key = ?",
                params![next.as_millisecond(), key],
            )?;
            Ok(())
        })
    }
}

pub(crate) fn queue(
    connection: &Connection,
    mail: &NewMail,
    now: Timestamp,
) -> Result<(), StoreError> {
    let lifetime = if mail.seed.is_some() {
        CODE_LIFETIME
    } else {
        NOTICE_LIFETIME
    };
    connection.execute(
        "INSERT INTO outbox (kind, recipient, username, seed, created_at, expires_at, next_at, form_at) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?5, ?7)",
        params![
            mail.kind.as_str(),
            mail.recipient,
            mail.username,
            mail.seed,
            now.as_millisecond(),
            (now + lifetime).as_millisecond(),
            mail.form_at.map(Timestamp::as_millisecond),
        ],
    )?;
    Ok(())
}

pub(crate) fn queue_password_changed(
    connection: &Connection,
    user: i64,
    now: Timestamp,
) -> Result<(), StoreError> {
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
        form_at: row
            .get::<_, Option<i64>>("form_at")?
            .and_then(|at| Timestamp::from_millisecond(at).ok()),
        attempts: row.get("attempts")?,
    })
}
