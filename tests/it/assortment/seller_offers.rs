//! Offers of a seller: the effective price of its products, and their beginning and end.

use reqwest::Method;
use reqwest::blocking::Response;
use serde_json::{Value, json};

use crate::api::product_forms::{accepted, send};
use crate::office::classifications::ask;
use crate::pages::server_rendering::page;
use crate::support::harness::{Shop, product_with, succeeds, wait_until};
use crate::support::people::{People, Someone, error};
use crate::support::times::{HOUR, after};

const OFFERS: &str = "/source/Amazon/offers";

fn deal(number: usize, id: &str, changes: Value) -> Value {
    let mut deal = product_with(number, json!({"_id": id, "price": 1000, "discount": 0}));
    for (name, value) in changes.as_object().unwrap() {
        deal[name] = value.clone();
    }
    deal
}

/// A shop with two deals of Amazon, one of them a book, and one of Flipkart.
fn shop() -> (People, Someone) {
    let deals = [
        deal(1, "phone", json!({})),
        deal(2, "book", json!({"category": "Books", "price": 400})),
        deal(3, "other", json!({"source": "Flipkart"})),
    ];
    let people = People::with(Shop::with(&deals), &[]);
    let owner = people.join_as_admin("owner@example.com");
    (people, owner)
}

fn add(people: &People, owner: &Someone, offer: &Value) -> Response {
    send(people, owner, Method::POST, OFFERS, offer)
}

/// Adds an offer, and returns its id.
fn added(people: &People, owner: &Someone, offer: &Value) -> String {
    let answer = add(people, owner, offer);
    assert_eq!(answer.status(), 201, "{offer}");
    let answer: Value = answer.json().unwrap();
    let last = answer["data"].as_array().unwrap().last().unwrap().clone();
    last["id"].as_str().unwrap().to_owned()
}

fn product(people: &People, id: &str) -> Value {
    people.server.json(&format!("/product/product/{id}"))["product"].clone()
}

fn effective(people: &People, id: &str) -> Value {
    product(people, id)["effectivePrice"].clone()
}

fn hdfc() -> Value {
    json!({"kind": "bank", "text": "HDFC card", "percent": 10, "instant": true})
}

#[test]
fn an_offer_of_a_seller_counts_for_each_of_its_deals() {
    let (people, owner) = shop();
    page(&people.server, "/details/phone");
    let offer = json!({"kind": "coupon", "code": "FEST", "percent": 20, "endsAt": after(HOUR)});
    added(&people, &owner, &offer);
    added(&people, &owner, &hdfc());

    // The seller's page lists them, with the code by itself.
    let html = page(&people.server, "/seller/amazon");
    for expected in [
        "<code>FEST</code>",
        "<b>20% off</b>Coupon · All Amazon deals, until ",
        "<b>10% off</b>HDFC card · All Amazon deals</span>",
    ] {
        assert!(html.contains(expected), "{expected}: {html}");
    }

    let phone = product(&people, "phone");
    assert_eq!(phone["finalPrice"], 1000, "the price itself stays");
    assert_eq!(phone["effectivePrice"], 720);
    assert_eq!(phone["shown"]["effective"], "₹720 with code and HDFC card");
    assert_eq!(phone["offers"][0]["scope"], "All Amazon deals");
    assert_eq!(phone["offers"][0]["words"], "Coupon: 20% off");
    assert_eq!(effective(&people, "book"), 288);
    assert_eq!(effective(&people, "other"), Value::Null);
    assert_eq!(product(&people, "other")["offers"], json!([]));
    let listed = people.server.list("source=Amazon&sortBy=price");
    assert_eq!(listed[0], phone);
    let cards = page(&people.server, "/");
    assert!(
        cards.contains("<b>₹720 with code and HDFC card</b>"),
        "{cards}"
    );
    let details = page(&people.server, "/details/phone");
    assert!(details.contains("<b>₹720</b> with FEST and HDFC card"));
    assert!(details.contains("<code>FEST</code>"));
    assert!(
        details.contains("<b>20% off</b>Coupon · All Amazon deals"),
        "{details}"
    );
    let seller = page(&people.server, "/seller/amazon");
    assert!(
        seller.contains("<b>20% off</b>Coupon · All Amazon deals, until "),
        "{seller}"
    );
    // Structured data has the price without codes.
    assert!(details.contains("\"price\":\"1000\""));
    assert!(!succeeds(people.shop.run(&["export"])).contains("FEST"));
}

#[test]
fn an_offer_of_a_seller_counts_in_its_category_and_from_its_minimum() {
    let (people, owner) = shop();
    let body = json!({"name": "Novels", "parent": "books"});
    assert_eq!(
        send(&people, &owner, Method::POST, "/category", &body).status(),
        201
    );
    let mut deal = deal(2, "book", json!({"category": "Novels", "price": 400}));
    accepted(
        &people,
        &owner,
        Method::PUT,
        "/product/update-product/book",
        &deal,
    );
    let offer = json!({"kind": "coupon", "code": "READ", "amount": 100, "category": "Books"});
    let id = added(&people, &owner, &offer);
    assert_eq!(effective(&people, "book"), 300, "with the categories below");
    assert_eq!(effective(&people, "phone"), Value::Null);
    let scope = |id: &str| product(&people, id)["offers"][0]["scope"].clone();
    assert_eq!(scope("book"), "Amazon deals in Books");
    // It follows a category that is called otherwise.
    let body = json!({"name": "Reading"});
    accepted(&people, &owner, Method::PUT, "/category/books", &body);
    assert_eq!(scope("book"), "Amazon deals in Reading");
    assert_eq!(effective(&people, "book"), 300);
    let removed = send(
        &people,
        &owner,
        Method::DELETE,
        "/category/reading",
        &json!({}),
    );
    assert_eq!(removed.status(), 409, "an offer needs it");

    let offer = json!({"kind": "coupon", "code": "READ", "amount": 100, "minPrice": 400});
    let path = format!("{OFFERS}/{id}");
    let changed = accepted(&people, &owner, Method::PUT, &path, &offer);
    assert_eq!(changed["data"][0]["minPrice"], 400);
    assert_eq!(changed["data"][0].get("category"), None);
    assert_eq!(scope("phone"), "Amazon deals from ₹400");
    assert_eq!(
        (effective(&people, "book"), effective(&people, "phone")),
        (300.into(), 900.into())
    );
    deal["price"] = 399.99.into();
    accepted(
        &people,
        &owner,
        Method::PUT,
        "/product/update-product/book",
        &deal,
    );
    assert_eq!(effective(&people, "book"), Value::Null);
    assert_eq!(product(&people, "book")["offers"], json!([]));

    accepted(&people, &owner, Method::DELETE, &path, &json!({}));
    assert_eq!(effective(&people, "phone"), Value::Null);
    assert_eq!(
        send(&people, &owner, Method::DELETE, &path, &json!({})).status(),
        404
    );
}

#[test]
fn the_best_of_the_offers_of_deal_and_seller_counts_and_a_deal_keeps_only_its_own() {
    let (people, owner) = shop();
    let own = json!([{"kind": "coupon", "code": "MINE", "percent": 30}]);
    let deal = deal(1, "phone", json!({"offers": own}));
    let path = "/product/update-product/phone";
    accepted(&people, &owner, Method::PUT, path, &deal);
    for offer in [
        json!({"kind": "coupon", "code": "LESS", "percent": 20}),
        hdfc(),
    ] {
        added(&people, &owner, &offer);
    }
    let phone = product(&people, "phone");
    assert_eq!(phone["effectivePrice"], 630);
    assert_eq!(phone["offers"].as_array().unwrap().len(), 3);
    assert!(phone["offers"][0].get("scope").is_none(), "{phone}");
    // A program that sends back what it read leaves the seller's offers with the seller.
    let mut again = deal.clone();
    again["offers"] = phone["offers"].clone();
    accepted(&people, &owner, Method::PUT, path, &again);
    assert_eq!(
        product(&people, "phone")["offers"]
            .as_array()
            .unwrap()
            .len(),
        3
    );
    let export = succeeds(people.shop.run(&["export"]));
    assert!(
        export.contains("MINE") && !export.contains("LESS"),
        "{export}"
    );
    added(
        &people,
        &owner,
        &json!({"kind": "coupon", "code": "MORE", "percent": 50}),
    );
    assert_eq!(effective(&people, "phone"), 450);
}

#[test]
fn offers_of_a_seller_begin_and_end_in_cached_responses_by_the_clock() {
    let (people, owner) = shop();
    let offer = json!({"kind": "coupon", "code": "SOON", "percent": 50, "startsAt": after(2_500)});
    let id = added(&people, &owner, &offer);
    let has_words = || page(&people.server, "/").contains("₹500 with code");
    let has_code = || page(&people.server, "/details/phone").contains("SOON");
    for _ in 0..4 {
        assert_eq!(
            (has_words(), has_code()),
            (false, false),
            "it has not begun"
        );
    }
    let listed: Value = ask(&people, &owner, OFFERS).json().unwrap();
    assert_eq!(listed["data"][0]["state"], "scheduled");
    wait_until("the offer has begun", || has_words() && has_code());
    let path = format!("{OFFERS}/{id}");
    let offer = json!({"kind": "coupon", "code": "SOON", "percent": 50, "endsAt": after(2_500)});
    accepted(&people, &owner, Method::PUT, &path, &offer);
    assert!(has_words());
    wait_until("the offer is over", || !has_words() && !has_code());
    let listed: Value = ask(&people, &owner, OFFERS).json().unwrap();
    assert_eq!(listed["data"][0]["state"], "ended");
}

#[test]
fn an_invalid_offer_of_a_seller_is_refused_with_what_is_wrong() {
    let (people, owner) = shop();
    let with = |name: &str, value: Value| {
        let mut offer = hdfc();
        offer[name] = value;
        offer
    };
    for (offer, field, words) in [
        (
            with("kind", json!("gift")),
            "kind",
            "The kind must be one of",
        ),
        (with("text", json!("")), "text", "Say whose offer it is"),
        (
            with("category", json!("Toys")),
            "category",
            "There is no category \"Toys\".",
        ),
        (
            with("category", json!(5)),
            "category",
            "The category must be its name.",
        ),
        (
            with("minPrice", json!(-1)),
            "minPrice",
            "minPrice must be rupees above 0",
        ),
        (
            with("endsAt", json!("2026-01-01T00:00:00Z")),
            "endsAt",
            "The end is over: 1 Jan 2026, 05:30",
        ),
        (
            with("startsAt", json!("tomorrow")),
            "startsAt",
            "The start must be a time with its zone",
        ),
        (json!([]), "", "An offer must be a JSON object."),
    ] {
        let refused = add(&people, &owner, &offer);
        assert_eq!(refused.status(), 400, "{offer}");
        let said: Value = refused.json().unwrap();
        let message = said["fields"][field].as_str().unwrap_or_default();
        assert!(message.starts_with(words), "{said}");
    }
    let mut offer = with("startsAt", json!(after(2 * HOUR)));
    offer["endsAt"] = after(HOUR).into();
    assert_eq!(
        error(add(&people, &owner, &offer)),
        "The end must be after the start."
    );
    let unknown = send(
        &people,
        &owner,
        Method::POST,
        "/source/Nobody/offers",
        &hdfc(),
    );
    assert_eq!(unknown.status(), 404);
    assert!(error(unknown).starts_with("No deal and no setting names this seller."));
    // Settings name it before its first deal.
    people.shop.set_rules("A/B shop", "open");
    let path = "/source/A%2FB%20shop/offers";
    let early = send(&people, &owner, Method::POST, path, &hdfc());
    assert_eq!(early.status(), 201);
    // Another seller's offer is not this seller's.
    let early: Value = early.json().unwrap();
    let path = format!("{OFFERS}/{}", early["data"][0]["id"].as_str().unwrap());
    for method in [Method::PUT, Method::DELETE] {
        assert_eq!(send(&people, &owner, method, &path, &hdfc()).status(), 404);
    }
}

#[test]
fn a_seller_has_at_most_20_offers_which_only_administrators_change() {
    let (people, owner) = shop();
    let visitor = people.join("visitor@example.com");
    assert_eq!(add(&people, &visitor, &hdfc()).status(), 403);
    assert_eq!(ask(&people, &visitor, OFFERS).status(), 403);
    assert_eq!(people.server.get(OFFERS).status(), 401);
    for _ in 0..20 {
        added(&people, &owner, &hdfc());
    }
    let refused = add(&people, &owner, &hdfc());
    assert_eq!(refused.status(), 409);
    assert!(error(refused).starts_with("Amazon has 20 offers"));
    let log: Value = ask(&people, &owner, "/product/activity").json().unwrap();
    let change = &log["data"][0]["details"]["offers.Amazon"];
    assert_eq!(change["from"], "");
    assert_eq!(
        change["to"],
        "Bank offer: 10% off, HDFC card, All Amazon deals"
    );
}

#[test]
fn the_text_of_a_seller_is_kept_with_every_preset_and_logged() {
    let (people, owner) = shop();
    let put = |rules: Value| {
        let sources: Value = ask(&people, &owner, "/settings/sources").json().unwrap();
        let body = json!({"version": sources["version"], "source.Amazon": rules});
        send(&people, &owner, Method::PUT, "/settings", &body)
    };
    let rules = || {
        let sources: Value = ask(&people, &owner, "/settings/sources").json().unwrap();
        sources["data"][0]["rules"].clone()
    };
    assert_eq!(
        put(json!({"text": " Ships *everything*.\n\nEven tea. "})).status(),
        200
    );
    assert_eq!(rules()["text"], "Ships *everything*.\n\nEven tea.");
    assert_eq!(rules()["preset"], "open", "a text is no rule");
    let log: Value = ask(&people, &owner, "/product/activity").json().unwrap();
    let change = &log["data"][0]["details"]["sellerText.Amazon"];
    assert_eq!(change["to"], "Ships *everything*.\n\nEven tea.");
    assert_eq!(put(json!({"preset": "amazon-india"})).status(), 200);
    assert_eq!(rules()["text"], "Ships *everything*.\n\nEven tea.");
    assert_eq!(rules()["preset"], "amazon-india");
    let refused = put(json!({"text": "x".repeat(501)}));
    assert_eq!(
        error(refused),
        "The seller's text must be at most 500 characters."
    );
}
