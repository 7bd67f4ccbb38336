//! Events and their delivery.

use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::{Value, json};

use super::{Hooked, OPTIONS, Receiver};
use crate::support::harness::{product_with, succeeds, wait_until};

/// Time for which the webhook waits after its last failure.
const WAIT: &str =
    "SELECT until - last_error_at FROM webhooks JOIN outgoing_waits ON lane = 'webhook:' || id";

const ALL: [&str; 3] = ["product.added", "product.changed", "product.ended"];

#[test]
fn products_that_are_added_changed_and_ended_are_sent_with_their_state_and_link() {
    let shop = Hooked::with(&[product_with(9, json!({"_id": "old"}))]);
    let hook = shop.hook(&ALL);
    let id = shop.add(&product_with(1, json!({})));
    let added = shop.receiver.wait_for(1);
    let body = added.body();
    assert_eq!(body["type"], "product.added");
    assert_eq!(body["data"]["id"], id.as_str());
    assert_eq!(body["data"]["state"], "live");
    let link = shop.people.server.url(&format!("/details/{id}"));
    assert_eq!(body["data"]["link"], link);
    assert!(body["timestamp"].as_str().unwrap().ends_with('Z'), "{body}");
    assert_eq!(added.headers["content-type"], "application/json");
    assert!(!added.headers.contains_key("cookie"));

    let update = format!("/product/update-product/{id}");
    let (status, said) = shop.call(
        Method::PUT,
        &update,
        &product_with(1, json!({"title": "Other"})),
    );
    assert_eq!(status, 200, "{said}");
    let changed = shop.receiver.wait_for(2);
    assert_eq!(changed.body()["type"], "product.changed");
    assert_eq!(changed.valid_signatures(&hook.secret), 1);
    // A click is no change.
    let click = format!("/product/increament-views/{id}");
    assert_eq!(shop.people.server.post(&click).status(), 200);

    let draft = product_with(1, json!({"title": "Other", "status": "draft"}));
    assert_eq!(shop.call(Method::PUT, &update, &draft).0, 200);
    let ended = shop.receiver.wait_for(3).body();
    assert_eq!(ended["type"], "product.ended");
    assert_eq!(ended["data"]["state"], "draft");
    let delete = "/product/delete-product/old";
    assert_eq!(shop.call(Method::DELETE, delete, &json!({})).0, 200);
    let ended = shop.receiver.wait_for(4).body();
    assert_eq!(ended["type"], "product.ended");
    assert_eq!(
        ended["data"],
        json!({
            "id": "old", "state": "deleted", "link": shop.people.server.url("/details/old"),
        })
    );
    let shown = shop.emptied(&hook);
    assert!(shown["deliveredAt"].is_string(), "{shown}");
    assert!(shown["lastErrorAt"].is_null(), "{shown}");
    assert_eq!(shown["lastError"], "");
}

#[test]
fn a_failed_backup_is_sent() {
    let shop = Hooked::with(&[]);
    shop.hook(&["backup.failed"]);
    shop.people.server.stop();
    std::fs::write(shop.people.shop.file("backups"), "").unwrap();
    let options = [&OPTIONS[..], &["--backup-dir", "backups"]].concat();
    let server = shop.people.shop.serve_with(&options);
    let body = shop.receiver.wait_for(1).body();
    assert_eq!(body["type"], "backup.failed");
    assert_eq!(body["data"]["link"], server.url("/admin"));
}

#[test]
fn an_event_outlives_a_kill_between_the_change_and_its_delivery() {
    let mut shop = Hooked::with(&[]);
    shop.receiver.answer("503 Busy\r\nretry-after: 3600");
    let hook = shop.hook(&["product.added"]);
    let id = shop.add(&product_with(1, json!({})));
    shop.people.server.signal("KILL");
    shop.people.server.wait_for_exit();
    shop.receiver.answer("200 OK");
    let before = shop.receiver.received().len();
    shop.pass_time();
    let server = shop.people.shop.serve_with(&OPTIONS);
    let received = shop.receiver.wait_for(before + 1);
    assert_eq!(received.body()["data"]["id"], id.as_str());
    assert_eq!(received.valid_signatures(&hook.secret), 1);
    drop(server);
}

#[test]
fn a_failed_event_is_tried_eight_times_with_one_id() {
    let shop = Hooked::with(&[]);
    shop.receiver.answer("500 Oops");
    let hook = shop.hook(&["product.added"]);
    shop.add(&product_with(1, json!({})));
    for attempt in 1..8 {
        wait_until("the attempt is recorded", || {
            shop.number("SELECT attempts FROM outgoing") == attempt
        });
        let shown = shop.shown(&hook);
        assert_eq!(shown["lastError"], "It answered with status 500.");
        assert_eq!(shown["waiting"], 1);
        shop.pass_time();
    }
    let shown = shop.emptied(&hook);
    assert!(shown["failingSince"].is_string() && shown["lastErrorAt"].is_string());
    assert!(shown["deliveredAt"].is_null(), "{shown}");
    let received = shop.receiver.received();
    let ids: BTreeSet<_> = received
        .iter()
        .map(|one| &one.headers["webhook-id"])
        .collect();
    assert_eq!((received.len(), ids.len()), (8, 1));

    shop.receiver.answer("200 OK");
    shop.add(&product_with(2, json!({})));
    shop.receiver.wait_for(9);
    let shown = shop.emptied(&hook);
    assert!(shown["failingSince"].is_null() && shown["deliveredAt"].is_string());
    assert_eq!(shown["lastError"], "It answered with status 500.");
}

#[test]
fn retry_after_postpones_everything_for_the_webhook() {
    let shop = Hooked::with(&[]);
    shop.receiver.answer("429 Slow\r\nretry-after: 7200");
    let hook = shop.hook(&["product.added"]);
    shop.add(&product_with(1, json!({})));
    shop.failed(&hook, "too many requests (429)");
    let wait = shop.number(WAIT);
    assert!((7_100_000..=7_200_000).contains(&wait), "{wait}");
    shop.add(&product_with(2, json!({})));
    assert_eq!(shop.shown(&hook)["waiting"], 2);
    assert_eq!(shop.receiver.received().len(), 1);
    shop.receiver.answer("200 OK");
    shop.pass_time();
    shop.receiver.wait_for(3);
    shop.emptied(&hook);
}

#[test]
fn a_receiver_that_asks_for_a_day_twice_is_asked_again_after_six_hours_and_stays_on() {
    let shop = Hooked::with(&[]);
    shop.receiver.answer("503 Busy\r\nretry-after: 86400");
    let hook = shop.hook(&["product.added"]);
    shop.add(&product_with(1, json!({})));
    for attempt in 1..=2 {
        wait_until("the attempt is recorded", || {
            shop.number("SELECT attempts FROM outgoing") == attempt
        });
        let wait = shop.number(WAIT);
        assert!((21_500_000..=21_600_000).contains(&wait), "{wait}");
        assert_eq!(shop.shown(&hook)["on"], true);
        // The wait is over.
        let sql = "UPDATE webhooks SET failing_since = failing_since - 6 * 3600000";
        shop.people.shop.database().execute(sql, []).unwrap();
        shop.pass_time();
    }
    shop.receiver.wait_for(3);
    assert_eq!(shop.shown(&hook)["on"], true);
}

#[test]
fn a_redirect_is_a_failure_and_is_not_followed() {
    let shop = Hooked::with(&[]);
    let other = shop.receiver.url("/elsewhere");
    shop.receiver
        .answer(&format!("307 Moved\r\nlocation: {other}"));
    let hook = shop.hook(&["product.added"]);
    shop.add(&product_with(1, json!({})));
    shop.failed(&hook, "a redirect (307), which is not followed");
    assert_eq!(shop.receiver.received().len(), 1);
}

fn assert_switched_off(shop: &Hooked, hook: &super::Made, reason: &str) {
    wait_until("it is switched off", || shop.shown(hook)["on"] == false);
    let shown = shop.shown(hook);
    assert!(
        shown["offReason"].as_str().unwrap().contains(reason),
        "{shown}"
    );
    assert_eq!(shown["waiting"], 0);
    let mail = shop.people.mailbox.next();
    assert_eq!(mail.subject(), "A webhook of your shop was switched off");
    assert!(mail.recipients[0].contains("owner@example.com"));
    let log = shop.people.shop.log();
    assert!(log.contains("the server") && log.contains(reason), "{log}");
}

#[test]
fn an_address_that_is_gone_is_switched_off_with_a_mail() {
    let shop = Hooked::with(&[]);
    shop.receiver.answer("410 Gone");
    let hook = shop.hook(&["product.added"]);
    shop.add(&product_with(1, json!({})));
    assert_switched_off(&shop, &hook, "gone (410)");
    // Switched on again, it works.
    shop.receiver.answer("200 OK");
    let on = json!({"url": shop.receiver.url("/hook"), "events": ["product.added"]});
    let path = format!("/webhooks/{}", hook.id);
    assert_eq!(shop.call(Method::PUT, &path, &on).0, 200);
    shop.add(&product_with(2, json!({})));
    shop.receiver.wait_for(2);
}

#[test]
fn a_day_of_failure_switches_a_webhook_off() {
    let shop = Hooked::with(&[]);
    shop.receiver.answer("500 Oops");
    let hook = shop.hook(&["product.added"]);
    shop.add(&product_with(1, json!({})));
    shop.failed(&hook, "500");
    let sql = "UPDATE webhooks SET failing_since = failing_since - 24 * 3600000";
    shop.people.shop.database().execute(sql, []).unwrap();
    shop.pass_time();
    assert_switched_off(&shop, &hook, "Nothing was delivered for a day.");
}

#[test]
fn a_later_change_of_a_product_replaces_the_one_that_waits() {
    let shop = Hooked::with(&[]);
    shop.receiver.answer("503 Busy\r\nretry-after: 3600");
    let hook = shop.hook(&ALL);
    let id = shop.add(&product_with(1, json!({})));
    shop.failed(&hook, "503");
    let update = format!("/product/update-product/{id}");
    for title in ["One", "Two", "Three"] {
        let body = product_with(1, json!({"title": title}));
        assert_eq!(shop.call(Method::PUT, &update, &body).0, 200);
    }
    assert_eq!(shop.shown(&hook)["waiting"], 1);
    shop.receiver.answer("200 OK");
    shop.pass_time();
    assert_eq!(shop.receiver.wait_for(2).body()["type"], "product.added");
}

#[test]
fn a_large_import_queues_a_bounded_number_of_events() {
    let shop = Hooked::with(&[]);
    shop.receiver.answer("503 Busy\r\nretry-after: 3600");
    let hook = shop.hook(&["product.added"]);
    // It waits from the start.
    shop.add(&product_with(0, json!({})));
    shop.failed(&hook, "503");
    let products: Vec<Value> = (1..=12_000).map(|n| product_with(n, json!({}))).collect();
    std::fs::write(
        shop.people.shop.file("many.json"),
        json!(products).to_string(),
    )
    .unwrap();
    succeeds(shop.people.shop.run(&["import", "many.json"]));
    let shown = shop.shown(&hook);
    let (waiting, dropped) = (
        shown["waiting"].as_u64().unwrap(),
        shown["dropped"].as_u64().unwrap(),
    );
    assert!((9_500..=10_256).contains(&waiting), "{shown}");
    assert_eq!(waiting + dropped, 12_001, "{shown}");
}

#[test]
fn without_a_webhook_that_is_on_changes_queue_nothing() {
    let shop = Hooked::with(&[]);
    shop.add(&product_with(1, json!({})));
    assert_eq!(shop.number("SELECT count(*) FROM outgoing"), 0);
}

#[test]
fn a_receiver_without_an_answer_delays_no_other_one() {
    let shop = Hooked::with(&[]);
    let (slow, slower) = (Receiver::start(), Receiver::start());
    let hooks = [&slow, &slower].map(|receiver| {
        receiver.fall_silent();
        shop.hook_to(receiver, &["product.added"])
    });
    shop.hook(&["product.added"]);
    shop.add(&product_with(1, json!({})));
    slow.wait_for(1);
    slower.wait_for(1);
    shop.receiver.wait_for(1);
    // Events that come while the others are being waited for are sent as well.
    shop.add(&product_with(2, json!({})));
    shop.receiver.wait_for(2);
    for hook in &hooks {
        let shown = shop.shown(hook);
        assert!(shown["lastErrorAt"].is_null(), "it is still waited for");
    }
}

#[test]
fn a_webhook_gets_one_event_after_the_other() {
    let shop = Hooked::with(&[]);
    let hook = shop.hook(&["product.added"]);
    let ids: Vec<String> = (0..20)
        .map(|n| shop.add(&product_with(n, json!({}))))
        .collect();
    shop.receiver.wait_for(ids.len());
    let received = shop.receiver.received();
    let sent: Vec<String> = received
        .iter()
        .map(|one| one.body()["data"]["id"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(sent, ids, "in their order, each once");
    shop.emptied(&hook);
    assert_eq!(shop.receiver.received().len(), ids.len());
}
