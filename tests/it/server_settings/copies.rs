//! Download of a copy of the database.

use reqwest::Method;
use serde_json::Value;

use super::Office;
use crate::support::harness::{Shop, succeeds};

const COPY: &str = "/settings/backups/copy";

fn copy_path(made: &Value) -> &str {
    made["path"].as_str().unwrap()
}

#[test]
fn a_downloaded_copy_is_verified_and_can_be_restored() {
    let office = Office::open(&[]);
    let (status, made) = office.post(COPY);
    assert_eq!(status, 200, "{made}");
    assert_eq!(
        (&made["products"], &made["accounts"]),
        (&2.into(), &1.into())
    );
    let response = office.send(Method::GET, copy_path(&made), None);
    assert_eq!(response.status(), 200);
    assert_eq!(response.headers()["cache-control"], "no-store");
    let attached = response.headers()["content-disposition"].to_str().unwrap();
    assert!(
        attached.contains(made["name"].as_str().unwrap()),
        "{attached}"
    );
    assert_eq!(response.content_length(), made["bytes"].as_u64());
    let bytes = response.bytes().unwrap();
    let elsewhere = Shop::new();
    std::fs::write(elsewhere.file("copy.sqlite"), &bytes).unwrap();
    let said = succeeds(elsewhere.run(&["restore", "copy.sqlite"]));
    assert!(said.contains("2 products"), "{said}");

    assert_eq!(
        office.send(Method::GET, copy_path(&made), None).status(),
        404
    );
    let log = office.shop.log();
    assert!(log.contains("server.copy"), "{log}");
    let left = std::fs::read_dir(office.shop.folder()).unwrap().flatten();
    let names: Vec<_> = left.map(|entry| entry.file_name()).collect();
    let is_temporary = |name: &std::ffi::OsString| name.to_string_lossy().contains("deals-backup");
    assert!(!names.iter().any(is_temporary), "{names:?}");
}

#[test]
fn a_newer_copy_replaces_one_that_was_not_downloaded() {
    let office = Office::open(&[]);
    let (first, second) = (office.post(COPY).1, office.post(COPY).1);
    assert_eq!(
        office.send(Method::GET, copy_path(&first), None).status(),
        404
    );
    assert_eq!(
        office.send(Method::GET, copy_path(&second), None).status(),
        200
    );
}

#[test]
fn copies_are_limited_to_ten_an_hour() {
    let office = Office::open(&[]);
    let statuses: Vec<u16> = (0..11).map(|_| office.post(COPY).0).collect();
    assert_eq!(statuses[..10], [200; 10]);
    assert_eq!(statuses[10], 429);
}

#[test]
fn a_copy_is_for_administrators() {
    let office = Office::open(&[]);
    let made = office.post(COPY).1;
    let anonymous = office.server.get(copy_path(&made));
    assert_eq!(anonymous.status(), 401);
    assert_eq!(
        office.send(Method::GET, copy_path(&made), None).status(),
        200
    );
}
