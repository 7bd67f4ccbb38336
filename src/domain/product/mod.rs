//! Products and their validation.

mod draft;
mod duplicates;
mod excerpt;
mod fields;
mod history;
mod lifetime;
mod money;
mod offers;
mod plot;
mod price_change;
mod pricing;
mod rules;
mod sent_fields;
mod tags;
mod verdict;
mod verdict_kind;

use std::sync::Arc;

use jiff::Timestamp;
use serde_json::Value;

use super::Category;

pub(crate) use self::draft::EXPORT_FIELDS;
pub use self::draft::{ImportedProduct, ProductDraft};
pub use self::duplicates::{are_duplicates, cheapest, keep_order, versions};
pub use self::excerpt::repeated_units;
pub(crate) use self::fields::{
    DESCRIPTION, EXTERNAL_ID, MAX_EXTERNAL_ID, SOURCE, given_bit, kept_fields, line_fields,
};
pub use self::fields::{FIELDS, Field, Kind, Length, LineField, Lines};
pub use self::history::{PriceFigures, PriceHistory, PriceRun};
pub use self::lifetime::{Lifetime, State};
pub use self::money::{Discount, Paise, rupees, short_rupees};
pub use self::offers::{
    EffectivePrice, Offer, OfferKind, Saving, SellerOffer, StoredSellerOffer, effective_price,
};
pub use self::plot::{PLOT, PlotReading, PricePlot, SMALL, mean_path};
pub use self::price_change::PriceChange;
pub use self::sent_fields::zone_message;
pub use self::tags::{TAG_SEPARATORS, add_tags, read_tags, tag_key};
pub use self::verdict::{Figure, PriceVerdict};
pub use self::verdict_kind::PriceVerdictKind;

/// Validated details of a product (spec section 5, decisions section 3).
#[derive(Debug, Clone, PartialEq)]
pub struct NewProduct {
    /// 2 to 500 characters.
    pub title: String,
    /// 10 to 10,000 characters; line breaks are kept.
    pub description: String,
    /// The price before the discount.
    pub price: Paise,
    /// The discount on the price; rounded if a final price was given.
    pub discount: Discount,
    /// The price after the discount, or the given one; at most the price.
    pub final_price: Paise,
    /// One of the shop's categories.
    pub category: Category,
    /// The seller's name, 1 to 100 characters.
    pub source: String,
    /// The seller's page, an absolute http(s) URL.
    pub affiliate_link: String,
    /// 1 to 20 picture addresses; cards show the first.
    pub images: Vec<String>,
    /// 0 to 5.
    pub average_rating: f64,
    /// At least 1.
    pub total_ratings: i64,
    /// Start, end and draft flag.
    pub lifetime: Lifetime,
    /// Coupons and other offers, at most 8.
    pub offers: Vec<Offer>,
    /// At most 12, each once whatever its case.
    pub tags: Vec<String>,
    /// Optional texts that have no rules of their own.
    pub lines: Lines,
}

impl NewProduct {
    /// Returns the wire name of every field, in the order of the form.
    pub fn field_names() -> impl Iterator<Item = &'static str> {
        FIELDS.iter().map(|field| field.name)
    }

    /// Returns every field with its wire name, for exports and the activity log.
    pub fn fields(&self) -> impl Iterator<Item = (&'static str, Value)> {
        FIELDS.iter().map(|field| (field.name, field.value(self)))
    }

    /// True if price and final price are equal.
    pub fn has_same_price(&self, other: &Self) -> bool {
        (self.price, self.final_price) == (other.price, other.final_price)
    }

    /// True if price and discount give the final price to the paisa.
    pub fn discount_is_exact(&self) -> bool {
        self.final_price == self.price.after(self.discount)
    }
}

/// A stored product.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Product {
    /// The public identifier (`_id` on the wire).
    pub id: String,
    pub details: NewProduct,
    pub clicks: i64,
    pub created_at: Timestamp,
    /// Time of the last change; clicks do not count.
    pub updated_at: Timestamp,
    /// Time since which visitors see it: the latest of creation, start and first publication.
    pub published_at: Timestamp,
    /// Time of the last change that its page shows; not before `published_at`.
    pub content_at: Timestamp,
    /// Former and current prices; empty if not read, or if the seller's programme forbids a history.
    pub prices: PriceHistory,
    /// Time of the last price check: an import, a save by an administrator, or a change of the
    /// price.
    pub price_seen_at: Timestamp,
    /// Time of the last offer check: a change of them, a save by an administrator, or an import
    /// with offers; none without offers.
    pub offers_checked_at: Option<Timestamp>,
    /// Offers of its seller that count for it; set only when it is shown.
    pub seller_offers: Vec<Arc<StoredSellerOffer>>,
    /// State at the time of reading.
    pub state: State,
    /// Display restrictions and texts; set only when it is shown.
    pub shown: Option<Box<Shown>>,
    /// PriceVerdict on its price; set only when it is shown.
    pub verdict: Option<Box<PriceVerdict>>,
}

impl Product {
    /// Returns the price with the best of its own and its seller's offers.
    pub fn effective_price(&self, now: Timestamp) -> Option<EffectivePrice> {
        let of_seller = self.seller_offers.iter().map(|stored| &stored.offer.offer);
        let offers = self.details.offers.iter().chain(of_seller);
        effective_price(self.details.final_price, offers, now)
    }

    /// True if the seller's rules hide the price now.
    pub fn hides_price(&self) -> bool {
        self.shown.as_ref().is_some_and(|shown| shown.hides_price)
    }

    /// Returns the time of publication of a product that visitors may see, if it is not that of creation.
    pub fn published_later(&self) -> Option<Timestamp> {
        let is_public = matches!(self.state, State::Live | State::Ended);
        (is_public && self.published_at > self.created_at).then_some(self.published_at)
    }

    /// True if a page may state a price: the seller's rules allow it and the deal has not ended.
    pub fn offers_price(&self) -> bool {
        !self.hides_price() && self.state != State::Ended
    }

    /// True if the seller's rules hide the ratings.
    pub fn hides_ratings(&self) -> bool {
        self.shown.as_ref().is_some_and(|shown| shown.hides_ratings)
    }

    /// True if the seller's rules give the ratings to search engines.
    pub fn has_ratings_in_search(&self) -> bool {
        let mut shown = self.shown.iter();
        shown.any(|shown| shown.ratings_in_search)
    }

    /// Time at which the current price was last seen.
    pub fn last_seen(&self) -> Timestamp {
        let seen = self.prices.last_seen();
        seen.map_or(self.price_seen_at, |seen| seen.max(self.price_seen_at))
    }

    /// True if visitors may get a message when the price falls: the deal is live, and the seller's rules show the
    /// price and allow alerts.
    pub fn offers_alerts(&self) -> bool {
        let forbids = self
            .shown
            .as_ref()
            .is_some_and(|it| it.hides_price || it.forbids_alerts);
        self.state == State::Live && !forbids
    }

    /// Time of the price, if the seller's rules require it.
    pub fn price_as_of(&self) -> Option<Timestamp> {
        self.shown.as_ref()?.as_of
    }
}

/// Display restrictions and texts of a product, by its seller's rules.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shown {
    /// True if only the seller may show the price.
    pub hides_price: bool,
    /// Time of the price, if it must be shown.
    pub as_of: Option<Timestamp>,
    /// True if ratings must not be shown.
    pub hides_ratings: bool,
    /// True if structured data has the ratings.
    pub ratings_in_search: bool,
    /// True if prices must not be watched for visitors.
    pub forbids_alerts: bool,
    /// Required disclosure; may be empty.
    pub disclosure: String,
    /// Price with the best offers, like `₹1,079 with code and HDFC card`.
    pub effective: Option<String>,
    /// End of a product that ends soon, like `Ends today 23:59`.
    pub ends: Option<String>,
    /// Notice why it is not listed, if so.
    pub notice: Option<String>,
}
