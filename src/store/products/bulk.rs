//! Bulk changes and deletions with undo.

use std::collections::HashSet;

use jiff::Timestamp;
use rusqlite::{Connection, params};
use serde_json::Map;

use super::activity::ActivityLog;
use super::columns::{ALL, FROM_JSON, PRICE_SEEN, TO_JSON, product};
use super::links::rewrite;
use super::{find, lifetimes, next_version, price_checks, prices, replace, undos};
use crate::domain::{
    Action, Category, Discount, Paise, PriceChange, Product, State, changed_fields,
};
use crate::store::Store;
use crate::store::db::error::{Result, StoreError};
use crate::store::db::pending::Pending;
use crate::store::db::rows::run;
use crate::store::idempotency::{Keep, once};

/// Kind of bulk change.
#[derive(Debug, Clone, Copy)]
pub enum BulkChange {
    /// Delete them.
    Delete,
    /// Set the category.
    Category(Category),
    /// Set the discount.
    Discount(Discount),
    /// Change the final price, all or nothing.
    Price(PriceChange),
    /// Publish drafts.
    Publish,
    /// End them now, also scheduled ones.
    End,
    /// Set or clear the end, except of those that start later.
    SetEnd(Option<Timestamp>),
}

/// Result of a bulk change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BulkOutcome {
    /// Number of products changed or deleted; missing and unchanged ones are not counted.
    pub changed: u64,
    /// Undo id.
    pub undo: String,
}

/// Result that a change of prices would have.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PricePreview {
    /// Number of products whose price would change.
    pub changed: u64,
    /// The first of them.
    pub example: Option<PriceExample>,
}

/// Final price of a product before and after a change.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct PriceExample {
    pub title: String,
    pub from: Paise,
    pub to: Paise,
}

impl Store {
    /// Returns what a change of prices would do.
    ///
    /// # Errors
    ///
    /// [`StoreError::PriceOutOfRange`] with the products that it can't change.
    pub fn preview_price_change(
        &self,
        ids: &[String],
        change: PriceChange,
    ) -> Result<PricePreview> {
        self.read(|connection| preview(connection, ids, change))
    }

    /// Changes all of these products in one transaction; `actor` is logged.
    ///
    /// Fails with [`StoreError::PriceOutOfRange`] if a price can't be changed so; nothing is changed then.
    pub fn bulk_change(
        &self,
        ids: Vec<String>,
        change: BulkChange,
        actor: String,
        now: Timestamp,
        keep: Option<Keep<'static, BulkOutcome>>,
    ) -> Pending<BulkOutcome> {
        self.write(move |connection| {
            once(connection, keep, now, || {
                apply_to_all(connection, &ids, change, &actor, now)
            })
        })
    }

    /// Reverts a bulk change or a change of a tag: restores deleted products with their clicks, and
    /// changed ones unless changed since. Returns the number of restored products.
    ///
    /// Fails with [`StoreError::NotFound`] after a minute.
    pub fn undo_bulk_change(
        &self,
        undo: String,
        actor: String,
        now: Timestamp,
        keep: Option<Keep<'static, u64>>,
    ) -> Pending<u64> {
        self.write(move |connection| {
            once(connection, keep, now, || {
                revert(connection, &undo, &actor, now)
            })
        })
    }
}

pub(crate) fn apply_to_all(
    connection: &Connection,
    ids: &[String],
    change: BulkChange,
    actor: &str,
    now: Timestamp,
) -> Result<BulkOutcome> {
    if let BulkChange::Price(change) = change {
        preview(connection, ids, change)?;
    }
    let (key, undo) = undos::begin(connection, now)?;
    let mut activity = ActivityLog::new(actor, now);
    let mut changed = 0;
    // A price changed by an amount must not change twice.
    let mut seen = HashSet::new();
    for id in ids.iter().filter(|id| seen.insert(id.as_str())) {
        let product = match find(connection, id) {
            Err(StoreError::NotFound) => continue,
            found => found?,
        };
        let is_changed = apply(connection, key, &product, change, &mut activity, now)?;
        changed += u64::from(is_changed);
    }
    Ok(BulkOutcome { changed, undo })
}

/// Computes a change of prices, without changing anything.
fn preview(connection: &Connection, ids: &[String], change: PriceChange) -> Result<PricePreview> {
    let mut preview = PricePreview::default();
    let mut refused = Vec::new();
    let mut seen = HashSet::new();
    for id in ids.iter().filter(|id| seen.insert(id.as_str())) {
        let product = match find(connection, id) {
            Err(StoreError::NotFound) => continue,
            found => found?,
        };
        let mut details = product.details.clone();
        if !change.apply(&mut details) {
            refused.push(details.title);
        } else if !product.details.has_same_price(&details) {
            preview.changed += 1;
            preview.example.get_or_insert(PriceExample {
                title: details.title,
                from: product.details.final_price,
                to: details.final_price,
            });
        }
    }
    if refused.is_empty() {
        Ok(preview)
    } else {
        Err(StoreError::PriceOutOfRange(refused))
    }
}

fn revert(connection: &Connection, undo: &str, actor: &str, now: Timestamp) -> Result<u64> {
    let key = undos::find(connection, undo, now)?;
    let mut activity = ActivityLog::undo(actor, now);
    let restored = restore_deleted(connection, key, &mut activity, now)?
        + restore_changed(connection, key, &mut activity, now)?
        + rewrite::restore(connection, key, &mut activity, now)?;
    undos::end(connection, key)?;
    Ok(restored)
}

fn apply(
    connection: &Connection,
    undo: i64,
    current: &Product,
    change: BulkChange,
    activity: &mut ActivityLog<'_>,
    now: Timestamp,
) -> Result<bool> {
    let id = current.id.as_str();
    let about = Some((id, current.details.title.as_str()));
    let mut details = current.details.clone();
    match change {
        BulkChange::Delete => {
            save_for_undo(connection, undo, None, id)?;
            let sql = "DELETE FROM products WHERE id = ?";
            run(connection, sql, [id])?;
            activity.write(connection, Action::Deleted, about, Map::new())?;
            return Ok(true);
        }
        BulkChange::Category(category) => details.category = category,
        BulkChange::Publish => details.lifetime.is_draft = false,
        BulkChange::End if current.state == State::Ended => return Ok(false),
        BulkChange::End => {
            let lifetime = &mut details.lifetime;
            lifetime.starts_at = lifetime.starts_at.filter(|start| *start < now);
            lifetime.ends_at = Some(now);
        }
        BulkChange::SetEnd(end) => {
            let start = details.lifetime.starts_at;
            if end.is_some_and(|end| start.is_some_and(|start| end <= start)) {
                return Ok(false);
            }
            details.lifetime.ends_at = end;
        }
        BulkChange::Discount(discount) => {
            details.discount = discount;
            details.final_price = details.price.after(discount);
        }
        BulkChange::Price(change) if change.apply(&mut details) => {}
        BulkChange::Price(_) => {
            return Err(StoreError::PriceOutOfRange(vec![details.title]));
        }
    }
    let changes = changed_fields(current, &details);
    if changes.is_empty() {
        return Ok(false);
    }
    save_for_undo(connection, undo, Some(next_version(current, now)), id)?;
    replace(connection, current, &details, activity.actor(), now)?;
    match change {
        BulkChange::Discount(_) | BulkChange::Price(_) => price_checks::clear(connection, id)?,
        _ => price_checks::record(connection, id, current.price_seen_at)?,
    }
    activity.write(connection, Action::Changed, about, changes)?;
    Ok(true)
}

/// Saves a product for an undo; repeated ids keep the first state.
fn save_for_undo(connection: &Connection, undo: i64, version: Option<i64>, id: &str) -> Result<()> {
    let sql = format!(
        "INSERT OR IGNORE INTO undo_products (undo, version, key, id, product, prices, price_checked_at) \
             SELECT ?, ?, key, id, {}, (SELECT json_group_array(json_array( \
                 from_at, until_at, price, final_price, set_by)) FROM prices WHERE product = key), \
                 {PRICE_SEEN} FROM listed_products WHERE id = ?",
        *TO_JSON
    );
    run(connection, &sql, params![undo, version, id])
}

fn restore_deleted(
    connection: &Connection,
    undo: i64,
    activity: &mut ActivityLog<'_>,
    now: Timestamp,
) -> Result<u64> {
    // The key of the newest product may have been reused. Products that get their own key back come
    // first, so that no new key takes one of theirs.
    let restored = connection
        .prepare(&format!(
            "INSERT OR IGNORE INTO products (key, {}) \
             SELECT CASE WHEN EXISTS (SELECT 1 FROM listed_products AS others \
                                      WHERE others.key = undo_products.key) \
                    OR EXISTS (SELECT 1 FROM hidden_products WHERE key BETWEEN first AND last) \
                    THEN NULL ELSE key END AS free, {} \
             FROM undo_products WHERE undo = ? AND version IS NULL \
             ORDER BY free IS NULL, undo_products.key \
             RETURNING id, title",
            *ALL, *FROM_JSON
        ))?
        .query_map([undo], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<Result<Vec<(String, String)>, _>>()?;
    for (id, title) in &restored {
        lifetimes::settle(connection, id, now)?;
        prices::restore(connection, undo, id)?;
        let about = Some((id.as_str(), title.as_str()));
        activity.write(connection, Action::Added, about, Map::new())?;
    }
    Ok(restored.len() as u64)
}

fn restore_changed(
    connection: &Connection,
    undo: i64,
    activity: &mut ActivityLog<'_>,
    now: Timestamp,
) -> Result<u64> {
    let before = connection
        .prepare(&format!(
            "SELECT {}, price_checked_at, NULL FROM undo_products WHERE undo = ?1 AND EXISTS ( \
                 SELECT 1 FROM listed_products AS current WHERE current.id = undo_products.id \
                 AND current.updated_at = undo_products.version)",
            *FROM_JSON
        ))?
        .query_map([undo], product)?
        .collect::<Result<Vec<Product>, _>>()?;
    for old in &before {
        let current = find(connection, &old.id)?;
        replace(connection, &current, &old.details, activity.actor(), now)?;
        // An undo is no price check.
        price_checks::record(connection, &old.id, old.price_seen_at)?;
        let changes = changed_fields(&current, &old.details);
        let about = Some((old.id.as_str(), old.details.title.as_str()));
        activity.write(connection, Action::Changed, about, changes)?;
    }
    Ok(before.len() as u64)
}
