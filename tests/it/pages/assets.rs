//! Embedded files.

use std::io::Read;

use base64::prelude::{BASE64_STANDARD, Engine as _};
use reqwest::blocking::Response;
use sha2::{Digest, Sha256};

use crate::support::harness::{Server, Shop};
use crate::support::npm::folder;

fn ask(server: &Server, path: &str, headers: &[(&str, &str)]) -> Response {
    let mut request = server.client().get(server.url(path));
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.send().unwrap()
}

fn script(server: &Server) -> String {
    let page = ask(server, "/", &[("accept", "text/html")]).text().unwrap();
    let start = page.find("/assets/index-").unwrap();
    let end = page[start..].find(".js").unwrap();
    format!("{}.js", &page[start..start + end])
}

#[test]
fn every_screen_is_served_as_html() {
    let shop = Shop::new();
    let server = shop.serve();
    for (path, status) in [
        ("/", 200),
        ("/details/abc", 404),
        ("/search", 200),
        ("/login", 200),
        ("/register", 200),
        ("/verify-otp/asha%40example.com", 200),
        ("/forgot-password", 200),
        ("/reset-password/asha%40example.com", 200),
        ("/profile", 200),
        ("/add-product", 200),
        ("/update-product/abc", 200),
        ("/admin/products", 200),
        ("/admin/activity", 200),
        ("/admin/front-page", 200),
        ("/no/such/page", 404),
        ("/index.html", 404),
    ] {
        for accept in ["text/html,application/xhtml+xml", "*/*"] {
            // A path with a file extension is a missing file.
            if path.contains('.') && accept == "*/*" {
                continue;
            }
            let response = ask(&server, path, &[("accept", accept)]);
            assert_eq!(response.status(), status, "{path}");
            assert_eq!(
                response.headers()["content-type"],
                "text/html; charset=utf-8"
            );
            let caching = if status == 404 {
                "no-store"
            } else {
                "no-cache"
            };
            assert_eq!(response.headers()["cache-control"], caching);
            assert!(response.text().unwrap().contains("<div id=\"root\">"));
        }
        let response = ask(&server, path, &[("accept", "application/json")]);
        assert_eq!(response.status(), status, "{path}");
        let (kind, vary) = match path {
            "/no/such/page" | "/index.html" => ("application/json", "accept"),
            _ => ("text/html; charset=utf-8", "accept-encoding"),
        };
        assert_eq!(response.headers()["content-type"], kind, "{path}");
        assert_eq!(response.headers()["vary"], vary, "{path}");
    }
}

#[test]
fn the_server_knows_every_screen_of_the_app() {
    let read = |file: &str| std::fs::read_to_string(folder("frontend/src").join(file)).unwrap();
    let source = read("app/routes.tsx");
    let office = read("lib/office-paths.ts");
    let shop = Shop::new();
    let server = shop.serve();
    let paths: Vec<&str> = source
        .split("path=\"")
        .skip(1)
        .map(|rest| rest.split('"').next().unwrap())
        .filter(|path| *path != "*" && !path.contains("/:"))
        .collect();
    let of_office = office.split("\"/admin/").skip(1);
    let of_office: Vec<String> = of_office
        .map(|rest| format!("/admin/{}", rest.split('"').next().unwrap()))
        .chain(["/admin", "/add-product", "/update-product/x"].map(str::to_owned))
        .collect();
    assert!(
        paths.len() >= 8 && of_office.len() >= 9,
        "{paths:?} {of_office:?}"
    );
    for path in paths
        .into_iter()
        .chain(of_office.iter().map(String::as_str))
    {
        let response = ask(&server, path, &[("accept", "text/html")]);
        assert_eq!(response.status(), 200, "{path}");
    }
}

#[test]
fn pages_have_no_inline_scripts() {
    let shop = Shop::new();
    let answer = shop.serve().get("/");
    let policy = answer.headers()["content-security-policy"].clone();
    let page = answer.text().unwrap();
    assert!(page.contains("<script "));
    for script in page.split("<script").skip(1) {
        // Data does not run; the policy forbids other inline scripts.
        let data = script.contains("type=\"application/json\"")
            || script.contains("type=\"application/ld+json\"");
        assert!(data || script.contains("src=\"/assets/"), "{script}");
    }
    // The policy names exactly these styles.
    let policy = policy.to_str().unwrap();
    assert!(page.contains("<style>"));
    for styles in page.split("<style").skip(1) {
        let styles = styles.strip_prefix('>').unwrap();
        let (styles, _) = styles.split_once("</style>").unwrap();
        let hash = BASE64_STANDARD.encode(Sha256::digest(styles));
        assert!(policy.contains(&format!("'sha256-{hash}'")), "{policy}");
    }
    assert!(!policy.contains("unsafe"));
}

#[test]
fn assets_are_compressed_with_one_etag_per_encoding() {
    let shop = Shop::new();
    let server = shop.serve();
    let path = script(&server);
    let plain = ask(&server, &path, &[]);
    assert_eq!(
        plain.headers()["content-type"],
        "text/javascript; charset=utf-8"
    );
    assert_eq!(
        plain.headers()["cache-control"],
        "public, max-age=31536000, immutable"
    );
    assert_eq!(plain.headers()["vary"], "accept-encoding");
    let plain_tag = plain.headers()["etag"].clone();
    let plain = plain.bytes().unwrap();

    let brotli = ask(&server, &path, &[("accept-encoding", "gzip, deflate, br")]);
    assert_eq!(brotli.headers()["content-encoding"], "br");
    let brotli_tag = brotli.headers()["etag"].clone();
    let mut unpacked = Vec::new();
    brotli::Decompressor::new(&brotli.bytes().unwrap()[..], 4096)
        .read_to_end(&mut unpacked)
        .unwrap();
    assert!(unpacked == plain);

    let gzip = ask(&server, &path, &[("accept-encoding", "gzip, br;q=0")]);
    assert_eq!(gzip.headers()["content-encoding"], "gzip");
    let gzip_tag = gzip.headers()["etag"].clone();
    let mut unpacked = Vec::new();
    flate2::read::GzDecoder::new(&gzip.bytes().unwrap()[..])
        .read_to_end(&mut unpacked)
        .unwrap();
    assert!(unpacked == plain);

    let identity = ask(&server, &path, &[("accept-encoding", "identity")]);
    assert!(!identity.headers().contains_key("content-encoding"));
    assert_ne!(plain_tag, brotli_tag);
    assert_ne!(gzip_tag, brotli_tag);
}

#[test]
fn pages_and_assets_with_a_known_etag_are_answered_with_304() {
    let shop = Shop::new();
    let server = shop.serve();
    for path in ["/".to_owned(), script(&server), "/favicon.svg".to_owned()] {
        let first = ask(&server, &path, &[("accept-encoding", "br")]);
        let tag = first.headers()["etag"].to_str().unwrap().to_owned();
        for known in [
            tag.clone(),
            format!("W/{}", tag.trim_start_matches("W/")),
            format!("\"x\", {tag}"),
            "*".to_owned(),
        ] {
            let again = ask(
                &server,
                &path,
                &[("accept-encoding", "br"), ("if-none-match", &known)],
            );
            assert_eq!(again.status(), 304, "{path} {known}");
            assert_eq!(again.headers()["etag"], tag.as_str());
            assert!(again.bytes().unwrap().is_empty());
        }
        let other = ask(&server, &path, &[("if-none-match", "\"other\"")]);
        assert_eq!(other.status(), 200);
    }
}

#[test]
fn precompressed_assets_have_no_addresses_of_their_own() {
    let shop = Shop::new();
    let server = shop.serve();
    let script = script(&server);
    for path in [format!("{script}.br"), format!("{script}.gz")] {
        assert_eq!(server.get(&path).status(), 404, "{path}");
    }
}

#[test]
fn head_answers_as_get_does_without_a_body() {
    let shop = Shop::new();
    let server = shop.serve();
    for path in ["/", "/healthz", "/product/get-products", "/favicon.svg"] {
        let get = server.get(path);
        let head = server.client().head(server.url(path)).send().unwrap();
        assert_eq!(head.status(), get.status(), "{path}");
        assert_eq!(
            head.headers()["content-type"],
            get.headers()["content-type"],
            "{path}"
        );
        assert_eq!(
            head.headers()["content-length"],
            get.headers()["content-length"]
        );
        assert!(head.bytes().unwrap().is_empty());
    }
}

#[test]
fn api_responses_are_compressed_on_request() {
    let shop = Shop::new();
    let server = shop.serve_with(&["--demo"]);
    let path = "/product/get-products?limit=50";
    let plain = ask(&server, path, &[]);
    assert!(!plain.headers().contains_key("content-encoding"));
    let packed = ask(&server, path, &[("accept-encoding", "br")]);
    assert_eq!(packed.headers()["content-encoding"], "br");
    let mut unpacked = String::new();
    brotli::Decompressor::new(&packed.bytes().unwrap()[..], 4096)
        .read_to_string(&mut unpacked)
        .unwrap();
    assert_eq!(unpacked, plain.text().unwrap());
}

#[test]
fn no_offline_serves_a_script_that_unregisters_the_service_worker() {
    for (options, marks) in [(&[][..], "addAll"), (&["--no-offline"], "unregister")] {
        let shop = Shop::new();
        let server = shop.serve_with(options);
        let answer = server.get("/sw.js");
        assert_eq!(answer.status(), 200);
        assert_eq!(answer.headers()["cache-control"], "no-cache");
        let kind = answer.headers()["content-type"].to_str().unwrap();
        assert!(kind.starts_with("text/javascript"), "{kind}");
        let script = answer.text().unwrap();
        assert!(script.contains(marks), "{options:?}: {script}");
    }
}
