//! Connections, protocols, headers, and what the owner sees of a running server.

mod connections;
mod http2;
mod observing;
mod security;
pub mod tls;
