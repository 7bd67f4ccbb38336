//! Accounts: users, sessions, waiting registrations, codes and the mails to send.

pub(crate) mod code_tries;
pub(crate) mod codes;
pub(crate) mod outbox;
pub(crate) mod quota;
pub(crate) mod sessions;
pub(crate) mod users;

use jiff::SignedDuration;

/// How long a code is good (decisions, section 6).
pub(crate) const CODE_LIFETIME: SignedDuration = SignedDuration::from_mins(10);
