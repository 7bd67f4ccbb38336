//! The offers of the sellers, by seller.

use std::collections::HashMap;
use std::sync::Arc;

use jiff::Timestamp;

use crate::domain::{NewProduct, State, StoredSellerOffer};

/// The offers of the sellers at a version.
#[derive(Default)]
pub(super) struct SellerOffers {
    pub(super) version: i64,
    of: HashMap<String, Vec<Arc<StoredSellerOffer>>>,
}

impl SellerOffers {
    /// Groups the offers of a version.
    pub(super) fn new((version, offers): (i64, Vec<StoredSellerOffer>)) -> Self {
        let mut of: HashMap<_, Vec<_>> = HashMap::new();
        for offer in offers {
            let offers = of.entry(offer.source.clone()).or_default();
            offers.push(Arc::new(offer));
        }
        Self { version, of }
    }

    /// Names of the sellers.
    pub(super) fn sellers(&self) -> impl Iterator<Item = &str> {
        self.of.keys().map(String::as_str)
    }

    /// Returns the descriptions of a seller's offers that run.
    pub(super) fn of_seller(&self, source: &str, now: Timestamp) -> Vec<String> {
        let offers = self.of.get(source).into_iter().flatten();
        let live = offers.filter(|stored| stored.offer.state(now) == State::Live);
        live.map(|stored| stored.offer.describe(source)).collect()
    }

    /// Returns those that count for a product.
    pub(super) fn of(&self, product: &NewProduct, now: Timestamp) -> Vec<Arc<StoredSellerOffer>> {
        let offers = self.of.get(&product.source).into_iter().flatten();
        let offers = offers.filter(|stored| stored.offer.holds_for(product, now));
        offers.cloned().collect()
    }
}
