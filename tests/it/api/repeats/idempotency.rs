//! `Idempotency-Key`: requests that are repeated after their answer was lost.

use std::sync::atomic::{AtomicUsize, Ordering};

use reqwest::Method;
use reqwest::blocking::{Client, RequestBuilder, Response};
use serde_json::{Value, json};

use crate::api::product_forms::send;
use crate::support::harness::{Server, Shop, product, product_with, succeeds, wait_until};
use crate::support::people::{People, Someone, at_once, error};

pub const ADD: &str = "/product/add-product";
const REPLAYED: &str = "idempotency-replayed";

pub fn shop() -> (People, Someone) {
    let people = People::with(Shop::new(), &[]);
    let owner = people.join_as_admin("owner@example.com");
    (people, owner)
}

fn keyed(people: &People, owner: &Someone, path: &str, key: &str) -> RequestBuilder {
    let request = people.request(Method::POST, path);
    request
        .header("cookie", &owner.cookie)
        .header("idempotency-key", key)
}

fn add(people: &People, owner: &Someone, key: &str, body: &Value) -> Response {
    keyed(people, owner, ADD, key).json(body).send().unwrap()
}

/// Status, whether it is a repeated answer, and body.
fn read(response: Response) -> (u16, bool, String) {
    let status = response.status().as_u16();
    let is_repeated = response.headers().contains_key(REPLAYED);
    assert_eq!(response.headers()["content-type"], "application/json");
    (status, is_repeated, response.text().unwrap())
}

pub fn total(server: &Server) -> i64 {
    let answer = server.json("/product/get-products");
    answer["meta"]["total"].as_i64().unwrap()
}

/// Links of all products, as the export of another process has them.
fn links(shop: &Shop) -> Vec<String> {
    let products: Vec<Value> = serde_json::from_str(&succeeds(shop.run(&["export"]))).unwrap();
    let link = |product: &Value| product["affiliateLink"].as_str().unwrap().to_owned();
    products.iter().map(link).collect()
}

#[test]
fn a_repeated_idempotent_request_gets_the_first_answer() {
    let (people, owner) = shop();
    let first = read(add(&people, &owner, "a-key", &product(1)));
    let (status, is_repeated, body) = &first;
    assert_eq!((*status, *is_repeated), (201, false), "{body}");
    let again = read(add(&people, &owner, "a-key", &product(1)));
    assert_eq!(again, (201, true, body.clone()));

    let (_, people) = people.restart();
    let answer = read(add(&people, &owner, "a-key", &product(1)));
    assert_eq!(answer, (201, true, body.clone()), "by cookie");
    let token = people.sign_in("owner@example.com").token;
    let mut request = people.request(Method::POST, ADD).bearer_auth(token);
    request = request.header("idempotency-key", "a-key");
    let after = read(request.json(&product(1)).send().unwrap());
    assert_eq!(after, (201, true, body.clone()), "by token");
    assert_eq!(total(&people.server), 1);
}

#[test]
fn concurrent_requests_with_one_idempotency_key_add_one_product() {
    let (people, owner) = shop();
    for round in 0..5 {
        let body = product(round);
        let key = format!("key-{round}");
        let answers = at_once(8, |_| read(add(&people, &owner, &key, &body)));
        let first = answers.iter().filter(|answer| !answer.1).count();
        assert_eq!(first, 1, "{answers:?}");
        assert!(
            answers
                .iter()
                .all(|it| (it.0, &it.2) == (201, &answers[0].2))
        );
    }
    assert_eq!(total(&people.server), 5);
}

#[test]
fn an_idempotency_key_belongs_to_one_request_of_one_account() {
    let (people, owner) = shop();
    let other = people.join_as_admin("other@example.com");
    assert_eq!(add(&people, &owner, "a-key", &product(1)).status(), 201);
    for (path, body) in [
        (ADD, product(2)),
        ("/product/add-product?unique=true", product(1)),
        ("/product/import", product(1)),
        ("/product/bulk", json!({"ids": ["x"], "action": "delete"})),
        ("/product/undo/x", json!({})),
    ] {
        let request = keyed(&people, &owner, path, "a-key").json(&body);
        let response = request.send().unwrap();
        assert_eq!(response.status(), 422, "{path}");
        assert!(error(response).contains("Send a new key"), "{path}");
    }
    let answer = read(add(&people, &other, "a-key", &product(1)));
    assert_eq!((answer.0, answer.1), (201, false), "another account");
    assert_eq!(total(&people.server), 2);
    let anonymous = people.request(Method::POST, ADD).json(&product(1));
    let anonymous = anonymous.header("idempotency-key", "a-key").send().unwrap();
    assert_eq!(anonymous.status(), 401);
}

#[test]
fn an_idempotency_key_has_one_to_255_visible_ascii_characters() {
    let (people, owner) = shop();
    let (long, too_long) = ("k".repeat(255), "k".repeat(256));
    for key in ["", &too_long, "two words", "schlüssel", "tab\there"] {
        let response = add(&people, &owner, key, &product(1));
        assert_eq!(response.status(), 400, "{key}");
        assert!(error(response).contains("1 to 255 visible ASCII"), "{key}");
    }
    let twice = keyed(&people, &owner, ADD, "one").header("idempotency-key", "two");
    let response = twice.json(&product(1)).send().unwrap();
    assert_eq!(response.status(), 400, "two keys");
    for key in [&long, "\"8e03978e-40d5-43e8-bc93-6894a57f9324\"", "!~"] {
        assert_eq!(
            add(&people, &owner, key, &product(1)).status(),
            201,
            "{key}"
        );
    }
    // Calls that create nothing ignore the header.
    let click = people.request(Method::POST, "/product/increament-views/none");
    let click = click.header("idempotency-key", "").send().unwrap();
    assert_eq!(click.status(), 404);
}

#[test]
fn a_failed_request_can_be_repeated_with_its_idempotency_key() {
    let (people, owner) = shop();
    let short = product_with(1, json!({"title": "x"}));
    assert_eq!(add(&people, &owner, "a-key", &short).status(), 400);
    assert_eq!(add(&people, &owner, "a-key", &product(1)).status(), 201);

    let unique = |key: &str| {
        let path = "/product/add-product?unique=true";
        let request = keyed(&people, &owner, path, key).json(&product(1));
        request.send().unwrap()
    };
    let refused = unique("second");
    assert_eq!(refused.status(), 409);
    let id = refused.json::<Value>().unwrap()["id"].clone();
    let path = format!("/product/delete-product/{}", id.as_str().unwrap());
    let deleted = send(&people, &owner, Method::DELETE, &path, &json!({}));
    assert_eq!(deleted.status(), 200);
    assert_eq!(unique("second").status(), 201);
}

#[test]
fn an_import_repeated_with_its_idempotency_key_is_made_once() {
    let (people, owner) = shop();
    let file = json!([product(1), product(2), {"title": "x"}]).to_string();
    let import = |path: &str, key: &str| {
        let request = keyed(&people, &owner, path, key);
        let request = request.header("content-type", "application/json");
        read(request.body(file.clone()).send().unwrap())
    };
    let path = "/product/import?skipInvalid=true";
    let refused = import("/product/import", "a-key");
    assert_eq!((refused.0, refused.1), (400, false));
    let tried = import("/product/import?skipInvalid=true&dryRun=true", "a-key");
    assert_eq!((tried.0, tried.1), (200, false), "{}", tried.2);

    let answers = at_once(3, |_| {
        // Imports take turns, and a busy machine asks some to come again.
        let mut answers = std::iter::repeat_with(|| import(path, "a-key"));
        answers.find(|answer| answer.0 != 503).unwrap()
    });
    let first = answers.iter().filter(|answer| !answer.1).count();
    assert_eq!(first, 1, "{answers:?}");
    for (status, _, body) in answers {
        let body: Value = serde_json::from_str(&body).unwrap();
        assert_eq!((status, &body["added"]), (200, &json!(2)), "{body}");
        assert_eq!(body["problems"][0]["row"], 3, "{body}");
    }
    // Another key asks again.
    let body: Value = serde_json::from_str(&import(path, "another-key").2).unwrap();
    assert_eq!((&body["added"], &body["unchanged"]), (&json!(0), &json!(2)));

    // A form is another text each time; its file counts.
    let form = |boundary: &str| {
        let kind = format!("multipart/form-data; boundary={boundary}");
        let body = format!(
            "--{boundary}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.json\"\r\n\r\n\
             {}\r\n--{boundary}--\r\n",
            json!([product(3)])
        );
        let request = keyed(&people, &owner, "/product/import", "a-form");
        read(
            request
                .header("content-type", kind)
                .body(body)
                .send()
                .unwrap(),
        )
    };
    let first = form("first");
    assert_eq!((first.0, first.1), (200, false), "{}", first.2);
    assert_eq!(form("second"), (200, true, first.2));
    assert_eq!(total(&people.server), 3);
}

#[test]
fn a_large_import_repeated_while_it_runs_is_made_once() {
    let (people, owner) = shop();
    let rows: Vec<_> = (0..3_000)
        .map(|n| {
            product_with(
                n,
                json!({"affiliateLink": "https://shop.example/same", "_id": format!("p{n}")}),
            )
        })
        .collect();
    let file = json!(rows).to_string();
    let answers = at_once(3, |_| {
        let request = keyed(&people, &owner, "/product/import", "a-key");
        let request = request.header("content-type", "application/json");
        read(request.body(file.clone()).send().unwrap())
    });
    let first = answers.iter().filter(|answer| !answer.1).count();
    assert_eq!(first, 1, "{answers:?}");
    assert!(
        answers
            .iter()
            .all(|it| (it.0, &it.2) == (200, &answers[0].2))
    );
    assert_eq!(total(&people.server), 3_000);
}

#[test]
fn a_bulk_change_repeated_with_its_idempotency_key_is_made_once() {
    let (people, owner) = shop();
    for number in 1..=2 {
        let response = send(&people, &owner, Method::POST, ADD, &product(number));
        assert_eq!(response.status(), 201);
    }
    // The list is empty when the request comes again.
    let body = json!({"list": "category=Electronics", "total": 2, "action": "delete"});
    let delete = || {
        let request = keyed(&people, &owner, "/product/bulk", "delete").json(&body);
        read(request.send().unwrap())
    };
    let first = delete();
    assert_eq!((first.0, first.1), (200, false), "{}", first.2);
    assert_eq!(delete(), (200, true, first.2.clone()));
    assert_eq!(total(&people.server), 0);

    let undo: Value = serde_json::from_str(&first.2).unwrap();
    let path = format!("/product/undo/{}", undo["undo"].as_str().unwrap());
    let undo = || read(keyed(&people, &owner, &path, "undo").send().unwrap());
    let first = undo();
    assert_eq!((first.0, first.2.as_str()), (200, "{\"restored\":2}"));
    assert_eq!(undo(), (200, true, first.2));
    assert_eq!(total(&people.server), 2);
}

/// Adds products with a key each until the server is killed; returns the number of those it answered.
fn add_until_killed(shop: &Shop, cookie: &str, first: usize) -> usize {
    let mut server = shop.serve();
    let answered = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        let (client, url, answered) = (server.client().clone(), server.url(ADD), &answered);
        scope.spawn(move || {
            for number in first.. {
                if try_to_add(&client, &url, cookie, number).is_none() {
                    return;
                }
                answered.fetch_add(1, Ordering::SeqCst);
            }
        });
        wait_until("five are added", || answered.load(Ordering::SeqCst) >= 5);
        server.signal("KILL");
        server.wait_for_exit();
    });
    answered.into_inner()
}

fn try_to_add(client: &Client, url: &str, cookie: &str, number: usize) -> Option<bool> {
    let request = client
        .post(url)
        .header("cookie", cookie)
        .json(&product(number));
    let response = request
        .header("idempotency-key", format!("key-{number}"))
        .send()
        .ok()?;
    assert_eq!(response.status(), 201);
    let is_repeated = response.headers().contains_key(REPLAYED);
    response.bytes().ok().map(|_| is_repeated)
}

#[test]
fn a_product_is_added_once_though_a_kill_lost_its_answer() {
    let (people, owner) = shop();
    let shop = people.shop;
    people.server.stop();
    let mut next = 0;
    for _ in 0..4 {
        let answered = add_until_killed(&shop, &owner.cookie, next);
        let server = shop.serve();
        let (client, url) = (server.client(), server.url(ADD));
        for number in next..next + answered {
            let is_repeated = try_to_add(client, &url, &owner.cookie, number);
            assert_eq!(is_repeated, Some(true), "product {number} was answered");
        }
        // The one in doubt: added or not, it is there once after it is sent again.
        next += answered;
        try_to_add(client, &url, &owner.cookie, next).unwrap();
        next += 1;
        let mut found = links(&shop);
        found.sort();
        found.dedup();
        assert_eq!((found.len(), total(&server)), (next, next as i64));
    }
}

#[test]
fn an_idempotency_key_is_free_again_after_a_day() {
    let (people, owner) = shop();
    for key in ["old", "new"] {
        assert_eq!(add(&people, &owner, key, &product(1)).status(), 201);
    }
    let age = |key: &str, hours: i64| {
        let sql = "UPDATE idempotency_keys SET at = at - ?1 * 3600000 WHERE key = ?2";
        let changed = people
            .shop
            .database()
            .execute(sql, rusqlite::params![hours, key]);
        assert_eq!(changed.unwrap(), 1);
    };
    age("old", 25);
    age("new", 23);
    let answer = |key: &str| read(add(&people, &owner, key, &product(1))).1;
    assert!(answer("new") && !answer("old"));
    age("old", 25);
    let (_, people) = people.restart();
    let keys = || {
        let database = people.shop.database();
        let mut statement = database
            .prepare("SELECT key FROM idempotency_keys")
            .unwrap();
        let keys = statement.query_map([], |row| row.get::<_, String>(0));
        keys.unwrap().collect::<Result<Vec<_>, _>>().unwrap()
    };
    wait_until("the old answer is deleted", || keys() == ["new"]);
}
