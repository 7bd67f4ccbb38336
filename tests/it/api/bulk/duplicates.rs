//! Groups of possible duplicates, and keeping the cheapest of one.

use reqwest::Method;
use serde_json::{Value, json};

use crate::api::product_forms::{accepted, send};
use crate::support::harness::{Shop, product_with};
use crate::support::people::{People, Someone};

/// Three groups, and products that share only the title or only the seller with another.
fn shop() -> (People, Someone) {
    let row = |n: usize, id: &str, title: &str, source: &str, price: i64| {
        let changes = json!({
            "_id": id, "title": title, "source": source, "price": price, "discount": 0,
        });
        product_with(n, changes)
    };
    let mut rows = vec![
        row(1, "dear", "Cable", "Amazon", 500),
        row(2, "cheap", "Cable", "Amazon", 300),
        row(3, "middle", "Cable", "Amazon", 400),
        row(4, "elsewhere", "Cable", "Flipkart", 100),
        row(5, "old", "Lamp", "Croma", 900),
        row(6, "clicked", "Lamp", "Croma", 900),
        row(7, "first", "Mug", "Myntra", 50),
        row(8, "second", "Mug", "Myntra", 50),
        row(9, "single", "Pan", "Amazon", 300),
    ];
    rows[5]["clicks"] = json!(7);
    rows[6]["createdAt"] = json!("2026-01-01T00:00:00.000Z");
    rows[7]["createdAt"] = json!("2026-01-02T00:00:00.000Z");
    let people = People::with(Shop::with(&rows), &[]);
    let owner = people.join_as_admin("owner@example.com");
    (people, owner)
}

fn groups(people: &People, owner: &Someone, query: &str) -> Value {
    let path = format!("/report/duplicates{query}");
    accepted(people, owner, Method::GET, &path, &json!({}))
}

fn keep(people: &People, owner: &Someone, ids: Value, value: Value) -> reqwest::blocking::Response {
    let body = json!({"ids": ids, "action": "keepCheapest", "value": value});
    send(people, owner, Method::POST, "/product/bulk", &body)
}

fn exists(people: &People, id: &str) -> bool {
    people
        .server
        .get(&format!("/product/product/{id}"))
        .status()
        == 200
}

#[test]
fn possible_duplicates_come_in_groups_with_the_one_to_keep() {
    let (people, owner) = shop();
    let found = groups(&people, &owner, "");
    let told: Vec<(String, &Value, Vec<&str>)> = found["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|group| {
            let products = group["products"].as_array().unwrap();
            let ids = products.iter().map(|it| it["_id"].as_str().unwrap());
            let keep = group["keep"].as_str().unwrap().to_owned();
            (keep, &group["total"], ids.collect())
        })
        .collect();
    assert_eq!(
        told,
        [
            (
                "cheap".to_owned(),
                &json!(3),
                vec!["cheap", "middle", "dear"]
            ),
            ("clicked".to_owned(), &json!(2), vec!["clicked", "old"]),
            ("first".to_owned(), &json!(2), vec!["first", "second"]),
        ],
        "the cheapest, else the most clicks, else the oldest"
    );
    assert_eq!(
        found["meta"],
        json!({"currentPage": 1, "totalPages": 1, "total": 3, "limit": 10})
    );
    assert_eq!(groups(&people, &owner, "?page=2")["data"], json!([]));
    assert_eq!(people.server.get("/report/duplicates").status(), 401);
}

#[test]
fn undo_restores_the_duplicates_deleted_by_keep_cheapest() {
    let (people, owner) = shop();
    people.server.post("/product/increament-views/dear");
    let outcome: Value = keep(
        &people,
        &owner,
        json!(["dear", "cheap", "middle"]),
        json!("cheap"),
    )
    .json()
    .unwrap();
    assert_eq!(outcome["changed"], 2);
    let left = ["dear", "cheap", "middle"].map(|id| exists(&people, id));
    assert_eq!(left, [false, true, false]);
    let kept = people.server.json("/product/product/cheap");
    assert_eq!(kept["product"]["clicks"], 0, "clicks are not added up");
    assert_eq!(groups(&people, &owner, "")["meta"]["total"], 2);
    let log = accepted(
        &people,
        &owner,
        Method::GET,
        "/product/activity",
        &json!({}),
    );
    assert_eq!(
        (&log["data"][0]["action"], &log["data"][0]["lines"]),
        (&json!("deleted"), &json!(2))
    );
    let path = "/report/clicks?by=product";
    let report = accepted(&people, &owner, Method::GET, path, &json!({}));
    let row = &report["rows"][0];
    let clicks = row["counted"].as_u64().unwrap() + row["leftOut"].as_u64().unwrap();
    assert_eq!((&row["key"], clicks), (&json!("dear"), 1), "{report}");

    let undo = format!("/product/undo/{}", outcome["undo"].as_str().unwrap());
    let restored = accepted(&people, &owner, Method::POST, &undo, &json!({}));
    assert_eq!(restored, json!({"restored": 2}));
    let dear = people.server.json("/product/product/dear");
    assert_eq!(dear["product"]["clicks"], 1);
    assert_eq!(groups(&people, &owner, "")["meta"]["total"], 3);
}

#[test]
fn keep_cheapest_refuses_groups_that_changed_meanwhile() {
    let (people, owner) = shop();
    for (ids, value) in [
        // Another is the cheapest.
        (json!(["dear", "cheap", "middle"]), json!("middle")),
        // Another seller, another title, one alone, and one twice.
        (json!(["cheap", "elsewhere"]), json!(null)),
        (json!(["cheap", "single"]), json!(null)),
        (json!(["cheap"]), json!("cheap")),
        (json!(["cheap", "cheap", "gone"]), json!(null)),
    ] {
        let response = keep(&people, &owner, ids.clone(), value);
        assert_eq!(response.status(), 409, "{ids}");
        let answer: Value = response.json().unwrap();
        assert_eq!(answer["code"], "changed_meanwhile");
    }
    // An ended one is no possible duplicate, however cheap.
    let end = json!({"ids": ["cheap"], "action": "end"});
    accepted(&people, &owner, Method::POST, "/product/bulk", &end);
    let response = keep(&people, &owner, json!(["dear", "cheap"]), json!(null));
    assert_eq!(response.status(), 409);
    let wrong = keep(&people, &owner, json!(["dear", "middle"]), json!(5));
    assert_eq!(wrong.status(), 400);
    for id in ["dear", "cheap", "middle", "elsewhere", "single"] {
        assert!(exists(&people, id), "{id}");
    }
}
