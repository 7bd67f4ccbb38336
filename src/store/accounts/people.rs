//! People for administrators: accounts, their roles, and removal.

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::mails::withdraw_invitation;
use super::trail::log_person;
use super::users::{account, check_name, reset_delay, stored};
use crate::domain::{Email, Paged, Role, Session, User, page_offset};
use crate::store::db::error::Result;
use crate::store::db::rows::{optional_time_at, run, scalar, time_at};
use crate::store::{Store, StoreError};

/// One line of the list of people.
#[derive(Debug, Clone)]
pub struct Person {
    /// Id of the account or invitation.
    pub id: String,
    /// Name; of an invitation, the suggested one or empty.
    pub username: String,
    /// Address.
    pub email: Email,
    /// Role, now or after the invitation is accepted.
    pub role: Role,
    /// Time of creation.
    pub created_at: Timestamp,
    /// End of an invitation; `None` for accounts.
    pub invited_until: Option<Timestamp>,
    /// Last use of a session that has not been deleted.
    pub last_seen_at: Option<Timestamp>,
    /// Number of sessions.
    pub sessions: i64,
    /// Number of commands that reset the sign-in delay.
    pub lifts: i64,
}

/// Change of an account by an administrator.
#[derive(Debug, Clone, Copy, Default)]
pub struct PersonChange {
    /// New role; a different one ends the sessions.
    pub role: Option<Role>,
    /// Whether to end all sessions.
    pub sign_out: bool,
    /// Whether to reset the sign-in delay.
    pub unlock: bool,
}

/// Outcome of a change or removal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PersonChanged {
    /// It was done.
    Done,
    /// It would leave the shop without an administrator.
    LastAdmin,
}

impl Store {
    /// Returns one page of open invitations and accounts, the newest first; `page` counts from 1.
    pub fn list_people(
        &self,
        search: &str,
        page: u32,
        limit: u32,
        now: Timestamp,
    ) -> Result<Paged<Person>> {
        const FROM: &str = "FROM (\
             SELECT id, username, email, email_key, iif(is_editor, 'editor', role) AS role, created_at, \
                 NULL AS invited_until, 0 AS is_invited, \
                 (SELECT max(last_seen_at) FROM sessions WHERE user = users.key) AS last_seen_at, \
                 (SELECT count(*) FROM sessions WHERE user = users.key) AS sessions \
             FROM users \
             UNION ALL SELECT id, username, email, email_key, role, created_at, expires_at, 1, NULL, 0 \
             FROM invitations WHERE expires_at > ?2) AS people \
             WHERE instr(email_key, ?1) OR instr(lower(username), ?1)";
        let search = search.trim().to_lowercase();
        let now = now.as_millisecond();
        self.read(|connection| {
            let mut statement = connection.prepare_cached(&format!(
                "SELECT people.*, (SELECT resets FROM throttle_resets \
                     WHERE throttle_resets.email_key = people.email_key) AS lifts {FROM} \
                 ORDER BY is_invited DESC, created_at DESC, id LIMIT ?3 OFFSET ?4"
            ))?;
            let offset = page_offset(page, limit);
            let people = statement.query_map(params![search, now, limit, offset], person)?;
            Ok(Paged {
                items: people.collect::<rusqlite::Result<_>>()?,
                total: scalar(
                    connection,
                    &format!("SELECT count(*) {FROM}"),
                    params![search, now],
                )?,
            })
        })
    }

    /// Changes an account.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`] when there is no such account.
    pub fn change_person(
        &self,
        id: &str,
        change: PersonChange,
        actor: &str,
        now: Timestamp,
    ) -> Result<PersonChanged> {
        let (id, actor) = (id.to_owned(), actor.to_owned());
        self.write(move |connection| {
            let (key, before) = account(connection, "id", &id)?;
            let email = before.email.as_str();
            let role = change.role.filter(|role| *role != before.role);
            if let Some(role) = role {
                if is_last_admin(connection, &before)? {
                    return Ok(PersonChanged::LastAdmin);
                }
                check_name(connection, &before.username, before.role, role)?;
                let (column, is_editor) = stored(role);
                let sql = "UPDATE users SET role = ?, is_editor = ? WHERE key = ?";
                run(connection, sql, params![column, is_editor, key])?;
                let (from, to) = (before.role.as_str(), role.as_str());
                log_person(connection, &actor, now, email, from, to)?;
            }
            if role.is_some() || change.sign_out {
                run(connection, "DELETE FROM sessions WHERE user = ?", [key])?;
            }
            if change.sign_out {
                log_person(connection, &actor, now, email, "", "signed out")?;
            }
            if change.unlock {
                reset_delay(connection, &before.email.key())?;
                log_person(connection, &actor, now, email, "", "unlocked")?;
            }
            Ok(PersonChanged::Done)
        })
        .wait()
    }

    /// Deletes an account or an open invitation.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`] when there is none.
    pub fn delete_person(&self, id: &str, actor: &str, now: Timestamp) -> Result<PersonChanged> {
        let (id, actor) = (id.to_owned(), actor.to_owned());
        self.write(move |connection| {
            let sql = "DELETE FROM invitations WHERE id = ? RETURNING email";
            let invited: Option<String> = scalar(connection, sql, [&id]).optional()?;
            if let Some(email) = invited {
                withdraw_invitation(connection, &email)?;
                log_person(connection, &actor, now, &email, "invited", "")?;
                return Ok(PersonChanged::Done);
            }
            remove(connection, &id, &actor, now, |user| {
                user.email.as_str().to_owned()
            })
        })
        .wait()
    }

    /// Deletes the account of a session, if its password is still the one with this hash.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`] if the account is gone or its password changed.
    pub fn delete_own_account(
        &self,
        session: &Session,
        password_hash: String,
        now: Timestamp,
    ) -> Result<PersonChanged> {
        let (id, actor) = (session.user.id.clone(), session.user.username.clone());
        self.write(move |connection| {
            let sql = "SELECT EXISTS (SELECT 1 FROM users WHERE id = ? AND password_hash = ?)";
            if !scalar::<bool>(connection, sql, params![id, password_hash])? {
                return Err(StoreError::NotFound);
            }
            // The log keeps no address of somebody who leaves.
            remove(connection, &id, &actor, now, |user| user.username.clone())
        })
        .wait()
    }
}

/// Deletes an account, which the log calls by `name`.
fn remove(
    connection: &Connection,
    id: &str,
    actor: &str,
    now: Timestamp,
    name: fn(&User) -> String,
) -> Result<PersonChanged> {
    let (key, before) = account(connection, "id", id)?;
    if is_last_admin(connection, &before)? {
        return Ok(PersonChanged::LastAdmin);
    }
    run(connection, "DELETE FROM users WHERE key = ?", [key])?;
    reset_delay(connection, &before.email.key())?;
    let role = before.role.as_str();
    log_person(connection, actor, now, &name(&before), role, "")?;
    Ok(PersonChanged::Done)
}

fn is_last_admin(connection: &Connection, user: &User) -> Result<bool> {
    let sql = "SELECT NOT EXISTS (SELECT 1 FROM users WHERE role = 'admin' AND id <> ?)";
    Ok(user.role == Role::Admin && scalar(connection, sql, [&user.id])?)
}

fn person(row: &Row<'_>) -> rusqlite::Result<Person> {
    let (email, role): (String, String) = (row.get("email")?, row.get("role")?);
    let time = |column| optional_time_at(row, column);
    let lifts: Option<i64> = row.get("lifts")?;
    Ok(Person {
        id: row.get("id")?,
        username: row.get("username")?,
        email: Email::parse(&email).ok_or(rusqlite::Error::InvalidQuery)?,
        role: Role::parse(&role).ok_or(rusqlite::Error::InvalidQuery)?,
        created_at: time_at(row, "created_at")?,
        invited_until: time("invited_until")?,
        last_seen_at: time("last_seen_at")?,
        sessions: row.get("sessions")?,
        lifts: lifts.unwrap_or_default(),
    })
}
