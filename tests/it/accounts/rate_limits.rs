//! Rate limits on guessing and flooding; numbers refer to OWASP ASVS 5.0.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use serde_json::json;

use crate::support::harness::{Done, Shop, product};
use crate::support::people::{PASSWORD, People, at_once, error};

/// security, R11: hashing for a client that hung up keeps its slot until it is done.
#[test]
fn disconnected_clients_free_no_place_for_password_hashing() {
    use std::io::Write as _;
    let people = People::with(Shop::with(&[product(1)]), &[]);
    for n in 0..150 {
        let body = json!({"email": format!("u{n}@example.com"), "password": "wrong-password"});
        let body = body.to_string();
        let mut client = std::net::TcpStream::connect(people.server.address()).unwrap();
        write!(
            client,
            "POST /user/sign-in HTTP/1.1\r\nhost: shop\r\nx-forwarded-for: 10.5.0.{n}\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        )
        .unwrap();
        // Unread bytes make the system reset the connection.
        let _ = client.set_nonblocking(true);
        drop(client);
    }
    // The queue is still full and refuses; the list is served.
    let statuses = at_once(70, |n| {
        let body = json!({"email": format!("v{n}@example.com"), "password": "wrong-password"});
        let from = format!("10.6.{n}.1");
        people
            .post_from(&from, "/user/sign-in", &body)
            .status()
            .as_u16()
    });
    assert!(statuses.contains(&503), "{statuses:?}");
    assert_eq!(people.server.get("/product/get-products").status(), 200);
}

/// Asserts that ten sign-ins, and one more every ten seconds since, were tried.
fn assert_limited(statuses: &[u16], since: Instant) {
    assert!(statuses.contains(&429), "{statuses:?}");
    let tried = statuses.iter().filter(|status| **status == 401).count();
    let allowed = 10 + since.elapsed().as_secs() / 10 + 1;
    assert!(tried as u64 <= allowed, "{statuses:?}");
}

/// 2.4.1, 6.1.1, 6.3.1, 4.1.3
#[test]
fn password_guesses_are_limited_by_address_and_by_account() {
    let people = People::new();
    people.join_as_admin("owner@example.com");
    let sign_in = |from: &str, email: &str, password: &str| {
        let body = json!({"email": email, "password": password});
        people.post_from(from, "/user/sign-in", &body)
    };
    // One address, many accounts.
    let start = Instant::now();
    let statuses: Vec<u16> = (0..30)
        .map(|n| {
            let email = format!("user{n}@example.com");
            sign_in("10.0.0.1", &email, "not-this-password")
                .status()
                .as_u16()
        })
        .collect();
    assert!(
        statuses[..10].iter().all(|status| *status == 401),
        "{statuses:?}"
    );
    assert_limited(&statuses, start);
    // Many addresses, one account: growing delays, also for the right password.
    let mut refused = None;
    for n in 0..12 {
        let response = sign_in(
            &format!("10.0.1.{n}"),
            "owner@example.com",
            "not-this-password",
        );
        if response.status() == 429 {
            refused = Some(response);
            break;
        }
    }
    let refused = refused.expect("no delay for one account");
    let wait: u64 = refused.headers()["retry-after"]
        .to_str()
        .unwrap()
        .parse()
        .unwrap();
    assert!(wait >= 1);
    assert_eq!(error(refused), "Too many attempts. Please try again later.");
    // The proxy's own address has its full allowance.
    assert_eq!(
        sign_in("10.0.2.1", "nobody@example.com", "not-this-password").status(),
        401
    );
}

/// 4.1.3
#[test]
fn forwarded_addresses_are_ignored_without_a_trusted_proxy() {
    let shop = Shop::new();
    let server = shop.serve();
    let start = Instant::now();
    let statuses: Vec<u16> = (0..30)
        .map(|n| {
            let body = json!({"email": format!("u{n}@example.com"), "password": "wrong-password"});
            let request = server
                .client()
                .post(server.url("/user/sign-in"))
                .json(&body);
            let request = request.header("x-forwarded-for", format!("9.9.9.{n}"));
            request.send().unwrap().status().as_u16()
        })
        .collect();
    assert_limited(&statuses, start);
}

#[test]
fn refused_requests_write_a_line_a_minute_for_an_address() {
    let people = People::new();
    for address in ["10.0.0.1", "10.0.0.2"] {
        for n in 0..40 {
            let body = json!({"email": format!("u{n}@example.com"), "code": "123456"});
            people.post_from(address, "/user/verify-code", &body);
        }
    }
    let (log, _people) = people.restart();
    let refusals = log
        .lines()
        .filter(|line| line.contains("too many from one address"));
    // The minute may end meanwhile.
    let lines = refusals.count();
    assert!((2..=4).contains(&lines), "{log}");
}

#[test]
fn registering_is_limited_to_ten_an_hour_for_one_address() {
    let people = People::new();
    let statuses: Vec<u16> = (0..12)
        .map(|n| {
            let form = json!({
                "username": "asha", "email": format!("u{n}@example.com"), "password": PASSWORD,
            });
            people
                .post_from("10.0.0.1", "/user/register", &form)
                .status()
                .as_u16()
        })
        .collect();
    assert_eq!(
        statuses.iter().filter(|status| **status == 201).count(),
        10,
        "{statuses:?}"
    );
    assert_eq!(
        statuses.iter().filter(|status| **status == 429).count(),
        2,
        "{statuses:?}"
    );
}

/// security, R11: hashing has its own queue, so lists are served.
#[test]
fn the_list_is_served_during_two_hundred_sign_ins() {
    let people = People::with(Shop::with(&[product(1)]), &[]);
    let done = AtomicBool::new(false);
    let (statuses, reads) = std::thread::scope(|scope| {
        let guard = Done(&done);
        let reader = scope.spawn(|| {
            let mut reads = 0;
            while !done.load(Ordering::Relaxed) {
                assert_eq!(people.server.get("/product/get-products").status(), 200);
                reads += 1;
            }
            reads
        });
        let statuses = at_once(200, |n| {
            let body = json!({"email": format!("u{n}@example.com"), "password": "wrong-password"});
            let from = format!("10.0.{n}.1");
            people
                .post_from(&from, "/user/sign-in", &body)
                .status()
                .as_u16()
        });
        drop(guard);
        (statuses, reader.join().unwrap())
    });
    assert!(
        statuses.iter().all(|status| matches!(status, 401 | 503)),
        "{statuses:?}"
    );
    let turned_away = statuses.iter().filter(|status| **status == 503).count();
    assert!(turned_away > 0, "the queue has no end");
    // A list that queued behind the passwords would be served a few times only.
    let tried = statuses.len() - turned_away;
    assert!(reads >= tried, "{reads} reads beside {tried} passwords");
}
