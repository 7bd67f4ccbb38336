//! Structured data, and feeds of filtered lists.

use reqwest::Method;
use roxmltree::Document;
use scraper::{Html, Selector};
use serde_json::{Value, json};

use crate::pages::seo::{SITE, attribute, path_of, shop, structured};
use crate::pages::server_rendering::page;
use crate::support::harness::{Shop, product_with, succeeds};
use crate::support::people::People;

const ATOM: &str = "http://www.w3.org/2005/Atom";

fn structured_all(page: &Html) -> Vec<Value> {
    let selector = Selector::parse("script[type='application/ld+json']").unwrap();
    let scripts = page.select(&selector);
    scripts
        .map(|script| serde_json::from_str(&script.text().collect::<String>()).unwrap())
        .collect()
}

fn of_type(page: &Html, kind: &str) -> Option<Value> {
    let mut all = structured_all(page).into_iter();
    all.find(|data| data["@type"] == kind)
}

#[test]
fn a_product_and_a_category_have_breadcrumbs() {
    let (_shop, server) = shop();
    let path = path_of(&server, "Steel \"kettle\" & <cup>");
    let steps = |address: &str| {
        let page = Html::parse_document(&page(&server, address));
        let crumbs = of_type(&page, "BreadcrumbList").unwrap();
        let items = crumbs["itemListElement"].as_array().unwrap().clone();
        let steps = items
            .iter()
            .map(|item| item["item"].as_str().unwrap().to_owned());
        steps.collect::<Vec<_>>()
    };
    let home = [format!("{SITE}/"), format!("{SITE}/category/home")];
    assert_eq!(steps("/?category=Home"), home);
    assert_eq!(steps("/category/home"), home);
    assert_eq!(
        steps(&path),
        [home.as_slice(), &[format!("{SITE}{path}")]].concat()
    );
}

#[test]
fn a_deal_that_is_added_without_ratings_claims_none() {
    let people = People::with(Shop::new(), &[]);
    let owner = people.join_as_admin("owner@example.com");
    let mut sent = product_with(1, json!({}));
    for field in ["averageRating", "totalRatings"] {
        sent.as_object_mut().unwrap().remove(field);
    }
    let added = people.request(Method::POST, "/product/add-product");
    let added = added.bearer_auth(&owner.token).json(&sent).send().unwrap();
    assert_eq!(added.status(), 201);
    let added: Value = added.json().unwrap();
    let none = json!({"averageRating": 0.0, "totalRatings": 0});
    assert_eq!(added["product"]["ratings"], none);
    let id = added["product"]["_id"].as_str().unwrap();
    let details = page(&people.server, &format!("/details/{id}"));
    assert!(details.contains("Not rated yet"), "{details}");
    let data = of_type(&Html::parse_document(&details), "Product").unwrap();
    assert!(data["aggregateRating"].is_null(), "{data}");
}

#[test]
fn the_first_page_has_structured_data_of_the_site() {
    let (shop, server) = shop();
    let set = [
        "settings",
        "set",
        "name=Sasta Adda",
        "telegram=https://t.me/example",
    ];
    succeeds(shop.run(&set));
    let page = Html::parse_document(&page(&server, "/"));
    let shop = structured_all(&page).swap_remove(1);
    assert_eq!(shop["@graph"][0]["@type"], "WebSite");
    assert_eq!(shop["@graph"][0]["name"], "Sasta Adda");
    assert_eq!(
        shop["@graph"][0]["publisher"]["@id"],
        shop["@graph"][1]["@id"]
    );
    assert_eq!(shop["@graph"][1]["@type"], "Organization");
    assert_eq!(shop["@graph"][1]["sameAs"], json!(["https://t.me/example"]));
}

#[test]
fn structured_data_has_ratings_only_where_the_sellers_rules_allow_it() {
    let (shop, server) = shop();
    let rating = |title: &str| {
        let page = Html::parse_document(&page(&server, &path_of(&server, title)));
        structured(&page).get("aggregateRating").cloned()
    };
    let kettle = "Steel \"kettle\" & <cup>";
    assert_eq!(rating(kettle), None);
    shop.set_rules("Croma", r#"{"ratingsInSearch": true}"#);
    let expected = json!({
        "@type": "AggregateRating",
        "ratingValue": 4.3,
        "ratingCount": 1200,
        "bestRating": 5,
        "worstRating": 0,
    });
    assert_eq!(rating(kettle), Some(expected));
    assert_eq!(rating("Product 2"), None);
    shop.set_rules("Croma", r#"{"showRatings": false}"#);
    assert_eq!(rating(kettle), None);
}

#[test]
fn structured_data_of_a_product_always_has_an_offer() {
    let ended = json!({
        "title": "Over", "startsAt": "2026-01-01T00:00:00Z", "endsAt": "2026-11-12T00:00:00Z",
        "images": ["http://p.example/1.jpg", "https://p.example/2.jpg"], "_id": "over",
    });
    let later = json!({"title": "Later", "startsAt": "2999-01-01T00:00:00Z", "_id": "later"});
    let shop = Shop::with(&[
        product_with(1, json!({"_id": "live"})),
        product_with(2, ended),
        product_with(3, later),
        product_with(4, json!({"_id": "hidden", "source": "Secret"})),
    ]);
    shop.set_rules("Secret", r#"{"showPrice": false}"#);
    let people = People::with(shop, &["--public-url", SITE]);
    let owner = people.join_as_admin("owner@example.com");
    let product = |id: &str| {
        let request = people.request(Method::GET, &format!("/details/{id}"));
        let request = request.header("accept", "text/html");
        let answer = request.bearer_auth(&owner.token).send().unwrap();
        of_type(&Html::parse_document(&answer.text().unwrap()), "Product")
    };
    for (id, availability) in [
        ("live", "InStock"),
        ("over", "SoldOut"),
        ("later", "PreOrder"),
    ] {
        let data = product(id).unwrap();
        let offer = &data["offers"];
        let expected = format!("https://schema.org/{availability}");
        assert_eq!(offer["availability"], expected, "{id}");
        assert_eq!(offer["priceCurrency"], "INR");
        assert!(offer["price"].is_string(), "{data}");
        assert!(
            data["name"].is_string() && data["image"].is_array(),
            "{data}"
        );
    }
    assert_eq!(
        product("over").unwrap()["image"][0],
        "https://p.example/2.jpg"
    );
    assert_eq!(product("hidden"), None);
}

#[test]
fn a_scheduled_deal_is_published_at_its_start_in_the_feed() {
    let times = |created: &str, start: &str| json!({"createdAt": created, "updatedAt": created, "startsAt": start});
    let (early, late) = ("2026-01-02T00:00:00.000Z", "2026-03-04T00:00:00.000Z");
    let shop = Shop::with(&[
        product_with(1, times(early, late)),
        product_with(2, times(late, early)),
    ]);
    let server = shop.serve();
    let xml = server.get("/feed.xml").text().unwrap();
    let feed = Document::parse(&xml).unwrap();
    for name in ["published", "updated"] {
        let nodes = feed.descendants();
        let entries = nodes.filter(|it| {
            it.parent()
                .is_some_and(|it| it.has_tag_name((ATOM, "entry")))
        });
        let times: Vec<_> = entries
            .filter(|it| it.has_tag_name((ATOM, name)))
            .map(|it| it.text().unwrap())
            .collect();
        assert_eq!(times, [late, late], "{name}");
    }
    let empty = server.get("/feed.xml?category=Books").text().unwrap();
    assert!(!empty.contains("<updated>1970"), "{empty}");
}

#[test]
fn the_feed_accepts_the_filters_of_the_list() {
    let products = [
        product_with(
            1,
            json!({"title": "A novel", "category": "Books", "images": ["https://p.example/1.jpg?a=1&b=2"]}),
        ),
        product_with(2, json!({"title": "A kettle", "category": "Home"})),
    ];
    let shop = Shop::with(&products);
    let server = shop.serve_with(&["--public-url", SITE]);
    let xml = server
        .get("/feed.xml?category=Books&page=9&utm_source=x")
        .text()
        .unwrap();
    let feed = Document::parse(&xml).unwrap();
    let texts = |name: &str| {
        let nodes = feed
            .descendants()
            .filter(|node| node.tag_name().name() == name);
        nodes
            .filter_map(|node| node.text())
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(texts("title"), ["Deals: the newest of Books", "A novel"]);
    assert_eq!(texts("id")[0], format!("{SITE}/feed.xml?category=Books"));
    let content = Html::parse_fragment(&texts("content")[0]);
    assert_eq!(
        attribute(&content, "img", "src").unwrap(),
        "https://p.example/1.jpg?a=1&b=2"
    );
    assert_eq!(attribute(&content, "img", "alt").unwrap(), "A novel");
    let found = server.get("/feed.xml?search=kettle").text().unwrap();
    assert!(
        found.contains("A kettle") && !found.contains("A novel"),
        "{found}"
    );
}
