//! Registrations that wait for a code, requests for a new password, and the codes.
//!
//! Everything here that decides runs as one job of the writer, so two requests at
//! once can't both take the last try or both redeem one code.

use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, OptionalExtension, params};

use super::CODE_LIFETIME;
use super::code_tries::{WAITING_FORM, WAITING_REQUEST, redeem};
use super::outbox::{self, MailKind, NewMail};
use super::quota::{KNOWN_RESET, REGISTER, RESET, pretend, queue_within_limit};
use super::users;
use crate::domain::{Email, Registration, Role};
use crate::store::{Store, StoreError};

/// How long a registration waits for its code.
const REGISTRATION_LIFETIME: SignedDuration = SignedDuration::from_hours(24);

/// A fresh code as the store may know it.
#[derive(Debug, Clone, Copy)]
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

    /// Activates the registration whose code this is: the one of the handle, or without a
    /// handle the only one that waits. `false` for any other code, which counts as a try.
    pub fn verify_registration(
        &self,
        email: &Email,
        handle: Option<String>,
        code_hash: [u8; 32],
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let email_key = email.key();
        self.write(move |connection| {
            forget_old(connection, now)?;
            let handle = handle.as_deref();
            let redeemed = redeem(connection, WAITING_FORM, &email_key, handle, code_hash, now)?;
            let Some(registration) = redeemed else {
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

    /// Queues a mail with a code for a new password, if the address has an account; the
    /// code can be used by whoever names `handle`. What a browser asks for that `is_known`
    /// to the account is counted apart.
    pub fn forgot_password(
        &self,
        email: &Email,
        handle: String,
        code: NewCode,
        is_known: bool,
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
                form_at: None,
            };
            let counted_as = if is_known { KNOWN_RESET } else { RESET };
            if queue_within_limit(connection, counted_as, &email_key, &mail, now)? {
                connection.execute(
                    "INSERT INTO codes (email_key, user, handle, code_hash, expires_at) \
                     VALUES (?, ?, ?, ?, ?)",
                    params![email_key, user, handle, code.hash, expiry(now)],
                )?;
            }
            Ok(())
        })
        .wait()
    }

    /// Replaces the password of the account whose code this is, ends its sessions
    /// and tells its owner by mail. The code must be the one of the handle, or without a
    /// handle the only one that waits. `false` for any other code, which counts as a try.
    pub fn reset_password(
        &self,
        email: &Email,
        handle: Option<String>,
        code_hash: [u8; 32],
        password_hash: String,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let email_key = email.key();
        self.write(move |connection| {
            forget_old(connection, now)?;
            let handle = handle.as_deref();
            let redeemed = redeem(
                connection,
                WAITING_REQUEST,
                &email_key,
                handle,
                code_hash,
                now,
            )?;
            let Some(user) = redeemed else {
                return Ok(false);
            };
            users::replace_password(connection, user, &password_hash)?;
            outbox::queue_password_changed(connection, user, now)?;
            Ok(true)
        })
        .wait()
    }
}

fn send_registration_code(
    connection: &Connection,
    registration: i64,
    code: &NewCode,
    now: Timestamp,
) -> Result<(), StoreError> {
    let (email_key, recipient, username, form_at): (String, String, String, i64) = connection
        .query_row(
            "SELECT email_key, email, username, created_at FROM registrations WHERE key = ?",
            [registration],
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)),
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
        form_at: Timestamp::from_millisecond(form_at).ok(),
    };
    if queue_within_limit(connection, REGISTER, &email_key, &mail, now)? && !known {
        connection.execute(
            "INSERT INTO codes (email_key, registration, code_hash, expires_at) VALUES (?1, ?2, ?3, ?4) \
             ON CONFLICT (registration) DO UPDATE \
             SET code_hash = ?3, expires_at = ?4, tries = 0, handle_tries = 0",
            params![email_key, registration, code.hash, expiry(now)],
        )?;
    }
    Ok(())
}

fn expiry(now: Timestamp) -> i64 {
    (now + CODE_LIFETIME).as_millisecond()
}

/// Deletes what no rule looks at any more. A code that has expired goes for good, so that
/// no clock that is set back revives it.
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
