//! Shared caches, tested with the nginx configuration of `docs/running.md`.

use reqwest::blocking::Response;
use serde_json::{Value, json};

use crate::support::harness::{Server, Shop, product, product_with, text, wait_until};
use crate::support::nginx::Nginx;
use crate::support::proxies::Proxy;

const SHARED: &str =
    "public, max-age=0, s-maxage=1, stale-while-revalidate=1, stale-if-error=86400";

fn shop() -> (Shop, Server) {
    let shop = Shop::with(&[product_with(1, json!({"_id": "one"})), product(2)]);
    let server = shop.serve_with(&["--shared-cache", "1"]);
    (shop, server)
}

fn said(answer: &Response) -> String {
    answer.headers()["cache-control"]
        .to_str()
        .unwrap()
        .to_owned()
}

#[test]
fn only_public_responses_may_be_stored_by_a_shared_cache() {
    let (shop, server) = shop();
    let ask = |path: &str, header: (&str, &str)| {
        let request = server
            .client()
            .get(server.url(path))
            .header("accept", "text/html");
        request.header(header.0, header.1).send().unwrap()
    };
    let nobody = ("x-nothing", "");
    for path in [
        "/",
        "/?category=Electronics",
        "/details/one",
        "/product/get-products",
        "/product/product/one",
        "/product/facets",
        "/product/home",
        "/feed.xml",
        "/sitemap.xml",
    ] {
        // First made, then cached.
        for _ in 0..5 {
            assert_eq!(said(&ask(path, nobody)), SHARED, "{path}");
            for header in [
                ("cookie", "session=x"),
                ("cookie", "other=x"),
                ("authorization", "Bearer x"),
                ("origin", "https://app.example.com"),
            ] {
                assert_eq!(said(&ask(path, header)), "private, no-cache", "{path}");
            }
        }
    }
    for path in [
        "/details/nope",
        "/product/product/nope",
        "/product/get-products?page=0",
        "/?page=9999",
        "/user/me/x",
        "/login",
        "/admin",
        "/report/clicks",
    ] {
        let answer = ask(path, nobody);
        let said = answer.headers().get("cache-control");
        let said = said.map_or("", |said| said.to_str().unwrap());
        assert!(!said.contains("public"), "{path}: {said}");
    }
    let click = server.post("/product/increament-views/one");
    assert_eq!(click.headers().get("cache-control"), None);
    // Off by default, and always bounded.
    let refused = shop
        .serve_command(&["--shared-cache", "0"])
        .output()
        .unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("--shared-cache"));
    drop(server);
    assert_eq!(said(&shop.serve().get("/product/get-products")), "no-cache");
}

/// nginx as in `docs/running.md`, in front of a shop.
struct Cache(Proxy);

impl Cache {
    /// Returns the cache status, the status and the body.
    fn ask(&self, path: &str, cookie: Option<&str>) -> (String, u16, String) {
        let request = self.0.client.get(format!("{}{path}", self.0.url));
        let request = request.header("accept", "text/html");
        let request = cookie
            .into_iter()
            .fold(request, |it, cookie| it.header("cookie", cookie));
        let answer = request.send().unwrap();
        let cache = answer.headers().get("x-cache");
        let cache = cache.map_or("", |cache| cache.to_str().unwrap()).to_owned();
        (cache, answer.status().as_u16(), answer.text().unwrap())
    }
}

#[test]
#[expect(clippy::print_stderr, reason = "it tells that it was skipped")]
fn nginx_never_caches_personal_responses() {
    let (shop, server) = shop();
    if !Nginx::is_installed() {
        eprintln!("skipped: nginx is not installed, so nothing stands before the shop");
        return;
    }
    let nginx = Cache(Proxy::caching(&shop, &server));
    let list = "/product/get-products";
    wait_until("nginx has the list", || nginx.ask(list, None).0 == "HIT");
    // Requests with a session reach the shop, and their answers are not cached.
    for path in [list, "/details/one"] {
        for _ in 0..3 {
            assert_eq!(nginx.ask(path, Some("session=secret")).0, "BYPASS");
        }
    }
    assert_eq!(nginx.ask("/details/one", None).0, "MISS");
    assert_eq!(nginx.ask("/details/one", None).0, "HIT");
    // Errors and account screens are not cached.
    for path in ["/product/product/nope", "/login"] {
        for _ in 0..3 {
            assert_eq!(nginx.ask(path, None).0, "MISS", "{path}");
        }
    }
    // Clicks always reach the shop.
    for clicks in 1..4 {
        let click = format!("{}/product/increament-views/one", nginx.0.url);
        let answer = nginx.0.client.post(click).send().unwrap();
        assert_eq!(answer.json::<Value>().unwrap()["clicks"], clicks);
    }
    // A change shows without purging the cache.
    let more = json!([product(3)]).to_string();
    assert!(shop.import(&more, &[]).status.success());
    wait_until("the change is seen", || {
        nginx.ask(list, None).2.contains("\"total\":3")
    });
    // While the shop is down, the cache answers.
    drop(server);
    wait_until("the shop is down", || {
        nginx.ask("/product/product/nope", None).1 == 502
    });
    wait_until("the list is stale", || {
        let (cache, status, body) = nginx.ask(list, None);
        assert_eq!(status, 200);
        assert!(body.contains("\"total\":3"));
        cache == "STALE" || cache == "UPDATING"
    });
}
