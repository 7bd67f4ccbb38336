//! Sign-ins over plain http from other machines, whose cookie browsers drop.

use reqwest::Method;
use reqwest::blocking::Response;
use serde_json::json;

use crate::support::harness::Shop;
use crate::support::people::{PASSWORD, People, error, someone};

const OWNER: &str = "owner@example.com";

fn people(options: &[&str]) -> People {
    let people = People::with(Shop::new(), options);
    let arguments = [
        "add",
        OWNER,
        "--username",
        "owner",
        "--admin",
        "--password-stdin",
    ];
    assert!(people.shop.user(&arguments, PASSWORD).status.success());
    people
}

/// Signs in with these headers.
fn sign_in(people: &People, headers: &[(&str, &str)]) -> Response {
    let credentials = json!({"email": OWNER, "password": PASSWORD});
    let mut request = people
        .request(Method::POST, "/user/sign-in")
        .json(&credentials);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.send().unwrap()
}

/// Signs in as a browser on a page of this origin.
fn from_page(people: &People, origin: &str) -> Response {
    let host = origin.split_once("://").unwrap().1;
    sign_in(people, &[("origin", origin), ("host", host)])
}

#[test]
fn browser_sign_in_over_plain_http_is_refused_with_advice() {
    for options in [
        &[][..],
        &["--public-url", "http://deals.example.com"],
        &["--public-url", "https://deals.example.com"],
    ] {
        let people = people(options);
        for origin in [
            "http://deals.example.com",
            "http://10.99.0.1:8080",
            "http://[2001:db8::1]:8080",
            "http://localhost.example.com",
        ] {
            let refused = from_page(&people, origin);
            assert_eq!(refused.status(), 403, "{origin} {options:?}");
            assert!(refused.headers().get("set-cookie").is_none());
            let said = error(refused);
            for word in ["https", "SSH tunnel", "--allow-http-sign-in"] {
                assert!(said.contains(word), "{said}");
            }
        }
        for origin in [
            "http://localhost:8080",
            "http://127.0.0.1:8080",
            "http://[::1]:8080",
        ] {
            assert_eq!(
                from_page(&people, origin).status(),
                200,
                "{origin} {options:?}"
            );
        }
    }
}

#[test]
fn a_browser_signs_in_over_https_behind_a_plain_http_proxy() {
    let people = people(&["--public-url", "https://deals.example.com"]);
    let owner = someone(from_page(&people, "https://deals.example.com"));
    assert!(owner.cookie.starts_with("__Host-session="));
}

#[test]
fn a_program_gets_its_token_over_plain_http() {
    let people = people(&["--public-url", "http://deals.example.com"]);
    for headers in [
        &[][..],
        &[("host", "deals.example.com")],
        // As fetch of Node.js sends.
        &[("host", "deals.example.com"), ("sec-fetch-mode", "cors")],
    ] {
        let owner = someone(sign_in(&people, headers));
        let activity = people
            .request(Method::GET, "/product/activity")
            .bearer_auth(&owner.token);
        assert_eq!(activity.send().unwrap().status(), 200);
    }
}

#[test]
fn allow_http_sign_in_sets_a_cookie_without_secure() {
    for url in ["http://deals.example.com", "https://deals.example.com"] {
        let people = people(&["--allow-http-sign-in", "--public-url", url]);
        let answer = from_page(&people, "http://deals.example.com");
        let cookie = answer.headers()["set-cookie"].to_str().unwrap().to_owned();
        assert!(
            cookie.starts_with("session=") && !cookie.contains("Secure"),
            "{cookie}"
        );
        let owner = someone(answer);
        let activity = people
            .request(Method::GET, "/product/activity")
            .header("cookie", owner.cookie);
        assert_eq!(activity.send().unwrap().status(), 200);
        assert_eq!(people.server.json("/settings")["shop"]["httpSignIn"], true);
    }
    let usual = people(&[]);
    assert!(
        usual.server.json("/settings")["shop"]
            .get("httpSignIn")
            .is_none()
    );
}
