//! The calls about products.

mod administering;
mod clicks;
mod filters;
mod listing;
mod openapi;
mod plans;
mod product;
