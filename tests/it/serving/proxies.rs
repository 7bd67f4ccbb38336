//! The proxies of `docs/running.md`: imports, sign-ins and clicks through each.

use serde_json::{Value, json};

use crate::support::harness::{Shop, product_with, succeeds};
use crate::support::people::{PASSWORD, someone};
use crate::support::proxies::{PROXIES, Proxy, is_installed};

#[test]
#[expect(clippy::print_stderr, reason = "it tells what was skipped")]
fn imports_sign_ins_and_clicks_pass_every_documented_proxy() {
    for program in PROXIES {
        if is_installed(program) {
            passes(program);
        } else {
            eprintln!("skipped: {program} is not installed");
        }
    }
}

fn passes(program: &str) {
    let shop = Shop::with(&[product_with(1, json!({"_id": "one"}))]);
    let owner = ["add", "owner@example.com", "--username", "owner", "--admin"];
    succeeds(shop.user(&[&owner[..], &["--password-stdin"]].concat(), PASSWORD));
    let options = ["--public-url", "https://deals.example.com"];
    let server = shop.serve_with(&[&options[..], &["--trusted-proxy", "127.0.0.1"]].concat());
    let proxy = Proxy::start(program, &shop, &server);
    // The port is in Origin and Host.
    let post = |path: &str| {
        let request = proxy.client.post(format!("{}{path}", proxy.url));
        request.header("origin", &proxy.url)
    };
    let credentials = json!({"email": "owner@example.com", "password": PASSWORD});
    let signed_in = post("/user/sign-in").json(&credentials).send().unwrap();
    let cookie = someone(signed_in).cookie;
    assert!(cookie.starts_with("__Host-session="), "{program}: {cookie}");
    let long = "A long description of a product. ".repeat(250);
    let file: Vec<Value> = (10..410)
        .map(|number| product_with(number, json!({"description": long})))
        .collect();
    let file = json!(file).to_string();
    assert!(file.len() > 3_000_000);
    let import = post("/product/import").header("cookie", &cookie);
    let import = import.header("content-type", "application/json").body(file);
    let answer = import.send().unwrap();
    assert_eq!(answer.status(), 200, "{program}");
    assert_eq!(server.list("limit=1").len(), 1);
    let total = &server.json("/product/get-products")["meta"]["total"];
    assert_eq!(total, 401, "{program}");
    let click = post("/product/increament-views/one").send().unwrap();
    assert_eq!(click.json::<Value>().unwrap()["clicks"], 1, "{program}");
    // Caddy redirects by itself, on port 80 only.
    if program != "caddy" {
        let plain = proxy.client.get(&proxy.plain_url).send().unwrap();
        assert_eq!(plain.status(), 308, "{program}");
    }
}
