//! Connections, TLS, middleware, response cache and metrics.

pub(super) mod cached;
pub(super) mod caching;
pub(super) mod compression;
pub(super) mod connections;
pub(super) mod copies;
pub(super) mod following;
pub(super) mod listeners;
pub(super) mod metrics;
mod metrics_report;
pub(super) mod middleware;
pub(super) mod queue;
pub(super) mod rate_limit;
pub(super) mod response_cache;
pub(super) mod server;
pub(super) mod tls;
