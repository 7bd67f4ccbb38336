//! What others see of an import while it writes, and of one that was killed.

use std::process::{Child, Stdio};
use std::time::Instant;

use reqwest::StatusCode;
use rusqlite::Connection;
use serde_json::{Value, json};

use crate::harness::{PATIENCE, Shop, product, product_with, wait_for_exit};

const ROWS: usize = 6_000;

fn start_import(shop: &Shop, rows: &[Value]) -> Child {
    let lines: String = rows.iter().map(|row| format!("{row}\n")).collect();
    std::fs::write(shop.file("rows.ndjson"), lines).unwrap();
    shop.command()
        .args(["import", "rows.ndjson"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

fn hidden(connection: &Connection) -> i64 {
    let sql = "SELECT coalesce(sum(last - first + 1), 0) FROM hidden_products";
    connection.query_row(sql, [], |row| row.get(0)).unwrap()
}

fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < PATIENCE, "{what}");
        std::thread::yield_now();
    }
}

/// Rows whose third part has an `_id`, so that one can be asked for.
fn rows() -> Vec<Value> {
    (2..ROWS + 2)
        .map(|n| match n % 3 {
            0 => product_with(n, json!({"_id": format!("row-{n}")})),
            _ => product(n),
        })
        .collect()
}

#[test]
fn what_a_killed_import_added_is_nowhere_to_be_seen_and_goes_at_the_next_start() {
    let shop = Shop::with(&[product_with(1, json!({"_id": "one"}))]);
    let server = shop.serve();
    let connection = Connection::open(shop.db()).unwrap();
    let mut import = start_import(&shop, &rows());
    wait_until("nothing was hidden", || hidden(&connection) > 500);
    import.kill().unwrap();
    assert!(!import.wait().unwrap().success(), "it had ended already");
    assert!(hidden(&connection) > 500);

    for query in [
        "",
        "search=description",
        "category=Electronics",
        "source=Amazon",
        "minPrice=1",
    ] {
        let list = server.json(&format!("/product/get-products?limit=100&{query}"));
        assert_eq!(list["meta"]["total"], 1, "{query}");
        assert_eq!(list["data"].as_array().unwrap().len(), 1, "{query}");
    }
    let facets = server.json("/product/facets?search=description");
    assert_eq!(facets["all"], 1);
    assert_eq!(server.json("/product/facets")["all"], 1);
    assert_eq!(
        server.get("/product/product/row-3").status(),
        StatusCode::NOT_FOUND
    );
    let click = server.post("/product/increament-views/row-3");
    assert_eq!(click.status(), StatusCode::NOT_FOUND);
    let sitemap = server.get("/sitemap.xml").text().unwrap();
    assert_eq!(sitemap.matches("/details/").count(), 1);
    let export = shop.run(&["export"]);
    assert_eq!(
        serde_json::from_slice::<Vec<Value>>(&export.stdout)
            .unwrap()
            .len(),
        1
    );
    assert_eq!(
        server.post("/product/increament-views/one").status(),
        StatusCode::OK
    );
    server.stop();

    let server = shop.serve();
    wait_until("what was left stayed", || hidden(&connection) == 0);
    let left: i64 = connection
        .query_row("SELECT count(*) FROM products", [], |row| row.get(0))
        .unwrap();
    assert_eq!(left, 1);
    let words: i64 = connection
        .query_row(
            "SELECT products FROM search_terms WHERE term = 'description'",
            [],
            |row| row.get(0),
        )
        .unwrap();
    assert_eq!(words, 1, "its words are gone as well");
    assert_eq!(server.json("/product/get-products")["meta"]["total"], 1);
}

#[test]
fn clicks_are_counted_while_an_import_writes_and_it_shows_all_of_it_at_once() {
    let shop = Shop::with(&[product_with(1, json!({"_id": "one"}))]);
    let server = shop.serve();
    let connection = Connection::open(shop.db()).unwrap();
    let mut import = start_import(&shop, &rows());
    let (mut clicks, mut meanwhile) = (0, 0);
    while import.try_wait().unwrap().is_none() {
        let is_writing = hidden(&connection) > 0;
        let response = server.post("/product/increament-views/one");
        assert_eq!(response.status(), StatusCode::OK);
        clicks += 1;
        meanwhile += usize::from(is_writing && hidden(&connection) > 0);
        let total = server.json("/product/get-products")["meta"]["total"].clone();
        assert!(total == 1 || total == ROWS + 1, "{total}");
    }
    assert!(import.wait().unwrap().success());
    assert!(meanwhile > 0, "no click was counted while it wrote");
    assert_eq!(
        server.json("/product/product/one")["product"]["clicks"],
        clicks
    );
    let list = server.json("/product/get-products?search=number&page=20&limit=100");
    assert_eq!(list["meta"]["total"], ROWS + 1);
    assert_eq!(list["data"].as_array().unwrap().len(), 100);
    assert_eq!(
        server.json("/product/facets?search=number")["all"],
        ROWS + 1
    );
}

#[test]
fn products_that_others_add_and_delete_while_an_import_writes_are_neither_doubled_nor_lost() {
    let shop = Shop::with(&[product_with(1, json!({"_id": "one"})), product(2)]);
    let server = shop.serve();
    let connection = Connection::open(shop.db()).unwrap();
    let mut import = start_import(&shop, &{
        let mut rows = rows();
        rows.push(product_with(1, json!({"price": 77})));
        rows
    });
    wait_until("nothing was hidden", || hidden(&connection) > 0);
    // Somebody else brings one of its products, and takes one away that it changes.
    let store = deals::store::Store::open(&shop.db()).unwrap();
    let now = jiff::Timestamp::now();
    let details = store.find_product("one").unwrap().details;
    let other = deals::domain::NewProduct {
        affiliate_link: product(4_000)["affiliateLink"].as_str().unwrap().to_owned(),
        ..details
    };
    store
        .insert_product(other, "somebody".to_owned(), now)
        .wait()
        .unwrap();
    store
        .delete_product("one".to_owned(), "somebody".to_owned(), now)
        .wait()
        .unwrap();
    assert!(wait_for_exit(&mut import).success());
    let with_link = |n: usize| -> i64 {
        let link = product(n)["affiliateLink"].as_str().unwrap().to_owned();
        let sql = "SELECT count(*) FROM products WHERE affiliate_link = ?";
        connection.query_row(sql, [link], |row| row.get(0)).unwrap()
    };
    assert_eq!(with_link(4_000), 1);
    assert_eq!(with_link(1), 1);
    let total = server.json("/product/get-products")["meta"]["total"].clone();
    assert_eq!(total, ROWS + 1);
    let counted: i64 = connection
        .query_row("SELECT count(*) FROM products", [], |row| row.get(0))
        .unwrap();
    assert_eq!(total, counted);
    assert_eq!(server.json("/product/facets?search=number")["all"], total);
}
