//! Certificates and keys in the forms that tools write, and files that are mended while the shop runs.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;

use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair, PKCS_ED25519};
use serde_json::Value;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

use crate::support::harness::{Server, Shop, fails, wait_until};
use crate::support::tls::{TLS, certify, certify_until, client};

const NAME: &str = "deals.example.com";

/// Returns the state and text of `deals check` about the certificate.
fn checked(shop: &Shop, options: &[&str]) -> (String, String) {
    let output = shop.run(&[&["check", "--json"], options].concat());
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let lines = report["checks"].as_array().unwrap();
    let line = lines.iter().find(|line| line["check"] == "certificate");
    ["state", "text"]
        .map(|field| line.unwrap()[field].as_str().unwrap().to_owned())
        .into()
}

/// Returns what the start of a server and `deals check` say of files that can't be used.
fn refused(shop: &Shop) -> String {
    let serve = [&["serve", "--listen", "127.0.0.1:0"][..], &TLS].concat();
    let said = fails(shop.run(&serve));
    assert!(
        said.contains("cannot use the certificate cert.pem"),
        "{said}"
    );
    let (state, checked) = checked(shop, &TLS);
    assert_eq!(state, "wrong", "{checked}");
    said + &checked
}

fn is_served(server: &Server, trusted: &str) -> bool {
    let url = format!("https://{NAME}:{}/healthz", server.port());
    client(server, NAME, trusted).get(url).send().is_ok()
}

/// Converts a key or certificate from PEM to DER.
fn der(pem: &str) -> Vec<u8> {
    if pem.contains("CERTIFICATE") {
        CertificateDer::from_pem_slice(pem.as_bytes())
            .unwrap()
            .to_vec()
    } else {
        let key = PrivateKeyDer::from_pem_slice(pem.as_bytes()).unwrap();
        key.secret_der().to_vec()
    }
}

#[test]
fn unusable_certificate_and_key_files_are_refused_with_advice() {
    let shop = Shop::new();
    let read = |name| fs::read_to_string(shop.file(name)).unwrap();
    certify(&shop, NAME);
    let (other_cert, other_key) = (read("cert.pem"), read("key.pem"));
    certify(&shop, NAME);
    let (cert, key) = (read("cert.pem"), read("key.pem"));
    let label = |label: &str| {
        format!("-----BEGIN {label}-----\nMIIBvTBXBgkqhkiG9w0BBQ0wSjAp\n-----END {label}-----\n")
    };
    let old = "-----BEGIN EC PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,00\n\nAAAA\n-----END EC PRIVATE KEY-----\n";
    let public = KeyPair::generate_for(&PKCS_ED25519)
        .unwrap()
        .public_key_pem();
    for (cert, key, words) in [
        (
            &cert[..],
            &label("ENCRYPTED PRIVATE KEY")[..],
            "openssl pkey -in key.pem",
        ),
        (&cert, old, "is encrypted"),
        (&cert, &label("OPENSSH PRIVATE KEY"), "a key of SSH"),
        (&cert, &public, "take the private one"),
        (&cert, "", "key.pem has no key in PEM form"),
        (&cert, &cert, "are the two files swapped?"),
        (&cert, &other_key, "the key is of another certificate"),
        (&other_cert, &key, "the key is of another certificate"),
        (&key, &cert, "are the two files swapped?"),
        (
            &(other_cert.clone() + &cert),
            &key,
            "must be the first in its file",
        ),
        (
            &label("CERTIFICATE REQUEST"),
            &key,
            "is a request for a certificate",
        ),
        (&label("PKCS7"), &key, "openssl pkcs7 -print_certs"),
        ("hello", &key, "cert.pem has no certificate in PEM form"),
    ] {
        fs::write(shop.file("cert.pem"), cert).unwrap();
        fs::write(shop.file("key.pem"), key).unwrap();
        let said = refused(&shop);
        assert_eq!(said.matches(words).count(), 2, "{words}: {said}");
    }
    fs::write(shop.file("cert.pem"), der(&cert)).unwrap();
    assert!(refused(&shop).contains("openssl x509 -inform DER -in cert.pem"));
    fs::write(
        shop.file("cert.pem"),
        [&[0x30, 0x82, 9, 9][..], &[7; 40]].concat(),
    )
    .unwrap();
    assert!(refused(&shop).contains("openssl pkcs12 -nodes"));
    fs::write(shop.file("cert.pem"), &cert).unwrap();
    fs::write(shop.file("key.pem"), der(&key)).unwrap();
    assert!(refused(&shop).contains("openssl pkey -inform DER -in key.pem"));
}

#[test]
fn a_certificate_chain_with_its_key_in_one_file_is_served() {
    let shop = Shop::new();
    let mut authority = CertificateParams::new(Vec::new()).unwrap();
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let ca_key = KeyPair::generate().unwrap();
    let ca = authority.self_signed(&ca_key).unwrap().pem();
    let key = KeyPair::generate().unwrap();
    let issuer = Issuer::from_params(&authority, &ca_key);
    let site = CertificateParams::new(vec![NAME.to_owned()]).unwrap();
    let site = site.signed_by(&key, &issuer).unwrap().pem();
    let all = format!(
        "Bag Attributes\n    friendlyName: shop\n{}{site}{ca}",
        key.serialize_pem()
    );
    for text in [
        all.clone(),
        all.replace('\n', "\r\n"),
        format!("\u{feff}{all}"),
    ] {
        fs::write(shop.file("cert.pem"), &text).unwrap();
        let both = ["--tls-cert", "cert.pem", "--tls-key", "cert.pem"];
        let server = shop.serve_with(&both);
        assert!(is_served(&server, &ca), "{text}");
    }
    fs::write(shop.file("cert.pem"), ca + &site).unwrap();
    fs::write(shop.file("key.pem"), key.serialize_pem()).unwrap();
    assert!(refused(&shop).contains("must be the first in its file"));
}

#[test]
fn a_world_readable_tls_key_is_reported_with_its_mode() {
    let shop = Shop::new();
    certify(&shop, NAME);
    let mode = |mode| fs::set_permissions(shop.file("key.pem"), Permissions::from_mode(mode));
    for (open, named) in [(0o644, "644"), (0o604, "604"), (0o666, "666")] {
        mode(open).unwrap();
        let (state, said) = checked(&shop, &TLS);
        assert_eq!(state, "note", "{said}");
        assert!(said.contains(&format!("(mode {named})")), "{said}");
        assert!(said.contains("chmod 640 key.pem"), "{said}");
    }
    let server = shop.serve_with(&TLS);
    assert!(server.wait_for_line("is open to others").contains("WARN"));
    for closed in [0o600, 0o640, 0o400] {
        mode(closed).unwrap();
        assert_eq!(checked(&shop, &TLS).0, "ok");
    }
}

#[test]
fn repaired_certificate_files_are_reloaded() {
    let shop = Shop::new();
    let first = certify(&shop, NAME);
    let server = shop.serve_with(&TLS);
    let key = fs::read(shop.file("key.pem")).unwrap();
    fs::remove_file(shop.file("key.pem")).unwrap();
    let said = server.wait_for_line("cannot reload the certificate");
    assert!(said.contains("key.pem"), "{said}");
    assert!(is_served(&server, &first));
    fs::write(shop.file("key.pem"), key).unwrap();
    server.wait_for_line("reloaded the certificate");
    // A file that is moved here keeps its time, and may be as long as the one before.
    let times = fs::metadata(shop.file("cert.pem"))
        .unwrap()
        .modified()
        .unwrap();
    let second = certify(&shop, NAME);
    for name in ["cert.pem", "key.pem"] {
        let file = fs::File::options()
            .write(true)
            .open(shop.file(name))
            .unwrap();
        file.set_modified(times).unwrap();
    }
    wait_until("the old one is served", || is_served(&server, &second));
}

#[test]
fn check_speaks_of_the_certificate_that_visitors_get() {
    let shop = Shop::new();
    let trusted = certify(&shop, NAME);
    let server = shop.serve_with(&TLS);
    let options = [&TLS[..], &["--listen", server.address()]].concat();
    let (state, said) = checked(&shop, &options);
    assert_eq!(state, "ok", "{said}");
    fs::write(shop.file("key.pem"), "").unwrap();
    server.wait_for_line("cannot reload the certificate");
    let (state, said) = checked(&shop, &options);
    assert_eq!(state, "wrong", "{said}");
    assert!(said.contains("key.pem has no key"), "{said}");
    assert!(
        said.contains("the one that visitors get is valid until"),
        "{said}"
    );
    assert!(is_served(&server, &trusted));
    // An expired one is served, and said.
    certify_until(&shop, NAME, (2024, 1, 1));
    let line = server.wait_for_line("expired on 1 Jan 2024");
    assert!(
        line.contains("ERROR") && line.contains("Replace it"),
        "{line}"
    );
    assert_eq!(checked(&shop, &options).0, "wrong");
}
