//! Certificates for https shops, and clients that trust them.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;

use rcgen::{CertificateParams, KeyPair, date_time_ymd};
use reqwest::blocking::Client;

use crate::support::harness::{PATIENCE, Server, Shop};

/// Creates a certificate and key in the shop's folder, and returns the certificate to trust.
pub fn certify(shop: &Shop, name: &str) -> String {
    certify_until(shop, name, (4096, 1, 1))
}

/// Like [`certify`], with the end of the certificate.
pub fn certify_until(shop: &Shop, name: &str, end: (i32, u8, u8)) -> String {
    let mut params = CertificateParams::new(vec![name.to_owned()]).unwrap();
    params.not_after = date_time_ymd(end.0, end.1, end.2);
    let signing_key = KeyPair::generate().unwrap();
    let cert = params.self_signed(&signing_key).unwrap();
    // The key first, as tools do that write both.
    fs::write(shop.file("key.pem"), signing_key.serialize_pem()).unwrap();
    fs::set_permissions(shop.file("key.pem"), Permissions::from_mode(0o600)).unwrap();
    fs::write(shop.file("cert.pem"), cert.pem()).unwrap();
    cert.pem()
}

pub fn client(server: &Server, name: &str, trusted: &str) -> Client {
    let address = server.address().parse().unwrap();
    Client::builder()
        .timeout(PATIENCE)
        .connect_timeout(PATIENCE)
        .resolve(name, address)
        .add_root_certificate(reqwest::Certificate::from_pem(trusted.as_bytes()).unwrap())
        .redirect(reqwest::redirect::Policy::none())
        .build()
        .unwrap()
}

pub const TLS: [&str; 4] = ["--tls-cert", "cert.pem", "--tls-key", "key.pem"];
