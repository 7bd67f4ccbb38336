//! Memory of requests that have not arrived and answers that nobody has read.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};

use tokio::net::TcpSocket;
use tokio::runtime::Builder;

use crate::support::crowd::allow_many_files;
use crate::support::harness::{PATIENCE, Server, Shop, product, text, wait_until};

const WRITES: [(&str, &str); 12] = [
    ("POST", "/product/add-product"),
    ("PUT", "/product/update-product/1"),
    ("DELETE", "/product/delete-product/1"),
    ("PUT", "/product/by-link"),
    ("POST", "/product/bulk"),
    ("POST", "/product/import"),
    ("POST", "/product/import/preview"),
    ("PUT", "/product/mappings/a"),
    ("PUT", "/settings"),
    ("POST", "/keys"),
    ("POST", "/webhooks"),
    ("POST", "/people/invite"),
];

/// Connects from a loopback address, which stands for a network.
fn connect_from(server: &Server, last: u8) -> TcpStream {
    let from = SocketAddr::from(([127, 1, last, 1], 0));
    let to: SocketAddr = server.address().parse().unwrap();
    let runtime = Builder::new_current_thread().enable_io().build().unwrap();
    let stream = runtime.block_on(async {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind(from).unwrap();
        socket.connect(to).await.unwrap().into_std().unwrap()
    });
    stream.set_nonblocking(false).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream
}

fn exchange(server: &Server, request: &str) -> String {
    let mut stream = connect_from(server, 1);
    let _ = stream.write_all(request.as_bytes());
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    text(&answer)
}

/// A request whose head has this many bytes.
fn with_head_of(bytes: usize) -> String {
    let start = "GET /healthz HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncookie: a=";
    let end = "\r\n\r\n";
    let filler = "a".repeat(bytes - start.len() - end.len());
    format!("{start}{filler}{end}")
}

#[test]
fn request_heads_are_limited_to_sixteen_kilobytes() {
    let shop = Shop::with(&[product(1)]);
    let server = shop.serve();
    let answer = exchange(&server, &with_head_of(16_384));
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    let answer = exchange(&server, &with_head_of(16_385));
    assert!(answer.starts_with("HTTP/1.1 431 "), "{answer}");
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.contains(&format!("content-length: {}", body.len())));
    assert!(body.contains("\"code\":\"too_large\""), "{body}");
}

#[test]
fn writes_without_a_session_are_refused_before_their_body_is_read() {
    let shop = Shop::with(&[product(1)]);
    let server = shop.serve();
    for (method, path) in WRITES {
        for kind in ["application/json", "text/plain", "multipart/form-data"] {
            let mut stream = connect_from(&server, 1);
            let head = format!(
                "{method} {path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer made-up\r\n\
                 content-type: {kind}\r\ncontent-length: 50000000\r\n\r\n"
            );
            stream.write_all(head.as_bytes()).unwrap();
            let _ = stream.write_all(&[b'a'; 20_000]);
            let mut start = [0; 12];
            stream.read_exact(&mut start).unwrap();
            assert_eq!(text(&start), "HTTP/1.1 401", "{method} {path} {kind}");
        }
    }
}

#[test]
fn pipelined_requests_are_answered_in_order() {
    let shop = Shop::with(&[product(1)]);
    let server = shop.serve();
    let requests = "GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n".repeat(1_000)
        + "GET /healthz HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n";
    let answers = exchange(&server, &requests);
    assert_eq!(answers.matches("HTTP/1.1 200 OK").count(), 1_001);
}

#[test]
fn the_oldest_unfinished_request_of_the_largest_network_is_closed() {
    let shop = Shop::with(&[product(1)]);
    let server = shop.serve();
    let unfinished = "GET /healthz HTTP/1.1\r\nhost: a\r\nconnection: close\r\nx-a: ";
    let mut visitor = connect_from(&server, 1);
    visitor.write_all(unfinished.as_bytes()).unwrap();
    let half = unfinished.to_owned() + &"a".repeat(15_000);
    let mut flood: Vec<TcpStream> = (0..300)
        .map(|_| {
            let mut stream = connect_from(&server, 2);
            stream.write_all(half.as_bytes()).unwrap();
            stream
        })
        .collect();
    let mut newest = flood.pop().unwrap();
    // An ended connection has no answer; one whose time is over has 408.
    let mut answer = Vec::new();
    let _ = flood[0].read_to_end(&mut answer);
    assert_eq!(text(&answer), "");
    for stream in [&mut visitor, &mut newest] {
        stream.write_all(b"\r\n\r\n").unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        assert!(answer.starts_with(b"HTTP/1.1 200 "), "{}", text(&answer));
    }
    drop(flood);
    wait_until("the shop is not back", || server.list("").len() == 1);
}

#[test]
fn unread_responses_do_not_block_other_visitors() {
    allow_many_files();
    let shop = Shop::with(&(0..100).map(product).collect::<Vec<_>>());
    let server = shop.serve();
    let list = "GET /product/get-products?limit=100 HTTP/1.1\r\nhost: a\r\n\r\n".repeat(99)
        + "GET /product/get-products?limit=100 HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n";
    let mut visitor = connect_from(&server, 1);
    visitor.write_all(list.as_bytes()).unwrap();
    let mut answers = vec![0; 1_000];
    visitor.read_exact(&mut answers).unwrap();
    let unread: Vec<TcpStream> = (0..620)
        .map(|number| {
            let mut stream = connect_from(&server, 2 + u8::try_from(number % 20).unwrap());
            stream.write_all(list.as_bytes()).unwrap();
            stream
        })
        .collect();
    visitor.read_to_end(&mut answers).unwrap();
    assert_eq!(text(&answers).matches("HTTP/1.1 200 OK").count(), 100);
    drop(unread);
}
