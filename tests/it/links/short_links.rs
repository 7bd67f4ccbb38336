//! Short links are resolved only for an administrator, and only those of shops.

use deals::fetch::{FetchError, Fetcher};
use reqwest::Method;
use serde_json::json;

use crate::api::product_forms::{send, shop};
use crate::support::people::error;

#[test]
fn only_known_shorteners_are_resolved() {
    let (people, owner) = shop();
    let path = "/product/resolve-link";
    let network = "https://linksredirect.com/?cid=1&url=https%3A%2F%2Famzn.in%2Fd%2Fabc";
    for (link, words) in [
        (network, "Links of Cuelinks are never opened by the server"),
        ("https://ekaro.in/abc", "Links of EarnKaro are never opened"),
        (
            "https://www.amazon.in/dp/B0ABCD1234",
            "Only short links of known shops",
        ),
        ("https://bit.ly/abc", "Only short links of known shops"),
        ("http://127.0.0.1/d/abc", "Only short links of known shops"),
        ("http://[::1]/d/abc", "Only short links of known shops"),
        (
            "https://amzn.in:8443/d/abc",
            "Only short links of known shops",
        ),
        (
            "https://amzn.in.evil.example/d/abc",
            "Only short links of known shops",
        ),
        ("file:///etc/passwd", "valid affiliate link"),
    ] {
        let refused = send(&people, &owner, Method::POST, path, &json!({"link": link}));
        assert_eq!(refused.status(), 400, "{link}");
        let said = error(refused);
        assert!(said.contains(words), "{link}: {said}");
    }
    let link = json!({"link": "https://amzn.in/d/abc"});
    assert_eq!(people.post(path, &link).status(), 401);
    let user = people.join("asha@example.com");
    assert_eq!(
        send(&people, &user, Method::POST, path, &link).status(),
        403
    );
}

#[test]
fn a_host_with_a_private_address_is_not_dialled() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let fetcher = Fetcher::default();
    let fetch = |address: String| fetcher.first_location(&address.parse().unwrap());
    assert!(matches!(
        fetch("http://localhost/d/abc".to_owned()),
        Err(FetchError::NotPublic(_))
    ));
    let with_port = format!("http://{}/d/abc", listener.local_addr().unwrap());
    assert_eq!(fetch(with_port), Err(FetchError::Address));
    assert!(listener.accept().is_err(), "nobody connected");
}
