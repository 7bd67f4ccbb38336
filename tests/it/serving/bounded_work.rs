//! Limits on the work of anonymous requests: an address delays only itself.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::support::harness::{Done, PATIENCE, Server, Shop, product};

/// Requests come through a proxy that reports their addresses.
const PROXY: [&str; 2] = ["--trusted-proxy", "127.0.0.1/32"];

/// A shop with enough words for slow suggestions.
fn shop() -> Shop {
    let products: Vec<_> = (0..2_000).map(product).collect();
    Shop::with(&products)
}

/// Sends a browser's request from an address.
fn send(server: &Server, address: usize, path: &str) -> TcpStream {
    let mut stream = TcpStream::connect(server.address()).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let [high, low] = u16::try_from(address).unwrap().to_be_bytes();
    let request = format!(
        "GET {path} HTTP/1.1\r\nhost: a\r\naccept: text/html\r\naccept-encoding: gzip\r\n\
         x-forwarded-for: 10.1.{high}.{low}\r\nconnection: close\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).unwrap();
    stream
}

/// Returns the status, and whether there is a Retry-After.
fn receive(stream: TcpStream) -> (String, bool) {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") && reader.read_line(&mut head).unwrap() > 0 {}
    let _ = reader.read_to_end(&mut Vec::new());
    let status = head.split(' ').nth(1).unwrap_or_default().to_owned();
    (status, head.contains("retry-after: "))
}

pub(super) fn allow_many_files() {
    let limit = getrlimit(Resource::Nofile);
    let raised = Rlimit {
        current: limit.maximum,
        maximum: limit.maximum,
    };
    setrlimit(Resource::Nofile, raised).unwrap();
}

#[test]
fn every_visitor_is_answered_during_a_flood_of_searches_from_another_address() {
    allow_many_files();
    let shop = shop();
    let server = shop.serve_with(&PROXY);
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let _end = Done(&is_over);
        for number in 0..8 {
            let (server, is_over) = (&server, &is_over);
            scope.spawn(move || {
                let mut search = number;
                while !is_over.load(Ordering::Relaxed) {
                    // Different words each time, since responses are cached.
                    let open: Vec<_> = (0..40)
                        .map(|_| {
                            search += 8;
                            let path = format!("/?search=prodict+descripton+numbr+x{search}");
                            send(server, 0, &path)
                        })
                        .collect();
                    for (status, says_when) in open.into_iter().map(receive) {
                        assert_eq!(status == "503", says_when, "{status}");
                    }
                }
            });
        }
        for visitor in 1..20 {
            let path = format!("/?limit=5&page={visitor}");
            assert_eq!(receive(send(&server, visitor, &path)).0, "200");
        }
    });
}
