//! WAL pages per click, and WAL size while an import writes and others read.

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};

use reqwest::{Method, StatusCode};
use rusqlite::Connection;
use serde_json::{Value, json};

use deals::store::with_suffix;

use crate::support::harness::{Done, Shop, product, product_with, wait_until};
use crate::support::people::People;

/// Reads one snapshot after another; two of these take turns, so that there is always a reader.
fn read_in_turn(
    shop: &Shop,
    has_begun: &Sender<()>,
    other_has_begun: &Receiver<()>,
    is_over: &AtomicBool,
) {
    let connection = Connection::open(shop.db()).unwrap();
    while !is_over.load(Ordering::Relaxed) {
        connection.execute_batch("BEGIN").unwrap();
        // Some milliseconds of import.
        let sql =
            "SELECT sum(length(description)) FROM (SELECT description FROM products LIMIT 1000)";
        connection
            .query_row(sql, [], |row| row.get::<_, i64>(0))
            .unwrap();
        if has_begun.send(()).is_err() || other_has_begun.recv().is_err() {
            return;
        }
        connection.execute_batch("COMMIT").unwrap();
    }
}

/// SQLite restarts the WAL only without readers, so it would grow to 140 MB. An import forces a
/// restart; if readers are too slow, it logs that and retries some megabytes later.
#[test]
fn the_wal_stays_short_during_an_import_with_constant_readers() {
    const MIB: u64 = 1_024 * 1_024;
    const BUDGET: u64 = 64 * MIB;
    const TRIED_AGAIN_AFTER: u64 = 16 * MIB;
    const TRANSACTION: u64 = 32 * MIB;
    let people = People::with(Shop::with(&[product(1)]), &[]);
    let owner = people.join_as_admin("owner@example.com");
    // Few words, so that the text is long and its index is made soon.
    let description = format!("{} ", "w".repeat(99)).repeat(99);
    // Each is nearly as large as an upload may be.
    let uploads = [0, 1].map(|n| {
        let rows = (2 + n * 6_000..2 + (n + 1) * 6_000)
            .map(|n| product_with(n, json!({"description": description})));
        let rows: Vec<Value> = rows.collect();
        people
            .request(Method::POST, "/product/import")
            .header("cookie", &owner.cookie)
            .body(json!(rows).to_string())
    });
    let is_over = AtomicBool::new(false);
    let longest = std::thread::scope(|scope| {
        let _done = Done(&is_over);
        let (shop, is_over) = (&people.shop, &is_over);
        let (first_has, to_second) = channel();
        let (second_has, to_first) = channel();
        scope.spawn(move || read_in_turn(shop, &first_has, &to_first, is_over));
        scope.spawn(move || {
            if to_second.recv().is_ok() {
                read_in_turn(shop, &second_has, &to_second, is_over);
            }
        });
        let imports = scope.spawn(|| uploads.map(|upload| upload.send().unwrap().status()));
        let log = with_suffix(&shop.db(), "-wal");
        let mut longest = 0;
        while !imports.is_finished() {
            longest = longest.max(fs::metadata(&log).unwrap().len());
            // Without a pause, so that no growth is missed.
            std::thread::yield_now();
        }
        assert_eq!(imports.join().unwrap(), [StatusCode::OK; 2]);
        longest
    });
    let total = people.server.json("/product/get-products")["meta"]["total"].clone();
    assert_eq!(total, 12_001);
    let (said, _people) = people.restart();
    let in_vain = said.matches("so the WAL grows").count() as u64;
    let allowed = BUDGET + in_vain * TRIED_AGAIN_AFTER + TRANSACTION;
    assert!(longest < allowed, "{longest} bytes, {in_vain} in vain");
}

#[test]
fn the_wal_shrinks_again_after_a_long_read() {
    let shop = Shop::with(&[product(1)]);
    let server = shop.serve();
    let reader = shop.database();
    reader
        .execute_batch("BEGIN; SELECT count(*) FROM products")
        .unwrap();
    let description = "Some words. ".repeat(400);
    let rows: Vec<Value> = (2..5_000)
        .map(|n| product_with(n, json!({ "description": description })))
        .collect();
    assert!(shop.import(&json!(rows).to_string(), &[]).status.success());
    let log = || {
        std::fs::metadata(shop.file("deals.sqlite-wal"))
            .unwrap()
            .len()
    };
    let grown = log();
    assert!(grown > 20 * 1_024 * 1_024, "{grown}");
    reader.execute_batch("COMMIT").unwrap();
    drop(reader);
    let id = server.list("limit=1")[0]["_id"]
        .as_str()
        .unwrap()
        .to_owned();
    wait_until("the log keeps what it has grown to", || {
        server.post(&format!("/product/increament-views/{id}"));
        log() < grown
    });
    assert!(log() <= 16 * 1_024 * 1_024);
}

/// After enough products and changes that data spans several pages.
#[test]
fn a_click_writes_few_pages() {
    const FRAME: u64 = 4_096 + 24;
    let rows: Vec<Value> = (0..3_000)
        .map(|n| product_with(n, json!({"clicks": n * 7 % 1_000})))
        .collect();
    let shop = Shop::with(&rows);
    let change = "UPDATE products SET total_ratings = total_ratings";
    for _ in 0..3 {
        shop.database().execute(change, []).unwrap();
    }
    let server = shop.serve();
    let products = server.list("limit=100&sortBy=price");
    let click = |product: &Value| {
        let id = product["_id"].as_str().unwrap();
        let path = format!("/product/increament-views/{id}");
        assert_eq!(server.post(&path).status(), StatusCode::OK);
    };
    let log = with_suffix(&shop.db(), "-wal");
    let frames = || fs::metadata(&log).unwrap().len() / FRAME;
    products.iter().take(20).for_each(click);
    let before = frames();
    products.iter().take(20).for_each(click);
    let written = frames() - before;
    // The product, twice the index by clicks, the change log, the product's name and its sums; and
    // the reason of an uncounted click.
    assert!(written <= 20 * 7 + 5, "{written} pages by 20 clicks");
}
