//! Databases and backups that another program has changed (security, R26).

use std::fs;
use std::path::Path;

use rusqlite::Connection;

use crate::support::harness::{Shop, fails, product_with, succeeds};

/// Changes of a backup, and part of every command's message.
const ALTERED: [(&str, &str); 13] = [
    (
        "CREATE TRIGGER evil AFTER INSERT ON sessions BEGIN UPDATE users SET role = 'admin'; END",
        "its trigger evil is not of schema ",
    ),
    (
        "CREATE TRIGGER evil AFTER UPDATE OF clicks ON products \
         BEGIN UPDATE products SET affiliate_link = 'https://evil.example/'; END",
        "its trigger evil is not of schema ",
    ),
    (
        "DROP TRIGGER product_changes_on_click",
        "it lacks the trigger product_changes_on_click of schema ",
    ),
    (
        "DROP TRIGGER product_changes_on_click; \
         CREATE TRIGGER product_changes_on_click AFTER UPDATE OF clicks ON products \
         BEGIN UPDATE users SET role = 'admin'; END",
        "its trigger product_changes_on_click is not as that of schema ",
    ),
    (
        "CREATE VIEW extra AS SELECT * FROM users",
        "its view extra is not of schema ",
    ),
    (
        "ALTER TABLE users ADD COLUMN extra TEXT",
        "its table users is not as that of schema ",
    ),
    (
        "DROP INDEX sessions_by_user; ALTER TABLE sessions RENAME TO people; \
         CREATE VIEW sessions AS SELECT * FROM people",
        "it lacks the ",
    ),
    (
        "CREATE INDEX extra ON users (role)",
        "its index extra is not of schema ",
    ),
    (
        "DROP INDEX sessions_by_user",
        "it lacks the index sessions_by_user of schema ",
    ),
    (
        "CREATE TABLE extra (x)",
        "its table extra is not of schema ",
    ),
    ("PRAGMA user_version = 1", "(schema 1)"),
    ("PRAGMA user_version = 0", "of schema 0"),
    ("PRAGMA user_version = 999", "(schema 999"),
];

fn alter(file: &Path, sql: &str) {
    let connection = Connection::open(file).unwrap();
    connection.execute_batch(sql).unwrap();
    connection
        .pragma_update(None, "journal_mode", "DELETE")
        .unwrap();
    connection.close().unwrap();
    // A backup's checksum would be refused first; somebody who alters one can leave it out.
    let file = fs::File::options().append(true).open(file).unwrap();
    let size = file.metadata().unwrap().len();
    file.set_len(size - size % 512).unwrap();
}

#[test]
fn a_backup_with_an_altered_schema_is_refused() {
    let shop = Shop::with(&[product_with(1, serde_json::json!({}))]);
    shop.sign_up("a@b.example", "tiger-lamp-42");
    succeeds(shop.run(&["backup", "sound.sqlite"]));
    let before = fs::read(shop.db()).unwrap();
    let copy = shop.file("copy.sqlite");
    for (sql, words) in ALTERED {
        fs::copy(shop.file("sound.sqlite"), &copy).unwrap();
        alter(&copy, sql);
        let altered = fs::read(&copy).unwrap();
        for arguments in [
            &["restore", "copy.sqlite"][..],
            &["restore", "copy.sqlite", "--verify"],
            &["backup", "new.sqlite", "--db", "copy.sqlite"],
            &["user", "list", "--db", "copy.sqlite"],
            &["serve", "--listen", "127.0.0.1:0", "--db", "copy.sqlite"],
        ] {
            let said = fails(shop.run(arguments));
            assert!(said.contains(words), "{arguments:?} after {sql}: {said}");
        }
        let checked = shop.run(&["check", "--db", "copy.sqlite"]);
        assert_eq!(checked.status.code(), Some(1), "{sql}");
        let said = String::from_utf8_lossy(&checked.stdout).into_owned();
        assert!(said.contains(words), "check after {sql}: {said}");
        assert_eq!(fs::read(&copy).unwrap(), altered, "it was changed: {sql}");
        assert_eq!(fs::read(shop.db()).unwrap(), before, "{sql}");
        assert!(!shop.file("new.sqlite").exists());
    }
    succeeds(shop.run(&["restore", "sound.sqlite"]));
}

#[test]
fn tables_of_litestream_and_statistics_of_sqlite_are_accepted() {
    let shop = Shop::with(&[product_with(1, serde_json::json!({}))]);
    alter(
        &shop.db(),
        "CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER); \
         CREATE TABLE _litestream_lock (id INTEGER); ANALYZE",
    );
    assert_eq!(shop.serve().list("").len(), 1);
    succeeds(shop.run(&["backup", "copy.sqlite"]));
    alter(
        &shop.file("copy.sqlite"),
        "CREATE TRIGGER evil AFTER INSERT ON _litestream_seq BEGIN DELETE FROM products; END",
    );
    assert!(fails(shop.run(&["restore", "copy.sqlite"])).contains("trigger evil"));
}

#[test]
fn a_backup_with_javascript_links_is_refused() {
    let shop = Shop::with(&[product_with(1, serde_json::json!({"_id": "one"}))]);
    for sql in [
        "UPDATE products SET affiliate_link = 'javascript:alert(1)'",
        "UPDATE products SET affiliate_link = 'JaVaScRiPt:alert(1)'",
        "UPDATE products SET affiliate_link = 'data:text/html,x'",
        "UPDATE products SET images = '[\"javascript:alert(1)\"]'",
    ] {
        succeeds(shop.run(&["backup", "copy.sqlite"]));
        alter(&shop.file("copy.sqlite"), sql);
        for arguments in [
            &["restore", "copy.sqlite"][..],
            &["restore", "copy.sqlite", "--verify"],
        ] {
            let said = fails(shop.run(arguments));
            assert!(said.contains("product one has a link"), "{sql}: {said}");
        }
        let checked = shop.run(&["check", "--db", "copy.sqlite"]);
        let said = String::from_utf8_lossy(&checked.stdout).into_owned();
        assert!(said.contains("wrong  links"), "{sql}: {said}");
    }
}

#[test]
fn pages_contain_only_http_links_whatever_the_database_holds() {
    let shop = Shop::with(&[product_with(1, serde_json::json!({"_id": "one"}))]);
    alter(
        &shop.db(),
        "UPDATE products SET affiliate_link = 'javascript:alert(1)', \
         images = '[\"javascript:alert(2)\", \"data:text/html,x\"]'",
    );
    let server = shop.serve();
    for path in [
        "/",
        "/details/one",
        "/?search=product",
        "/feed.xml",
        "/sitemap.xml",
    ] {
        let answer = server
            .client()
            .get(server.url(path))
            .header("accept", "text/html");
        let page = answer.send().unwrap().text().unwrap();
        let document = scraper::Html::parse_document(&page);
        for element in document.tree.values().filter_map(|node| node.as_element()) {
            for name in ["href", "src", "action", "content"] {
                let value = element.attr(name).unwrap_or_default().to_lowercase();
                let value = value.trim();
                assert!(
                    !value.starts_with("javascript:") && !value.starts_with("data:"),
                    "{path}: {name}={value}"
                );
            }
        }
        assert!(!page.contains("\"image\":[\"javascript"), "{path}");
    }
}
