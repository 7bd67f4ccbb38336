//! Feeds of the newest deals of a list.

use jiff::Timestamp;
use reqwest::{Method, Url};
use roxmltree::{Document, Node};
use serde_json::{Value, json};

use super::{follow, link, send_form};
use crate::api::product_forms::send;
use crate::support::harness::{Shop, product_with};
use crate::support::people::People;
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

/// Fails for an address that is not absolute.
fn assert_absolute(address: &str) {
    let url = Url::parse(address).unwrap_or_else(|error| panic!("{address}: {error}"));
    assert!(matches!(url.scheme(), "http" | "https"), "{address}");
}

/// Fails for a document that RFC 4287 does not allow; returns ids and times of its entries.
fn read_atom(xml: &str, own: &str) -> Vec<(String, String)> {
    const ATOM: &str = "http://www.w3.org/2005/Atom";
    let document = Document::parse(xml).unwrap();
    let one = |node: Node<'_, '_>, name: &str| {
        let mut found = node.children().filter(|it| it.has_tag_name((ATOM, name)));
        let text = found.next().and_then(|it| it.text().map(str::to_owned));
        assert!(text.is_some() && found.next().is_none(), "{name}: {xml}");
        text.unwrap()
    };
    let link = |node: Node<'_, '_>, relation: &str| {
        let mut links = node.children().filter(|it| it.has_tag_name((ATOM, "link")));
        let link = links
            .find(|it| it.attribute("rel") == Some(relation))
            .unwrap();
        assert_absolute(link.attribute("href").unwrap());
        link.attribute("href").unwrap().to_owned()
    };
    let feed = document.root_element();
    assert!(feed.has_tag_name((ATOM, "feed")), "{xml}");
    assert_eq!(link(feed, "self"), own);
    link(feed, "alternate");
    for name in ["id", "title"] {
        one(feed, name);
    }
    let author = feed.children().find(|it| it.has_tag_name((ATOM, "author")));
    one(author.unwrap(), "name");
    let entries = feed
        .children()
        .filter(|it| it.has_tag_name((ATOM, "entry")));
    let entries: Vec<_> = entries
        .map(|entry| {
            let (id, updated) = (one(entry, "id"), one(entry, "updated"));
            assert_absolute(&id);
            link(entry, "alternate");
            let times = [one(entry, "published"), updated.clone()];
            assert!(times.iter().all(|it| it.parse::<Timestamp>().is_ok()));
            for name in ["title", "summary"] {
                one(entry, name);
            }
            for picture in one(entry, "content").split("src=\"").skip(1) {
                assert_absolute(picture.split('"').next().unwrap());
            }
            (id, updated)
        })
        .collect();
    let newest = entries.iter().map(|(_, updated)| updated).max();
    let updated = one(feed, "updated");
    assert!(newest.is_none_or(|newest| *newest == updated), "{xml}");
    entries
}

/// Schema of JSON Feed 1.1 for the fields that the shop writes.
fn json_feed() -> Value {
    let address = json!({"type": "string", "pattern": "^https?://[^/]+/"});
    let time = json!({
        "type": "string",
        "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$",
    });
    let authors = json!({
        "type": "array",
        "items": {"type": "object", "properties": {"name": {"type": "string"}, "url": address}},
    });
    json!({
        "type": "object",
        "required": ["version", "title", "items"],
        "properties": {
            "version": {"const": "https://jsonfeed.org/version/1.1"},
            "title": {"type": "string", "minLength": 1},
            "home_page_url": address, "feed_url": address,
            "language": {"type": "string"}, "authors": authors,
            "items": {"type": "array", "items": {
                "type": "object",
                "required": ["id", "content_html"],
                "properties": {
                    "id": {"type": "string", "minLength": 1},
                    "url": address, "image": address,
                    "title": {"type": "string"}, "summary": {"type": "string"},
                    "content_html": {"type": "string"},
                    "date_published": time, "date_modified": time,
                    "tags": {"type": "array", "items": {"type": "string"}},
                    "_deal": {"type": "object"},
                },
                "additionalProperties": false,
            }},
        },
        "additionalProperties": false,
    })
}

#[test]
fn feeds_of_every_kind_of_list_are_valid_and_move_with_the_price() {
    let end = after(30 * HOUR);
    let lamp = |price: i64| {
        product_with(
            1,
            json!({"_id": "lamp", "title": "A lamp & <more>", "source": "Croma", "category": "Electronics",
                   "tags": ["diwali"], "endsAt": end, "price": price, "discount": 25}),
        )
    };
    let speaker = json!({"_id": "speaker", "title": "Speaker", "category": "Electronics"});
    let people = People::with(Shop::with(&[lamp(200), product_with(2, speaker)]), &[]);
    let owner = people.join_as_admin("owner@example.com");
    let ask = |method, path: &str, body: Value| {
        let answer = send(&people, &owner, method, path, &body);
        let status = answer.status().as_u16();
        assert!(status < 300, "{status}: {}", answer.text().unwrap());
    };
    ask(
        Method::POST,
        "/category",
        json!({"name": "Audio", "parent": "electronics"}),
    );
    let moved = json!({"title": "Speaker", "category": "Audio"});
    let path = "/product/update-product/speaker";
    ask(Method::PUT, path, product_with(2, moved));
    ask(
        Method::POST,
        "/collection",
        json!({"name": "Festive", "rule": "?tag=diwali"}),
    );
    let validator = jsonschema::draft202012::new(&json_feed()).unwrap();
    let read = |query: &str| {
        let own = |feed: &str| people.server.url(&format!("/{feed}{query}"));
        let xml = people.server.get(&format!("/feed.xml{query}"));
        let entries = read_atom(&xml.text().unwrap(), &own("feed.xml"));
        let feed = people.server.json(&format!("/feed.json{query}"));
        let problems: Vec<_> = validator.iter_errors(&feed).collect();
        assert!(problems.is_empty(), "{problems:?}");
        assert_eq!(feed["feed_url"], own("feed.json"));
        let items = feed["items"].as_array().unwrap().clone();
        let ids: Vec<_> = items.iter().map(|item| item["id"].clone()).collect();
        let both: Vec<_> = entries.iter().map(|(id, _)| json!(id)).collect();
        assert_eq!(ids, both);
        (entries, items)
    };
    let page = |id: &str| people.server.url(&format!("/details/{id}"));
    for (query, wanted) in [
        ("", vec!["speaker", "lamp"]),
        ("?category=Electronics", vec!["speaker", "lamp"]),
        ("?category=Audio", vec!["speaker"]),
        ("?tag=diwali", vec!["lamp"]),
        ("?collection=festive", vec!["lamp"]),
        ("?search=lamp", vec!["lamp"]),
        (
            "?source=Croma&minPrice=100&maxPrice=200&minDiscount=20",
            vec!["lamp"],
        ),
        ("?search=nothing+of+it", vec![]),
    ] {
        let (entries, _) = read(query);
        let ids: Vec<_> = entries.into_iter().map(|(id, _)| id).collect();
        let wanted: Vec<_> = wanted.into_iter().map(page).collect();
        assert_eq!(ids, wanted, "{query}");
    }
    let (before, items) = read("?tag=diwali");
    let text = items[0]["content_html"].as_str().unwrap();
    assert!(text.contains("Until ") && text.contains("₹150"), "{text}");
    ask(Method::PUT, "/product/update-product/lamp", lamp(100));
    let (after, items) = read("?tag=diwali");
    assert_eq!(after[0].0, before[0].0);
    assert!(after[0].1 > before[0].1, "{after:?} {before:?}");
    assert_eq!(items[0]["date_modified"], after[0].1.as_str());
    assert_eq!(items[0]["_deal"]["price"], "75");
}

#[test]
fn words_of_a_search_stay_in_their_order_in_titles_mails_and_the_office() {
    let people = People::with(Shop::new(), &["--demo"]);
    let search = "?search=tea%E2%80%AE%0D%0ABcc:%1B+x";
    let title = "“tea Bcc: x”";
    let feed = people.server.json(&format!("/feed.json{search}"));
    assert!(feed["title"].as_str().unwrap().ends_with(title), "{feed}");
    let page = people.server.get(&format!("/follow{search}"));
    let page = page.text().unwrap();
    assert!(
        page.contains(&format!("<title>Follow {title} · ")),
        "{page}"
    );

    follow(&people, search, "192.0.2.1", "asha@example.com");
    let link = link(&people.mailbox.next());
    send_form(&people, &link, "192.0.2.1", &[("do", "confirm")]);
    let own = people
        .server
        .json(&link.replace("/subscriptions/", "/subscriber/own/"));
    assert_eq!(own["lists"][0]["heading"], title);

    // Beside the subscribers and alerts that the demo shop makes up.
    let owner = people.join_as_admin("owner@example.com");
    let request = people
        .request(Method::GET, "/subscriber")
        .bearer_auth(&owner.token);
    let numbers = request.send().unwrap().json::<Value>().unwrap();
    let lists = numbers["lists"].as_array().unwrap();
    assert!(
        lists.iter().any(|list| list["heading"] == title),
        "{numbers}"
    );
    for name in ["confirmed", "alerts"] {
        assert!(numbers[name].as_i64().unwrap() > 5, "{numbers}");
    }
}
