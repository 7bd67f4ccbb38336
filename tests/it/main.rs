//! Tests of the whole program: the real binary, over HTTP, with a database file and a real browser.
#![expect(
    unreachable_pub,
    clippy::unwrap_used,
    clippy::needless_pass_by_value,
    reason = "helpers of tests are called from every file and take literals"
)]

mod accounts;
mod api;
mod assortment;
mod citations;
mod cli;
mod durability;
mod figures;
mod files;
mod following;
mod frontend;
mod imports;
mod licences;
mod links;
mod lock_files;
mod office;
mod operating;
mod outgoing;
mod pages;
mod people;
mod schema;
mod server_settings;
mod serving;
mod support;
mod tidy;
