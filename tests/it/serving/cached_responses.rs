//! Cached responses: equal to fresh ones, for everybody, and never stale.

use std::collections::BTreeMap;
use std::io::Read as _;

use flate2::read::{GzDecoder, ZlibDecoder};
use reqwest::blocking::{RequestBuilder, Response};
use reqwest::header::{ACCEPT, ACCEPT_ENCODING, CONTENT_ENCODING, ETAG, IF_NONE_MATCH, ORIGIN};
use reqwest::{Method, StatusCode};
use serde_json::json;

use crate::support::harness::{Server, Shop, product, product_with, text};

/// Parts of an answer that must not depend on caching.
fn parts(answer: Response) -> (StatusCode, BTreeMap<String, String>, Vec<u8>) {
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

fn decoded(answer: Response) -> Vec<u8> {
    let encoding = answer.headers().get(CONTENT_ENCODING);
    let encoding = encoding.map_or_else(String::new, |name| text(name.as_bytes()));
    let body = answer.bytes().unwrap();
    let mut plain = Vec::new();
    match encoding.as_str() {
        "" | "identity" => plain = body.to_vec(),
        "gzip" => _ = GzDecoder::new(&body[..]).read_to_end(&mut plain).unwrap(),
        "deflate" => _ = ZlibDecoder::new(&body[..]).read_to_end(&mut plain).unwrap(),
        "br" => {
            let mut decoder = brotli::Decompressor::new(&body[..], 4_096);
            decoder.read_to_end(&mut plain).unwrap();
        }
        other => panic!("nobody asked for {other}"),
    }
    plain
}

const PATHS: [(&str, &str); 6] = [
    ("/product/get-products", "*/*"),
    ("/product/get-products?sortBy=price&limit=1", "*/*"),
    ("/product/product/one", "*/*"),
    ("/", "text/html"),
    ("/?category=Electronics", "text/html"),
    ("/feed.xml", "*/*"),
];

#[test]
fn a_cached_response_equals_the_fresh_one() {
    let shop = shop();
    for encoding in ["identity", "gzip", "br"] {
        let server = shop.serve();
        for (path, accept) in PATHS {
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
            let tag = text(ask(Method::GET, None).headers()[ETAG].as_bytes());
            // Cached and compressed better on the second request.
            let again = parts(ask(Method::GET, None));
            for _ in 0..3 {
                assert_eq!(parts(ask(Method::GET, None)), again, "{path}");
            }
            let known = ask(Method::GET, Some(&format!("\"other\", {tag}")));
            assert_eq!(known.status(), 304, "{path}");
            let other = ask(Method::GET, Some("W/\"other\""));
            assert_eq!(parts(other), again, "{path}");
            let head = parts(ask(Method::HEAD, None));
            assert_eq!((head.0, head.2.len()), (again.0, 0), "{path}");
        }
    }
}

#[test]
fn cached_responses_have_an_encoding_that_the_client_accepts() {
    let shop = shop();
    let others: [&[&[u8]]; 6] = [
        &[b"gzip", b"br"],
        &[b"deflate"],
        &[b"gzip, deflate, br, zstd", b"\xff"],
        &[b"br;q=0, deflate"],
        &[b"identity", b"br"],
        &[b"\xff"],
    ];
    let clients = [
        "gzip",
        "deflate, gzip",
        "identity",
        "deflate",
        "gzip, deflate, br, zstd",
    ];
    for (path, accept) in PATHS {
        let asked = |server: &Server| {
            let request = server.client().get(server.url(path));
            request.header(ACCEPT, accept)
        };
        for lines in others {
            let server = shop.serve();
            for _ in 0..4 {
                let add =
                    |request: RequestBuilder, line: &&[u8]| request.header(ACCEPT_ENCODING, *line);
                let answer = lines.iter().fold(asked(&server), add).send().unwrap();
                assert!(answer.status().is_success(), "{path}");
            }
            let asked_by = |client: &str| {
                let request = asked(&server).header(ACCEPT_ENCODING, client);
                request.send().unwrap()
            };
            for client in clients {
                for _ in 0..5 {
                    let answer = asked_by(client);
                    let encoding = answer.headers().get(CONTENT_ENCODING);
                    let encoding = encoding.map_or("identity", |name| name.to_str().unwrap());
                    assert!(
                        encoding == "identity" || client.contains(encoding),
                        "{path}: {encoding} for {client} after {lines:?}"
                    );
                    let is_same = decoded(answer) == decoded(asked_by("identity"));
                    assert!(is_same, "{path} for {client} after {lines:?}");
                }
            }
        }
    }
}

#[test]
fn requests_with_an_origin_or_a_body_bypass_the_response_cache() {
    let shop = shop();
    let server = shop.serve_with(&["--cors-origin", "https://app.example.com"]);
    let page = |accept: &str| {
        let request = server.client().get(server.url("/"));
        request.header(ACCEPT, accept).send().unwrap().status()
    };
    for _ in 0..4 {
        assert_eq!(page("text/html"), 200);
        server.list("");
    }
    assert_eq!(page("image/png"), 200, "Accept does not decide on a page");
    let list = server.client().get(server.url("/product/get-products"));
    let allowed = list
        .header(ORIGIN, "https://app.example.com")
        .send()
        .unwrap();
    assert_eq!(
        allowed.headers()["access-control-allow-origin"],
        "https://app.example.com"
    );
    // An unexpected body is read to its end.
    let with_body = server
        .client()
        .get(server.url("/product/get-products"))
        .body("{}");
    assert_eq!(with_body.send().unwrap().status(), 200);
    assert_eq!(server.get("/product/get-products").status(), 200);
}

#[test]
fn a_commit_of_any_process_invalidates_the_cache() {
    let shop = shop();
    let server = shop.serve();
    for round in 3..8 {
        for _ in 0..4 {
            assert_eq!(server.list("").len(), round - 1);
        }
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
