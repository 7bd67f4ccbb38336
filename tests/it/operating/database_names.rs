//! Names of databases: any plain path, and none that something else would read in its own way.

use std::fs;

use serde_json::json;

use crate::support::harness::{Shop, misused, product, succeeds};

#[test]
fn an_import_works_with_any_plain_database_name() {
    let rows = json!([product(1), product(2)]).to_string();
    for name in [
        "a?mode=memory",
        "a#b",
        "a%20b",
        "a%b",
        "a$b.sqlite",
        "with space.sqlite",
        "./-dash.sqlite",
        "./:memory:",
        "./file:x.sqlite",
        "दुकान.sqlite",
        "it's.sqlite",
        "shop-10:30.sqlite",
    ] {
        let shop = Shop::new();
        assert!(
            shop.import(&rows, &["--db", name]).status.success(),
            "{name}"
        );
        assert!(fs::metadata(shop.file(name)).unwrap().len() > 0, "{name}");
        let exported = succeeds(shop.run(&["export", "--db", name]));
        assert!(exported.contains("Product 2"), "{name}: {exported}");
        succeeds(shop.run(&["backup", "copy.sqlite", "--db", name]));
    }
}

#[test]
fn ambiguous_database_names_are_refused() {
    let shop = Shop::new();
    let rows = json!([product(1)]).to_string();
    for (name, advice) in [
        (":memory:", "SQLite"),
        ("file::memory:", "SQLite"),
        ("file:x.sqlite", "write the path alone, like x.sqlite"),
        ("file:///srv/x.sqlite", "like /srv/x.sqlite"),
        ("deals.sqlite\r", "write"),
        ("'deals.sqlite'", "write"),
        ("~/deals.sqlite", "whole path"),
        ("${HOME}/deals.sqlite", "whole path"),
        ("sqlite://deals.sqlite", "like /srv/shop"),
        ("C:\\deals.sqlite", "like /srv/shop"),
    ] {
        let said = misused(shop.import(&rows, &["--db", name]));
        assert!(said.contains(advice), "{name:?}: {said}");
        let mut serve = shop.serve_command(&[]);
        let said = misused(serve.env("DEALS_DB", name).output().unwrap());
        assert!(said.contains(advice), "{name:?}: {said}");
    }
    assert_eq!(fs::read_dir(shop.folder()).unwrap().count(), 0);
}
