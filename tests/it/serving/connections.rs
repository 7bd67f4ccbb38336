//! Too many, too slow and too large connections.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::process::Command;
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;

use crate::support::harness::{
    PATIENCE, Server, Shop, fails, product, product_with, text, wait_until,
};
use crate::support::people::People;

const MIB: u64 = 1_024 * 1_024;
/// Interval at which a slow client sends a little.
const DRIP: Duration = Duration::from_millis(100);

fn connect(server: &Server) -> TcpStream {
    let stream = TcpStream::connect(server.address()).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream
}

/// Sends a request and returns everything until the server closes.
fn exchange(server: &Server, request: &str) -> String {
    let mut stream = connect(server);
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    // Writing to a closed connection resets it.
    let _ = stream.read_to_end(&mut answer);
    text(&answer)
}

/// Memory of the server in bytes.
fn memory(server: &Server) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.pid())).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:"));
    let kib = line.unwrap().split_whitespace().nth(1).unwrap();
    kib.parse::<u64>().unwrap() * 1_024
}

/// Connections that were answered once and stay open.
fn open(server: &Server, count: usize) -> Vec<TcpStream> {
    let mut open = Vec::new();
    for _ in 0..count {
        let mut stream = connect(server);
        let _ = stream.write_all(b"GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n");
        let mut start = [0; 12];
        if stream.read_exact(&mut start).is_ok() && &start == b"HTTP/1.1 200" {
            open.push(stream);
        }
    }
    open
}

/// Returns true unless the server has closed it, which it does after idle time.
fn is_open(mut stream: &TcpStream) -> bool {
    stream.set_nonblocking(true).unwrap();
    let mut rest = [0; 4_096];
    loop {
        match stream.read(&mut rest) {
            Ok(0) => return false,
            Ok(_) => {}
            Err(error) => return error.kind() == ErrorKind::WouldBlock,
        }
    }
}

#[test]
fn connections_of_one_address_are_limited_and_more_get_503() {
    let shop = Shop::with(&[product(1)]);
    let server = shop.serve_with(&["--connections-per-address", "4"]);
    let mut held = Vec::new();
    let mut refused = String::new();
    wait_until("nobody is refused while four are open", || {
        held.clear();
        held.extend(open(&server, 4));
        refused = exchange(&server, "GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n");
        held.len() == 4 && held.iter().all(is_open)
    });
    assert!(refused.starts_with("HTTP/1.1 503 "), "{refused}");
    assert!(refused.contains("retry-after: 5"), "{refused}");
    assert!(refused.contains("cache-control: no-store"), "{refused}");
    let body = refused.split("\r\n\r\n").nth(1).unwrap();
    assert!(refused.contains(&format!("content-length: {}\r\n", body.len())));
    let body: serde_json::Value = serde_json::from_str(body).unwrap();
    assert!(
        body["error"]
            .as_str()
            .unwrap()
            .contains("Too many connections")
    );
    assert_eq!(body["code"], "busy");
    drop(held);
    // Slots are free once the server has seen the connections end.
    wait_until("no place is free", || !open(&server, 1).is_empty());
}

#[test]
fn connections_of_a_trusted_proxy_are_not_limited() {
    let shop = Shop::with(&[product(1)]);
    let server = shop.serve_with(&[
        "--connections-per-address",
        "2",
        "--trusted-proxy",
        "127.0.0.1",
    ]);
    assert_eq!(open(&server, 9).len(), 9);
}

#[test]
fn visitors_behind_a_trusted_proxy_may_be_slow_together() {
    let shop = Shop::with(&(0..100).map(product).collect::<Vec<_>>());
    let server = shop.serve_with(&["--trusted-proxy", "127.0.0.1"]);
    let requests = "GET /product/get-products?limit=100 HTTP/1.1\r\nhost: a\r\n\r\n".repeat(99)
        + "GET /product/get-products?limit=100 HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n";
    let mut slow: Vec<(TcpStream, Vec<u8>)> =
        (0..40).map(|_| (connect(&server), Vec::new())).collect();
    for (stream, _) in &mut slow {
        stream.write_all(requests.as_bytes()).unwrap();
    }
    // A little from each in turn: all but one wait at any time, and none is given up.
    let mut some = vec![0; 65_536];
    while !slow.is_empty() {
        slow.retain_mut(|(stream, answers)| {
            let read = stream.read(&mut some).unwrap();
            answers.extend_from_slice(&some[..read]);
            if read == 0 {
                let answered = text(answers).matches("HTTP/1.1 200 OK").count();
                assert_eq!(answered, 100);
            }
            read > 0
        });
    }
}

#[test]
fn more_connections_than_file_descriptors_do_no_harm() {
    let shop = Shop::with(&[product(1)]);
    let serve = shop.serve_command(&["--connections-per-address", "100000"]);
    let mut limited = Command::new("sh");
    limited
        .args(["-c", "ulimit -n 256; exec \"$0\" \"$@\""])
        .arg(serve.get_program())
        .args(serve.get_args())
        .current_dir(shop.folder());
    let server = Server::start(limited);
    let mut held = open(&server, 400);
    held.retain(is_open);
    assert!((64..256).contains(&held.len()), "{}", held.len());
    drop(held);
    wait_until("no place is free", || !open(&server, 1).is_empty());
    assert_eq!(server.list("").len(), 1);
}

#[test]
fn a_server_that_stops_closes_idle_connections_and_answers_running_requests() {
    let shop = Shop::with(&[product(1)]);
    let mut server = shop.serve();
    let mut idle = open(&server, 1).remove(0);
    let mut running = connect(&server);
    let start = "POST /user/sign-in HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n\
                 content-length: 2\r\nexpect: 100-continue\r\n\r\n";
    running.write_all(start.as_bytes()).unwrap();
    // The request has begun when the server asks for its body.
    let mut answer = [0; 25];
    running.read_exact(&mut answer).unwrap();
    assert!(answer.starts_with(b"HTTP/1.1 100 "));
    server.signal("TERM");
    let mut rest = Vec::new();
    idle.read_to_end(&mut rest).unwrap();
    running.write_all(b"{}").unwrap();
    let mut answer = Vec::new();
    running.read_to_end(&mut answer).unwrap();
    let answer = text(&answer);
    assert!(answer.starts_with("HTTP/1.1 400 "), "{answer}");
    assert_eq!(server.wait_for_exit().code(), Some(0));
}

#[test]
fn a_stalled_request_body_times_out() {
    let shop = Shop::with(&[product(1)]);
    let server = shop.serve();
    let answer = exchange(
        &server,
        "POST /user/sign-in HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n\
         content-length: 90\r\n\r\n{\"email\":",
    );
    assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
    assert!(answer.contains("took too long to arrive"), "{answer}");
    assert!(answer.contains("\"code\":\"too_slow\""), "{answer}");
}

/// A chunked body has no length that the server knows in advance.
#[test]
fn a_dripping_request_body_times_out() {
    let shop = Shop::with(&[product(1)]);
    let server = shop.serve();
    for (path, answered) in [("sign-in", "408"), ("logout", "200")] {
        let mut stream = connect(&server);
        let request = format!(
            "POST /user/{path} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n\
             transfer-encoding: chunked\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut reader = stream.try_clone().unwrap();
        let answer = std::thread::spawn(move || {
            let mut answer = Vec::new();
            let _ = reader.read_to_end(&mut answer);
            text(&answer)
        });
        wait_until(&format!("{path} takes drips for ever"), || {
            std::thread::sleep(DRIP);
            stream.write_all(b"1\r\n \r\n").is_err()
        });
        let answer = answer.join().unwrap();
        assert!(
            answer.contains(&format!("HTTP/1.1 {answered} ")),
            "{answer}"
        );
    }
}

#[test]
fn a_connection_is_closed_if_the_request_body_never_comes() {
    let shop = Shop::with(&[product(1)]);
    let server = shop.serve();
    let mut stream = connect(&server);
    let request = "POST /user/logout HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n";
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    // Fails if the server does not end it in time.
    stream.read_to_end(&mut answer).unwrap();
    assert!(answer.starts_with(b"HTTP/1.1 200 "));
}

#[test]
fn a_file_uploaded_in_chunks_of_one_byte_is_imported() {
    let people = People::with(Shop::new(), &[]);
    let admin = people.join_as_admin("owner@b.example");
    let mut stream = connect(&people.server);
    let head = format!(
        "POST /product/import HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {}\r\n\
         connection: close\r\ntransfer-encoding: chunked\r\n\r\n",
        admin.token
    );
    let file = json!([product(1), product(2), product(3)]).to_string();
    let chunks: String = file
        .chars()
        .map(|byte| format!("1\r\n{byte}\r\n"))
        .collect();
    let request = head + &chunks + "0\r\n\r\n";
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    assert!(answer.starts_with(b"HTTP/1.1 200 "), "{}", text(&answer));
    assert_eq!(people.server.list("").len(), 3);
}

/// Security, R22.
#[test]
fn bodies_in_chunks_of_a_byte_cost_no_memory_at_any_call() {
    let people = People::with(Shop::with(&[product(1)]), &[]);
    let admin = people.join_as_admin("owner@b.example");
    let before = memory(&people.server);
    let chunks = "1\r\n \r\n".repeat(200_000);
    for (method, path) in [
        ("POST", "/product/import"),
        ("POST", "/product/add-product"),
        ("PUT", "/product/update-product/x"),
        ("DELETE", "/product/delete-product/x"),
        ("POST", "/product/bulk"),
        ("POST", "/product/undo/1"),
        ("POST", "/product/increament-views/x"),
        ("POST", "/user/register"),
        ("POST", "/user/sign-in"),
        ("POST", "/user/logout"),
        ("PUT", "/settings"),
    ] {
        for token in ["", &admin.token] {
            let mut stream = connect(&people.server);
            let head = format!(
                "{method} {path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {token}\r\n\
                 content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n"
            );
            stream.write_all(head.as_bytes()).unwrap();
            // The server may close at any time.
            let _ = stream.write_all(chunks.as_bytes());
            let cost = memory(&people.server).saturating_sub(before);
            assert!(cost < 40 * MIB, "{method} {path}: {} MiB", cost / MIB);
        }
    }
    assert_eq!(people.server.list("").len(), 1);
}

#[test]
fn too_low_limits_of_files_and_memory_are_reported_at_start() {
    let shop = Shop::with(&[product(1)]);
    let serve = shop.serve_command(&[]);
    for (limit, words) in [
        ("-n 24", "24 files"),
        ("-n 64", "64 files"),
        ("-n 255", "255 files"),
        ("-v 300000", "292 MiB of address space"),
    ] {
        let limited = Command::new("sh")
            .args(["-c", &format!("ulimit {limit}; exec \"$0\" \"$@\"")])
            .arg(serve.get_program())
            .args(serve.get_args())
            .current_dir(shop.folder())
            .output();
        let said = fails(limited.unwrap());
        assert!(said.contains(words) && said.contains("`ulimit -"), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
}

#[test]
fn a_stalled_request_head_times_out() {
    let shop = Shop::with(&[product(1)]);
    let server = shop.serve();
    let answer = exchange(&server, "GET / HTTP/1.1\r\nhost: a\r\nx-slow: ");
    assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
}

#[test]
fn too_large_requests_are_refused() {
    let shop = Shop::with(&[product(1)]);
    let server = shop.serve();
    let head = |first: &str, more: &str| {
        exchange(
            &server,
            &format!("{first} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n{more}\r\n"),
        )
    };
    let path = format!("GET /{}", "a".repeat(60_000));
    let answer = head(&path, "");
    assert!(answer.starts_with("HTTP/1.1 414 "), "{answer}");
    assert!(answer.contains("\"error\""), "{answer}");
    let query = format!("GET /product/get-products?search={}", "a".repeat(9_000));
    assert!(head(&query, "").starts_with("HTTP/1.1 414 "));
    let headers: String = (0..97).map(|n| format!("x-{n}: a\r\n")).collect();
    let answer = head("GET /", &headers);
    assert!(answer.starts_with("HTTP/1.1 4"), "{answer}");
    let answer = head("GET /", &format!("x-long: {}\r\n", "a".repeat(200_000)));
    assert!(answer.starts_with("HTTP/1.1 4"), "{answer}");
    assert_eq!(server.list("").len(), 1);
}

#[test]
fn unread_exports_do_not_block_other_requests() {
    let description = "Some words. ".repeat(400);
    let large = (0..3_000).map(|n| product_with(n, json!({ "description": description })));
    let people = People::with(Shop::with(&large.collect::<Vec<_>>()), &[]);
    let admin = people.join_as_admin("owner@b.example");
    let export = format!(
        "GET /product/export HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {}\r\n\r\n",
        admin.token
    );
    let answers = (0..12).map(|_| {
        let mut stream = connect(&people.server);
        stream.write_all(export.as_bytes()).unwrap();
        let mut start = [0; 12];
        stream.read_exact(&mut start).unwrap();
        (stream, text(&start))
    });
    let held: Vec<(TcpStream, String)> = answers.collect();
    let statuses: Vec<&str> = held.iter().map(|(_, start)| &start[9..]).collect();
    assert_eq!(statuses[..2], ["200", "200"]);
    assert!(
        statuses[2..].iter().all(|status| *status == "503"),
        "{statuses:?}"
    );
    for query in ["search=words", "page=40", "minPrice=200&sortBy=clicks"] {
        assert_eq!(people.server.list(query).len(), 10, "{query}");
    }
    drop(held);
    // Slots are free once the server has seen that nobody reads.
    wait_until("no place is free", || {
        let mut stream = connect(&people.server);
        stream.write_all(export.as_bytes()).unwrap();
        let mut start = [0; 12];
        stream.read_exact(&mut start).unwrap();
        start.ends_with(b"200")
    });
}

#[test]
fn the_body_limit_applies_to_the_decompressed_size() {
    let shop = Shop::new();
    shop.sign_up("a@b.example", "tiger-lamp-42");
    let server = shop.serve();
    let sign_in = |body: &str| {
        let mut packed = GzEncoder::new(Vec::new(), Compression::best());
        packed.write_all(body.as_bytes()).unwrap();
        let answer = server
            .client()
            .post(server.url("/user/sign-in"))
            .header("content-type", "application/json")
            .header("content-encoding", "gzip")
            .body(packed.finish().unwrap())
            .send();
        answer.unwrap().status()
    };
    let account = json!({ "email": "a@b.example", "password": "tiger-lamp-42" });
    assert_eq!(sign_in(&account.to_string()), 200);
    let bomb = json!({ "email": "a".repeat(15_000_000), "password": "x" });
    assert_eq!(sign_in(&bomb.to_string()), 413);
}
