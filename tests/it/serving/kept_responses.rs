//! What is asked for again is answered before the app's layers, and nobody can tell.

use std::collections::{BTreeMap, HashSet};

use reqwest::blocking::Response;
use reqwest::header::{ACCEPT, ACCEPT_ENCODING, ETAG, IF_NONE_MATCH, ORIGIN};
use reqwest::{Method, StatusCode};
use serde_json::json;

use crate::support::harness::{Server, Shop, product, product_with, text};

/// What tells one answer from another: its status, its head without the id and the date, its bytes.
fn told(answer: Response) -> (StatusCode, BTreeMap<String, String>, Vec<u8>) {
    let headers = answer.headers().iter();
    let headers = headers
        .filter(|(name, _)| !["x-request-id", "date"].contains(&name.as_str()))
        .map(|(name, value)| (name.to_string(), text(value.as_bytes())))
        .collect();
    (answer.status(), headers, answer.bytes().unwrap().to_vec())
}

fn shop() -> Shop {
    Shop::with(&[product_with(1, json!({"_id": "one"})), product(2)])
}

/// A server that says of each answer whether it was kept.
fn talking(shop: &Shop, options: &[&str]) -> Server {
    let mut serve = shop.serve_command(options);
    serve.env("DEALS_LOG", "deals=debug");
    Server::start(serve)
}

const KEPT: &str = "kept=true";

#[test]
fn an_answer_that_is_kept_is_the_one_that_was_made_but_for_its_id() {
    let shop = shop();
    for (path, accept, encoding) in [
        ("/product/get-products", "*/*", "identity"),
        (
            "/product/get-products?sortBy=price&limit=1",
            "application/json",
            "br",
        ),
        ("/product/product/one", "*/*", "gzip"),
        ("/product/facets", "*/*", "identity"),
        ("/product/home", "*/*", "br"),
        ("/", "text/html", "br"),
        ("/?category=Electronics", "text/html", "identity"),
        ("/feed.xml", "*/*", "identity"),
    ] {
        let server = talking(&shop, &["--metrics-listen", "127.0.0.1:0"]);
        let metrics = server.wait_for_line("metrics are at");
        let ask = |method: Method, known: Option<&str>| {
            let request = server.client().request(method, server.url(path));
            let request = request
                .header(ACCEPT, accept)
                .header(ACCEPT_ENCODING, encoding);
            let request = known
                .into_iter()
                .fold(request, |request, tag| request.header(IF_NONE_MATCH, tag));
            request.send().unwrap()
        };
        // It is kept when it is asked for again, and compressed better then.
        let tag = text(ask(Method::GET, None).headers()[ETAG].as_bytes());
        let known = told(ask(Method::GET, Some(&tag)));
        assert_eq!(known.0, 304);
        let first = ask(Method::GET, None);
        let mut ids = HashSet::from([first.headers()["x-request-id"].clone()]);
        let first = told(first);
        assert!(!server.has_logged(KEPT), "{path}");
        for _ in 0..6 {
            let again = ask(Method::GET, None);
            assert!(
                ids.insert(again.headers()["x-request-id"].clone()),
                "{path}"
            );
            assert_eq!(told(again), first, "{path}");
        }
        server.wait_for_line(KEPT);
        assert_eq!(told(ask(Method::GET, Some(&tag))), known, "{path}");
        let others = format!("\"other\", {tag}");
        assert_eq!(told(ask(Method::GET, Some(&others))), known, "{path}");
        assert_eq!(told(ask(Method::GET, Some("W/\"other\""))), first, "{path}");
        let head = told(ask(Method::HEAD, None));
        assert_eq!((head.0, head.2.len()), (first.0, 0), "{path}");
        // All of them are counted.
        let metrics = server.client().get(metrics.rsplit(' ').next().unwrap());
        let metrics = metrics.send().unwrap().text().unwrap();
        let answers = metrics
            .lines()
            .filter(|line| line.starts_with("deals_http_requests_total{method=\"GET\""));
        let answers = answers.map(|line| line.rsplit(' ').next().unwrap().parse::<u32>().unwrap());
        assert_eq!(answers.sum::<u32>(), 12, "{path}: {metrics}");
    }
}

#[test]
fn who_accepts_something_else_is_not_given_what_is_kept() {
    let shop = shop();
    let server = talking(&shop, &["--cors-origin", "https://app.example.com"]);
    let page = |accept: &str| {
        let request = server.client().get(server.url("/"));
        told(request.header(ACCEPT, accept).send().unwrap()).0
    };
    for _ in 0..4 {
        assert_eq!(page("text/html"), 200);
    }
    server.wait_for_line(KEPT);
    assert_eq!(page("image/png"), 404);
    for _ in 0..4 {
        server.list("");
    }
    let list = server.client().get(server.url("/product/get-products"));
    let allowed = list
        .header(ORIGIN, "https://app.example.com")
        .send()
        .unwrap();
    assert_eq!(
        allowed.headers()["access-control-allow-origin"],
        "https://app.example.com"
    );
    // A body that nobody asked for ends as it does elsewhere.
    let with_body = server
        .client()
        .get(server.url("/product/get-products"))
        .body("{}");
    assert_eq!(with_body.send().unwrap().status(), 200);
    assert_eq!(server.get("/product/get-products").status(), 200);
}

#[test]
fn a_commit_of_anybody_ends_what_is_kept() {
    let shop = shop();
    let server = talking(&shop, &[]);
    for round in 3..8 {
        for _ in 0..4 {
            assert_eq!(server.list("").len(), round - 1);
        }
        server.wait_for_line(KEPT);
        // Another process, while the server keeps its answers.
        assert!(
            shop.import(&json!([product(round)]).to_string(), &[])
                .status
                .success()
        );
        assert_eq!(server.list("").len(), round);
        let id = server.list("")[0]["_id"].as_str().unwrap().to_owned();
        for clicks in 1..4 {
            server.post(&format!("/product/increament-views/{id}"));
            assert_eq!(server.list("")[0]["clicks"], clicks);
        }
    }
}
