//! Events that wait for delivery, and the log of deliveries. Triggers queue the events of products.

use jiff::Timestamp;
use rusqlite::{Row, named_params, params};

use super::{COLUMNS, StoredWebhook, find, joined, log, optional_time, stored};
use crate::domain::{Delivery, Notification, WebhookEvent};
use crate::store::db::error::Result;
use crate::store::db::rows::{run, scalar, time_at};
use crate::store::products::activity::SERVER;
use crate::store::{Store, StoreError};

/// Number of deliveries that are kept of a webhook.
const KEPT: i64 = 100;

/// An event that is due.
#[derive(Debug, Clone)]
pub struct QueuedEvent {
    key: i64,
    webhook: i64,
    /// The message to send.
    pub notification: Notification,
    /// Attempts so far.
    pub attempts: u32,
}

/// Result of an attempt.
#[derive(Debug, Clone, Default)]
pub struct Attempt {
    /// HTTP status of the answer.
    pub status: Option<u16>,
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
    /// Queues a test, which is sent once, also by a webhook that is off.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`] when there is no such webhook.
    pub fn queue_webhook_test(&self, wanted: &str, message: String, now: Timestamp) -> Result<()> {
        let wanted = wanted.to_owned();
        self.write(move |connection| {
            let found = find(connection, &wanted)?;
            let time = now.as_millisecond();
            run(
                connection,
                "INSERT INTO webhook_events (webhook, message, event, at, next_at) VALUES (?1, ?2, ?3, ?4, ?4)",
                params![found.key, message, WebhookEvent::Test.as_str(), time],
            )?;
            run(connection, "UPDATE webhooks SET wait_until = 0 WHERE key = ?", [found.key])
        })
        .wait()
    }

    /// Queues what a delivery sent once more, with the same id. An event of the product that waits is newer,
    /// and is sent now instead.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`] when there is no such webhook or delivery.
    pub fn queue_delivery_again(&self, id: &str, delivery: i64, now: Timestamp) -> Result<()> {
        let id = id.to_owned();
        self.write(move |connection| {
            let found = find(connection, &id)?;
            let mut statement = connection.prepare_cached(
                "INSERT INTO webhook_events (webhook, message, event, subject, state, at, next_at) \
                 SELECT webhook, message, event, subject, state, happened_at, ?3 FROM webhook_deliveries \
                 WHERE webhook = ?1 AND key = ?2 \
                 ON CONFLICT (webhook, subject) DO UPDATE SET next_at = excluded.next_at",
            )?;
            if statement.execute(params![found.key, delivery, now.as_millisecond()])? == 0 {
                return Err(StoreError::NotFound);
            }
            run(connection, "UPDATE webhooks SET wait_until = 0 WHERE key = ?", [found.key])
        })
        .wait()
    }

    /// Queues the event of a failed backup for the webhooks that want it.
    ///
    /// # Errors
    ///
    /// When the database refuses.
    pub fn queue_backup_failed(&self) -> Result<()> {
        let any: bool = self.read(|connection| {
            let sql = "SELECT EXISTS (SELECT 1 FROM webhooks WHERE is_on = 1)";
            Ok(scalar(connection, sql, [])?)
        })?;
        if !any {
            return Ok(());
        }
        let event = WebhookEvent::BackupFailed.as_str();
        self.execute(
            "INSERT INTO webhook_news VALUES (?, NULL, 'failed')",
            [event],
        )
        .wait()
    }

    /// Returns the webhooks with an event that is due.
    ///
    /// # Errors
    ///
    /// When the database refuses.
    pub fn due_webhooks(&self, now: Timestamp) -> Result<Vec<StoredWebhook>> {
        self.read(|connection| {
            let sql = format!(
                "SELECT {COLUMNS} FROM webhooks WHERE wait_until <= ?1 AND EXISTS \
                 (SELECT 1 FROM webhook_events WHERE webhook = webhooks.key AND next_at <= ?1) ORDER BY key"
            );
            let mut statement = connection.prepare_cached(&sql)?;
            let due = statement.query_map([now.as_millisecond()], stored)?;
            Ok(due.collect::<rusqlite::Result<_>>()?)
        })
    }

    /// Returns the event of a webhook that is due for longest.
    ///
    /// # Errors
    ///
    /// When the database refuses.
    pub fn next_webhook_event(
        &self,
        webhook: &StoredWebhook,
        now: Timestamp,
    ) -> Result<Option<QueuedEvent>> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT key, webhook, message, event, subject, state, at, attempts FROM webhook_events \
                 WHERE webhook = ? AND next_at <= ? ORDER BY next_at, key LIMIT 1",
            )?;
            let mut found = statement
                .query_map(params![webhook.key, now.as_millisecond()], |row| {
                    Ok(QueuedEvent {
                        key: row.get("key")?,
                        webhook: row.get("webhook")?,
                        notification: notification(row, "at")?,
                        attempts: row.get("attempts")?,
                    })
                })?;
            Ok(found.next().transpose()?)
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
            let (key, time) = (sent.webhook, now.as_millisecond());
            let next_at = attempt.next_at.map(Timestamp::as_millisecond);
            let of = &sent.notification;
            let wait_until = next_at.filter(|_| attempt.all_wait).unwrap_or_default();
            let inserted = connection
                .prepare_cached(
                    "INSERT INTO webhook_deliveries (webhook, message, event, subject, state, happened_at, \
                     attempt, status, error, at, next_at) SELECT key, :message, :event, :subject, :state, \
                     :happened, :attempt, :status, :error, :now, :next FROM webhooks WHERE key = :webhook",
                )?
                .execute(named_params! {
                    ":webhook": key,
                    ":message": of.message,
                    ":event": of.event.as_str(),
                    ":subject": of.subject,
                    ":state": of.state,
                    ":happened": of.at.as_millisecond(),
                    ":attempt": sent.attempts + 1,
                    ":status": attempt.status,
                    ":error": attempt.error,
                    ":now": time,
                    ":next": next_at,
                })?;
            if inserted == 0 {
                // The webhook was removed meanwhile.
                return Ok(());
            }
            run(
                connection,
                "DELETE FROM webhook_deliveries WHERE webhook = ?1 AND key <= \
                 (SELECT key FROM webhook_deliveries WHERE webhook = ?1 ORDER BY key DESC LIMIT 1 OFFSET ?2)",
                params![key, KEPT],
            )?;
            let this = "key = ?1 AND webhook = ?2 AND message = ?3";
            match next_at {
                None => {
                    let sql = format!("DELETE FROM webhook_events WHERE {this}");
                    run(connection, &sql, params![sent.key, key, of.message])?;
                }
                Some(next_at) => {
                    let sql = format!(
                        "UPDATE webhook_events SET attempts = attempts + 1, next_at = ?4 WHERE {this}"
                    );
                    run(connection, &sql, params![sent.key, key, of.message, next_at])?;
                }
            }
            if of.event != WebhookEvent::Test || attempt.error.is_empty() {
                run(
                    connection,
                    "UPDATE webhooks SET wait_until = ?2, failing_since = CASE WHEN ?3 THEN NULL \
                     ELSE coalesce(failing_since, ?4) END WHERE key = ?1",
                    params![key, wait_until, attempt.error.is_empty(), time],
                )?;
            }
            if let Some(reason) = &attempt.off_reason {
                run(
                    connection,
                    "UPDATE webhooks SET is_on = 0, off_reason = ? WHERE key = ?",
                    params![reason, key],
                )?;
                run(connection, "DELETE FROM webhook_events WHERE webhook = ?", [key])?;
                let sql = format!("SELECT {COLUMNS} FROM webhooks WHERE key = ?");
                let webhook = connection.query_row(&sql, [key], stored)?.webhook;
                let to = format!("off: {reason}");
                log(connection, SERVER, now, &webhook, &joined(&webhook.events), &to)?;
            }
            Ok(())
        })
        .wait()
    }

    /// Returns the last deliveries of a webhook, the newest first.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`] when there is no such webhook.
    pub fn list_deliveries(&self, id: &str) -> Result<Vec<Delivery>> {
        self.read(|connection| {
            let found = find(connection, id)?;
            let mut statement = connection.prepare_cached(
                "SELECT key, message, event, subject, state, happened_at, attempt, status, error, at, next_at \
                 FROM webhook_deliveries WHERE webhook = ? ORDER BY key DESC",
            )?;
            let deliveries = statement.query_map([found.key], |row| {
                Ok(Delivery {
                    number: row.get("key")?,
                    sent: notification(row, "happened_at")?,
                    attempt: row.get("attempt")?,
                    status: row.get("status")?,
                    error: row.get("error")?,
                    at: time_at(row, "at")?,
                    next_at: optional_time(row, "next_at")?,
                })
            })?;
            Ok(deliveries.collect::<rusqlite::Result<_>>()?)
        })
    }
}

fn notification(row: &Row<'_>, at: &str) -> rusqlite::Result<Notification> {
    let event: String = row.get("event")?;
    Ok(Notification {
        message: row.get("message")?,
        event: WebhookEvent::parse(&event).ok_or(rusqlite::Error::InvalidQuery)?,
        subject: row.get("subject")?,
        state: row.get("state")?,
        at: time_at(row, at)?,
    })
}
