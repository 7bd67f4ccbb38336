//! Classifications of the sixty clicks in `tests/fixtures/clicks.json`.

use std::collections::BTreeMap;

use reqwest::Method;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::support::harness::{Shop, product_with, succeeds};
use crate::support::people::{People, Someone};

pub const CHROME: &str = "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 \
    (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36";

/// A click and its expected classification.
#[derive(Deserialize)]
#[serde(default)]
#[derive(Default)]
struct Case {
    agent: String,
    headers: BTreeMap<String, String>,
    body: String,
    verdict: String,
    reason: String,
}

pub fn shop_of(count: usize) -> (People, Someone) {
    let products: Vec<Value> = (0..count)
        .map(|n| product_with(n, json!({"_id": format!("p{n}")})))
        .collect();
    // A distinct address per click, where it matters.
    let people = People::with(Shop::with(&products), &[]);
    let owner = people.join_as_admin("owner@example.com");
    (people, owner)
}

pub fn click(
    people: &People,
    product: &str,
    address: &str,
    agent: &str,
    headers: &[(&str, &str)],
    body: &str,
) {
    let path = format!("/product/increament-views/{product}");
    let mut request = people
        .request(Method::POST, &path)
        .header("x-forwarded-for", address)
        .header("user-agent", agent)
        .body(body.to_owned());
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let response = request.send().unwrap();
    assert_eq!(response.status(), 200, "{agent} {body}");
}

pub fn ask(people: &People, owner: &Someone, path: &str) -> reqwest::blocking::Response {
    let request = people.request(Method::GET, path);
    request.header("cookie", &owner.cookie).send().unwrap()
}

pub fn report(people: &People, owner: &Someone, query: &str) -> Value {
    let response = ask(people, owner, &format!("/report/clicks?{query}"));
    assert_eq!(response.status(), 200, "{query}");
    response.json().unwrap()
}

/// Returns counted and uncounted clicks by key.
pub fn rows(report: &Value) -> Vec<(String, u64, u64)> {
    let rows = report["rows"].as_array().unwrap().iter();
    rows.map(|row| {
        let number = |name: &str| row[name].as_u64().unwrap();
        (
            row["key"].as_str().unwrap().to_owned(),
            number("counted"),
            number("leftOut"),
        )
    })
    .filter(|(_, counted, left_out)| counted + left_out > 0)
    .collect()
}

#[test]
fn each_of_sixty_requests_gets_its_classification_and_its_reason() {
    let cases: Vec<Case> =
        serde_json::from_str(include_str!("../../fixtures/clicks.json")).unwrap();
    let (people, owner) = shop_of(cases.len());
    for (n, case) in cases.iter().enumerate() {
        let headers: Vec<(&str, &str)> = case
            .headers
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        let address = format!("10.0.0.{n}");
        click(
            &people,
            &format!("p{n}"),
            &address,
            &case.agent,
            &headers,
            &case.body,
        );
    }
    let left_out: Vec<Value> = (1..3)
        .flat_map(|page| {
            let path = format!("/report/left-out?page={page}");
            let answer: Value = ask(&people, &owner, &path).json().unwrap();
            answer["data"].as_array().unwrap().clone()
        })
        .collect();
    for (n, case) in cases.iter().enumerate() {
        let id = format!("p{n}");
        let found = left_out.iter().find(|click| click["product"] == id);
        let told = found.map_or(("counted", ""), |click| {
            (
                click["verdict"].as_str().unwrap(),
                click["reason"].as_str().unwrap(),
            )
        });
        let expected = (case.verdict.as_str(), case.reason.as_str());
        assert_eq!(told, expected, "{} {}", case.agent, case.body);
        if let Some(found) = found {
            assert_eq!(found["agent"], case.agent);
        }
        // The response counts every click.
        assert_eq!(
            people.server.json(&format!("/product/product/{id}"))["product"]["clicks"],
            1
        );
    }
    let counted = cases
        .iter()
        .filter(|case| case.verdict == "counted")
        .count();
    let totals = &report(&people, &owner, "by=verdict")["totals"];
    assert_eq!(
        *totals,
        json!({"counted": counted, "leftOut": cases.len() - counted, "clicks": cases.len()})
    );
}

#[test]
fn three_hundred_people_behind_one_address_are_counted_and_a_double_tap_once() {
    let (people, owner) = shop_of(1);
    for visit in 0..300 {
        let body = json!({"visit": format!("{visit:x}"), "place": "list"}).to_string();
        click(&people, "p0", "10.1.1.1", CHROME, &[], &body);
    }
    for _ in 0..2 {
        click(&people, "p0", "10.1.1.1", CHROME, &[], "{\"visit\":\"7\"}");
    }
    let found = report(&people, &owner, "by=verdict");
    assert_eq!(
        rows(&found),
        [("counted".to_owned(), 300, 0), ("repeat".to_owned(), 0, 2)]
    );
    // Repeated clicks without script are one visitor's.
    for _ in 0..3 {
        click(&people, "p0", "10.2.2.2", CHROME, &[], "");
    }
    let found = report(&people, &owner, "by=verdict");
    assert_eq!(
        found["totals"],
        json!({"counted": 301, "leftOut": 4, "clicks": 305})
    );
}

#[test]
fn more_deals_in_a_minute_than_a_person_opens_are_left_out() {
    let (people, owner) = shop_of(25);
    for n in 0..25 {
        click(
            &people,
            &format!("p{n}"),
            "10.3.3.3",
            CHROME,
            &[],
            "{\"visit\":\"a\"}",
        );
    }
    let found = report(&people, &owner, "by=verdict");
    assert_eq!(
        rows(&found),
        [("counted".to_owned(), 20, 0), ("burst".to_owned(), 0, 5)]
    );
}

#[test]
fn clicks_of_staff_are_left_out_of_reports() {
    let products = [product_with(1, json!({"_id": "p0"}))];
    let people = People::with(
        Shop::with(&products),
        &[
            "--trusted-proxy",
            "127.0.0.1",
            "--own-network",
            "10.9.0.0/16",
        ],
    );
    let owner = people.join_as_admin("owner@example.com");
    let asha = people.join("asha@example.com");
    click(
        &people,
        "p0",
        "10.1.0.1",
        CHROME,
        &[("cookie", owner.cookie.as_str())],
        "",
    );
    click(&people, "p0", "10.9.0.1", CHROME, &[], "");
    click(
        &people,
        "p0",
        "10.1.0.2",
        CHROME,
        &[("cookie", asha.cookie.as_str())],
        "",
    );
    // A click with an expired session is counted.
    click(
        &people,
        "p0",
        "10.1.0.3",
        CHROME,
        &[("cookie", "session=nobody")],
        "",
    );
    let found = report(&people, &owner, "by=verdict");
    assert_eq!(
        rows(&found),
        [("counted".to_owned(), 2, 0), ("yours".to_owned(), 0, 2)]
    );
}

#[test]
fn no_address_of_a_visitor_is_stored() {
    let (people, _owner) = shop_of(1);
    click(
        &people,
        "p0",
        "203.0.113.77",
        CHROME,
        &[],
        "{\"visit\":\"1\"}",
    );
    click(&people, "p0", "203.0.113.77", "curl/8", &[], "");
    succeeds(people.shop.run(&["backup", "copy.sqlite"]));
    for file in [people.shop.db(), people.shop.file("copy.sqlite")] {
        let bytes = std::fs::read(file).unwrap();
        assert!(!bytes.windows(12).any(|part| part == b"203.0.113.77"));
    }
    let log = people.server.stop();
    assert!(!log.contains("203.0.113.77"), "{log}");
}
