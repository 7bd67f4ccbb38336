//! Adding a deal whose seller and link are there already.

use reqwest::Method;
use serde_json::{Value, json};

use super::idempotency::{ADD, shop, total};
use crate::api::product_forms::send;
use crate::support::harness::{product, product_with, text};
use crate::support::people::at_once;

#[test]
fn a_second_deal_with_the_same_seller_and_link_is_refused_or_named() {
    let (people, owner) = shop();
    let post = |path: &str, body: &Value| {
        let response = send(&people, &owner, Method::POST, path, body);
        (
            response.status().as_u16(),
            response.json::<Value>().unwrap(),
        )
    };
    let unique = "/product/add-product?unique=true";
    let past = "2020-01-01T00:00:00Z";
    for (number, lifetime) in [
        (1, json!({})),
        (2, json!({"status": "draft"})),
        (
            3,
            json!({"startsAt": "2019-01-01T00:00:00Z", "endsAt": past}),
        ),
        (4, json!({"startsAt": "2099-01-01T00:00:00Z"})),
    ] {
        let (status, first) = post(unique, &product_with(number, lifetime));
        assert_eq!(status, 201, "{first}");
        assert!(first.get("duplicateOf").is_none(), "{first}");
        let id = &first["product"]["_id"];
        let spaced = format!("  https://shop.example/p/{number} ");
        let again = product_with(number, json!({"title": "Again", "affiliateLink": spaced}));
        let (status, refused) = post(unique, &again);
        assert_eq!((status, &refused["id"]), (409, id), "{refused}");
        assert!(refused["error"].as_str().unwrap().ends_with('.'));
        // As the specification has it.
        for path in [ADD, "/product/add-product?unique=false"] {
            let (status, added) = post(path, &again);
            assert_eq!((status, &added["duplicateOf"]), (201, id), "{added}");
            assert_eq!(added["product"]["title"], "Again");
        }
        // An import takes the same one for the row's.
        let row = product_with(number, json!({"title": "Imported"}));
        let imported = people.shop.import(&json!([row]).to_string(), &[]);
        let report = text(&imported.stdout);
        assert!(report.contains("0 added, 1 updated"), "{report}");
        let database = people.shop.database();
        let sql = "SELECT title FROM products WHERE id = ?";
        let title: String = database
            .query_row(sql, [id.as_str().unwrap()], |row| row.get(0))
            .unwrap();
        assert_eq!(title, "Imported");
    }
    let others = product_with(1, json!({"source": "Croma"}));
    let (status, added) = post(unique, &others);
    assert_eq!(status, 201, "another seller: {added}");
    assert!(added.get("duplicateOf").is_none(), "{added}");
}

#[test]
fn concurrent_unique_requests_for_one_deal_add_one() {
    let (people, owner) = shop();
    let body = product(1);
    let answers = at_once(8, |_| {
        let path = "/product/add-product?unique=true";
        send(&people, &owner, Method::POST, path, &body)
            .status()
            .as_u16()
    });
    assert_eq!(answers.iter().filter(|status| **status == 201).count(), 1);
    assert_eq!(answers.iter().filter(|status| **status == 409).count(), 7);
    assert_eq!(total(&people.server), 1);
}
