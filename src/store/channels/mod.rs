//! Channels to which deals are posted. `posts` has what they got, `news` the products that they may want.

pub(crate) mod news;
pub(crate) mod posts;

use jiff::Timestamp;
use rusqlite::{Connection, Row, params};
use serde_json::{Map, json};

use super::outgoing::clear_lane;
use crate::domain::{Action, ChannelChoice, ChannelKind, PostChannel, Rfc3339};
use crate::store::db::error::Result;
use crate::store::db::rows::{column, optional_time_at, run, scalar, time_at};
use crate::store::products::activity::{ActivityLog, SERVER};
use crate::store::{Store, StoreError};

/// Maximum number of channels of a shop.
pub(crate) const MAX_CHANNELS: i64 = 20;

const COLUMNS: &str = "channels.key AS channel_key, channels.id, kind, name, chat, sealed, sealed_at, template, rule, \
    is_on, off_reason, last_error, last_error_at, created_at, \
    (SELECT max(sent_at) FROM posts WHERE channel = channels.key) AS posted_at, \
    (SELECT count(*) FROM posts WHERE channel = channels.key AND posts.state IN ('waiting', 'sending')) AS waiting";

/// A channel with its sealed secret.
#[derive(Debug, Clone)]
pub(crate) struct StoredChannel {
    pub(super) key: i64,
    pub(crate) channel: PostChannel,
    pub(crate) sealed: Option<Vec<u8>>,
}

/// Returns the lane of a channel in the queue.
pub(crate) fn lane_of(channel: &str) -> String {
    format!("channel:{channel}")
}

impl Store {
    /// Adds a channel, or changes the one of this id; without a new `sealed` secret the former stays. One that is
    /// switched off loses its queued messages.
    ///
    /// # Errors
    ///
    /// [`StoreError::Conflict`] with `name` when another channel has this name, and with `channels` when
    /// there are [`MAX_CHANNELS`] already.
    pub(crate) fn save_channel(
        &self,
        id: String,
        choice: ChannelChoice,
        sealed: Option<Vec<u8>>,
        actor: String,
        now: Timestamp,
    ) -> Result<PostChannel> {
        self.write(move |connection| {
            let sql = "SELECT EXISTS (SELECT 1 FROM channels WHERE name = ? AND id <> ?)";
            if scalar(connection, sql, [&choice.name, &id])? {
                return Err(StoreError::Conflict("name".to_owned()));
            }
            let before = match find(connection, &id) {
                Err(StoreError::NotFound) => None,
                found => Some(found?.channel),
            };
            let sql = "SELECT count(*) FROM channels";
            if before.is_none() && scalar::<i64>(connection, sql, [])? >= MAX_CHANNELS {
                return Err(StoreError::Conflict("channels".to_owned()));
            }
            let sealed_at = sealed.as_ref().map(|_| now.as_millisecond());
            run(
                connection,
                "INSERT INTO channels (id, kind, name, chat, sealed, sealed_at, template, rule, has_rule, is_on, \
                 created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) \
                 ON CONFLICT (id) DO UPDATE SET name = ?3, chat = ?4, sealed = coalesce(?5, sealed), \
                 sealed_at = coalesce(?6, sealed_at), template = ?7, rule = ?8, has_rule = ?9, is_on = ?10, \
                 off_reason = ''",
                params![
                    id,
                    choice.kind.as_str(),
                    choice.name,
                    choice.chat,
                    sealed,
                    sealed_at,
                    choice.template,
                    json!(choice.rule).to_string(),
                    choice.rule.on,
                    choice.is_on,
                    now.as_millisecond(),
                ],
            )?;
            if !choice.is_on {
                drop_waiting(connection, &id, "The channel was switched off.")?;
            }
            let after = find(connection, &id)?.channel;
            let (from, to) = (before.as_ref().map_or_else(String::new, log_text), log_text(&after));
            if from != to || sealed.is_some() {
                log(connection, &actor, now, &after, &from, &to)?;
            }
            Ok(after)
        })
        .wait()
    }

    /// Returns all channels by name.
    pub(crate) fn list_channels(&self) -> Result<Vec<StoredChannel>> {
        self.read(|connection| {
            let sql = format!("SELECT {COLUMNS} FROM channels ORDER BY name, key");
            let mut statement = connection.prepare_cached(&sql)?;
            let channels = statement.query_map([], stored)?;
            Ok(channels.collect::<rusqlite::Result<_>>()?)
        })
    }

    /// Returns a channel.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`] when there is none.
    pub(crate) fn find_channel(&self, id: &str) -> Result<StoredChannel> {
        self.read(|connection| find(connection, id))
    }

    /// Deletes a channel with its posts and queued messages; sent messages stay in the channel.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`] when there is none.
    pub(crate) fn delete_channel(&self, id: String, actor: String, now: Timestamp) -> Result<()> {
        self.write(move |connection| {
            let StoredChannel { key, channel, .. } = find(connection, &id)?;
            run(connection, "DELETE FROM channels WHERE key = ?", [key])?;
            log(connection, &actor, now, &channel, &log_text(&channel), "")
        })
        .wait()
    }

    /// Writes that the chat of a channel has another number now.
    pub(crate) fn move_channel(&self, id: String, chat: i64) -> Result<()> {
        self.write(move |connection| move_chat(connection, &id, chat))
            .wait()
    }

    /// Notes why a channel's last attempt failed.
    pub(crate) fn note_channel_error(
        &self,
        id: String,
        error: String,
        now: Timestamp,
    ) -> Result<()> {
        self.write(move |connection| note_error(connection, &id, &error, now))
            .wait()
    }
}

/// Notes why a channel's last attempt failed.
pub(crate) fn note_error(
    connection: &Connection,
    id: &str,
    error: &str,
    now: Timestamp,
) -> Result<()> {
    let sql = "UPDATE channels SET last_error = ?2, last_error_at = ?3 WHERE id = ?1";
    run(connection, sql, params![id, error, now.as_millisecond()])
}

/// Writes that the chat of a channel has another number now.
pub(crate) fn move_chat(connection: &Connection, id: &str, chat: i64) -> Result<()> {
    let sql = "UPDATE channels SET chat = ?2 WHERE id = ?1";
    run(connection, sql, params![id, chat.to_string()])
}

/// Switches a channel off, drops its queued messages, and writes the reason to the activity log.
pub(crate) fn switch_off(
    connection: &Connection,
    id: &str,
    reason: &str,
    now: Timestamp,
) -> Result<()> {
    let channel = match find(connection, id) {
        // Deleted while its post was being sent.
        Err(StoreError::NotFound) => return Ok(()),
        found => found?.channel,
    };
    if !channel.is_on {
        return Ok(());
    }
    let sql = "UPDATE channels SET is_on = 0, off_reason = ?2 WHERE id = ?1";
    run(connection, sql, [id, reason])?;
    note_error(connection, id, reason, now)?;
    drop_waiting(connection, id, reason)?;
    let to = format!("off: {reason}");
    log(connection, SERVER, now, &channel, &log_text(&channel), &to)
}

/// Gives up the posts that wait for a channel.
fn drop_waiting(connection: &Connection, id: &str, reason: &str) -> Result<()> {
    let sql = "UPDATE posts SET state = 'failed', error = ?2 WHERE state IN ('waiting', 'sending') \
         AND channel = (SELECT key FROM channels WHERE id = ?1)";
    run(connection, sql, [id, reason])?;
    clear_lane(connection, &lane_of(id))
}

fn find(connection: &Connection, id: &str) -> Result<StoredChannel> {
    let sql = format!("SELECT {COLUMNS} FROM channels WHERE id = ?");
    Ok(connection.prepare_cached(&sql)?.query_row([id], stored)?)
}

/// Returns the ids of the channels that post by a rule.
pub(super) fn with_rule(connection: &Connection) -> Result<Vec<String>> {
    let sql = "SELECT id FROM channels WHERE is_on = 1 AND has_rule = 1 ORDER BY key";
    Ok(column(connection, sql, [])?)
}

fn stored(row: &Row<'_>) -> rusqlite::Result<StoredChannel> {
    let (kind, rule): (String, String) = (row.get("kind")?, row.get("rule")?);
    let time = |column| optional_time_at(row, column).map(|time| time.map(Rfc3339));
    Ok(StoredChannel {
        key: row.get("channel_key")?,
        channel: PostChannel {
            id: row.get("id")?,
            kind: ChannelKind::parse(&kind).ok_or(rusqlite::Error::InvalidQuery)?,
            name: row.get("name")?,
            chat: row.get("chat")?,
            template: row.get("template")?,
            rule: serde_json::from_str(&rule).unwrap_or_default(),
            is_on: row.get("is_on")?,
            off_reason: row.get("off_reason")?,
            secret_set_at: time("sealed_at")?,
            last_posted_at: time("posted_at")?,
            last_error: row.get("last_error")?,
            last_error_at: time("last_error_at")?,
            waiting: row.get("waiting")?,
            created_at: Rfc3339(time_at(row, "created_at")?),
        },
        sealed: row.get("sealed")?,
    })
}

/// Describes a channel for the activity log, without its chat or address: that may contain a secret.
fn log_text(channel: &PostChannel) -> String {
    let rule = match (&channel.rule.on, channel.rule.query.as_str()) {
        (false, _) => String::new(),
        (true, "") => ", by rule: every deal".to_owned(),
        (true, query) => format!(", by rule: {query}"),
    };
    let state = if channel.is_on { "" } else { ", off" };
    format!("{}{rule}{state}", channel.kind.as_str())
}

/// Writes a change of a channel to the activity log.
fn log(
    connection: &Connection,
    actor: &str,
    now: Timestamp,
    channel: &PostChannel,
    from: &str,
    to: &str,
) -> Result<()> {
    let change = json!({ "from": from, "to": to });
    let details = Map::from_iter([(format!("channel.{}", channel.name), change)]);
    ActivityLog::new(actor, now).write(connection, Action::Set, None, details)
}
