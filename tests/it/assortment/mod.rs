//! Categories, tags, collections and the offers of its sellers.

mod categories;
mod collections;
mod queue;
mod seller_names;
mod seller_offers;
mod tags;
mod unknown_categories;
