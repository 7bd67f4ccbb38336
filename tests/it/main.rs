//! Every test of the program as a whole: the real binary, over HTTP, with a real
//! database file, and in a real browser.
#![expect(
    unreachable_pub,
    clippy::unwrap_used,
    clippy::needless_pass_by_value,
    reason = "helpers of tests are called from every file and take literals"
)]

mod accounts;
mod administering;
mod attacks;
mod backup;
mod browser;
mod citations;
mod clicks;
mod codes;
mod connections;
mod crash;
mod damage;
mod export;
mod filters;
mod foreign_links;
mod frontend;
mod full_disk;
mod guessing;
mod harness;
mod http2;
mod import;
mod import_beside;
mod imports;
mod licences;
mod listing;
mod lost;
mod mailbox;
mod mails;
mod npm;
mod observing;
mod openapi;
mod pages;
mod people;
mod plans;
mod product;
mod real_products;
mod security;
mod serve;
mod sessions;
mod setup;
mod sharing;
mod site;
mod tampered;
mod tidy;
mod tls;
mod upgrading;
mod users;
