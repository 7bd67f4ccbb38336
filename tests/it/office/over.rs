//! Visitors' reports that a deal is over.

use reqwest::Method;
use serde_json::{Value, json};

use super::overview::{found, needing};
use crate::api::product_forms::accepted;
use crate::support::harness::{Shop, product_with, succeeds};
use crate::support::people::{People, Someone};

fn shop(products: usize) -> (People, Someone) {
    let products: Vec<Value> = (0..products)
        .map(|n| product_with(n, json!({"_id": format!("p{n}")})))
        .collect();
    let people = People::with(Shop::with(&products), &[]);
    let owner = people.join_as_admin("owner@example.com");
    (people, owner)
}

/// Status and answer of a report from an address.
fn report(people: &People, address: &str, id: &str) -> (u16, Value) {
    let path = format!("/product/report-over/{id}");
    let answer = people.post_from(address, &path, &json!({}));
    (answer.status().as_u16(), answer.json().unwrap())
}

fn final_price(people: &People, id: &str) -> Value {
    people.server.json(&format!("/product/product/{id}"))["product"]["finalPrice"].clone()
}

fn noted(noted: bool) -> (u16, Value) {
    (200, json!({ "noted": noted }))
}

#[test]
fn deals_reported_as_over_are_listed_until_a_price_check() {
    let (people, owner) = shop(4);
    for (address, id) in [("10.8.0.1", "p1"), ("10.8.0.1", "p2"), ("10.8.0.2", "p2")] {
        assert_eq!(report(&people, address, id), noted(true), "{address} {id}");
    }
    assert_eq!(
        report(&people, "10.8.0.1", "p2"),
        noted(false),
        "twice a day"
    );
    assert_eq!(needing(&people, &owner, "over"), ["p2", "p1"]);
    let list = found(&people, &owner, "/report/products?view=over");
    assert_eq!(list["overReports"], json!({"p1": 1, "p2": 2}));
    let needs = found(&people, &owner, "/report/needs").to_string();
    assert!(needs.contains("2 deals may be over"), "{needs}");
    assert!(found(&people, &owner, "/report/products?view=old-price")["overReports"].is_null());

    // A save checks the price; ending needs no further look.
    let update = "/product/update-product/p2";
    accepted(
        &people,
        &owner,
        Method::PUT,
        update,
        &product_with(2, json!({})),
    );
    assert_eq!(needing(&people, &owner, "over"), ["p1"]);
    let end = json!({"ids": ["p1"], "action": "end"});
    accepted(&people, &owner, Method::POST, "/product/bulk", &end);
    assert_eq!(needing(&people, &owner, "over"), [""; 0]);
    assert_eq!(report(&people, "10.8.0.3", "p1").0, 404, "it has ended");

    // "Still on" is a price check too.
    assert_eq!(report(&people, "10.8.0.4", "p3"), noted(true));
    assert_eq!(needing(&people, &owner, "over"), ["p3"]);
    let confirm = json!({"finalPrice": final_price(&people, "p3")});
    let path = "/product/confirm-price/p3";
    accepted(&people, &owner, Method::POST, path, &confirm);
    assert_eq!(needing(&people, &owner, "over"), [""; 0]);

    // Reports from before the check do not count again.
    assert_eq!(report(&people, "10.8.0.3", "p2"), noted(true));
    let list = found(&people, &owner, "/report/products?view=over");
    assert_eq!(list["overReports"], json!({"p2": 1}));
    let delete = "/product/delete-product/p2";
    accepted(&people, &owner, Method::DELETE, delete, &json!({}));
    assert_eq!(needing(&people, &owner, "over"), [""; 0]);
    let left = "SELECT count(*) FROM over_reports WHERE product NOT IN (SELECT key FROM products)";
    let left: i64 = people
        .shop
        .database()
        .query_row(left, [], |row| row.get(0))
        .unwrap();
    assert_eq!(left, 0);
    succeeds(people.shop.run(&["check"]));
}

#[test]
fn one_address_reports_at_most_twenty_deals_an_hour_as_over() {
    let (people, owner) = shop(25);
    let counted = (0..25)
        .filter(|n| report(&people, "10.8.0.1", &format!("p{n}")) == noted(true))
        .count();
    assert_eq!(counted, 20);
    assert_eq!(
        report(&people, "10.8.0.2", "p24"),
        noted(true),
        "another address"
    );
    assert_eq!(needing(&people, &owner, "over").len(), 21);

    let draft = product_with(0, json!({"status": "draft"}));
    let update = "/product/update-product/p0";
    accepted(&people, &owner, Method::PUT, update, &draft);
    for id in ["never", "p0"] {
        let (status, answer) = report(&people, "10.8.0.3", id);
        assert_eq!(status, 404, "{id}");
        assert_eq!(answer["error"], "Product not found.");
    }
}

#[test]
fn no_more_than_a_thousand_reported_deals_are_remembered() {
    let (people, owner) = shop(1_002);
    let rows = "INSERT INTO over_reports SELECT key, 9, updated_at + 1 + key FROM products WHERE id <> 'p1001'";
    people.shop.database().execute(rows, []).unwrap();
    assert_eq!(report(&people, "10.8.0.1", "p1001"), noted(true));
    let list = found(&people, &owner, "/report/products?view=over");
    assert_eq!(list["meta"]["total"], 1_000);
}
