//! Calls about what the shop sends out by itself.

pub(in crate::http) mod alerts;
pub(in crate::http) mod channels;
pub(in crate::http) mod list;
pub(in crate::http) mod queue;
pub(in crate::http) mod subscribers;
pub(in crate::http) mod webhooks;
