//! Posts of deals in channels.

use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::{COLUMNS, StoredChannel, find, lane_of, stored};
use crate::domain::{ChannelRule, Post, PostQueued, PostState, Rfc3339, State};
use crate::store::Store;
use crate::store::db::error::Result;
use crate::store::db::rows::{column, optional_time_at, run, scalar, time_at};
use crate::store::outgoing::{JobKind, NewJob, enqueue};

/// How long a post follows its deal.
const FOLLOWED: SignedDuration = SignedDuration::from_hours(14 * 24);
/// Time by which new posts go before the edits of others: many prices may change at once.
const AHEAD: SignedDuration = SignedDuration::from_mins(10);
/// How long posts are kept: longer than until any deal may be posted again.
const KEPT: SignedDuration = SignedDuration::from_hours(100 * 24);

/// A post with its channel.
#[derive(Debug, Clone)]
pub(crate) struct StoredPost {
    pub(crate) key: i64,
    pub(crate) post: Post,
    /// Its id at the service; empty until it is sent.
    pub(crate) message: String,
    pub(crate) is_photo: bool,
    pub(crate) shown: String,
    /// True if it failed, but an attempt had no answer.
    pub(crate) may_be_there: bool,
}

/// Result of sending or editing a post.
#[derive(Debug, Clone)]
pub(crate) struct PostSent {
    pub(crate) message: String,
    pub(crate) is_photo: bool,
    pub(crate) shown: String,
    pub(crate) text: String,
    /// Problem, a sentence; or empty.
    pub(crate) note: String,
}

/// Queues a product for a channel, in the caller's transaction.
pub(crate) fn post(
    connection: &Connection,
    channel: &str,
    product: &str,
    by_rule: bool,
    now: Timestamp,
) -> Result<PostQueued> {
    let StoredChannel { key, channel, .. } = find(connection, channel)?;
    let sql = "SELECT title, state FROM listed_products WHERE id = ?";
    let mut statement = connection.prepare_cached(sql)?;
    let found = statement.query_row([product], |row| Ok((row.get(0)?, row.get(1)?)));
    let found: Option<(String, i64)> = found.optional()?;
    let Some((title, _)) = found.filter(|(_, state)| *state == State::Live.code()) else {
        return Ok(PostQueued::NotLive);
    };
    let since = (now - channel.rule.again_after()).as_millisecond();
    let sql = "SELECT EXISTS (SELECT 1 FROM posts WHERE product = ?1 AND channel = ?2 \
         AND (state IN ('waiting', 'sending') OR sent_at > ?3))";
    if scalar(connection, sql, params![product, key, since])? {
        return Ok(PostQueued::Already);
    }
    let post = connection
        .prepare_cached(
            "INSERT INTO posts (channel, product, title, by_rule, state, at) VALUES (?, ?, ?, ?, 'waiting', ?)",
        )?
        .insert(params![key, product, title, by_rule, now.as_millisecond()])?;
    queue(connection, &channel.id, post, now - AHEAD, now)?;
    Ok(PostQueued::Queued)
}

/// Queues the job that sends a post or brings it up to date.
pub(crate) fn queue(
    connection: &Connection,
    channel: &str,
    post: i64,
    next_at: Timestamp,
    now: Timestamp,
) -> Result<()> {
    let job = NewJob {
        kind: JobKind::Post,
        lane: lane_of(channel),
        subject: post.to_string(),
        payload: "{}".to_owned(),
        next_at,
        expires_at: None,
    };
    enqueue(connection, &job, now)
}

/// Queues what brings the posts of a product up to date.
pub(super) fn follow(connection: &Connection, product: &str, now: Timestamp) -> Result<()> {
    let since = (now - FOLLOWED).as_millisecond();
    let sql = "SELECT posts.key, channels.id FROM posts JOIN channels ON channels.key = channel \
         WHERE product = ? AND is_on = 1 AND (state = 'sent' AND sent_at > ? OR state = 'sending')";
    let mut statement = connection.prepare_cached(sql)?;
    let posts = statement.query_map(params![product, since], |row| {
        Ok((row.get(0)?, row.get(1)?))
    })?;
    let posts: Vec<(i64, String)> = posts.collect::<rusqlite::Result<_>>()?;
    for (post, channel) in posts {
        queue(connection, &channel, post, now, now)?;
    }
    Ok(())
}

/// Writes that a post is in the channel as it is now, and has the channel wait before the next message.
pub(crate) fn record_sent(
    connection: &Connection,
    channel: &StoredChannel,
    post: i64,
    sent: &PostSent,
    now: Timestamp,
) -> Result<()> {
    run(
        connection,
        "UPDATE posts SET state = 'sent', sent_at = coalesce(sent_at, ?2), message = ?3, is_photo = ?4, shown = ?5, \
         text = ?6, error = ?7 WHERE key = ?1",
        params![
            post,
            now.as_millisecond(),
            sent.message,
            sent.is_photo,
            sent.shown,
            sent.text,
            sent.note,
        ],
    )?;
    let spacing = channel.channel.kind.spacing();
    if spacing.is_zero() {
        return Ok(());
    }
    let until = (now + spacing).as_millisecond();
    let sql = "INSERT OR REPLACE INTO outgoing_waits (lane, until) VALUES (?, ?)";
    run(
        connection,
        sql,
        params![lane_of(&channel.channel.id), until],
    )
}

/// Writes that an attempt failed; one that is given up stays as it is in the channel, and remembers if an attempt
/// had no answer.
pub(crate) fn record_failure(
    connection: &Connection,
    post: i64,
    state: PostState,
    may_be_there: bool,
    error: &str,
) -> Result<()> {
    let sql = "UPDATE posts SET error = ?3, state = CASE message WHEN '' THEN ?2 ELSE state END, \
         may_be_there = max(may_be_there, ?4) WHERE key = ?1";
    let values = params![post, state.as_str(), error, may_be_there];
    run(connection, sql, values)
}

/// Leaves a post at its place in the queue, and its attempts as they were: the other side only asked to wait.
pub(crate) fn keep_turn(connection: &Connection, channel: &str, post: i64) -> Result<()> {
    let sql = "UPDATE outgoing SET attempts = attempts - 1, \
         next_at = created_at - ?3 * (SELECT message = '' FROM posts WHERE key = ?4) \
         WHERE kind = 'post' AND lane = ?1 AND subject = ?2 AND attempts > 0";
    let ahead = AHEAD.as_secs() * 1_000;
    let values = params![lane_of(channel), post.to_string(), ahead, post];
    run(connection, sql, values)
}

impl Store {
    /// Queues products for a channel, and returns what became of each.
    ///
    /// # Errors
    ///
    /// [`crate::store::StoreError::NotFound`] when there is no such channel.
    pub(crate) fn post_products(
        &self,
        channel: String,
        products: Vec<String>,
        now: Timestamp,
    ) -> Result<Vec<(String, PostQueued)>> {
        self.write(move |connection| {
            let queued = products.into_iter().map(|product| {
                let queued = post(connection, &channel, &product, false, now)?;
                Ok((product, queued))
            });
            queued.collect()
        })
        .wait()
    }

    /// Returns a post with its channel, if both are there.
    pub(crate) fn find_post(&self, key: i64) -> Result<Option<(StoredPost, StoredChannel)>> {
        self.read(|connection| {
            let sql = format!(
                "SELECT posts.*, {COLUMNS} FROM posts JOIN channels ON channels.key = posts.channel \
                 WHERE posts.key = ?"
            );
            let mut statement = connection.prepare_cached(&sql)?;
            let found = statement.query_row([key], |row| Ok((stored_post(row)?, stored(row)?)));
            Ok(found.optional()?)
        })
    }

    /// Writes that a post is about to be sent, so that one that was under way at a crash is known.
    pub(crate) fn begin_post(&self, key: i64) -> Result<()> {
        let sql = "UPDATE posts SET state = 'sending' WHERE key = ?";
        self.execute(sql, [key]).wait()
    }

    /// Returns the last posts of a channel, the newest first.
    ///
    /// # Errors
    ///
    /// [`crate::store::StoreError::NotFound`] when there is no such channel.
    pub(crate) fn list_posts(&self, channel: &str, most: u32) -> Result<Vec<Post>> {
        self.read(|connection| {
            let StoredChannel { key, .. } = find(connection, channel)?;
            let sql = "SELECT * FROM posts WHERE channel = ? ORDER BY key DESC LIMIT ?";
            let mut statement = connection.prepare_cached(sql)?;
            let post = |row: &Row<'_>| Ok(stored_post(row)?.post);
            let posts = statement.query_map(params![key, most], post)?;
            Ok(posts.collect::<rusqlite::Result<_>>()?)
        })
    }

    /// Returns the times of the latest posts by the rule of a channel, the newest first.
    pub(crate) fn rule_posts(&self, channel: &StoredChannel) -> Result<Vec<Timestamp>> {
        let most = channel.channel.rule.per_hour;
        self.read(|connection| {
            let sql = "SELECT sent_at FROM posts WHERE channel = ? AND by_rule = 1 AND sent_at IS NOT NULL \
                 ORDER BY sent_at DESC LIMIT ?";
            let times: Vec<i64> = column(connection, sql, params![channel.key, most])?;
            let times = times.into_iter();
            Ok(times.filter_map(|at| Timestamp::from_millisecond(at).ok()).collect())
        })
    }

    /// Returns products with posts that follow them, each with what its posts say.
    pub(crate) fn followed_products(&self, now: Timestamp) -> Result<Vec<(String, String)>> {
        self.read(|connection| {
            let sql =
                "SELECT DISTINCT product, shown FROM posts WHERE state = 'sent' AND sent_at > ?";
            let since = (now - FOLLOWED).as_millisecond();
            let mut statement = connection.prepare_cached(sql)?;
            let found = statement.query_map([since], |row| Ok((row.get(0)?, row.get(1)?)))?;
            Ok(found.collect::<rusqlite::Result<_>>()?)
        })
    }

    /// Queues what brings the posts of these products up to date, and deletes posts that are too old.
    pub(crate) fn follow_products(&self, products: Vec<String>, now: Timestamp) -> Result<()> {
        self.write(move |connection| {
            for product in &products {
                follow(connection, product, now)?;
            }
            let sql = "DELETE FROM posts WHERE at < ?";
            run(connection, sql, [(now - KEPT).as_millisecond()])
        })
        .wait()
    }
}

/// True if a channel has room for another post by its rule.
pub(super) fn has_room(connection: &Connection, channel: &str) -> Result<bool> {
    let sql = "SELECT count(*) FROM posts WHERE state = 'waiting' AND by_rule = 1 \
         AND channel = (SELECT key FROM channels WHERE id = ?)";
    Ok(scalar::<i64>(connection, sql, [channel])? < ChannelRule::MOST_WAITING)
}

fn stored_post(row: &Row<'_>) -> rusqlite::Result<StoredPost> {
    let state: String = row.get("state")?;
    let post = Post {
        id: row.get("product")?,
        title: row.get("title")?,
        by_rule: row.get("by_rule")?,
        state: PostState::parse(&state).ok_or(rusqlite::Error::InvalidQuery)?,
        queued_at: Rfc3339(time_at(row, "at")?),
        sent_at: optional_time_at(row, "sent_at")?.map(Rfc3339),
        text: row.get("text")?,
        error: row.get("error")?,
    };
    Ok(StoredPost {
        key: row.get("key")?,
        post,
        message: row.get("message")?,
        is_photo: row.get("is_photo")?,
        shown: row.get("shown")?,
        may_be_there: row.get("may_be_there")?,
    })
}
