//! Attacks by HTTP/2 frames (security, R21 and R22), by a client that sends what no
//! library would.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use reqwest::Version;
use serde_json::Value;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

use crate::support::harness::{Done, PATIENCE, Server, Shop, product, wait_until};
use crate::support::people::{PASSWORD, someone};
use crate::support::tls::{TLS, certify, client};

const NAME: &str = "deals.test";
const DATA: u8 = 0;
const HEADERS: u8 = 1;
const PRIORITY: u8 = 2;
const WINDOW_UPDATE: u8 = 8;
const CONTINUATION: u8 = 9;
const UNKNOWN: u8 = 77;
const END_STREAM: u8 = 1;
const END_HEADERS: u8 = 4;
/// How often a client sends a little that wants to seem alive.
const DRIP: Duration = Duration::from_millis(200);
/// Less than the time after which a server looks whether a connection is still there.
const BEFORE_A_PING: Duration = Duration::from_secs(10);
const MIB: u64 = 1_024 * 1_024;

/// A shop that speaks TLS, with an administrator who is signed in.
struct Target {
    shop: Shop,
    server: Server,
    trusted: String,
    cookie: String,
}

impl Target {
    fn new() -> Self {
        let shop = Shop::with(&[product(1)]);
        let trusted = certify(&shop, NAME);
        let arguments = ["add", "a@b.example", "--username", "owner", "--admin"];
        let output = shop.user(&[&arguments[..], &["--password-stdin"]].concat(), PASSWORD);
        assert!(output.status.success());
        let server = shop.serve_with(&TLS);
        let url = format!("https://{NAME}:{}/user/sign-in", server.port());
        let credentials = serde_json::json!({"email": "a@b.example", "password": PASSWORD});
        let request = client(&server, NAME, &trusted).post(url).json(&credentials);
        let cookie = someone(request.send().unwrap()).cookie;
        Self {
            shop,
            server,
            trusted,
            cookie,
        }
    }

    fn connect(&self) -> Http2 {
        let mut roots = RootCertStore::empty();
        let certificate = CertificateDer::from_pem_slice(self.trusted.as_bytes()).unwrap();
        roots.add(certificate).unwrap();
        let mut config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_root_certificates(roots)
            .with_no_client_auth();
        config.alpn_protocols = vec![b"h2".to_vec()];
        let name = ServerName::try_from(NAME).unwrap();
        let tls = ClientConnection::new(Arc::new(config), name).unwrap();
        let socket = TcpStream::connect(self.server.address()).unwrap();
        socket.set_read_timeout(Some(PATIENCE)).unwrap();
        socket.set_write_timeout(Some(PATIENCE)).unwrap();
        let mut connection = Http2(StreamOwned::new(tls, socket));
        let mut begin = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec();
        begin.extend(frame(4, 0, 0, &[]));
        assert!(connection.send(&begin));
        connection
    }

    /// The server's memory, in bytes.
    fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.server.pid()));
        let status = status.unwrap();
        let line = status.lines().find(|line| line.starts_with("VmRSS:"));
        let kib = line.unwrap().split_whitespace().nth(1).unwrap();
        kib.parse::<u64>().unwrap() * 1_024
    }

    /// Whether the log tells of a fault of the program.
    fn complains(&self) -> bool {
        self.server.has_logged("ERROR")
    }

    /// Reads the list over and over, as a visitor does, while something else goes on.
    fn read_during(&self, attack: impl FnOnce()) {
        let done = AtomicBool::new(false);
        let visitor = client(&self.server, NAME, &self.trusted);
        let url = format!("https://{NAME}:{}/product/get-products", self.server.port());
        std::thread::scope(|scope| {
            let _done = Done(&done);
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    let answer = visitor.get(&url).send().unwrap();
                    assert_eq!(answer.version(), Version::HTTP_2);
                    let list: Value = answer.json().unwrap();
                    assert_eq!(list["meta"]["total"], 1);
                }
            });
            attack();
        });
    }
}

fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
    let mut frame = length[1..].to_vec();
    frame.extend([kind, flags]);
    frame.extend(stream.to_be_bytes());
    frame.extend(payload);
    frame
}

/// A field that is written out (RFC 7541, section 6.2.2).
fn field(name: &str, value: &str) -> Vec<u8> {
    let mut field = vec![0];
    for text in [name, value] {
        field.push(
            u8::try_from(text.len())
                .ok()
                .filter(|length| *length < 127)
                .unwrap(),
        );
        field.extend(text.bytes());
    }
    field
}

/// The head of a request.
fn head(method: &str, path: &str, more: &[(&str, &str)]) -> Vec<u8> {
    let fields = [
        (":method", method),
        (":scheme", "https"),
        (":authority", NAME),
        (":path", path),
    ];
    let fields = fields.iter().chain(more);
    fields
        .flat_map(|(name, value)| field(name, value))
        .collect()
}

struct Http2(StreamOwned<ClientConnection, TcpStream>);

impl Http2 {
    /// Whether the bytes could be sent.
    fn send(&mut self, bytes: &[u8]) -> bool {
        self.0
            .write_all(bytes)
            .and_then(|()| self.0.flush())
            .is_ok()
    }

    /// The next frame: its kind, flags, stream and payload.
    fn frame(&mut self) -> (u8, u8, u32, Vec<u8>) {
        let mut head = [0; 9];
        self.0.read_exact(&mut head).unwrap();
        let [a, b, c, kind, flags, stream @ ..] = head;
        let mut payload = vec![0; u32::from_be_bytes([0, a, b, c]) as usize];
        self.0.read_exact(&mut payload).unwrap();
        (kind, flags, u32::from_be_bytes(stream), payload)
    }

    /// Whether the server ended the connection, now or after a while.
    fn is_ended(&mut self) -> bool {
        let mut answer = [0; 4_096];
        loop {
            match self.0.read(&mut answer) {
                Ok(0) => return true,
                Ok(_) => {}
                Err(error) => return error.kind() != ErrorKind::WouldBlock,
            }
        }
    }

    /// Sends the same bytes so often, and tells whether the server took all of it.
    fn flood(&mut self, bytes: &[u8], times: usize) -> bool {
        // What the server answers, like acknowledgements, is taken.
        self.0.sock.set_nonblocking(false).unwrap();
        (0..times).all(|_| self.send(bytes))
    }
}

/// And not when the connection has something else to do.
#[test]
fn an_answer_is_sent_when_it_is_there() {
    let target = Target::new();
    let mut connection = target.connect();
    connection
        .0
        .sock
        .set_read_timeout(Some(BEFORE_A_PING))
        .unwrap();
    for stream in [1, 3] {
        let head = head("GET", "/healthz", &[]);
        connection.send(&frame(HEADERS, END_HEADERS | END_STREAM, stream, &head));
        let ends = |(kind, flags, of, _): &(u8, u8, u32, Vec<u8>)| {
            *kind == DATA && *of == stream && flags & END_STREAM != 0
        };
        while !ends(&connection.frame()) {}
    }
}

/// More than the server holds back, and than sockets take, over windows that never close.
#[test]
fn answers_that_are_taken_late_come_whole_and_in_order() {
    let target = Target::new();
    let url = format!("https://{NAME}:{}/openapi.json", target.server.port());
    let whole = client(&target.server, NAME, &target.trusted).get(url);
    let whole = whole.send().unwrap().bytes().unwrap();
    let mut connection = target.connect();
    let windows = |stream| frame(WINDOW_UPDATE, 0, stream, &0x4000_0000_u32.to_be_bytes());
    connection.send(&windows(0));
    let streams = 30;
    for number in 0..streams {
        let head = head("GET", "/openapi.json", &[]);
        let stream = 2 * number + 1;
        connection.send(&frame(HEADERS, END_HEADERS | END_STREAM, stream, &head));
        connection.send(&windows(stream));
    }
    // All were asked for before any is taken.
    let mut answers = vec![Vec::new(); streams as usize];
    let mut ended = 0;
    while ended < streams {
        let (kind, flags, stream, payload) = connection.frame();
        if kind == DATA {
            answers[stream as usize / 2].extend(payload);
            ended += u32::from(flags & END_STREAM != 0);
        }
    }
    assert!(answers.iter().all(|answer| *answer == whole));
}

/// One name in the table, then thousands of references to it that are a byte each.
#[test]
fn heads_without_end_on_twenty_connections_cost_next_to_nothing_and_are_ended() {
    let target = Target::new();
    // With what the first visitor costs any server.
    target.server.list_over_tls(&target);
    let before = target.memory();
    let mut connections = Vec::new();
    target.read_during(|| {
        for _ in 0..20 {
            let mut connection = target.connect();
            let mut begin = head("GET", "/", &[]);
            begin.extend([0x40, 1, b'a', 0]);
            connection.send(&frame(HEADERS, 0, 1, &begin));
            connection.flood(&frame(CONTINUATION, 0, 1, &[0xbe; 16_384]), 28);
            connections.push(connection);
        }
    });
    let cost = target.memory().saturating_sub(before);
    assert!(cost < 40 * MIB, "{} MiB", cost / MIB);
    assert!(connections.iter_mut().all(Http2::is_ended));
}

#[test]
fn a_head_that_drips_is_ended_long_before_a_quiet_connection_is() {
    let target = Target::new();
    let mut silent = target.connect();
    silent.send(&frame(HEADERS, 0, 1, &head("GET", "/", &[])));
    let mut half = target.connect();
    let whole = frame(HEADERS, END_HEADERS, 1, &head("GET", "/", &[]));
    half.send(&whole[..whole.len() - 1]);
    let mut dripping = target.connect();
    dripping.send(&frame(HEADERS, 0, 1, &head("GET", "/", &[])));
    wait_until("drips are taken for ever", || {
        std::thread::sleep(DRIP);
        !dripping.send(&frame(CONTINUATION, 0, 1, &field("a", "b")))
    });
    assert!(silent.is_ended());
    assert!(half.is_ended());
}

#[test]
fn thousands_of_different_names_in_a_head_make_nothing_panic() {
    let target = Target::new();
    let mut connection = target.connect();
    let mut names = (0..30_000).map(|n| field(&format!("n{n}"), ""));
    connection.send(&frame(HEADERS, 0, 1, &head("GET", "/", &[])));
    loop {
        let fields: Vec<u8> = names.by_ref().take(1_500).flatten().collect();
        let flags = if fields.is_empty() { END_HEADERS } else { 0 };
        let went = connection.send(&frame(CONTINUATION, flags, 1, &fields));
        if flags == END_HEADERS || !went {
            break;
        }
    }
    assert!(connection.is_ended());
    assert_eq!(target.server.list_over_tls(&target), 1);
    assert!(!target.complains());
}

#[test]
fn a_connection_that_only_sends_frames_that_carry_nothing_is_ended() {
    let target = Target::new();
    target.read_during(|| {
        for (kind, payload) in [
            (DATA, &[][..]),
            (PRIORITY, &[0, 0, 0, 0, 1]),
            (WINDOW_UPDATE, &[0, 0, 0, 1]),
            (UNKNOWN, b"nothing"),
        ] {
            let mut connection = target.connect();
            let fields = [("content-type", "application/json")];
            let request = head("POST", "/user/sign-in", &fields);
            connection.send(&frame(HEADERS, END_HEADERS, 1, &request));
            let stream = if kind == WINDOW_UPDATE { 0 } else { 1 };
            let thousand = frame(kind, 0, stream, payload).repeat(1_000);
            assert!(!connection.flood(&thousand, 1_000), "frame {kind}");
        }
    });
}

#[test]
fn empty_pieces_of_a_body_cost_no_memory_whoever_sends_them_to_whichever_call() {
    let target = Target::new();
    let calls = [
        ("POST", "/product/import"),
        ("POST", "/product/add-product"),
        ("PUT", "/product/update-product/x"),
        ("DELETE", "/product/delete-product/x"),
        ("POST", "/product/bulk"),
        ("POST", "/product/undo/1"),
        ("POST", "/product/increament-views/x"),
        ("POST", "/user/register"),
        ("POST", "/user/verify-code"),
        ("POST", "/user/resend-code"),
        ("POST", "/user/sign-in"),
        ("POST", "/user/logout"),
        ("POST", "/user/forgot-password"),
        ("POST", "/user/reset-password"),
        ("POST", "/user/change-password"),
    ];
    // With what the first visitor costs any server.
    target.server.list_over_tls(&target);
    let before = target.memory();
    let empty = frame(DATA, 0, 1, &[]).repeat(1_000);
    // Below what one connection may send of them at once, and far above.
    for times in [1, 2_000] {
        for (method, path) in calls {
            for cookie in ["", &target.cookie] {
                let mut connection = target.connect();
                let fields = [("content-type", "application/json"), ("cookie", cookie)];
                let request = head(method, path, &fields);
                connection.send(&frame(HEADERS, END_HEADERS, 1, &request));
                connection.flood(&empty, times);
                let cost = target.memory().saturating_sub(before);
                assert!(cost < 40 * MIB, "{method} {path}: {} MiB", cost / MIB);
            }
        }
    }
    assert!(!target.complains());
}

/// What is cut into pieces of a byte is imported all the same, and the memory stays flat.
#[test]
fn a_file_that_comes_in_pieces_of_a_byte_is_imported() {
    let target = Target::new();
    let products = serde_json::json!([product(1), product(2), product(3)]).to_string();
    let mut connection = target.connect();
    let fields = [("cookie", target.cookie.as_str())];
    let request = head("POST", "/product/import", &fields);
    connection.send(&frame(HEADERS, END_HEADERS, 1, &request));
    let bytes = products.as_bytes();
    let pieces = bytes.iter().enumerate().flat_map(|(index, byte)| {
        let is_last = index + 1 == bytes.len();
        frame(DATA, u8::from(is_last), 1, &[*byte])
    });
    // At once: a body that takes too long is given up.
    assert!(connection.send(&pieces.collect::<Vec<u8>>()));
    wait_until("the file was not imported", || {
        target.server.list_over_tls(&target) == 3
    });
    drop(target.shop);
}

impl Server {
    /// How many products the list has, over TLS.
    fn list_over_tls(&self, target: &Target) -> i64 {
        let url = format!("https://{NAME}:{}/product/get-products", self.port());
        let answer = client(self, NAME, &target.trusted).get(url).send().unwrap();
        answer.json::<Value>().unwrap()["meta"]["total"]
            .as_i64()
            .unwrap()
    }
}
