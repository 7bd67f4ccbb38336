//! A site for affiliate product deals in one executable.
//!
//! The rooms, and who may use whom; lower rooms never reach up, and rooms on one
//! line do not use each other:
//!
//! ```text
//! main → cli → http → maintenance → { accounts, catalog, clicks } → { store, mail } → domain
//! ```
//!
//! - [`domain`]: the rules, pure. No HTTP, no SQL, no files, no clock.
//! - [`store`]: SQLite. The only room with SQL in it; synchronous.
//! - [`mail`]: sending one mail, or printing it.
//! - [`accounts`]: registering, signing in and out, passwords; used by http and
//!   cli alike. Blocking.
//! - [`clicks`]: telling clicks that somebody meant from the others.
//! - [`catalog`]: importing files of products, and the demo shop.
//! - [`maintenance`]: backups on time, and looking for what is wrong.
//! - [`http`]: the server. The only room that knows actix. Its `pages` write the
//!   list and the details as the app in `frontend/` would, word for word.
//! - [`cli`]: one file for each subcommand, and their options; the only room that
//!   prints.
//! - [`telemetry`][]: logging. [`periodic`]: work that is done again and again.
//!
//! What holds everywhere: money is whole paise; time is UTC in milliseconds;
//! a [`domain::NewProduct`] exists only when it is valid; a write is answered
//! only after its commit; the database is written by one thread, and by other
//! processes only in whole transactions. `tests/it/tidy.rs` fails when a room
//! uses what it may not. Roles are read from the database for each request, and
//! no answer tells whether an address has an account.

pub mod accounts;
pub mod catalog;
pub mod cli;
pub mod clicks;
pub mod domain;
pub mod http;
pub mod mail;
pub mod maintenance;
pub mod periodic;
pub mod store;
pub mod telemetry;
