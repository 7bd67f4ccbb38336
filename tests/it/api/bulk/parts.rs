//! Changes of many products are made in parts, between which others write, and hold as a whole.

use std::sync::atomic::{AtomicBool, Ordering};

use reqwest::Method;
use reqwest::blocking::{RequestBuilder, Response};
use rusqlite::Connection;
use serde_json::{Value, json};

use crate::api::product_forms::{accepted, send};
use crate::support::harness::{Shop, product_with, succeeds, wait_until};
use crate::support::people::{People, Someone};

/// More than two parts.
const MANY: usize = 1_200;
/// Attempts at steps that may come too late on a busy machine.
const TRIES: usize = 20;

fn shop_with_many() -> (People, Someone) {
    let products: Vec<Value> = (0..MANY)
        .map(|n| {
            let link = format!("https://www.amazon.in/dp/B0{n:08}");
            let id = format!("p{n}");
            product_with(
                n,
                json!({"_id": id, "price": 1_000 + n, "affiliateLink": link}),
            )
        })
        .collect();
    let people = People::with(Shop::with(&products), &[]);
    let owner = people.join_as_admin("owner@example.com");
    (people, owner)
}

/// The body of a change of every product.
fn all(action: &str, value: &Value) -> Value {
    json!({"list": "", "total": MANY, "action": action, "value": value, "unit": "percent"})
}

fn bulk(people: &People, owner: &Someone) -> RequestBuilder {
    let request = people.request(Method::POST, "/product/bulk");
    request.header("cookie", &owner.cookie)
}

/// Every product as an export has it, without the time of its last change.
fn products(shop: &Shop) -> Vec<Value> {
    let exported = succeeds(shop.run(&["export"]));
    let mut products: Vec<Value> = serde_json::from_str(&exported).unwrap();
    for product in &mut products {
        product.as_object_mut().unwrap().remove("updatedAt");
    }
    products
}

fn count(connection: &Connection, sql: &str) -> i64 {
    connection.query_row(sql, [], |row| row.get(0)).unwrap()
}

fn open_changes(connection: &Connection) -> i64 {
    count(connection, "SELECT count(*) FROM undos WHERE is_open = 1")
}

fn entries(people: &People, owner: &Someone) -> Vec<(Value, Value, Value)> {
    let path = "/product/activity";
    let log = accepted(people, owner, Method::GET, path, &json!({}));
    let entries = log["data"].as_array().unwrap().iter();
    entries
        .map(|entry| {
            let of = |name: &str| entry[name].clone();
            (of("action"), of("lines"), of("undo"))
        })
        .collect()
}

#[test]
fn a_large_bulk_change_has_one_activity_entry_and_one_undo() {
    let (people, owner) = shop_with_many();
    let before = products(&people.shop);
    for (action, value, logged) in [
        ("changePrice", json!(10), "changed"),
        ("discount", json!(25), "changed"),
        ("category", json!("Books"), "changed"),
        ("setEnd", json!("2126-01-01T00:00:00Z"), "changed"),
        ("end", json!(null), "changed"),
        ("delete", json!(null), "deleted"),
    ] {
        let send = || {
            let request = bulk(&people, &owner).header("idempotency-key", action);
            request.json(&all(action, &value)).send().unwrap()
        };
        let answer: Value = send().json().unwrap();
        assert_eq!(answer["changed"], MANY, "{action}: {answer}");
        let again = send();
        assert_eq!(again.headers()["idempotency-replayed"], "true", "{action}");
        assert_eq!(again.json::<Value>().unwrap(), answer, "{action}");
        assert_ne!(products(&people.shop), before, "{action}");

        let undo = format!("/product/undo/{}", answer["undo"].as_str().unwrap());
        let restored = accepted(&people, &owner, Method::POST, &undo, &json!({}));
        assert_eq!(restored["restored"], MANY, "{action}");
        assert_eq!(products(&people.shop), before, "{action}");
        assert_eq!(send_again(&people, &owner, &undo).status(), 404, "{action}");
        let undone = if action == "delete" {
            "added"
        } else {
            "changed"
        };
        assert_eq!(
            entries(&people, &owner)[..2],
            [
                (json!(undone), json!(MANY), json!(true)),
                (json!(logged), json!(MANY), json!(false)),
            ],
            "{action}"
        );
    }
    let connection = people.shop.database();
    assert_eq!(count(&connection, "SELECT count(*) FROM undo_products"), 0);
    assert!(!succeeds(people.shop.run(&["check"])).contains("wrong"));
}

fn send_again(people: &People, owner: &Someone, undo: &str) -> Response {
    send(people, owner, Method::POST, undo, &json!({}))
}

/// Clicks while a request is being answered; returns how many clicks were counted while the change or
/// the undo was open.
fn clicks_beside(people: &People, request: RequestBuilder) -> usize {
    let connection = people.shop.database();
    let is_done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let is_done = &is_done;
        let answer = scope.spawn(move || {
            let answer = request.send().unwrap();
            is_done.store(true, Ordering::SeqCst);
            answer.status()
        });
        let mut beside = 0;
        while !is_done.load(Ordering::SeqCst) {
            let was_open = open_changes(&connection) > 0;
            let click = people.server.post("/product/increament-views/p7");
            assert_eq!(click.status(), 200);
            beside += usize::from(was_open && open_changes(&connection) > 0);
        }
        assert_eq!(answer.join().unwrap(), 200);
        beside
    })
}

#[test]
fn clicks_are_counted_between_the_parts_of_a_bulk_change() {
    let (people, owner) = shop_with_many();
    let connection = people.shop.database();
    let (mut of_change, mut of_undo) = (0, 0);
    for round in 0..TRIES {
        let value = json!(["Books", "Home"][round % 2]);
        let change = bulk(&people, &owner).json(&all("category", &value));
        of_change += clicks_beside(&people, change);
        let undo: String = connection
            .query_row("SELECT id FROM undos ORDER BY key DESC", [], |row| {
                row.get(0)
            })
            .unwrap();
        let undo = people.request(Method::POST, &format!("/product/undo/{undo}"));
        of_undo += clicks_beside(&people, undo.header("cookie", &owner.cookie));
        if of_change > 0 && of_undo > 0 {
            return;
        }
    }
    panic!("no click came between: {of_change} beside changes, {of_undo} beside undos");
}

#[test]
fn a_change_that_fails_in_a_later_part_changes_nothing() {
    let (people, owner) = shop_with_many();
    let before = products(&people.shop);
    let connection = people.shop.database();
    let last: String = connection
        .query_row(
            "SELECT id FROM products ORDER BY created_at, key LIMIT 1",
            [],
            |row| row.get(0),
        )
        .unwrap();
    // Something else keeps the product from being changed.
    let refuse = format!(
        "CREATE TRIGGER refuse BEFORE UPDATE OF category ON products WHEN old.id = '{last}' \
         BEGIN SELECT RAISE(ABORT, 'refused'); END"
    );
    connection.execute_batch(&refuse).unwrap();
    let change = || {
        let request = bulk(&people, &owner).header("idempotency-key", "once");
        request.json(&all("category", &json!("Books"))).send()
    };
    assert_eq!(change().unwrap().status(), 500);
    // An export refuses a database with a trigger that is not the program's.
    connection.execute_batch("DROP TRIGGER refuse").unwrap();
    assert_eq!(products(&people.shop), before);
    assert_eq!(open_changes(&connection), 0);
    let is_undo = &entries(&people, &owner)[0].2;
    assert_eq!(*is_undo, json!(true), "a part was made and reverted");
    let done: Value = change().unwrap().json().unwrap();
    assert_eq!(done["changed"], MANY);
}

/// Sends a request and kills the server after one of its parts and before the last; returns whether it
/// was in time.
fn kill_between_parts(people: &mut People, request: RequestBuilder, is_begun: &str) -> bool {
    let connection = people.shop.database();
    let answer = std::thread::spawn(move || request.send().is_ok());
    wait_until("a part is made", || {
        count(&connection, is_begun) > 0 || answer.is_finished()
    });
    people.server.signal("KILL");
    people.server.wait_for_exit();
    let is_answered = answer.join().unwrap();
    !is_answered && open_changes(&connection) == 1
}

const PART_OF_CHANGE: &str = "SELECT count(*) FROM undo_products";

#[test]
fn a_killed_bulk_change_can_be_repeated() {
    for _ in 0..TRIES {
        let (mut people, owner) = shop_with_many();
        let before = products(&people.shop);
        let body = all("changePrice", &json!(10));
        let keyed = |people: &People| {
            let request = bulk(people, &owner).header("idempotency-key", "raise");
            request.json(&body)
        };
        let request = keyed(&people);
        if !kill_between_parts(&mut people, request, PART_OF_CHANGE) {
            continue;
        }
        assert_ne!(products(&people.shop), before, "a part was made");
        people.server = people.shop.serve();
        // Sent at once: the change does not wait for the job that reverts.
        let done: Value = keyed(&people).send().unwrap().json().unwrap();
        assert_eq!(done["changed"], MANY, "{done}");
        let log = entries(&people, &owner);
        let is_undo: Vec<_> = log[..3].iter().map(|(_, _, undo)| undo.clone()).collect();
        assert_eq!(
            is_undo,
            [json!(false), json!(true), json!(false)],
            "{log:?}"
        );
        assert_eq!(log[1].1, log[2].1, "as many as were changed");
        let log = people.shop.log();
        assert!(log.contains("the server"), "{log}");

        let undo = format!("/product/undo/{}", done["undo"].as_str().unwrap());
        accepted(&people, &owner, Method::POST, &undo, &json!({}));
        assert_eq!(products(&people.shop), before, "raised once and not twice");
        assert!(!succeeds(people.shop.run(&["check"])).contains("wrong"));
        return;
    }
    panic!("each change had ended before the server was killed");
}

#[test]
fn a_killed_tag_change_leaves_tag_and_links_unchanged() {
    for _ in 0..TRIES {
        let (mut people, owner) = shop_with_many();
        let before = products(&people.shop);
        let request = people.request(Method::POST, "/source/Amazon/tag");
        let request = request.header("cookie", &owner.cookie);
        let request = request.json(&json!({"tag": "x-21"}));
        let is_begun = "SELECT count(*) FROM undo_links";
        if !kill_between_parts(&mut people, request, is_begun) {
            continue;
        }
        assert_ne!(products(&people.shop), before, "a part was made");
        people.server = people.shop.serve();
        let connection = people.shop.database();
        wait_until("it is reverted", || open_changes(&connection) == 0);
        assert_eq!(products(&people.shop), before);
        let settings = succeeds(people.shop.run(&["settings", "get"]));
        assert!(!settings.contains("x-21"), "{settings}");
        let log = people.shop.log();
        assert!(log.contains("the server"), "{log}");
        return;
    }
    panic!("each change had ended before the server was killed");
}

#[test]
fn the_next_start_reverts_a_killed_bulk_change() {
    let mut killed = [false; 2];
    for round in 0..2 * TRIES {
        let (mut people, owner) = shop_with_many();
        let before = products(&people.shop);
        let delete = bulk(&people, &owner).json(&all("delete", &json!(null)));
        let is_undo = round % 2;
        let in_time = if is_undo == 0 {
            kill_between_parts(&mut people, delete, PART_OF_CHANGE)
        } else {
            let done: Value = delete.send().unwrap().json().unwrap();
            let undo = format!("/product/undo/{}", done["undo"].as_str().unwrap());
            let undo = people.request(Method::POST, &undo);
            let undo = undo.header("cookie", &owner.cookie);
            let is_begun = "SELECT count(*) FROM products";
            kill_between_parts(&mut people, undo, is_begun)
        };
        if !in_time {
            continue;
        }
        assert_ne!(products(&people.shop), before);
        people.server = people.shop.serve();
        let connection = people.shop.database();
        wait_until("it is reverted", || open_changes(&connection) == 0);
        assert_eq!(products(&people.shop), before);
        killed[is_undo] = true;
        if killed == [true; 2] {
            return;
        }
    }
    panic!("each had ended before the server was killed: {killed:?}");
}

#[test]
fn concurrent_bulk_changes_wait_for_each_other() {
    let (people, owner) = shop_with_many();
    let first: f64 = people.server.json("/product/product/p0")["product"]["finalPrice"]
        .as_f64()
        .unwrap();
    std::thread::scope(|scope| {
        let changes = [(); 3].map(|()| {
            let request = bulk(&people, &owner).json(&all("changePrice", &json!(100)));
            scope.spawn(move || request.send().unwrap().json::<Value>().unwrap())
        });
        for change in changes {
            assert_eq!(change.join().unwrap()["changed"], MANY);
        }
    });
    let last = people.server.json("/product/product/p0")["product"]["finalPrice"].clone();
    assert_eq!(last, first * 8.0);
}
