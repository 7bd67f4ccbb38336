//! The list's response as a page holds it.

use super::body::held;
use super::table::write_table;
use crate::domain::{ListQuery, Listing, Product};
use crate::http::api::json_text::value;
use crate::http::api::responses::ListMetaBody;

/// The answer of `get-products` as a page of the list holds it.
///
/// # Errors
///
/// [`serde_json::Error`] when a number can't be written.
pub(crate) fn held_list(
    query: &ListQuery,
    listing: &Listing<Product>,
) -> serde_json::Result<Vec<u8>> {
    let mut json = Vec::new();
    write_table(&mut json, "{\"data\":", &listing.page.items, held)?;
    value(&mut json, ",\"meta\":", &ListMetaBody::new(query, listing))?;
    json.push(b'}');
    Ok(json)
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use serde_json::{Value, json};

    use super::*;
    use crate::domain::{
        Category, Discount, Home, Lifetime, NewProduct, Page, Paise, PriceBadge, Shown, State,
    };
    use crate::http::api::products::body::ProductBody;
    use crate::http::api::products::tiles::{HomeResponse, held_home};
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
                    ends_at: (hundredths == 500).then_some(Timestamp::MAX),
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
                    hides_price: true,
                    as_of: Some(Timestamp::UNIX_EPOCH),
                    hides_ratings: true,
                    disclosure: "As \"they\" ask.".to_owned(),
                    effective: Some("₹4 with code".to_owned()),
                    ends: Some("Ends today 23:59".to_owned()),
                    badge: Some(PriceBadge::Good),
                    told: Some("This deal ended.".to_owned()),
                })
            }),
        }
    }

    fn samples() -> Vec<Product> {
        let mut unchanged = product("unchanged", 1);
        unchanged.updated_at = unchanged.created_at;
        vec![
            product("", 0),
            product("whole", 500),
            product("\"quoted\" \\ with\r\n\tevery \u{1} thing", 123_456),
            product("ünïcode 😀 </script>", 99_999_999_999),
            unchanged,
        ]
    }

    /// The products of a table, as `frontend/src/api/table.ts` reads them.
    fn read(table: &Value) -> Vec<Value> {
        let fields = table["fields"].as_array().unwrap();
        let rows = table["rows"].as_array().unwrap().iter();
        rows.map(|row| {
            let mut product = json!({});
            for (field, value) in fields.iter().zip(row.as_array().unwrap()) {
                match field.as_str().unwrap().split_once('.') {
                    _ if value.is_null() => {}
                    None => product[field.as_str().unwrap()] = value.clone(),
                    Some((name, inner)) => product[name][inner] = value.clone(),
                }
            }
            if product["updatedAt"].is_null() {
                product["updatedAt"] = product["createdAt"].clone();
            }
            product
        })
        .collect()
    }

    /// What a page holds of a product that the API answers with: nothing of what says nothing, and
    /// not what stands elsewhere.
    fn without(mut answer: Value, elsewhere: &[&str]) -> Value {
        let product = answer.as_object_mut().unwrap();
        for field in elsewhere {
            assert!(product.remove(*field).is_some(), "{field}");
        }
        if let Some(shown) = product.get_mut("shown").and_then(Value::as_object_mut) {
            shown.retain(|_, value| ![json!(null), json!(false), json!("")].contains(value));
        }
        // As it is read of a table that has no such field.
        product.entry("updatedAt").or_insert(Value::Null);
        answer
    }

    #[test]
    fn a_page_holds_of_a_product_what_its_card_does_not_say() {
        let items = samples();
        let of_card = [
            "title",
            "description",
            "images",
            "affiliateLink",
            "status",
            "state",
            "offers",
            "effectivePrice",
        ];
        let answers = items
            .iter()
            .map(|item| serde_json::to_value(ProductBody::from(item)).unwrap());
        let expected: Vec<Value> = answers.map(|answer| without(answer, &of_card)).collect();
        let listing = Listing {
            page: Page { items, total: 31 },
            matches: Vec::new(),
            suggestion: None,
            price_read: (None, None),
            relaxed: Vec::new(),
        };
        let query = ListQuery::default();
        let held: Value = serde_json::from_slice(&held_list(&query, &listing).unwrap()).unwrap();
        assert_eq!(read(&held["data"]), expected);
        let answer = serde_json::to_value(ListResponse::new(&query, &listing)).unwrap();
        assert_eq!(held["meta"], answer["meta"]);
    }

    #[test]
    fn a_page_holds_what_stands_above_its_list() {
        let home = Home {
            savings: samples(),
            popular: Vec::new(),
            newest: samples().split_off(1),
            today: 7,
            updated: Some(Timestamp::UNIX_EPOCH),
        };
        let held: Value = serde_json::from_slice(&held_home(&home).unwrap()).unwrap();
        let answer = serde_json::to_value(HomeResponse::from(&home)).unwrap();
        for (name, answered) in answer.as_object().unwrap() {
            match answered.as_array() {
                None => assert_eq!(&held[name], answered),
                Some(tiles) => {
                    let tiles = tiles.iter().map(|tile| without(tile.clone(), &[]));
                    assert_eq!(read(&held[name]), tiles.collect::<Vec<_>>());
                }
            }
        }
    }
}
