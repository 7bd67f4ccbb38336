//! Sessions, found by the hash of the cookie's secret or by the public id in a token (`sid`).

use std::net::IpAddr;

use jiff::{SignedDuration, Timestamp};
use rusqlite::{Row, named_params, params};

use super::users::{self, user};
use crate::domain::{Audience, Role, Session, User, lifetime};
use crate::store::db::rows::{optional_time_at, scalar, time_at};
use crate::store::{Pending, Store, StoreError};

/// Device of a sign-in.
#[derive(Debug, Clone)]
pub struct Device {
    /// Scope of the session's token.
    pub audience: Audience,
    /// User-Agent, at most 200 characters.
    pub agent: String,
    /// The client's address; of IPv6, the first 64 bits.
    pub address: IpAddr,
}

/// A session for its owner.
#[derive(Debug, Clone)]
pub struct ListedSession {
    /// The session.
    pub session: Session,
    /// User-Agent at sign-in, or empty.
    pub agent: String,
    /// The client's address at sign-in, if it was stored.
    pub address: Option<String>,
}

/// Condition for sessions that have ended; its parameters are [`ends`].
macro_rules! expired {
    () => {
        "sessions.created_at <= iif((SELECT role = 'admin' OR is_editor FROM users WHERE users.key = sessions.user), ?1, ?3) \
         OR sessions.last_seen_at <= iif((SELECT role = 'admin' OR is_editor FROM users WHERE users.key = sessions.user), ?2, ?4)"
    };
}

impl Store {
    /// Begins a session if the account still has this password hash; `id_hash` is the hash of the
    /// cookie's secret.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`] if the account was deleted or its password changed meanwhile.
    pub fn insert_session(
        &self,
        user: &User,
        password_hash: String,
        sid: &str,
        id_hash: [u8; 32],
        device: &Device,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let (user_id, sid, device) = (user.id.clone(), sid.to_owned(), device.clone());
        self.write(move |connection| {
            let inserted = connection.execute(
                "INSERT INTO sessions \
                     (id_hash, sid, user, audience, created_at, last_seen_at, agent, address) \
                 SELECT :id_hash, :sid, key, :audience, :now, :now, :agent, :address FROM users \
                 WHERE id = :user AND password_hash = :password_hash",
                named_params! {
                    ":id_hash": id_hash,
                    ":sid": sid,
                    ":audience": device.audience.as_str(),
                    ":now": now.as_millisecond(),
                    ":agent": device.agent,
                    ":address": device.address.to_string(),
                    ":user": user_id,
                    ":password_hash": password_hash,
                },
            )?;
            if inserted == 0 {
                return Err(StoreError::NotFound);
            }
            Ok(())
        })
        .wait()
    }

    /// Returns the session of a cookie, possibly expired.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`] when there is none.
    pub fn find_session_by_secret(&self, id_hash: [u8; 32]) -> Result<Session, StoreError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(&select("sessions.id_hash = ?"))?;
            Ok(statement.query_row([id_hash], session)?)
        })
    }

    /// Returns the session of a token, possibly expired.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`] when there is none.
    pub fn find_session_by_sid(&self, sid: &str) -> Result<Session, StoreError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(&select("sessions.sid = ?"))?;
            Ok(statement.query_row([sid], session)?)
        })
    }

    /// Records the use of a session, at most once a minute.
    pub fn touch_session(&self, session: &Session, now: Timestamp) {
        const A_MINUTE: SignedDuration = SignedDuration::from_mins(1);
        if now.duration_since(session.last_seen_at) < A_MINUTE {
            return;
        }
        let sid = session.sid.clone();
        // Not awaited: if lost, the session ends slightly earlier.
        drop(self.execute(
            "UPDATE sessions SET last_seen_at = max(last_seen_at, ?) WHERE sid = ?",
            (now.as_millisecond(), sid),
        ));
    }

    /// Ends a session, if it exists.
    pub fn delete_session(&self, sid: &str) -> Pending<()> {
        self.execute("DELETE FROM sessions WHERE sid = ?", [sid.to_owned()])
    }

    /// True if there are sessions to delete, with their agents and addresses.
    pub fn has_expired_sessions(&self, now: Timestamp) -> Result<bool, StoreError> {
        self.read(|connection| {
            let sql = concat!(
                "SELECT EXISTS (SELECT 1 FROM sessions WHERE ",
                expired!(),
                ")"
            );
            Ok(scalar(connection, sql, ends(now))?)
        })
    }

    /// Deletes the sessions that have ended by their absolute or idle timeout.
    pub fn delete_expired_sessions(&self, now: Timestamp) -> Pending<()> {
        self.execute(
            concat!("DELETE FROM sessions WHERE ", expired!()),
            ends(now),
        )
    }

    /// Returns the sessions of an account with their agent and address, the last used first;
    /// possibly expired ones too.
    pub fn list_sessions(&self, user: &User) -> Result<Vec<ListedSession>, StoreError> {
        self.read(|connection| {
            let list = select("users.id = ? ORDER BY last_seen_at DESC LIMIT 100");
            let mut statement = connection.prepare_cached(&list)?;
            let sessions = statement.query_map([&user.id], |row| {
                Ok(ListedSession {
                    session: session(row)?,
                    agent: row.get::<_, Option<String>>("agent")?.unwrap_or_default(),
                    address: row.get("address")?,
                })
            })?;
            Ok(sessions.collect::<rusqlite::Result<_>>()?)
        })
    }

    /// Ends a session of this account.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`] when the account has no such session.
    pub fn delete_session_of(&self, user: &User, sid: &str) -> Result<(), StoreError> {
        let (id, sid) = (user.id.clone(), sid.to_owned());
        self.write(move |connection| {
            let sql = "DELETE FROM sessions \
                 WHERE sid = ? AND user = (SELECT key FROM users WHERE id = ?)";
            match connection.execute(sql, params![sid, id])? {
                0 => Err(StoreError::NotFound),
                _ => Ok(()),
            }
        })
        .wait()
    }

    /// Ends every session of an account, and forgets its devices.
    pub fn delete_sessions_of(&self, user: &User) -> Pending<()> {
        let id = user.id.clone();
        self.write(move |connection| {
            for table in ["sessions", "remembered_devices"] {
                let sql = format!(
                    "DELETE FROM {table} WHERE user = (SELECT key FROM users WHERE id = ?)"
                );
                connection.execute(&sql, [&id])?;
            }
            Ok(())
        })
    }
}

/// Returns the latest creation and last use of ended sessions, of staff and of users.
fn ends(now: Timestamp) -> [i64; 4] {
    let ends = [Role::Editor, Role::User].map(|role| {
        let (absolute, idle) = lifetime(role);
        [now - absolute, now - idle].map(Timestamp::as_millisecond)
    });
    let [[staff, idle_staff], [user, idle_user]] = ends;
    [staff, idle_staff, user, idle_user]
}

fn select(condition: &str) -> String {
    format!(
        "SELECT sessions.sid AS sid, sessions.audience AS audience, \
         sessions.created_at AS created_at, sessions.last_seen_at AS last_seen_at, \
         sessions.agent AS agent, sessions.address AS address, {}, \
         sessions.confirmed_at AS confirmed_at \
         FROM sessions JOIN users ON users.key = sessions.user WHERE {condition}",
        users::COLUMNS
    )
}

fn session(row: &Row<'_>) -> rusqlite::Result<Session> {
    let audience: String = row.get("audience")?;
    Ok(Session {
        sid: row.get("sid")?,
        user: user(row)?,
        // An unknown audience gets the lesser authority.
        audience: Audience::parse(&audience).unwrap_or(Audience::Me),
        created_at: time_at(row, "created_at")?,
        last_seen_at: time_at(row, "last_seen_at")?,
        confirmed_at: optional_time_at(row, "confirmed_at")?,
    })
}
