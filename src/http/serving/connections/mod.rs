//! Connections: their limits in number, memory and time.

pub(crate) mod body_timeout;
mod budget;
pub(crate) mod limits;
pub(crate) mod progress;
pub(crate) mod stream;
