//! Coupons and bank offers: the effective price on every page, and every way to enter them.

use std::cell::Cell;

use reqwest::Method;
use serde_json::{Value, json};

use crate::api::product_forms::send;
use crate::pages::server_rendering::page;
use crate::support::harness::{Shop, product_with, succeeds, wait_until};
use crate::support::people::People;
use crate::support::times::{HOUR, after};

fn earbuds(offers: &Value) -> Value {
    product_with(
        1,
        json!({"_id": "earbuds", "title": "Earbuds", "price": 1199, "discount": 0, "offers": offers}),
    )
}

#[test]
fn the_price_with_the_best_offers_is_on_cards_and_details() {
    let offers = json!([
        {"kind": "coupon", "code": "SAVE10", "percent": 10},
        {"kind": "coupon", "code": "LESS", "amount": 50},
        {"kind": "bank", "text": "HDFC card", "percent": 10, "cap": 80, "minOrder": 1000, "instant": true},
        {"kind": "emi", "text": "No cost for 6 months"},
        {"kind": "bank", "text": "Old card", "percent": 90, "instant": true, "endsAt": "2026-01-01T00:00:00Z"},
    ]);
    let people = People::with(Shop::with(&[earbuds(&offers)]), &[]);
    let server = &people.server;
    let found = server.json("/product/product/earbuds")["product"].clone();
    assert_eq!(found["finalPrice"], 1199, "the price itself stays");
    assert_eq!(found["effectivePrice"], 999.1);
    assert_eq!(
        found["offers"].as_array().unwrap().len(),
        4,
        "what is over is gone"
    );
    assert_eq!(
        found["shown"]["effective"],
        "₹999.10 with code and HDFC card"
    );
    assert_eq!(server.list("")[0], found);
    let list = page(server, "/");
    assert!(list.contains("<b>₹999.10 with code and HDFC card</b> "));
    assert!(!list.contains("SAVE10"), "the list needs no code");
    let details = page(server, "/details/earbuds");
    assert_eq!(found["effectiveCode"], "SAVE10");
    let with_offers = "<p class=\"price-with\"><b>₹999.10</b> with SAVE10 and HDFC card</p>";
    assert!(details.contains(with_offers), "{details}");
    assert!(details.contains("<code>SAVE10</code>"), "{details}");
    assert!(details.contains("<b>10% off up to ₹80</b>HDFC card · Orders from ₹1,000<"));
    assert!(!details.contains("Old card"));
    // Structured data and link previews have the price without codes.
    assert!(details.contains("\"price\":\"1199\""));
    // A change without offers keeps them, an empty list deletes them.
    let owner = people.join_as_admin("owner@example.com");
    let path = "/product/update-product/earbuds";
    let mut change = product_with(1, json!({"title": "Better earbuds", "price": 999}));
    let changed = send(&people, &owner, Method::PUT, path, &change)
        .json::<Value>()
        .unwrap();
    assert_eq!(changed["product"]["offers"].as_array().unwrap().len(), 4);
    change["offers"] = json!([]);
    let changed = send(&people, &owner, Method::PUT, path, &change)
        .json::<Value>()
        .unwrap();
    assert_eq!(changed["product"]["offers"], json!([]));
    assert_eq!(changed["product"]["effectivePrice"], Value::Null);
}

#[test]
fn an_ended_offer_vanishes_from_cached_responses() {
    let offers =
        json!([{"kind": "coupon", "code": "QUICK", "percent": 50, "endsAt": after(2_500)}]);
    let shop = Shop::with(&[earbuds(&offers)]);
    let server = shop.serve();
    for _ in 0..4 {
        server.get("/details/earbuds");
        server.get("/");
    }
    wait_until("the coupon is over", || {
        server.json("/product/product/earbuds")["product"]["offers"] == json!([])
    });
    wait_until("its words are gone", || {
        !page(&server, "/").contains("with code")
            && !page(&server, "/details/earbuds").contains("QUICK")
    });
}

#[test]
fn expired_offers_vanish_from_uncached_lists() {
    let offers =
        json!([{"kind": "coupon", "code": "QUICK", "percent": 50, "endsAt": after(2_500)}]);
    let shop = Shop::with(&[
        product_with(1, json!({"_id": "coupon", "offers": offers})),
        product_with(2, json!({"_id": "end", "endsAt": after(24 * HOUR + 2_500)})),
    ]);
    let (server, number) = (shop.serve(), Cell::new(0));
    let listed = |id: &str| {
        number.set(number.get() + 1);
        let list = server.list(&format!("sortBy=price&maxPrice={}", 1_000 + number.get()));
        let mut found = list.into_iter().filter(|product| product["_id"] == id);
        found.next().unwrap()
    };
    wait_until("the coupon is over", || {
        listed("coupon")["offers"] == json!([])
    });
    wait_until("the end is less than a day away", || {
        listed("end")["shown"]["ends"].is_string()
    });
}

#[test]
fn offers_are_exported_and_imported_as_they_are() {
    let offers = json!([
        {"kind": "coupon", "code": "SAVE10", "percent": 10, "endsAt": after(HOUR)},
        {"kind": "cashback", "text": "ₓ \"wallet\" <b>", "amount": 12.5},
    ]);
    let shop = Shop::with(&[earbuds(&offers)]);
    let first = succeeds(shop.run(&["export"]));
    assert!(first.contains("SAVE10"));
    let other = Shop::new();
    assert!(other.import(&first, &[]).status.success());
    assert_eq!(succeeds(other.run(&["export"])), first);
    let said = String::from_utf8(shop.import(&first, &[]).stdout).unwrap();
    assert!(said.contains("0 added, 0 updated, 1 unchanged"), "{said}");
    assert!(succeeds(shop.run(&["export", "--format", "csv"])).contains("SAVE10"));
    let server = other.serve();
    assert!(page(&server, "/details/earbuds").contains("ₓ &quot;wallet&quot; &lt;b&gt;"));
}

#[test]
fn offers_have_the_time_of_their_last_check() {
    let offers = json!([{"kind": "coupon", "code": "SAVE10", "percent": 10}]);
    let people = People::with(Shop::with(&[earbuds(&offers)]), &[]);
    let (server, shop) = (&people.server, &people.shop);
    let checked = || -> Value {
        let found = server.json("/product/product/earbuds")["product"].clone();
        assert_eq!(server.list("")[0], found);
        found["offers"][0]["checkedAt"].clone()
    };
    let back_then = || {
        let database = shop.database();
        let changed = database
            .execute("UPDATE offer_checks SET at = 1762000000000", [])
            .unwrap();
        assert_eq!(changed, 1);
        drop(database);
        wait_until("the look is old", || {
            checked() == "2025-11-01T12:26:40.000Z"
        });
    };
    back_then();
    assert!(page(server, "/details/earbuds").contains("Checked on 1 November 2025."));
    // A file or change without offers does not check them.
    let mut row = earbuds(&offers);
    row.as_object_mut().unwrap().remove("offers");
    row["price"] = 1299.into();
    assert!(shop.import(&json!([row]).to_string(), &[]).status.success());
    let owner = people.join_as_admin("owner@example.com");
    let path = "/product/update-product/earbuds";
    let mut change = product_with(1, json!({"title": "Better earbuds", "price": 999}));
    let put = |change: &Value| {
        let answer = send(&people, &owner, Method::PUT, path, change);
        assert_eq!(answer.status(), 200);
    };
    put(&change);
    wait_until("the change is seen", || server.list("")[0]["price"] == 999);
    assert_eq!(checked(), "2025-11-01T12:26:40.000Z");
    // One with offers does, even without a change.
    change["offers"] = offers.clone();
    put(&change);
    assert_ne!(checked(), "2025-11-01T12:26:40.000Z");
    for changed in [true, false] {
        back_then();
        let mut row = earbuds(&offers);
        row["price"] = 1499.into();
        let said = shop.import(&json!([row]).to_string(), &[]);
        let said = String::from_utf8(said.stdout).unwrap();
        let wanted = if changed { "1 updated" } else { "1 unchanged" };
        assert!(said.contains(wanted), "{said}");
        wait_until("the import looked at them", || {
            checked() != "2025-11-01T12:26:40.000Z"
        });
    }
    assert!(!page(server, "/details/earbuds").contains("Checked on 1 November 2025."));
}
