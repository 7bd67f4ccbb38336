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
    /// Time at which a code of the second factor was last entered.
    pub confirmed_at: Option<Timestamp>,
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

/// Time for which a code of the second factor confirms a session.
const CONFIRMED: SignedDuration = SignedDuration::from_mins(10);

impl Session {
    /// False if a code of the second factor has to be entered first; true without a factor.
    pub fn is_confirmed(&self, now: Timestamp) -> bool {
        let is_recent = |at| now.duration_since(at) < CONFIRMED;
        !self.user.has_factor || self.confirmed_at.is_some_and(is_recent)
    }

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
                has_factor: false,
            },
            audience: Audience::Me,
            created_at,
            last_seen_at: created_at + SignedDuration::from_hours(last_seen_hours),
            confirmed_at: None,
        }
    }

    #[test]
    fn a_code_confirms_a_session_for_ten_minutes() {
        let start = Timestamp::UNIX_EPOCH;
        let mut session = session(Role::Admin, 0);
        assert!(session.is_confirmed(start), "without a factor");
        session.user.has_factor = true;
        assert!(!session.is_confirmed(start));
        session.confirmed_at = Some(start);
        let after = |minutes| start + SignedDuration::from_mins(minutes);
        assert!(session.is_confirmed(after(9)));
        assert!(!session.is_confirmed(after(10)));
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
