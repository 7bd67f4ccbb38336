//! Turns: who floods the server with slow work delays only such work of their own.

use std::fs::File;
use std::sync::mpsc::channel;
use std::thread::available_parallelism;

use reqwest::Method;
use reqwest::blocking::RequestBuilder;
use rusqlite::Connection;
use serde_json::json;

use crate::people::keys::key_of;
use crate::support::harness::{Shop, product};
use crate::support::people::{PASSWORD, People, Someone};

const OWNER: &str = "owner@example.com";
/// Sign-ins that wait, of all addresses, and of one.
const WAITING: usize = 64;
const OF_ONE: usize = 2;
/// Sign-ins of an address that are not refused by their number.
const TRIES: usize = 10;

/// Number of threads that hash passwords.
fn threads() -> usize {
    (available_parallelism().unwrap().get() / 2).max(1)
}

/// Keeps the server from writing, so that a sign-in with the right password lasts until it is dropped.
fn hold_writes(people: &People) -> Connection {
    let connection = people.shop.database();
    connection.execute_batch("BEGIN IMMEDIATE").unwrap();
    connection
}

fn sign_in(people: &People, address: &str) -> RequestBuilder {
    let credentials = json!({"email": OWNER, "password": PASSWORD});
    let request = people.request(Method::POST, "/user/sign-in");
    request
        .header("x-forwarded-for", address)
        .json(&credentials)
}

/// Sends a request; returns its status, and asserts that 503 says when to come again.
fn status(request: RequestBuilder) -> u16 {
    let response = request.send().unwrap();
    let status = response.status().as_u16();
    let says_when = response.headers().contains_key("retry-after");
    assert!(says_when || status != 503);
    status
}

#[test]
fn more_than_two_queued_sign_ins_of_an_address_get_503() {
    let people = People::new();
    people.join_as_admin(OWNER);
    let addresses = threads();
    let sent = addresses * TRIES;
    let refused = sent - threads() - addresses * OF_ONE;
    let held = hold_writes(&people);
    let (done, answered) = channel();
    std::thread::scope(|scope| {
        for n in 0..sent {
            let (people, done) = (&people, done.clone());
            let address = format!("10.7.{}.1", n % addresses);
            scope.spawn(move || done.send(status(sign_in(people, &address))));
        }
        let first: Vec<u16> = answered.iter().take(refused).collect();
        assert!(first.iter().all(|status| *status == 503), "{first:?}");
        drop(held);
        let rest: Vec<u16> = answered.iter().take(sent - refused).collect();
        assert!(rest.iter().all(|status| *status == 200), "{rest:?}");
    });
}

#[test]
fn a_known_browser_signs_in_when_strangers_fill_the_queue() {
    let people = People::new();
    people.join_as_admin(OWNER);
    let known = sign_in(&people, "10.8.0.1").send().unwrap();
    let cookies = known.headers().get_all("set-cookie").iter();
    let cookies: Vec<&str> = cookies
        .filter_map(|line| line.to_str().unwrap().split(';').next())
        .filter(|cookie| cookie.contains("browser-"))
        .collect();
    assert_eq!(cookies.len(), 1);
    let held = hold_writes(&people);
    let (done, answered) = channel();
    std::thread::scope(|scope| {
        for n in 0..threads() + WAITING + 1 {
            let (people, done) = (&people, done.clone());
            let address = format!("10.9.{n}.1");
            scope.spawn(move || done.send(("stranger", status(sign_in(people, &address)))));
        }
        assert_eq!(answered.recv(), Ok(("stranger", 503)), "the queue is full");

        let form = json!({"username": "asha", "email": "new@example.com", "password": PASSWORD});
        let register = people.request(Method::POST, "/user/register").json(&form);
        assert_eq!(status(register), 503);
        let (people, cookie, of_known) = (&people, cookies[0], done.clone());
        scope.spawn(move || {
            let request = sign_in(people, "10.9.0.1").header("cookie", cookie);
            of_known.send(("known", status(request)))
        });
        assert_eq!(answered.recv(), Ok(("stranger", 503)), "one gave way");
        drop(held);
        let rest = answered.iter().take(threads() + WAITING);
        let known: Vec<_> = rest.filter(|(who, _)| *who == "known").collect();
        assert_eq!(known, [("known", 200)]);
    });
}

fn import(people: &People, number: usize) -> RequestBuilder {
    let request = people.request(Method::POST, "/product/import");
    request.body(json!([product(number)]).to_string())
}

fn preview(people: &People, owner: &Someone) -> RequestBuilder {
    let request = people.request(Method::POST, "/product/import/preview");
    let request = request.header("cookie", &owner.cookie);
    request.body(json!([product(1)]).to_string())
}

#[test]
fn queued_imports_do_not_block_sign_ins_and_pages() {
    let people = People::with(Shop::with(&[product(1)]), &[]);
    let owner = people.join_as_admin(OWNER);
    let key = key_of(&people, &owner, "nightly", &["import"]);
    // As another import does that is being published.
    let lock = File::create(people.shop.file("deals.sqlite.import-lock")).unwrap();
    lock.lock().unwrap();
    let (done, answered) = channel();
    std::thread::scope(|scope| {
        let by_owner = |n| import(&people, n).header("cookie", &owner.cookie);
        let mut requests: Vec<_> = (2..6).map(by_owner).collect();
        requests.push(import(&people, 6).bearer_auth(&key));
        for request in requests {
            let done = done.clone();
            scope.spawn(move || done.send(status(request)));
        }
        assert_eq!(answered.recv(), Ok(503), "one runs and two wait");
        assert_eq!(status(preview(&people, &owner)), 503);

        assert_eq!(people.me(&people.sign_in(OWNER).token), 200);
        assert_eq!(people.server.get("/?search=product").status(), 200);
        lock.unlock().unwrap();
        let rest: Vec<u16> = answered.iter().take(4).collect();
        assert_eq!(rest, [200; 4], "three of the owner and one of the key");
        assert_eq!(status(preview(&people, &owner)), 200);
    });
}
