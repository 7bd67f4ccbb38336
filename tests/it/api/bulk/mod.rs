//! Bulk changes, undo, and importing from the browser.

mod ages;
mod duplicates;
mod parts;
mod prices;

use reqwest::Method;
use serde_json::{Value, json};

use crate::api::product_forms::{accepted, send, shop};
use crate::support::harness::{Shop, product_with};
use crate::support::people::{People, error};

#[test]
fn a_bulk_change_can_be_undone() {
    let people = People::with(
        Shop::with(
            &(0..6)
                .map(|n| product_with(n, json!({"_id": format!("p{n}")})))
                .collect::<Vec<_>>(),
        ),
        &[],
    );
    let owner = people.join_as_admin("owner@example.com");
    let post = |path: &str, body: Value| send(&people, &owner, Method::POST, path, &body);
    let state = || people.shop.run(&["export"]).stdout;
    let before = state();
    people.server.post("/product/increament-views/p1");
    let clicked = state();
    assert_ne!(clicked, before);

    let outcome: Value = post(
        "/product/bulk",
        json!({"ids": ["p1", "p2", "p5", "gone", "p1"], "action": "delete"}),
    )
    .json()
    .unwrap();
    assert_eq!(outcome["changed"], 3);
    assert_eq!(
        people.server.json("/product/get-products")["meta"]["total"],
        3
    );
    let undo = format!("/product/undo/{}", outcome["undo"].as_str().unwrap());
    let restored: Value = post(&undo, json!({})).json().unwrap();
    assert_eq!(restored, json!({"restored": 3}));
    assert_eq!(state(), clicked, "with clicks, times and order");
    assert_eq!(people.server.titles("search=product+2"), ["Product 2"]);
    let again = post(&undo, json!({}));
    assert_eq!(again.status(), 404);
    assert_eq!(error(again), "It is too late to undo this.");

    let outcome: Value = post(
        "/product/bulk",
        json!({"ids": ["p1", "p2"], "action": "category", "value": "Books"}),
    )
    .json()
    .unwrap();
    assert_eq!(outcome["changed"], 2);
    assert_eq!(
        people.server.json("/product/get-products?category=Books")["meta"]["total"],
        2
    );
    // One is changed meanwhile; the undo skips it.
    let changed = product_with(2, json!({"title": "Mine", "category": "Home"}));
    accepted(
        &people,
        &owner,
        Method::PUT,
        "/product/update-product/p2",
        &changed,
    );
    let undo = format!("/product/undo/{}", outcome["undo"].as_str().unwrap());
    assert_eq!(
        post(&undo, json!({})).json::<Value>().unwrap(),
        json!({"restored": 1})
    );
    assert_eq!(
        people.server.json("/product/product/p1")["product"]["category"],
        "Electronics"
    );
    assert_eq!(
        people.server.json("/product/product/p2")["product"]["category"],
        "Home"
    );

    let outcome: Value = post(
        "/product/bulk",
        json!({"ids": ["p3"], "action": "discount", "value": 50}),
    )
    .json()
    .unwrap();
    assert_eq!(
        people.server.json("/product/product/p3")["product"]["finalPrice"],
        51.5
    );
    people
        .shop
        .database()
        .execute("UPDATE undos SET at = at - 61000", [])
        .unwrap();
    let undo = format!("/product/undo/{}", outcome["undo"].as_str().unwrap());
    assert_eq!(post(&undo, json!({})).status(), 404);

    // The log has one line per batch, and the lines of each batch.
    let trail = |query: &str| -> Vec<Value> {
        let path = format!("/product/activity?{query}");
        let answer = accepted(&people, &owner, Method::GET, &path, &json!({}));
        assert_eq!(
            answer["meta"]["total"],
            answer["data"].as_array().unwrap().len()
        );
        answer["data"].as_array().unwrap().clone()
    };
    let acts = trail("");
    let told: Vec<_> = acts
        .iter()
        .map(|act| (act["action"].as_str().unwrap(), &act["lines"], &act["undo"]))
        .map(|(action, lines, undo)| (action, lines.as_u64().unwrap(), undo.as_bool().unwrap()))
        .collect();
    assert_eq!(
        told,
        [
            ("changed", 1, false),
            ("changed", 1, true),
            ("changed", 1, false),
            ("changed", 2, false),
            ("added", 3, true),
            ("deleted", 3, false),
            ("set", 1, false),
            ("imported", 1, false),
        ]
    );
    assert_eq!(acts[3]["details"], json!({"category": {"to": "Books"}}));
    let lines = trail(&format!("batch={}", acts[3]["batch"]));
    assert_eq!(
        lines[1]["details"]["category"],
        json!({"from": "Electronics", "to": "Books"})
    );
    assert_eq!(trail("batch=999").len(), 0);
    let wrong = send(
        &people,
        &owner,
        Method::GET,
        "/product/activity?batch=x",
        &json!({}),
    );
    assert!(error(wrong).contains("batch must be a number"));

    for (body, field) in [
        (json!({"ids": [], "action": "delete"}), "ids"),
        (json!({"ids": ["p1"], "action": "burn"}), "action"),
        (
            json!({"ids": ["p1"], "action": "category", "value": "Toys"}),
            "value",
        ),
        (
            json!({"ids": ["p1"], "action": "discount", "value": 101}),
            "value",
        ),
    ] {
        let response = post("/product/bulk", body.clone());
        assert_eq!(response.status(), 400, "{body}");
        assert!(
            response.json::<Value>().unwrap()["fields"][field].is_string(),
            "{body}"
        );
    }
}

#[test]
fn the_activity_log_of_a_bulk_undo_claims_no_common_value() {
    let shop = Shop::with(&[
        product_with(1, json!({"_id": "p1", "discount": 10})),
        product_with(2, json!({"_id": "p2", "discount": 20})),
    ]);
    let people = People::with(shop, &[]);
    let owner = people.join_as_admin("owner@example.com");
    let post = |path: &str, body: &Value| accepted(&people, &owner, Method::POST, path, body);
    let change = json!({"ids": ["p1", "p2"], "action": "discount", "value": 55});
    let undo = post("/product/bulk", &change)["undo"].clone();
    post(
        &format!("/product/undo/{}", undo.as_str().unwrap()),
        &json!({}),
    );
    let trail = |query: &str| -> Value {
        let path = format!("/product/activity{query}");
        accepted(&people, &owner, Method::GET, &path, &json!({}))["data"].clone()
    };
    let acts = trail("");
    assert_eq!(
        (&acts[0]["lines"], &acts[0]["details"]),
        (&json!(2), &json!({}))
    );
    assert_eq!(acts[1]["details"], json!({"discount": {"to": 55}}));
    let lines = trail(&format!("?batch={}", acts[0]["batch"]));
    assert_eq!(lines[0]["details"]["discount"]["to"], 10);
    assert_eq!(lines[1]["details"]["discount"]["to"], 20);
}

#[test]
fn a_file_is_previewed_and_imported_from_the_browser() {
    let (people, owner) = shop();
    let rows: Vec<Value> = (1..2_001)
        .map(|n| {
            product_with(
                n,
                if n % 200 == 0 {
                    json!({"price": -1})
                } else {
                    json!({})
                },
            )
        })
        .collect();
    let post = |query: &str, body: String| {
        let request = people.request(Method::POST, &format!("/product/import?{query}"));
        request
            .header("cookie", &owner.cookie)
            .body(body)
            .send()
            .unwrap()
    };
    let file = json!(rows).to_string();
    let preview: Value = post("dryRun=true&skipInvalid=true", file.clone())
        .json()
        .unwrap();
    assert_eq!(preview["added"], 1_989);
    assert_eq!(preview["unchanged"], 1);
    assert_eq!(preview["skipped"], 10);
    assert_eq!(
        preview["problems"][0],
        json!({"row": 200, "field": "price", "message": "Price must be a positive number."})
    );
    assert_eq!(
        people.server.json("/product/get-products")["meta"]["total"],
        1
    );
    let refused = post("", file.clone());
    assert_eq!(refused.status(), 400);
    let refused: Value = refused.json().unwrap();
    assert_eq!(
        refused["fields"]["row 200: price"],
        "Price must be a positive number."
    );
    assert_eq!(
        people.server.json("/product/get-products")["meta"]["total"],
        1
    );
    let done: Value = post("skipInvalid=true", file).json().unwrap();
    assert_eq!(done["added"], 1_989);
    assert_eq!(
        people.server.json("/product/get-products")["meta"]["total"],
        1_990
    );
    let broken = post("", "[{]".to_owned());
    assert_eq!(broken.status(), 400);
    assert!(error(broken).contains("line 1 column"));
    // Others may not.
    let anonymous = people.request(Method::POST, "/product/import").body("[]");
    assert_eq!(anonymous.send().unwrap().status(), 401);
}
