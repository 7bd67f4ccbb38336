//! Filters by age, for administrators.

use reqwest::Method;
use serde_json::{Value, json};

use crate::api::product_forms::{accepted, send};
use crate::support::harness::{Shop, product_with};
use crate::support::people::{People, Someone};

const DAY: i64 = 24 * 3_600_000;

/// Products p0 to p3, added 0, 8, 31 and 91 days ago; the price of p3 was checked 10 days ago, those of
/// the others when they were added. p2 is a draft.
fn shop() -> (People, Someone) {
    let rows: Vec<Value> = (0..4)
        .map(|n| {
            let status = if n == 2 { "draft" } else { "live" };
            product_with(n, json!({"_id": format!("p{n}"), "status": status}))
        })
        .collect();
    let people = People::with(Shop::with(&rows), &[]);
    let owner = people.join_as_admin("owner@example.com");
    let database = people.shop.database();
    for (id, added, checked) in [("p1", 8, 8), ("p2", 31, 31), ("p3", 91, 10)] {
        let sql = "UPDATE products SET created_at = created_at - ?2, updated_at = updated_at - ?3 \
                   WHERE id = ?1";
        database
            .execute(sql, (id, added * DAY, checked * DAY))
            .unwrap();
    }
    database.execute("DELETE FROM price_checks", []).unwrap();
    (people, owner)
}

fn ids(people: &People, owner: &Someone, query: &str) -> Vec<String> {
    let path = format!("/product/get-products?{query}");
    let list = accepted(people, owner, Method::GET, &path, &json!({}));
    let items = list["data"].as_array().unwrap();
    assert_eq!(list["meta"]["total"], items.len());
    let id = |item: &Value| item["_id"].as_str().unwrap().to_owned();
    items.iter().map(id).collect()
}

#[test]
fn products_are_filtered_by_age_and_by_the_age_of_their_price() {
    let (people, owner) = shop();
    for (query, expected) in [
        ("minAge=7", vec!["p1", "p3"]),
        ("minAge=30", vec!["p3"]),
        ("minAge=92", vec![]),
        ("minPriceAge=9", vec!["p3"]),
        (
            "minPriceAge=7&source=Amazon&search=product",
            vec!["p1", "p3"],
        ),
        ("minAge=30&state=draft", vec!["p2"]),
        ("minAge=32&state=draft", vec![]),
    ] {
        let query = format!("{query}&sortBy=createdAt&order=desc");
        assert_eq!(ids(&people, &owner, &query), expected, "{query}");
    }
    let path = "/product/facets?minAge=7";
    let facets = accepted(&people, &owner, Method::GET, path, &json!({}));
    assert_eq!(facets["all"], 2);
}

#[test]
fn a_list_filtered_by_age_is_changed_in_bulk() {
    let (people, owner) = shop();
    let body = json!({"list": "minAge=7", "total": 2, "action": "category", "value": "Books"});
    let outcome = accepted(&people, &owner, Method::POST, "/product/bulk", &body);
    assert_eq!(outcome["changed"], 2);
    assert_eq!(ids(&people, &owner, "category=Books"), ["p1", "p3"]);
}

#[test]
fn only_administrators_filter_by_age() {
    let (people, owner) = shop();
    for path in ["/product/get-products", "/product/facets"] {
        for query in ["minAge=7", "minPriceAge=7"] {
            let path = format!("{path}?{query}");
            assert_eq!(people.server.get(&path).status(), 401, "{path}");
        }
        for query in ["minAge=0", "minAge=3651", "minPriceAge=x"] {
            let path = format!("{path}?{query}");
            let response = send(&people, &owner, Method::GET, &path, &json!({}));
            assert_eq!(response.status(), 400, "{path}");
        }
    }
    // Pages ignore them.
    let page = people.server.get("/?minAge=90").text().unwrap();
    assert!(page.contains("Product 0"));
}
