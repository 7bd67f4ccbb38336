//! Writes the list's response.
//!
//! Most of what the server does for a page that is not cached would be writing ten products
//! as JSON: without this such pages come at 0.7 to 0.8 of the rate. A test holds it to the
//! bytes of [`ListResponse`](crate::http::api::responses::ListResponse).

use super::body::{listed, write_product};
use super::table::write_table;
use crate::domain::{ListQuery, Listing, Offer, Product, Shown};
use crate::http::api::json_text::value;
use crate::http::api::responses::ListMetaBody;
use crate::store::ProductRow;

/// Room for a product before it is written: about what one takes.
const USUAL_BYTES: usize = 1_280;

/// The products of a list, written while they are read.
pub(crate) struct ListWriter(Vec<u8>);

impl ListWriter {
    pub(crate) fn new(query: &ListQuery) -> Self {
        let products = usize::try_from(query.limit).unwrap_or_default();
        let mut json = Vec::with_capacity((products + 1) * USUAL_BYTES);
        json.extend_from_slice(b"{\"data\":[");
        Self(json)
    }

    /// Adds the next product.
    ///
    /// # Errors
    ///
    /// [`serde_json::Error`] when a number can't be written.
    pub(crate) fn add(
        &mut self,
        row: &ProductRow<'_>,
        offers: &[Offer],
        shown: Option<&Shown>,
    ) -> serde_json::Result<()> {
        if self.0.last() == Some(&b'}') {
            self.0.push(b',');
        }
        write_product(&mut self.0, row, offers, shown)
    }

    /// The whole answer, once every product was added.
    ///
    /// # Errors
    ///
    /// [`serde_json::Error`] when a number can't be written.
    pub(crate) fn finish<T>(
        mut self,
        query: &ListQuery,
        listing: &Listing<T>,
    ) -> serde_json::Result<Vec<u8>> {
        value(
            &mut self.0,
            "],\"meta\":",
            &ListMetaBody::new(query, listing),
        )?;
        self.0.push(b'}');
        Ok(self.0)
    }
}

/// The answer of `get-products` as a page of the list holds it.
///
/// # Errors
///
/// [`serde_json::Error`] when a number can't be written.
pub(crate) fn listed_products(
    query: &ListQuery,
    listing: &Listing<Product>,
) -> serde_json::Result<Vec<u8>> {
    let mut json = Vec::new();
    write_table(&mut json, "{\"data\":", &listing.page.items, listed)?;
    value(&mut json, ",\"meta\":", &ListMetaBody::new(query, listing))?;
    json.push(b'}');
    Ok(json)
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use serde_json::{Map, Value, json};

    use super::*;
    use crate::domain::{Category, Discount, Lifetime, NewProduct, Page, Paise, PriceBadge, State};
    use crate::http::api::products::body::ProductBody;
    use crate::http::api::products::table::Row;
    use crate::http::api::products::tiles::{TileBody, tile_row};
    use crate::http::api::responses::ListResponse;

    fn product(text: &str, hundredths: i64) -> Product {
        let price = Paise::new(hundredths).unwrap();
        let discount = Discount::new(hundredths % 10_000).unwrap();
        Product {
            id: format!("id {text}"),
            details: NewProduct {
                title: format!("title {text}"),
                description: format!("description {text}"),
                price,
                discount,
                final_price: price.after(discount),
                category: Category::Home,
                source: format!("source {text}"),
                affiliate_link: format!("link {text}"),
                images: vec![format!("first {text}"), format!("second {text}")],
                average_rating: [0.0, 5.0, 4.35, 0.1][text.len() % 4],
                total_ratings: 1_234_567,
                lifetime: Lifetime {
                    is_draft: hundredths == 500,
                    starts_at: Timestamp::from_millisecond(hundredths).ok(),
                    ends_at: None,
                },
                offers: Vec::new(),
            },
            state: State::Live,
            badge: None,
            clicks: hundredths,
            created_at: Timestamp::from_millisecond(1_700_000_000_001).unwrap(),
            updated_at: Timestamp::from_millisecond(1_800_000_000_020).unwrap(),
            price_seen_at: Timestamp::UNIX_EPOCH,
            offers_checked_at: None,
            shown: (hundredths == 500).then(|| {
                Box::new(Shown {
                    as_of: Some(Timestamp::UNIX_EPOCH),
                    disclosure: "As \"they\" ask.".to_owned(),
                    ends: Some("Ends today 23:59".to_owned()),
                    badge: Some(PriceBadge::Good),
                    ..Shown::default()
                })
            }),
        }
    }

    /// A product as it is read from a table of it alone.
    fn held(product: &Product, row: fn(&Product) -> serde_json::Result<Row>) -> Value {
        let mut json = Vec::new();
        write_table(&mut json, "", std::slice::from_ref(product), row).unwrap();
        let table: Value = serde_json::from_slice(&json).unwrap();
        let mut held = Map::new();
        let fields = table["fields"].as_array().unwrap();
        for (field, value) in fields.iter().zip(table["rows"][0].as_array().unwrap()) {
            match field.as_str().unwrap().split_once('.') {
                None => held.insert(field.as_str().unwrap().to_owned(), value.clone()),
                Some((name, inner)) => {
                    let object = held.entry(name).or_insert_with(|| json!({}));
                    object[inner] = value.clone();
                    None
                }
            };
        }
        held.into()
    }

    /// Takes out what a table does not say: what says nothing of what is shown.
    fn said(mut whole: Value) -> Value {
        if let Some(shown) = whole["shown"].as_object_mut() {
            shown.retain(|_, value| ![json!(null), json!(false), json!("")].contains(value));
        } else {
            whole.as_object_mut().unwrap().remove("shown");
        }
        whole
    }

    #[test]
    fn a_page_holds_of_a_product_what_its_card_does_not_say() {
        for product in [product("", 0), product("whole", 500)] {
            let mut whole = said(serde_json::to_value(ProductBody::from(&product)).unwrap());
            for of_card in [
                "title",
                "description",
                "images",
                "affiliateLink",
                "status",
                "state",
                "offers",
                "effectivePrice",
            ] {
                assert!(whole.as_object_mut().unwrap().remove(of_card).is_some());
            }
            assert_eq!(held(&product, listed), whole);
            let tile = said(serde_json::to_value(TileBody::from(&product)).unwrap());
            assert_eq!(held(&product, tile_row), tile);
        }
    }

    #[test]
    fn a_list_is_written_as_its_shape_says() {
        let items = vec![
            product("", 0),
            product("whole", 500),
            product("\"quoted\" \\ with\r\n\tevery \u{1} thing", 123_456),
            product("ünïcode 😀 </script>", 99_999_999_999),
        ];
        for (items, matches, suggestion) in [
            (Vec::new(), Vec::new(), Some("did \"you\" mean".to_owned())),
            (items, vec!["cable".to_owned(), "é".to_owned()], None),
        ] {
            let query = ListQuery::default();
            let listing = Listing {
                page: Page { items, total: 31 },
                matches,
                suggestion,
                price_read: (Paise::new(123_450), None),
                relaxed: vec![("maxPrice", 3)],
            };
            let mut writer = ListWriter::new(&query);
            for product in &listing.page.items {
                let details = &product.details;
                let images = serde_json::value::to_raw_value(&details.images).unwrap();
                let row = ProductRow {
                    id: &product.id,
                    title: &details.title,
                    description: &details.description,
                    price: details.price,
                    discount: details.discount,
                    final_price: product.details.final_price,
                    category: details.category,
                    source: &details.source,
                    affiliate_link: &details.affiliate_link,
                    images: &images,
                    clicks: product.clicks,
                    average_rating: details.average_rating,
                    total_ratings: details.total_ratings,
                    lifetime: details.lifetime,
                    offers: "[]",
                    state: product.state,
                    badge: product.badge,
                    created_at: product.created_at,
                    updated_at: product.updated_at,
                    price_seen_at: product.price_seen_at,
                    offers_checked_at: product.offers_checked_at,
                };
                writer
                    .add(&row, &details.offers, product.shown.as_deref())
                    .unwrap();
            }
            let written = writer.finish(&query, &listing).unwrap();
            let expected = serde_json::to_string(&ListResponse::new(&query, &listing)).unwrap();
            assert_eq!(String::from_utf8(written).unwrap(), expected);
        }
    }
}
