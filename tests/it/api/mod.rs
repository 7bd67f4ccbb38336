//! The calls about products.

mod bulk;
mod clicks;
mod filters;
mod list_plans;
mod listing;
mod openapi;
mod overview;
mod product;
mod product_forms;
mod reports;
mod searches;
mod settings;
mod sources;
mod verdicts;
