//! Databases of earlier releases.

use std::process::Stdio;
use std::time::{Duration, Instant};

use rusqlite::Connection;
use rusqlite::functions::FunctionFlags;

use crate::support::harness::{Shop, succeeds};

/// The schema as it was with the fifth migration.
const BEFORE: [&str; 5] = [
    include_str!("../../../src/store/migrations/0001_products.sql"),
    include_str!("../../../src/store/migrations/0002_accounts.sql"),
    include_str!("../../../src/store/migrations/0003_activity.sql"),
    include_str!("../../../src/store/migrations/0004_undo.sql"),
    include_str!("../../../src/store/migrations/0005_filters.sql"),
];

/// A shop whose database is as the fifth migration left it, with 300 products.
pub fn older_shop() -> Shop {
    let shop = Shop::new();
    let connection = Connection::open(shop.db()).unwrap();
    connection
        .create_scalar_function("search_words", 1, FunctionFlags::SQLITE_UTF8, |context| {
            context.get::<String>(0)
        })
        .unwrap();
    connection
        .pragma_update(None, "application_id", 0x6465_616c)
        .unwrap();
    for migration in BEFORE {
        connection.execute_batch(migration).unwrap();
    }
    connection.pragma_update(None, "user_version", 5).unwrap();
    let mut insert = connection
        .prepare(
            "INSERT INTO products (id, title, description, price, discount, final_price, category, source, \
             affiliate_link, images, clicks, average_rating, total_ratings, created_at, updated_at) \
             VALUES (?, ?, 'Words of the description', 100, 0, 100, 'Books', 'Amazon', \
             'https://shop.example/', '[\"https://pictures.example/1.jpg\"]', ?, 4.5, 10, 1, 1)",
        )
        .unwrap();
    for n in 0..300 {
        insert
            .execute((format!("id-{n}"), format!("Title {n} with novels"), n))
            .unwrap();
    }
    drop(insert);
    connection.close().unwrap();
    shop
}

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
    for round in 0..20 {
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
        let moment = Instant::now() + Duration::from_millis(2 * round);
        while Instant::now() < moment && update.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        update.kill().unwrap();
        killed += usize::from(!update.wait().unwrap().success());
        let found = version();
        assert!(found == 5 || found == 8, "round {round}: {found}");
        if found == 8 {
            assert!(
                copy.exists(),
                "a copy was put aside before anything was changed"
            );
        }
        succeeds(shop.run(&["user", "list"]));
        assert_eq!(version(), 8);
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
    assert!(killed > 0, "no update was killed in time");
}
