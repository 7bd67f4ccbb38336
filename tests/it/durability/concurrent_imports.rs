//! Visibility of running and killed imports.

use std::fs;
use std::process::{Child, Stdio};

use reqwest::{Method, StatusCode};
use rusqlite::Connection;
use serde_json::{Value, json};

use deals::domain::ListQuery;
use deals::store::{BulkChange, Store, with_suffix};

use crate::support::harness::{
    Server, Shop, pause, product, product_with, succeeds, wait_for_exit, wait_until,
};
use crate::support::people::People;

const ROWS: usize = 6_000;
/// Attempts at steps that may come too late on a busy machine.
const TRIES: usize = 50;

fn start_import(shop: &Shop, rows: &[Value]) -> Child {
    let lines: String = rows.iter().map(|row| format!("{row}\n")).collect();
    fs::write(shop.file("rows.ndjson"), lines).unwrap();
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

/// Rows, every third with an `_id` so that it can be requested.
fn rows() -> Vec<Value> {
    (2..ROWS + 2)
        .map(|n| match n % 3 {
            0 => product_with(n, json!({"_id": format!("row-{n}")})),
            _ => product(n),
        })
        .collect()
}

/// Waits until an import has hidden more products than this, or ended.
fn wait_for_hidden(connection: &Connection, import: &mut Child, more_than: i64) {
    while hidden(connection) <= more_than && import.try_wait().unwrap().is_none() {
        pause();
    }
}

/// A served shop with the leftovers of a killed import.
fn with_a_killed_import() -> (Shop, Server, Connection) {
    for _ in 0..TRIES {
        let shop = Shop::with(&[product_with(1, json!({"_id": "one"}))]);
        let server = shop.serve();
        let connection = Connection::open(shop.db()).unwrap();
        let mut import = start_import(&shop, &rows());
        wait_for_hidden(&connection, &mut import, 500);
        import.kill().unwrap();
        import.wait().unwrap();
        if hidden(&connection) > 500 {
            return (shop, server, connection);
        }
    }
    panic!("each import had ended before it was killed");
}

#[test]
fn products_of_a_killed_import_are_never_listed() {
    let (shop, server, connection) = with_a_killed_import();
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
    let nothing = server.json("/product/get-products?search=unheardof");
    assert_eq!(nothing["meta"]["total"], 0);
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
fn an_upload_keeps_the_servers_lock_on_the_database() {
    let people = People::with(Shop::with(&[product_with(1, json!({"_id": "one"}))]), &[]);
    let owner = people.join_as_admin("owner@example.com");
    let upload = people.request(Method::POST, "/product/import");
    let upload = upload
        .header("cookie", &owner.cookie)
        .body(json!([product(2)]).to_string());
    assert_eq!(upload.send().unwrap().status(), StatusCode::OK);
    // Without it another process assumes that the database is unused, and deletes the WAL.
    assert!(people.server.holds_a_lock_of(&people.shop.db()));
    let export = people.shop.run(&["export"]);
    assert!(export.status.success());
    let click = people.server.post("/product/increament-views/one");
    assert_eq!(click.status(), StatusCode::OK);
    let connection = Connection::open(people.shop.db()).unwrap();
    let clicks: i64 = connection
        .query_row("SELECT clicks FROM products WHERE id = 'one'", [], |row| {
            row.get(0)
        })
        .unwrap();
    assert_eq!(clicks, 1);
}

#[test]
fn undo_restores_deleted_products_whose_keys_were_reused() {
    let shop = Shop::with(&[product(1), product(2), product(3)]);
    let store = Store::open(&shop.db()).unwrap();
    let now = jiff::Timestamp::now();
    let (actor, all) = (|| "somebody".to_owned(), ListQuery::default());
    let products = store.list_products(&all).unwrap().page.items;
    let ids: Vec<String> = products
        .iter()
        .take(2)
        .map(|product| product.id.clone())
        .collect();
    let outcome = store.bulk_change(ids.clone(), BulkChange::Delete, actor(), now, None);
    let undo = outcome.unwrap().undo;
    let another = products[2].details.clone();
    store
        .insert_product(another, actor(), now, false, None)
        .wait()
        .unwrap();
    assert_eq!(store.undo_bulk_change(undo, actor(), now, None).unwrap(), 2);
    for id in ids {
        store.find_product(&id).unwrap();
    }
    assert_eq!(store.list_products(&all).unwrap().page.total, 4);
}

/// Clicks until an import ends; returns the clicks counted meanwhile.
fn click_beside_an_import() -> usize {
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
    meanwhile
}

#[test]
fn clicks_are_counted_during_an_import() {
    let counted = (0..TRIES).any(|_| click_beside_an_import() > 0);
    assert!(counted, "no click was counted while it wrote");
}

/// Adds and deletes products during an import; returns whether it was still running.
fn change_beside_an_import() -> bool {
    let shop = Shop::with(&[product_with(1, json!({"_id": "one"})), product(2)]);
    let server = shop.serve();
    let connection = Connection::open(shop.db()).unwrap();
    let store = Store::open(&shop.db()).unwrap();
    let mut import = start_import(&shop, &{
        let mut rows = rows();
        rows.push(product_with(1, json!({"price": 77})));
        rows
    });
    wait_for_hidden(&connection, &mut import, 0);
    // Another client adds one of its products, and deletes one that it changes.
    let now = jiff::Timestamp::now();
    let details = store.find_product("one").unwrap().details;
    let other = deals::domain::NewProduct {
        affiliate_link: product(4_000)["affiliateLink"].as_str().unwrap().to_owned(),
        ..details
    };
    store
        .insert_product(other, "somebody".to_owned(), now, false, None)
        .wait()
        .unwrap();
    store
        .delete_product("one".to_owned(), "somebody".to_owned(), now)
        .wait()
        .unwrap();
    let is_beside = hidden(&connection) > 0;
    assert!(wait_for_exit(&mut import).success());
    if !is_beside {
        return false;
    }
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
    true
}

#[test]
fn concurrent_product_changes_during_an_import_are_kept() {
    let changed = (0..TRIES).any(|_| change_beside_an_import());
    assert!(changed, "each import had ended before anything was changed");
}

fn indexes(connection: &Connection) -> Vec<String> {
    let sql =
        "SELECT sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY name";
    let mut statement = connection.prepare(sql).unwrap();
    let indexes = statement.query_map([], |row| row.get(0)).unwrap();
    indexes.map(Result::unwrap).collect()
}

/// Kills an import without a server; returns whether it had no effect.
fn kill_without_a_server() -> bool {
    let shop = Shop::with(&[product(1)]);
    let before = indexes(&Connection::open(shop.db()).unwrap());
    // More than fits in memory, so that some is written before the end.
    let long = "a long description ".repeat(150);
    let rows: Vec<Value> = (2..ROWS + 2)
        .map(|n| product_with(n, json!({ "description": long })))
        .collect();
    let mut import = start_import(&shop, &rows);
    let log = with_suffix(&shop.db(), "-wal");
    let is_writing = || fs::metadata(&log).is_ok_and(|log| log.len() > 1 << 20);
    while !is_writing() && import.try_wait().unwrap().is_none() {
        pause();
    }
    import.kill().unwrap();
    import.wait().unwrap();

    let server = shop.serve();
    let connection = Connection::open(shop.db()).unwrap();
    wait_until("what was left stayed", || hidden(&connection) == 0);
    let total = server.json("/product/get-products")["meta"]["total"].clone();
    assert!(total == 1 || total == ROWS + 1, "{total}");
    assert_eq!(indexes(&connection), before);
    server.stop();
    drop(connection);
    assert!(!succeeds(shop.run(&["check"])).contains("wrong"));
    total == 1
}

#[test]
fn a_killed_import_without_a_server_leaves_nothing() {
    let killed = (0..TRIES).any(|_| kill_without_a_server());
    assert!(killed, "each import had ended before it was killed");
}

#[test]
fn imports_with_and_without_a_server_have_the_same_result() {
    let [alone, beside] = [false, true].map(|with_server| {
        let shop = Shop::with(&[product(1), product(2)]);
        let server = with_server.then(|| shop.serve());
        let mut import = start_import(&shop, &rows());
        assert!(wait_for_exit(&mut import).success());
        drop(server);
        assert!(!succeeds(shop.run(&["check"])).contains("wrong"));
        let connection = Connection::open(shop.db()).unwrap();
        assert_eq!(hidden(&connection), 0);
        let server = shop.serve();
        let queries = [
            "sortBy=price&order=asc&page=300",
            "sortBy=ratings.averageRating&category=Electronics&page=2",
            "search=product&sortBy=discount",
            "source=Amazon&minPrice=500",
        ];
        let lists = queries.map(|query| {
            let list = server.json(&format!("/product/get-products?{query}"));
            let titles: Vec<Value> = list["data"]
                .as_array()
                .unwrap()
                .iter()
                .map(|product| product["price"].clone())
                .collect();
            (titles, list["meta"].clone())
        });
        (indexes(&connection), lists)
    });
    assert_eq!(alone, beside);
}
