//! Other names of sellers: renamed, and merged with another one.

use reqwest::Method;
use reqwest::blocking::Client;
use reqwest::redirect::Policy;
use serde_json::{Value, json};

use crate::api::product_forms::send;
use crate::office::classifications::ask;
use crate::office::prices::{history, make_up};
use crate::support::harness::{Shop, product_with};
use crate::support::people::{People, Someone, error};

/// A shop with a deal of Amazon, two of amazon.in, and one of Flipkart.
fn shop() -> (People, Someone) {
    let of = |n: usize, source: &str| {
        let link = format!("https://www.amazon.in/dp/B00000000{n}");
        product_with(
            n,
            json!({"_id": format!("p{n}"), "source": source, "affiliateLink": link}),
        )
    };
    let names = ["Amazon", "amazon.in", "amazon.in", "Flipkart"];
    let deals: Vec<Value> = (1..).zip(names).map(|(n, name)| of(n, name)).collect();
    let people = People::with(Shop::with(&deals), &[]);
    let owner = people.join_as_admin("owner@example.com");
    (people, owner)
}

fn rename(people: &People, owner: &Someone, from: &str, to: &str) -> Value {
    let path = format!("/source/{from}/name");
    let answer = send(people, owner, Method::PUT, &path, &json!({ "name": to }));
    assert_eq!(answer.status(), 200, "{from} to {to}");
    answer.json().unwrap()
}

fn set(people: &People, owner: &Someone, change: Value) {
    let answer = send(people, owner, Method::PUT, "/settings", &change);
    assert_eq!(answer.status(), 200, "{change}");
}

/// Where an address leads, without following it.
fn leads_to(people: &People, path: &str) -> (u16, String) {
    let client = Client::builder().redirect(Policy::none()).build().unwrap();
    let answer = client.get(people.server.url(path)).send().unwrap();
    let location = answer.headers().get("location");
    let location = location.map_or("", |it| it.to_str().unwrap()).to_owned();
    (answer.status().as_u16(), location)
}

fn sellers(people: &People, owner: &Someone) -> Vec<(String, Value)> {
    let all: Value = ask(people, owner, "/settings/sources").json().unwrap();
    let rows = all["data"].as_array().unwrap().iter();
    rows.map(|row| (row["source"].as_str().unwrap().to_owned(), row.clone()))
        .collect()
}

#[test]
fn a_seller_is_merged_into_another_one_with_all_that_is_about_it() {
    let (people, owner) = shop();
    make_up(&people.shop, "p2", &[(30, 120, 100), (10, 120, 90)]);
    let before = history(&people, "p2");
    set(
        &people,
        &owner,
        json!({"version": 0, "source.amazon.in": {"showRatings": false}}),
    );
    let offer = json!({"kind": "coupon", "code": "FEST", "percent": 20});
    let path = "/source/amazon.in/offers";
    assert_eq!(
        send(&people, &owner, Method::POST, path, &offer).status(),
        201
    );

    let renamed = rename(&people, &owner, "amazon.in", "Amazon");
    assert_eq!(renamed, json!({"source": "Amazon", "products": 2}));
    let all = sellers(&people, &owner);
    let names: Vec<&str> = all.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["Amazon", "Flipkart"]);
    let amazon = &all[0].1;
    assert_eq!(
        (
            &amazon["products"],
            &amazon["offers"],
            &amazon["rules"]["showRatings"]
        ),
        (&json!(3), &json!(1), &json!(false)),
        "deals, offers and rules follow: {amazon}"
    );
    assert_eq!(history(&people, "p2"), before, "prices stay");

    // Addresses, queries, forms and files with the former name.
    assert_eq!(
        leads_to(&people, "/seller/amazon-in?page=2"),
        (308, "/seller/amazon?page=2".to_owned())
    );
    assert_eq!(people.server.list("source=amazon.in").len(), 3);
    let file = json!([product_with(
        9,
        json!({"source": "amazon.in", "title": "By a file"})
    )]);
    assert!(people.shop.import(&file.to_string(), &[]).status.success());
    let found = people.server.list("search=By+a+file");
    assert_eq!(found[0]["source"], "Amazon");
    let log = people.shop.log();
    assert!(log.contains("amazon.in") && log.contains("Amazon"), "{log}");
}

#[test]
fn an_undo_does_not_bring_a_former_name_back() {
    let (people, owner) = shop();
    let body = json!({"ids": ["p2"], "action": "delete"});
    let deleted = send(&people, &owner, Method::POST, "/product/bulk", &body);
    let undo = deleted.json::<Value>().unwrap()["undo"].clone();
    rename(&people, &owner, "amazon.in", "Amazon");
    let path = format!("/product/undo/{}", undo.as_str().unwrap());
    let undone = send(&people, &owner, Method::POST, &path, &json!({}));
    assert_eq!(undone.json::<Value>().unwrap(), json!({"restored": 1}));
    let deal = people.server.json("/product/product/p2");
    assert_eq!(deal["product"]["source"], "Amazon");
}

#[test]
fn a_seller_may_be_called_as_before() {
    let (people, owner) = shop();
    rename(&people, &owner, "Flipkart", "Flipkart India");
    assert_eq!(
        leads_to(&people, "/seller/flipkart").1,
        "/seller/flipkart-india"
    );
    rename(&people, &owner, "Flipkart India", "Flipkart");
    assert_eq!(leads_to(&people, "/seller/flipkart").0, 200);
    assert_eq!(
        leads_to(&people, "/seller/flipkart-india").1,
        "/seller/flipkart"
    );
}

#[test]
fn a_merged_seller_takes_the_tag_of_the_other_one_in_its_links() {
    let (people, owner) = shop();
    set(
        &people,
        &owner,
        json!({"version": 0, "tag.Amazon": "name-21"}),
    );
    set(
        &people,
        &owner,
        json!({"version": 1, "tag.Flipkart": "other"}),
    );
    rename(&people, &owner, "Flipkart", "Amazon");
    let moved = people.server.json("/product/product/p4")["product"].clone();
    assert_eq!(moved["source"], "Amazon");
    let link = moved["affiliateLink"].as_str().unwrap();
    assert!(link.ends_with("?tag=name-21"), "{link}");
}

#[test]
fn a_new_name_of_a_seller_is_refused_with_a_reason() {
    let (people, owner) = shop();
    for (from, to, status, words) in [
        ("Amazon", "", 400, "Please enter the seller's new name"),
        ("Amazon", "Amazon", 400, "is called Amazon already"),
        ("Amazon", &*"a".repeat(101), 400, "at most 100 characters"),
        ("Nobody", "Amazon", 404, "names this seller"),
    ] {
        let path = format!("/source/{from}/name");
        let answer = send(&people, &owner, Method::PUT, &path, &json!({ "name": to }));
        assert_eq!(answer.status(), status, "{from} to {to}");
        let said = error(answer);
        assert!(said.contains(words), "{said}");
    }
}
