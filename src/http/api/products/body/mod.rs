//! Products as JSON, in responses and in requests (spec section 3).

pub(crate) mod sent;

use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use crate::domain::{
    Discount, Lines, NewProduct, Offer, Paise, PriceHistory, PriceVerdict, Product, Rfc3339, Shown,
    in_india, time_in_india,
};

/// A product as read.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ProductBody<'a> {
    #[serde(rename = "_id")]
    id: &'a str,
    title: &'a str,
    description: &'a str,
    /// Rupees
    #[schema(value_type = f64)]
    price: Paise,
    #[serde(flatten)]
    more: MoreBody<'a>,
    /// Final price in rupees
    #[schema(value_type = f64)]
    final_price: Paise,
    /// Name of the category
    category: &'a str,
    /// Names from the top, if the category is below another
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    category_path: Vec<&'a str>,
    source: &'a str,
    images: &'a [String],
    clicks: i64,
    /// As chosen
    #[schema(value_type = crate::http::api::openapi::schemas::Status)]
    status: &'static str,
    /// Follows from `status` and the times
    #[schema(value_type = crate::domain::State)]
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, format = DateTime)]
    starts_at: Option<Rfc3339>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, format = DateTime)]
    ends_at: Option<Rfc3339>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Rfc3339,
    /// Since when visitors see it, if it was created before
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, format = DateTime)]
    published_at: Option<Rfc3339>,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Rfc3339,
    /// Day in India on which the current price was last seen
    #[schema(value_type = String, format = Date)]
    price_seen_on: String,
    /// Current coupons and other offers
    #[schema(value_type = Vec<sent::OfferRequest>)]
    offers: Vec<OpenOffer<'a>>,
    /// Final price in rupees with the best offer; null if no offer lowers it
    #[schema(value_type = Option<f64>, required = true)]
    effective_price: Option<Paise>,
    /// Coupon code that effectivePrice needs
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String)]
    effective_code: Option<String>,
    /// Short texts by which deals are found
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    #[schema(required = false)]
    tags: &'a [String],
    // `openapi` describes them.
    #[serde(flatten)]
    #[schema(ignore)]
    lines: &'a Lines,
    /// Notes to show, and restrictions of the seller
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = ShownBody<'a>)]
    shown: Option<ShownBody<'a>>,
    /// Verdict on the price by its history; omitted where the seller's programme forbids one
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = VerdictBody<'a>)]
    verdict: Option<VerdictBody<'a>>,
}

/// Verdict on a price by its history.
#[derive(Serialize, ToSchema)]
pub(crate) struct VerdictBody<'a> {
    #[schema(value_type = crate::domain::PriceVerdictKind)]
    kind: &'static str,
    /// Short phrase, like Lowest in 90 days, or in the days watched if there are fewer
    words: &'a str,
    /// Whole sentence; omitted with cards and tiles, and with picks but the first
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String)]
    sentence: Option<&'a str>,
    /// Since when the price is known, like Watched since 29 Sep., if that is less than 90 days; with the sentence of
    /// a product
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String)]
    watched: Option<&'a str>,
    /// Proven saving, like ₹325 less; only with picks
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String)]
    less: Option<String>,
    /// Day and price at the start of the plot, like 29 Aug · ₹1,019; only with the first pick
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String)]
    began: Option<String>,
    /// Small plot of up to 90 days as the data of an SVG path of 64 by 20; omitted if the price never changed
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String)]
    path: Option<&'a str>,
}

impl<'a> VerdictBody<'a> {
    /// Without the sentence.
    pub(super) fn short(verdict: &'a PriceVerdict) -> Self {
        Self {
            kind: verdict.kind.as_str(),
            words: &verdict.words,
            sentence: None,
            watched: None,
            less: None,
            began: None,
            path: verdict.path.as_deref(),
        }
    }

    pub(super) fn whole(verdict: &'a PriceVerdict) -> Self {
        Self {
            sentence: Some(&verdict.sentence),
            watched: verdict.watched.as_deref(),
            ..Self::short(verdict)
        }
    }

    /// With the saving; of the first pick, whose prices are given, with the sentence and the start.
    pub(super) fn of_pick(verdict: &'a PriceVerdict, first: Option<&PriceHistory>) -> Self {
        Self {
            sentence: first.map(|_| verdict.sentence.as_str()),
            began: first.and_then(PriceHistory::plot_start),
            less: verdict.less(),
            ..Self::short(verdict)
        }
    }
}

/// Notes to show with a product, and the restrictions of its seller.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ShownBody<'a> {
    /// Whether the price may only be seen at the seller's
    hides_price: bool,
    /// Time in India to show with the price, like 22 Nov, 14:05
    #[schema(required = true)]
    as_of: Option<String>,
    /// Whether rating and reviews are hidden
    hides_ratings: bool,
    /// Disclosure to show with the product
    disclosure: &'a str,
    /// Final price with its offers, like ₹1,079 with code and HDFC card
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String)]
    effective: Option<&'a str>,
    /// End within a day, like Ends today 23:59
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String)]
    ends: Option<&'a str>,
    /// Why it is in no list, like This deal ended on 12 Nov 2026.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String)]
    notice: Option<&'a str>,
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
            notice: shown.notice.as_deref(),
        }
    }
}

/// Fields that a card shows besides those of a tile.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct MoreBody<'a> {
    /// Percent
    #[schema(value_type = f64)]
    discount: Discount,
    affiliate_link: &'a str,
    ratings: RatingsBody,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct RatingsBody {
    average_rating: f64,
    total_ratings: i64,
}

impl<'a> From<&'a NewProduct> for MoreBody<'a> {
    fn from(details: &'a NewProduct) -> Self {
        Self {
            discount: details.discount,
            affiliate_link: &details.affiliate_link,
            ratings: details.into(),
        }
    }
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
        let effective = product.effective_price(now);
        Self {
            id: &product.id,
            title: &details.title,
            description: &details.description,
            price: details.price,
            more: details.into(),
            final_price: product.details.final_price,
            category: details.category.as_str(),
            category_path: details.category.long_path(),
            source: &details.source,
            images: &details.images,
            clicks: product.clicks,
            status: details.lifetime.status(),
            state: product.state.as_str(),
            starts_at: details.lifetime.starts_at.map(Rfc3339),
            ends_at: details.lifetime.ends_at.map(Rfc3339),
            created_at: Rfc3339(product.created_at),
            published_at: product.published_later().map(Rfc3339),
            updated_at: Rfc3339(product.updated_at),
            price_seen_on: in_india(product.last_seen()).date().to_string(),
            offers: open_offers(product, now),
            effective_price: effective.as_ref().map(|it| it.price),
            effective_code: effective.and_then(|it| it.code),
            tags: &details.tags,
            lines: &details.lines,
            shown: product.shown.as_deref().map(ShownBody::from),
            verdict: product.verdict.as_deref().map(VerdictBody::whole),
        }
    }
}

/// A current offer.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct OpenOffer<'a> {
    #[serde(flatten)]
    offer: &'a Offer,
    words: String,
    title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    off: Option<String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    condition: String,
    /// True if the deal costs less than its minimum order.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_too_small: bool,
    /// The deals of a seller's offer.
    #[serde(skip_serializing_if = "Option::is_none")]
    scope: Option<String>,
    /// Time of the last check.
    #[serde(skip_serializing_if = "Option::is_none")]
    checked_at: Option<Rfc3339>,
}

/// Returns the current offers, the product's own first.
fn open_offers(product: &Product, now: Timestamp) -> Vec<OpenOffer<'_>> {
    let own = product.details.offers.iter();
    let own = own.map(|offer| (offer, None, product.offers_checked_at));
    let of_seller = product.seller_offers.iter().map(|stored| {
        let scope = stored.offer.scope(&stored.source);
        (&stored.offer.offer, Some(scope), Some(stored.updated_at))
    });
    let open = own.chain(of_seller).filter(|(it, ..)| it.is_open(now));
    open.map(|(offer, scope, checked_at)| {
        let price = product.details.final_price;
        let parts = offer.parts_for(price);
        OpenOffer {
            offer,
            words: offer.summary_for(price),
            title: parts.title,
            off: parts.off,
            condition: parts.condition,
            is_too_small: parts.is_too_small,
            scope,
            checked_at: checked_at.map(Rfc3339),
        }
    })
    .collect()
}
