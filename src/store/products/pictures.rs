//! Pictures that failed to load, as browsers report; and copies, which the server makes for sellers whose rules ask
//! for them.

use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, params};
use serde_json::Value;
use url::Url;

use super::activity::{ActivityLog, SERVER};
use super::{find, replace};
use crate::domain::{Action, changed_fields};
use crate::store::db::pending::Pending;
use crate::store::db::rows::{column, scalar};
use crate::store::outgoing::{JobKind, NewJob, enqueue};
use crate::store::{Store, StoreError, pictures};

/// Maximum number of pictures; the oldest make room, those that visitors reported first.
const MOST: i64 = 1_000;
/// Time in milliseconds after which a picture is forgotten: a week.
pub(crate) const KEPT_FOR: i64 = 7 * 24 * 60 * 60_000;
/// Age up to which the pictures of a deal are copied.
const NEW: SignedDuration = SignedDuration::from_hours(7 * 24);
/// Maximum number of deals whose pictures wait to be copied, and of those that were given up.
const MOST_WAITING: u64 = 1_000;
const MOST_FAILED: u64 = 20_000;

impl Store {
    /// Returns true if a live product has this picture.
    pub fn has_picture(&self, id: &str, image: &str) -> Result<bool, StoreError> {
        self.read(|connection| {
            let sql = "SELECT EXISTS (SELECT 1 FROM live_products WHERE id = ? \
                       AND EXISTS (SELECT 1 FROM json_each(images) WHERE value = ?))";
            Ok(scalar(connection, sql, [id, image])?)
        })
    }

    /// Records a picture that failed to load for several visitors, or in an owner's browser. Fails
    /// with [`NotFound`](crate::store::StoreError::NotFound) if no live product has it.
    pub fn picture_failed(
        &self,
        id: String,
        image: String,
        by_owner: bool,
        now: Timestamp,
    ) -> Pending<()> {
        self.write(move |connection| {
            let sql = "SELECT key FROM live_products WHERE id = ? \
                       AND EXISTS (SELECT 1 FROM json_each(images) WHERE value = ?)";
            let key: i64 = scalar(connection, sql, [&id, &image])?;
            let now = now.as_millisecond();
            connection
                .prepare_cached(
                    "INSERT INTO broken_images (product, image, at, by_owner) VALUES (?, ?, ?, ?) \
                     ON CONFLICT DO UPDATE \
                     SET at = excluded.at, by_owner = max(by_owner, excluded.by_owner)",
                )?
                .execute(params![key, image, now, by_owner])?;
            connection
                .prepare_cached(
                    "DELETE FROM broken_images WHERE at <= ? OR (product, image) IN \
                     (SELECT product, image FROM broken_images \
                      ORDER BY by_owner DESC, at DESC LIMIT -1 OFFSET ?)",
                )?
                .execute([now - KEPT_FOR, MOST])?;
            Ok(())
        })
    }

    /// Returns the pictures of a product that failed to load in an owner's browser.
    pub fn missing_pictures(&self, id: &str, now: Timestamp) -> Result<Vec<String>, StoreError> {
        self.read(|connection| {
            let sql = "SELECT image FROM broken_images WHERE by_owner AND at > ? \
                       AND product = (SELECT key FROM listed_products WHERE id = ?)";
            let since = now.as_millisecond() - KEPT_FOR;
            Ok(column(connection, sql, params![since, id])?)
        })
    }

    /// Deletes a report; returns whether there was one.
    pub fn picture_loads(&self, id: String, image: String) -> Pending<bool> {
        self.write(move |connection| {
            let forgotten = connection
                .prepare_cached(
                    "DELETE FROM broken_images WHERE image = ?2 \
                     AND product = (SELECT key FROM listed_products WHERE id = ?1)",
                )?
                .execute([&id, &image])?;
            Ok(forgotten > 0)
        })
    }
}

/// Deals whose pictures are copied by the server.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PictureCopies {
    /// Number of deals that wait.
    pub waiting: u64,
    /// Number of deals whose pictures could not be copied in the last week.
    pub failed: u64,
    /// Why the last attempt failed; empty if none did.
    pub last_error: String,
}

impl Store {
    /// Counts the deals whose pictures are copied by the server.
    pub fn picture_copies(&self) -> Result<PictureCopies, StoreError> {
        self.read(|connection| {
            let sql = "SELECT count(next_at), count(*) - count(next_at), coalesce((SELECT last_error \
                 FROM outgoing WHERE kind = ?1 AND last_error <> '' ORDER BY key DESC LIMIT 1), '') \
                 FROM outgoing WHERE kind = ?1";
            let mut statement = connection.prepare_cached(sql)?;
            Ok(statement.query_row([JobKind::Picture.as_str()], |row| {
                Ok(PictureCopies {
                    waiting: row.get(0)?,
                    failed: row.get(1)?,
                    last_error: row.get(2)?,
                })
            })?)
        })
    }

    /// Queues the new deals of these sellers that have pictures of others. Writes only if there are any.
    pub fn queue_copies(&self, sellers: &[String], now: Timestamp) -> Result<(), StoreError> {
        let copies = self.picture_copies()?;
        if copies.waiting >= MOST_WAITING || copies.failed >= MOST_FAILED {
            return Ok(());
        }
        let sellers = Value::from(sellers).to_string();
        let ids: Vec<String> = self.read(|connection| {
            let sql = "SELECT id FROM live_products \
                 WHERE created_at > ?1 AND source IN (SELECT value FROM json_each(?2)) \
                 AND EXISTS (SELECT 1 FROM json_each(images) WHERE value LIKE 'http%' \
                 AND value NOT LIKE '%/picture/%') \
                 AND id NOT IN (SELECT subject FROM outgoing WHERE kind = ?3) \
                 ORDER BY created_at LIMIT ?4";
            let since = (now - NEW).as_millisecond();
            let room = i64::try_from(MOST_WAITING - copies.waiting).unwrap_or_default();
            let values = params![since, sellers, JobKind::Picture.as_str(), room];
            Ok(column(connection, sql, values)?)
        })?;
        if ids.is_empty() {
            return Ok(());
        }
        let queued = self.write(move |connection| {
            for id in ids {
                let product = match find(connection, &id) {
                    Err(StoreError::NotFound) => continue,
                    found => found?,
                };
                let mut addresses = product.details.images.iter();
                let host =
                    addresses.find_map(|it| Url::parse(it).ok()?.host_str().map(str::to_owned));
                let job = NewJob {
                    kind: JobKind::Picture,
                    lane: format!("picture:{}", host.unwrap_or_default()),
                    subject: id,
                    payload: "{}".to_owned(),
                    next_at: now,
                    expires_at: Some(now + NEW),
                };
                enqueue(connection, &job, now)?;
            }
            Ok(())
        });
        queued.wait()
    }

    /// Replaces pictures of a deal by copies, which are named after each; those that it has no longer stay away.
    pub(crate) fn use_copies(
        connection: &Connection,
        id: &str,
        copies: &[(String, String)],
    ) -> Result<(), StoreError> {
        let current = match find(connection, id) {
            Err(StoreError::NotFound) => return Ok(()),
            found => found?,
        };
        let mut details = current.details.clone();
        for image in &mut details.images {
            if let Some((_, own)) = copies.iter().find(|(of, _)| of == image) {
                image.clone_from(own);
            }
        }
        let changes = changed_fields(&current, &details);
        if changes.is_empty() {
            return Ok(());
        }
        let now = Timestamp::now();
        pictures::note_uses(connection, &details.images, &current.details.images, now)?;
        replace(connection, &current, &details, SERVER, now)?;
        let about = Some((id, details.title.as_str()));
        ActivityLog::new(SERVER, now).write(connection, Action::Changed, about, changes)
    }
}
