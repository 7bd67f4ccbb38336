//! https with certificate files.

use std::fs;
use std::net::TcpStream;
use std::sync::Arc;

use reqwest::Version;
use reqwest::blocking::Client;
use serde_json::json;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{
    AlertDescription, ClientConfig, ClientConnection, Error, RootCertStore,
};

use crate::support::harness::{PATIENCE, Server, Shop, fails, misused, product, wait_until};
use crate::support::tls::{TLS, certify, client};

#[test]
fn the_site_speaks_https_with_the_owners_certificate() {
    let shop = Shop::with(&[product(1)]);
    let trusted = certify(&shop, "deals.test");
    shop.sign_up("a@b.example", "tiger-lamp-42");
    let server = shop.serve_with(&[&TLS[..], &["--public-url", "https://deals.test"]].concat());
    let client = client(&server, "deals.test", &trusted);
    let url = |path: &str| format!("https://deals.test:{}{path}", server.port());
    let answer = client.get(url("/")).send().unwrap();
    assert_eq!(answer.status(), 200);
    assert_eq!(answer.version(), Version::HTTP_11);
    let hsts = &answer.headers()["strict-transport-security"];
    assert!(hsts.to_str().unwrap().contains("max-age="));
    assert!(answer.text().unwrap().contains("Product 1"));
    let signed_in = client
        .post(url("/user/sign-in"))
        .json(&json!({ "email": "a@b.example", "password": "tiger-lamp-42" }))
        .send()
        .unwrap();
    let cookie = signed_in.headers()["set-cookie"].to_str().unwrap();
    assert!(cookie.starts_with("__Host-session="), "{cookie}");
    assert!(cookie.contains("Secure"), "{cookie}");
}

#[test]
fn a_certificate_that_is_replaced_is_used_without_a_restart() {
    let shop = Shop::with(&[product(1)]);
    certify(&shop, "deals.test");
    let server = shop.serve_with(&TLS);
    let url = format!("https://deals.test:{}/healthz", server.port());
    let trusted = certify(&shop, "deals.test");
    // A new connection each time: the old certificate may still be served.
    wait_until("the old one is used", || {
        let answer = client(&server, "deals.test", &trusted).get(&url).send();
        answer.is_ok()
    });
    server.wait_for_line("reloaded the certificate");
    // A truncated file is not used.
    fs::write(shop.file("cert.pem"), "half of it").unwrap();
    wait_until("nothing is said of the half", || {
        let answer = client(&server, "deals.test", &trusted).get(&url).send();
        assert_eq!(answer.unwrap().status(), 200);
        server.has_logged("cannot reload the certificate")
    });
}

#[test]
fn an_unusable_certificate_is_reported_at_start() {
    let shop = Shop::with(&[product(1)]);
    certify(&shop, "deals.test");
    let key = fs::read(shop.file("key.pem")).unwrap();
    certify(&shop, "deals.test");
    fs::write(shop.file("key.pem"), key).unwrap();
    let serve = [&["serve", "--listen", "127.0.0.1:0"][..], &TLS].concat();
    let said = fails(shop.run(&serve));
    assert!(
        said.contains("cert.pem") && said.contains("belong together"),
        "{said}"
    );
    fs::remove_file(shop.file("key.pem")).unwrap();
    let said = fails(shop.run(&serve));
    assert!(said.contains("key.pem"), "{said}");
    let said = misused(shop.run(&[&serve[..], &["--redirect-from", "127.0.0.1:0"]].concat()));
    assert!(said.contains("--public-url"), "{said}");
    let output = shop.run(&["serve", "--tls-cert", "cert.pem"]);
    assert_eq!(output.status.code(), Some(2));
    let output = shop.run(&["serve", "--acme-domain", "https://deals.test/"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn plain_http_pages_are_redirected_to_https() {
    let shop = Shop::with(&[product(1)]);
    certify(&shop, "deals.test");
    let options = [
        "--public-url",
        "https://deals.test",
        "--redirect-from",
        "127.0.0.1:0",
    ];
    let server = shop.serve_with(&[&TLS[..], &options].concat());
    let line = server.wait_for_line("plain http");
    let plain = line.rsplit(' ').next().unwrap();
    let client = Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .build()
        .unwrap();
    let answer = client
        .get(format!("{plain}/?category=Books&page=2"))
        .header("host", "evil.example")
        .send()
        .unwrap();
    assert_eq!(answer.status(), 308);
    let target = answer.headers()["location"].to_str().unwrap();
    assert_eq!(target, "https://deals.test/?category=Books&page=2");
    for page in ["/details/1", "/login", "/reset-password/a@b.example"] {
        let answer = client.get(format!("{plain}{page}")).send().unwrap();
        assert_eq!(answer.status(), 308, "{page}");
    }
    for path in [
        "/user/me/token",
        "/product/get-products",
        "/report/needs",
        "/settings",
        "/settings/sources",
        "/people",
        "/keys",
        "/webhooks",
        "/people/",
        "//people",
        "/%70eople",
        "/openapi.json",
    ] {
        assert_eq!(
            client
                .get(format!("{plain}{path}"))
                .send()
                .unwrap()
                .status(),
            403
        );
    }
    let answer = client
        .post(format!("{plain}/user/sign-in"))
        .body("{}")
        .send()
        .unwrap();
    assert_eq!(answer.status(), 403);
    assert!(answer.text().unwrap().contains("https only"));
}

/// Offers protocols to the server and returns the chosen one.
fn negotiate(server: &Server, trusted: &str, offered: &[&[u8]]) -> Result<Vec<u8>, Error> {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_slice(trusted.as_bytes()).unwrap())?;
    let mut config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = offered.iter().map(|name| name.to_vec()).collect();
    let name = ServerName::try_from("deals.test").unwrap();
    let mut tls = ClientConnection::new(Arc::new(config), name)?;
    let mut socket = TcpStream::connect(server.address()).unwrap();
    socket.set_read_timeout(Some(PATIENCE)).unwrap();
    while tls.is_handshaking() {
        while tls.wants_write() {
            tls.write_tls(&mut socket).unwrap();
        }
        if tls.is_handshaking() {
            assert!(tls.read_tls(&mut socket).unwrap() > 0, "no alert was sent");
            tls.process_new_packets()?;
        }
    }
    Ok(tls.alpn_protocol().unwrap_or_default().to_vec())
}

#[test]
fn alpn_negotiates_http_1_only() {
    let shop = Shop::with(&[product(1)]);
    let trusted = certify(&shop, "deals.test");
    let server = shop.serve_with(&TLS);
    let chosen = |offered: &[&[u8]]| negotiate(&server, &trusted, offered);
    assert_eq!(chosen(&[b"h2", b"http/1.1"]), Ok(b"http/1.1".to_vec()));
    assert_eq!(chosen(&[]), Ok(Vec::new()));
    assert_eq!(
        chosen(&[b"h2"]),
        Err(Error::AlertReceived(
            AlertDescription::NoApplicationProtocol
        ))
    );
    assert!(!server.has_logged("ERROR") && !server.has_logged("WARN"));
}
