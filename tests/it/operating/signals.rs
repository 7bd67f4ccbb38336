//! Signals, and a log that nobody reads.

use std::io::{BufRead, BufReader, Read};
use std::net::TcpStream;
use std::process::Stdio;
use std::time::Duration;

use crate::support::harness::{Shop, piped, product, signal, wait_for_exit, wait_until};
use crate::support::nginx::free_port;

#[test]
fn sighup_does_not_stop_the_server() {
    let shop = Shop::with(&[product(1)]);
    let server = shop.serve();
    server.get("/healthz");
    server.signal("HUP");
    server.wait_for_line("SIGHUP: the server goes on");
    assert_eq!(server.list("").len(), 1);
    server.stop();
    assert!(!shop.file("deals.sqlite-wal").exists());
}

#[test]
fn sighup_does_not_stop_a_server_that_starts() {
    let shop = Shop::with(&[product(1)]);
    let port = free_port();
    let address = format!("127.0.0.1:{port}");
    let mut child = piped(shop.command().args(["serve", "--listen", &address]));
    wait_until("it listens", || TcpStream::connect(&address).is_ok());
    signal(&child, "HUP");
    let answer = reqwest::blocking::get(format!("http://{address}/healthz"));
    assert_eq!(answer.unwrap().status(), 200);
    signal(&child, "TERM");
    assert_eq!(wait_for_exit(&mut child).code(), Some(0));
}

#[test]
fn a_stopped_log_reader_does_not_block_requests() {
    let shop = Shop::with(&[product(1)]);
    let mut serve = shop.serve_command(&[]);
    serve.env("DEALS_LOG", "trace");
    let mut child = piped(&mut serve);
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    let url = line.trim().trim_start_matches("listening on ").to_owned();
    let client = reqwest::blocking::Client::builder()
        .timeout(Duration::from_secs(60))
        .build()
        .unwrap();
    // Each request writes lines; a pipe holds 64 kB, and nobody reads this one.
    let get = |n: usize| {
        let answer = client
            .get(format!("{url}/product/get-products?search=word{n}"))
            .send();
        assert_eq!(answer.unwrap().status(), 200);
    };
    (0..1_500).for_each(get);
    signal(&child, "TERM");
    assert_eq!(wait_for_exit(&mut child).code(), Some(0));
}

#[test]
fn dropped_log_lines_are_counted() {
    let shop = Shop::with(&[product(1)]);
    let mut serve = shop.serve_command(&[]);
    serve.env("DEALS_LOG", "trace").stderr(Stdio::piped());
    let mut child = piped(&mut serve);
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    let url = line.trim().trim_start_matches("listening on ").to_owned();
    let client = reqwest::blocking::Client::new();
    for n in 0..6_000 {
        let answer = client.get(format!("{url}/product/get-products?search=word{n}"));
        assert_eq!(answer.send().unwrap().status(), 200);
    }
    let log = child.stderr.take().unwrap();
    let reader = std::thread::spawn(move || {
        let mut said = String::new();
        BufReader::new(log).read_to_string(&mut said).unwrap();
        said
    });
    signal(&child, "TERM");
    assert_eq!(wait_for_exit(&mut child).code(), Some(0));
    let said = reader.join().unwrap();
    assert!(said.contains("lines of the log were dropped"));
}
