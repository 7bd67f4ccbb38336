//! Products in rows of few: above the list, and beside one product.

use serde::Serialize;

use super::body::{ShownBody, put_shown};
use super::table::{Row, write_table};
use crate::domain::{Alike, Home, Paise, Product, Rfc3339};
use crate::http::api::json_text::value;

/// A product in a row of few, without its long texts.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
struct TileBody<'a> {
    #[serde(rename = "_id")]
    id: &'a str,
    title: &'a str,
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

/// A product as [`TileBody`] has it, in a page's table.
fn tile_row(product: &Product) -> serde_json::Result<Row> {
    let tile = TileBody::from(product);
    let mut row = Row::new();
    row.put("_id", &tile.id)?;
    row.put("title", &tile.title)?;
    row.put("image", &tile.image)?;
    row.put("category", &tile.category)?;
    row.put("source", &tile.source)?;
    row.put("price", &tile.price)?;
    row.put("finalPrice", &tile.final_price)?;
    row.put("clicks", &tile.clicks)?;
    put_shown(&mut row, tile.shown)?;
    Ok(row)
}

/// [`HomeResponse`] as a page holds it.
///
/// # Errors
///
/// [`serde_json::Error`] when a number can't be written.
pub(crate) fn held_home(home: &Home) -> serde_json::Result<Vec<u8>> {
    let mut json = Vec::new();
    write_table(&mut json, "{\"savings\":", &home.savings, tile_row)?;
    write_table(&mut json, ",\"popular\":", &home.popular, tile_row)?;
    write_table(&mut json, ",\"newest\":", &home.newest, tile_row)?;
    value(&mut json, ",\"today\":", &home.today)?;
    value(&mut json, ",\"updated\":", &home.updated.map(Rfc3339))?;
    json.push(b'}');
    Ok(json)
}

/// The answer of `home`.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct HomeResponse<'a> {
    /// Those that save most rupees
    savings: Vec<TileBody<'a>>,
    /// Those that were followed most
    popular: Vec<TileBody<'a>>,
    /// Those added within a day; none where all were
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
