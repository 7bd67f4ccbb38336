//! Accounts.

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, named_params, params};

use super::mails;
use super::trail::log_person;
use crate::domain::{Email, Role, Session, User, check_staff_name};
use crate::store::db::error::Result;
use crate::store::db::rows::{new_id, run, scalar, time_at};
use crate::store::{Store, StoreError};

/// An account and the hash of its password.
#[derive(Debug, Clone)]
pub struct StoredUser {
    /// The account.
    pub user: User,
    /// Hash of the password (`bcrypt`).
    pub password_hash: String,
}

/// Data of an address for signing in.
#[derive(Debug, Clone)]
pub struct SignInRecord {
    /// Account, if any.
    pub account: Option<StoredUser>,
    /// Number of commands that reset the sign-in delay.
    pub lifts: i64,
}

impl Store {
    /// Returns the sign-in data of an address, with or without an account.
    pub fn sign_in_record(&self, email: &Email) -> Result<SignInRecord> {
        let account = match self.find_user(email) {
            Ok(account) => Some(account),
            Err(StoreError::NotFound) => None,
            Err(error) => return Err(error),
        };
        let lifts = self.read(|connection| {
            let sql = "SELECT resets FROM throttle_resets WHERE email_key = ?";
            let lifts = scalar(connection, sql, [email.key()]).optional()?;
            Ok(lifts.unwrap_or_default())
        })?;
        Ok(SignInRecord { account, lifts })
    }

    /// Returns the account with this address, ignoring case.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`] when there is none.
    pub fn find_user(&self, email: &Email) -> Result<StoredUser> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(&format!(
                "SELECT {COLUMNS}, users.password_hash FROM users WHERE email_key = ?"
            ))?;
            Ok(statement.query_row([email.key()], |row| {
                Ok(StoredUser {
                    user: user(row)?,
                    password_hash: row.get("password_hash")?,
                })
            })?)
        })
    }

    /// Returns all accounts, oldest first.
    pub fn list_users(&self) -> Result<Vec<User>> {
        self.read(|connection| {
            let mut statement =
                connection.prepare(&format!("SELECT {COLUMNS} FROM users ORDER BY users.key"))?;
            let users = statement.query_map([], user)?;
            Ok(users.collect::<Result<_, _>>()?)
        })
    }

    /// Adds a verified account and resets the delay of its address.
    ///
    /// # Errors
    ///
    /// [`StoreError::Conflict`] if the address has an account.
    pub fn insert_user(
        &self,
        username: &str,
        email: &Email,
        role: Role,
        password_hash: String,
        actor: &str,
        now: Timestamp,
    ) -> Result<()> {
        let (username, email, actor) = (username.to_owned(), email.clone(), actor.to_owned());
        self.write(move |connection| {
            insert(
                connection,
                &username,
                email.as_str(),
                role,
                &password_hash,
                now,
            )?;
            let sql = "DELETE FROM registrations WHERE email_key = ?";
            connection.execute(sql, [email.key()])?;
            reset_delay(connection, &email.key())?;
            let added = format!("added as {}", role.as_str());
            log_person(connection, &actor, now, email.as_str(), "", &added)
        })
        .wait()
    }

    /// Changes the role, resets the delay and ends the sessions of the old role.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`] when there is no such account.
    pub fn set_role(&self, email: &Email, role: Role, actor: &str, now: Timestamp) -> Result<()> {
        let (email, actor) = (email.key(), actor.to_owned());
        self.write(move |connection| {
            let (key, before) = account(connection, "email_key", &email)?;
            check_name(connection, &before.username, before.role, role)?;
            let (stored, is_editor) = stored(role);
            let sql = "UPDATE users SET role = ?, is_editor = ? WHERE key = ?";
            connection.execute(sql, params![stored, is_editor, key])?;
            connection.execute("DELETE FROM sessions WHERE user = ?", [key])?;
            reset_delay(connection, &email)?;
            let (from, to) = (before.role.as_str(), role.as_str());
            if from == to {
                return Ok(());
            }
            log_person(connection, &actor, now, before.email.as_str(), from, to)
        })
        .wait()
    }

    /// Deletes an account with its sessions and codes, and resets the delay of its address.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`] when there is no such account.
    pub fn delete_user(&self, email: &Email, actor: &str, now: Timestamp) -> Result<()> {
        let (email, actor) = (email.key(), actor.to_owned());
        self.write(move |connection| {
            let (key, before) = account(connection, "email_key", &email)?;
            connection.execute("DELETE FROM users WHERE key = ?", [key])?;
            reset_delay(connection, &email)?;
            let (address, role) = (before.email.as_str(), before.role.as_str());
            log_person(connection, &actor, now, address, role, "")
        })
        .wait()
    }

    /// Replaces a password, resets the delay, and deletes the account's sessions and codes.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`] when there is no such account.
    pub fn set_password(
        &self,
        email: &Email,
        password_hash: String,
        actor: &str,
        now: Timestamp,
    ) -> Result<()> {
        let (email, actor) = (email.key(), actor.to_owned());
        self.write(move |connection| {
            let (key, before) = account(connection, "email_key", &email)?;
            replace_password(connection, key, &password_hash)?;
            reset_delay(connection, &email)?;
            let address = before.email.as_str();
            log_person(connection, &actor, now, address, "", "given a new password")
        })
        .wait()
    }

    /// Like [`Store::set_password`], if the hash is still `current` and the session exists;
    /// notifies the user by mail.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`] if there is no such account or it changed.
    pub fn change_password(
        &self,
        session: &Session,
        current: String,
        password_hash: String,
        now: Timestamp,
    ) -> Result<()> {
        let (user_id, sid) = (session.user.id.clone(), session.sid.clone());
        self.write(move |connection| {
            let sql = "SELECT key FROM users WHERE id = ?1 AND password_hash = ?2 \
                 AND EXISTS (SELECT 1 FROM sessions WHERE sid = ?3 AND sessions.user = users.key)";
            let key: i64 = scalar(connection, sql, params![user_id, current, sid])?;
            replace_password(connection, key, &password_hash)?;
            mails::queue_password_changed(connection, key, now)
        })
        .wait()
    }

    /// Returns the MAC of a fixed text, which identifies the shop's key; `None` before the first
    /// use of a key.
    pub fn key_check(&self) -> Result<Option<[u8; 32]>> {
        self.read(|connection| Ok(scalar(connection, "SELECT mac FROM key_check", []).optional()?))
    }

    /// Stores the key's MAC, unless there is one.
    pub fn set_key_check(&self, mac: [u8; 32]) -> Result<()> {
        self.execute(
            "INSERT OR IGNORE INTO key_check (id, mac) VALUES (1, ?)",
            [mac],
        )
        .wait()
    }

    /// Stores a new key's MAC and deletes all that depends on the old key: sets passwords to
    /// `unusable`, and deletes sessions, codes, registrations and invitations.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if it could not be stored; nothing is changed then.
    pub fn renew_key(&self, mac: [u8; 32], unusable: &'static str) -> Result<()> {
        self.write(move |connection| {
            let sql = "INSERT OR REPLACE INTO key_check (id, mac) VALUES (1, ?)";
            connection.execute(sql, [mac])?;
            connection.execute("UPDATE users SET password_hash = ?", [unusable])?;
            Ok(connection.execute_batch(
                "DELETE FROM sessions; DELETE FROM remembered_devices; DELETE FROM codes; DELETE FROM registrations; \
                 DELETE FROM invitations; \
                 DELETE FROM outgoing WHERE kind = 'mail' AND payload ->> 'seed' IS NOT NULL",
            )?)
        })
        .wait()
    }
}

/// Columns of a [`User`].
pub(crate) const COLUMNS: &str = "users.id AS user_id, users.username AS username, \
     users.email AS email, iif(users.is_editor, 'editor', users.role) AS role, users.created_at AS user_created_at, \
     EXISTS (SELECT 1 FROM totp_factors WHERE totp_factors.user = users.key AND totp_factors.enabled_at IS NOT NULL) \
     AS has_factor";

pub(crate) fn user(row: &Row<'_>) -> rusqlite::Result<User> {
    let (email, role): (String, String) = (row.get("email")?, row.get("role")?);
    let broken = || {
        rusqlite::Error::FromSqlConversionFailure(
            0,
            rusqlite::types::Type::Text,
            "the stored account breaks a rule".into(),
        )
    };
    Ok(User {
        id: row.get("user_id")?,
        username: row.get("username")?,
        email: Email::parse(&email).ok_or_else(broken)?,
        role: Role::parse(&role).ok_or_else(broken)?,
        created_at: time_at(row, "user_created_at")?,
        has_factor: row.get("has_factor")?,
    })
}

pub(crate) fn insert(
    connection: &Connection,
    username: &str,
    email: &str,
    role: Role,
    password_hash: &str,
    now: Timestamp,
) -> Result<()> {
    check_name(connection, username, Role::User, role)?;
    let (role_column, is_editor) = stored(role);
    let sql = "INSERT INTO users \
         (id, username, email, email_key, role, is_editor, password_hash, created_at) \
         VALUES (:id, :username, :email, :email_key, :role, :is_editor, :password_hash, :now)";
    run(
        connection,
        sql,
        named_params! {
            ":id": new_id(),
            ":username": username,
            ":email": email,
            ":email_key": email.to_lowercase(),
            ":role": role_column,
            ":is_editor": is_editor,
            ":password_hash": password_hash,
            ":now": now.as_millisecond(),
        },
    )
}

/// Refuses the name of somebody who becomes an administrator or editor, if it may be taken for another.
pub(super) fn check_name(
    connection: &Connection,
    username: &str,
    before: Role,
    role: Role,
) -> Result<()> {
    if before.is_staff() || !role.is_staff() {
        return Ok(());
    }
    let sql = "SELECT username FROM users WHERE role = 'admin' OR is_editor";
    let mut statement = connection.prepare_cached(sql)?;
    let others = statement.query_map([], |row| row.get(0))?;
    let others: Vec<String> = others.collect::<rusqlite::Result<_>>()?;
    check_staff_name(username, &others).map_err(StoreError::StaffName)
}

/// Returns the columns `role` and `is_editor` of a role.
pub(super) fn stored(role: Role) -> (&'static str, bool) {
    match role {
        Role::Admin => ("admin", false),
        Role::Editor => ("user", true),
        Role::User => ("user", false),
    }
}

/// Makes a running server reset the sign-in delay of an address.
pub(crate) fn reset_delay(connection: &Connection, email_key: &str) -> Result<()> {
    let sql = "INSERT INTO throttle_resets (email_key, resets) VALUES (?, 1) \
         ON CONFLICT (email_key) DO UPDATE SET resets = resets + 1";
    run(connection, sql, [email_key])
}

pub(crate) fn replace_password(
    connection: &Connection,
    key: i64,
    password_hash: &str,
) -> Result<()> {
    let sql = "UPDATE users SET password_hash = ? WHERE key = ?";
    connection.execute(sql, params![password_hash, key])?;
    connection.execute("DELETE FROM sessions WHERE user = ?", [key])?;
    connection.execute("DELETE FROM codes WHERE user = ?", [key])?;
    Ok(())
}

pub(crate) fn find_key(connection: &Connection, email_key: &str) -> Result<Option<i64>> {
    let sql = "SELECT key FROM users WHERE email_key = ?";
    Ok(scalar(connection, sql, [email_key]).optional()?)
}

/// Returns the account with this value in a column, and its key.
pub(super) fn account(connection: &Connection, column: &str, value: &str) -> Result<(i64, User)> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT users.key AS key, {COLUMNS} FROM users WHERE {column} = ?"
    ))?;
    Ok(statement.query_row([value], |row| Ok((row.get("key")?, user(row)?)))?)
}
