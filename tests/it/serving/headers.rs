//! Headers of every response, and cross-site requests; numbers refer to OWASP ASVS 5.0.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::harness::{Server, Shop, product_with};

fn server() -> (Shop, Server) {
    let shop = Shop::with(&[product_with(1, json!({"_id": "one"}))]);
    let server = shop.serve();
    (shop, server)
}

const EVERY_KIND: [&str; 9] = [
    "/",
    "/details/one",
    "/assets/missing.js",
    "/product/get-products",
    "/product/get-products?page=0",
    "/product/nope",
    "/user/nope",
    "/healthz",
    "/favicon.svg",
];

/// 3.4.1, 3.4.3 to 3.4.6, 3.4.8, 4.1.1
#[test]
fn every_answer_carries_the_security_headers_a_type_and_an_id() {
    let (_shop, server) = server();
    for path in EVERY_KIND {
        let response = server.get(path);
        let header = |name: &str| {
            let value = response.headers().get(name);
            value.map_or("", |value| value.to_str().unwrap()).to_owned()
        };
        let policy = header("content-security-policy");
        for directive in [
            "default-src 'none'",
            "script-src 'self'",
            "object-src 'none'",
            "base-uri 'none'",
            "frame-ancestors 'none'",
        ] {
            assert!(policy.contains(directive), "{path}: {policy}");
        }
        assert!(!policy.contains("unsafe"), "{path}: {policy}");
        assert_eq!(header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(
            header("referrer-policy"),
            "strict-origin-when-cross-origin",
            "{path}"
        );
        assert_eq!(
            header("cross-origin-opener-policy"),
            "same-origin",
            "{path}"
        );
        assert!(!header("content-type").is_empty(), "{path}");
        assert_eq!(header("x-request-id").len(), 36, "{path}");
        assert_eq!(header("strict-transport-security"), "", "{path}");
        assert_eq!(header("access-control-allow-origin"), "", "{path}");
    }
}

/// Errors of every kind, through every call of the description.
#[test]
fn error_responses_are_not_cacheable() {
    let (_shop, server) = server();
    let document = server.json("/openapi.json");
    let long = format!("/?search={}", "x".repeat(9_000));
    let mut errors: Vec<(Method, String)> = [
        "/details/nope",
        "/pages/nope",
        "/nope",
        "/assets/nope.js",
        "/demo/nope.svg",
        "/mark/nope.png",
        "/share/nope.png",
        "/sitemap-9.xml",
        "/favicon.nope",
        "/?page=900",
        &long,
    ]
    .map(|path| (Method::GET, path.to_owned()))
    .into();
    for (path, calls) in document["paths"].as_object().unwrap() {
        let path = path.replace('{', "").replace('}', "%00");
        for method in calls.as_object().unwrap().keys() {
            errors.push((method.to_uppercase().parse().unwrap(), path.clone()));
        }
        errors.push((Method::PATCH, path));
    }
    let mut statuses = std::collections::BTreeSet::new();
    for (method, path) in errors {
        for accept in ["text/html", "application/json", "image/*"] {
            let request = server.client().request(method.clone(), server.url(&path));
            let request = request
                .header("accept", accept)
                .header("accept-encoding", "gzip")
                .header("content-type", "text/plain");
            let answer = request.body("?").send().unwrap();
            let vary = answer.headers().get_all("vary").iter().count();
            assert!(vary <= 1, "{method} {path}: {vary} lines");
            if answer.status().as_u16() >= 400 {
                let caching = answer.headers().get("cache-control");
                assert_eq!(caching.unwrap(), "no-store", "{method} {path} {accept}");
                statuses.insert(answer.status().as_u16());
            }
        }
    }
    for status in [400, 401, 404, 405, 414, 415] {
        assert!(
            statuses.contains(&status),
            "{status} is not among {statuses:?}"
        );
    }
}

/// 3.4.1
#[test]
fn a_public_https_address_turns_on_hsts() {
    let shop = Shop::new();
    let address = ["--public-url", "https://deals.example.com"];
    // Other names of the domain may not speak https.
    for (option, sent) in [
        (None, "max-age=31536000"),
        (
            Some("--hsts-subdomains"),
            "max-age=31536000; includeSubDomains",
        ),
    ] {
        let options: Vec<&str> = address.into_iter().chain(option).collect();
        let response = shop.serve_with(&options).get("/");
        assert_eq!(response.headers()["strict-transport-security"], sent);
    }
}

/// 3.4.2
#[test]
fn other_origins_get_no_cors_headers() {
    let (_shop, server) = server();
    let request = server
        .client()
        .get(server.url("/product/get-products"))
        .header("origin", "https://evil.example");
    let response = request.send().unwrap();
    assert!(
        !response
            .headers()
            .contains_key("access-control-allow-origin")
    );
    let request = server
        .client()
        .request(Method::OPTIONS, server.url("/product/get-products"))
        .header("origin", "https://evil.example")
        .header("access-control-request-method", "GET");
    let response = request.send().unwrap();
    assert!(
        !response
            .headers()
            .contains_key("access-control-allow-origin")
    );
}

/// 3.4.2
#[test]
fn cors_allows_only_the_configured_origin() {
    let shop = Shop::with(&[product_with(1, json!({"_id": "one"}))]);
    let server = shop.serve_with(&["--cors-origin", "https://app.example.com"]);
    let click = |origin: &str| {
        let request = server
            .client()
            .post(server.url("/product/increament-views/one"))
            .header("sec-fetch-site", "same-site")
            .header("origin", origin);
        let response = request.send().unwrap();
        let allowed = response.headers().get("access-control-allow-origin");
        let allowed = allowed.map(|value| value.to_str().unwrap().to_owned());
        (response.status().as_u16(), allowed)
    };
    let named = "https://app.example.com";
    assert_eq!(click(named), (200, Some(named.to_owned())));
    for other in [
        "https://evil.example",
        "https://app.example.com.evil.example",
        "null",
    ] {
        let (status, allowed) = click(other);
        assert!(status >= 400, "{other}: {status}");
        assert_eq!(allowed, None, "{other}");
    }
    assert_eq!(server.json("/product/product/one")["product"]["clicks"], 1);
    let ask = server
        .client()
        .request(Method::OPTIONS, server.url("/user/sign-in"))
        .header("origin", named)
        .header("access-control-request-method", "POST")
        .header("access-control-request-headers", "content-type");
    let answer = ask.send().unwrap();
    assert_eq!(answer.status(), 200);
    assert_eq!(answer.headers()["access-control-allow-credentials"], "true");
}

/// 3.5.1
#[test]
fn cross_site_writes_are_refused() {
    let (_shop, server) = server();
    let own = format!("http://{}", server.address());
    let click = |headers: &[(&str, &str)]| {
        let mut request = server
            .client()
            .post(server.url("/product/increament-views/one"));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let response = request.send().unwrap();
        (
            response.status().as_u16(),
            response.json::<Value>().unwrap(),
        )
    };
    for refused in [
        &[("sec-fetch-site", "cross-site")][..],
        &[("sec-fetch-site", "same-site")],
        &[("sec-fetch-site", "cross-site"), ("origin", own.as_str())],
        &[("origin", "https://evil.example")],
        &[("origin", "null")],
        &[("origin", "")],
    ] {
        let (status, body) = click(refused);
        assert_eq!(status, 403, "{refused:?}");
        assert!(body["error"].is_string());
    }
    assert_eq!(server.json("/product/product/one")["product"]["clicks"], 0);
    for allowed in [
        &[][..],
        &[("sec-fetch-site", "same-origin")],
        &[("origin", own.as_str())],
    ] {
        assert_eq!(click(allowed).0, 200, "{allowed:?}");
    }
}

/// 4.1.4, 14.2.5
#[test]
fn unknown_methods_and_paths_are_json_errors_and_never_the_app() {
    let (_shop, server) = server();
    let ask = |method: &str, path: &str| {
        server
            .client()
            .request(
                Method::from_bytes(method.as_bytes()).unwrap(),
                server.url(path),
            )
            .header("accept", "text/html")
            .send()
            .unwrap()
    };
    for (method, path, status) in [
        ("GET", "/product", 404),
        ("GET", "/product/", 404),
        ("GET", "/product/x", 404),
        ("POST", "/product/x", 404),
        ("GET", "/user", 404),
        ("GET", "/user/x", 404),
        ("GET", "/assets/no.js", 404),
        ("GET", "/assets/", 404),
        ("GET", "/demo/no.svg", 404),
        ("GET", "/demo/products.json", 404),
        ("POST", "/login", 405),
        ("DELETE", "/", 405),
        ("TRACE", "/", 405),
        ("PATCH", "/product/get-products", 405),
        ("POST", "/product/get-products", 405),
        ("PUT", "/product/product/one", 405),
        ("POST", "/healthz", 405),
    ] {
        let response = ask(method, path);
        assert_eq!(response.status(), status, "{method} {path}");
        assert_eq!(
            response.headers()["content-type"],
            "application/json",
            "{method} {path}"
        );
        if status == 405 {
            assert!(response.headers().contains_key("allow"), "{method} {path}");
        }
        assert!(response.json::<Value>().unwrap()["error"].is_string());
    }
}
