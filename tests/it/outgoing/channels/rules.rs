//! Deals that are posted by rules.

use reqwest::Method;
use serde_json::{Value, json};

use super::Posting;
use crate::support::harness::{product_with, succeeds, wait_until};

/// A rule without quiet hours: tests run at any hour.
fn rule(more: Value) -> Value {
    let mut rule = json!({"on": true, "quietFrom": null, "quietTo": null});
    let more = more.as_object().unwrap().clone();
    rule.as_object_mut().unwrap().extend(more);
    json!({ "rule": rule })
}

fn add(shop: &Posting, number: usize, changes: Value) -> String {
    let product = product_with(number, changes);
    let (status, added) = shop.call(Method::POST, "/product/add-product", &product);
    assert_eq!(status, 201, "{added}");
    added["product"]["_id"].as_str().unwrap().to_owned()
}

/// Waits until no product is news any more.
fn looked(shop: &Posting) {
    wait_until("the news are settled", || {
        shop.number("SELECT count(*) FROM channel_news") == 0
    });
}

fn posted(shop: &Posting, channel: &str) -> Vec<String> {
    let mut posts = shop.posts(channel);
    posts.reverse();
    let ids = posts
        .iter()
        .map(|post| post["id"].as_str().unwrap().to_owned());
    ids.collect()
}

#[test]
fn a_deal_of_the_rule_is_posted_when_it_goes_live_or_becomes_cheaper() {
    let shop = Posting::with(&[product_with(1, json!({"_id": "old", "category": "Books"}))]);
    let channel = shop.chat(rule(
        json!({"query": "?category=Books&minDiscount=10", "perHour": 60}),
    ));
    let book = json!({"category": "Books"});
    let first = add(&shop, 2, book.clone());
    assert!(
        shop.service
            .wait_for(1)
            .text("caption")
            .contains("Product 2")
    );
    add(&shop, 3, json!({"category": "Books", "discount": 5}));
    add(&shop, 4, json!({"category": "Home"}));
    let draft = add(&shop, 5, json!({"category": "Books", "status": "draft"}));
    looked(&shop);
    assert_eq!(posted(&shop, &channel), [first.as_str()]);
    shop.save(
        &draft,
        &product_with(5, json!({"category": "Books", "status": "live"})),
    );
    // Dearer, and then cheaper.
    let dearer = json!({"category": "Books", "price": 900});
    shop.save("old", &product_with(1, dearer));
    looked(&shop);
    let cheaper = json!({"category": "Books", "price": 90});
    shop.save("old", &product_with(1, cheaper));
    looked(&shop);
    assert_eq!(posted(&shop, &channel), [first.as_str(), &draft, "old"]);
    assert!(
        shop.posts(&channel)
            .iter()
            .all(|post| post["byRule"] == true)
    );
    // Not again, however cheap.
    let cheapest = json!({"category": "Books", "price": 80});
    shop.save("old", &product_with(1, cheapest));
    looked(&shop);
    assert_eq!(posted(&shop, &channel).len(), 3);
}

#[test]
fn an_import_is_posted_as_the_rule_allows_and_the_rest_comes_later() {
    let shop = Posting::with(&[]);
    let channel = shop.add(&json!({
        "kind": "nowhere", "name": "Trial", "rule": rule(json!({"query": "tag=loot", "perHour": 2}))["rule"],
    }));
    let products: Vec<_> = (1..6)
        .map(|number| {
            product_with(
                number,
                json!({"tags": if number == 3 { vec![] } else { vec!["loot"] }}),
            )
        })
        .collect();
    succeeds(shop.people.shop.import(&json!(products).to_string(), &[]));
    let states = |wanted: &str| {
        let posts = shop.posts(&channel);
        posts.iter().filter(|post| post["state"] == wanted).count()
    };
    wait_until("two are posted", || states("sent") == 2);
    shop.settled();
    assert_eq!((states("sent"), states("waiting")), (2, 2));
    let wait = "SELECT min(next_at) - (SELECT min(sent_at) FROM posts) FROM outgoing";
    assert_eq!(shop.number(wait), 3_600_000);
    shop.execute("UPDATE posts SET sent_at = sent_at - 3600000");
    shop.pass_time();
    wait_until("all are posted", || states("sent") == 4);
    assert_eq!(posted(&shop, &channel).len(), 4);
}

#[test]
fn a_post_by_hand_does_not_wait_for_the_hour_of_the_rule() {
    let shop = Posting::with(&[product_with(1, json!({"_id": "urgent"}))]);
    let channel = shop.add(&json!({
        "kind": "nowhere", "name": "Trial", "rule": rule(json!({"perHour": 1}))["rule"],
    }));
    for number in 2..4 {
        add(&shop, number, json!({}));
    }
    wait_until("one waits", || shop.shown(&channel)["waiting"] == 1);
    shop.post(&channel, "urgent");
    assert_eq!(shop.newest(&channel, "sent")["id"], "urgent");
    assert_eq!(shop.shown(&channel)["waiting"], 1);
}

#[test]
fn a_deal_that_is_over_before_its_turn_is_not_posted() {
    let shop = Posting::with(&[]);
    let channel = shop.add(&json!({
        "kind": "nowhere", "name": "Trial", "rule": rule(json!({"perHour": 1}))["rule"],
    }));
    add(&shop, 1, json!({}));
    let late = add(&shop, 2, json!({}));
    wait_until("one waits", || shop.shown(&channel)["waiting"] == 1);
    shop.save(
        &late,
        &product_with(2, json!({"endsAt": "2026-01-01T00:00:00Z"})),
    );
    shop.pass_time();
    let post = shop.newest(&channel, "failed");
    assert_eq!(post["error"], "The deal was over before its turn came.");
}

#[test]
fn a_rule_for_proven_prices_leaves_out_new_deals() {
    let shop = Posting::with(&[]);
    let trial = |name: &str, more: Value| {
        shop.add(&json!({"kind": "nowhere", "name": name, "rule": rule(more)["rule"]}))
    };
    let proven = trial("Proven", json!({"provenOnly": true}));
    let every = trial("Every", json!({}));
    add(&shop, 1, json!({}));
    shop.newest(&every, "sent");
    assert!(shop.posts(&proven).is_empty());
}
