//! Databases of development versions, and first starts that are killed. Migrations are tested in
//! `src/store/db/schema.rs`, with a made-up one.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use deals::domain::{Channel, Classification, Place, date_of};
use regex::Regex;
use rusqlite::{Connection, params};
use serde_json::json;

use crate::office::classifications::ask;
use crate::office::prices::{lamp, make_up};
use crate::support::harness::{Shop, pause, product, product_with, succeeds, text, wait_until};
use crate::support::people::{People, Someone};
use crate::support::random::Random;

/// The schema version that this program writes.
const NEWEST: i64 = 131;

/// Makes a database as a development version marked it.
fn development_database(path: &Path) -> Connection {
    let connection = Connection::open(path).unwrap();
    let mark = "PRAGMA application_id = 0x6465616c; PRAGMA journal_mode = WAL";
    connection.execute_batch(mark).unwrap();
    let products = "CREATE TABLE products (key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, title TEXT); \
         INSERT INTO products (id, title) VALUES ('one', 'A lamp'); PRAGMA user_version = 21";
    connection.execute_batch(products).unwrap();
    connection
}

fn refuses_it_unchanged(shop: &Shop) {
    let files = || {
        let endings = ["", "-wal"].map(|ending| shop.file(&format!("old.sqlite{ending}")));
        endings.map(|file| fs::read(file).ok())
    };
    let before = files();
    for arguments in [
        &["serve", "--listen", "127.0.0.1:0", "--db", "old.sqlite"][..],
        &["check", "--db", "old.sqlite"],
        &["export", "--db", "old.sqlite"],
        &["import", "products.json", "--db", "old.sqlite"],
        &["import", "products.json", "--dry-run", "--db", "old.sqlite"],
        &["backup", "copy.sqlite", "--db", "old.sqlite"],
        &["restore", "old.sqlite"],
        &["restore", "old.sqlite", "--verify"],
        &["reindex", "--db", "old.sqlite"],
        &["settings", "get", "--db", "old.sqlite"],
        &["links", "duplicates", "--db", "old.sqlite"],
        &["user", "list", "--db", "old.sqlite"],
    ] {
        let output = shop.run(arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        let said = [text(&output.stdout), text(&output.stderr)].concat();
        for words in [
            "old.sqlite was written by a development version of deals (schema 21)",
            "`deals export --db old.sqlite --output products.json`",
            "`deals import products.json --db NEW`",
        ] {
            assert!(said.contains(words), "{arguments:?}: {said}");
        }
        assert_eq!(files(), before, "{arguments:?}");
    }
    for made in ["old.sqlite.schema-21", "copy.sqlite", "deals.sqlite"] {
        assert!(!shop.file(made).exists(), "{made}");
    }
}

#[test]
fn every_command_refuses_a_database_of_a_development_version_and_says_how_to_bring_it_over() {
    let shop = Shop::new();
    fs::write(shop.file("products.json"), json!([product(1)]).to_string()).unwrap();
    let connection = development_database(&shop.file("old.sqlite"));
    connection.close().unwrap();
    refuses_it_unchanged(&shop);
}

#[test]
fn a_development_version_that_is_in_the_wal_is_refused_as_well() {
    let shop = Shop::new();
    fs::write(shop.file("products.json"), json!([product(1)]).to_string()).unwrap();
    // Its header, without the WAL, has no version yet.
    let _killed = development_database(&shop.file("killed.sqlite"));
    for ending in ["", "-wal"] {
        let name = |name: &str| shop.file(&format!("{name}.sqlite{ending}"));
        fs::copy(name("killed"), name("old")).unwrap();
    }
    refuses_it_unchanged(&shop);
}

#[test]
fn a_new_or_current_database_is_not_said_to_be_migrated() {
    let shop = Shop::with(&[product(1)]);
    let server = shop.serve();
    assert!(!server.stop().contains("migrated"));
    let empty = Shop::new();
    let server = empty.serve();
    assert!(!server.stop().contains("migrated"));
}

/// The header that marks the file is on the disk, and SQLite's journal takes it back.
#[test]
fn a_first_start_that_is_killed_while_it_marks_the_file_is_finished_by_the_next() {
    let shop = Shop::new();
    let connection = Connection::open(shop.db()).unwrap();
    connection
        .pragma_update(None, "application_id", 0x6465_616c)
        .unwrap();
    connection.close().unwrap();
    // SQLite file format, section 3: no records, and an empty database before them.
    let magic = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7];
    let numbers = [0_u32, 7, 0, 512, 4_096].map(u32::to_be_bytes);
    let mut journal = [&magic[..], &numbers.concat()].concat();
    journal.resize(512, 0);
    fs::write(shop.file("deals.sqlite-journal"), journal).unwrap();
    let imported = shop.import(&json!([product(1)]).to_string(), &[]);
    succeeds(imported);
    assert_eq!(shop.serve().list("").len(), 1);
}

#[test]
fn a_first_start_that_is_killed_is_finished_by_the_next() {
    let rows: Vec<_> = (0..50)
        .map(|n| product_with(n, json!({"_id": format!("id-{n}")})))
        .collect();
    let mut killed = 0;
    for round in 0.. {
        // A machine that does something else may kill each of them too late.
        if round >= 20 && killed > 0 {
            break;
        }
        assert!(round < 200, "no start was killed in time");
        let shop = Shop::new();
        fs::write(shop.file("products.json"), json!(rows).to_string()).unwrap();
        let mut import = shop
            .command()
            .args(["import", "products.json"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // Some further into its work each time.
        let moment = Instant::now() + Duration::from_millis(2 * (round % 20));
        while Instant::now() < moment && import.try_wait().unwrap().is_none() {
            pause();
        }
        import.kill().unwrap();
        killed += usize::from(!import.wait().unwrap().success());
        succeeds(shop.run(&["import", "products.json"]));
        let version: i64 = shop
            .database()
            .pragma_query_value(None, "user_version", |row| row.get(0))
            .unwrap();
        assert_eq!(version, NEWEST);
        let report = text(&shop.run(&["check"]).stdout);
        assert!(!report.contains("wrong"), "round {round}: {report}");
        assert!(report.contains("50 products"), "round {round}: {report}");
    }
}

/// Makes the database one of the first schema, without what the migrations add.
fn make_older(shop: &Shop, file: &str) {
    let connection = Connection::open(shop.file(file)).unwrap();
    connection.execute_batch(BEFORE_CHANNELS).unwrap();
    connection.execute_batch(&older_mails()).unwrap();
    connection
        .execute_batch(
            "DROP TABLE picture_files; DROP TABLE pictures; \
             DROP TRIGGER webhook_events_on_insert; DROP TRIGGER webhook_events_on_update; \
             DROP TRIGGER webhook_events_on_delete; DROP TRIGGER webhook_events_on_show; \
             DROP VIEW webhook_news; DROP TABLE webhooks; DROP TABLE outgoing; DROP TABLE outgoing_waits; \
             DROP TRIGGER remembered_devices_on_password; DROP TABLE remembered_devices; \
             DROP TABLE recovery_codes; DROP TABLE totp_factors; \
             ALTER TABLE sessions DROP COLUMN confirmed_at; ALTER TABLE outbox DROP COLUMN is_totp_reset; \
             CREATE INDEX sessions_by_created_at ON sessions (created_at); \
             DROP TRIGGER invitations_on_role; DROP TABLE invitations; \
             ALTER TABLE outbox DROP COLUMN is_invitation; ALTER TABLE sessions DROP COLUMN agent; \
             ALTER TABLE sessions DROP COLUMN address; \
             DROP TRIGGER api_keys_on_role; DROP TABLE api_keys; ALTER TABLE users DROP COLUMN is_editor; \
             DROP TABLE undo_links; DROP TABLE undo_tags; ALTER TABLE undos DROP COLUMN is_open; ALTER TABLE activity DROP COLUMN account; \
             DROP INDEX products_by_external_id; ALTER TABLE products DROP COLUMN external_id; \
             DROP TRIGGER over_reports_on_delete; DROP TABLE over_reports; \
             DROP TABLE idempotency_keys; DROP TABLE file_mappings; DROP TABLE feed_base; \
             DROP INDEX products_by_published_at; ALTER TABLE products DROP COLUMN published_at; \
             ALTER TABLE products DROP COLUMN undrafted_at; ALTER TABLE products DROP COLUMN content_at; \
             CREATE INDEX products_by_created_at      ON products (created_at, id) WHERE state = 0; \
             DROP TRIGGER removed_products_on_delete; DROP TRIGGER removed_products_on_insert; \
             DROP TABLE removed_products; \
             CREATE INDEX activity_of_deleted ON activity (product) WHERE action = 'deleted'; \
             PRAGMA user_version = 101; VACUUM",
        )
        .unwrap();
    connection.execute_batch(OLDER_CATEGORIES).unwrap();
    connection.execute_batch(OLDER_TABLES).unwrap();
    connection.execute_batch(&before_tags()).unwrap();
    connection
        .pragma_update(None, "journal_mode", "DELETE")
        .unwrap();
}

/// Statements back to a shop without channels and the queue of drafts.
pub const BEFORE_CHANNELS: &str = "DROP TRIGGER queued_drafts_on_update; DROP TRIGGER queued_drafts_on_delete; \
    DROP TABLE queued_drafts; DROP TABLE queue_rules; DROP TRIGGER channel_news_on_insert; \
    DROP TRIGGER channel_news_on_update; DROP TRIGGER channel_news_on_delete; DROP TRIGGER channel_news_on_show; \
    DROP TABLE posts; DROP TABLE channels; DROP TABLE channel_news;";

/// Returns the statements of the table of mails before schema 124.
pub fn older_mails() -> String {
    let schema = include_str!("../../../src/store/schema.sql");
    let (_, table) = schema.split_once("CREATE TABLE outbox").unwrap();
    let (table, _) = table.split_once("\n\n-- A MAC").unwrap();
    let mut sql = format!("CREATE TABLE outbox{table}\n");
    for migration in [
        include_str!("../../../src/store/migrations/108.sql"),
        include_str!("../../../src/store/migrations/109.sql"),
    ] {
        let mut lines = migration.lines();
        sql += lines
            .find(|line| line.starts_with("ALTER TABLE outbox"))
            .unwrap();
        sql += "\n";
    }
    let lines = sql.lines();
    let lines = lines.map(|line| line.split("--").next().unwrap().trim_end());
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns statements back to products without tags, after the triggers of webhooks are dropped.
pub fn before_tags() -> String {
    let schema = include_str!("../../../src/store/schema.sql");
    let (_, triggers) = schema
        .split_once("TRIGGER search_postings_on_insert")
        .unwrap();
    let (triggers, _) = triggers.split_once("-- ##").unwrap();
    let (_, prices) = schema.split_once("TRIGGER prices_on_update").unwrap();
    let (prices, _) = prices.split_once("CREATE TRIGGER").unwrap();
    format!(
        "DROP TRIGGER prices_on_update; CREATE TRIGGER prices_on_update{prices} \
         DROP TRIGGER price_moves_on_update; DROP TRIGGER IF EXISTS alerts_on_forget; DROP TABLE price_moves; \
         DROP TABLE alerts; DROP TABLE push_browsers; DROP TABLE push_key; DROP TABLE digests; DROP TABLE asked_addresses; \
         DROP TABLE subscribers; \
         DROP TABLE collections; DROP TRIGGER search_postings_on_insert; DROP TRIGGER search_postings_on_delete; \
         DROP TRIGGER search_postings_on_update; ALTER TABLE products DROP COLUMN tags; \
         CREATE TRIGGER search_postings_on_insert{triggers}"
    )
}

/// Categories before schema 118, without the offers of sellers, which refer to them.
pub const OLDER_CATEGORIES: &str = "DROP TABLE seller_offers; \
    ALTER TABLE settings DROP COLUMN offers_version; DROP VIEW category_labels; DROP TABLE category_terms; \
    DROP TABLE former_categories; DROP TABLE category_version; \
    PRAGMA writable_schema = ON; \
    UPDATE sqlite_schema SET sql = replace(sql, 'REFERENCES categories (key)', \
    'CHECK (category IN (''Electronics'', ''Clothing'', ''Books'', ''Home''))') WHERE name = 'products'; \
    PRAGMA writable_schema = RESET; DROP TABLE categories;";

/// Statements back to the tables before schema 117; a record of clicks is 12 bytes of a blob.
pub const OLDER_TABLES: &str = "DROP TABLE server_settings;
DROP TABLE click_sums;
CREATE TABLE hourly_clicks (
    hour    INTEGER NOT NULL,
    product INTEGER NOT NULL,
    channel INTEGER NOT NULL,
    place   INTEGER NOT NULL,
    verdict INTEGER NOT NULL,
    clicks  INTEGER NOT NULL,
    PRIMARY KEY (hour, product, channel, place, verdict)
) STRICT, WITHOUT ROWID;
CREATE TABLE daily_clicks (
    day  INTEGER PRIMARY KEY,
    sums BLOB    NOT NULL
) STRICT;";

/// Counted and uncounted clicks by the key of a report's row.
type Rows = BTreeMap<String, (u64, u64)>;

/// Returns the rows of a report that have clicks.
fn reported(people: &People, owner: &Someone, by: &str, from: &str) -> Rows {
    let path = format!("/report/clicks?by={by}&from={from}&format=csv");
    let csv = ask(people, owner, &path).text().unwrap();
    let line = Regex::new(r#"(?m)^([^,]*),(?:"[^"]*"|[^,]*),(\d+),(\d+)"#).unwrap();
    let rows = line.captures_iter(&csv).map(|row| {
        let number = |at: usize| row[at].parse::<u64>().unwrap();
        (row[1].to_owned(), (number(2), number(3)))
    });
    rows.filter(|(_, clicks)| *clicks != (0, 0)).collect()
}

#[test]
fn reports_are_the_same_before_and_after_click_sums_become_one_table() {
    const PRODUCTS: usize = 60;
    let shop = Shop::with(&[product(1)]);
    make_older(&shop, "deals.sqlite");
    let database = shop.database();
    let sql = "SELECT (unixepoch() + 19800) / 86400";
    let today: i64 = database.query_row(sql, [], |row| row.get(0)).unwrap();
    let mut random = Random::new(7);
    let mut below = |end: usize| u32::try_from(random.below(end)).unwrap();
    let mut expected: BTreeMap<&str, Rows> = BTreeMap::new();
    let mut count = |day: i64, [number, channel, place, classification]: [u32; 4], clicks: u32| {
        let name = |named: Option<(&str, &str)>| named.unwrap().0.to_owned();
        for (by, key) in [
            ("day", date_of(day).to_string()),
            ("product", format!("p{number}")),
            ("channel", name(Channel::named(channel.into()))),
            ("place", name(Place::named(place.into()))),
            (
                "verdict",
                name(Classification::named(classification.into())),
            ),
        ] {
            let row = expected.entry(by).or_default().entry(key).or_default();
            *if classification == 0 {
                &mut row.0
            } else {
                &mut row.1
            } += u64::from(clicks);
        }
    };
    for day in (today - 400..today - 15).step_by(7) {
        let mut kinds = BTreeMap::new();
        // More than a part of the migration, and not a multiple of it.
        for _ in 0..below(200) {
            let kind = [1 + below(PRODUCTS), below(14), below(4), below(9)];
            kinds.insert(kind, [1, 200, 70_000, u32::MAX][below(4) as usize]);
        }
        let mut blob = Vec::new();
        for (kind, clicks) in kinds {
            count(day, kind, clicks);
            blob.extend(kind[0].to_be_bytes());
            blob.extend(clicks.to_be_bytes());
            blob.extend(kind[1..].iter().map(|code| *code as u8));
            blob.push(0);
        }
        let sql = "INSERT INTO daily_clicks VALUES (?, ?)";
        database.execute(sql, params![day, blob]).unwrap();
    }
    for hour in today * 24 - 50..=today * 24 {
        let [number, channel, place, classification] =
            [1 + below(PRODUCTS), below(14), below(4), below(9)];
        count(hour / 24, [number, channel, place, classification], 3);
        let sql = "INSERT INTO hourly_clicks VALUES (?, ?, ?, ?, ?, 3)";
        let row = params![hour, number, channel, place, classification];
        database.execute(sql, row).unwrap();
    }
    for (number, (counted, left_out)) in expected["product"]
        .iter()
        .map(|(id, clicks)| (&id[1..], clicks))
    {
        let sql = "INSERT INTO clicked_products VALUES (?1, 'p' || ?1, 'P', '', '', ?2, ?3, 0)";
        database
            .execute(sql, params![number, counted + left_out, counted])
            .unwrap();
    }
    drop(database);
    let people = People::with(shop, &[]);
    let owner = people.join_as_admin("owner@example.com");
    for (by, rows) in &expected {
        assert_eq!(&reported(&people, &owner, by, "500d"), rows, "{by}");
    }
    let clicks: u64 = expected["day"].values().map(|row| row.0 + row.1).sum();
    let checked = succeeds(people.shop.run(&["check"]));
    assert!(
        checked.contains(&format!("{clicks} are classified")),
        "{checked}"
    );
}

#[test]
fn a_database_and_a_backup_of_schema_101_are_migrated() {
    let shop = Shop::with(&[product_with(1, json!({"_id": "one"}))]);
    make_older(&shop, "deals.sqlite");
    fs::copy(shop.db(), shop.file("backup.sqlite")).unwrap();
    let keys = |shop: &Shop| {
        let sql = "SELECT count(*) FROM idempotency_keys";
        shop.database()
            .query_row(sql, [], |row| row.get::<_, i64>(0))
    };
    assert_eq!(shop.serve().titles(""), ["Product 1"]);
    assert_eq!(keys(&shop), Ok(0));
    let report = text(&shop.run(&["check"]).stdout);
    assert!(!report.contains("wrong"), "{report}");

    for arguments in [
        &["restore", "backup.sqlite", "--verify"][..],
        &["restore", "backup.sqlite"],
    ] {
        succeeds(shop.run(arguments));
    }
    assert!(keys(&shop).is_err(), "it is migrated by the next start");
    succeeds(shop.run(&["backup", "older.sqlite"]));
    assert_eq!(shop.serve().titles(""), ["Product 1"]);
    assert_eq!(keys(&shop), Ok(0));
}

#[test]
fn proven_discounts_of_schema_101_are_computed_again() {
    let shop = Shop::with(&[lamp(&json!({"discount": 30}))]);
    let history = [(90, 100_000, 100_000), (2, 100_000, 70_000)];
    make_up(&shop, "lamp", &history);
    shop.database()
        .execute_batch("DELETE FROM stale_proofs; UPDATE products SET proven_discount = 700")
        .unwrap();
    make_older(&shop, "deals.sqlite");
    let server = shop.serve();
    wait_until("the discount is computed", || {
        server.titles("minProven=30") == ["Lamp"]
    });
}
