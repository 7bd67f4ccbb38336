//! Connections, protocols, headers, and what the owner sees of a running server.

mod bounded_work;
mod connections;
mod headers;
mod kept_responses;
mod logs;
mod metrics;
mod shared_cache;
mod tls;
