//! Connections: how many there may be, and how long each may take.

pub(crate) mod body_timeout;
pub(crate) mod http2_frames;
pub(crate) mod http2_head;
pub(crate) mod limits;
pub(crate) mod stream;
