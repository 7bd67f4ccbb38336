//! The commands, run as in a terminal.

mod export;
mod import;
mod installing;
mod real_products;
mod serve;
mod users;
