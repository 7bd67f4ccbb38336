//! A site for affiliate product deals in one executable.
//!
//! The rooms, and who may use whom; lower rooms never reach up:
//!
//! ```text
//! main → cli → http → store → domain
//!         └──→ catalog ──┘
//! ```
//!
//! - [`domain`]: the rules, pure. No HTTP, no SQL, no files, no clock.
//! - [`store`]: SQLite. The only room with SQL in it; synchronous.
//! - [`catalog`]: importing files of products, and the demo shop.
//! - [`http`]: the server. The only room that knows actix.
//! - [`cli`]: one file for each subcommand; the only room that prints.
//! - [`config`] and [`telemetry`]: settings and logging.
//!
//! What holds everywhere: money is whole paise; time is UTC in milliseconds;
//! a [`domain::NewProduct`] exists only when it is valid; a write is answered
//! only after its commit; the database is written by one thread, and by other
//! processes only in whole transactions. `tests/it/tidy.rs` fails when a room
//! uses what it may not.

pub mod catalog;
pub mod cli;
pub mod config;
pub mod domain;
pub mod http;
pub mod store;
pub mod telemetry;
