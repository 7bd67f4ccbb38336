//! What visitors get to see.

mod browser;
pub mod server_rendering;
mod sharing;
mod site;
