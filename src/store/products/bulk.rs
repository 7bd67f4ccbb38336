//! Changing and deleting many products at once, each time with one undo.

use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, OptionalExtension, params};
use serde_json::Map;

use super::activity;
use super::find;
use super::row::{COLUMNS, product};
use crate::domain::{Action, Category, Discount, NewProduct, Product, changed_fields};
use crate::store::list::snapshot::VISIBLE;
use crate::store::{Pending, Store, StoreError, new_id};

/// How long a change of many products can be undone; the screen offers it for ten
/// seconds, and a slow network may need some more.
const UNDO_LIFETIME: SignedDuration = SignedDuration::from_mins(1);

/// What to do with many products.
#[derive(Debug, Clone, Copy)]
pub enum BulkChange {
    /// Delete them.
    Delete,
    /// Move them to a category.
    Category(Category),
    /// Give them a discount.
    Discount(Discount),
}

/// What was done with many products.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BulkOutcome {
    /// How many products were changed or deleted; those that are gone, or that
    /// were so already, are not counted.
    pub changed: u64,
    /// By what it can be undone.
    pub undo: String,
}

impl Store {
    /// Changes every one of these products, all or nothing; `actor` is who does it.
    pub fn bulk_change(
        &self,
        ids: Vec<String>,
        change: BulkChange,
        actor: String,
        now: Timestamp,
    ) -> Pending<BulkOutcome> {
        self.write(move |connection| {
            connection.execute(
                "DELETE FROM undos WHERE at < ?",
                [(now - UNDO_LIFETIME).as_millisecond()],
            )?;
            let undo = new_id();
            connection.execute(
                "INSERT INTO undos (id, at) VALUES (?, ?)",
                params![undo, now.as_millisecond()],
            )?;
            let key = connection.last_insert_rowid();
            let mut changed = 0;
            for id in &ids {
                let product = match find(connection, id) {
                    Err(StoreError::NotFound) => continue,
                    found => found?,
                };
                changed += u64::from(apply(connection, key, &product, change, &actor, now)?);
            }
            Ok(BulkOutcome { changed, undo })
        })
    }

    /// Takes a change of many products back: what was deleted is there again, with
    /// its clicks, and what was changed is as before, unless somebody changed it
    /// since. Tells how many products that are.
    ///
    /// Fails with [`StoreError::NotFound`] when it is too late.
    pub fn undo_bulk_change(&self, undo: String, actor: String, now: Timestamp) -> Pending<u64> {
        self.write(move |connection| {
            let key: i64 = connection.query_row(
                "SELECT key FROM undos WHERE id = ? AND at >= ?",
                params![undo, (now - UNDO_LIFETIME).as_millisecond()],
                |row| row.get(0),
            )?;
            let restored = restore_deleted(connection, key, &actor, now)?
                + restore_changed(connection, key, &actor, now)?;
            connection.execute("DELETE FROM undos WHERE key = ?", [key])?;
            Ok(restored)
        })
    }

    /// The oldest product with this link of this seller, if there is one.
    ///
    /// # Errors
    ///
    /// [`StoreError::Busy`] when no connection became free in time.
    pub fn find_product_by_link(
        &self,
        source: &str,
        link: &str,
    ) -> Result<Option<Product>, StoreError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(&format!(
                "SELECT {COLUMNS} FROM products WHERE affiliate_link = ? AND source = ? \
                 AND {VISIBLE} ORDER BY key LIMIT 1"
            ))?;
            Ok(statement.query_row([link, source], product).optional()?)
        })
    }
}

fn apply(
    connection: &Connection,
    undo: i64,
    current: &Product,
    change: BulkChange,
    actor: &str,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let id = current.id.as_str();
    let about = Some((id, current.details.title.as_str()));
    let mut details = current.details.clone();
    match change {
        BulkChange::Delete => {
            keep(connection, undo, None, id)?;
            connection
                .prepare_cached("DELETE FROM products WHERE id = ?")?
                .execute([id])?;
            activity::insert(connection, actor, Action::Deleted, about, Map::new(), now)?;
            return Ok(true);
        }
        BulkChange::Category(category) => details.category = category,
        BulkChange::Discount(discount) => details.discount = discount,
    }
    let changes = changed_fields(current, &details);
    if changes.is_empty() {
        return Ok(false);
    }
    let version = now
        .as_millisecond()
        .max(current.updated_at.as_millisecond() + 1);
    keep(connection, undo, Some(version), id)?;
    set(connection, id, &details, version)?;
    activity::insert(connection, actor, Action::Changed, about, changes, now)?;
    Ok(true)
}

fn set(
    connection: &Connection,
    id: &str,
    details: &NewProduct,
    version: i64,
) -> Result<(), StoreError> {
    connection
        .prepare_cached(
            "UPDATE products SET category = ?, discount = ?, final_price = ?, updated_at = ? WHERE id = ?",
        )?
        .execute(params![
            details.category.as_str(),
            details.discount.get(),
            details.price.after(details.discount).get(),
            version,
            id
        ])?;
    Ok(())
}

/// Keeps a product as it is before it is changed; naming it twice keeps the first.
fn keep(
    connection: &Connection,
    undo: i64,
    version: Option<i64>,
    id: &str,
) -> Result<(), StoreError> {
    connection
        .prepare_cached(&format!(
            "INSERT OR IGNORE INTO undo_products (undo, version, key, {COLUMNS}) \
             SELECT ?, ?, key, {COLUMNS} FROM products WHERE id = ?"
        ))?
        .execute(params![undo, version, id])?;
    Ok(())
}

fn restore_deleted(
    connection: &Connection,
    undo: i64,
    actor: &str,
    now: Timestamp,
) -> Result<u64, StoreError> {
    // The key of a product that was the newest may be another's by now. Those that get
    // their own back come first: a new key may be one of theirs.
    let restored = connection
        .prepare(&format!(
            "INSERT OR IGNORE INTO products (key, {COLUMNS}) \
             SELECT CASE WHEN EXISTS (SELECT 1 FROM products WHERE products.key = undo_products.key) \
                    OR EXISTS (SELECT 1 FROM hidden_products WHERE key BETWEEN first AND last) \
                    THEN NULL ELSE key END AS free, {COLUMNS} \
             FROM undo_products WHERE undo = ? AND version IS NULL \
             ORDER BY free IS NULL, undo_products.key \
             RETURNING id, title"
        ))?
        .query_map([undo], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<Result<Vec<(String, String)>, _>>()?;
    for (id, title) in &restored {
        let about = Some((id.as_str(), title.as_str()));
        activity::insert(connection, actor, Action::Added, about, Map::new(), now)?;
    }
    Ok(restored.len() as u64)
}

fn restore_changed(
    connection: &Connection,
    undo: i64,
    actor: &str,
    now: Timestamp,
) -> Result<u64, StoreError> {
    let before = connection
        .prepare(&format!(
            "SELECT {COLUMNS} FROM undo_products WHERE undo = ?1 AND EXISTS ( \
                 SELECT 1 FROM products WHERE products.id = undo_products.id \
                 AND products.updated_at = undo_products.version)"
        ))?
        .query_map([undo], product)?
        .collect::<Result<Vec<Product>, _>>()?;
    for old in &before {
        let current = find(connection, &old.id)?;
        let version = now
            .as_millisecond()
            .max(current.updated_at.as_millisecond() + 1);
        set(connection, &old.id, &old.details, version)?;
        let changes = changed_fields(&current, &old.details);
        let about = Some((old.id.as_str(), old.details.title.as_str()));
        activity::insert(connection, actor, Action::Changed, about, changes, now)?;
    }
    Ok(before.len() as u64)
}
