//! The calls about products.

mod bulk;
mod clicks;
mod filters;
mod list_plans;
mod listing;
mod openapi;
mod product;
mod product_forms;
mod reports;
mod searches;
mod settings;
mod verdicts;
