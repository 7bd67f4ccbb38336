//! Certificates that browsers refuse or soon will, and proxies that are not trusted.

use std::fs;

use jiff::{Timestamp, ToSpan};
use serde_json::Value;

use crate::support::harness::{Server, Shop, product, text};
use crate::support::people::PASSWORD;
use crate::support::tls::{TLS, certify, certify_until, client};

const NAME: &str = "deals.example.com";

/// Returns the lines of `deals check` about a subject.
fn checked(shop: &Shop, options: &[&str], subject: &str) -> (String, String) {
    let output = shop.run(&[&["check", "--json"], options].concat());
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let lines = report["checks"].as_array().unwrap();
    let line = lines.iter().find(|line| line["check"] == subject).unwrap();
    let [state, text] = ["state", "text"].map(|field| line[field].as_str().unwrap().to_owned());
    if state == "wrong" {
        assert_eq!(output.status.code(), Some(1));
    }
    (state, text)
}

/// Returns what the office says of the certificate, and the metrics.
fn shown(server: &Server, trusted: &str) -> (Option<Value>, String) {
    let metrics = server.wait_for_line("metrics are at");
    let metrics = metrics.rsplit(' ').next().unwrap();
    let metrics = server.client().get(metrics).send().unwrap();
    let client = client(server, NAME, trusted);
    let url = |path: &str| format!("https://{NAME}:{}{path}", server.port());
    let credentials = serde_json::json!({"email": "owner@example.com", "password": PASSWORD});
    let signed_in = client.post(url("/user/sign-in")).json(&credentials);
    // The client refuses an expired certificate.
    let needs = signed_in.send().ok().map(|answer| {
        let token: Value = answer.json().unwrap();
        let needs = client.get(url("/report/needs"));
        let needs = needs.bearer_auth(token["token"].as_str().unwrap());
        let needs: Value = needs.send().unwrap().json().unwrap();
        let mut needs = needs["data"].as_array().unwrap().clone();
        needs.retain(|need| need["key"] == "certificate");
        needs.pop().unwrap_or_default()
    });
    (needs, metrics.text().unwrap())
}

fn shop() -> Shop {
    let shop = Shop::with(&[product(1)]);
    let owner = [
        "add",
        "owner@example.com",
        "--username",
        "owner",
        "--admin",
        "--password-stdin",
    ];
    assert!(shop.user(&owner, PASSWORD).status.success());
    shop
}

fn serve(shop: &Shop) -> Server {
    shop.serve_with(&[&TLS[..], &["--metrics-listen", "127.0.0.1:0"]].concat())
}

#[test]
fn a_certificate_that_expires_soon_is_reported() {
    let shop = shop();
    let last = Timestamp::now() + 240.hours();
    let day = last.strftime("%Y-%m-%d").to_string();
    let named = last.strftime("%-d %b %Y").to_string();
    let part = |range: std::ops::Range<usize>| &day[range];
    let end = (
        part(0..4).parse().unwrap(),
        part(5..7).parse().unwrap(),
        part(8..10).parse().unwrap(),
    );
    let trusted = certify_until(&shop, NAME, end);
    let (state, said) = checked(&shop, &TLS, "certificate");
    assert_eq!(state, "note");
    assert!(said.contains("cert.pem") && said.contains(&named), "{said}");
    let server = serve(&shop);
    let (need, metrics) = shown(&server, &trusted);
    let need = need.unwrap();
    assert_eq!(need["text"], "The certificate ends soon");
    assert!(need["details"].as_str().unwrap().contains(&named), "{need}");
    assert!(
        metrics.contains("deals_certificate_usable 1\n"),
        "{metrics}"
    );
    assert!(
        metrics.contains("deals_certificate_end_timestamp_seconds 1"),
        "{metrics}"
    );
    drop(server);
    let line = serve(&shop).wait_for_line(&format!("ends on {named}"));
    assert!(line.contains("WARN"), "{line}");
}

#[test]
fn an_expired_certificate_is_named_everywhere() {
    let shop = shop();
    let trusted = certify_until(&shop, NAME, (2024, 1, 1));
    let (state, said) = checked(&shop, &TLS, "certificate");
    assert_eq!(state, "wrong");
    assert!(said.contains("expired on 1 Jan 2024"), "{said}");
    let server = serve(&shop);
    let (_, metrics) = shown(&server, &trusted);
    assert!(
        metrics.contains("deals_certificate_usable 0\n"),
        "{metrics}"
    );
    drop(server);
    let line = serve(&shop).wait_for_line("expired on 1 Jan 2024");
    assert!(line.contains("ERROR"), "{line}");
}

#[test]
fn a_key_that_does_not_match_the_certificate_is_reported() {
    let shop = shop();
    let trusted = certify(&shop, NAME);
    assert_eq!(checked(&shop, &TLS, "certificate").0, "ok");
    let server = serve(&shop);
    let own = fs::read(shop.file("cert.pem")).unwrap();
    certify(&shop, NAME);
    fs::write(shop.file("cert.pem"), own).unwrap();
    let (state, said) = checked(&shop, &TLS, "certificate");
    assert_eq!(state, "wrong");
    assert!(
        said.contains("key.pem") && said.contains("the key is of another certificate"),
        "{said}"
    );
    // The server goes on with the files that it read before.
    let (need, metrics) = shown(&server, &trusted);
    let said = "The certificate's files can't be used";
    assert_eq!(need.unwrap()["text"], said);
    assert!(
        metrics.contains("deals_certificate_usable 1\n"),
        "{metrics}"
    );
}

#[test]
fn an_untrusted_local_proxy_causes_one_warning() {
    let shop = Shop::with(&[product(1)]);
    assert_eq!(checked(&shop, &[], "proxy").0, "ok");
    let https = ["--public-url", "https://deals.example.com"];
    assert_eq!(checked(&shop, &https, "proxy").0, "note");
    let ask = |server: &Server, times| {
        for _ in 0..times {
            let request = server.client().get(server.url("/healthz"));
            request.header("x-forwarded-for", "9.9.9.9").send().unwrap();
        }
    };
    let warned = |log: &str| log.matches("--trusted-proxy 127.0.0.1").count();
    let trusting = ["--trusted-proxy", "127.0.0.1"];
    let server = shop.serve_with(&trusting);
    ask(&server, 3);
    assert_eq!(warned(&server.stop()), 0);
    assert_eq!(checked(&shop, &[], "proxy").0, "ok");
    for option in [&[][..], &["--trusted-proxy", "10.0.0.1"]] {
        let server = shop.serve_with(option);
        ask(&server, 20);
        assert_eq!(warned(&server.stop()), 1, "{option:?}");
        let (state, said) = checked(&shop, option, "proxy");
        assert_eq!(state, "note");
        assert!(said.contains("X-Forwarded-For"), "{said}");
    }
    let output = shop.run(&["check", "--trusted-proxy", "127.0.0.1"]);
    assert!(text(&output.stdout).contains("one on this machine is trusted"));
    assert_eq!(checked(&shop, &trusting, "proxy").0, "ok");
}
