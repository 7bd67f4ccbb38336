//! Whole catalogues: import, export and the demo shop.

pub mod copying;
pub mod demo;
mod demo_clicks;
mod demo_life;
pub mod export;
pub mod findings;
pub mod formats;
pub mod import;
pub mod json;
pub mod mapping;
pub mod picture;
pub mod preview;
pub mod reading;
pub mod refused;
pub mod shop_archive;
mod zip;
