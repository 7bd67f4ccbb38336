//! Proxies that name visitors in their own way.

use crate::support::harness::{Shop, misused, product};

/// Sends requests with a header through a trusted proxy, and returns the warnings about it.
fn warnings(header: &str, value: &str) -> Vec<String> {
    let shop = Shop::with(&[product(1)]);
    let server = shop.serve_with(&["--trusted-proxy", "127.0.0.1"]);
    for _ in 0..3 {
        let request = server.client().get(server.url("/healthz"));
        request.header(header, value).send().unwrap();
    }
    let log = server.stop();
    let lines = log.lines().filter(|line| line.contains("count as one"));
    lines.map(ToOwned::to_owned).collect()
}

#[test]
fn a_trusted_proxy_with_another_header_causes_one_warning() {
    for (header, value) in [
        ("x-real-ip", "9.9.9.9"),
        ("forwarded", "for=9.9.9.9"),
        ("cf-connecting-ip", "9.9.9.9"),
        ("true-client-ip", "2001:db8::7"),
        ("x-forwarded-for", "unknown"),
        ("x-forwarded-for", "_hidden, 127.0.0.1"),
    ] {
        let warned = warnings(header, value);
        assert_eq!(warned.len(), 1, "{header}: {value}");
        assert!(warned[0].contains(header), "{}", warned[0]);
        assert!(warned[0].contains("X-Forwarded-For"), "{}", warned[0]);
    }
}

#[test]
fn a_trusted_proxy_with_a_readable_header_causes_no_warning() {
    for value in [
        "9.9.9.9",
        "9.9.9.9:4711",
        "[2001:db8::7]:4711",
        "unknown, 9.9.9.9",
        "9.9.9.9, 127.0.0.1",
    ] {
        assert_eq!(warnings("x-forwarded-for", value), [""; 0], "{value}");
    }
    assert_eq!(warnings("via", "1.1 proxy"), [""; 0]);
}

#[test]
fn invalid_trusted_proxies_are_refused_with_the_right_form() {
    for (value, words) in [
        ("localhost", "127.0.0.1"),
        ("*", "10.0.0.0/8"),
        ("10.0.0.1-10.0.0.9", "ranges"),
        ("10.0.0.1/8", "write 10.0.0.0/8 for that network"),
        ("2001:db8::7/32", "write 2001:db8::/32 for that network"),
        ("10.0.0.0/33", "10.0.0.0/8"),
        ("127.0.0.1:8080", "127.0.0.1"),
    ] {
        let serve = ["serve", "--listen", "127.0.0.1:0", "--trusted-proxy", value];
        let said = misused(Shop::new().run(&serve));
        assert!(said.contains(words), "{value}: {said}");
    }
}
