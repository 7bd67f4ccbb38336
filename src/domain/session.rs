//! Sessions and their lifetimes.

use jiff::{SignedDuration, Timestamp};

use super::enums::named;
use super::{Role, User};

named! {
    /// Scope of a session's token (decisions, section 6).
    Audience {
        /// Browser token: may only read the current user. The cookie carries the authority, so a token
        /// stolen from the page's storage cannot administer.
        Me = "me";
        /// Program token: accepted as a bearer token by every call.
        Api = "api";
    }
}

/// A signed-in user's session.
#[derive(Debug, Clone, PartialEq)]
pub struct Session {
    /// Public session id, as in the token; not a secret.
    pub sid: String,
    /// The account, with its current role.
    pub user: User,
    /// Scope of the token.
    pub audience: Audience,
    /// Time of sign-in.
    pub created_at: Timestamp,
    /// Time of last use, accurate to a minute.
    pub last_seen_at: Timestamp,
}

/// Returns the absolute and the idle timeout for a role (decisions, section 6).
pub fn lifetime(role: Role) -> (SignedDuration, SignedDuration) {
    match role {
        Role::User => (
            SignedDuration::from_hours(30 * 24),
            SignedDuration::from_hours(7 * 24),
        ),
        Role::Admin | Role::Editor => (
            SignedDuration::from_hours(24),
            SignedDuration::from_hours(2),
        ),
    }
}

impl Session {
    /// True until the absolute or the idle timeout.
    pub fn is_alive(&self, now: Timestamp) -> bool {
        let (absolute, idle) = lifetime(self.user.role);
        now.duration_since(self.created_at) < absolute
            && now.duration_since(self.last_seen_at) < idle
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Email;

    fn session(role: Role, last_seen_hours: i64) -> Session {
        let created_at = Timestamp::UNIX_EPOCH;
        Session {
            sid: "sid".to_owned(),
            user: User {
                id: "id".to_owned(),
                username: "someone".to_owned(),
                email: Email::parse("a@b.co").unwrap(),
                role,
                created_at,
            },
            audience: Audience::Me,
            created_at,
            last_seen_at: created_at + SignedDuration::from_hours(last_seen_hours),
        }
    }

    #[test]
    fn sessions_end_when_unused_and_at_their_age_and_sooner_for_admins() {
        for (role, last_seen, now, alive) in [
            (Role::User, 0, 7 * 24 - 1, true),
            (Role::User, 0, 7 * 24, false),
            (Role::User, 30 * 24 - 1, 30 * 24 - 1, true),
            (Role::User, 30 * 24 - 1, 30 * 24, false),
            (Role::Admin, 0, 1, true),
            (Role::Admin, 0, 2, false),
            (Role::Admin, 23, 23, true),
            (Role::Admin, 23, 24, false),
        ] {
            let at = Timestamp::UNIX_EPOCH + SignedDuration::from_hours(now);
            assert_eq!(
                session(role, last_seen).is_alive(at),
                alive,
                "{role:?} {last_seen} {now}"
            );
        }
    }
}
