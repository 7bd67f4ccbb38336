//! Short forms of products: cards of a list, and tiles.

use serde::Serialize;

use super::body::{MoreBody, ShownBody, VerdictBody};
use crate::domain::{Alike, CONSTANTS, Home, Paise, Product, Rfc3339, truncate};

/// A product as a tile.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
struct TileBody<'a> {
    #[serde(rename = "_id")]
    id: &'a str,
    title: &'a str,
    /// The first picture, or empty
    image: &'a str,
    #[cfg_attr(test, schema(value_type = crate::domain::Category))]
    category: &'static str,
    source: &'a str,
    #[cfg_attr(test, schema(value_type = f64))]
    price: Paise,
    #[cfg_attr(test, schema(value_type = f64))]
    final_price: Paise,
    clicks: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(value_type = ShownBody<'a>))]
    shown: Option<ShownBody<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(value_type = VerdictBody<'a>))]
    verdict: Option<VerdictBody<'a>>,
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
            verdict: product.verdict.as_deref().map(VerdictBody::short),
        }
    }
}

fn tiles(products: &[Product]) -> Vec<TileBody<'_>> {
    products.iter().map(TileBody::from).collect()
}

/// A product as a card: a tile with more, but not enough to fill a form.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct CardBody<'a> {
    #[serde(flatten)]
    tile: TileBody<'a>,
    #[serde(flatten)]
    more: MoreBody<'a>,
    /// Beginning of the description
    excerpt: String,
    #[cfg_attr(test, schema(value_type = String, format = DateTime))]
    created_at: Rfc3339,
}

impl CardBody<'_> {
    /// Returns the beginning of a description.
    pub(crate) fn excerpt(description: &str) -> String {
        truncate(description, CONSTANTS.excerpt)
    }
}

impl<'a> From<&'a Product> for CardBody<'a> {
    fn from(product: &'a Product) -> Self {
        let details = &product.details;
        Self {
            tile: product.into(),
            more: details.into(),
            excerpt: Self::excerpt(&details.description),
            created_at: Rfc3339(product.created_at),
        }
    }
}

#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct HomeResponse<'a> {
    /// Biggest savings in rupees
    savings: Vec<TileBody<'a>>,
    /// Most clicks
    popular: Vec<TileBody<'a>>,
    /// Added within a day; empty if all were
    newest: Vec<TileBody<'a>>,
    /// Number of products added within a day
    today: i64,
    /// Time of the last addition or change
    #[cfg_attr(test, schema(value_type = Option<String>, format = DateTime, required = true))]
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

#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct AlikeResponse<'a> {
    /// Products of its category at a similar price
    similar: Vec<TileBody<'a>>,
    /// Most popular products of its seller
    seller: Vec<TileBody<'a>>,
    /// Number of products of its seller
    seller_total: i64,
    /// If it ended: the live product with the same link
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(value_type = BackBody<'a>))]
    back: Option<BackBody<'a>>,
}

/// Live product with the link of one that ended.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
struct BackBody<'a> {
    #[serde(rename = "_id")]
    id: &'a str,
    /// Text such as Back at ₹1,049
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
