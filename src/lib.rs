//! A site for affiliate product deals in one executable.
//!
//! Arrows mean "may use"; modules on one line do not use each other:
//!
//! ```text
//! main → cli → http → jobs → replica → maintenance → { channels, subscribers } → storefront → { accounts, catalog, clicks } → { store, mail, bucket, fetch } → domain
//! ```
//!
//! - [`domain`]: business rules. No HTTP, SQL, files or clock.
//! - [`store`]: SQLite, and the only SQL. Synchronous.
//! - [`mail`]: sends mails.
//! - [`bucket`]: objects in a bucket, and the only `object_store`.
//! - [`fetch`]: the only requests to others.
//! - [`accounts`]: registration, sessions and passwords, for http and cli. Blocking.
//! - [`clicks`]: classifies clicks.
//! - [`catalog`]: import and export of products, and the demo shop.
//! - `storefront`: the shop as visitors see it: the settings, the sellers' display rules, lists with addresses of their own.
//! - `channels`: posts of deals to Telegram, Discord and other places.
//! - `subscribers`: mails without an account: digests of new deals.
//! - [`maintenance`]: backups and checks.
//! - [`replica`]: a copy that follows another shop by the files of Litestream, and takes over in a cluster.
//! - [`jobs`]: background work: one file per job, and the list of all.
//! - [`http`]: the server, and the only actix. Its `pages` write heads and data, and `rendering` runs
//!   the app's screens of `frontend/` on them.
//! - [`cli`]: one file per subcommand; the only module that prints.
//! - [`telemetry`][]: logging.
//!
//! Invariants: money is whole paise; time is UTC in milliseconds; a [`domain::NewProduct`] is always
//! valid; a write is acknowledged after its commit; one thread writes to the database, and imports
//! and other processes write in whole transactions. Roles are read from the database for each
//! request, and no response reveals whether an address has an account.
//! `tests/it/tidy.rs` checks the layers.

pub mod accounts;
pub mod bucket;
pub mod catalog;
mod channels;
pub mod cli;
pub mod clicks;
pub mod domain;
pub mod fetch;
pub mod http;
pub mod jobs;
pub mod mail;
pub mod maintenance;
pub mod replica;
pub mod store;
mod storefront;
mod subscribers;
pub mod telemetry;
