//! Accounts: users, sessions, pending registrations, codes, queued mails and webhooks.

pub(crate) mod code_tries;
pub(crate) mod codes;
pub(crate) mod factors;
pub(crate) mod invitations;
pub(crate) mod keys;
pub(crate) mod mails;
pub(crate) mod people;
pub(crate) mod quota;
pub(crate) mod sessions;
pub(crate) mod setup_link;
mod trail;
pub(crate) mod users;
pub(crate) mod webhooks;

use jiff::SignedDuration;

/// Lifetime of a code (decisions, section 6).
pub(crate) const CODE_LIFETIME: SignedDuration = SignedDuration::from_mins(10);
