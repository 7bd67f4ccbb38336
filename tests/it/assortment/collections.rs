//! Collections of deals: by a rule, or chosen one by one.

use reqwest::Method;
use serde_json::{Value, json};

use crate::api::product_forms::send;
use crate::support::harness::{Shop, product_with, text, wait_until};
use crate::support::people::{People, Someone};

fn shop() -> (People, Someone) {
    let products: Vec<Value> = (0..6)
        .map(|n| {
            let tags = if n % 2 == 0 {
                json!(["Diwali"])
            } else {
                json!([])
            };
            product_with(n, json!({"_id": format!("p{n}"), "tags": tags}))
        })
        .collect();
    let people = People::with(Shop::with(&products), &[]);
    let owner = people.join_as_admin("owner@example.com");
    (people, owner)
}

/// Sends a collection; returns the status and the collection, or the messages of the fields.
fn set(shop: &(People, Someone), method: Method, path: &str, body: Value) -> (u16, Value) {
    let answer = send(&shop.0, &shop.1, method, path, &body);
    let status = answer.status().as_u16();
    let answer: Value = answer.json().unwrap();
    let part = if status < 300 { "collection" } else { "fields" };
    (status, answer[part].clone())
}

fn add(shop: &(People, Someone), body: Value) -> (u16, Value) {
    set(shop, Method::POST, "/collection", body)
}

#[test]
fn a_collection_by_rule_has_what_the_rule_finds() {
    let shop = shop();
    let server = &shop.0.server;
    let (status, added) = add(
        &shop,
        json!({"name": "Diwali deals", "rule": "?tag=DIWALI"}),
    );
    assert_eq!(
        (status, &added["slug"], &added["total"]),
        (201, &json!("diwali-deals"), &json!(3))
    );
    assert_eq!(
        server.titles("collection=diwali-deals"),
        ["Product 4", "Product 2", "Product 0"]
    );
    assert_eq!(
        server.titles("collection=diwali-deals&search=product+2"),
        ["Product 2"]
    );
    let feed = server
        .get("/feed.xml?collection=diwali-deals")
        .text()
        .unwrap();
    assert_eq!(feed.matches("<entry>").count(), 3);
    let facets = server.json("/product/facets?collection=diwali-deals");
    assert_eq!(facets["all"], 3);
    let page = server.get("/?collection=diwali-deals").text().unwrap();
    assert!(page.contains("<title>Diwali deals"));
    let log = send(
        &shop.0,
        &shop.1,
        Method::GET,
        "/product/activity",
        &json!(null),
    );
    assert!(text(&log.bytes().unwrap()).contains("collection.Diwali deals"));
    let version = added["version"].clone();
    let change = |body| set(&shop, Method::PUT, "/collection/diwali-deals", body);
    let (status, changed) = change(json!({"rule": "tag=diwali&minPrice=91", "version": version}));
    assert_eq!((status, &changed["total"]), (200, &json!(2)));
    assert_eq!(change(json!({"text": "Late", "version": version})).0, 409);
    assert_eq!(
        set(&shop, Method::PUT, "/collection/none", json!({})).0,
        404
    );
    let path = "/collection/diwali-deals";
    assert_eq!(
        send(&shop.0, &shop.1, Method::DELETE, path, &json!(null)).status(),
        200
    );
    assert_eq!(server.get(path).status(), 404);
    let refused = server.get("/product/get-products?collection=diwali-deals");
    assert_eq!(refused.status(), 400);
    assert_eq!(server.get("/?collection=diwali-deals").status(), 200);
}

#[test]
fn chosen_products_keep_their_order() {
    let shop = shop();
    let chosen = json!(["p3", "p0", "p5"]);
    let (status, added) = add(
        &shop,
        json!({"name": "Best", "products": chosen, "inMenu": true}),
    );
    assert_eq!(
        (status, &added["rule"], &added["inMenu"]),
        (201, &json!(null), &json!(true))
    );
    let server = &shop.0.server;
    assert_eq!(
        server.titles("collection=best"),
        ["Product 3", "Product 0", "Product 5"]
    );
    assert_eq!(
        server.titles("collection=best&limit=1&page=2"),
        ["Product 0"]
    );
    assert_eq!(
        server.titles("collection=best&order=asc"),
        ["Product 5", "Product 0", "Product 3"]
    );
    assert_eq!(
        server.titles("collection=best&sortBy=price&order=asc"),
        ["Product 0", "Product 3", "Product 5"]
    );
    assert_eq!(server.titles("collection=best&tag=diwali"), ["Product 0"]);
    send(
        &shop.0,
        &shop.1,
        Method::DELETE,
        "/product/delete-product/p0",
        &json!(null),
    );
    assert_eq!(server.titles("collection=best"), ["Product 3", "Product 5"]);
    // One that is gone does not hinder a change.
    let (status, changed) = set(
        &shop,
        Method::PUT,
        "/collection/best",
        json!({"onHome": true}),
    );
    assert_eq!((status, &changed["products"]), (200, &chosen));
}

#[test]
fn a_collection_is_shown_between_its_start_and_its_end() {
    let shop = shop();
    let (people, owner) = &shop;
    let past = json!({"name": "Past", "rule": "tag=diwali", "endsAt": "2020-01-01T00:00:00+05:30"});
    assert_eq!(add(&shop, past).1["runs"], false);
    let later =
        json!({"name": "Later", "rule": "tag=diwali", "startsAt": "2090-01-01T00:00:00+05:30"});
    assert_eq!(add(&shop, later).0, 201);
    assert_eq!(
        add(&shop, json!({"name": "Now", "rule": "tag=diwali"})).0,
        201
    );
    let names = |answer: Value| -> Vec<String> {
        let all = answer["data"].as_array().unwrap().iter();
        all.map(|it| it["name"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(names(people.server.json("/collection")), ["Now"]);
    assert_eq!(people.server.get("/collection?all=true").status(), 401);
    let all = send(
        people,
        owner,
        Method::GET,
        "/collection?all=true",
        &json!(null),
    );
    assert_eq!(names(all.json().unwrap()), ["Later", "Now", "Past"]);
    assert_eq!(people.server.get("/collection/later").status(), 404);
    let seen = send(
        people,
        owner,
        Method::GET,
        "/collection/later",
        &json!(null),
    );
    assert_eq!(seen.json::<Value>().unwrap()["collection"]["total"], 3);
    // The clock shows and hides them.
    let database = people.shop.database();
    database
        .execute(
            "UPDATE collections SET starts_at = 1 WHERE slug = 'later'",
            [],
        )
        .unwrap();
    database
        .execute("UPDATE collections SET ends_at = 2 WHERE slug = 'now'", [])
        .unwrap();
    wait_until("the clock has applied the times", || {
        names(people.server.json("/collection")) == ["Later"]
    });
    assert_eq!(people.server.get("/collection/now").status(), 404);
}

#[test]
fn what_is_wrong_with_a_collection_is_said_of_its_field() {
    let shop = shop();
    assert_eq!(
        add(&shop, json!({"name": "Diwali", "rule": "tag=x"})).1["total"],
        0
    );
    let rule = "tag=diwali";
    for (body, field, message) in [
        (
            json!({"rule": rule}),
            "name",
            "name must have 1 to 60 characters.",
        ),
        (
            json!({"name": "dIWALI", "rule": rule}),
            "name",
            "There is a collection Diwali already.",
        ),
        (
            json!({"name": "!", "rule": rule}),
            "name",
            "name needs a letter or a digit.",
        ),
        (
            json!({"name": "Other", "slug": "diwali", "rule": rule}),
            "slug",
            "The collection Diwali has the address diwali already.",
        ),
        (
            json!({"name": "Diwali!", "rule": rule}),
            "slug",
            "The collection Diwali has the address diwali already.",
        ),
        (
            json!({"name": "Other", "slug": "A/b", "rule": rule}),
            "slug",
            "slug must be at most 80 small letters and digits, with hyphens between.",
        ),
        (
            json!({"name": "Other", "rule": rule, "products": ["p1"]}),
            "products",
            "Give a rule or products, not both.",
        ),
        (
            json!({"name": "Other"}),
            "rule",
            "Give a rule, like tag=diwali, or choose products.",
        ),
        (
            json!({"name": "Other", "rule": "sortBy=price"}),
            "rule",
            "This rule finds every deal: give it a filter, like tag=diwali.",
        ),
        (
            json!({"name": "Other", "rule": "state=draft"}),
            "rule",
            "A rule has only filters that visitors have.",
        ),
        (
            json!({"name": "Other", "rule": "collection=diwali"}),
            "rule",
            "collection must be the slug of a collection that runs now.",
        ),
        (
            json!({"name": "Other", "products": ["none"]}),
            "products",
            "There is no product none.",
        ),
        (
            json!({"name": "Other", "products": ["p1", "p1"]}),
            "products",
            "The product p1 is chosen twice.",
        ),
        (
            json!({"name": "Other", "rule": rule, "startsAt": "2026-01-02T00:00:00Z", "endsAt": "2026-01-01T00:00:00Z"}),
            "endsAt",
            "The end must be after the start.",
        ),
        (
            json!({"name": "Other", "rule": rule, "picture": "javascript:alert(1)"}),
            "picture",
            "Please enter a valid image URL.",
        ),
        (
            json!({"name": "Other", "rule": rule, "picture": format!("/picture/{}-10x10.webp", "a".repeat(32))}),
            "picture",
            "This picture is not in the shop any more. Upload it again.",
        ),
    ] {
        let (status, fields) = add(&shop, body.clone());
        assert_eq!((status, &fields[field]), (400, &json!(message)), "{body}");
    }
    let all: Vec<String> = (0..201).map(|n| format!("x{n}")).collect();
    let (_, fields) = add(&shop, json!({"name": "Other", "products": all}));
    assert_eq!(fields["products"], "At most 200 products can be chosen.");
    assert_eq!(shop.0.post("/collection", &json!({})).status(), 401);
}

#[test]
fn a_collection_has_a_page_at_the_address_of_its_call() {
    let (people, owner) = shop();
    let body = json!({"name": "Festive gifts", "text": "Five that *arrive in time*.", "rule": "tag=diwali",
                      "inMenu": true});
    let added = send(&people, &owner, Method::POST, "/collection", &body);
    assert_eq!(added.status(), 201, "{}", added.text().unwrap());
    let address = people.server.url("/collection/festive-gifts");
    let ask = |accept: &str| {
        let request = people.server.client().get(&address);
        request.header("accept", accept).send().unwrap()
    };
    // Twice: the second answers are cached.
    for _ in 0..3 {
        let page = ask("text/html,application/xhtml+xml;q=0.9,*/*;q=0.8");
        let varies = page.headers()["vary"].to_str().unwrap();
        assert!(varies.split(", ").any(|it| it == "accept"), "{varies}");
        let page = page.text().unwrap();
        for part in [
            "<title>Festive gifts · Deals</title>",
            "content=\"Five that arrive in time.\"",
            &format!("<link rel=\"canonical\" href=\"{address}\">"),
            "<em>arrive in time</em>",
            "<p role=\"status\">3 deals</p>",
            "/details/p0",
        ] {
            assert!(page.contains(part), "{part}");
        }
        let json: Value = ask("application/json").json().unwrap();
        assert_eq!(json["collection"]["name"], "Festive gifts");
    }
    let sitemap = text_of(&people, "/sitemap.xml");
    assert!(sitemap.contains("/collection/festive-gifts"), "{sitemap}");
    assert!(
        text_of(&people, "/").contains("href=\"/collection/festive-gifts\""),
        "the menu"
    );

    let removed = send(
        &people,
        &owner,
        Method::DELETE,
        "/collection/festive-gifts",
        &json!(null),
    );
    assert_eq!(removed.status(), 200);
    assert_eq!(ask("text/html").status(), 404);
}

fn text_of(people: &People, path: &str) -> String {
    people.server.get(path).text().unwrap()
}
