//! Short forms of products: cards of a list, and tiles.

use serde::Serialize;
use utoipa::ToSchema;

use super::body::{MoreBody, RatingsBody, ShownBody, VerdictBody};
use crate::domain::{
    Alike, CONSTANTS, CategoryTile, Paise, Product, Rfc3339, SectionKind, is_harmless_link,
    repeated_units, truncate, versions,
};
use crate::http::pages::address::page_address;
use crate::storefront::markdown::to_html;
use crate::storefront::{HomeShown, SectionShown};

/// A product as a tile.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct TileBody<'a> {
    #[serde(rename = "_id")]
    id: &'a str,
    title: &'a str,
    /// The first picture, or empty
    image: &'a str,
    /// Name of the category
    category: &'a str,
    source: &'a str,
    price: Paise,
    final_price: Paise,
    clicks: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = ShownBody<'a>)]
    shown: Option<ShownBody<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = VerdictBody<'a>)]
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
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CardBody<'a> {
    #[serde(flatten)]
    tile: TileBody<'a>,
    #[serde(flatten)]
    more: MoreBody<'a>,
    /// End of the title, like Pitch Black, if others of the page have its long beginning
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String)]
    version: Option<String>,
    /// Beginning of the description
    excerpt: String,
    /// How many UTF-16 code units at the beginning of the excerpt repeat the title, if it does
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = u16)]
    repeated: Option<usize>,
    created_at: Rfc3339,
    /// Since when visitors see it, if it was created before
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, format = DateTime)]
    published_at: Option<Rfc3339>,
}

impl<'a> CardBody<'a> {
    /// Returns the cards of a page.
    pub(crate) fn of_page(products: &'a [Product]) -> Vec<Self> {
        let titles: Vec<&str> = products.iter().map(|it| &it.details.title[..]).collect();
        let cards = products.iter().zip(versions(&titles));
        let card = |(product, version)| Self {
            version,
            ..Self::from(product)
        };
        cards.map(card).collect()
    }

    /// Returns the beginning of a description.
    pub(crate) fn excerpt(description: &str) -> String {
        truncate(description, CONSTANTS.excerpt)
    }
}

impl<'a> From<&'a Product> for CardBody<'a> {
    fn from(product: &'a Product) -> Self {
        let details = &product.details;
        let excerpt = Self::excerpt(&details.description);
        Self {
            tile: product.into(),
            more: details.into(),
            version: None,
            repeated: repeated_units(&details.title, &excerpt),
            excerpt,
            created_at: Rfc3339(product.created_at),
            published_at: product.published_later().map(Rfc3339),
        }
    }
}

/// A pick at the top of the home page.
#[derive(Serialize, ToSchema)]
struct PickBody<'a> {
    #[serde(flatten)]
    tile: TileBody<'a>,
    ratings: RatingsBody,
}

/// A category with the picture of its most clicked product.
#[derive(Serialize, ToSchema)]
struct CategoryTileBody<'a> {
    name: &'a str,
    /// Number of products
    products: i64,
    /// Lowest price, like ₹95; null if the sellers' rules hide it
    #[schema(required = true)]
    from: Option<String>,
    /// Picture of the most clicked product, or empty
    image: &'a str,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct HomeResponse<'a> {
    /// Products that are cheaper than before, or well rated, the best first; none if they are too few
    picks: Vec<PickBody<'a>>,
    /// Whether price histories prove that the picks are cheaper
    cheaper: bool,
    /// Sentence about the price history of the picks
    #[schema(required = true)]
    note: Option<&'a str>,
    /// Sentence about the shop's prices
    promise: &'static str,
    /// Time in India at which a price was last seen, like 25 Nov, 14:05
    #[schema(required = true)]
    seen: Option<&'a str>,
    /// Mean of the prices over 90 days, as the data of an SVG path of 64 by 20; omitted if it is constant
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String)]
    path: Option<&'a str>,
    /// Categories with at least three products
    categories: Vec<CategoryTileBody<'a>>,
    /// Sections that the owner arranged in the place of picks and categories; omitted if there are none
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Vec<SectionBody<'a>>)]
    sections: Option<Vec<SectionBody<'a>>>,
}

/// A section of the home page, with its contents; `picks` and `categories` use those of the answer.
#[derive(Serialize, ToSchema)]
struct SectionBody<'a> {
    kind: SectionKind,
    /// Heading of the owner, or name of the category or of the seller; empty for the kind's own
    title: &'a str,
    /// Deals, of the list at `link`
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    products: Vec<TileBody<'a>>,
    /// Where its heading or its picture leads
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String)]
    link: Option<String>,
    /// Text of the owner
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String)]
    html: Option<String>,
    #[serde(skip_serializing_if = "str::is_empty")]
    #[schema(required = false)]
    picture: &'a str,
    /// Text in place of the picture
    #[serde(skip_serializing_if = "str::is_empty")]
    #[schema(required = false)]
    alt: &'a str,
}

impl<'a> From<&'a SectionShown> for SectionBody<'a> {
    fn from(shown: &'a SectionShown) -> Self {
        let section = &shown.section;
        let own = Some(&section.link);
        let own = own.filter(|link| link.starts_with('/') || is_harmless_link(link));
        let list = shown.list.as_ref().map(|list| match section.kind {
            // The list below.
            SectionKind::Newest => "/#deals".to_owned(),
            _ => page_address(list, None),
        });
        Self {
            kind: section.kind,
            title: if section.title.is_empty() {
                &section.name
            } else {
                &section.title
            },
            products: tiles(&shown.products),
            link: own.cloned().or(list),
            html: (section.kind == SectionKind::Text).then(|| to_html(&section.text)),
            picture: &section.picture,
            alt: &section.alt,
        }
    }
}

impl<'a> From<&'a HomeShown> for HomeResponse<'a> {
    fn from(shown: &'a HomeShown) -> Self {
        let picks = shown.picks.products.iter();
        let categories = shown.home.categories.iter();
        Self {
            picks: picks
                .enumerate()
                .map(|(at, product)| pick(product, at == 0, shown.picks.are_cheaper))
                .collect(),
            cheaper: shown.picks.are_cheaper,
            note: shown.picks.note.as_deref(),
            promise: shown.promise,
            seen: shown.seen.as_deref(),
            path: shown.path.as_deref(),
            categories: categories.map(category_tile).collect(),
            sections: shown
                .sections
                .as_ref()
                .map(|sections| sections.iter().map(SectionBody::from).collect()),
        }
    }
}

/// Returns a pick; a cheaper one has its saving, and the first the verdict's sentence.
fn pick(product: &Product, is_first: bool, is_cheaper: bool) -> PickBody<'_> {
    let mut tile = TileBody::from(product);
    if is_cheaper {
        tile.verdict = product
            .verdict
            .as_deref()
            .map(|verdict| VerdictBody::of_pick(verdict, is_first.then_some(&product.prices)));
    }
    PickBody {
        tile,
        ratings: RatingsBody::from(&product.details),
    }
}

fn category_tile(tile: &CategoryTile) -> CategoryTileBody<'_> {
    let images = &tile.picture.details.images;
    CategoryTileBody {
        name: tile.category.as_str(),
        products: tile.products,
        from: tile.from_price(),
        image: images.first().map_or("", String::as_str),
    }
}

#[derive(Serialize, ToSchema)]
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
    #[schema(value_type = BackBody<'a>)]
    back: Option<BackBody<'a>>,
}

/// Live product with the link of one that ended.
#[derive(Serialize, ToSchema)]
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
