//! Adding, changing and deleting products.

use std::collections::BTreeMap;

use reqwest::Method;
use reqwest::blocking::Response;
use serde_json::{Value, json};

use crate::support::harness::{Shop, product, product_with, succeeds, text};
use crate::support::people::{People, Someone, error};

pub fn shop() -> (People, Someone) {
    let people = People::with(Shop::with(&[product_with(1, json!({"_id": "one"}))]), &[]);
    let owner = people.join_as_admin("owner@example.com");
    (people, owner)
}

pub fn send(
    people: &People,
    owner: &Someone,
    method: Method,
    path: &str,
    body: &Value,
) -> Response {
    let request = people.request(method, path).header("cookie", &owner.cookie);
    request.json(body).send().unwrap()
}

/// Like [`send`], for a call that succeeds; returns its answer.
pub fn accepted(
    people: &People,
    owner: &Someone,
    method: Method,
    path: &str,
    body: &Value,
) -> Value {
    let response = send(people, owner, method, path, body);
    assert_eq!(response.status(), 200, "{path} {body}");
    response.json().unwrap()
}

/// Messages of the case's fields by the server: those of the forms, but a field that was not sent is
/// named as missing.
pub fn expected_errors(case: &Value) -> BTreeMap<String, String> {
    let messages = |name: &str| {
        let given = case[name].as_object().cloned().unwrap_or_default();
        given
            .into_iter()
            .map(|(field, message)| (field, message.as_str().unwrap().to_owned()))
    };
    messages("errors").chain(messages("missing")).collect()
}

#[test]
fn every_rule_of_the_product_forms_has_its_message() {
    let table = include_str!("../../fixtures/invalid-inputs.json");
    let cases: Vec<Value> = serde_json::from_str(table).unwrap();
    let (people, owner) = shop();
    let mut tried = 0;
    for case in &cases {
        let (method, path, success) = match case["form"].as_str().unwrap() {
            "add" => (Method::POST, "/product/add-product", 201),
            "update" => (Method::PUT, "/product/update-product/one", 200),
            _ => continue,
        };
        tried += 1;
        let before = people.server.json("/product/product/one");
        let total = people.server.json("/product/get-products")["meta"]["total"].clone();
        let response = send(&people, &owner, method, path, &case["input"]);
        let status = response.status();
        let body: Value = response.json().unwrap();
        let expected = expected_errors(case);
        if expected.is_empty() {
            assert_eq!(status, success, "{case}: {body}");
            continue;
        }
        assert_eq!(status, 400, "{case}");
        let fields: BTreeMap<String, String> =
            serde_json::from_value(body["fields"].clone()).unwrap();
        assert_eq!(fields, expected, "{case}");
        assert_eq!(people.server.json("/product/product/one"), before, "{case}");
        let now = people.server.json("/product/get-products")["meta"]["total"].clone();
        assert_eq!(now, total, "{case}");
    }
    assert!(tried > 100);
}

#[test]
fn an_added_product_is_listed_and_found_at_once() {
    let (people, owner) = shop();
    let sent = product_with(
        2,
        json!({"title": "Copper kettle", "price": 1299.99, "discount": 12.5}),
    );
    let response = send(&people, &owner, Method::POST, "/product/add-product", &sent);
    assert_eq!(response.status(), 201);
    let added = response.json::<Value>().unwrap()["product"].clone();
    assert_eq!(added["finalPrice"], 1137.49);
    assert_eq!(added["clicks"], 0);
    assert_eq!(people.server.list("")[0], added);
    assert_eq!(people.server.titles("search=kettles"), ["Copper kettle"]);
    let id = added["_id"].as_str().unwrap();
    assert_eq!(
        people.server.json(&format!("/product/product/{id}"))["product"],
        added
    );
}

#[test]
fn a_change_keeps_images_and_ratings_that_are_not_sent() {
    let (people, owner) = shop();
    let mut body = product_with(1, json!({"title": "New title", "price": 0}));
    for field in ["images", "averageRating", "totalRatings"] {
        body.as_object_mut().unwrap().remove(field);
    }
    let path = "/product/update-product/one";
    let response = send(&people, &owner, Method::PUT, path, &body);
    assert_eq!(response.status(), 200);
    let changed = response.json::<Value>().unwrap()["product"].clone();
    assert_eq!(changed["title"], "New title");
    assert_eq!(changed["finalPrice"], 0);
    assert_eq!(changed["images"], json!(["https://pictures.example/1.jpg"]));
    assert_eq!(
        changed["ratings"],
        json!({"averageRating": 4.5, "totalRatings": 11})
    );
    body["ratings"] = json!({"averageRating": 2, "totalRatings": 3});
    body["images"] = json!(["https://pictures.example/new.jpg"]);
    let response = send(&people, &owner, Method::PUT, path, &body);
    let changed = response.json::<Value>().unwrap()["product"].clone();
    assert_eq!(
        changed["ratings"],
        json!({"averageRating": 2.0, "totalRatings": 3})
    );
    assert_eq!(
        changed["images"],
        json!(["https://pictures.example/new.jpg"])
    );
    assert_eq!(people.server.titles("search=new+title"), ["New title"]);
}

#[test]
fn a_change_based_on_an_old_product_version_is_refused() {
    let (people, owner) = shop();
    let path = "/product/update-product/one";
    let opened = people.server.json("/product/product/one")["product"]["updatedAt"].clone();
    let change = |title: &str| {
        let body = product_with(1, json!({"title": title, "updatedAt": opened}));
        send(&people, &owner, Method::PUT, path, &body)
    };
    let first = change("First").json::<Value>().unwrap()["product"].clone();
    assert_ne!(first["updatedAt"], opened);
    let second = change("Second");
    assert_eq!(second.status(), 409);
    assert_eq!(
        error(second),
        "Somebody else changed this product in the meantime."
    );
    assert_eq!(people.server.titles(""), ["First"]);
    // Without a version any state is overwritten.
    let body = product_with(1, json!({"title": "Third"}));
    accepted(&people, &owner, Method::PUT, path, &body);
}

#[test]
fn a_deleted_product_is_gone_from_everywhere() {
    let (people, owner) = shop();
    let path = "/product/delete-product/one";
    let response = send(&people, &owner, Method::DELETE, path, &json!({}));
    assert_eq!(response.status(), 200);
    let message = response.json::<Value>().unwrap()["message"].clone();
    assert_eq!(message, "Product deleted successfully");
    assert_eq!(people.server.get("/product/product/one").status(), 404);
    assert!(people.server.titles("search=product").is_empty());
    assert_eq!(
        people.server.json("/product/get-products")["meta"]["total"],
        0
    );
    assert_eq!(
        send(&people, &owner, Method::DELETE, path, &json!({})).status(),
        404
    );
    let path = "/product/update-product/one";
    assert_eq!(
        send(&people, &owner, Method::PUT, path, &product(1)).status(),
        404
    );
}

#[test]
fn product_bodies_must_be_one_json_object_within_the_size_limit() {
    let (people, owner) = shop();
    let post = |kind: &str, body: String| {
        let request = people.request(Method::POST, "/product/add-product");
        let request = request
            .header("cookie", &owner.cookie)
            .header("content-type", kind);
        request.body(body).send().unwrap()
    };
    let json = "application/json";
    let mut twice = product(2).to_string();
    twice.insert_str(1, "\"title\": \"Other\",");
    for (kind, body, status) in [
        (json, "{".to_owned(), 400),
        (json, "[]".to_owned(), 400),
        (json, "\"x\"".to_owned(), 400),
        (json, twice, 400),
        (
            json,
            format!("{{\"title\": {}{}}}", "[".repeat(300), "]".repeat(300)),
            400,
        ),
        (
            json,
            format!("{{\"title\": \"{}\"}}", "a".repeat(300_000)),
            413,
        ),
        ("text/plain", product(2).to_string(), 415),
    ] {
        let shown: String = body.chars().take(30).collect();
        let response = post(kind, body);
        assert_eq!(response.status(), status, "{kind} {shown}");
        assert!(error(response).ends_with('.'), "{shown}");
    }
}

#[test]
fn a_duplicate_affiliate_link_is_reported() {
    let (people, owner) = shop();
    let ask = |link: &str| {
        let path = format!("/product/by-link?source=Amazon&link={link}");
        let request = people
            .request(Method::GET, &path)
            .header("cookie", &owner.cookie);
        request.send().unwrap().json::<Value>().unwrap()
    };
    assert_eq!(ask("https://shop.example/p/1")["product"]["_id"], "one");
    assert_eq!(ask("https://shop.example/p/2"), json!({"product": null}));
}

#[test]
fn a_given_final_price_is_stored_to_the_paisa() {
    let (people, owner) = shop();
    let mut sent = product_with(2, json!({"price": 109_900, "finalPrice": 84_999}));
    sent.as_object_mut().unwrap().remove("discount");
    let response = send(&people, &owner, Method::POST, "/product/add-product", &sent);
    assert_eq!(response.status(), 201);
    let added = response.json::<Value>().unwrap()["product"].clone();
    assert_eq!(added["finalPrice"], 84_999);
    assert_eq!(added["discount"], 22.66);
    let path = format!("/product/update-product/{}", added["_id"].as_str().unwrap());
    let change = |fields: Value| {
        let body = product_with(2, fields);
        let response = send(&people, &owner, Method::PUT, &path, &body);
        assert_eq!(response.status(), 200, "{body}");
        let product = response.json::<Value>().unwrap()["product"].clone();
        [
            &product["price"],
            &product["discount"],
            &product["finalPrice"],
        ]
        .map(Value::to_string)
    };
    // A missing final price stays until the price or the discount changes.
    assert_eq!(
        change(json!({"title": "Renamed", "price": 109_900, "discount": 22.66})),
        ["109900", "22.66", "84999"]
    );
    assert_eq!(
        change(json!({"price": 109_900, "discount": 20})),
        ["109900", "20", "87920"]
    );
    // Unchanged values yield to changed ones.
    assert_eq!(
        change(json!({"price": 109_900, "discount": 30, "finalPrice": 87_920})),
        ["109900", "30", "76930"]
    );
    assert_eq!(
        change(json!({"price": 109_900, "discount": 30, "finalPrice": 84_999})),
        ["109900", "22.66", "84999"]
    );
    // Even to the smallest change.
    assert_eq!(
        change(json!({"price": 109_900, "discount": 23, "finalPrice": 84_999})),
        ["109900", "23", "84623"]
    );
    // A discount that matches when rounded is stored as given.
    assert_eq!(
        change(json!({"price": 109_900, "discount": 22.7, "finalPrice": 84_990})),
        ["109900", "22.7", "84990"]
    );
    assert_eq!(
        change(json!({"price": 109_900, "discount": 22.66, "finalPrice": 84_999})),
        ["109900", "22.66", "84999"]
    );
    let listed = &people
        .server
        .list("search=cable&maxPrice=84999&minPrice=84999");
    assert!(listed.iter().all(|product| product["finalPrice"] == 84_999));
}

#[test]
fn products_imported_without_ratings_show_no_stars() {
    let unrated = |number: usize| {
        let mut row = product_with(number, json!({"_id": format!("p{number}")}));
        let fields = row.as_object_mut().unwrap();
        fields.remove("averageRating");
        fields.remove("totalRatings");
        if number == 2 {
            fields.remove("_id");
        }
        row
    };
    let people = People::with(Shop::with(&[unrated(1), unrated(2)]), &[]);
    let read = || people.server.json("/product/product/p1")["product"].clone();
    let found = read();
    assert_eq!(
        found["ratings"],
        json!({"averageRating": 0.0, "totalRatings": 0})
    );
    let page = people.server.get("/details/p1").text().unwrap();
    assert!(
        page.contains("Not rated yet") && !page.contains('★'),
        "{page}"
    );
    assert!(!page.contains("aggregateRating"), "{page}");

    let owner = people.join_as_admin("owner@example.com");
    let put = |body: &Value| {
        let request = people.request(Method::PUT, "/product/update-product/p1");
        request
            .bearer_auth(&owner.token)
            .json(body)
            .send()
            .unwrap()
            .status()
    };
    assert_eq!(put(&found), 200);
    let mut starred = read();
    starred["ratings"] = json!({"averageRating": 4, "totalRatings": 0});
    assert_eq!(put(&starred), 400);

    let file = people.shop.run(&["export"]);
    let again = Shop::new();
    assert!(again.import(&text(&file.stdout), &[]).status.success());
    assert_eq!(text(&again.run(&["export"]).stdout), text(&file.stdout));
    let half = product_with(3, json!({"totalRatings": null}));
    assert!(
        !again
            .import(&json!([half]).to_string(), &[])
            .status
            .success()
    );
}

#[test]
fn control_characters_are_removed_from_texts_by_forms_and_imports() {
    let sent = json!({
        "title": "Steel\u{7} \u{202e}kettle\u{2069}\n(1.5\tl)",
        "description": "Boils\u{8} water.\r\nकॉफ़ी क्\u{200d}ष \u{200e}x\u{96}",
        "source": "\u{202a}Croma\u{202c}",
    });
    let kept = |of: &Value| ["title", "description", "source"].map(|name| of[name].clone());
    let clean = [
        "Steel kettle\n(1.5 l)",
        "Boils water.\nकॉफ़ी क्\u{200d}ष \u{200e}x",
        "Croma",
    ];
    let shop = Shop::new();
    succeeds(shop.import(&json!([product_with(1, sent.clone())]).to_string(), &[]));
    let cell = |text: &Value| format!("\"{}\"", text.as_str().unwrap());
    let columns = ["title", "description", "source"]
        .map(|name| cell(&sent[name]))
        .join(",");
    let csv = format!(
        "title,description,source,price,category,affiliateLink,images\n\
         {columns},99,Home,https://shop.example/2,https://pictures.example/2.jpg\n"
    );
    succeeds(shop.import(&csv, &[]));
    let people = People::with(shop, &[]);
    let owner = people.join_as_admin("owner@example.com");
    let add = people.request(Method::POST, "/product/add-product");
    let add = add.bearer_auth(&owner.token).json(&product_with(3, sent));
    assert_eq!(add.send().unwrap().status(), 201);
    let listed = people.server.list("");
    assert_eq!(listed.len(), 3);
    for product in listed {
        assert_eq!(kept(&product), clean.map(Value::from));
    }
    let invite = people.request(Method::POST, "/people/invite");
    let who = json!({"email": "zoe@example.com", "username": "Zo\u{202e}ë", "role": "editor"});
    let invite = invite.bearer_auth(&owner.token).json(&who);
    assert_eq!(invite.send().unwrap().status(), 201);
    let person = people.request(Method::GET, "/people?search=zoe");
    let person: Value = person
        .bearer_auth(&owner.token)
        .send()
        .unwrap()
        .json()
        .unwrap();
    assert_eq!(person["data"][0]["username"], "Zoë");
    let name = "name=Sasta \u{202e}Adda\u{2069}";
    succeeds(people.shop.run(&["settings", "set", name]));
    assert!(text(&people.shop.run(&["settings", "get"]).stdout).contains("Sasta Adda"));
}
