//! Second factors: sealed secrets, recovery codes and remembered devices.

use std::path::Path;

use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, OptionalExtension, named_params, params};

use super::mails::{self, MailKind, NewMail};
use super::users::{find_key, reset_delay};
use crate::domain::{Email, Session, User};
use crate::store::db::error::Result;
use crate::store::db::open;
use crate::store::db::preflight::OpenError;
use crate::store::db::rows::{column, run, scalar, time_at};
use crate::store::products::activity::log_change;
use crate::store::{Store, StoreError};

/// Maximum number of remembered devices of an account; the oldest makes room.
const MAX_DEVICES: i64 = 20;

/// A second factor, enabled or waiting for its first code.
#[derive(Debug, Clone)]
pub struct StoredFactor {
    /// Secret, encrypted with the shop's key.
    pub sealed: Vec<u8>,
    /// Time of the first code; none before it.
    pub enabled_at: Option<Timestamp>,
    /// Step of the last code that was used.
    pub last_step: i64,
    /// Unused recovery codes.
    pub recovery_codes: u64,
}

/// Returns the names of administrators without a second factor in the database at `path`.
///
/// # Errors
///
/// [`OpenError`] if this program cannot read the database.
pub fn admins_without_factor_of(path: &Path) -> std::result::Result<Vec<String>, OpenError> {
    let connection = open::for_reading(path)?;
    let sql = "SELECT username FROM users WHERE role = 'admin' AND key NOT IN \
         (SELECT user FROM totp_factors WHERE enabled_at IS NOT NULL) ORDER BY key";
    let found = column(&connection, sql, []).map_err(StoreError::from);
    found.map_err(|error| OpenError::other(path, &error))
}

impl Store {
    /// Returns the factor of an account, if it has one.
    pub fn find_factor(&self, user: &User) -> Result<Option<StoredFactor>> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT sealed, enabled_at, last_step, \
                 (SELECT count(*) FROM recovery_codes WHERE user = totp_factors.user) AS codes \
                 FROM totp_factors WHERE user = (SELECT key FROM users WHERE id = ?)",
            )?;
            let found = statement.query_row([&user.id], |row| {
                let enabled_at: Option<i64> = row.get("enabled_at")?;
                Ok(StoredFactor {
                    sealed: row.get("sealed")?,
                    enabled_at: match enabled_at {
                        Some(_) => Some(time_at(row, "enabled_at")?),
                        None => None,
                    },
                    last_step: row.get("last_step")?,
                    recovery_codes: row.get("codes")?,
                })
            });
            Ok(found.optional()?)
        })
    }

    /// Stores a secret that waits for its first code. Returns false, without a change, if the
    /// account has an enabled factor.
    pub fn begin_factor(&self, user: &User, sealed: Vec<u8>, now: Timestamp) -> Result<bool> {
        let id = user.id.clone();
        self.write(move |connection| {
            let stored = connection.execute(
                "INSERT INTO totp_factors (user, sealed, created_at) \
                 SELECT key, ?2, ?3 FROM users WHERE id = ?1 \
                 ON CONFLICT (user) DO UPDATE SET sealed = ?2, created_at = ?3 \
                 WHERE enabled_at IS NULL",
                params![id, sealed, now.as_millisecond()],
            )?;
            Ok(stored == 1)
        })
        .wait()
    }

    /// Enables a factor by the code of a step, with new recovery codes, and confirms the session.
    /// Returns false if the factor changed meanwhile or is enabled.
    pub fn enable_factor(
        &self,
        session: &Session,
        sealed: Vec<u8>,
        step: i64,
        codes: Vec<[u8; 32]>,
        now: Timestamp,
    ) -> Result<bool> {
        let (user, sid) = (session.user.clone(), session.sid.clone());
        self.write(move |connection| {
            let key = key_of(connection, &user)?;
            let enabled = connection.execute(
                "UPDATE totp_factors SET enabled_at = :now, last_step = :step \
                 WHERE user = :user AND sealed = :sealed AND enabled_at IS NULL",
                named_params! {
                    ":now": now.as_millisecond(),
                    ":step": step,
                    ":user": key,
                    ":sealed": sealed,
                },
            )?;
            if enabled == 0 {
                return Ok(false);
            }
            replace_codes(connection, key, &codes)?;
            confirm(connection, &sid, now)?;
            log(
                connection,
                &user,
                &user.username,
                now,
                "secondFactor",
                "off",
                "on",
            )?;
            Ok(true)
        })
        .wait()
    }

    /// Uses the code of a step. Returns false if it or a later one was used.
    pub fn use_step(&self, user: &User, step: i64) -> Result<bool> {
        let id = user.id.clone();
        self.write(move |connection| {
            let sql = "UPDATE totp_factors SET last_step = ?2 WHERE last_step < ?2 \
                 AND enabled_at IS NOT NULL AND user = (SELECT key FROM users WHERE id = ?1)";
            Ok(connection.execute(sql, params![id, step])? == 1)
        })
        .wait()
    }

    /// Uses a recovery code. Returns false if the account has none with this hash.
    pub fn use_recovery_code(&self, user: &User, hash: [u8; 32], now: Timestamp) -> Result<bool> {
        let user = user.clone();
        self.write(move |connection| {
            let key = key_of(connection, &user)?;
            let sql = "DELETE FROM recovery_codes WHERE hash = ? AND user = ?";
            if connection.execute(sql, params![hash, key])? == 0 {
                return Ok(false);
            }
            let sql = "SELECT count(*) FROM recovery_codes WHERE user = ?";
            let left: i64 = scalar(connection, sql, [key])?;
            let (from, to) = ((left + 1).to_string(), left.to_string());
            log(
                connection,
                &user,
                &user.username,
                now,
                "recoveryCodes",
                &from,
                &to,
            )?;
            Ok(true)
        })
        .wait()
    }

    /// Replaces the recovery codes of an account with an enabled factor.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`] if it has none.
    pub fn replace_recovery_codes(
        &self,
        user: &User,
        codes: Vec<[u8; 32]>,
        now: Timestamp,
    ) -> Result<()> {
        let user = user.clone();
        self.write(move |connection| {
            let key = key_of(connection, &user)?;
            let sql = "SELECT user FROM totp_factors WHERE user = ? AND enabled_at IS NOT NULL";
            scalar::<i64>(connection, sql, [key])?;
            replace_codes(connection, key, &codes)?;
            log(
                connection,
                &user,
                &user.username,
                now,
                "recoveryCodes",
                "",
                "new",
            )
        })
        .wait()
    }

    /// Records that a code was entered in a session.
    pub fn confirm_session(&self, session: &Session, now: Timestamp) -> Result<()> {
        let sid = session.sid.clone();
        self.write(move |connection| confirm(connection, &sid, now))
            .wait()
    }

    /// Removes the factor of one's own account.
    pub fn disable_factor(&self, user: &User, now: Timestamp) -> Result<()> {
        let user = user.clone();
        self.write(move |connection| {
            let key = key_of(connection, &user)?;
            if remove(connection, key)? {
                log(
                    connection,
                    &user,
                    &user.username,
                    now,
                    "secondFactor",
                    "on",
                    "off",
                )?;
            }
            Ok(())
        })
        .wait()
    }

    /// Removes the factor of an account for somebody else, resets the delay and queues a mail about
    /// it. Returns false if there was no factor.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`] when there is no such account.
    pub fn reset_factor(&self, email: &Email, actor: &str, now: Timestamp) -> Result<bool> {
        let user = self.find_user(email)?.user;
        let actor = actor.to_owned();
        self.write(move |connection| {
            let key = key_of(connection, &user)?;
            reset_delay(connection, &user.email.key())?;
            if !remove(connection, key)? {
                return Ok(false);
            }
            log(
                connection,
                &user,
                &actor,
                now,
                "secondFactor",
                "on",
                "reset",
            )?;
            let mail = NewMail {
                kind: MailKind::TotpReset,
                recipient: user.email.as_str().to_owned(),
                username: user.username.clone(),
                seed: None,
                form_at: None,
                client: None,
            };
            mails::queue(connection, &mail, now)?;
            Ok(true)
        })
        .wait()
    }

    /// Remembers a device by the hash of its secret.
    pub fn remember_device(
        &self,
        user: &User,
        hash: [u8; 32],
        now: Timestamp,
        lifetime: SignedDuration,
    ) -> Result<()> {
        let id = user.id.clone();
        self.write(move |connection| {
            let sql = "DELETE FROM remembered_devices WHERE expires_at <= ?";
            run(connection, sql, [now.as_millisecond()])?;
            let sql = "INSERT INTO remembered_devices (hash, user, expires_at) \
                 SELECT ?2, user, ?3 FROM totp_factors \
                 WHERE user = (SELECT key FROM users WHERE id = ?1) AND enabled_at IS NOT NULL";
            let until = (now + lifetime).as_millisecond();
            run(connection, sql, params![id, hash, until])?;
            let sql = "DELETE FROM remembered_devices WHERE key IN (\
                 SELECT key FROM remembered_devices \
                 WHERE user = (SELECT key FROM users WHERE id = ?1) ORDER BY key DESC LIMIT -1 OFFSET ?2)";
            run(connection, sql, params![id, MAX_DEVICES])
        })
        .wait()
    }

    /// True if one of these hashes is that of a remembered device of the account.
    pub fn is_remembered(&self, user: &User, hashes: &[[u8; 32]], now: Timestamp) -> Result<bool> {
        self.read(|connection| {
            let sql = "SELECT hash FROM remembered_devices \
                 WHERE user = (SELECT key FROM users WHERE id = ?) AND expires_at > ?";
            let known: Vec<[u8; 32]> =
                column(connection, sql, params![user.id, now.as_millisecond()])?;
            Ok(known.iter().any(|hash| hashes.contains(hash)))
        })
    }
}

fn key_of(connection: &Connection, user: &User) -> Result<i64> {
    find_key(connection, &user.email.key())?.ok_or(StoreError::NotFound)
}

/// Removes a factor with its codes and devices; returns whether an enabled one was there.
fn remove(connection: &Connection, key: i64) -> Result<bool> {
    let sql =
        "SELECT EXISTS (SELECT 1 FROM totp_factors WHERE user = ? AND enabled_at IS NOT NULL)";
    let was_enabled = scalar(connection, sql, [key])?;
    run(connection, "DELETE FROM totp_factors WHERE user = ?", [key])?;
    let sql = "UPDATE sessions SET confirmed_at = NULL WHERE user = ?";
    run(connection, sql, [key])?;
    Ok(was_enabled)
}

fn replace_codes(connection: &Connection, key: i64, codes: &[[u8; 32]]) -> Result<()> {
    run(
        connection,
        "DELETE FROM recovery_codes WHERE user = ?",
        [key],
    )?;
    for hash in codes {
        let sql = "INSERT INTO recovery_codes (hash, user) VALUES (?, ?)";
        run(connection, sql, params![hash, key])?;
    }
    Ok(())
}

fn confirm(connection: &Connection, sid: &str, now: Timestamp) -> Result<()> {
    let sql = "UPDATE sessions SET confirmed_at = ? WHERE sid = ?";
    run(connection, sql, params![now.as_millisecond(), sid])
}

/// Writes a change to the activity log, which is about those who work in the office: anybody may
/// have an account, and could fill the log.
fn log(
    connection: &Connection,
    user: &User,
    actor: &str,
    now: Timestamp,
    subject: &str,
    from: &str,
    to: &str,
) -> Result<()> {
    if !user.role.is_staff() {
        return Ok(());
    }
    let name = format!("{subject}.{}", user.username);
    log_change(connection, (actor, now), name, from, to)
}
