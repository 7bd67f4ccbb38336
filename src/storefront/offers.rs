//! The offers of the sellers, by seller.

use std::collections::HashMap;
use std::sync::Arc;

use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use crate::domain::{NewProduct, Paise, Rfc3339, State, StoredSellerOffer, time_in_india};

/// An offer on the page of its seller.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ShelfOffer {
    /// Coupon code
    #[serde(skip_serializing_if = "String::is_empty")]
    #[schema(required = false)]
    code: String,
    /// The offer as a sentence
    words: String,
    /// Kind of the offer, or whose it is, like HDFC card
    title: String,
    /// The saving, like 10% off up to ₹1,500
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String)]
    off: Option<String>,
    /// Its conditions, like Orders from ₹3,000
    #[serde(skip_serializing_if = "String::is_empty")]
    #[schema(required = false)]
    condition: String,
    /// Deals of the seller that have it, and until when
    scope: String,
    /// When it was last confirmed
    #[schema(value_type = String, format = DateTime)]
    checked_at: Rfc3339,
}

impl From<&StoredSellerOffer> for ShelfOffer {
    fn from(stored: &StoredSellerOffer) -> Self {
        let offer = &stored.offer.offer;
        // Of no deal, whose price could be too low for it.
        let parts = offer.parts_for(offer.min_order.unwrap_or(Paise::MAX));
        let end = offer.ends_at.map(time_in_india);
        let end = end.map_or_else(String::new, |end| format!(", until {end}"));
        Self {
            code: offer.code.clone(),
            words: offer.summary(),
            title: parts.title,
            off: parts.off,
            condition: parts.condition,
            scope: stored.offer.scope(&stored.source) + &end,
            checked_at: Rfc3339(stored.updated_at),
        }
    }
}

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

    /// Returns a seller's offers that run.
    pub(super) fn of_seller(&self, source: &str, now: Timestamp) -> Vec<ShelfOffer> {
        let offers = self.of.get(source).into_iter().flatten();
        let live = offers.filter(|stored| stored.offer.state(now) == State::Live);
        live.map(|stored| ShelfOffer::from(&**stored)).collect()
    }

    /// Returns those that count for a product.
    pub(super) fn of(&self, product: &NewProduct, now: Timestamp) -> Vec<Arc<StoredSellerOffer>> {
        let offers = self.of.get(&product.source).into_iter().flatten();
        let offers = offers.filter(|stored| stored.offer.holds_for(product, now));
        offers.cloned().collect()
    }
}
