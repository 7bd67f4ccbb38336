//! Collections, offers of sellers, settings and mappings of a shop, which its archive carries.

use base64::prelude::{BASE64_STANDARD, Engine as _};
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
    let settings = json!({
        "version": version,
        "frontPage": sections,
        "name": "Rainy",
        "tagline": "For days indoors",
        "accent": "#1a56b0",
        "contact": "me@example.com",
        "telegram": "https://t.me/rainy",
        "mark": format!("data:image/png;base64,{}", BASE64_STANDARD.encode(PNG)),
        "sameWords": "brolly = umbrella",
        "digestHour": 7,
        "pages": [
            {"slug": "terms", "title": "Terms", "text": "None."},
            {"slug": "about", "title": "About", "text": "Of *us*."},
        ],
        "shops": [{"name": "Duka", "hosts": ["duka.example"], "productId": "?pid={id}", "tagParameter": "aff"}],
        "source.Amazon": {"priceMaxAge": 48, "copyImages": false, "text": "Ships **fast**."},
        "source.Flipkart": "open",
        "tag.Amazon": "rainy-21",
    });
    send(Method::PUT, "/settings", settings);
    let mapping = json!({"fields": {"title": {"columns": ["Name"]}}});
    send(Method::PUT, "/product/mappings/toys", mapping);
}

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n....";

/// Collections, offers of sellers, settings, mappings and former names of categories.
pub fn shown(shop: &Shop) -> Vec<String> {
    let database = shop.database();
    let mut lines = database
        .prepare(
            "SELECT concat_ws('|', slug, name, text, picture, rule, products, starts_at, ends_at, on_home, in_menu) \
             FROM collections UNION ALL \
             SELECT concat_ws('|', source, name, min_price, seller_offers.starts_at, ends_at, offer) \
             FROM seller_offers LEFT JOIN categories ON categories.key = seller_offers.category UNION ALL \
             SELECT concat_ws('|', shop, mark_type, hex(mark)) FROM settings UNION ALL \
             SELECT concat_ws('|', name, mapping) FROM file_mappings UNION ALL \
             SELECT concat_ws('|', former_categories.name, former_categories.slug, categories.name) \
             FROM former_categories JOIN categories ON number = coalesce(merged_into, category)",
        )
        .unwrap();
    let lines = lines.query_map([], |row| row.get(0)).unwrap();
    let mut lines: Vec<String> = lines.collect::<Result<_, _>>().unwrap();
    lines.sort();
    lines
}
