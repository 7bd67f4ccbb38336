//! Commands about accounts, keys and webhooks.

pub(super) mod key;
mod reset_key;
pub(super) mod setup_link;
pub(super) mod user;
pub(super) mod webhook;
