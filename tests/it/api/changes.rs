//! The walk through the whole catalogue, and what changed since one.

use std::collections::BTreeMap;

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::harness::{Server, Shop, product_with};
use crate::support::people::{People, Someone};

const OLD: &str = "2020-01-01T00:00:00.000Z";
/// A time between [`OLD`] and now.
const RECENT: &str = "2021-01-01T00:00:00Z";

/// A product with the id `p1` that was last changed years ago.
fn old(number: usize, changes: Value) -> Value {
    let mut product = product_with(number, changes);
    product["_id"] = format!("p{number}").into();
    product["createdAt"] = OLD.into();
    product["updatedAt"] = OLD.into();
    product
}

fn shop(products: usize) -> (People, Someone) {
    let products: Vec<_> = (1..=products).map(|n| old(n, json!({}))).collect();
    let people = People::with(Shop::with(&products), &[]);
    let owner = people.join_as_admin("owner@b.example");
    (people, owner)
}

fn page(server: &Server, query: &str) -> Value {
    server.json(&format!("/product/changes?{query}"))
}

fn ids(page: &Value) -> Vec<String> {
    let products = page["data"].as_array().unwrap().iter();
    products
        .map(|product| product["_id"].as_str().unwrap().to_owned())
        .collect()
}

/// Follows the cursors after a page; `between` runs after each.
fn follow(
    server: &Server,
    query: &str,
    first: Value,
    mut between: impl FnMut(usize),
) -> (Vec<String>, Value) {
    let (mut seen, mut last, mut pages) = (ids(&first), first, 1);
    while let Some(cursor) = last["meta"]["nextCursor"].as_str().map(str::to_owned) {
        between(pages);
        last = page(server, &format!("{query}&cursor={cursor}"));
        seen.extend(ids(&last));
        pages += 1;
    }
    (seen, last)
}

fn walk(server: &Server, query: &str) -> Vec<String> {
    follow(server, query, page(server, query), |_| {}).0
}

fn send(people: &People, owner: &Someone, method: Method, path: &str, body: &Value) {
    let request = people.request(method, path).bearer_auth(&owner.token);
    let status = request.json(body).send().unwrap().status();
    assert!(status.is_success(), "{path}: {status}");
}

#[test]
fn product_changes_lists_each_product_once_during_writes() {
    let (people, owner) = shop(25);
    let change = |number: usize| {
        let path = format!("/product/update-product/p{number}");
        let body = product_with(number, json!({ "title": "Changed" }));
        send(&people, &owner, Method::PUT, &path, &body);
    };
    let delete = |number: usize| {
        let path = format!("/product/delete-product/p{number}");
        send(&people, &owner, Method::DELETE, &path, &json!({}));
    };
    let first = page(&people.server, "limit=10");
    assert_eq!(ids(&first).len(), 10);
    let next = first["meta"]["nextUpdatedSince"].clone();
    let (seen, last) = follow(&people.server, "limit=10", first, |pages| match pages {
        // Products of the first page and of later ones.
        1 => [3, 20].into_iter().for_each(change),
        2 => [5, 24].into_iter().for_each(delete),
        _ => panic!("a fourth page"),
    });
    let mut times = BTreeMap::new();
    for id in &seen {
        *times.entry(id.clone()).or_insert(0) += 1;
    }
    let expected = (1..=25).filter(|n| *n != 24).map(|n| (format!("p{n}"), 1));
    assert_eq!(times, expected.collect());
    assert_eq!(
        last["meta"]["nextUpdatedSince"], next,
        "each page has the walk's"
    );
    // The next walk has what was changed meanwhile, and the product that was added.
    let added = product_with(30, json!({ "title": "Added" }));
    send(
        &people,
        &owner,
        Method::POST,
        "/product/add-product",
        &added,
    );
    let query = format!("updatedSince={}", next.as_str().unwrap());
    let answer = page(&people.server, &query);
    let titles = answer["data"].as_array().unwrap().iter();
    let titles: Vec<_> = titles.map(|product| product["title"].clone()).collect();
    assert_eq!(titles, ["Changed", "Changed", "Added"]);
    assert!(answer["meta"]["nextCursor"].is_null(), "{answer}");
}

#[test]
fn product_changes_follows_the_rules_of_the_list() {
    let start = "2025-01-01T00:00:00Z";
    let end = "2025-02-01T00:00:00Z";
    let shop = Shop::with(&[
        old(1, json!({})),
        old(2, json!({ "status": "draft" })),
        old(3, json!({ "startsAt": "2999-01-01T00:00:00Z" })),
        old(4, json!({ "endsAt": end })),
        old(5, json!({ "startsAt": start })),
        old(6, json!({ "source": "Flipkart" })),
    ]);
    let people = People::with(shop, &[]);
    let owner = people.join_as_admin("owner@b.example");
    let rules = json!({ "version": 0, "source.Flipkart": { "showPrice": "off" } });
    send(&people, &owner, Method::PUT, "/settings", &rules);
    let request = people.request(Method::GET, "/product/changes");
    let answer = request.bearer_auth(&owner.token).send().unwrap();
    assert_eq!(answer.headers()["cache-control"], "no-store");
    let mut walked: Vec<Value> =
        serde_json::from_value(answer.json::<Value>().unwrap()["data"].clone()).unwrap();
    let mut listed = people.server.list("");
    for products in [&mut walked, &mut listed] {
        products.sort_by_key(|product| product["_id"].as_str().unwrap().to_owned());
    }
    assert_eq!(walked, listed);
    assert_eq!(ids(&json!({ "data": walked })), ["p1", "p5", "p6"]);
    assert!(walked[2]["shown"]["hidesPrice"].as_bool().unwrap());
    // A start is a change, though nobody changed the product.
    assert_eq!(
        walk(&people.server, &format!("updatedSince={RECENT}")),
        ["p5"]
    );
}

#[test]
fn a_page_of_product_changes_examines_ten_thousand_products() {
    const PRODUCTS: usize = 10_100;
    let products = (1..PRODUCTS).map(|n| old(n, json!({})));
    let last = product_with(PRODUCTS, json!({ "_id": "last" }));
    let products: Vec<_> = products.chain([last]).collect();
    let server = Shop::with(&products);
    let server = server.serve();
    let query = format!("updatedSince={RECENT}&limit=1");
    let first = page(&server, &query);
    assert_eq!(ids(&first).len(), 0);
    let (seen, _) = follow(&server, &query, first, |pages| assert_eq!(pages, 1));
    assert_eq!(seen, ["last"]);
}

#[test]
fn product_changes_leaves_out_an_unfinished_import() {
    let (people, _) = shop(6);
    let connection = people.shop.database();
    let hide = "INSERT INTO hidden_products (first, last) \
                SELECT min(key), max(key) FROM products WHERE id IN ('p3', 'p4')";
    connection.execute(hide, []).unwrap();
    assert_eq!(walk(&people.server, "limit=1"), ["p1", "p2", "p5", "p6"]);
    connection
        .execute("UPDATE hidden_products SET last = last + 2", [])
        .unwrap();
    assert_eq!(walk(&people.server, ""), ["p1", "p2"]);
}

#[test]
fn invalid_parameters_of_product_changes_are_refused() {
    let (people, _) = shop(3);
    let refused = |query: &str| {
        let response = people.server.get(&format!("/product/changes?{query}"));
        assert_eq!(response.status(), 400, "{query}");
        response.json::<Value>().unwrap()
    };
    let time = "updatedSince must be a time with its zone, like 2026-01-31T08:30:00.000Z (write a + as %2B).";
    for wrong in [
        "yesterday",
        "2026-01-31",
        "2026-01-31T08:30:00",
        "1769848200",
    ] {
        let said = refused(&format!("updatedSince={wrong}"));
        assert_eq!(said["fields"], json!({ "updatedSince": time }), "{wrong}");
    }
    for wrong in ["x", "AAAA", "page-2", "____________________________"] {
        let said = refused(&format!("cursor={wrong}&limit=0"));
        let message = said["fields"]["cursor"].as_str().unwrap();
        assert!(message.starts_with("cursor must be the nextCursor of an earlier answer."));
        assert_eq!(
            said["fields"]["limit"],
            "limit must be a whole number from 1 to 100."
        );
    }
    // A misspelt parameter would return everything.
    let said = refused(&format!("updatedsince={RECENT}"));
    assert!(
        said["error"].as_str().unwrap().contains("`updatedSince`"),
        "{said}"
    );
    assert_eq!(
        walk(&people.server, "updatedSince=&cursor=&limit="),
        ["p1", "p2", "p3"]
    );
}
