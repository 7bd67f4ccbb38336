//! Webhooks and the queue of what is sent to them, which triggers fill.

use jiff::Timestamp;
use rusqlite::{Connection, Row, params};
use serde_json::{Map, json};

use crate::domain::{Action, Rfc3339, Webhook, WebhookEvent};
use crate::store::db::error::Result;
use crate::store::db::rows::{optional_time_at, run, scalar, time_at};
use crate::store::products::activity::{ActivityLog, SERVER};
use crate::store::{Store, StoreError};

/// Maximum number of webhooks of a shop.
pub const MAX_WEBHOOKS: i64 = 20;

/// Columns of a webhook.
const COLUMNS: &str = "webhooks.key AS key, id, url, events, sealed, is_on, off_reason, failing_since, last_error, \
    last_error_at, delivered_at, dropped, created_at, \
    (SELECT count(*) FROM webhook_events WHERE webhook = webhooks.key) AS waiting";

/// A webhook with its sealed secret.
#[derive(Debug, Clone)]
pub struct StoredWebhook {
    key: i64,
    /// The webhook.
    pub webhook: Webhook,
    /// The secret, sealed.
    pub sealed: Vec<u8>,
}

/// Settings that an administrator chooses.
#[derive(Debug, Clone)]
pub struct WebhookChoice {
    /// Address to which events are sent.
    pub url: String,
    /// Events that are sent.
    pub events: Vec<WebhookEvent>,
    /// Whether events are sent.
    pub is_on: bool,
}

/// An event that is due, with its webhook.
#[derive(Debug, Clone)]
pub struct QueuedEvent {
    key: i64,
    /// The webhook to which it is sent.
    pub to: StoredWebhook,
    /// The header `webhook-id`, the same for each attempt.
    pub message: String,
    /// Kind of event.
    pub event: WebhookEvent,
    /// Id of the product.
    pub subject: Option<String>,
    /// State of the product after the event.
    pub state: Option<String>,
    /// Time of the event.
    pub at: Timestamp,
    /// Attempts so far.
    pub attempts: u32,
}

/// Result of an attempt.
#[derive(Debug, Clone, Default)]
pub struct Attempt {
    /// Why it failed, a sentence; empty if it was delivered.
    pub error: String,
    /// Time of the next attempt.
    pub next_at: Option<Timestamp>,
    /// Whether the webhook's other events wait until then as well.
    pub all_wait: bool,
    /// Why the webhook is switched off, a sentence.
    pub off_reason: Option<String>,
}

impl Store {
    /// Adds a webhook with its `sealed` secret, or without one changes the webhook with this id. One that is
    /// switched off loses what waits; one that is switched on begins anew.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`] when there is none to change; [`StoreError::Conflict`] with `url` when another
    /// webhook has this address, and with `webhooks` when there are [`MAX_WEBHOOKS`] already.
    pub fn save_webhook(
        &self,
        id: String,
        choice: WebhookChoice,
        sealed: Option<Vec<u8>>,
        actor: String,
        now: Timestamp,
    ) -> Result<Webhook> {
        self.write(move |connection| {
            let (time, events) = (now.as_millisecond(), joined(&choice.events));
            let sql = "SELECT EXISTS (SELECT 1 FROM webhooks WHERE url = ? AND id <> ?)";
            if scalar(connection, sql, [&choice.url, &id])? {
                return Err(StoreError::Conflict("url".to_owned()));
            }
            let mut before = None;
            if let Some(sealed) = sealed {
                if scalar::<i64>(connection, "SELECT count(*) FROM webhooks", [])? >= MAX_WEBHOOKS {
                    return Err(StoreError::Conflict("webhooks".to_owned()));
                }
                let sql = "INSERT INTO webhooks (id, url, events, is_on, sealed, created_at) \
                     VALUES (?, ?, ?, ?, ?, ?)";
                let values = params![id, choice.url, events, choice.is_on, sealed, time];
                run(connection, sql, values)?;
            } else {
                let found = find(connection, &id)?;
                let sql = "UPDATE webhooks SET url = ?2, events = ?3, is_on = ?4, off_reason = '', wait_until = 0, \
                     failing_since = CASE WHEN is_on = 1 AND ?4 = 1 AND url = ?2 THEN failing_since END, \
                     last_error = CASE url WHEN ?2 THEN last_error ELSE '' END, \
                     last_error_at = CASE url WHEN ?2 THEN last_error_at END WHERE id = ?1";
                run(connection, sql, params![id, choice.url, events, choice.is_on])?;
                let sql = "DELETE FROM webhook_events WHERE webhook = ? AND NOT ?";
                run(connection, sql, params![found.key, choice.is_on])?;
                before = Some(found.webhook);
            }
            let after = find(connection, &id)?.webhook;
            let (from, to) = (before.as_ref().map_or_else(String::new, log_text), log_text(&after));
            if from != to || before.is_some_and(|before| before.url != after.url) {
                log(connection, &actor, now, &after, &from, &to)?;
            }
            Ok(after)
        })
        .wait()
    }

    /// Returns all webhooks, the oldest first.
    pub fn list_webhooks(&self) -> Result<Vec<Webhook>> {
        self.read(|connection| {
            let sql = format!("SELECT {COLUMNS} FROM webhooks ORDER BY key");
            let mut statement = connection.prepare_cached(&sql)?;
            let webhooks = statement.query_map([], |row| Ok(stored(row)?.webhook))?;
            Ok(webhooks.collect::<rusqlite::Result<_>>()?)
        })
    }

    /// Deletes a webhook with what waits for it.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`] when there is none.
    pub fn delete_webhook(&self, id: String, actor: String, now: Timestamp) -> Result<()> {
        self.write(move |connection| {
            let StoredWebhook { key, webhook, .. } = find(connection, &id)?;
            run(connection, "DELETE FROM webhooks WHERE key = ?", [key])?;
            log(connection, &actor, now, &webhook, &log_text(&webhook), "")
        })
        .wait()
    }

    /// Queues a test, which is sent once, also by a webhook that is off.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`] when there is no such webhook.
    pub fn queue_webhook_test(&self, id: String, message: String, now: Timestamp) -> Result<()> {
        self.write(move |connection| {
            let key = find(connection, &id)?.key;
            run(
                connection,
                "INSERT INTO webhook_events (webhook, message, event, at, next_at) VALUES (?1, ?2, ?3, ?4, ?4)",
                params![key, message, WebhookEvent::Test.as_str(), now.as_millisecond()],
            )?;
            run(connection, "UPDATE webhooks SET wait_until = 0 WHERE key = ?", [key])
        })
        .wait()
    }

    /// Queues the event of a failed backup for the webhooks that want it.
    ///
    /// # Errors
    ///
    /// When the database refuses.
    pub fn queue_backup_failed(&self) -> Result<()> {
        let event = WebhookEvent::BackupFailed.as_str();
        let sql = "INSERT INTO webhook_news VALUES (?, NULL, 'failed')";
        self.execute(sql, [event]).wait()
    }

    /// Returns of each webhook the event that is due for longest.
    ///
    /// # Errors
    ///
    /// When the database refuses.
    pub fn due_webhook_events(&self, now: Timestamp) -> Result<Vec<QueuedEvent>> {
        self.read(|connection| {
            let sql = format!(
                "SELECT {COLUMNS}, due.key AS event_key, message, event, subject, state, at, attempts \
                 FROM webhooks JOIN webhook_events AS due ON due.key = (SELECT key FROM webhook_events \
                 WHERE webhook = webhooks.key AND next_at <= ?1 ORDER BY next_at, key LIMIT 1) \
                 WHERE wait_until <= ?1"
            );
            let mut statement = connection.prepare_cached(&sql)?;
            let due = statement.query_map([now.as_millisecond()], |row| {
                let event: String = row.get("event")?;
                Ok(QueuedEvent {
                    key: row.get("event_key")?,
                    to: stored(row)?,
                    message: row.get("message")?,
                    event: WebhookEvent::parse(&event).ok_or(rusqlite::Error::InvalidQuery)?,
                    subject: row.get("subject")?,
                    state: row.get("state")?,
                    at: time_at(row, "at")?,
                    attempts: row.get("attempts")?,
                })
            })?;
            Ok(due.collect::<rusqlite::Result<_>>()?)
        })
    }

    /// Records an attempt, and deletes or postpones its event. One that was replaced meanwhile stays.
    ///
    /// # Errors
    ///
    /// When the database refuses.
    pub fn record_webhook_attempt(
        &self,
        sent: QueuedEvent,
        attempt: Attempt,
        now: Timestamp,
    ) -> Result<()> {
        self.write(move |connection| {
            let (key, time) = (sent.to.key, now.as_millisecond());
            let next_at = attempt.next_at.map(Timestamp::as_millisecond);
            let sql = match next_at {
                Some(_) => "UPDATE webhook_events SET attempts = attempts + 1, next_at = ?3 WHERE key = ?1 AND message = ?2",
                None => "DELETE FROM webhook_events WHERE key = ?1 AND message = ?2 AND ?3 IS NULL",
            };
            run(connection, sql, params![sent.key, sent.message, next_at])?;
            if attempt.error.is_empty() {
                let sql = "UPDATE webhooks SET delivered_at = ?2, wait_until = 0, failing_since = NULL WHERE key = ?1";
                return run(connection, sql, [key, time]);
            }
            run(
                connection,
                "UPDATE webhooks SET last_error = ?2, last_error_at = ?3, wait_until = ?4, failing_since = \
                 CASE WHEN ?5 THEN failing_since ELSE coalesce(failing_since, ?3) END WHERE key = ?1",
                params![
                    key,
                    attempt.error,
                    time,
                    next_at.filter(|_| attempt.all_wait).unwrap_or_default(),
                    sent.event == WebhookEvent::Test,
                ],
            )?;
            if let Some(reason) = &attempt.off_reason {
                let sql = "UPDATE webhooks SET is_on = 0, off_reason = ? WHERE key = ?";
                run(connection, sql, params![reason, key])?;
                run(connection, "DELETE FROM webhook_events WHERE webhook = ?", [key])?;
                let (webhook, to) = (&sent.to.webhook, format!("off: {reason}"));
                log(connection, SERVER, now, webhook, &joined(&webhook.events), &to)?;
            }
            Ok(())
        })
        .wait()
    }
}

fn find(connection: &Connection, id: &str) -> Result<StoredWebhook> {
    let sql = format!("SELECT {COLUMNS} FROM webhooks WHERE id = ?");
    Ok(connection.prepare_cached(&sql)?.query_row([id], stored)?)
}

fn stored(row: &Row<'_>) -> rusqlite::Result<StoredWebhook> {
    let events: String = row.get("events")?;
    let time = |column| optional_time_at(row, column).map(|time| time.map(Rfc3339));
    Ok(StoredWebhook {
        key: row.get("key")?,
        webhook: Webhook {
            id: row.get("id")?,
            url: row.get("url")?,
            events: events.split(' ').filter_map(WebhookEvent::parse).collect(),
            is_on: row.get("is_on")?,
            off_reason: row.get("off_reason")?,
            failing_since: time("failing_since")?,
            last_error: row.get("last_error")?,
            last_error_at: time("last_error_at")?,
            delivered_at: time("delivered_at")?,
            waiting: row.get("waiting")?,
            dropped: row.get("dropped")?,
            created_at: Rfc3339(time_at(row, "created_at")?),
        },
        sealed: row.get("sealed")?,
    })
}

fn joined(events: &[WebhookEvent]) -> String {
    let names: Vec<_> = events.iter().map(|event| event.as_str()).collect();
    names.join(" ")
}

fn log_text(webhook: &Webhook) -> String {
    let state = if webhook.is_on { "" } else { ", off" };
    format!("{}{state}", joined(&webhook.events))
}

/// Writes a change of a webhook to the activity log, with its host only: a path may contain a secret.
fn log(
    connection: &Connection,
    actor: &str,
    now: Timestamp,
    webhook: &Webhook,
    from: &str,
    to: &str,
) -> Result<()> {
    let change = json!({ "from": from, "to": to });
    let details = Map::from_iter([(format!("webhook.{}", webhook.host()), change)]);
    ActivityLog::new(actor, now).write(connection, Action::Set, None, details)
}
