//! The owner's screens.

pub mod classifications;
mod floods;
mod lifetimes;
mod offers;
mod over;
mod overview;
mod page_views;
mod pictures;
mod price_verdicts;
pub mod prices;
mod reports;
mod sources;
mod states;
mod tasks;
