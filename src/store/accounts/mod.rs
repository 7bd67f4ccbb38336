//! Accounts: users, sessions, waiting registrations, codes and the mails to send.

pub(crate) mod code_tries;
pub(crate) mod codes;
pub(crate) mod outbox;
pub(crate) mod quota;
pub(crate) mod sessions;
pub(crate) mod users;
