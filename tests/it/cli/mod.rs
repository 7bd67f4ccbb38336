//! The commands, as somebody at a terminal runs them.

mod export;
mod import;
mod real_products;
mod serve;
mod setup;
mod users;
