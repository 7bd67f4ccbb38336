//! Products as sent, for the API's description; `domain::ProductDraft` parses them.

#![expect(dead_code, reason = "only the attributes are read")]

use utoipa::ToSchema;

use crate::domain::OfferKind;
use crate::http::api::openapi::schemas::Status;

/// A product to add or change.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub(crate) struct ProductRequest {
    #[schema(min_length = 2, max_length = 500)]
    title: String,
    #[schema(min_length = 10, max_length = 10_000)]
    description: String,
    /// Rupees, with at most two decimals. Two of price, discount and finalPrice are required and
    /// determine the third
    #[schema(exclusive_minimum = 0, maximum = 1_000_000_000, required = false)]
    price: f64,
    /// Percent, with at most two decimals
    #[schema(minimum = 0, maximum = 100, required = false)]
    discount: f64,
    /// Final price in rupees, with at most two decimals
    #[schema(minimum = 0, maximum = 1_000_000_000)]
    final_price: Option<f64>,
    /// Name of a category of the shop
    category: String,
    /// The seller's name
    #[schema(min_length = 1, max_length = 100)]
    source: String,
    /// http or https, without credentials
    #[schema(pattern = "^https?://[^/?#\\s]", max_length = 2_048)]
    affiliate_link: String,
    /// Addresses of 1 to 20 pictures, http or https
    #[schema(min_items = 1, max_items = 20)]
    images: Vec<String>,
    /// Left out with totalRatings if nobody rated it
    #[schema(minimum = 0, maximum = 5, required = false)]
    average_rating: f64,
    #[schema(minimum = 0, maximum = 9_007_199_254_740_991_i64, required = false)]
    total_ratings: i64,
    /// live by default
    status: Option<Status>,
    /// Start, if not at once
    #[schema(value_type = Option<String>, format = DateTime)]
    starts_at: Option<String>,
    /// End, after the start
    #[schema(value_type = Option<String>, format = DateTime)]
    ends_at: Option<String>,
    /// At most 8
    #[schema(max_items = 8)]
    offers: Option<Vec<OfferRequest>>,
    /// At most 12 of at most 30 characters, without commas
    #[schema(max_items = 12)]
    tags: Option<Vec<String>>,
}

/// A product as changed. Missing images, ratings, status, times, offers and tags stay as they are.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub(crate) struct ProductChangeRequest {
    /// The product's id, if any
    #[schema(rename = "_id")]
    id: Option<String>,
    /// Version that the change is based on, as read; any version without it
    #[schema(value_type = Option<String>, format = DateTime)]
    updated_at: Option<String>,
    #[schema(min_length = 1, max_length = 500)]
    title: String,
    #[schema(min_length = 1, max_length = 10_000)]
    description: String,
    /// Rupees, with at most two decimals. Two of price, discount and finalPrice are required and
    /// determine the third
    #[schema(minimum = 0, maximum = 1_000_000_000, required = false)]
    price: f64,
    /// Percent, with at most two decimals
    #[schema(minimum = 0, maximum = 100, required = false)]
    discount: f64,
    /// Final price in rupees, with at most two decimals
    #[schema(minimum = 0, maximum = 1_000_000_000)]
    final_price: Option<f64>,
    /// Name of a category of the shop
    category: String,
    /// The seller's name
    #[schema(min_length = 1, max_length = 100)]
    source: String,
    /// http or https, without credentials
    #[schema(pattern = "^https?://[^/?#\\s]", max_length = 2_048)]
    affiliate_link: String,
    /// Addresses of 1 to 20 pictures, http or https
    #[schema(min_items = 1, max_items = 20, required = false)]
    images: Vec<String>,
    #[schema(minimum = 0, maximum = 5, required = false)]
    average_rating: f64,
    #[schema(minimum = 0, maximum = 9_007_199_254_740_991_i64, required = false)]
    total_ratings: i64,
    status: Option<Status>,
    /// Start, or null for at once
    #[schema(value_type = Option<String>, format = DateTime)]
    starts_at: Option<String>,
    /// End, after the start, or null for never
    #[schema(value_type = Option<String>, format = DateTime)]
    ends_at: Option<String>,
    /// At most 8; null for none
    #[schema(max_items = 8)]
    offers: Option<Vec<OfferRequest>>,
    /// At most 12 of at most 30 characters, without commas; null for none
    #[schema(max_items = 12)]
    tags: Option<Vec<String>>,
}

/// A coupon or another offer.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub(crate) struct OfferRequest {
    kind: OfferKind,
    /// Code without spaces; required for a coupon
    #[schema(max_length = 40)]
    code: Option<String>,
    /// Bank, card or condition; required for everything but coupons
    #[schema(max_length = 200)]
    text: Option<String>,
    /// Discount in percent; either this or amount
    #[schema(exclusive_minimum = 0, maximum = 100)]
    percent: Option<f64>,
    /// Discount in rupees
    #[schema(exclusive_minimum = 0, maximum = 1_000_000_000)]
    amount: Option<f64>,
    /// Maximum discount of percent, in rupees
    #[schema(exclusive_minimum = 0, maximum = 1_000_000_000)]
    cap: Option<f64>,
    /// Minimum order in rupees
    #[schema(exclusive_minimum = 0, maximum = 1_000_000_000)]
    min_order: Option<f64>,
    /// Whether a bank grants it immediately; coupons always do
    instant: Option<bool>,
    #[schema(value_type = Option<String>, format = DateTime)]
    ends_at: Option<String>,
    /// The offer as a sentence; read only
    #[schema(read_only, required = false)]
    words: String,
    /// Kind of the offer, or whose it is, like HDFC card; read only
    #[schema(read_only, required = false)]
    title: String,
    /// The saving, like 10% off up to ₹1,500; read only
    #[schema(read_only, required = false)]
    off: String,
    /// Its conditions, like Orders from ₹3,000; read only
    #[schema(read_only, required = false)]
    condition: String,
    /// Whether the product costs less than the minimum order, omitted if not; read only
    #[schema(read_only, required = false)]
    is_too_small: bool,
    /// Deals of the seller that have it, if it is not the product's own; read only
    #[schema(read_only, required = false)]
    scope: String,
    /// When it was last checked; read only
    #[schema(read_only, required = false, format = DateTime)]
    checked_at: String,
}
