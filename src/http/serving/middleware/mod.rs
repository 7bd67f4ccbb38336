//! What every request passes on its way to a handler.

pub(crate) mod request_log;
pub(crate) mod security;
