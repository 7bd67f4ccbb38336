//! Registrations that wait for a code, the codes, and how often they were tried.
//!
//! Everything here that decides runs as one job of the writer, so two requests at
//! once can't both take the last try or both redeem one code.

use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, OptionalExtension, params};

use super::code_events::{REGISTER, RESET, insert_event, pretend, queue_within_limit};
use super::outbox::{self, MailKind, NewMail};
use super::{Store, StoreError, users};
use crate::domain::{Email, Registration, Role};

/// How long a code is good (decisions, section 6).
pub(super) const CODE_LIFETIME: SignedDuration = SignedDuration::from_mins(10);
/// Wrong guesses that end a code.
const TRIES: i64 = 5;
/// Wrong guesses for an address in a day; resending does not reset them.
const FAILURES_PER_DAY: i64 = 20;
/// How long a registration waits for its code.
const REGISTRATION_LIFETIME: SignedDuration = SignedDuration::from_hours(24);

/// A fresh code as the store may know it.
#[derive(Debug, Clone)]
pub struct NewCode {
    /// What the code is made from; goes into the mail's row until it is sent.
    pub seed: [u8; 16],
    /// The code's keyed hash.
    pub hash: [u8; 32],
}

/// A registration that waits, as far as signing in needs it.
#[derive(Debug, Clone)]
pub struct WaitingRegistration {
    /// Which one.
    pub handle: String,
    /// What `bcrypt` made of its password.
    pub password_hash: String,
}

impl Store {
    /// Stores a registration under its handle and queues its mail. For an address
    /// that has an account it waits in vain, and the mail says so; the caller can't
    /// see the difference.
    ///
    /// # Errors
    ///
    /// [`StoreError`] when nothing could be stored.
    pub fn register(
        &self,
        form: &Registration,
        handle: String,
        password_hash: String,
        code: NewCode,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let form = form.clone();
        self.write(move |connection| {
            forget_old(connection, now)?;
            connection.execute(
                "INSERT INTO registrations (handle, username, email, email_key, password_hash, created_at) \
                 VALUES (?, ?, ?, ?, ?, ?)",
                params![
                    handle,
                    form.username,
                    form.email.as_str(),
                    form.email.key(),
                    password_hash,
                    now.as_millisecond()
                ],
            )?;
            let key = connection.last_insert_rowid();
            send_registration_code(connection, key, &code, now)
        })
        .wait()
    }

    /// The newest registration of an address that waits for its code.
    ///
    /// # Errors
    ///
    /// [`StoreError::Busy`] when no connection became free in time.
    pub fn waiting_registration(
        &self,
        email: &Email,
        now: Timestamp,
    ) -> Result<Option<WaitingRegistration>, StoreError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT handle, password_hash FROM registrations \
                 WHERE email_key = ? AND created_at > ? ORDER BY key DESC LIMIT 1",
            )?;
            let oldest = (now - REGISTRATION_LIFETIME).as_millisecond();
            Ok(statement
                .query_row(params![email.key(), oldest], |row| {
                    Ok(WaitingRegistration {
                        handle: row.get(0)?,
                        password_hash: row.get(1)?,
                    })
                })
                .optional()?)
        })
    }

    /// Sends another code for the registration of this handle. Without one it is
    /// sent only when a single registration waits: any other choice could mail the
    /// code of somebody else's password.
    ///
    /// # Errors
    ///
    /// [`StoreError`] when nothing could be stored.
    pub fn resend_code(
        &self,
        email: &Email,
        handle: Option<String>,
        code: NewCode,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let email_key = email.key();
        self.write(move |connection| {
            forget_old(connection, now)?;
            let waiting = connection
                .prepare(
                    "SELECT key FROM registrations WHERE email_key = ?1 AND (?2 IS NULL OR handle = ?2) \
                     LIMIT 2",
                )?
                .query_map(params![email_key, handle], |row| row.get(0))?
                .collect::<Result<Vec<i64>, _>>()?;
            match waiting[..] {
                [key] => send_registration_code(connection, key, &code, now),
                _ => pretend(connection, &email_key, now),
            }
        })
        .wait()
    }

    /// Activates the registration whose code this is. `false` for any other code,
    /// which counts as a try.
    ///
    /// # Errors
    ///
    /// [`StoreError`] when nothing could be decided.
    pub fn verify_registration(
        &self,
        email: &Email,
        code_hash: [u8; 32],
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let email_key = email.key();
        self.write(move |connection| {
            let Some(registration) =
                redeem(connection, "registration", &email_key, code_hash, now)?
            else {
                return Ok(false);
            };
            let (username, email, password_hash): (String, String, String) = connection.query_row(
                "SELECT username, email, password_hash FROM registrations WHERE key = ?",
                [registration],
                |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
            )?;
            // What else waits for this address was sent by somebody else, or
            // came before: its passwords must never come into force.
            connection.execute(
                "DELETE FROM registrations WHERE email_key = ?",
                [&email_key],
            )?;
            users::insert(
                connection,
                &username,
                &email,
                Role::User,
                &password_hash,
                now,
            )?;
            Ok(true)
        })
        .wait()
    }

    /// Queues a mail with a code for a new password, if the address has an account.
    ///
    /// # Errors
    ///
    /// [`StoreError`] when nothing could be stored.
    pub fn forgot_password(
        &self,
        email: &Email,
        code: NewCode,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let email = email.clone();
        self.write(move |connection| {
            forget_old(connection, now)?;
            let email_key = email.key();
            let account: Option<(i64, String, String)> = connection
                .query_row(
                    "SELECT key, email, username FROM users WHERE email_key = ?",
                    [&email_key],
                    |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
                )
                .optional()?;
            let Some((user, address, username)) = account else {
                return pretend(connection, &email_key, now);
            };
            let mail = NewMail {
                kind: MailKind::ResetCode,
                recipient: address,
                username,
                seed: Some(code.seed),
            };
            if queue_within_limit(connection, RESET, &email_key, &mail, now)? {
                connection.execute("DELETE FROM codes WHERE user = ?", [user])?;
                insert_code(connection, &email_key, "user", user, &code, now)?;
            }
            Ok(())
        })
        .wait()
    }

    /// Replaces the password of the account whose code this is, ends its sessions
    /// and tells its owner by mail. `false` for any other code, which counts as a try.
    ///
    /// # Errors
    ///
    /// [`StoreError`] when nothing could be decided.
    pub fn reset_password(
        &self,
        email: &Email,
        code_hash: [u8; 32],
        password_hash: String,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let email_key = email.key();
        self.write(move |connection| {
            let Some(user) = redeem(connection, "user", &email_key, code_hash, now)? else {
                return Ok(false);
            };
            users::replace_password(connection, user, &password_hash)?;
            outbox::queue_password_changed(connection, user, now)?;
            Ok(true)
        })
        .wait()
    }
}

/// Takes a live code out of the table and gives what it was for; a wrong one
/// counts against every live code of the address.
fn redeem(
    connection: &Connection,
    target: &str,
    email_key: &str,
    code_hash: [u8; 32],
    now: Timestamp,
) -> Result<Option<i64>, StoreError> {
    let a_day_ago = (now - SignedDuration::from_hours(24)).as_millisecond();
    let failures: i64 = connection.query_row(
        "SELECT count(*) FROM code_events WHERE email_key = ? AND kind = 'failure' AND at > ?",
        params![email_key, a_day_ago],
        |row| row.get(0),
    )?;
    if failures >= FAILURES_PER_DAY {
        return Ok(None);
    }
    // A code that has expired is deleted at once, so that no clock that is set
    // back revives it.
    connection.execute(
        "DELETE FROM codes WHERE expires_at <= ?",
        [now.as_millisecond()],
    )?;
    let found: Option<(i64, i64)> = connection
        .query_row(
            &format!(
                "SELECT key, {target} FROM codes WHERE email_key = ? AND code_hash = ? \
                 AND tries < ? AND {target} IS NOT NULL"
            ),
            params![email_key, code_hash, TRIES],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
        .optional()?;
    if let Some((key, target)) = found {
        connection.execute("DELETE FROM codes WHERE key = ?", [key])?;
        return Ok(Some(target));
    }
    let tried = connection.execute(
        &format!(
            "UPDATE codes SET tries = tries + 1 WHERE email_key = ? AND tries < ? AND {target} IS NOT NULL"
        ),
        params![email_key, TRIES],
    )?;
    if tried > 0 {
        insert_event(connection, email_key, "failure", now)?;
    }
    Ok(None)
}

fn send_registration_code(
    connection: &Connection,
    registration: i64,
    code: &NewCode,
    now: Timestamp,
) -> Result<(), StoreError> {
    let (email_key, recipient, username): (String, String, String) = connection.query_row(
        "SELECT email_key, email, username FROM registrations WHERE key = ?",
        [registration],
        |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
    )?;
    let known = users::find_key(connection, &email_key)?.is_some();
    let mail = NewMail {
        kind: if known {
            MailKind::KnownAddress
        } else {
            MailKind::RegisterCode
        },
        recipient,
        username,
        seed: (!known).then_some(code.seed),
    };
    if queue_within_limit(connection, REGISTER, &email_key, &mail, now)? && !known {
        connection.execute("DELETE FROM codes WHERE registration = ?", [registration])?;
        insert_code(
            connection,
            &email_key,
            "registration",
            registration,
            code,
            now,
        )?;
    }
    Ok(())
}

fn insert_code(
    connection: &Connection,
    email_key: &str,
    target: &str,
    key: i64,
    code: &NewCode,
    now: Timestamp,
) -> Result<(), StoreError> {
    connection.execute(
        &format!(
            "INSERT INTO codes (email_key, {target}, code_hash, expires_at) VALUES (?, ?, ?, ?)"
        ),
        params![
            email_key,
            key,
            code.hash,
            (now + CODE_LIFETIME).as_millisecond()
        ],
    )?;
    Ok(())
}

/// Deletes what no rule looks at any more.
fn forget_old(connection: &Connection, now: Timestamp) -> Result<(), StoreError> {
    let a_day_ago = (now - REGISTRATION_LIFETIME).as_millisecond();
    connection.execute(
        "DELETE FROM registrations WHERE created_at <= ?",
        [a_day_ago],
    )?;
    connection.execute("DELETE FROM code_events WHERE at <= ?", [a_day_ago])?;
    connection.execute(
        "DELETE FROM codes WHERE expires_at <= ?",
        [now.as_millisecond()],
    )?;
    Ok(())
}
