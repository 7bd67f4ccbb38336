//! Price history: recorded for every way a price changes, corrected by administrators.

use jiff::{SignedDuration, Timestamp};
use reqwest::Method;
use serde_json::{Value, json};

use super::lifetimes::{admin_get, admin_json};
use crate::api::product_forms::{accepted, send};
use crate::pages::server_rendering::page;
use crate::support::harness::{Server, Shop, product_with};
use crate::support::people::{People, Someone};

/// A day in milliseconds.
const DAY: i64 = 24 * 3_600_000;

pub fn lamp(changes: &Value) -> Value {
    let mut row = product_with(
        1,
        json!({"_id": "lamp", "title": "Lamp", "price": 1000, "discount": 0, "source": "Croma"}),
    );
    let fields = row.as_object_mut().unwrap();
    fields.extend(changes.as_object().unwrap().clone());
    row
}

/// Replaces a product's price history: days ago, list price and final price in paise. The last one is
/// its own, checked today.
pub fn make_up(shop: &Shop, id: &str, prices: &[(i64, i64, i64)]) {
    let database = shop.database();
    let now = Timestamp::now().as_millisecond();
    let key: i64 = database
        .query_row("SELECT key FROM products WHERE id = ?", [id], |row| {
            row.get(0)
        })
        .unwrap();
    database
        .execute("DELETE FROM prices WHERE product = ?", [key])
        .unwrap();
    let mut until: Option<i64> = None;
    for (ago, price, paid) in prices.iter().rev() {
        let from = now - ago * DAY;
        database
            .execute(
                "INSERT INTO prices (product, from_at, until_at, price, final_price) VALUES (?, ?, ?, ?, ?)",
                rusqlite::params![key, from, until, price, paid],
            )
            .unwrap();
        until = Some(from);
    }
    database
        .execute(
            "INSERT OR REPLACE INTO price_checks VALUES (?, ?)",
            [key, now],
        )
        .unwrap();
    database
        .execute("INSERT OR IGNORE INTO stale_proofs VALUES (?)", [key])
        .unwrap();
}

pub fn history(people: &People, id: &str) -> Value {
    people.server.json(&format!("/product/price-history/{id}"))
}

pub fn verdict(server: &Server, id: &str) -> Value {
    server.json(&format!("/product/product/{id}"))["product"]["verdict"].clone()
}

fn paid(history: &Value) -> Vec<f64> {
    let points = history["points"].as_array().unwrap();
    points
        .iter()
        .map(|point| point["finalPrice"].as_f64().unwrap())
        .collect()
}

fn change(people: &People, owner: &Someone, changes: &Value) {
    let path = "/product/update-product/lamp";
    let response = send(people, owner, Method::PUT, path, &lamp(changes));
    assert_eq!(response.status(), 200);
}

#[test]
fn every_price_change_is_in_the_price_history() {
    let people = People::with(Shop::with(&[lamp(&json!({}))]), &[]);
    let owner = people.join_as_admin("owner@example.com");
    assert_eq!(paid(&history(&people, "lamp")), [1000.0]);
    let since = history(&people, "lamp")["points"][0]["until"].clone();
    let import = |changes: Value| {
        let rows = json!([lamp(&changes)]).to_string();
        assert!(people.shop.import(&rows, &[]).status.success());
    };
    import(json!({}));
    let again = history(&people, "lamp");
    assert_eq!(paid(&again), [1000.0], "nothing is new");
    assert!(
        again["points"][0]["until"].as_str() > since.as_str(),
        "but it was seen again"
    );
    import(json!({"price": 900}));
    change(&people, &owner, &json!({"price": 900, "discount": 10}));
    let bulk = json!({"ids": ["lamp"], "action": "discount", "value": 50});
    accepted(&people, &owner, Method::POST, "/product/bulk", &bulk);
    // A price that the same administrator set minutes before was a typing error.
    assert_eq!(paid(&history(&people, "lamp")), [1000.0, 900.0, 450.0]);
    change(&people, &owner, &json!({"price": 900, "discount": 0}));
    assert_eq!(
        paid(&history(&people, "lamp")),
        [1000.0, 900.0],
        "it is again what it was"
    );
    change(
        &people,
        &owner,
        &json!({"price": 900, "discount": 0, "title": "Another lamp"}),
    );
    assert_eq!(
        paid(&history(&people, "lamp")),
        [1000.0, 900.0],
        "a title is no price"
    );
    let today = Timestamp::now() + SignedDuration::from_mins(330);
    let line = format!(
        "New here: prices watched since {}.",
        today.strftime("%-d %b")
    );
    let verdict = verdict(&people.server, "lamp");
    assert_eq!(
        (&verdict["kind"], &verdict["sentence"]),
        (&json!("new"), &json!(line))
    );
    assert_eq!(history(&people, "lamp")["figures"], json!([]));
    assert!(page(&people.server, "/details/lamp").contains(&line));
    assert_eq!(
        people.server.get("/product/price-history/nothing").status(),
        404
    );
    // An undo of a deletion restores the prices.
    let bulk = json!({"ids": ["lamp"], "action": "delete"});
    let done = accepted(&people, &owner, Method::POST, "/product/bulk", &bulk);
    assert_eq!(
        people.server.get("/product/price-history/lamp").status(),
        404
    );
    let undo = format!("/product/undo/{}", done["undo"].as_str().unwrap());
    accepted(&people, &owner, Method::POST, &undo, &json!({}));
    assert_eq!(paid(&history(&people, "lamp")), [1000.0, 900.0]);
}

#[test]
fn changes_of_other_fields_leave_the_price_history_unchanged() {
    let other = json!({"_id": "other", "affiliateLink": "https://shop.example/other"});
    let people = People::with(Shop::with(&[lamp(&json!({})), lamp(&other)]), &[]);
    let owner = people.join_as_admin("owner@example.com");
    let rows = json!([lamp(&json!({"price": 900}))]).to_string();
    assert!(people.shop.import(&rows, &[]).status.success());
    change(&people, &owner, &json!({"price": 900, "title": "Renamed"}));
    let sql = "SELECT group_concat(set_by, '') FROM prices";
    let authors: String = people
        .shop
        .database()
        .query_row(sql, [], |row| row.get(0))
        .unwrap();
    assert_eq!(authors, "", "they are the files'");
    // A correction closes no gap.
    make_up(&people.shop, "lamp", &[(100, 90_000, 90_000)]);
    let long_ago = Timestamp::now().as_millisecond() - 60 * DAY;
    let database = people.shop.database();
    database
        .execute("UPDATE price_checks SET at = ?", [long_ago])
        .unwrap();
    change(&people, &owner, &json!({"price": 800, "title": "Renamed"}));
    change(&people, &owner, &json!({"price": 900, "title": "Renamed"}));
    let told = history(&people, "lamp");
    assert_eq!(paid(&told), [900.0, 900.0]);
    let until: Timestamp = told["points"][0]["until"]
        .as_str()
        .unwrap()
        .parse()
        .unwrap();
    assert_eq!(until.as_millisecond(), long_ago);
    // An undo keeps the last check.
    make_up(&people.shop, "lamp", &[(90, 90_000, 90_000)]);
    database
        .execute("UPDATE products SET updated_at = ?", [long_ago])
        .unwrap();
    let before = history(&people, "lamp")["points"].clone();
    for action in [
        json!({"action": "category", "value": "Home"}),
        json!({"action": "delete"}),
    ] {
        let mut bulk = action.clone();
        bulk["ids"] = json!(["lamp"]);
        let done = accepted(&people, &owner, Method::POST, "/product/bulk", &bulk);
        let undo = format!("/product/undo/{}", done["undo"].as_str().unwrap());
        accepted(&people, &owner, Method::POST, &undo, &json!({}));
        assert_eq!(history(&people, "lamp")["points"], before, "{action}");
    }
    // If the programme forbids histories meanwhile, the undo restores none.
    let bulk = json!({"ids": ["lamp"], "action": "delete"});
    let done = accepted(&people, &owner, Method::POST, "/product/bulk", &bulk);
    people.shop.set_rules("Croma", r#"{"history": false}"#);
    let undo = format!("/product/undo/{}", done["undo"].as_str().unwrap());
    accepted(&people, &owner, Method::POST, &undo, &json!({}));
    assert_eq!(history(&people, "lamp")["points"], json!([]));
}

#[test]
fn administrators_see_the_prices_of_a_draft() {
    let people = People::with(Shop::with(&[lamp(&json!({"status": "draft"}))]), &[]);
    let owner = people.join_as_admin("owner@example.com");
    let path = "/product/price-history/lamp";
    assert_eq!(people.server.get(path).status(), 404);
    let told = admin_get(&people, &owner, path);
    assert_eq!(told.headers()["cache-control"], "no-store");
    assert_eq!(paid(&told.json().unwrap()), [1000.0]);
    assert_eq!(people.server.get(path).status(), 404);
}

#[test]
fn a_week_without_a_price_check_is_a_gap() {
    let people = People::with(Shop::with(&[lamp(&json!({}))]), &[]);
    make_up(&people.shop, "lamp", &[(40, 100_000, 100_000)]);
    let long_ago = Timestamp::now().as_millisecond() - 20 * DAY;
    let database = people.shop.database();
    database
        .execute("UPDATE price_checks SET at = ?", [long_ago])
        .unwrap();
    let rows = json!([lamp(&json!({}))]).to_string();
    assert!(people.shop.import(&rows, &[]).status.success());
    let found = history(&people, "lamp");
    assert_eq!(paid(&found), [1000.0, 1000.0]);
    let until: Timestamp = found["points"][0]["until"]
        .as_str()
        .unwrap()
        .parse()
        .unwrap();
    assert_eq!(until.as_millisecond(), long_ago);
    let changed = json!([lamp(&json!({"price": 500}))]).to_string();
    database
        .execute("UPDATE price_checks SET at = ?", [long_ago])
        .unwrap();
    assert!(people.shop.import(&changed, &[]).status.success());
    assert_eq!(paid(&history(&people, "lamp")).len(), 3);
    assert_eq!(
        verdict(&people.server, "lamp")["words"],
        "Seldom checked",
        "too little is known"
    );
}

#[test]
fn price_history_is_hidden_where_the_programme_forbids_it() {
    let people = People::with(
        Shop::with(&[lamp(&json!({"source": "Amazon", "discount": 30}))]),
        &[],
    );
    make_up(
        &people.shop,
        "lamp",
        &[(90, 100_000, 100_000), (2, 100_000, 70_000)],
    );
    let server = &people.server;
    assert_eq!(verdict(server, "lamp")["kind"], "lowest_90");
    people.shop.set_rules("Amazon", r#"{"history": false}"#);
    let told = history(&people, "lamp");
    assert_eq!(
        (&told["since"], &told["points"]),
        (&Value::Null, &json!([]))
    );
    let details = page(server, "/details/lamp");
    assert!(!details.contains("What it cost before") && !details.contains("watched since"));
    assert!(details.contains("Check the price at Amazon before you buy."));
    let card = page(server, "/?sortBy=price");
    assert!(!card.contains("class=\"sky") && !card.contains("class=\"floor"));
    assert_eq!(verdict(server, "lamp"), Value::Null);
    assert!(server.list("view=card")[0].get("verdict").is_none());
    let rows = json!([lamp(&json!({"source": "Amazon", "price": 500}))]).to_string();
    assert!(people.shop.import(&rows, &[]).status.success());
    assert_eq!(history(&people, "lamp")["points"], json!([]));
    let kept: i64 = people
        .shop
        .database()
        .query_row("SELECT count(*) FROM prices", [], |row| row.get(0))
        .unwrap();
    assert_eq!(kept, 0, "nor is it kept");
    people.shop.set_rules("Amazon", "open");
    assert_eq!(paid(&history(&people, "lamp")), [500.0], "it begins now");
}

#[test]
fn administrators_strike_out_a_wrong_price() {
    let people = People::with(Shop::with(&[lamp(&json!({"discount": 30}))]), &[]);
    let owner = people.join_as_admin("owner@example.com");
    make_up(
        &people.shop,
        "lamp",
        &[
            (90, 100_000, 100_000),
            (50, 100_000, 1_000),
            (49, 100_000, 100_000),
            (2, 100_000, 70_000),
        ],
    );
    let told = history(&people, "lamp");
    assert_eq!(told["low90"], 10);
    assert_eq!(verdict(&people.server, "lamp")["kind"], "lowest_30");
    let path = "/product/strike-price/lamp";
    let wrong = json!({"from": told["points"][1]["from"]});
    assert_eq!(people.post(path, &wrong).status(), 401);
    for (body, status) in [
        (json!({}), 400),
        (json!({"from": "yesterday"}), 400),
        (json!({"from": "2020-01-01T00:00:00Z"}), 404),
        (json!({"from": told["points"][3]["from"]}), 409),
    ] {
        assert_eq!(
            send(&people, &owner, Method::POST, path, &body).status(),
            status,
            "{body}"
        );
    }
    accepted(&people, &owner, Method::POST, path, &wrong);
    let told = history(&people, "lamp");
    assert_eq!(
        (&told["low90"], &verdict(&people.server, "lamp")["kind"]),
        (&json!(1000), &json!("lowest_90"))
    );
    let trail = admin_json(&people, &owner, "/product/activity");
    assert_eq!(trail["data"][0]["details"]["struckPrice"]["from"], 10);
    let second = json!({"from": told["points"][1]["from"]});
    accepted(&people, &owner, Method::POST, path, &second);
    assert_eq!(paid(&history(&people, "lamp")), [1000.0, 700.0]);
    let again = send(&people, &owner, Method::POST, path, &second);
    assert_eq!(again.status(), 404);
}
