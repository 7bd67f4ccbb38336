//! Deals that need a look: /report/tasks and /product/confirm-price.

use jiff::Timestamp;
use reqwest::Method;
use serde_json::{Value, json};

use super::classifications::{CHROME, click};
use super::overview::{found, needing};
use crate::api::product_forms::{accepted, send};
use crate::support::harness::{Shop, product_with};
use crate::support::people::{People, Someone, error};

fn ago(days: i64) -> i64 {
    Timestamp::now().as_millisecond() - days * 24 * 3_600_000
}

fn check_price_days_ago(people: &People, product: &str, days: i64) {
    let sql = "UPDATE products SET updated_at = ? WHERE id = ?";
    let database = people.shop.database();
    database.execute(sql, (ago(days), product)).unwrap();
    let sql = "UPDATE prices SET from_at = ? \
               WHERE product = (SELECT key FROM products WHERE id = ?)";
    database.execute(sql, (ago(30), product)).unwrap();
}

fn tasks(people: &People, owner: &Someone) -> Vec<(String, String, Value)> {
    let answer = found(people, owner, "/report/tasks");
    let tasks = answer["data"].as_array().unwrap().iter();
    tasks
        .map(|task| {
            let word = |value: &Value| value.as_str().unwrap().to_owned();
            (
                word(&task["kind"]),
                word(&task["product"]["_id"]),
                task["text"].clone(),
            )
        })
        .collect()
}

/// Returns the kinds of work with their numbers of products.
fn to_check(people: &People, owner: &Someone) -> Vec<(String, u64)> {
    let needs = found(people, owner, "/report/needs");
    let needs = needs["data"].as_array().unwrap().iter();
    needs
        .map(|need| {
            (
                need["key"].as_str().unwrap().to_owned(),
                need["products"].as_u64().unwrap(),
            )
        })
        .filter(|(_, products)| *products > 0)
        .collect()
}

#[test]
fn the_overview_names_the_three_most_urgent_deals() {
    let soon = Timestamp::now() + jiff::SignedDuration::from_hours(5);
    let products: Vec<Value> = (0..6)
        .map(|n| {
            let id = format!("p{n}");
            let mut product = product_with(n, json!({"_id": id, "title": format!("Product {n}")}));
            if n == 2 {
                product["endsAt"] = soon.to_string().into();
            }
            if n >= 4 {
                product["title"] = "The same".into();
                product["price"] = (900 - 100 * n).into();
                product["discount"] = 0.into();
            }
            product
        })
        .collect();
    let people = People::with(Shop::with(&products), &[]);
    let owner = people.join_as_admin("owner@example.com");
    for (product, clicks) in [("p0", 2), ("p1", 3), ("p4", 1), ("p5", 1)] {
        for n in 0..clicks {
            click(&people, product, &format!("10.0.1.{n}"), CHROME, &[], "");
        }
    }
    check_price_days_ago(&people, "p0", 5);
    check_price_days_ago(&people, "p1", 4);
    // Nobody clicks on it.
    check_price_days_ago(&people, "p3", 20);

    let named = tasks(&people, &owner);
    let kinds: Vec<(&str, &str)> = named
        .iter()
        .map(|(kind, id, _)| (kind.as_str(), id.as_str()))
        .collect();
    assert_eq!(
        kinds,
        [("price", "p1"), ("ending", "p2"), ("duplicate", "p5")]
    );
    assert_eq!(named[0].2, "Checked 4 days ago");
    assert!(named[1].2.as_str().unwrap().starts_with("Ends to"));
    assert_eq!(named[2].2, "1 copy at a higher price, this one is ₹400.00");
    assert_eq!(needing(&people, &owner, "ending"), ["p2"]);
    assert_eq!(needing(&people, &owner, "old-price"), ["p0", "p1"]);
    let whole = found(&people, &owner, "/report/tasks");
    assert_eq!(whole["data"][0]["clicks"], 3);
    assert_eq!(whole["data"][2]["clicks"], 2);
    assert_eq!(whole["data"][2]["others"], json!(["p4"]));

    // A task that is done makes room for the next one.
    let end = json!({"ids": ["p4"], "action": "end"});
    accepted(&people, &owner, Method::POST, "/product/bulk", &end);
    let names: Vec<String> = tasks(&people, &owner)
        .into_iter()
        .map(|(_, id, _)| id)
        .collect();
    assert_eq!(names, ["p1", "p2", "p0"]);
    assert!(needing(&people, &owner, "duplicates").is_empty());
    assert_eq!(
        to_check(&people, &owner),
        [("price".into(), 2), ("ending".into(), 1)]
    );
    assert_eq!(people.server.get("/report/tasks").status(), 401);
}

#[test]
fn confirming_a_price_records_a_price_check() {
    let (people, owner) = super::classifications::shop_of(1);
    click(&people, "p0", "10.0.1.1", CHROME, &[], "");
    check_price_days_ago(&people, "p0", 6);
    let path = "/product/confirm-price/p0";
    let before = people.server.json("/product/product/p0")["product"].clone();
    let price = before["finalPrice"].as_f64().unwrap();
    assert_eq!(tasks(&people, &owner).len(), 1);
    assert_eq!(to_check(&people, &owner), [("price".into(), 1)]);
    let confirm = |body: Value| send(&people, &owner, Method::POST, path, &body);

    let other = confirm(json!({"finalPrice": price + 1.0}));
    assert_eq!(other.status(), 409);
    assert_eq!(
        error(other),
        "The final price is another one now. Load the product again."
    );
    assert_eq!(confirm(json!({})).status(), 400);
    assert_eq!(confirm(json!({"finalPrice": 1.234})).status(), 400);
    let visitor = people.post(path, &json!({"finalPrice": price}));
    assert_eq!(visitor.status(), 401);
    let gone = "/product/confirm-price/gone";
    let gone = send(
        &people,
        &owner,
        Method::POST,
        gone,
        &json!({"finalPrice": price}),
    );
    assert_eq!(gone.status(), 404);
    assert_eq!(tasks(&people, &owner).len(), 1);

    let mut after = accepted(
        &people,
        &owner,
        Method::POST,
        path,
        &json!({"finalPrice": price}),
    );
    let today = after["product"]["priceSeenOn"].take();
    assert_ne!(today, before["priceSeenOn"]);
    after["product"]["priceSeenOn"] = before["priceSeenOn"].clone();
    assert_eq!(after["product"]["updatedAt"], before["updatedAt"]);
    assert_eq!(after["product"]["finalPrice"], before["finalPrice"]);
    assert!(tasks(&people, &owner).is_empty());
    assert!(to_check(&people, &owner).is_empty());
    let log = found(&people, &owner, "/product/activity");
    let lines = log["data"].as_array().unwrap();
    assert!(lines.iter().all(|line| line["action"] != "changed"));
}

#[test]
fn confirming_a_price_continues_the_price_history() {
    let (people, owner) = super::classifications::shop_of(2);
    for (product, days) in [("p0", 6), ("p1", 20)] {
        let database = people.shop.database();
        check_price_days_ago(&people, product, days);
        let price =
            people.server.json(&format!("/product/product/{product}"))["product"]["finalPrice"]
                .clone();
        let path = format!("/product/confirm-price/{product}");
        let body = json!({"finalPrice": price});
        accepted(&people, &owner, Method::POST, &path, &body);
        let sql = "SELECT count(*) FROM prices \
                   WHERE product = (SELECT key FROM products WHERE id = ?)";
        let runs: i64 = database
            .query_row(sql, [product], |row| row.get(0))
            .unwrap();
        assert_eq!(runs, if days == 6 { 1 } else { 2 }, "{product}");
    }
}
