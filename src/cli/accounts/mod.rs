//! Commands about accounts and keys.

pub(super) mod key;
mod reset_key;
pub(super) mod setup_link;
pub(super) mod user;
