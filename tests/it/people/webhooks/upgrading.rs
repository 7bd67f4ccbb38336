//! Webhooks of older databases.

use serde_json::json;

use super::{Hooked, OPTIONS};
use crate::durability::upgrading::{
    OLDER_CATEGORIES, OLDER_TABLES, WITHOUT_CHANNELS, before_tags, older_mails,
};
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
fn events_and_mails_that_wait_in_a_database_of_schema_114_are_sent_after_the_upgrade() {
    let mut shop = Hooked::with(&[]);
    shop.receiver.answer("503 Busy\r\nretry-after: 3600");
    let hook = shop.hook(&["product.added"]);
    let id = shop.add(&product_with(1, json!({})));
    shop.failed(&hook, "503");
    let before = shop.receiver.received()[0].clone();
    shop.people.server.signal("TERM");
    shop.people.server.wait_for_exit();
    let older = format!(
        "{WITHOUT_CHANNELS} CREATE TEMP TABLE hooks AS SELECT * FROM webhooks; \
         CREATE TEMP TABLE waiting AS SELECT outgoing.key, webhooks.key AS webhook, payload ->> 'message' AS message, \
         payload ->> 'event' AS event, subject, payload ->> 'state' AS state, at, attempts, next_at \
         FROM (SELECT *, created_at AS at FROM outgoing) AS outgoing JOIN webhooks ON lane = 'webhook:' || webhooks.id; \
         DROP TABLE picture_files; DROP TABLE pictures; \
         DROP TRIGGER webhook_events_on_insert; DROP TRIGGER webhook_events_on_update; \
         DROP TRIGGER webhook_events_on_delete; DROP TRIGGER webhook_events_on_show; \
         DROP VIEW webhook_news; DROP TABLE webhooks; DROP TABLE outgoing; DROP TABLE outgoing_waits; {} {} {}; \
         INSERT INTO outbox (kind, recipient, username, created_at, expires_at, next_at, attempts, is_totp_reset) \
         VALUES ('known-address', 'asha@shop.example', 'asha', 1, 9999999999999, 9999999999999, 2, 1); \
         INSERT INTO webhooks (key, id, url, events, sealed, former_sealed, former_until, wait_until, created_at) \
         SELECT key, id, url, events, sealed, sealed, 9999999999999, 9999999999999, created_at FROM hooks; \
         INSERT INTO webhook_events SELECT * FROM waiting; \
         INSERT INTO webhook_deliveries (webhook, message, event, happened_at, attempt, error, at) \
         SELECT webhook, message, event, at, 1, 'It failed.', at FROM waiting; \
         {OLDER_CATEGORIES} {OLDER_TABLES} PRAGMA user_version = 114;",
        before_tags(),
        former_tables(),
        older_mails()
    );
    shop.people.shop.database().execute_batch(&older).unwrap();
    shop.receiver.answer("200 OK");
    let server = shop.people.shop.serve_with(&OPTIONS);
    server.wait_for_line("migrated");
    assert_eq!(shop.receiver.received().len(), 1, "it waits as before");
    assert_eq!(
        shop.number("SELECT attempts FROM outgoing WHERE kind = 'mail'"),
        2
    );
    shop.pass_time();
    // Without a mail server.
    server.wait_for_line("Your second factor was removed");
    let received = shop.receiver.wait_for(2);
    assert_eq!(received.headers["webhook-id"], before.headers["webhook-id"]);
    assert_eq!(received.body()["data"]["id"], id.as_str());
    assert_eq!(received.valid_signatures(&hook.secret), 1);
}
