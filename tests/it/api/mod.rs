//! The calls about products.

mod bulk;
mod changes;
mod clicks;
mod clients;
mod copies;
mod errors;
mod filters;
mod list_plans;
mod listing;
mod openapi;
pub mod pictures;
mod product;
pub mod product_forms;
mod repeats;
mod searches;
mod settings;
mod shelves;
