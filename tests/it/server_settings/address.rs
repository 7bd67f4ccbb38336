//! Where the shop's domain leads.

use reqwest::Method;
use serde_json::json;

use super::Office;

const CHECK: &str = "/settings/address/test";

#[test]
fn a_domain_is_looked_up_for_an_administrator_and_said_in_a_sentence() {
    let office = Office::open(&[]);
    let body = json!({"domain": " Deals.invalid "});
    let answer = office.send(Method::POST, CHECK, Some(&body));
    assert_eq!(answer.status(), 200);
    assert_eq!(answer.headers()["cache-control"], "no-store");
    let answer: serde_json::Value = answer.json().unwrap();
    assert_eq!(
        (&answer["leadsHere"], &answer["addresses"]),
        (&json!(false), &json!([]))
    );
    let message = answer["message"].as_str().unwrap();
    assert!(
        message.starts_with("deals.invalid leads nowhere yet. "),
        "{message}"
    );
    for domain in [
        "",
        "localhost",
        "127.0.0.1",
        "[::1]",
        "http://deals.invalid/x",
        "a b.invalid",
    ] {
        let answer = office.send(Method::POST, CHECK, Some(&json!({"domain": domain})));
        assert_eq!(answer.status(), 400, "{domain}");
        let answer: serde_json::Value = answer.json().unwrap();
        assert_eq!(
            answer["fields"]["domain"], "Enter a domain, like deals.example.com.",
            "{domain}"
        );
    }
    let anonymous = office
        .server
        .client()
        .post(office.server.url(CHECK))
        .json(&body);
    assert_eq!(anonymous.send().unwrap().status(), 401);
}

#[test]
fn look_ups_of_domains_are_limited() {
    let office = Office::open(&[]);
    // Longer than names may be: nobody is asked.
    let domain = format!("{}.invalid", "a".repeat(64));
    let statuses: Vec<u16> = (0..30)
        .map(|_| {
            let body = json!({"domain": domain});
            office
                .send(Method::POST, CHECK, Some(&body))
                .status()
                .as_u16()
        })
        .collect();
    assert_eq!(statuses.first(), Some(&200));
    assert!(statuses.contains(&429), "{statuses:?}");
}
