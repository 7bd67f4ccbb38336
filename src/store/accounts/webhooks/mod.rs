//! Webhooks and their secrets; `queue` has what is sent to them.

pub(crate) mod queue;

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, named_params, params};
use serde_json::{Map, json};

use crate::domain::{Action, Webhook, WebhookEvent};
use crate::store::db::error::Result;
use crate::store::db::rows::{run, scalar, time_at};
use crate::store::products::activity::ActivityLog;
use crate::store::{Store, StoreError};

/// Maximum number of webhooks of a shop.
pub const MAX_WEBHOOKS: i64 = 20;

/// Columns of a webhook.
const COLUMNS: &str = "key, id, url, events, sealed, former_sealed, former_until, is_on, off_reason, \
    failing_since, dropped, created_at, \
    (SELECT count(*) FROM webhook_events WHERE webhook = webhooks.key) AS waiting";

/// A webhook with its sealed secrets.
#[derive(Debug, Clone)]
pub struct StoredWebhook {
    pub(super) key: i64,
    /// The webhook.
    pub webhook: Webhook,
    /// The secret, sealed.
    pub sealed: Vec<u8>,
    /// The secret before the last rotation, sealed.
    pub former_sealed: Option<Vec<u8>>,
}

/// Result of adding or changing a webhook.
#[derive(Debug, Clone)]
pub enum WebhookSaved {
    /// It was saved.
    Saved(Box<Webhook>),
    /// Another webhook has this address.
    UrlTaken,
    /// There are [`MAX_WEBHOOKS`] already.
    TooMany,
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

impl Store {
    /// Adds a webhook with its sealed secret.
    ///
    /// # Errors
    ///
    /// When the database refuses.
    pub fn insert_webhook(
        &self,
        id: String,
        choice: WebhookChoice,
        sealed: Vec<u8>,
        actor: &str,
        now: Timestamp,
    ) -> Result<WebhookSaved> {
        let actor = actor.to_owned();
        self.write(move |connection| {
            if is_taken(connection, &choice.url, &id)? {
                return Ok(WebhookSaved::UrlTaken);
            }
            if scalar::<i64>(connection, "SELECT count(*) FROM webhooks", [])? >= MAX_WEBHOOKS {
                return Ok(WebhookSaved::TooMany);
            }
            connection.execute(
                "INSERT INTO webhooks (id, url, events, sealed, is_on, created_at) \
                 VALUES (:id, :url, :events, :sealed, :is_on, :now)",
                named_params! {
                    ":id": id,
                    ":url": choice.url,
                    ":events": joined(&choice.events),
                    ":sealed": sealed,
                    ":is_on": choice.is_on,
                    ":now": now.as_millisecond(),
                },
            )?;
            let added = find(connection, &id)?.webhook;
            log(connection, &actor, now, &added, "", &words(&added))?;
            Ok(WebhookSaved::Saved(Box::new(added)))
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

    /// Returns a webhook by its id or address.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`] when there is none.
    pub fn find_webhook(&self, wanted: &str) -> Result<StoredWebhook> {
        self.read(|connection| find(connection, wanted))
    }

    /// Changes a webhook. One that is switched off loses what waits; one that is switched on begins anew.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`] when there is none.
    pub fn update_webhook(
        &self,
        id: &str,
        choice: WebhookChoice,
        actor: &str,
        now: Timestamp,
    ) -> Result<WebhookSaved> {
        let (id, actor) = (id.to_owned(), actor.to_owned());
        self.write(move |connection| {
            let before = find(connection, &id)?;
            if is_taken(connection, &choice.url, &before.webhook.id)? {
                return Ok(WebhookSaved::UrlTaken);
            }
            run(
                connection,
                "UPDATE webhooks SET url = ?2, events = ?3, is_on = ?4, off_reason = '', wait_until = 0, \
                 failing_since = CASE WHEN is_on = 1 AND ?4 = 1 THEN failing_since END WHERE key = ?1",
                params![before.key, choice.url, joined(&choice.events), choice.is_on],
            )?;
            if !choice.is_on {
                let sql = "DELETE FROM webhook_events WHERE webhook = ?";
                run(connection, sql, [before.key])?;
            }
            let after = find(connection, &before.webhook.id)?.webhook;
            let (from, to) = (words(&before.webhook), words(&after));
            if from != to || before.webhook.url != after.url {
                log(connection, &actor, now, &after, &from, &to)?;
            }
            Ok(WebhookSaved::Saved(Box::new(after)))
        })
        .wait()
    }

    /// Replaces a webhook's secret; the one before stays valid until `until`.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`] when there is none.
    pub fn rotate_webhook(
        &self,
        id: &str,
        sealed: Vec<u8>,
        until: Timestamp,
        actor: &str,
        now: Timestamp,
    ) -> Result<Webhook> {
        let (id, actor) = (id.to_owned(), actor.to_owned());
        self.write(move |connection| {
            let found = find(connection, &id)?;
            run(
                connection,
                "UPDATE webhooks SET former_sealed = sealed, former_until = ?2, sealed = ?3 WHERE key = ?1",
                params![found.key, until.as_millisecond(), sealed],
            )?;
            let after = find(connection, &id)?.webhook;
            log(connection, &actor, now, &after, "secret", "new secret")?;
            Ok(after)
        })
        .wait()
    }

    /// Deletes a webhook with what waits for it, and returns it.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`] when there is none.
    pub fn delete_webhook(&self, wanted: &str, actor: &str, now: Timestamp) -> Result<Webhook> {
        let (wanted, actor) = (wanted.to_owned(), actor.to_owned());
        self.write(move |connection| {
            let found = find(connection, &wanted)?;
            run(
                connection,
                "DELETE FROM webhooks WHERE key = ?",
                [found.key],
            )?;
            let webhook = found.webhook;
            log(connection, &actor, now, &webhook, &words(&webhook), "")?;
            Ok(webhook)
        })
        .wait()
    }
}

fn find(connection: &Connection, wanted: &str) -> Result<StoredWebhook> {
    let sql = format!("SELECT {COLUMNS} FROM webhooks WHERE id = ?1 OR url = ?1");
    let mut statement = connection.prepare_cached(&sql)?;
    let found = statement.query_row([wanted], stored).optional()?;
    found.ok_or(StoreError::NotFound)
}

fn is_taken(connection: &Connection, url: &str, id: &str) -> Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM webhooks WHERE url = ? AND id <> ?)";
    Ok(scalar(connection, sql, [url, id])?)
}

fn stored(row: &Row<'_>) -> rusqlite::Result<StoredWebhook> {
    let events: String = row.get("events")?;
    Ok(StoredWebhook {
        key: row.get("key")?,
        webhook: Webhook {
            id: row.get("id")?,
            url: row.get("url")?,
            events: events.split(' ').filter_map(WebhookEvent::parse).collect(),
            is_on: row.get("is_on")?,
            off_reason: row.get("off_reason")?,
            failing_since: optional_time(row, "failing_since")?,
            waiting: row.get("waiting")?,
            dropped: row.get("dropped")?,
            former_until: optional_time(row, "former_until")?,
            created_at: time_at(row, "created_at")?,
        },
        sealed: row.get("sealed")?,
        former_sealed: row.get("former_sealed")?,
    })
}

fn optional_time(row: &Row<'_>, column: &str) -> rusqlite::Result<Option<Timestamp>> {
    let time: Option<i64> = row.get(column)?;
    Ok(time.and_then(|time| Timestamp::from_millisecond(time).ok()))
}

fn joined(events: &[WebhookEvent]) -> String {
    let names: Vec<_> = events.iter().map(|event| event.as_str()).collect();
    names.join(" ")
}

fn words(webhook: &Webhook) -> String {
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
