//! Undo of changes of many products, in parts, and of those that were not made to their end.

use std::fs::File;

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, params};
use serde_json::Map;

use super::parts::{PART, Room};
use super::undos;
use crate::domain::{Action, Product, changed_fields};
use crate::store::Store;
use crate::store::db::error::{Result, StoreError};
use crate::store::db::lock::wait_for_change;
use crate::store::db::rows::run;
use crate::store::idempotency::{Keep, record, refuse_repeated};
use crate::store::products::activity::{ActivityLog, SERVER};
use crate::store::products::columns::{ALL, FROM_JSON, READ_JSON, product};
use crate::store::products::links::rewrite;
use crate::store::products::{find, lifetimes, price_checks, prices, replace};

impl Store {
    /// Reverts a bulk change or a change of a tag in parts: restores deleted products with their clicks,
    /// and changed ones unless changed since. Returns the number of restored products. Waits for another
    /// change in parts.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`] after a minute.
    pub fn undo_bulk_change(
        &self,
        undo: String,
        actor: String,
        now: Timestamp,
        keep: Option<Keep<'static, u64>>,
    ) -> Result<u64> {
        let _turn = self.turn_of_changes()?;
        self.revert(undo, actor, true, now, keep)
    }

    /// Reverts changes, and ends undos, that were killed or failed between two parts. Waits for a change
    /// that is being made.
    ///
    /// # Errors
    ///
    /// When the database refuses; a later call continues.
    pub fn revert_unfinished(&self, now: Timestamp) -> Result<()> {
        if self.read(undos::list_open)?.is_empty() {
            return Ok(());
        }
        let _turn = self.turn_of_changes()?;
        self.revert_open(now)
    }

    /// Makes a change in parts; if a part fails, those before it are reverted. Waits for another change in
    /// parts.
    pub(crate) fn make_in_parts<S: Send + 'static>(
        &self,
        state: S,
        part: fn(&Connection, &mut S, &mut Room) -> Result<bool>,
        now: Timestamp,
    ) -> Result<S> {
        let _turn = self.turn_of_changes()?;
        self.revert_open(now)?;
        self.write_in_parts(state, part).inspect_err(|_| {
            if let Err(error) = self.revert_open(now) {
                tracing::error!(%error, "parts of a failed change could not be reverted yet");
            }
        })
    }

    /// Waits until no change in parts is being made, in any process, and takes its place until the file
    /// is closed.
    pub(crate) fn turn_of_changes(&self) -> Result<File> {
        if self.is_read_only() {
            return Err(StoreError::ReadOnly);
        }
        wait_for_change(self.path())
    }

    /// Reverts the changes that are open; the caller has the turn.
    pub(crate) fn revert_open(&self, now: Timestamp) -> Result<()> {
        for undo in self.read(undos::list_open)? {
            let restored = self.revert(undo, SERVER.to_owned(), false, now, None)?;
            tracing::warn!(
                restored,
                "an unfinished change of many products was reverted"
            );
        }
        Ok(())
    }

    fn revert(
        &self,
        undo: String,
        actor: String,
        reopens: bool,
        now: Timestamp,
        keep: Option<Keep<'static, u64>>,
    ) -> Result<u64> {
        let reverting = Reverting {
            undo,
            reopens,
            activity: ActivityLog::undo(actor, now),
            now,
            keep,
            products: 0,
            links: 0,
        };
        let done = self.write_in_parts(reverting, revert_part)?;
        Ok(done.products + done.links)
    }
}

/// A change that is being reverted.
struct Reverting {
    undo: String,
    /// Whether the next part has to open it again.
    reopens: bool,
    activity: ActivityLog<'static>,
    now: Timestamp,
    keep: Option<Keep<'static, u64>>,
    /// Restored products and links.
    products: u64,
    links: u64,
}

fn revert_part(
    connection: &Connection,
    reverting: &mut Reverting,
    room: &mut Room,
) -> Result<bool> {
    let now = reverting.now;
    if std::mem::take(&mut reverting.reopens) {
        if let Some(keep) = &reverting.keep {
            refuse_repeated(connection, &keep.request, now)?;
        }
        undos::reopen(connection, &reverting.undo, now)?;
    }
    let key = undos::key_of_open(connection, &reverting.undo)?;
    let activity = &mut reverting.activity;
    for (id, is_deleted) in next_products(connection, key)? {
        if !room.takes_one() {
            return Ok(false);
        }
        let is_restored = if is_deleted {
            restore_deleted(connection, key, &id, activity, now)?
        } else {
            restore_changed(connection, key, &id, activity, now)?
        };
        reverting.products += u64::from(is_restored);
        let sql = "DELETE FROM undo_products WHERE undo = ? AND id = ?";
        run(connection, sql, params![key, id])?;
    }
    if room.left() == 0 {
        return Ok(false);
    }
    if let Some(links) = rewrite::restore_links(connection, key, room.left(), now)? {
        reverting.links += links;
        return Ok(false);
    }
    rewrite::restore_tag(connection, key, reverting.links, activity)?;
    undos::delete(connection, key)?;
    if let Some(keep) = reverting.keep.take() {
        let restored = reverting.products + reverting.links;
        record(connection, keep, &restored, now)?;
    }
    Ok(true)
}

/// Condition that a new product can't have the key of a saved one: it is another one's by now.
const KEY_IS_TAKEN: &str = "(EXISTS (SELECT 1 FROM listed_products AS others \
    WHERE others.key = undo_products.key) \
    OR EXISTS (SELECT 1 FROM hidden_products WHERE undo_products.key BETWEEN first AND last))";

/// Returns the ids of saved products and whether they were deleted. Products that get their own key back
/// come first, so that no new key takes one of theirs.
fn next_products(connection: &Connection, undo: i64) -> Result<Vec<(String, bool)>> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT id, version IS NULL FROM undo_products WHERE undo = ? \
         ORDER BY {KEY_IS_TAKEN}, key LIMIT ?"
    ))?;
    let rows = statement.query_map(params![undo, PART], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn restore_deleted(
    connection: &Connection,
    undo: i64,
    id: &str,
    activity: &mut ActivityLog<'_>,
    now: Timestamp,
) -> Result<bool> {
    let title: Option<String> = connection
        .prepare_cached(&format!(
            "INSERT OR IGNORE INTO products (key, {}) \
             SELECT CASE WHEN {KEY_IS_TAKEN} THEN NULL ELSE key END, {} \
             FROM undo_products WHERE undo = ? AND id = ? RETURNING title",
            *ALL, *FROM_JSON
        ))?
        .query_row(params![undo, id], |row| row.get(0))
        .optional()?;
    let Some(title) = title else {
        return Ok(false);
    };
    lifetimes::settle(connection, id, now)?;
    prices::restore(connection, undo, id)?;
    let about = Some((id, title.as_str()));
    activity.write(connection, Action::Added, about, Map::new())?;
    Ok(true)
}

fn restore_changed(
    connection: &Connection,
    undo: i64,
    id: &str,
    activity: &mut ActivityLog<'_>,
    now: Timestamp,
) -> Result<bool> {
    let old: Option<Product> = connection
        .prepare_cached(&format!(
            "SELECT {}, price_checked_at, NULL FROM undo_products WHERE undo = ? AND id = ? AND EXISTS ( \
                 SELECT 1 FROM listed_products AS current WHERE current.id = undo_products.id \
                 AND current.updated_at = undo_products.version)",
            *READ_JSON
        ))?
        .query_row(params![undo, id], product)
        .optional()?;
    let Some(old) = old else {
        return Ok(false);
    };
    let current = find(connection, id)?;
    replace(connection, &current, &old.details, activity.actor(), now)?;
    // An undone publication was none.
    let sql = "UPDATE products SET undrafted_at = (SELECT product ->> 'undrafted_at' \
               FROM undo_products WHERE undo = ?1 AND id = ?2) WHERE id = ?2";
    run(connection, sql, params![undo, id])?;
    // An undo is no price check.
    price_checks::record(connection, id, old.price_seen_at)?;
    let changes = changed_fields(&current, &old.details);
    let about = Some((id, old.details.title.as_str()));
    activity.write(connection, Action::Changed, about, changes)?;
    Ok(true)
}
