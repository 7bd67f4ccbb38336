//! Pending registrations, password resets, and their codes.
//!
//! Every decision runs within one job of the writer, so that concurrent requests cannot both redeem
//! a code or take the last guess.

use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, OptionalExtension, params};

use super::CODE_LIFETIME;
use super::code_tries::{WAITING_FORM, WAITING_REQUEST, redeem};
use super::mails::{self, MailKind, NewMail};
use super::quota::{ClientCode, KNOWN_RESET, REGISTER, RESET, count_request};
use super::users;
use crate::domain::{Email, Registration, Role, hex};
use crate::store::db::rows::{column, run};
use crate::store::{Store, StoreError};

/// Lifetime of a pending registration.
const REGISTRATION_LIFETIME: SignedDuration = SignedDuration::from_hours(24);

/// A new code, as far as the store may know it.
#[derive(Debug, Clone, Copy)]
pub struct NewCode {
    /// Seed of the code, stored with the mail until it is sent.
    pub seed: [u8; 16],
    /// Keyed hash of the code.
    pub hash: [u8; 32],
    /// Keyed hash of the mail address.
    pub address: [u8; 32],
}

/// A pending registration's data for signing in.
#[derive(Debug, Clone)]
pub struct WaitingRegistration {
    /// Handle.
    pub handle: String,
    /// Hash of the password (`bcrypt`).
    pub password_hash: String,
}

impl Store {
    /// Stores a registration and queues its mail. For the address of an account the mail says so
    /// instead; the caller cannot tell the difference. Returns whether the request was within the
    /// limits of mails, as do the other requests.
    pub fn register(
        &self,
        form: &Registration,
        handle: String,
        password_hash: String,
        code: NewCode,
        client: ClientCode,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let form = form.clone();
        self.write(move |connection| {
            delete_expired(connection, now)?;
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
            let is_within = count_request(connection, REGISTER, &hex(&code.address), client, now)?;
            if is_within {
                send_registration_code(connection, key, &code, client, now)?;
            }
            Ok(is_within)
        })
        .wait()
    }

    /// Returns the newest pending registration of an address.
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

    /// Sends a new code for the registration of this handle. Without a handle only if a single one
    /// is pending: another choice could confirm somebody else's password.
    pub fn resend_code(
        &self,
        email: &Email,
        handle: Option<String>,
        code: NewCode,
        client: ClientCode,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let email_key = email.key();
        self.write(move |connection| {
            delete_expired(connection, now)?;
            let sql = "SELECT key FROM registrations \
                       WHERE email_key = ?1 AND (?2 IS NULL OR handle = ?2) LIMIT 2";
            let waiting: Vec<i64> = column(connection, sql, params![email_key, handle])?;
            let is_within = count_request(connection, REGISTER, &hex(&code.address), client, now)?;
            if let ([key], true) = (&waiting[..], is_within) {
                send_registration_code(connection, *key, &code, client, now)?;
            }
            Ok(is_within)
        })
        .wait()
    }

    /// Activates the registration of this code, by handle or as the only pending one; `false` for a
    /// wrong code, which counts as a guess.
    pub fn verify_registration(
        &self,
        email: &Email,
        handle: Option<String>,
        code_hash: [u8; 32],
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let email_key = email.key();
        self.write(move |connection| {
            delete_expired(connection, now)?;
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
            // Passwords of other registrations for this address must never become valid.
            let sql = "DELETE FROM registrations WHERE email_key = ?";
            connection.execute(sql, [&email_key])?;
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

    /// Queues a mail with a password reset code if the address has an account. Requests of a
    /// browser that `is_known` to the account are limited separately.
    pub fn forgot_password(
        &self,
        email: &Email,
        handle: String,
        code: NewCode,
        is_known: bool,
        client: ClientCode,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let email = email.clone();
        self.write(move |connection| {
            delete_expired(connection, now)?;
            let email_key = email.key();
            let account: Option<(i64, String, String)> = connection
                .query_row(
                    "SELECT key, email, username FROM users WHERE email_key = ?",
                    [&email_key],
                    |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
                )
                .optional()?;
            let counted_as = if is_known { KNOWN_RESET } else { RESET };
            let is_within =
                count_request(connection, counted_as, &hex(&code.address), client, now)?;
            let Some((user, address, username)) = account.filter(|_| is_within) else {
                return Ok(is_within);
            };
            let mail = NewMail {
                kind: MailKind::ResetCode,
                recipient: address,
                username,
                seed: Some(code.seed),
                form_at: None,
                client: Some(client),
            };
            mails::queue(connection, &mail, now)?;
            connection.execute(
                "INSERT INTO codes (email_key, user, handle, code_hash, expires_at) \
                 VALUES (?, ?, ?, ?, ?)",
                params![email_key, user, handle, code.hash, expiry(now)],
            )?;
            Ok(true)
        })
        .wait()
    }

    /// Replaces the password of this code's account, ends its sessions and notifies the user by
    /// mail; `false` for a wrong code, which counts as a guess. The code is found by handle or as
    /// the only pending one.
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
            delete_expired(connection, now)?;
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
            mails::queue_password_changed(connection, user, now)?;
            Ok(true)
        })
        .wait()
    }
}

fn send_registration_code(
    connection: &Connection,
    registration: i64,
    code: &NewCode,
    client: ClientCode,
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
        client: Some(client),
    };
    mails::queue(connection, &mail, now)?;
    if !known {
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

/// Deletes expired data. Expired codes are deleted so that setting the clock back does not revive
/// them.
fn delete_expired(connection: &Connection, now: Timestamp) -> Result<(), StoreError> {
    let a_day_ago = (now - REGISTRATION_LIFETIME).as_millisecond();
    let sql = "DELETE FROM registrations WHERE created_at <= ?";
    connection.execute(sql, [a_day_ago])?;
    connection.execute("DELETE FROM code_events WHERE at <= ?", [a_day_ago])?;
    let sql = "DELETE FROM codes WHERE expires_at <= ?";
    run(connection, sql, [now.as_millisecond()])
}
