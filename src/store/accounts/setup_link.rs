//! The link that makes the first administrator.

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, params};

use super::trail::log_person;
use super::users::insert;
use crate::domain::{Registration, Role, hex};
use crate::store::db::error::Result;
use crate::store::db::rows::{scalar, time_at};
use crate::store::{Store, StoreError};

/// Beginning of the name under which `setup_checks` has the link; the SHA-256 of its secret follows.
const PREFIX: &str = "setup-link:";

/// A stored setup link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetupLink {
    /// SHA-256 of the secret, as hexadecimal digits.
    pub hash: String,
    /// When it was made.
    pub made_at: Timestamp,
}

impl Store {
    /// Replaces the setup link. Returns false, without a change, if there is an administrator.
    pub fn set_setup_link(&self, hash: [u8; 32], now: Timestamp) -> Result<bool> {
        self.write(move |connection| {
            if has_admin(connection)? {
                return Ok(false);
            }
            delete(connection)?;
            connection.execute(
                "INSERT INTO setup_checks VALUES (?, ?)",
                params![format!("{PREFIX}{}", hex(&hash)), now.as_millisecond()],
            )?;
            Ok(true)
        })
        .wait()
    }

    /// Returns the setup link, unless there is an administrator.
    pub fn setup_link(&self) -> Result<Option<SetupLink>> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT substr(name, length(?1) + 1), passed_at FROM setup_checks \
                 WHERE substr(name, 1, length(?1)) = ?1",
            )?;
            let link = statement.query_row([PREFIX], |row| {
                Ok(SetupLink {
                    hash: row.get(0)?,
                    made_at: time_at(row, 1)?,
                })
            });
            match link.optional()? {
                Some(link) if !has_admin(connection)? => Ok(Some(link)),
                _ => Ok(None),
            }
        })
    }

    /// Adds the first administrator and deletes the link with this hash. Returns false, without a
    /// change, if the link is gone or there is an administrator.
    ///
    /// # Errors
    ///
    /// [`StoreError::Conflict`] if the address has an account.
    pub fn insert_first_admin(
        &self,
        form: &Registration,
        link: SetupLink,
        password_hash: String,
        now: Timestamp,
    ) -> Result<bool> {
        let (username, email) = (form.username.clone(), form.email.clone());
        self.write(move |connection| {
            let name = format!("{PREFIX}{}", link.hash);
            let sql = "SELECT EXISTS (SELECT 1 FROM setup_checks WHERE name = ?)";
            let is_open: bool = scalar(connection, sql, [name])?;
            if !is_open || has_admin(connection)? {
                return Ok(false);
            }
            delete(connection)?;
            let address = email.as_str();
            insert(
                connection,
                &username,
                address,
                Role::Admin,
                &password_hash,
                now,
            )?;
            let sql = "DELETE FROM registrations WHERE email_key = ?";
            connection.execute(sql, [email.key()])?;
            log_person(connection, &username, now, address, "", "added as admin")?;
            Ok::<_, StoreError>(true)
        })
        .wait()
    }
}

fn has_admin(connection: &Connection) -> Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM users WHERE role = 'admin')";
    Ok(scalar(connection, sql, [])?)
}

fn delete(connection: &Connection) -> Result<()> {
    let sql = "DELETE FROM setup_checks WHERE substr(name, 1, length(?1)) = ?1";
    connection.execute(sql, [PREFIX])?;
    Ok(())
}
