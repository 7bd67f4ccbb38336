//! The commands, run as in a terminal.

mod archived_shop;
mod archives;
mod environment;
mod export;
mod import;
mod installing;
mod output;
mod real_products;
mod serve;
mod users;
