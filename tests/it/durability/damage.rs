//! Damaged databases and backups, and `deals check`.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Stdio;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};

use crate::durability::checksum::receives;
use crate::support::harness::{Shop, fails, product, product_with, succeeds, text};

fn spoil(file: &Path) {
    let mut bytes = fs::read(file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..middle + 4_096].fill(0x5a);
    fs::write(file, bytes).unwrap();
}

#[test]
fn damaged_foreign_and_newer_backups_are_not_restored() {
    let shop = Shop::with(&(0..300).map(product).collect::<Vec<_>>());
    let copy = shop.file("copy.sqlite");
    let before = fs::read(shop.db()).unwrap();
    let refused = |reason: &str| {
        let said = fails(shop.run(&["restore", "copy.sqlite"]));
        assert!(said.contains(reason), "{said}");
        assert_eq!(fs::read(shop.db()).unwrap(), before, "{reason}");
    };
    succeeds(shop.run(&["backup", "copy.sqlite"]));
    spoil(&copy);
    refused("its SHA-256 differs");

    succeeds(shop.run(&["backup", "copy.sqlite"]));
    let bytes = fs::read(&copy).unwrap();
    fs::write(&copy, &bytes[..bytes.len() - 4_096]).unwrap();
    refused("its SHA-256 differs");

    fs::write(&copy, "no database at all, but a text").unwrap();
    refused("not a deals database");

    succeeds(shop.run(&["backup", "copy.sqlite"]));
    let newer = rusqlite::Connection::open(&copy).unwrap();
    newer.pragma_update(None, "user_version", 999).unwrap();
    newer.close().unwrap();
    let bytes = fs::read(&copy).unwrap();
    // Without the checksum, which is that of the older content.
    fs::write(&copy, &bytes[..bytes.len() - bytes.len() % 512]).unwrap();
    refused("schema 999");

    fs::remove_file(&copy).unwrap();
    refused("no such file");
}

#[test]
fn truncated_compressed_and_missing_backups_are_refused_with_advice() {
    let shop = Shop::with(&[product(1)]);
    succeeds(shop.run(&["backup", "copy.sqlite"]));
    let backup = fs::read(shop.file("copy.sqlite")).unwrap();
    let before = fs::read(shop.db()).unwrap();
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(&backup).unwrap();
    let gzip = gzip.finish().unwrap();
    let cut = &backup[..100_000];
    for (name, bytes, fault, advice) in [
        ("cut.sqlite", Some(cut), "100000 bytes of", "Copy it again"),
        ("empty.sqlite", Some(&[][..]), "empty", "Copy it again"),
        (
            "copy.gz",
            Some(&gzip[..]),
            "compressed",
            "with `gunzip` first",
        ),
        (
            "text",
            Some(&b"a text"[..]),
            "not a deals",
            "`deals backup` made",
        ),
        ("none", None, "no such file", "Check its name"),
    ] {
        if let Some(bytes) = bytes {
            fs::write(shop.file(name), bytes).unwrap();
        }
        for options in [&["--verify"][..], &[]] {
            let said = fails(shop.run(&[&["restore", name], options].concat()));
            let start = format!("deals: nothing was restored from {name}: {name} is not usable: ");
            assert!(said.starts_with(&start), "{said}");
            assert!(said.contains(fault) && said.contains(advice), "{said}");
            assert!(!said.contains("--db"), "{said}");
        }
        assert_eq!(fs::read(shop.db()).unwrap(), before, "{name}");
    }
    let said = fails(receives(&shop, &["restore", "-"], &gzip));
    assert!(said.contains("Pipe it through `gunzip`"), "{said}");
    let said = fails(receives(&shop, &["restore", "-"], cut));
    assert!(said.contains("send it again"), "{said}");
}

#[test]
fn a_backup_rebuilds_wrong_counts_and_a_wrong_index() {
    let shop = Shop::with(&(0..300).map(product).collect::<Vec<_>>());
    let database = shop.database();
    database
        .execute_batch(
            "DELETE FROM search_postings WHERE chunk_and_term IN (SELECT chunk_and_term FROM search_postings LIMIT 40); \
             UPDATE product_counts SET products = 7",
        )
        .unwrap();
    drop(database);
    let report = text(&shop.run(&["check"]).stdout);
    assert!(report.contains("wrong  full-text index"), "{report}");
    assert!(report.contains("deals backup new.sqlite"), "{report}");
    succeeds(shop.run(&["backup", "new.sqlite"]));
    succeeds(shop.run(&["restore", "new.sqlite"]));
    let report = succeeds(shop.run(&["check"]));
    assert!(!report.contains("wrong"), "{report}");
    let server = shop.serve();
    let list = server.json("/product/get-products?search=product+12");
    assert_eq!(list["meta"]["total"], 11);
    assert_eq!(server.json("/product/facets")["all"], 300);
}

#[test]
fn a_damaged_database_is_refused_unchanged() {
    let shop = Shop::with(&(0..300).map(product).collect::<Vec<_>>());
    succeeds(shop.run(&["backup", "copy.sqlite"]));
    spoil(&shop.db());
    let damaged = fs::read(shop.db()).unwrap();
    for arguments in [
        &["serve", "--listen", "127.0.0.1:0"][..],
        &["export"],
        &["user", "list"],
        &["backup", "other.sqlite"],
    ] {
        let said = fails(shop.run(arguments));
        assert!(said.contains("damaged"), "{arguments:?}: {said}");
        if arguments[0] == "serve" {
            assert!(
                said.contains("deals restore BACKUP --db deals.sqlite"),
                "{said}"
            );
        }
        assert_eq!(fs::read(shop.db()).unwrap(), damaged, "{arguments:?}");
    }
    assert!(!shop.file("other.sqlite").exists());
    let said = succeeds(shop.run(&["restore", "copy.sqlite"]));
    assert!(said.contains("300 products"), "{said}");
    assert_eq!(
        shop.serve().json("/product/get-products")["meta"]["total"],
        300
    );
}

#[test]
fn a_truncated_or_missing_database_is_not_created_anew() {
    let shop = Shop::with(&(0..300).map(product).collect::<Vec<_>>());
    let whole = fs::read(shop.db()).unwrap();
    fs::write(shop.db(), &whole[..whole.len() / 2]).unwrap();
    let said = fails(shop.run(&["serve", "--listen", "127.0.0.1:0"]));
    assert!(said.contains("bytes of"), "{said}");
    assert_eq!(fs::read(shop.db()).unwrap().len(), whole.len() / 2);

    fs::remove_file(shop.db()).unwrap();
    fs::write(
        shop.file("deals.sqlite-wal"),
        "what was not in the database yet",
    )
    .unwrap();
    let said = fails(shop.run(&["serve", "--listen", "127.0.0.1:0"]));
    assert!(
        said.contains("deals.sqlite-wal") && said.contains("restore"),
        "{said}"
    );
    assert!(!shop.db().exists());
    assert!(shop.file("deals.sqlite-wal").exists());
}

#[test]
fn the_server_stops_when_it_finds_database_damage() {
    let description = "Some words. ".repeat(400);
    let large = (0..2_500).map(|n| product_with(n, json!({ "description": description })));
    let shop = Shop::with(&large.collect::<Vec<_>>());
    assert!(fs::metadata(shop.db()).unwrap().len() > 8 * 1_024 * 1_024);
    spoil(&shop.db());
    let mut server = shop.serve();
    let said = server.wait_for_line("damaged");
    assert!(said.contains("deals restore BACKUP"), "{said}");
    assert_eq!(server.wait_for_exit().code(), Some(1));
}

#[test]
fn check_covers_every_part_and_says_what_to_do() {
    let shop = Shop::with(&[product(1)]);
    let healthy = succeeds(shop.run(&["check"]));
    for subject in [
        "database",
        "integrity",
        "foreign keys",
        "counts",
        "full-text index",
        "key",
        "server",
        "files",
        "wal",
        "disk",
        "mail",
        "address",
        "backups",
    ] {
        assert!(healthy.contains(subject), "{subject} in {healthy}");
    }
    assert!(!healthy.contains("wrong"), "{healthy}");

    drop(shop.serve());
    let key = shop.file("deals.sqlite.key");
    fs::set_permissions(&key, fs::Permissions::from_mode(0o644)).unwrap();
    let output = shop
        .command()
        .args(["check", "--json"])
        .stderr(Stdio::null())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["ok"], false);
    let files = report["checks"]
        .as_array()
        .unwrap()
        .iter()
        .find(|check| check["check"] == "files");
    let files = files.unwrap();
    assert_eq!(files["state"], "wrong");
    assert!(
        files["text"].as_str().unwrap().contains("chmod 600"),
        "{files}"
    );

    fs::set_permissions(&key, fs::Permissions::from_mode(0o600)).unwrap();
    fs::write(&key, [7; 32]).unwrap();
    let output = shop.run(&["check", "--smtp-url", "nonsense"]);
    let said = text(&output.stdout);
    assert!(said.contains("is not the key that the accounts"), "{said}");
    assert!(
        said.lines().any(|line| line.starts_with("wrong  mail")),
        "{said}"
    );
    assert!(text(&output.stderr).contains("2 problems found"));
}

#[test]
fn check_finds_wrong_counts_and_a_wrong_index() {
    let shop = Shop::with(&(0..50).map(product).collect::<Vec<_>>());
    let database = shop.database();
    database
        .execute(
            "UPDATE product_counts SET products = products + 1 WHERE category = 'Books'",
            [],
        )
        .unwrap();
    database
        .execute(
            "UPDATE search_terms SET term = 'never' WHERE term = 'number'",
            [],
        )
        .unwrap();
    drop(database);
    let output = shop.run(&["check"]);
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1));
    assert!(said.contains("1 counts of products are wrong"), "{said}");
    assert!(said.contains("2 posting lists are not as"), "{said}");
    let said = succeeds(shop.run(&["reindex"]));
    assert!(said.contains("deals.sqlite: 50 products"), "{said}");
    let said = text(&shop.run(&["check"]).stdout);
    assert!(
        said.contains("posting lists, version 4 of the rules"),
        "{said}"
    );
}

#[test]
fn a_search_index_of_another_version_is_rebuilt() {
    let shop = Shop::with(&(0..50).map(product).collect::<Vec<_>>());
    shop.database()
        .execute_batch(
            "UPDATE search_format SET version = 0; \
             UPDATE search_terms SET term = 'never' WHERE term = 'number'",
        )
        .unwrap();
    let said = text(&shop.run(&["check"]).stdout);
    assert!(
        said.contains("was made with version 0 of the rules"),
        "{said}"
    );
    let server = shop.serve();
    let list = server.json("/product/get-products?search=number");
    assert_eq!(list["meta"]["total"], 50);
    let refused = text(&shop.run(&["reindex"]).stderr);
    assert!(
        refused.contains("is in use by another `deals serve`"),
        "{refused}"
    );
    server.wait_for_line("the full-text index was made again");
    drop(server);
    assert!(!succeeds(shop.run(&["check"])).contains("wrong"));
    shop.run(&["reindex", "--db", "nowhere.sqlite"]);
    assert!(!shop.file("nowhere.sqlite").exists());
}
