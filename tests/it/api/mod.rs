//! The calls about products.

mod bulk;
mod clicks;
mod clients;
mod filters;
mod list_plans;
mod listing;
mod openapi;
mod product;
pub mod product_forms;
mod searches;
mod settings;
