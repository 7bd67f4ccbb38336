//! Changes of many prices by rupees or percent.

use reqwest::Method;
use serde_json::{Value, json};

use crate::api::product_forms::{accepted, send};
use crate::support::harness::{Shop, product_with};
use crate::support::people::{People, Someone};

const BULK: &str = "/product/bulk";
const PREVIEW: &str = "/product/bulk/preview";

/// Products p0 to p3 of ₹100.00, ₹200.00, ₹300.00 and ₹400.00 after a discount of 50 %.
fn shop() -> (People, Someone) {
    let rows: Vec<Value> = (0..4)
        .map(|n| {
            let price = 200 * (n + 1);
            product_with(
                n,
                json!({"_id": format!("p{n}"), "price": price, "discount": 50}),
            )
        })
        .collect();
    let people = People::with(Shop::with(&rows), &[]);
    let owner = people.join_as_admin("owner@example.com");
    (people, owner)
}

/// Price, discount and final price of a product.
fn prices(people: &People, id: &str) -> [Value; 3] {
    let found = people.server.json(&format!("/product/product/{id}"));
    ["price", "discount", "finalPrice"].map(|name| found["product"][name].clone())
}

fn all(people: &People) -> Vec<[Value; 3]> {
    let ids = ["p0", "p1", "p2", "p3"];
    ids.iter().map(|id| prices(people, id)).collect()
}

fn refused(people: &People, owner: &Someone, path: &str, body: &Value) -> Value {
    let response = send(people, owner, Method::POST, path, body);
    assert_eq!(response.status(), 400, "{body}");
    let answer: Value = response.json().unwrap();
    assert_eq!(answer["code"], "invalid_fields");
    answer["fields"].clone()
}

#[test]
fn a_bulk_price_change_by_percent_can_be_undone() {
    let (people, owner) = shop();
    let post = |path: &str, body: &Value| accepted(&people, &owner, Method::POST, path, body);
    let before = all(&people);
    let mut change = json!({
        "list": "sortBy=price&order=asc", "total": 4,
        "action": "changePrice", "unit": "percent", "value": -6.6,
    });
    let preview = post(PREVIEW, &change);
    assert_eq!(
        preview,
        json!({"changed": 4, "example": {"title": "Product 0", "from": 100, "to": 93.4}})
    );
    assert_eq!(all(&people), before, "a preview changes nothing");

    let outcome = post(BULK, &change);
    assert_eq!(outcome["changed"], 4);
    assert_eq!(
        all(&people),
        [
            [json!(200), json!(53.3), json!(93.4)],
            [json!(400), json!(53.3), json!(186.8)],
            [json!(600), json!(53.3), json!(280.2)],
            [json!(800), json!(53.3), json!(373.6)],
        ]
    );
    let log = accepted(
        &people,
        &owner,
        Method::GET,
        "/product/activity",
        &json!({}),
    );
    assert_eq!(
        (&log["data"][0]["action"], &log["data"][0]["lines"]),
        (&json!("changed"), &json!(4))
    );
    let done = json!({"priceChange": {"to": "6.6% less"}});
    assert_eq!(log["data"][0]["details"], done);
    let path = format!("/product/activity?batch={}", log["data"][0]["batch"]);
    let lines = accepted(&people, &owner, Method::GET, &path, &json!({}));
    let prices = &lines["data"][0]["details"]["finalPrice"];
    assert_eq!(prices, &json!({"from": 100, "to": 93.4}));
    let history = people.server.json("/product/price-history/p0");
    assert!(history.to_string().contains("93.4"), "{history}");

    let undo = format!("/product/undo/{}", outcome["undo"].as_str().unwrap());
    assert_eq!(post(&undo, &json!({})), json!({"restored": 4}));
    assert_eq!(all(&people), before);

    // Another number of products than the owner saw.
    change["total"] = json!(5);
    let response = send(&people, &owner, Method::POST, BULK, &change);
    assert_eq!(response.status(), 409);
}

#[test]
fn a_bulk_price_change_by_rupees_applies_once_per_product() {
    let (people, owner) = shop();
    let change = |ids: Value, value: f64| {
        let body = json!({"ids": ids, "action": "changePrice", "unit": "rupees", "value": value});
        accepted(&people, &owner, Method::POST, BULK, &body)["changed"].clone()
    };
    assert_eq!(change(json!(["p0", "p0", "gone", "p1"]), -0.01), 2);
    assert_eq!(
        prices(&people, "p0"),
        [json!(200), json!(50.01), json!(99.99)]
    );
    // Above the list price, which rises with it.
    assert_eq!(change(json!(["p0"]), 200.0), 1);
    assert_eq!(
        prices(&people, "p0"),
        [json!(299.99), json!(0), json!(299.99)]
    );
}

#[test]
fn a_bulk_price_change_to_zero_or_less_is_refused() {
    let (people, owner) = shop();
    let before = all(&people);
    let change = json!({
        "ids": ["p3", "p1", "p0"], "action": "changePrice", "unit": "rupees", "value": -200,
    });
    for path in [PREVIEW, BULK] {
        let fields = refused(&people, &owner, path, &change);
        assert_eq!(
            fields["value"],
            "The price would be 0 or less, or above ₹1,00,00,00,000: “Product 1”, “Product 0”. \
             Change it by less, or leave them out."
        );
    }
    let change = json!({
        "ids": ["p3"], "action": "changePrice", "unit": "rupees", "value": 1_000_000_000,
    });
    refused(&people, &owner, BULK, &change);
    assert_eq!(all(&people), before);
    let log = accepted(
        &people,
        &owner,
        Method::GET,
        "/product/activity",
        &json!({}),
    );
    assert_eq!(log["meta"]["total"], 2, "only the import and the account");
}

#[test]
fn a_price_change_without_a_unit_or_of_no_size_is_refused() {
    let (people, owner) = shop();
    for (unit, value, field) in [
        (json!(null), json!(5), "unit"),
        (json!("euro"), json!(5), "unit"),
        (json!("rupees"), json!(0), "value"),
        (json!("rupees"), json!(0.001), "value"),
        (json!("rupees"), json!("5"), "value"),
        (json!("percent"), json!(-100), "value"),
        (json!("percent"), json!(1_000.01), "value"),
        (json!("percent"), json!(null), "value"),
    ] {
        let mut change = json!({"ids": ["p0"], "action": "changePrice", "value": value});
        if !unit.is_null() {
            change["unit"] = unit;
        }
        for path in [PREVIEW, BULK] {
            let fields = refused(&people, &owner, path, &change);
            assert!(fields[field].is_string(), "{change}: {fields}");
        }
    }
    let delete = json!({"ids": ["p0"], "action": "delete"});
    assert!(refused(&people, &owner, PREVIEW, &delete)["action"].is_string());
    let preview = people.post(PREVIEW, &json!({"ids": ["p0"], "action": "changePrice"}));
    assert_eq!(preview.status(), 401, "for administrators only");
}

#[test]
fn a_price_change_with_a_key_is_made_once() {
    let (people, owner) = shop();
    let change = json!({
        "ids": ["p0"], "action": "changePrice", "unit": "percent", "value": 10,
    });
    let send = || {
        let request = people.request(Method::POST, BULK);
        let request = request.header("cookie", &owner.cookie);
        let request = request.header("idempotency-key", "monday");
        request.json(&change).send().unwrap().text().unwrap()
    };
    assert_eq!(send(), send());
    assert_eq!(prices(&people, "p0")[2], 110);
}
