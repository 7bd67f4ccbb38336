//! The seller's id of a product identifies it before its link does.

use reqwest::Method;
use serde_json::{Value, json};

use crate::api::product_forms::{accepted, send, shop};
use crate::support::harness::{Shop, product_with, succeeds};

fn row(number: usize, id: Value, link: &str, title: &str) -> Value {
    let mut row = product_with(number, json!({"title": title, "affiliateLink": link}));
    if !id.is_null() {
        row["externalId"] = id;
    }
    row
}

fn import(shop: &Shop, rows: &[Value]) -> String {
    succeeds(shop.import(&json!(rows).to_string(), &[]))
}

fn exported(shop: &Shop) -> Vec<Value> {
    let products: Value = serde_json::from_str(&succeeds(shop.run(&["export"]))).unwrap();
    products.as_array().unwrap().clone()
}

const A: &str = "https://shop.example/a?session=1";
const B: &str = "https://shop.example/a?session=2";

#[test]
fn external_ids_identify_products_whose_links_changed() {
    let shop = Shop::new();
    let said = import(
        &shop,
        &[
            row(1, json!("E1"), A, "First"),
            row(2, json!(77), B, "Second"),
        ],
    );
    assert!(said.contains("2 added"), "{said}");
    // Each link is of the other one now.
    let said = import(
        &shop,
        &[
            row(1, json!("E1"), B, "First moved"),
            row(2, json!("77"), A, "Second moved"),
        ],
    );
    assert!(said.contains("2 updated"), "{said}");
    let now = exported(&shop);
    assert_eq!(now.len(), 2);
    assert_eq!(
        (
            &now[0]["externalId"],
            &now[0]["title"],
            &now[0]["affiliateLink"]
        ),
        (&json!("E1"), &json!("First moved"), &json!(B))
    );
    assert_eq!(
        (&now[1]["externalId"], &now[1]["title"]),
        (&json!("77"), &json!("Second moved"))
    );

    // Without ids, the link; what is not given is kept.
    let said = import(&shop, &[row(1, Value::Null, B, "By link")]);
    assert!(said.contains("1 updated"), "{said}");
    let now = exported(&shop);
    assert_eq!(
        (&now[0]["externalId"], &now[0]["title"]),
        (&json!("E1"), &json!("By link"))
    );

    // Another id with a known link is another product.
    let said = import(&shop, &[row(1, json!("E9"), B, "Another")]);
    assert!(said.contains("1 added"), "{said}");
    // A product without an id gets that of its row.
    let said = import(
        &shop,
        &[row(4, Value::Null, "https://shop.example/d", "Plain")],
    );
    assert!(said.contains("1 added"), "{said}");
    let said = import(
        &shop,
        &[row(4, json!("E4"), "https://shop.example/d", "Plain")],
    );
    assert!(said.contains("1 updated"), "{said}");
    assert_eq!(exported(&shop)[3]["externalId"], "E4");
    // Ids are of a seller.
    let mut other = row(5, json!("E4"), "https://shop.example/e", "Other seller");
    other["source"] = "Flipkart".into();
    assert!(import(&shop, &[other]).contains("1 added"));
}

#[test]
fn later_rows_replace_earlier_ones_with_the_same_external_id() {
    let shop = Shop::new();
    let said = import(
        &shop,
        &[
            row(1, json!("E1"), A, "Old"),
            row(2, json!("E2"), A, "Other id, same link"),
            row(3, json!("E1"), B, "New"),
        ],
    );
    assert!(said.contains("2 added"), "{said}");
    let titles: Vec<Value> = exported(&shop)
        .iter()
        .map(|it| it["title"].clone())
        .collect();
    assert_eq!(titles, [json!("Other id, same link"), json!("New")]);
}

#[test]
fn an_export_with_external_ids_is_imported_unchanged() {
    let shop = Shop::with(&[
        row(1, json!("E1"), A, "First"),
        row(2, Value::Null, B, "Second"),
    ]);
    let before = succeeds(shop.run(&["export"]));
    let copy = Shop::new();
    succeeds(copy.import(&before, &[]));
    assert_eq!(succeeds(copy.run(&["export"])), before);
    let csv = succeeds(shop.run(&["export", "--format", "csv"]));
    let header = csv.lines().next().unwrap();
    assert!(header.contains(",offers,tags,externalId,"), "{header}");
}

#[test]
fn an_update_without_an_external_id_keeps_it() {
    let (people, owner) = shop();
    let add = |path: &str, body: &Value| send(&people, &owner, Method::POST, path, body);
    let path = "/product/add-product?unique=true";
    let added: Value = add(path, &row(2, json!("E1"), A, "First")).json().unwrap();
    assert_eq!(added["product"]["externalId"], "E1");
    let id = added["product"]["_id"].as_str().unwrap();
    let same: Value = add(path, &row(3, json!("E1"), B, "Again")).json().unwrap();
    assert_eq!(same["id"], id, "the same id with another link is there");
    assert_eq!(add(path, &row(3, json!("E2"), A, "Other")).status(), 201);

    let change = format!("/product/update-product/{id}");
    let changed = accepted(
        &people,
        &owner,
        Method::PUT,
        &change,
        &row(2, Value::Null, A, "Changed"),
    );
    assert_eq!(changed["product"]["externalId"], "E1");
    let mut cleared = row(2, Value::Null, A, "Changed");
    cleared["externalId"] = Value::Null;
    let changed = accepted(&people, &owner, Method::PUT, &change, &cleared);
    assert!(changed["product"].get("externalId").is_none());
}
