//! What the shop offers: categories, tags and the offers of its sellers.

mod categories;
mod seller_offers;
mod tags;
