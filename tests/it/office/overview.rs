//! Reports of the overview: /report/overview, /report/needs, /report/trends and
//! /report/products.

use std::ops::Range;

use jiff::Timestamp;
use reqwest::Method;
use serde_json::{Value, json};

use super::classifications::{CHROME, ask, click, report, shop_of};
use crate::api::product_forms::{accepted, send};
use crate::support::harness::{Shop, product_with, succeeds, wait_until};
use crate::support::people::{People, Someone, error};

pub fn found(people: &People, owner: &Someone, path: &str) -> Value {
    let response = ask(people, owner, path);
    assert_eq!(response.status(), 200, "{path}");
    response.json().unwrap()
}

/// Returns the `_id`s of the products in a view of `/report/needs`.
pub fn needing(people: &People, owner: &Someone, view: &str) -> Vec<String> {
    let list = found(people, owner, &format!("/report/products?view={view}"));
    let items = list["data"].as_array().unwrap();
    assert_eq!(list["meta"]["total"], items.len());
    items
        .iter()
        .map(|item| item["_id"].as_str().unwrap().to_owned())
        .collect()
}

/// Hours since 1970 in India.
fn this_hour() -> i64 {
    (Timestamp::now().as_second() + 19_800) / 3_600
}

#[test]
fn the_overview_compares_equal_periods() {
    let (people, owner) = shop_of(4);
    for product in ["p0", "p1", "p2", "p3"] {
        click(&people, product, "10.0.0.1", CHROME, &[], "");
        click(&people, product, "10.0.0.1", "curl/8", &[], "");
    }
    let now = this_hour();
    let database = people.shop.database();
    let number = |id: &str| -> i64 {
        database
            .query_row(
                "SELECT number FROM clicked_products WHERE id = ?",
                [id],
                |row| row.get(0),
            )
            .unwrap()
    };
    // In the week: p0 30 against 2 before, p1 1 against 40; p2 has too few, p3 is level.
    for (hour, id, clicks) in [
        (now - 3, "p0", 29),
        (now - 200, "p0", 2),
        (now - 335, "p1", 40),
        (now - 337, "p1", 500),
        (now - 100, "p2", 15),
        (now - 168, "p3", 24),
        (now - 169, "p3", 25),
    ] {
        let row = (hour, number(id), clicks);
        let sql = "INSERT INTO click_sums VALUES (1000000 + ?, ? * 2048, ?)";
        database.execute(sql, row).unwrap();
    }
    let overview = found(&people, &owner, "/report/overview");
    assert_eq!(
        overview["week"],
        json!({"now": 29 + 15 + 24, "before": 2 + 40 + 25})
    );
    let movers: Vec<(&str, u64, u64)> = overview["movers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|mover| {
            let clicks = |name: &str| mover[name].as_u64().unwrap();
            (
                mover["_id"].as_str().unwrap(),
                clicks("before"),
                clicks("now"),
            )
        })
        .collect();
    assert_eq!(movers, [("p0", 2, 29), ("p1", 40, 0)]);
    let line = overview["movers"][0]["days"].as_array().unwrap();
    assert_eq!(line.len(), 14);
    assert_eq!(
        line.iter().map(|day| day.as_u64().unwrap()).sum::<u64>(),
        32
    );
    assert_eq!(overview["days"].as_array().unwrap().len(), 30);
    let until = overview["until"].as_i64();
    assert_eq!(until, (now % 24 > 0).then_some(now % 24));
    assert_eq!(overview["products"], 4);
    assert_eq!(overview["sources"], 1);
    let left_out = overview["verdicts"].as_array().unwrap();
    let programs = left_out.iter().find(|row| row["key"] == "program").unwrap();
    assert_eq!(programs["leftOut"], 4);

    let trends = found(&people, &owner, "/report/trends?ids=p1,p2,gone");
    assert_eq!(trends["p2"].as_array().unwrap().len(), 30);
    let sum: u64 = trends["p1"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_u64)
        .sum();
    assert_eq!(sum, 541);
    assert_eq!(trends.as_object().unwrap().len(), 2);
    let many = vec!["p"; 101].join(",");
    let refused = ask(&people, &owner, &format!("/report/trends?ids={many}"));
    assert_eq!(refused.status(), 400);
    for path in ["overview", "needs", "trends", "products?view=old-price"] {
        let response = people.server.get(&format!("/report/{path}"));
        assert_eq!(response.status(), 401, "{path}");
    }
}

#[test]
fn products_that_need_attention_are_counted_and_listed() {
    let products: Vec<Value> = (0..5)
        .map(|n| {
            let title = if n < 3 {
                format!("Product {n}")
            } else {
                "The same".to_owned()
            };
            product_with(n, json!({"_id": format!("p{n}"), "title": title}))
        })
        .collect();
    let people = People::with(Shop::with(&products), &[]);
    let owner = people.join_as_admin("owner@example.com");
    let database = people.shop.database();
    let days = |days: i64| Timestamp::now().as_millisecond() - days * 24 * 3_600_000;
    let set = |sql: &str, values: &[i64]| {
        database
            .execute(sql, rusqlite::params_from_iter(values))
            .unwrap();
    };
    set(
        "UPDATE products SET updated_at = ? WHERE id IN ('p0', 'p1')",
        &[days(31)],
    );
    set(
        "UPDATE products SET created_at = ? WHERE id IN ('p1', 'p2', 'p3')",
        &[days(32)],
    );
    click(&people, "p2", "10.0.0.1", CHROME, &[], "");
    click(&people, "p3", "10.0.0.1", "curl/8", &[], "");
    let listed = |view: &str| needing(&people, &owner, view);
    assert_eq!(listed("old-price"), ["p0", "p1"]);
    assert_eq!(listed("duplicates"), ["p3", "p4"]);
    assert_eq!(listed("no-clicks"), ["p1", "p3"]);
    let refused = ask(&people, &owner, "/report/products?view=ugly");
    assert_eq!(
        error(refused),
        "view must be one of over, old-price, ending, pictures, duplicates, no-clicks."
    );
    let filtered = |query: &str| -> Vec<String> {
        let path = format!("/product/get-products?sortBy=price&order=asc&{query}");
        let list = found(&people, &owner, &path)["data"].take();
        let list = list.as_array().unwrap().iter();
        list.map(|it| it["_id"].as_str().unwrap().to_owned())
            .collect()
    };
    let mut old = filtered("needs=old-price");
    old.sort();
    assert_eq!(old, ["p0", "p1"]);
    assert_eq!(filtered("needs=old-price&search=product+1"), ["p1"]);
    assert!(filtered("needs=old-price&source=nobody").is_empty());
    let path = "/product/get-products?needs=old-price";
    assert_eq!(people.server.get(path).status(), 401);
    let refused = ask(&people, &owner, "/product/get-products?needs=ugly");
    assert_eq!(
        error(refused),
        "needs must be one of over, old-price, ending, pictures, duplicates, no-clicks."
    );
    let looks = found(&people, &owner, "/report/needs");
    let counted: Vec<u64> = looks["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|look| look["products"].as_u64().unwrap())
        .collect();
    assert_eq!(counted, [0, 0, 0, 2, 2, 2]);
    let said: Vec<&str> = looks["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|look| look["text"].as_str().unwrap())
        .collect();
    assert_eq!(
        said,
        [
            "The server makes no backups",
            "No affiliate tag is set",
            "Amazon has rules for prices and stars",
            "2 prices are old",
            "2 possible duplicates",
            "2 deals were not clicked in 30 days",
        ]
    );
}

#[test]
fn an_empty_view_says_how_many_products_are_too_new_for_it() {
    let (people, owner) = shop_of(3);
    click(&people, "p0", "10.0.0.1", CHROME, &[], "");
    let view = |name: &str| {
        let list = found(&people, &owner, &format!("/report/products?view={name}"));
        (list["meta"]["total"].clone(), list["tooNew"].clone())
    };
    assert_eq!(view("no-clicks"), (json!(0), json!(2)));
    assert_eq!(view("old-price"), (json!(0), json!(3)));
    assert_eq!(view("duplicates"), (json!(0), Value::Null));
    let old = Timestamp::now().as_millisecond() - 32 * 24 * 3_600_000;
    let sql = "UPDATE products SET created_at = ?1, updated_at = ?1 WHERE id = 'p1'";
    people.shop.database().execute(sql, [old]).unwrap();
    assert_eq!(view("no-clicks"), (json!(1), Value::Null));
    assert_eq!(view("old-price"), (json!(1), Value::Null));
}

#[test]
fn a_new_shop_lists_the_first_steps_and_a_test_mail_arrives() {
    let people = People::with(Shop::new(), &["--public-url", "https://deals.example"]);
    let owner = people.join_as_admin("owner@example.com");
    let done = || -> Vec<String> {
        let overview = found(&people, &owner, "/report/overview");
        let steps = overview["setup"].as_array().unwrap();
        assert_eq!(steps.len(), 8);
        let done = steps.iter().filter(|step| step["done"] == true);
        done.map(|step| step["key"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(done(), ["administrator", "address"]);
    let sent = send(
        &people,
        &owner,
        Method::POST,
        "/report/test-mail",
        &json!({}),
    );
    assert_eq!(
        sent.json::<Value>().unwrap(),
        json!({"to": "owner@example.com"})
    );
    assert!(
        people
            .shop
            .run(&["settings", "set", "name=Sasta Adda"])
            .status
            .success()
    );
    wait_until("the mail is noted", || {
        done() == ["administrator", "name", "mail", "address"]
    });
}

#[test]
fn each_setup_step_has_its_state() {
    let shop = Shop::new();
    let backups = shop.file("copies");
    let people = People::with(shop, &["--backup-dir", backups.to_str().unwrap()]);
    let owner = people.join_as_admin("owner@example.com");
    let overview = found(&people, &owner, "/report/overview");
    let url = people.server.url("");
    assert_eq!(overview["publicUrl"], format!("{url}/"));
    let steps = overview["setup"].as_array().unwrap();
    let states: Vec<(&str, &str)> = steps
        .iter()
        .map(|step| {
            (
                step["key"].as_str().unwrap(),
                step["state"].as_str().unwrap(),
            )
        })
        .collect();
    let mails = people.mailbox.url();
    let mails = mails.trim_start_matches("smtp://").trim_end_matches('/');
    assert_eq!(
        states,
        [
            ("administrator", ""),
            ("name", "Its name is Deals."),
            ("products", "There are none yet."),
            ("tags", "No affiliate tag is set."),
            ("pages", "There are no pages yet."),
            ("mail", &format!("Mails go to {mails}.")),
            ("address", &format!("It is {url}, without https.")),
            ("backup", &format!("The folder is {}.", backups.display())),
        ]
    );
}

#[test]
fn demo_products_fill_only_an_empty_shop() {
    let people = People::new();
    let owner = people.join_as_admin("owner@example.com");
    let demo = || send(&people, &owner, Method::POST, "/product/demo", &json!({}));
    assert_eq!(demo().json::<Value>().unwrap(), json!({"added": 55}));
    let listed = people
        .server
        .json("/product/get-products?sortBy=clicks&limit=1");
    assert_eq!(listed["meta"]["total"], 48);
    assert_eq!(listed["data"][0]["clicks"], 0);
    let overview = found(&people, &owner, "/report/overview");
    assert_eq!(overview["week"], json!({"now": 0, "before": 0}));
    let step = &overview["setup"][2];
    assert_eq!(step["state"], "It shows 48 deals.");
    assert_eq!(step["done"], true);

    let refused = demo();
    assert_eq!(refused.status(), 409);
    assert!(error(refused).contains("The shop has products already"));
    let visitor = people.post("/product/demo", &json!({}));
    assert_eq!(visitor.status(), 401);
}

#[test]
fn a_bulk_change_of_a_list_is_refused_if_its_total_changed() {
    let (people, owner) = shop_of(12);
    let bulk = |body: Value| send(&people, &owner, Method::POST, "/product/bulk", &body);
    let all = |total: i64| json!({"list": "search=product&minPrice=95", "total": total, "action": "category", "value": "Books"});
    let refused = bulk(all(11));
    assert_eq!(refused.status(), 409);
    assert_eq!(
        error(refused),
        "The list has 6 products now. Look at it again."
    );
    let changed: Value = bulk(all(6)).json().unwrap();
    assert_eq!(changed["changed"], 6);
    let books = people.server.json("/product/get-products?category=Books");
    assert_eq!(books["meta"]["total"], 6);
    let undo = format!("/product/undo/{}", changed["undo"].as_str().unwrap());
    let restored = accepted(&people, &owner, Method::POST, &undo, &json!({}));
    assert_eq!(restored["restored"], 6);
    let wrong = bulk(json!({"list": "sortBy=ugly", "total": 1, "action": "delete"}));
    assert_eq!(wrong.status(), 400);
    let none = bulk(json!({"list": "search=nothing", "total": 0, "action": "delete"}));
    assert_eq!(none.status(), 400);
}

#[test]
fn the_demo_shop_has_two_months_of_clicks_that_add_up_and_compare() {
    let people = People::with(Shop::new(), &["--demo"]);
    let owner = people.join_as_admin("owner@example.com");
    let overview = found(&people, &owner, "/report/overview");
    // Their number depends on the hour: today's clicks are compared up to it.
    assert!(overview["movers"].as_array().unwrap().len() > 2);
    assert!(overview["emptySearches"].as_array().unwrap().len() > 2);
    let counted = |days: Range<usize>| -> u64 {
        let report = report(&people, &owner, "by=day&from=60d");
        let rows = &report["rows"].as_array().unwrap()[days];
        rows.iter()
            .map(|row| row["counted"].as_u64().unwrap())
            .sum()
    };
    // A month against the one before, neither few nor a multiple.
    let (before, now) = (counted(1..30), counted(30..59));
    assert!(
        before > 1_000 && now > before && now < 2 * before,
        "{before} {now}"
    );
    let days = report(&people, &owner, "from=61d");
    let products = people.server.list("limit=100");
    let clicks: i64 = products
        .iter()
        .map(|product| product["clicks"].as_i64().unwrap())
        .sum();
    assert_eq!(days["totals"]["clicks"], clicks);
    let checked = succeeds(people.shop.run(&["check"]));
    assert!(checked.contains(" are classified: "), "{checked}");
}
