//! Sellers: what may be shown of their products, and their links.

pub(super) mod links;
pub(super) mod source;
