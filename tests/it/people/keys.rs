//! API keys of programs.

use reqwest::Method;
use reqwest::blocking::Response;
use serde_json::{Value, json};

use crate::support::harness::{Shop, fails, product_with, succeeds, text};
use crate::support::people::{People, Someone, error};

/// Beginning of each key.
pub const KEY: &str = "deals_live_";

/// Makes a key by the API and returns it.
pub fn key_of(people: &People, owner: &Someone, name: &str, scopes: &[&str]) -> String {
    let answer = make(people, owner, &json!({"name": name, "scopes": scopes}));
    assert_eq!(answer.status(), 201);
    let body: Value = answer.json().unwrap();
    assert_eq!(body["key"]["name"], name);
    body["secret"].as_str().unwrap().to_owned()
}

fn make(people: &People, owner: &Someone, body: &Value) -> Response {
    let request = people.request(Method::POST, "/keys");
    request
        .header("cookie", &owner.cookie)
        .json(body)
        .send()
        .unwrap()
}

fn add(people: &People, key: &str) -> Response {
    let request = people.request(Method::POST, "/product/add-product");
    let request = request.bearer_auth(key).json(&product_with(1, json!({})));
    request.send().unwrap()
}

fn listed(people: &People, owner: &Someone) -> Vec<Value> {
    let request = people.request(Method::GET, "/keys");
    let answer = request.header("cookie", &owner.cookie).send().unwrap();
    let body: Value = answer.json().unwrap();
    body["data"].as_array().unwrap().clone()
}

#[test]
fn a_new_api_key_is_shown_once() {
    let people = People::new();
    let owner = people.join_as_admin("owner@example.com");
    let key = key_of(
        &people,
        &owner,
        "nightly",
        &["products:write", "products:write"],
    );
    assert!(key.starts_with(KEY) && key.len() == 47, "{key}");
    assert_eq!(add(&people, &key).status(), 201);

    let [shown] = &listed(&people, &owner)[..] else {
        panic!()
    };
    assert_eq!(shown["scopes"], json!(["products:write"]));
    assert_eq!(shown["prefix"], key[11..15]);
    assert!(shown["lastUsedAt"].is_string(), "{shown}");
    assert!(!shown.to_string().contains(&key));
    let file = std::fs::read(people.shop.db()).unwrap();
    assert!(!String::from_utf8_lossy(&file).contains(&key[11..]));
    let log = people.shop.log();
    assert!(log.contains("key: nightly"), "{log}");

    let path = format!("/keys/{}", shown["id"].as_str().unwrap());
    let revoke = || {
        let request = people.request(Method::DELETE, &path);
        request
            .header("cookie", &owner.cookie)
            .send()
            .unwrap()
            .status()
            .as_u16()
    };
    assert_eq!(revoke(), 200);
    assert_eq!(revoke(), 404);
    let refused = add(&people, &key);
    assert_eq!(refused.status(), 401);
    let challenge = refused.headers()["www-authenticate"].to_str().unwrap();
    assert!(challenge.contains("invalid_token"), "{challenge}");
    let body: Value = refused.json().unwrap();
    assert_eq!(body["code"], "invalid_api_key");
    let log = people.shop.log();
    assert!(log.contains("key.nightly"), "{log}");
}

#[test]
fn mistyped_and_expired_api_keys_are_refused() {
    let people = People::new();
    let owner = people.join_as_admin("owner@example.com");
    people.join_as_admin("second@example.com");
    let key = key_of(&people, &owner, "nightly", &["products:write"]);
    let last = if key.ends_with('0') { "1" } else { "0" };
    let wrong = format!("{}{last}", &key[..46]);
    assert_eq!(add(&people, &wrong).status(), 401);
    assert_eq!(add(&people, &key).status(), 201);

    let expire = "UPDATE api_keys SET expires_at = 1";
    people.shop.database().execute(expire, []).unwrap();
    assert_eq!(add(&people, &key).status(), 401);
    // An expired key's name is free.
    let key = key_of(&people, &owner, "nightly", &["products:write"]);
    assert_eq!(add(&people, &key).status(), 201);
    let demote = ["set-role", "owner@example.com", "editor"];
    assert!(people.shop.user(&demote, "").status.success());
    assert_eq!(add(&people, &key).status(), 401);
}

#[test]
fn an_api_key_in_an_address_is_refused() {
    let people = People::new();
    let owner = people.join_as_admin("owner@example.com");
    let key = key_of(&people, &owner, "nightly", &["products:read"]);
    for path in ["/product/export?key=", "/product/by-link?link="] {
        let answer = people.server.get(&format!("{path}{key}"));
        assert_eq!(answer.status(), 400, "{path}");
        let said = error(answer);
        assert!(said.contains("Revoke that key"), "{said}");
    }
    assert_eq!(people.me(&key), 401);
}

#[test]
fn requests_with_an_api_key_are_rate_limited() {
    let people = People::new();
    let owner = people.join_as_admin("owner@example.com");
    let key = key_of(&people, &owner, "cron", &["products:write"]);
    let add = || {
        let request = people.request(Method::POST, "/product/add-product");
        let request = request.bearer_auth(&key).header("idempotency-key", "once");
        let answer = request.json(&product_with(1, json!({}))).send().unwrap();
        (answer.status().as_u16(), answer.text().unwrap())
    };
    let first = add();
    assert_eq!(first.0, 201);
    assert_eq!(add(), first);
    let many: Vec<u16> = (0..40).map(|_| add().0).collect();
    assert!(many.contains(&429), "{many:?}");
    assert!(many.iter().filter(|status| **status == 201).count() >= 8);
}

#[test]
fn invalid_api_keys_are_not_created() {
    let people = People::new();
    let owner = people.join_as_admin("owner@example.com");
    key_of(&people, &owner, "taken", &["import"]);
    for (body, field) in [
        (json!({}), "name"),
        (json!({"name": "a", "scopes": []}), "scopes"),
        (json!({"name": "a", "scopes": ["everything"]}), "scopes"),
        (
            json!({"name": "a", "scopes": ["import"], "days": 0}),
            "days",
        ),
        (
            json!({"name": "a", "scopes": ["import"], "days": 731}),
            "days",
        ),
        (json!({"name": " ", "scopes": ["import"]}), "name"),
        (
            json!({"name": "x".repeat(51), "scopes": ["import"]}),
            "name",
        ),
        (json!({"name": "taken", "scopes": ["import"]}), "name"),
    ] {
        let answer = make(&people, &owner, &body);
        assert_eq!(answer.status(), 400, "{body}");
        let answer: Value = answer.json().unwrap();
        assert!(answer["fields"][field].is_string(), "{body}: {answer}");
    }
    for n in 0..19 {
        key_of(&people, &owner, &format!("key {n}"), &["import"]);
    }
    let answer = make(
        &people,
        &owner,
        &json!({"name": "one more", "scopes": ["import"]}),
    );
    assert_eq!(answer.status(), 400);
    assert!(error(answer).contains("at most 20 keys"));
}

#[test]
fn the_command_line_makes_lists_and_revokes_keys() {
    let shop = Shop::new();
    let said = fails(shop.run(&["key", "list"]));
    assert!(said.contains("there is no database"), "{said}");
    let people = People::with(shop, &[]);
    let make = ["key", "add", "nightly", "--scope", "import", "--days", "90"];
    let said = fails(people.shop.run(&make));
    assert!(said.contains("there is no administrator"), "{said}");
    people.join_as_admin("owner@example.com");
    let output = people.shop.run(&make);
    assert!(output.status.success());
    let key = text(&output.stdout).trim().to_owned();
    assert!(key.starts_with(KEY) && key.len() == 47, "{key}");
    assert!(text(&output.stderr).contains("only time that the key is shown"));
    let import = people
        .request(Method::POST, "/product/import")
        .bearer_auth(&key)
        .header("content-type", "application/json")
        .body(json!([product_with(1, json!({}))]).to_string())
        .send()
        .unwrap();
    assert_eq!(import.status(), 200);
    let list = succeeds(people.shop.run(&["key", "list"]));
    assert!(list.starts_with("nightly: import, until "), "{list}");
    assert!(list.contains("used on"), "{list}");
    let list = succeeds(people.shop.run(&["key", "list", "--json"]));
    let list: Value = serde_json::from_str(&list).unwrap();
    assert_eq!(list[0]["owner"], "owner@example.com");

    let wrong = people.shop.run(&["key", "add", "x", "--scope", "all"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(
        text(&wrong.stderr).contains("products:read"),
        "{}",
        text(&wrong.stderr)
    );
    assert_eq!(
        succeeds(people.shop.run(&["key", "revoke", "nightly"])),
        "revoked nightly\n"
    );
    let said = fails(people.shop.run(&["key", "revoke", "nightly"]));
    assert!(said.contains("deals key list"), "{said}");
}
