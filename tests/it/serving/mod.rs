//! Connections, protocols, headers, and what the owner sees of a running server.

mod connections;
mod headers;
mod http2;
mod kept_answers;
mod logs;
mod metrics;
mod shared_cache;
mod tls;
