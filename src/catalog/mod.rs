//! Whole catalogues: import, export and the demo shop.

pub mod demo;
mod demo_life;
mod demo_month;
pub mod export;
pub mod import;
pub mod json;
mod rows;
mod wrapper;
