//! Connections: their limits in number and in time.

pub(crate) mod body_timeout;
pub(crate) mod limits;
pub(crate) mod stream;
