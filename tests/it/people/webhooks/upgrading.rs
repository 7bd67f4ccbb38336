//! Webhooks of older databases.

use serde_json::json;

use super::{Hooked, OPTIONS};
use crate::durability::upgrading::{OLDER_CATEGORIES, OLDER_TABLES, before_tags};
use crate::support::harness::product_with;

/// The tables of webhooks before schema 116, as databases have them: without comments.
fn former_tables() -> String {
    let sql = include_str!("../../../../src/store/migrations/110.sql").lines();
    let lines = sql.map(|line| line.split("--").next().unwrap().trim_end());
    lines
        .filter(|line| !line.is_empty())
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn what_waits_in_a_database_of_schema_114_is_sent_after_the_upgrade() {
    let mut shop = Hooked::with(&[]);
    shop.receiver.answer("503 Busy\r\nretry-after: 3600");
    let hook = shop.hook(&["product.added"]);
    let id = shop.add(&product_with(1, json!({})));
    shop.failed(&hook, "503");
    let before = shop.receiver.received()[0].clone();
    shop.people.server.signal("TERM");
    shop.people.server.wait_for_exit();
    let older = format!(
        "CREATE TEMP TABLE hooks AS SELECT * FROM webhooks; \
         CREATE TEMP TABLE waiting AS SELECT * FROM webhook_events; \
         DROP TABLE picture_files; DROP TABLE pictures; \
         DROP TRIGGER webhook_events_on_insert; DROP TRIGGER webhook_events_on_update; \
         DROP TRIGGER webhook_events_on_delete; DROP TRIGGER webhook_events_on_show; \
         DROP VIEW webhook_news; DROP TABLE webhook_events; DROP TABLE webhooks; {} {}; \
         INSERT INTO webhooks (key, id, url, events, sealed, former_sealed, former_until, wait_until, created_at) \
         SELECT key, id, url, events, sealed, sealed, 9999999999999, wait_until, created_at FROM hooks; \
         INSERT INTO webhook_events SELECT * FROM waiting; \
         INSERT INTO webhook_deliveries (webhook, message, event, happened_at, attempt, error, at) \
         SELECT webhook, message, event, at, 1, 'It failed.', at FROM waiting; \
         {OLDER_CATEGORIES} {OLDER_TABLES} PRAGMA user_version = 114;",
        before_tags(),
        former_tables()
    );
    shop.people.shop.database().execute_batch(&older).unwrap();
    shop.receiver.answer("200 OK");
    shop.pass_time();
    let server = shop.people.shop.serve_with(&OPTIONS);
    server.wait_for_line("migrated");
    let received = shop.receiver.wait_for(2);
    assert_eq!(received.headers["webhook-id"], before.headers["webhook-id"]);
    assert_eq!(received.body()["data"]["id"], id.as_str());
    assert_eq!(received.valid_signatures(&hook.secret), 1);
}
