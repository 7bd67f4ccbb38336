//! Whole catalogues: reading files of products, and the demo shop.

mod blocks;
pub mod demo;
pub mod export;
pub mod import;
mod rows;
