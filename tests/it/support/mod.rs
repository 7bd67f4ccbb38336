//! What tests share: the program, its shop, people and their mail.

pub mod harness;
pub mod mailbox;
pub mod nginx;
pub mod npm;
pub mod older_shop;
pub mod people;
pub mod random;
pub mod times;
pub mod tls;
