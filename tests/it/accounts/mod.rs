//! Accounts, sessions, and attacks on them.

mod codes;
mod factor;
mod guessing;
mod mail_servers;
mod mails;
mod passwords;
mod plain_http;
mod rate_limits;
mod registration;
mod secrets;
mod sessions;
mod setup;
