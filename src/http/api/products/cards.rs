//! Products in short: as cards of a list, and as tiles above it and beside one product.

use serde::Serialize;

use super::body::{RatingsBody, ShownBody};
use crate::domain::{Alike, Discount, Home, Paise, Product, Rfc3339, truncate};

/// A product as a tile shows it.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
struct TileBody<'a> {
    #[serde(rename = "_id")]
    id: &'a str,
    title: &'a str,
    /// The first picture; empty without one
    image: &'a str,
    category: &'static str,
    source: &'a str,
    #[cfg_attr(test, schema(value_type = f64))]
    price: Paise,
    #[cfg_attr(test, schema(value_type = f64))]
    final_price: Paise,
    clicks: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    shown: Option<ShownBody<'a>>,
}

impl<'a> From<&'a Product> for TileBody<'a> {
    fn from(product: &'a Product) -> Self {
        let details = &product.details;
        Self {
            id: &product.id,
            title: &details.title,
            image: details.images.first().map_or("", String::as_str),
            category: details.category.as_str(),
            source: &details.source,
            price: details.price,
            final_price: product.details.final_price,
            clicks: product.clicks,
            shown: product.shown.as_deref().map(ShownBody::from),
        }
    }
}

fn tiles(products: &[Product]) -> Vec<TileBody<'_>> {
    products.iter().map(TileBody::from).collect()
}

/// A product as a card of the list shows it: a tile and more, and not enough to fill a form.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct CardBody<'a> {
    #[serde(flatten)]
    tile: TileBody<'a>,
    /// The beginning of the description
    excerpt: String,
    /// Percent
    #[cfg_attr(test, schema(value_type = f64))]
    discount: Discount,
    affiliate_link: &'a str,
    ratings: RatingsBody,
}

impl CardBody<'_> {
    /// Characters of the description on a card (spec section 9).
    const EXCERPT: usize = 100;

    /// Returns what a card says of a description.
    pub(crate) fn excerpt(description: &str) -> String {
        truncate(description, Self::EXCERPT)
    }
}

impl<'a> From<&'a Product> for CardBody<'a> {
    fn from(product: &'a Product) -> Self {
        let details = &product.details;
        Self {
            tile: product.into(),
            excerpt: Self::excerpt(&details.description),
            discount: details.discount,
            affiliate_link: &details.affiliate_link,
            ratings: details.into(),
        }
    }
}

/// The answer of `home`.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct HomeResponse<'a> {
    /// Biggest savings in rupees
    savings: Vec<TileBody<'a>>,
    /// Most clicked
    popular: Vec<TileBody<'a>>,
    /// Added within a day; none where all were
    newest: Vec<TileBody<'a>>,
    /// How many were added within a day
    today: i64,
    /// When something was last added or changed
    #[cfg_attr(test, schema(value_type = Option<String>, format = DateTime))]
    updated: Option<Rfc3339>,
}

impl<'a> From<&'a Home> for HomeResponse<'a> {
    fn from(home: &'a Home) -> Self {
        Self {
            savings: tiles(&home.savings),
            popular: tiles(&home.popular),
            newest: tiles(&home.newest),
            today: home.today,
            updated: home.updated.map(Rfc3339),
        }
    }
}

/// The answer of `alike/{id}`.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct AlikeResponse<'a> {
    /// Others of its category that cost about as much
    similar: Vec<TileBody<'a>>,
    /// What people like most of its seller
    seller: Vec<TileBody<'a>>,
    /// How many products its seller has
    seller_total: i64,
    /// Where it ended and is to be had again: the product that leads to the same page
    #[serde(skip_serializing_if = "Option::is_none")]
    back: Option<BackBody<'a>>,
}

/// The live product with the link of one that ended.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
struct BackBody<'a> {
    #[serde(rename = "_id")]
    id: &'a str,
    /// Like Back at ₹1,049
    words: String,
}

impl<'a> From<&'a Alike> for AlikeResponse<'a> {
    fn from(alike: &'a Alike) -> Self {
        Self {
            similar: tiles(&alike.similar),
            seller: tiles(&alike.seller),
            seller_total: alike.seller_total,
            back: alike.back_again().map(|(product, words)| BackBody {
                id: &product.id,
                words,
            }),
        }
    }
}
