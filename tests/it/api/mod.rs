//! The calls about products.

mod bulk;
mod changes;
mod clicks;
mod clients;
mod duplicates;
mod errors;
mod filters;
mod idempotency;
mod list_plans;
mod listing;
mod openapi;
mod product;
pub mod product_forms;
mod searches;
mod settings;
