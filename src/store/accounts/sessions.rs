//! Sessions, found by the hash of the cookie's secret or by the public id in a token (`sid`).

use jiff::{SignedDuration, Timestamp};
use rusqlite::{Row, named_params};

use super::users::{self, user};
use crate::domain::{Audience, Role, Session, User, lifetime};
use crate::store::db::rows::time_at;
use crate::store::{Pending, Store, StoreError};

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
        audience: Audience,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let (user_id, sid) = (user.id.clone(), sid.to_owned());
        self.write(move |connection| {
            // The longest lifetime of any role.
            let (longest, _) = lifetime(Role::User);
            let sql = "DELETE FROM sessions WHERE created_at < ?";
            connection.execute(sql, [(now - longest).as_millisecond()])?;
            let inserted = connection.execute(
                "INSERT INTO sessions (id_hash, sid, user, audience, created_at, last_seen_at) \
                 SELECT :id_hash, :sid, key, :audience, :now, :now FROM users \
                 WHERE id = :user AND password_hash = :password_hash",
                named_params! {
                    ":id_hash": id_hash,
                    ":sid": sid,
                    ":audience": audience.as_str(),
                    ":now": now.as_millisecond(),
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

    /// Ends every session of an account.
    pub fn delete_sessions_of(&self, user: &User) -> Pending<()> {
        self.execute(
            "DELETE FROM sessions WHERE user = (SELECT key FROM users WHERE id = ?)",
            [user.id.clone()],
        )
    }
}

fn select(condition: &str) -> String {
    format!(
        "SELECT sessions.sid AS sid, sessions.audience AS audience, \
         sessions.created_at AS created_at, sessions.last_seen_at AS last_seen_at, {} \
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
    })
}
