//! What visitors get to see.

mod assets;
mod browser;
mod seo;
pub mod server_rendering;
mod sharing;
