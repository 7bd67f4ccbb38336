//! The commands, as somebody at a terminal runs them.

mod export;
mod import;
mod installing;
mod real_products;
mod serve;
mod users;
