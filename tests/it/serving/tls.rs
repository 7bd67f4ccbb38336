//! The site over https, with a certificate from files.

use std::fs;

use reqwest::Version;
use reqwest::blocking::Client;
use serde_json::json;

use crate::support::harness::{Server, Shop, fails, product, wait_until};
use crate::support::tls::{TLS, certify, client};

#[test]
fn the_site_speaks_https_and_http_2_with_the_owners_certificate() {
    let shop = Shop::with(&[product(1)]);
    let trusted = certify(&shop, "deals.test");
    shop.sign_up("a@b.example", "tiger-lamp-42");
    let server = shop.serve_with(&[&TLS[..], &["--public-url", "https://deals.test"]].concat());
    let client = client(&server, "deals.test", &trusted);
    let url = |path: &str| format!("https://deals.test:{}{path}", server.port());
    let answer = client.get(url("/")).send().unwrap();
    assert_eq!(answer.status(), 200);
    assert_eq!(answer.version(), Version::HTTP_2);
    let hsts = &answer.headers()["strict-transport-security"];
    assert!(hsts.to_str().unwrap().contains("max-age="));
    assert!(answer.text().unwrap().contains("Product 1"));
    let signed_in = client
        .post(url("/user/sign-in"))
        .json(&json!({ "email": "a@b.example", "password": "tiger-lamp-42" }))
        .send()
        .unwrap();
    let cookie = signed_in.headers()["set-cookie"].to_str().unwrap();
    assert!(cookie.starts_with("__Host-session="), "{cookie}");
    assert!(cookie.contains("Secure"), "{cookie}");
}

#[test]
fn a_certificate_that_is_replaced_is_used_without_a_restart() {
    let shop = Shop::with(&[product(1)]);
    certify(&shop, "deals.test");
    let server = shop.serve_with(&TLS);
    let url = format!("https://deals.test:{}/healthz", server.port());
    let trusted = certify(&shop, "deals.test");
    // A connection of its own each time: the old certificate may still be served.
    wait_until("the old one is used", || {
        let answer = client(&server, "deals.test", &trusted).get(&url).send();
        answer.is_ok()
    });
    server.wait_for_line("the certificate was read anew");
    // Half of a new one is not used.
    fs::write(shop.file("cert.pem"), "half of it").unwrap();
    wait_until("nothing is said of the half", || {
        let answer = client(&server, "deals.test", &trusted).get(&url).send();
        assert_eq!(answer.unwrap().status(), 200);
        server.has_logged("the certificate stays as it was")
    });
}

#[test]
fn a_certificate_that_can_not_be_used_is_told_at_the_start() {
    let shop = Shop::with(&[product(1)]);
    certify(&shop, "deals.test");
    let key = fs::read(shop.file("key.pem")).unwrap();
    certify(&shop, "deals.test");
    fs::write(shop.file("key.pem"), key).unwrap();
    let serve = [&["serve", "--listen", "127.0.0.1:0"][..], &TLS].concat();
    let said = fails(shop.run(&serve));
    assert!(
        said.contains("cert.pem") && said.contains("belong together"),
        "{said}"
    );
    fs::remove_file(shop.file("key.pem")).unwrap();
    let said = fails(shop.run(&serve));
    assert!(said.contains("key.pem"), "{said}");
    let said = fails(shop.run(&[&serve[..], &["--redirect-from", "127.0.0.1:0"]].concat()));
    assert!(said.contains("--public-url"), "{said}");
    let output = shop.run(&["serve", "--tls-cert", "cert.pem"]);
    assert_eq!(output.status.code(), Some(2));
    let output = shop.run(&["serve", "--acme-domain", "https://deals.test/"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn plain_http_leads_pages_to_https_and_takes_no_passwords() {
    let shop = Shop::with(&[product(1)]);
    certify(&shop, "deals.test");
    let options = [
        "--public-url",
        "https://deals.test",
        "--redirect-from",
        "127.0.0.1:0",
    ];
    let server = shop.serve_with(&[&TLS[..], &options].concat());
    let line = server.wait_for_line("plain http");
    let plain = line.rsplit(' ').next().unwrap();
    let client = Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .build()
        .unwrap();
    let answer = client
        .get(format!("{plain}/?category=Books&page=2"))
        .header("host", "evil.example")
        .send()
        .unwrap();
    assert_eq!(answer.status(), 308);
    let target = answer.headers()["location"].to_str().unwrap();
    assert_eq!(target, "https://deals.test/?category=Books&page=2");
    for path in [
        "/user/me/token",
        "/product/get-products",
        "/report/needs",
        "/settings",
    ] {
        assert_eq!(
            client
                .get(format!("{plain}{path}"))
                .send()
                .unwrap()
                .status(),
            403
        );
    }
    let answer = client
        .post(format!("{plain}/user/sign-in"))
        .body("{}")
        .send()
        .unwrap();
    assert_eq!(answer.status(), 403);
    assert!(answer.text().unwrap().contains("https only"));
}

#[test]
fn an_idle_http_2_connection_is_ended_by_a_server_that_stops() {
    let shop = Shop::with(&[product(1)]);
    let trusted = certify(&shop, "deals.test");
    let mut command = shop.serve_command(&TLS);
    command.env("DEALS_LOG", "debug");
    let server = Server::start(command);
    let client = client(&server, "deals.test", &trusted);
    let url = format!("https://deals.test:{}/healthz", server.port());
    let answer = client.get(url).send().unwrap();
    assert_eq!(answer.version(), Version::HTTP_2);
    let said = server.stop();
    assert!(said.contains("closed: the server stops"), "{said}");
    drop(client);
}
