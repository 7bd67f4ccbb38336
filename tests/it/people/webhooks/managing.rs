//! Making, changing and removing webhooks.

use std::process::Command;

use reqwest::Method;
use serde_json::json;

use super::Hooked;
use crate::support::harness::{product_with, text};
use crate::support::people::People;

#[test]
fn a_secret_is_shown_once_sealed_and_never_in_the_log() {
    let shop = Hooked::with(&[]);
    let hook = shop.hook(&["product.added"]);
    assert!(hook.secret.starts_with("whsec_"), "{}", hook.secret);
    let (_, listed) = shop.call(Method::GET, "/webhooks", &json!({}));
    assert!(!listed.to_string().contains("whsec_"), "{listed}");
    for file in ["deals.sqlite", "deals.sqlite-wal"] {
        let bytes = std::fs::read(shop.people.shop.file(file)).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains(&hook.secret[6..]), "{file}");
    }
    let log = shop.people.shop.log();
    assert!(log.contains("webhook.127.0.0.1"), "{log}");
    assert!(!log.contains("/hook"), "{log}");
    shop.add(&product_with(1, json!({})));
    assert_eq!(shop.receiver.wait_for(1).valid_signatures(&hook.secret), 1);
    let log = shop.people.server.stop();
    assert!(!log.contains("whsec_"), "{log}");
}

#[test]
fn addresses_without_https_or_of_private_networks_are_refused() {
    let people = People::new();
    let shop = Hooked::of(people);
    for url in [
        "",
        "example.com/hook",
        "http://example.com/hook",
        "http://127.0.0.1/hook",
        "https://a:b@example.com/",
        "file:///etc/passwd",
        "ftp://example.com",
    ] {
        let body = json!({"url": url, "events": ["product.added"]});
        let (status, said) = shop.call(Method::POST, "/webhooks", &body);
        assert_eq!(status, 400, "{url}");
        assert!(said["fields"]["url"].is_string(), "{url}: {said}");
    }
    for events in [json!([]), json!(["webhook.test"]), json!(["everything"])] {
        let body = json!({"url": "https://example.com/", "events": events});
        let (status, said) = shop.call(Method::POST, "/webhooks", &body);
        assert_eq!(status, 400, "{body}");
        assert!(said["fields"]["events"].is_string(), "{said}");
    }
    // A name or an address that https leads to is checked where it is dialled.
    for host in ["localhost", "127.0.0.1", "[::1]", "169.254.169.254"] {
        let body = json!({"url": format!("https://{host}/hook"), "events": ["product.added"]});
        let (status, made) = shop.call(Method::POST, "/webhooks", &body);
        assert_eq!(status, 201, "{host}: {made}");
        let id = made["webhook"]["id"].as_str().unwrap().to_owned();
        let hook = super::Made {
            id,
            secret: String::new(),
        };
        let path = format!("/webhooks/{}/test", hook.id);
        assert_eq!(shop.call(Method::POST, &path, &json!({})).0, 200);
        shop.failed(&hook, "not public");
    }
}

#[test]
fn a_shop_has_at_most_20_webhooks_of_different_addresses() {
    let shop = Hooked::with(&[]);
    let make = |n: usize| {
        let url = format!("https://example.com/{n}");
        let body = json!({"url": url, "events": ["product.added"]});
        shop.call(Method::POST, "/webhooks", &body)
    };
    for n in 0..20 {
        assert_eq!(make(n).0, 201);
    }
    let (status, said) = make(3);
    assert_eq!(status, 400);
    assert!(said.to_string().contains("Another webhook"), "{said}");
    let (status, said) = make(20);
    assert_eq!(status, 400);
    assert!(said.to_string().contains("at most 20 webhooks"), "{said}");
}

#[test]
fn a_webhook_that_is_made_anew_has_another_secret_at_once() {
    let shop = Hooked::with(&[]);
    let leaked = shop.hook(&["product.added"]);
    let path = format!("/webhooks/{}", leaked.id);
    assert_eq!(shop.call(Method::DELETE, &path, &json!({})).0, 200);
    let hook = shop.hook(&["product.added"]);
    shop.add(&product_with(1, json!({})));
    let received = shop.receiver.wait_for(1);
    assert_eq!(received.valid_signatures(&hook.secret), 1);
    assert_eq!(received.valid_signatures(&leaked.secret), 0);
}

#[test]
fn a_webhook_that_is_removed_or_off_sends_nothing_that_waited() {
    let shop = Hooked::with(&[]);
    shop.receiver.answer("500 Oops");
    let hook = shop.hook(&["product.added"]);
    shop.add(&product_with(1, json!({})));
    assert_eq!(shop.failed(&hook, "500")["waiting"], 1);
    let path = format!("/webhooks/{}", hook.id);
    let off = json!({"url": shop.receiver.url("/hook"), "events": ["product.added"], "on": false});
    let (status, changed) = shop.call(Method::PUT, &path, &off);
    assert_eq!((status, &changed["on"]), (200, &json!(false)));
    assert_eq!(shop.shown(&hook)["waiting"], 0);
    shop.add(&product_with(2, json!({})));
    assert_eq!(shop.shown(&hook)["waiting"], 0);
    assert_eq!(shop.call(Method::DELETE, &path, &json!({})).0, 200);
    assert_eq!(shop.call(Method::DELETE, &path, &json!({})).0, 404);
    assert_eq!(shop.number("SELECT count(*) FROM outgoing"), 0);
    assert_eq!(shop.receiver.received().len(), 1);
}

#[test]
fn a_test_is_sent_also_to_a_webhook_that_is_off() {
    let shop = Hooked::with(&[]);
    let hook = shop.hook(&["product.added"]);
    let path = format!("/webhooks/{}", hook.id);
    let off = json!({"url": shop.receiver.url("/hook"), "events": ["product.added"], "on": false});
    assert_eq!(shop.call(Method::PUT, &path, &off).0, 200);
    let test = format!("{path}/test");
    assert_eq!(shop.call(Method::POST, &test, &json!({})).0, 200);
    let test = shop.receiver.wait_for(1);
    assert_eq!(test.body()["type"], "webhook.test");
    assert_eq!(test.valid_signatures(&hook.secret), 1);
}

#[test]
fn the_example_in_python_tells_genuine_requests_from_others() {
    let page = include_str!("../../../../docs/api.md");
    let (_, section) = page.split_once("\n## Webhooks\n").unwrap();
    let (_, code) = section.split_once("```python\n").unwrap();
    let (code, _) = code.split_once("```").unwrap();
    let shop = Hooked::with(&[]);
    let hook = shop.hook(&["product.added"]);
    shop.add(&product_with(1, json!({})));
    let received = shop.receiver.wait_for(1);
    let input = json!({"secret": hook.secret, "headers": received.headers, "body": received.text});
    let check = format!(
        "{code}\nimport json, sys\nr = json.loads(sys.argv[1])\nb = r['body'].encode()\n\
         old = dict(r['headers'], **{{'webhook-timestamp': '1'}})\n\
         other = 'whsec_' + base64.b64encode(b'x' * 32).decode()\n\
         print(is_genuine(r['secret'], r['headers'], b), is_genuine(r['secret'], r['headers'], b + b' '), \
         is_genuine(r['secret'], old, b), is_genuine(other, r['headers'], b))"
    );
    let run = Command::new("python3")
        .args(["-c", &check, &input.to_string()])
        .output();
    if let Ok(output) = run {
        assert_eq!(
            text(&output.stdout),
            "True False False False\n",
            "{}",
            text(&output.stderr)
        );
    }
}
