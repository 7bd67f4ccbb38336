//! Collections, offers of sellers and the front page of a shop, which its archive carries.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::harness::Shop;
use crate::support::people::People;

/// Arranges a shop with a large and a small picture.
pub fn arrange(
    people: &People,
    send: &dyn Fn(Method, &str, Value) -> Value,
    [large, small]: [&String; 2],
) {
    let chosen: Vec<Value> = people
        .server
        .list("category=all")
        .iter()
        .map(|deal| deal["_id"].clone())
        .collect();
    for collection in [
        json!({"name": "Rainy days", "text": "*Indoors*.", "picture": small, "products": chosen, "onHome": true}),
        json!({"name": "Diwali", "rule": "category=Board%20games&maxPrice=999", "startsAt": "2099-10-01T00:00:00Z"}),
    ] {
        send(Method::POST, "/collection", collection);
    }
    let offer = json!({"kind": "coupon", "code": "RAIN10", "percent": 10, "category": "Toys", "minPrice": 499, "endsAt": "2099-12-01T00:00:00Z"});
    send(Method::POST, "/source/Amazon/offers", offer);
    let version = people.server.json("/settings")["version"].clone();
    let sections = json!([
        {"kind": "banner", "picture": large, "alt": "Rain", "link": "/collection/rainy-days"},
        {"kind": "collection", "name": "rainy-days", "deals": 3},
    ]);
    let settings = json!({"version": version, "frontPage": sections});
    send(Method::PUT, "/settings", settings);
}

/// Collections, offers of sellers and the front page.
pub fn shown(shop: &Shop) -> Vec<String> {
    let database = shop.database();
    let mut lines = database
        .prepare(
            "SELECT concat_ws('|', slug, name, text, picture, rule, products, starts_at, ends_at, on_home, in_menu) \
             FROM collections UNION ALL \
             SELECT concat_ws('|', source, name, min_price, seller_offers.starts_at, ends_at, offer) \
             FROM seller_offers LEFT JOIN categories ON categories.key = seller_offers.category UNION ALL \
             SELECT json_extract(shop, '$.frontPage') FROM settings",
        )
        .unwrap();
    let lines = lines.query_map([], |row| row.get(0)).unwrap();
    let mut lines: Vec<String> = lines.collect::<Result<_, _>>().unwrap();
    lines.sort();
    lines
}
