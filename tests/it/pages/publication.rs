//! Times at which deals became visible, and ids of the feed.

use std::collections::BTreeMap;

use reqwest::Method;
use roxmltree::Document;
use serde_json::{Value, json};

use crate::support::harness::{Server, Shop, product, product_with, succeeds};
use crate::support::people::{People, Someone};

const ATOM: &str = "http://www.w3.org/2005/Atom";

/// The fields of each entry of the feed, without their markup.
fn entries(server: &Server) -> Vec<BTreeMap<String, String>> {
    let xml = server.get("/feed.xml").text().unwrap();
    let feed = Document::parse(&xml).unwrap();
    let entries = feed
        .descendants()
        .filter(|it| it.has_tag_name((ATOM, "entry")));
    let fields = entries.map(|entry| {
        let fields = entry.children().filter(|it| it.text().is_some());
        let text = |it: roxmltree::Node<'_, '_>| it.text().unwrap().to_owned();
        fields
            .map(|it| (it.tag_name().name().to_owned(), text(it)))
            .collect()
    });
    fields.collect()
}

/// Adds a product, and returns its `_id`.
fn add(people: &People, owner: &Someone, product: &Value) -> String {
    let add = people.request(Method::POST, "/product/add-product");
    let answer = add.bearer_auth(&owner.token).json(product).send().unwrap();
    assert_eq!(answer.status(), 201);
    let answer: Value = answer.json().unwrap();
    answer["product"]["_id"].as_str().unwrap().to_owned()
}

/// Saves a product with other fields, and returns it.
fn save(people: &People, owner: &Someone, id: &str, fields: Value) -> Value {
    let path = format!("/product/update-product/{id}");
    let put = people.request(Method::PUT, &path).bearer_auth(&owner.token);
    let answer = put.json(&product_with(1, fields)).send().unwrap();
    assert_eq!(answer.status(), 200);
    let mut answer: Value = answer.json().unwrap();
    answer["product"].take()
}

/// The sitemap's time of a product.
fn lastmod(server: &Server, id: &str) -> String {
    let xml = server.get("/sitemap.xml").text().unwrap();
    let (_, rest) = xml.split_once(&format!("/details/{id}</loc>")).unwrap();
    let (_, rest) = rest.split_once("<lastmod>").unwrap();
    rest.split_once("</lastmod>").unwrap().0.to_owned()
}

#[test]
fn a_draft_is_as_new_as_its_first_publication() {
    let people = People::new();
    let owner = people.join_as_admin("owner@example.com");
    let draft = json!({"title": "The draft", "status": "draft"});
    let live = json!({"title": "The draft", "status": "live"});
    let id = add(&people, &owner, &product_with(1, draft.clone()));
    add(
        &people,
        &owner,
        &product_with(2, json!({"title": "The second"})),
    );
    let published = save(&people, &owner, &id, live.clone());
    assert_eq!(people.server.titles(""), ["The draft", "The second"]);
    let time = published["publishedAt"].as_str().unwrap().to_owned();
    assert!(*time > *published["createdAt"].as_str().unwrap());
    let entry = entries(&people.server).swap_remove(0);
    assert_eq!(entry["published"], time);
    assert_eq!(entry["updated"], time);
    assert_eq!(people.server.list("")[0]["publishedAt"], *time);

    add(
        &people,
        &owner,
        &product_with(3, json!({"title": "The third"})),
    );
    save(&people, &owner, &id, draft);
    assert_eq!(people.server.titles(""), ["The third", "The second"]);
    let again = save(&people, &owner, &id, live);
    assert_eq!(again["publishedAt"], *time);
    assert_eq!(
        people.server.titles(""),
        ["The third", "The draft", "The second"]
    );
}

#[test]
fn a_republished_product_keeps_its_place_in_the_list() {
    let people = People::new();
    let owner = people.join_as_admin("owner@example.com");
    let id = add(
        &people,
        &owner,
        &product_with(1, json!({"title": "The first"})),
    );
    add(
        &people,
        &owner,
        &product_with(2, json!({"title": "The second"})),
    );
    for status in ["draft", "live"] {
        save(
            &people,
            &owner,
            &id,
            json!({"title": "The first", "status": status}),
        );
    }
    assert_eq!(people.server.titles(""), ["The second", "The first"]);
    assert!(people.server.list("")[1].get("publishedAt").is_none());
}

#[test]
fn a_draft_published_by_an_import_counts_as_new() {
    let row = |id: &str, title: &str, status: &str| {
        product_with(
            1,
            json!({"_id": id, "title": title, "status": status, "affiliateLink": format!("https://shop.example/{id}")}),
        )
    };
    let shop = Shop::with(&[row("a", "The draft", "draft")]);
    shop.import(&json!([row("b", "The second", "live")]).to_string(), &[]);
    shop.import(&json!([row("a", "The draft", "live")]).to_string(), &[]);
    assert_eq!(shop.serve().titles(""), ["The draft", "The second"]);
}

#[test]
fn removing_the_start_of_a_scheduled_deal_publishes_it_now() {
    let people = People::new();
    let owner = people.join_as_admin("owner@example.com");
    let scheduled = json!({"title": "The scheduled", "startsAt": "2126-01-01T00:00:00Z"});
    let id = add(&people, &owner, &product_with(1, scheduled.clone()));
    add(
        &people,
        &owner,
        &product_with(2, json!({"title": "The second"})),
    );
    let draft = json!({"title": "The scheduled", "status": "draft", "startsAt": null});
    save(&people, &owner, &id, draft);
    save(&people, &owner, &id, scheduled.clone());
    let live = json!({"title": "The scheduled", "status": "live", "startsAt": null});
    let published = save(&people, &owner, &id, live.clone());
    assert_eq!(people.server.titles(""), ["The scheduled", "The second"]);

    add(
        &people,
        &owner,
        &product_with(3, json!({"title": "The third"})),
    );
    save(
        &people,
        &owner,
        &id,
        json!({"title": "The scheduled", "status": "draft"}),
    );
    assert_eq!(
        save(&people, &owner, &id, live)["publishedAt"],
        published["publishedAt"]
    );
    assert_eq!(people.server.titles("")[0], "The third");
}

#[test]
fn undoing_a_publication_resets_the_publication_time() {
    let people = People::new();
    let owner = people.join_as_admin("owner@example.com");
    let id = add(
        &people,
        &owner,
        &product_with(1, json!({"title": "The draft", "status": "draft"})),
    );
    let bulk = |body: &Value| -> Value {
        let post = people
            .request(Method::POST, "/product/bulk")
            .bearer_auth(&owner.token);
        let answer = post.json(body).send().unwrap();
        assert_eq!(answer.status(), 200);
        answer.json().unwrap()
    };
    let publish = json!({"ids": [id], "action": "publish"});
    let undo = bulk(&publish)["undo"].clone();
    let undo = format!("/product/undo/{}", undo.as_str().unwrap());
    let post = people
        .request(Method::POST, &undo)
        .bearer_auth(&owner.token);
    assert_eq!(post.send().unwrap().status(), 200);
    add(
        &people,
        &owner,
        &product_with(2, json!({"title": "The second"})),
    );
    bulk(&publish);
    assert_eq!(people.server.titles(""), ["The draft", "The second"]);
}

#[test]
fn an_export_keeps_the_time_of_publication() {
    let row = |status: &str| {
        product_with(
            1,
            json!({"_id": "one", "title": "The draft", "status": status}),
        )
    };
    let shop = Shop::with(&[
        row("draft"),
        product_with(2, json!({"title": "The second"})),
    ]);
    shop.import(&json!([row("live")]).to_string(), &[]);
    let before = shop.serve().titles("");
    assert_eq!(before[0], "The draft");
    for format in ["json", "csv"] {
        let other = Shop::new();
        let file = format!("products.{format}");
        let exported = shop.run(&["export", "--format", format]).stdout;
        std::fs::write(other.file(&file), exported).unwrap();
        succeeds(other.run(&["import", &file]));
        let server = other.serve();
        assert_eq!(server.titles(""), before, "{format}");
        let published = shop.serve().list("")[0]["publishedAt"].clone();
        assert_eq!(server.list("")[0]["publishedAt"], published, "{format}");
    }
}

#[test]
fn a_scheduled_deal_is_published_at_its_start() {
    let times = |day: &str| json!({"createdAt": format!("2026-01-{day}T00:00:00.000Z")});
    let mut started = times("01");
    started["startsAt"] = "2026-01-03T00:00:00.000Z".into();
    started["title"] = "The started".into();
    let shop = Shop::with(&[product_with(1, started), product_with(2, times("02"))]);
    let server = shop.serve();
    assert_eq!(server.titles("")[0], "The started");
    let oldest = server.list("order=asc");
    assert_eq!(oldest[1]["publishedAt"], "2026-01-03T00:00:00.000Z");
}

#[test]
fn changed_ratings_do_not_change_lastmod() {
    let people = People::new();
    let owner = people.join_as_admin("owner@example.com");
    let id = add(&people, &owner, &product(1));
    let before = lastmod(&people.server, &id);
    let rated = save(
        &people,
        &owner,
        &id,
        json!({"averageRating": 3.5, "totalRatings": 999}),
    );
    assert_ne!(rated["updatedAt"], *before);
    assert_eq!(lastmod(&people.server, &id), before);
    assert_eq!(entries(&people.server)[0]["updated"], before);
    let renamed = save(&people, &owner, &id, json!({"title": "Another title"}));
    assert_eq!(renamed["updatedAt"], *lastmod(&people.server, &id));
    assert_eq!(renamed["updatedAt"], *entries(&people.server)[0]["updated"]);
}

#[test]
fn entries_of_the_feed_keep_their_ids_when_the_shop_moves() {
    let shop = Shop::with(&[product_with(1, json!({"_id": "one"}))]);
    let id_at = |address: &str| {
        let server = shop.serve_with(&["--public-url", address]);
        let feed = server.get("/feed.xml").text().unwrap();
        let href = format!("href=\"{address}/details/one\"");
        assert!(feed.contains(&href), "{feed}");
        entries(&server)[0]["id"].clone()
    };
    // The address of a trial is not kept.
    assert_eq!(
        id_at("http://127.0.0.1:8080"),
        "http://127.0.0.1:8080/details/one"
    );
    assert_eq!(
        id_at("https://old.example"),
        "https://old.example/details/one"
    );
    assert_eq!(
        id_at("https://new.example"),
        "https://old.example/details/one"
    );
}
