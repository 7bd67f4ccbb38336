//! The queue: drafts go live one after the other.

use jiff::{SignedDuration, Timestamp};
use reqwest::Method;
use serde_json::{Value, json};

use crate::api::product_forms::send;
use crate::support::harness::{Shop, product_with, wait_until};
use crate::support::people::{People, Someone};
use crate::support::times::{HOUR, after};

/// A shop with the drafts `p0` to `p4` and the live product `p5`.
fn shop() -> (People, Someone) {
    shop_with(&json!({}))
}

/// Like [`shop`], with other values of `p0`.
fn shop_with(values: &Value) -> (People, Someone) {
    let mut products: Vec<Value> = (0..6)
        .map(|n| {
            let status = if n < 5 { "draft" } else { "live" };
            product_with(n, json!({"_id": format!("p{n}"), "status": status}))
        })
        .collect();
    let first = products[0].as_object_mut().unwrap();
    first.extend(values.as_object().unwrap().clone());
    let people = People::with(Shop::with(&products), &[]);
    let owner = people.join_as_admin("owner@example.com");
    (people, owner)
}

/// Sends a request; returns the status and the answer.
fn ask(shop: &(People, Someone), method: Method, path: &str, body: &Value) -> (u16, Value) {
    let answer = send(&shop.0, &shop.1, method, path, body);
    (answer.status().as_u16(), answer.json().unwrap())
}

fn change(shop: &(People, Someone), body: Value) -> (u16, Value) {
    ask(shop, Method::PUT, "/queue", &body)
}

fn add(shop: &(People, Someone), ids: &[&str]) -> Vec<(bool, String)> {
    let (status, answer) = ask(shop, Method::POST, "/queue", &json!({ "ids": ids }));
    assert_eq!(status, 200, "{answer}");
    let data = answer["data"].as_array().unwrap();
    let each = data.iter().map(|row| {
        let message = row["message"].as_str().unwrap();
        (row["queued"].as_bool().unwrap(), message.to_owned())
    });
    each.collect()
}

fn queue(shop: &(People, Someone)) -> Value {
    ask(shop, Method::GET, "/queue", &json!(null)).1
}

fn ids(queue: &Value) -> Vec<String> {
    let drafts = queue["data"].as_array().unwrap().iter();
    let ids = drafts.map(|draft| draft["_id"].as_str().unwrap().to_owned());
    ids.collect()
}

fn at(queue: &Value, row: usize) -> Timestamp {
    let at = queue["data"][row]["at"].as_str();
    at.unwrap().parse().unwrap()
}

/// Live products, the newest first.
fn live(shop: &(People, Someone)) -> Vec<String> {
    let cards = shop.0.server.list("");
    let ids = cards.iter().map(|card| card["_id"].as_str().unwrap());
    ids.map(ToOwned::to_owned).collect()
}

/// Moves the last publication back by an hour.
fn an_hour_passes(shop: &(People, Someone)) {
    let sql = "UPDATE queue_rules SET last_at = last_at - ?";
    shop.0.shop.database().execute(sql, [HOUR]).unwrap();
}

/// Number of times that the activity log says of a product that it went live.
fn publications(shop: &(People, Someone), id: &str) -> i64 {
    let sql = "SELECT count(*) FROM activity WHERE product = ? AND action = 'changed'";
    let connection = shop.0.shop.database();
    connection.query_row(sql, [id], |row| row.get(0)).unwrap()
}

#[test]
fn drafts_of_the_queue_go_live_one_after_the_other_and_missed_ones_come_spaced() {
    let shop = shop();
    let whole_day = json!({"from": "00:00", "to": "00:00", "perHour": 4});
    assert_eq!(change(&shop, whole_day).0, 200);
    add(&shop, &["p2", "p0", "p1"]);
    wait_until("the first is live", || live(&shop) == ["p2", "p5"]);
    let waiting = queue(&shop);
    assert_eq!(ids(&waiting), ["p0", "p1"]);
    let gap = SignedDuration::from_mins(15);
    assert_eq!(at(&waiting, 1).duration_since(at(&waiting, 0)), gap);
    let (first, now) = (at(&waiting, 0), Timestamp::now());
    assert!(first > now + gap - SignedDuration::from_mins(5) && first < now + gap);

    // Four of them were due meanwhile: one goes live, and the next waits for its interval.
    let (people, owner) = shop;
    let (_, people) = {
        let stopped = people.shop.database();
        let sql = "UPDATE queue_rules SET last_at = last_at - ?";
        stopped.execute(sql, [HOUR]).unwrap();
        people.restart()
    };
    let shop = (people, owner);
    wait_until("the second is live", || live(&shop).len() == 3);
    let waiting = queue(&shop);
    assert_eq!(ids(&waiting).len(), 1);
    assert!(at(&waiting, 0) > Timestamp::now() + gap - SignedDuration::from_mins(5));
    let newest = &live(&shop)[0];
    assert_eq!(publications(&shop, newest), 1);
}

#[test]
fn a_killed_server_publishes_each_draft_once() {
    let mut shop = shop();
    change(
        &shop,
        json!({"from": "00:00", "to": "00:00", "perHour": 60}),
    );
    add(&shop, &["p0", "p1", "p2", "p3"]);
    wait_until("the first is live", || live(&shop).len() == 2);
    for round in 2..5 {
        an_hour_passes(&shop);
        shop.0.server.signal("KILL");
        shop.0.server.wait_for_exit();
        let (people, owner) = shop;
        let server = people.shop.serve();
        shop = (People { server, ..people }, owner);
        wait_until("the next is live", || live(&shop).len() > round);
        assert_eq!(live(&shop).len(), round + 1);
    }
    for id in ["p0", "p1", "p2", "p3"] {
        assert_eq!(publications(&shop, id), 1, "{id}");
    }
    assert!(ids(&queue(&shop)).is_empty());
}

#[test]
fn a_paused_queue_is_ordered_and_drafts_leave_it() {
    let shop = shop();
    let (status, changed) = change(&shop, json!({"paused": true}));
    assert_eq!((status, &changed["paused"]), (200, &json!(true)));
    let said = add(&shop, &["p0", "p1", "p2", "p5", "nowhere", "p0"]);
    assert_eq!(
        said.iter().map(|(queued, _)| *queued).collect::<Vec<_>>(),
        [true, true, true, false, false, true]
    );
    assert!(said[3].1.contains("not a draft") && said[5].1.contains("already"));
    let seen = queue(&shop);
    assert_eq!(
        (&seen["data"][0]["at"], ids(&seen)),
        (&json!(null), vec!["p0".into(), "p1".into(), "p2".into()])
    );

    let order = json!({"order": ["p2", "gone", "p0"], "version": seen["version"]});
    let (status, changed) = change(&shop, order.clone());
    assert_eq!(
        (status, ids(&changed)),
        (200, vec!["p2".into(), "p0".into(), "p1".into()])
    );
    assert_eq!(change(&shop, order).0, 409);
    let (status, refused) = change(&shop, json!({"perHour": 0, "to": "25:00"}));
    assert_eq!(
        (status, refused["fields"].as_object().unwrap().len()),
        (400, 2)
    );

    let out = |id: &str| ask(&shop, Method::DELETE, &format!("/queue/{id}"), &json!(null)).0;
    assert_eq!((out("p0"), out("p0")), (200, 404));
    let path = "/product/delete-product/p1";
    assert_eq!(ask(&shop, Method::DELETE, path, &json!(null)).0, 200);
    let publish = json!({"ids": ["p2"], "action": "publish"});
    assert_eq!(ask(&shop, Method::POST, "/product/bulk", &publish).0, 200);
    assert!(ids(&queue(&shop)).is_empty());
    let log = ask(&shop, Method::GET, "/product/activity", &json!(null)).1;
    assert!(
        log.to_string()
            .contains("4 an hour from 09:00 to 21:00, to every channel, paused")
    );
}

#[test]
fn a_draft_that_starts_later_lets_others_pass() {
    let shop = shop_with(&json!({"startsAt": after(48 * HOUR)}));
    add(&shop, &["p0", "p1"]);
    change(&shop, json!({"from": "00:00", "to": "00:00"}));
    wait_until("the other is live", || live(&shop) == ["p1", "p5"]);
    let waiting = queue(&shop);
    assert_eq!(ids(&waiting), ["p0"]);
    let waits = waiting["data"][0]["waits"].as_str().unwrap();
    assert!(waits.starts_with("Waits for its start"), "{waits}");
}

#[test]
fn what_leaves_the_queue_is_posted_to_its_channels() {
    let shop = shop();
    let channel = |name: &str| {
        let body = json!({"kind": "nowhere", "name": name});
        let (status, added) = ask(&shop, Method::POST, "/channel", &body);
        assert_eq!(status, 201, "{added}");
        added["channel"]["id"].as_str().unwrap().to_owned()
    };
    let (first, second) = (channel("First"), channel("Second"));
    let posted = |channel: &str| {
        let posts = ask(
            &shop,
            Method::GET,
            &format!("/channel/{channel}/posts"),
            &json!(null),
        )
        .1;
        let posts = posts["data"].as_array().unwrap().iter();
        let ids = posts.map(|post| post["id"].as_str().unwrap().to_owned());
        ids.collect::<Vec<_>>()
    };
    let chosen =
        json!({"from": "00:00", "to": "00:00", "everyChannel": false, "channels": [second]});
    assert_eq!(change(&shop, chosen).0, 200);
    add(&shop, &["p0"]);
    wait_until("the first is live", || live(&shop).len() == 2);
    assert_eq!(
        (posted(&first), posted(&second)),
        (vec![], vec!["p0".to_owned()])
    );
    change(&shop, json!({"everyChannel": true}));
    an_hour_passes(&shop);
    add(&shop, &["p1"]);
    wait_until("the second is live", || live(&shop).len() == 3);
    assert_eq!(posted(&first), ["p1"]);
    assert_eq!(posted(&second), ["p1", "p0"]);
    let path = format!("/channel/{second}");
    assert_eq!(ask(&shop, Method::DELETE, &path, &json!({})).0, 200);
    assert_eq!(queue(&shop)["channels"], json!([]));
}

#[test]
fn a_change_that_names_what_there_is_not_is_refused_with_what_to_do() {
    let shop = shop();
    let many: Vec<String> = (0..1_001).map(|n| n.to_string()).collect();
    for (body, field, words) in [
        (
            json!({"channels": ["gone"]}),
            "channels",
            "no channel “gone”",
        ),
        (
            json!({"order": many}),
            "order",
            "at most 1000 ids; this order has 1001",
        ),
        (json!({"from": "+1:00"}), "from", "“+1:00” is not a time"),
        (
            json!({"to": "24:00"}),
            "to",
            "from 00:00 to 23:59: write one like 09:00",
        ),
        (json!({"to": "1:5"}), "to", "“1:5” is not a time"),
    ] {
        let (status, said) = change(&shop, body);
        assert_eq!(status, 400, "{said}");
        let message = said["fields"][field].as_str().unwrap_or_default();
        assert!(message.contains(words), "{said}");
    }
    assert_eq!(queue(&shop)["version"], 1);
}
