//! Webhooks. Triggers queue what is sent to them.

use jiff::Timestamp;
use rusqlite::{Connection, Row, params};
use serde::Deserialize;
use serde_json::json;

use crate::domain::{Rfc3339, Webhook, WebhookEvent};
use crate::store::db::error::Result;
use crate::store::db::rows::{optional_time_at, run, scalar, time_at};
use crate::store::outgoing::{Job, JobKind, NewJob, clear_lane, end_wait, enqueue};
use crate::store::products::activity::{SERVER, log_change};
use crate::store::{Store, StoreError};

/// Maximum number of webhooks of a shop.
pub const MAX_WEBHOOKS: i64 = 20;

/// Columns of a webhook.
const COLUMNS: &str = "id, url, events, sealed, is_on, off_reason, failing_since, last_error, \
    last_error_at, delivered_at, dropped, created_at, \
    (SELECT count(*) FROM outgoing WHERE lane = 'webhook:' || id AND next_at IS NOT NULL) AS waiting";

/// A webhook with its sealed secret.
#[derive(Debug, Clone)]
pub struct StoredWebhook {
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

/// An event that is due.
#[derive(Debug, Clone, Deserialize)]
pub struct QueuedEvent {
    /// The header `webhook-id`, the same for each attempt.
    pub message: String,
    /// Kind of event.
    event: String,
    /// State of the product after the event.
    pub state: Option<String>,
}

impl QueuedEvent {
    /// Reads the payload of a job; `None` if it is no event.
    pub fn of(job: &Job) -> Option<Self> {
        serde_json::from_str(&job.payload).ok()
    }

    /// Returns the kind of event; `None` if it is not known.
    pub fn event(&self) -> Option<WebhookEvent> {
        WebhookEvent::parse(&self.event)
    }
}

/// Returns the lane of a webhook's jobs, by its id.
fn lane(id: &str) -> String {
    format!("{LANE}{id}")
}

const LANE: &str = "webhook:";

impl Store {
    /// Adds a webhook with its `sealed` secret, or without one changes the webhook with this id. One that is
    /// switched off loses its queued events; one that is switched on begins anew.
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
                let sql = "UPDATE webhooks SET url = ?2, events = ?3, is_on = ?4, off_reason = '', \
                     failing_since = CASE WHEN is_on = 1 AND ?4 = 1 AND url = ?2 THEN failing_since END, \
                     last_error = CASE url WHEN ?2 THEN last_error ELSE '' END, \
                     last_error_at = CASE url WHEN ?2 THEN last_error_at END WHERE id = ?1";
                run(connection, sql, params![id, choice.url, events, choice.is_on])?;
                match choice.is_on {
                    true => end_wait(connection, &lane(&id))?,
                    false => clear_lane(connection, &lane(&id))?,
                }
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

    /// Deletes a webhook with its queued events.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`] when there is none.
    pub fn delete_webhook(&self, id: String, actor: String, now: Timestamp) -> Result<()> {
        self.write(move |connection| {
            let webhook = find(connection, &id)?.webhook;
            run(connection, "DELETE FROM webhooks WHERE id = ?", [&id])?;
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
            let lane = lane(&find(connection, &id)?.webhook.id);
            let event = WebhookEvent::Test.as_str();
            end_wait(connection, &lane)?;
            let job = NewJob {
                kind: JobKind::Webhook,
                lane,
                subject: String::new(),
                payload: json!({ "message": message, "event": event }).to_string(),
                next_at: now,
                expires_at: None,
            };
            enqueue(connection, &job, now)
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

    /// Returns the webhook to which the jobs of a lane are sent, if it is still there.
    ///
    /// # Errors
    ///
    /// When the database refuses.
    pub fn webhook_of(&self, lane: &str) -> Result<Option<StoredWebhook>> {
        self.read(|connection| {
            let id = lane.strip_prefix(LANE).unwrap_or_default();
            match find(connection, id) {
                Err(StoreError::NotFound) => Ok(None),
                found => found.map(Some),
            }
        })
    }

    /// Switches a webhook off because of an error, for a reason, both sentences, and drops its queued events.
    ///
    /// # Errors
    ///
    /// When the database refuses.
    pub fn switch_webhook_off(
        &self,
        stored: StoredWebhook,
        error: String,
        reason: String,
        now: Timestamp,
    ) -> Result<()> {
        self.write(move |connection| {
            stored.failed(error, false, now)(connection)?;
            let webhook = stored.webhook;
            let sql = "UPDATE webhooks SET is_on = 0, off_reason = ? WHERE id = ?";
            run(connection, sql, [&reason, &webhook.id])?;
            clear_lane(connection, &lane(&webhook.id))?;
            let to = format!("off: {reason}");
            log(
                connection,
                SERVER,
                now,
                &webhook,
                &joined(&webhook.events),
                &to,
            )
        })
        .wait()
    }
}

impl StoredWebhook {
    /// Records that an event was delivered.
    pub(crate) fn delivered(
        &self,
        now: Timestamp,
    ) -> impl FnOnce(&Connection) -> Result<()> + use<> {
        let id = self.webhook.id.clone();
        move |connection| {
            let sql = "UPDATE webhooks SET delivered_at = ?2, failing_since = NULL WHERE id = ?1";
            run(connection, sql, params![id, now.as_millisecond()])
        }
    }

    /// Records why an event was not delivered; a test that fails does not begin a failure.
    pub(crate) fn failed(
        &self,
        error: String,
        is_test: bool,
        now: Timestamp,
    ) -> impl FnOnce(&Connection) -> Result<()> + use<> {
        let id = self.webhook.id.clone();
        move |connection| {
            let sql = "UPDATE webhooks SET last_error = ?2, last_error_at = ?3, \
                 failing_since = coalesce(failing_since, CASE WHEN ?4 THEN NULL ELSE ?3 END) WHERE id = ?1";
            run(
                connection,
                sql,
                params![id, error, now.as_millisecond(), is_test],
            )
        }
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
    let name = format!("webhook.{}", webhook.host());
    log_change(connection, (actor, now), name, from, to)
}
