//! Databases of earlier releases.

use std::process::Stdio;
use std::time::{Duration, Instant};

use rusqlite::Connection;

use crate::support::harness::{pause, succeeds};
use crate::support::older_shop::older_shop;

/// Current schema version.
const NEWEST: i64 = 21;

#[test]
fn the_words_of_an_older_database_are_indexed_anew() {
    let shop = older_shop();

    let server = shop.serve();
    for (query, total) in [
        ("", 300),
        ("search=novel", 300),
        ("search=title+12", 11),
        ("search=words+29&category=Books", 11),
    ] {
        let list = server.json(&format!("/product/get-products?sortBy=clicks&{query}"));
        assert_eq!(list["meta"]["total"], total, "{query}");
    }
    assert_eq!(server.json("/product/facets?search=novel")["all"], 300);
    assert!(
        shop.file("deals.sqlite.schema-5").exists(),
        "a copy was put aside"
    );
}

#[test]
fn an_update_that_is_killed_leaves_the_old_schema_or_the_new_one() {
    let shop = older_shop();
    let before = std::fs::read(shop.db()).unwrap();
    let copy = shop.file("deals.sqlite.schema-5");
    let version = || {
        let database = shop.database();
        database
            .pragma_query_value(None, "user_version", |row| row.get::<_, i64>(0))
            .unwrap()
    };
    let mut killed = 0;
    for round in 0.. {
        // A machine that does something else may kill each of them too late.
        if round >= 20 && killed > 0 {
            break;
        }
        assert!(round < 200, "no update was killed in time");
        for ending in ["", "-wal", "-shm", ".schema-5", ".schema-5.part"] {
            let _ = std::fs::remove_file(shop.file(&format!("deals.sqlite{ending}")));
        }
        std::fs::write(shop.db(), &before).unwrap();
        let mut update = shop
            .command()
            .args(["user", "list"])
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        // Some further into its work each time.
        let moment = Instant::now() + Duration::from_millis(2 * (round % 20));
        while Instant::now() < moment && update.try_wait().unwrap().is_none() {
            pause();
        }
        update.kill().unwrap();
        killed += usize::from(!update.wait().unwrap().success());
        let found = version();
        assert!(found == 5 || found == NEWEST, "round {round}: {found}");
        if found == NEWEST {
            assert!(
                copy.exists(),
                "a copy was put aside before anything was changed"
            );
        }
        succeeds(shop.run(&["user", "list"]));
        assert_eq!(version(), NEWEST);
        let kept = Connection::open(&copy).unwrap();
        let products: i64 = kept
            .query_row("SELECT count(*) FROM products", [], |row| row.get(0))
            .unwrap();
        assert_eq!(products, 300);
        let report = succeeds(shop.run(&["check"]));
        assert!(!report.contains("wrong"), "{report}");
        let after = std::fs::read(shop.db()).unwrap();
        succeeds(shop.run(&["user", "list"]));
        assert_eq!(
            std::fs::read(shop.db()).unwrap(),
            after,
            "nothing is left to do"
        );
    }
}
