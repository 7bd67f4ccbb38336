//! Connections, protocols, headers, logs and metrics.

mod bounded_work;
mod cached_responses;
mod certificates;
mod connections;
mod headers;
mod jobs;
mod logs;
pub mod metrics;
mod proxies;
mod rendering;
mod shared_cache;
mod tls;
mod turns;
mod unfinished;
