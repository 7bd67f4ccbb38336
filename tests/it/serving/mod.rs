//! Connections, protocols, headers, logs and metrics.

mod bounded_work;
mod connections;
mod headers;
mod kept_responses;
mod logs;
mod metrics;
mod shared_cache;
mod tls;
