//! ACME servers that refuse, are silent or can't be reached.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rcgen::{CertifiedKey, generate_simple_self_signed};
use serde_json::{Value, json};
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;
use tokio_rustls::rustls::{ServerConfig, ServerConnection, StreamOwned};

use crate::support::harness::{Server, Shop, misused, wait_until};

const NAME: &str = "deals.shop.example";
/// The words of the ACME server about a name that leads nowhere.
const DETAIL: &str = "DNS problem: no A record for deals.shop.example";

/// An ACME server whose every validation fails.
struct Acme {
    port: u16,
    orders: Arc<AtomicUsize>,
}

impl Acme {
    fn start(shop: &Shop) -> Self {
        let CertifiedKey { cert, signing_key } =
            generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
        fs::write(shop.file("ca.pem"), cert.pem()).unwrap();
        let key = PrivateKeyDer::try_from(signing_key.serialize_der()).unwrap();
        let tls = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![cert.der().clone()], key)
            .unwrap();
        let (listener, tls) = (TcpListener::bind("127.0.0.1:0").unwrap(), Arc::new(tls));
        let port = listener.local_addr().unwrap().port();
        let orders = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&orders);
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                // A client may close at any time.
                let _ = answer(stream, Arc::clone(&tls), port, &counted);
            }
        });
        Self { port, orders }
    }

    fn orders(&self) -> usize {
        self.orders.load(Ordering::SeqCst)
    }
}

/// Answers one request.
fn answer(
    stream: TcpStream,
    tls: Arc<ServerConfig>,
    port: u16,
    orders: &AtomicUsize,
) -> std::io::Result<()> {
    let session = ServerConnection::new(tls).unwrap();
    let mut stream = BufReader::new(StreamOwned::new(session, stream));
    let (mut first, mut length) = (String::new(), 0);
    stream.read_line(&mut first)?;
    let mut line = String::new();
    while stream.read_line(&mut line)? > 2 {
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        line.clear();
    }
    stream.read_exact(&mut vec![0; length])?;
    let path = first.split(' ').nth(1).unwrap_or_default();
    let url = |path: &str| format!("https://localhost:{port}{path}");
    let identifier = json!({"type": "dns", "value": NAME});
    let body = match path {
        "/dir" => json!({"newNonce": url("/nonce"), "newAccount": url("/account"),
            "newOrder": url("/order"), "revokeCert": url("/r"), "keyChange": url("/k")}),
        "/order" => {
            orders.fetch_add(1, Ordering::SeqCst);
            json!({"status": "pending", "identifiers": [identifier],
                "authorizations": [url("/authz")], "finalize": url("/finalize")})
        }
        "/authz" => json!({"status": "invalid", "identifier": identifier, "challenges": [
            {"type": "tls-alpn-01", "url": url("/c"), "token": "t", "status": "invalid",
             "error": {"type": "urn:ietf:params:acme:error:dns", "detail": DETAIL}}]}),
        _ => json!({"status": "valid"}),
    };
    let body = if first.starts_with("HEAD") {
        String::new()
    } else {
        body.to_string()
    };
    let status = if first.starts_with("POST") {
        "201 Created"
    } else {
        "200 OK"
    };
    let answer = format!(
        "HTTP/1.1 {status}\r\nReplay-Nonce: n{orders:?}\r\nLocation: {}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        url("/1"),
        body.len()
    );
    let stream = stream.get_mut();
    stream.write_all(answer.as_bytes())?;
    stream.conn.send_close_notify();
    stream.flush()
}

fn options(port: u16) -> Vec<String> {
    let directory = format!("https://localhost:{port}/dir");
    let options = ["--acme-domain", NAME, "--acme-directory", &directory];
    let more = ["--acme-ca", "ca.pem", "--redirect-from", "127.0.0.1:0"];
    let all = options.into_iter().chain(more);
    all.map(ToOwned::to_owned).collect()
}

fn serve(shop: &Shop, port: u16) -> Server {
    let options = options(port);
    shop.serve_with(&options.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Returns what `deals check` says of the certificate of a running server.
fn checked(shop: &Shop, server: &Server, port: u16) -> String {
    let options = options(port);
    let mut command = shop.command();
    command.args(["check", "--json", "--listen", server.address()]);
    let output = command.args(&options).output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let lines = report["checks"].as_array().unwrap();
    let line = lines.iter().find(|line| line["check"] == "certificate");
    line.unwrap()["text"].as_str().unwrap().to_owned()
}

#[test]
fn a_failed_acme_order_is_reported_with_its_next_retry() {
    let shop = Shop::new();
    let acme = Acme::start(&shop);
    let server = serve(&shop, acme.port);
    let line = server.wait_for_line("no new certificate");
    for words in [DETAIL, "port 443", "again in 1 minute, at "] {
        assert!(line.contains(words), "{line}");
    }
    assert!(!line.contains("Challenge {"), "{line}");
    let mut said = String::new();
    wait_until("check has no reason", || {
        said = checked(&shop, &server, acme.port);
        said.contains(DETAIL)
    });
    assert!(said.contains("It is tried again at "), "{said}");
    assert_eq!(acme.orders(), 1);
}

#[test]
fn restarts_make_no_more_than_four_orders_an_hour() {
    let shop = Shop::new();
    let acme = Acme::start(&shop);
    for order in 1..=4 {
        let server = serve(&shop, acme.port);
        let line = server.wait_for_line("no new certificate");
        assert_eq!(acme.orders(), order);
        // The fourth failure waits for the end of the first one's hour.
        let is_long = !line.contains("in 1 minute,");
        assert_eq!(is_long, order == 4, "{line}");
    }
    let server = serve(&shop, acme.port);
    let said = checked(&shop, &server, acme.port);
    assert!(said.contains(DETAIL), "{said}");
    drop(server);
    assert_eq!(acme.orders(), 4);
}

#[test]
fn an_unreachable_acme_server_is_retried() {
    let shop = Shop::new();
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = silent.local_addr().unwrap().port();
    Acme::start(&shop);
    let waiting = serve(&shop, port);
    let other = Shop::new();
    Acme::start(&other);
    let server = serve(&other, 9);
    let line = server.wait_for_line("no new certificate");
    assert!(line.contains("localhost refuses connections"), "{line}");
    assert!(line.contains("again in 30 seconds"), "{line}");
    let line = waiting.wait_for_line("no new certificate");
    assert!(line.contains("did not answer within 30 seconds"), "{line}");
    // No order was made, so none counts.
    for shop in [shop, other] {
        let kept = fs::read_to_string(shop.file("deals.sqlite.acme/orders.json")).unwrap();
        assert!(kept.contains("\"orders\":[]"), "{kept}");
    }
}

#[test]
fn an_untrusted_acme_server_is_reported() {
    let shop = Shop::new();
    let acme = Acme::start(&shop);
    Acme::start(&shop);
    let server = serve(&shop, acme.port);
    let line = server.wait_for_line("no new certificate");
    assert!(
        line.contains("not trusted") && line.contains("--acme-ca"),
        "{line}"
    );
    assert_eq!(acme.orders(), 0);
}

#[test]
fn domain_names_that_get_no_certificate_are_refused() {
    let shop = Shop::new();
    for name in [
        "\"deals.shop.example\"",
        "'deals.shop.example'",
        "*.shop.example",
        "localhost",
        "shop.localhost",
        "203.0.113.7",
        "[2001:db8::7]",
        "https://deals.shop.example",
        "deals.shop.example:443",
        "deals.shop.example/",
        "deals_shop.example",
        "-deals.example",
        "deals..example",
        "deals",
    ] {
        let said = misused(shop.run(&["serve", &format!("--acme-domain={name}")]));
        assert!(
            said.contains("write only the public name"),
            "{name}: {said}"
        );
    }
    let contact = [
        "--acme-domain",
        NAME,
        "--acme-contact",
        "\"you@example.com\"",
    ];
    let said = misused(shop.run(&[&["serve"][..], &contact].concat()));
    assert!(said.contains("like you@example.com"), "{said}");
    assert!(!shop.file("deals.sqlite.acme").exists());
}
