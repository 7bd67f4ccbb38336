//! A product on the wire: as it is answered, and as it is sent (spec section 3).

use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;

use crate::domain::{
    Discount, NewProduct, Offer, Paise, PriceBadge, Product, Rfc3339, Shown, effective_price,
    rfc3339, time_in_india,
};

/// A product as read.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct ProductBody<'a> {
    #[serde(rename = "_id")]
    id: &'a str,
    title: &'a str,
    description: &'a str,
    /// Rupees
    #[cfg_attr(test, schema(value_type = f64))]
    price: Paise,
    /// Percent
    #[cfg_attr(test, schema(value_type = f64))]
    discount: Discount,
    /// Rupees to pay
    #[cfg_attr(test, schema(value_type = f64))]
    final_price: Paise,
    category: &'static str,
    source: &'a str,
    affiliate_link: &'a str,
    images: &'a [String],
    clicks: i64,
    ratings: RatingsBody,
    /// draft or live, as it was chosen
    status: &'static str,
    /// live, scheduled, ended or draft: what the times make of it now
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(value_type = Option<String>, format = DateTime))]
    starts_at: Option<Rfc3339>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(value_type = Option<String>, format = DateTime))]
    ends_at: Option<Rfc3339>,
    #[cfg_attr(test, schema(value_type = String, format = DateTime))]
    created_at: Rfc3339,
    #[cfg_attr(test, schema(value_type = String, format = DateTime))]
    updated_at: Rfc3339,
    /// Coupons and other offers that are open now
    #[cfg_attr(test, schema(value_type = Vec<sent::OfferRequest>))]
    offers: Vec<Value>,
    /// Rupees to pay with the best of them; null where that is the final price
    #[cfg_attr(test, schema(value_type = Option<f64>))]
    effective_price: Option<Paise>,
    /// What is to be shown beside it, or not to be
    #[serde(skip_serializing_if = "Option::is_none")]
    shown: Option<ShownBody<'a>>,
}

/// What is to be shown of a product beside its fields, and what the rules of its seller hold back.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct ShownBody<'a> {
    /// Whether its price is only to be seen at the seller's
    hides_price: bool,
    /// The time in India to be said beside the price, like 22 Nov, 14:05
    as_of: Option<String>,
    /// Whether stars and reviews are held back
    hides_ratings: bool,
    /// What has to be said beside it
    disclosure: &'a str,
    /// What is paid with its offers, like ₹1,079 with code and HDFC card
    #[serde(skip_serializing_if = "Option::is_none")]
    effective: Option<&'a str>,
    /// When it ends, where that is within a day, like Ends today 23:59
    #[serde(skip_serializing_if = "Option::is_none")]
    ends: Option<&'a str>,
    /// What its former prices tell: Lowest in 90 days, or Good price
    #[serde(skip_serializing_if = "Option::is_none")]
    badge: Option<&'static str>,
    /// Why it is in no list, like This deal ended on 12 Nov 2026.
    #[serde(skip_serializing_if = "Option::is_none")]
    told: Option<&'a str>,
}

impl<'a> From<&'a Shown> for ShownBody<'a> {
    fn from(shown: &'a Shown) -> Self {
        Self {
            hides_price: shown.hides_price,
            as_of: shown.as_of.map(time_in_india),
            hides_ratings: shown.hides_ratings,
            disclosure: &shown.disclosure,
            effective: shown.effective.as_deref(),
            ends: shown.ends.as_deref(),
            badge: shown.badge.map(PriceBadge::as_str),
            told: shown.notice.as_deref(),
        }
    }
}

#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub(super) struct RatingsBody {
    average_rating: f64,
    total_ratings: i64,
}

impl From<&NewProduct> for RatingsBody {
    fn from(details: &NewProduct) -> Self {
        Self {
            average_rating: details.average_rating,
            total_ratings: details.total_ratings,
        }
    }
}

impl<'a> From<&'a Product> for ProductBody<'a> {
    fn from(product: &'a Product) -> Self {
        let details = &product.details;
        let now = Timestamp::now();
        Self {
            id: &product.id,
            title: &details.title,
            description: &details.description,
            price: details.price,
            discount: details.discount,
            final_price: product.details.final_price,
            category: details.category.as_str(),
            source: &details.source,
            affiliate_link: &details.affiliate_link,
            images: &details.images,
            clicks: product.clicks,
            ratings: details.into(),
            status: details.lifetime.status(),
            state: product.state.as_str(),
            starts_at: details.lifetime.starts_at.map(Rfc3339),
            ends_at: details.lifetime.ends_at.map(Rfc3339),
            created_at: Rfc3339(product.created_at),
            updated_at: Rfc3339(product.updated_at),
            offers: open_offers(&details.offers, product.offers_checked_at, now),
            effective_price: effective_price(details.final_price, &details.offers, now)
                .map(|effective| effective.price),
            shown: product.shown.as_deref().map(ShownBody::from),
        }
    }
}

/// The offers that are open, each with its `words` and when it was last found to be so.
fn open_offers(offers: &[Offer], checked_at: Option<Timestamp>, now: Timestamp) -> Vec<Value> {
    let open = offers.iter().filter(|offer| offer.is_open(now));
    open.map(|offer| {
        let mut json = offer.to_json();
        json["words"] = offer.words().into();
        if let Some(at) = checked_at {
            json["checkedAt"] = rfc3339(at).into();
        }
        json
    })
    .collect()
}

/// What the description of the API says of a product that is sent; `domain::ProductDraft`
/// reads it.
#[cfg(test)]
pub(crate) mod sent {
    #![expect(dead_code, reason = "only the attributes are read")]

    use utoipa::ToSchema;

    /// A product as it is added or changed.
    #[derive(ToSchema)]
    #[schema(rename_all = "camelCase")]
    pub(crate) struct ProductRequest {
        #[schema(min_length = 2, max_length = 500)]
        title: String,
        #[schema(min_length = 10, max_length = 10_000)]
        description: String,
        /// Rupees, with at most two decimals
        #[schema(exclusive_minimum = 0, maximum = 1_000_000_000, multiple_of = 0.01)]
        price: f64,
        /// Percent, with at most two decimals
        #[schema(minimum = 0, maximum = 100, multiple_of = 0.01)]
        discount: f64,
        /// Rupees to pay, where the discount does not say it to the paisa; with it either the price
        /// or the discount may be left out
        #[schema(minimum = 0, maximum = 1_000_000_000, multiple_of = 0.01)]
        final_price: Option<f64>,
        #[schema(inline)]
        category: ProductCategory,
        /// The seller's name
        #[schema(min_length = 1, max_length = 100)]
        source: String,
        /// http or https, without credentials
        #[schema(pattern = "^https?://[^/?#\\s]", max_length = 2_048)]
        affiliate_link: String,
        /// The addresses of 1 to 20 pictures, http or https
        #[schema(min_items = 1, max_items = 20)]
        images: Vec<String>,
        #[schema(minimum = 0, maximum = 5)]
        average_rating: f64,
        #[schema(minimum = 1, maximum = 9_007_199_254_740_991_i64)]
        total_ratings: i64,
        /// draft: not to be seen yet; live by default
        #[schema(pattern = "^(draft|live)$")]
        status: Option<String>,
        /// When it starts, if not at once
        #[schema(value_type = Option<String>, format = DateTime)]
        starts_at: Option<String>,
        /// When it ends, after its start
        #[schema(value_type = Option<String>, format = DateTime)]
        ends_at: Option<String>,
        /// At most 8
        #[schema(max_items = 8)]
        offers: Option<Vec<OfferRequest>>,
    }

    /// A coupon or another offer.
    #[derive(ToSchema)]
    #[schema(rename_all = "camelCase")]
    pub(crate) struct OfferRequest {
        #[schema(pattern = "^(coupon|bank|exchange|cashback|emi|other)$")]
        kind: String,
        /// Without spaces; a coupon needs one
        #[schema(max_length = 40)]
        code: Option<String>,
        /// Whose it is, or what it asks for; all but coupons need one
        #[schema(max_length = 200)]
        text: Option<String>,
        /// Percent off, or else amount
        #[schema(exclusive_minimum = 0, maximum = 100, multiple_of = 0.01)]
        percent: Option<f64>,
        /// Rupees off
        #[schema(exclusive_minimum = 0, maximum = 1_000_000_000, multiple_of = 0.01)]
        amount: Option<f64>,
        /// The most that percent takes off
        #[schema(exclusive_minimum = 0, maximum = 1_000_000_000, multiple_of = 0.01)]
        cap: Option<f64>,
        /// The least that must be paid
        #[schema(exclusive_minimum = 0, maximum = 1_000_000_000, multiple_of = 0.01)]
        min_order: Option<f64>,
        /// Whether a bank takes it off at once; coupons do
        instant: Option<bool>,
        #[schema(value_type = Option<String>, format = DateTime)]
        ends_at: Option<String>,
        /// In a sentence; read only
        #[schema(read_only)]
        words: Option<String>,
        /// When it was last found to be so; read only
        #[schema(read_only, value_type = Option<String>, format = DateTime)]
        checked_at: Option<String>,
    }

    #[derive(ToSchema)]
    pub(crate) enum ProductCategory {
        Electronics,
        Clothing,
        Books,
        Home,
    }
}
