//! Feeds of the newest deals of a list.

use roxmltree::Document;
use serde_json::{Value, json};

use crate::support::harness::{Shop, product_with};
use crate::support::times::{HOUR, after};

#[test]
fn both_feeds_have_the_deals_of_a_list_with_price_end_and_picture() {
    let end = after(30 * HOUR);
    let shop = Shop::with(&[
        product_with(
            1,
            json!({"title": "A lamp", "source": "Croma", "tags": ["diwali", "light"], "endsAt": end, "price": 200, "discount": 25}),
        ),
        product_with(
            2,
            json!({"title": "A hidden price", "tags": ["diwali"], "source": "Amazon"}),
        ),
        product_with(3, json!({"title": "Something else"})),
    ]);
    shop.set_rules("Amazon", &json!({"showPrice": false}).to_string());
    let server = shop.serve();
    let answer = server.get("/feed.json?tag=diwali");
    assert_eq!(answer.headers()["content-type"], "application/feed+json");
    let feed: Value = answer.json().unwrap();
    assert_eq!(feed["version"], "https://jsonfeed.org/version/1.1");
    assert_eq!(feed["feed_url"], server.url("/feed.json?tag=diwali"));
    assert_eq!(feed["title"], "Deals: the newest of Deals tagged diwali");
    let items = feed["items"].as_array().unwrap();
    let item = |title: &str| items.iter().find(|item| item["title"] == title).unwrap();
    assert_eq!(items.len(), 2);
    let lamp = item("A lamp");
    assert_eq!(lamp["_deal"]["price"], "150");
    assert_eq!(lamp["_deal"]["ends_at"], end);
    assert!(
        lamp["image"].as_str().unwrap().starts_with("http"),
        "{lamp}"
    );
    assert_eq!(
        lamp["tags"].as_array().unwrap()[1..],
        [json!("diwali"), json!("light")]
    );
    let hidden = item("A hidden price");
    assert!(hidden["_deal"].get("price").is_none(), "{hidden}");
    assert!(!hidden.to_string().contains('₹'), "{hidden}");

    let xml = server.get("/feed.xml?tag=diwali").text().unwrap();
    let document = Document::parse(&xml).unwrap();
    let texts = |name: &str| -> Vec<String> {
        let found = document
            .descendants()
            .filter(|it| it.tag_name().name() == name);
        found
            .map(|it| it.text().unwrap_or_default().to_owned())
            .collect()
    };
    assert_eq!(texts("price"), ["150 INR"]);
    assert_eq!(texts("expiration_date"), [end]);
    assert_eq!(texts("entry").len(), 2);
    let page = server.get("/?tag=diwali").text().unwrap();
    for (kind, path) in [("atom+xml", "/feed.xml"), ("feed+json", "/feed.json")] {
        let link = format!(
            "<link rel=\"alternate\" type=\"application/{kind}\" title=\"Newest deals\" href=\"{path}?tag=diwali\">"
        );
        assert!(page.contains(&link), "{page}");
    }
}
