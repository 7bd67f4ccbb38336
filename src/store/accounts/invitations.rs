//! Invitations, found by the SHA-256 of the secret in their link.

use jiff::Timestamp;
use rusqlite::{OptionalExtension, Row, named_params, params};

use super::mails::{self, MailKind, NewMail};
use super::trail::log_person;
use super::users::{find_key, insert};
use crate::domain::{Email, Registration, Role, User};
use crate::store::db::error::Result;
use crate::store::db::rows::{new_id, run, scalar, time_at};
use crate::store::{Pending, Store, StoreError};

/// Maximum number of open invitations.
pub const MAX_INVITATIONS: i64 = 100;

/// An invitation to store, with its hash instead of its secret.
#[derive(Debug, Clone)]
pub struct NewInvitation {
    /// SHA-256 of the secret.
    pub hash: [u8; 32],
    /// Bytes from which the mail makes the secret with the shop's key; `None` sends no mail.
    pub seed: Option<[u8; 16]>,
    /// Address.
    pub email: Email,
    /// Suggested name, or empty.
    pub username: String,
    /// Role of the account to be.
    pub role: Role,
    /// Time from which it is refused.
    pub expires_at: Timestamp,
}

/// Result of adding an invitation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Invited {
    /// It was added.
    Added,
    /// The address has an account.
    HasAccount,
    /// There are [`MAX_INVITATIONS`] already.
    TooMany,
}

/// An open invitation.
#[derive(Debug, Clone)]
pub struct Invitation {
    /// SHA-256 of the secret.
    pub hash: [u8; 32],
    /// Address.
    pub email: Email,
    /// Suggested name, or empty.
    pub username: String,
    /// Role of the account to be.
    pub role: Role,
    /// Time from which it is refused.
    pub expires_at: Timestamp,
}

impl Store {
    /// Adds an invitation, which replaces an earlier one of the same address.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`] if the sender is no administrator any more.
    pub fn insert_invitation(
        &self,
        new: NewInvitation,
        sender: &User,
        now: Timestamp,
    ) -> Result<Invited> {
        let (sender, actor) = (sender.id.clone(), sender.username.clone());
        self.write(move |connection| {
            let email_key = new.email.key();
            if find_key(connection, &email_key)?.is_some() {
                return Ok(Invited::HasAccount);
            }
            let sql = "DELETE FROM invitations WHERE email_key = ?1 OR expires_at <= ?2";
            run(connection, sql, params![email_key, now.as_millisecond()])?;
            let open: i64 = scalar(connection, "SELECT count(*) FROM invitations", [])?;
            if open >= MAX_INVITATIONS {
                return Ok(Invited::TooMany);
            }
            let inserted = connection.execute(
                "INSERT INTO invitations \
                     (id, hash, email, email_key, username, role, user, created_at, expires_at) \
                 SELECT :id, :hash, :email, :email_key, :username, :role, key, :now, :expires \
                 FROM users WHERE id = :sender AND role = 'admin'",
                named_params! {
                    ":id": new_id(),
                    ":hash": new.hash,
                    ":email": new.email.as_str(),
                    ":email_key": email_key,
                    ":username": new.username,
                    ":role": new.role.as_str(),
                    ":now": now.as_millisecond(),
                    ":expires": new.expires_at.as_millisecond(),
                    ":sender": sender,
                },
            )?;
            if inserted == 0 {
                return Err(StoreError::NotFound);
            }
            mails::withdraw_invitation(connection, new.email.as_str())?;
            if new.seed.is_some() {
                let mail = NewMail {
                    kind: MailKind::Invitation,
                    recipient: new.email.as_str().to_owned(),
                    username: actor.clone(),
                    seed: new.seed,
                    form_at: None,
                    client: None,
                };
                mails::queue_until(connection, &mail, now, new.expires_at)?;
            }
            let to = format!("invited as {}", new.role.as_str());
            log_person(connection, &actor, now, new.email.as_str(), "", &to)?;
            Ok(Invited::Added)
        })
        .wait()
    }

    /// Returns the invitation with this hash, unless it has expired.
    pub fn find_invitation(&self, hash: [u8; 32], now: Timestamp) -> Result<Option<Invitation>> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT hash, email, username, role, expires_at FROM invitations \
                 WHERE hash = ? AND expires_at > ?",
            )?;
            let found = statement.query_row(params![hash, now.as_millisecond()], invitation);
            Ok(found.optional()?)
        })
    }

    /// True if there are expired invitations.
    pub fn has_expired_invitations(&self, now: Timestamp) -> Result<bool> {
        self.read(|connection| {
            let sql = "SELECT EXISTS (SELECT 1 FROM invitations WHERE expires_at <= ?)";
            Ok(scalar(connection, sql, [now.as_millisecond()])?)
        })
    }

    /// Deletes expired invitations, with the addresses of people who have no account.
    pub fn delete_expired_invitations(&self, now: Timestamp) -> Pending<()> {
        let sql = "DELETE FROM invitations WHERE expires_at <= ?";
        self.execute(sql, [now.as_millisecond()])
    }

    /// Deletes an invitation and adds its account. Returns false, without a change, if the
    /// invitation is gone.
    ///
    /// # Errors
    ///
    /// [`StoreError::Conflict`] if the address has an account.
    pub fn accept_invitation(
        &self,
        invitation: Invitation,
        form: &Registration,
        password_hash: String,
        now: Timestamp,
    ) -> Result<bool> {
        let username = form.username.clone();
        self.write(move |connection| {
            let sql = "DELETE FROM invitations WHERE hash = ? AND expires_at > ?";
            let time = now.as_millisecond();
            if connection.execute(sql, params![invitation.hash, time])? == 0 {
                return Ok(false);
            }
            let (email, role) = (invitation.email.as_str(), invitation.role);
            insert(connection, &username, email, role, &password_hash, now)?;
            let sql = "DELETE FROM registrations WHERE email_key = ?";
            run(connection, sql, [invitation.email.key()])?;
            log_person(connection, &username, now, email, "invited", role.as_str())?;
            Ok(true)
        })
        .wait()
    }
}

fn invitation(row: &Row<'_>) -> rusqlite::Result<Invitation> {
    let (email, role): (String, String) = (row.get("email")?, row.get("role")?);
    Ok(Invitation {
        hash: row.get("hash")?,
        email: Email::parse(&email).ok_or(rusqlite::Error::InvalidQuery)?,
        username: row.get("username")?,
        role: Role::parse(&role).ok_or(rusqlite::Error::InvalidQuery)?,
        expires_at: time_at(row, "expires_at")?,
    })
}
