//! Whole catalogues: reading files of products, and the demo shop.

pub mod demo;
pub mod export;
pub mod import;
mod rows;
