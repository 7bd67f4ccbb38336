//! Requests that are sent twice, and deals that are added twice.

mod duplicates;
mod idempotency;
