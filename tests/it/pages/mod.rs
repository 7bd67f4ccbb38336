//! What visitors get to see.

mod assets;
mod browser;
mod seo;
mod server_rendering;
