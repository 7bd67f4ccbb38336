//! Middleware that every request passes.

pub(crate) mod request_log;
pub(crate) mod security;
