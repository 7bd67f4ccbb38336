//! Shared by tests: the program, its shop, users and their mail.

pub mod bucket;
pub mod crowd;
pub mod harness;
pub mod litestream;
pub mod mailbox;
pub mod mounts;
pub mod nginx;
pub mod npm;
pub mod people;
pub mod proxies;
pub mod random;
pub mod real_products;
pub mod times;
pub mod tls;
