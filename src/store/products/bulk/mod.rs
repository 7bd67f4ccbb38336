//! Bulk changes and deletions in parts, which can be undone.

pub(crate) mod parts;
mod revert;
pub(crate) mod undos;

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};

use jiff::Timestamp;
use rusqlite::{Connection, params};
use serde_json::{Map, json};

use super::activity::ActivityLog;
use super::columns::{PRICE_SEEN, TO_JSON};
use super::{find, next_version, price_checks, replace};
use crate::domain::{
    Action, Category, Discount, PRICE_CHANGE, Paise, PriceChange, Product, State, add_tags,
    changed_fields, tag_key,
};
use crate::store::Store;
use crate::store::db::error::{Result, StoreError};
use crate::store::db::rows::{new_id, run};
use crate::store::idempotency::{Keep, record, refuse_repeated};
use parts::Room;

/// Kind of bulk change.
#[derive(Debug, Clone)]
pub enum BulkChange {
    /// Delete them.
    Delete,
    /// Set the category.
    Category(Category),
    /// Add tags, except to those that would have too many.
    AddTags(Vec<String>),
    /// Remove tags.
    RemoveTags(Vec<String>),
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
    /// Returns what a change of prices would do, unless nobody waits for it any more.
    ///
    /// # Errors
    ///
    /// [`StoreError::PriceOutOfRange`] with the products that it can't change, [`StoreError::Busy`] if it
    /// is abandoned.
    pub fn preview_price_change(
        &self,
        ids: &[String],
        change: PriceChange,
        is_abandoned: &AtomicBool,
    ) -> Result<PricePreview> {
        self.read(|connection| preview(connection, ids, change, is_abandoned))
    }

    /// Changes all of these products in parts, or none of them; `actor` is logged. Waits for another
    /// change in parts.
    ///
    /// # Errors
    ///
    /// [`StoreError::PriceOutOfRange`] if a price can't be changed so.
    pub fn bulk_change(
        &self,
        ids: Vec<String>,
        change: BulkChange,
        actor: String,
        now: Timestamp,
        keep: Option<Keep<'static, BulkOutcome>>,
    ) -> Result<BulkOutcome> {
        if let BulkChange::Price(change) = change {
            self.preview_price_change(&ids, change, &AtomicBool::new(false))?;
        }
        self.change_in_parts(|_| Ok(ids), change, actor, now, keep)
    }

    /// Changes the products that `choose` returns in the transaction of the first part. If a part fails,
    /// those before it are reverted.
    pub(crate) fn change_in_parts(
        &self,
        choose: impl FnOnce(&Connection) -> Result<Vec<String>> + Send + 'static,
        change: BulkChange,
        actor: String,
        now: Timestamp,
        keep: Option<Keep<'static, BulkOutcome>>,
    ) -> Result<BulkOutcome> {
        let making = Making {
            choose: Some(Box::new(choose)),
            ids: Vec::new().into_iter(),
            change,
            activity: ActivityLog::new(actor, now),
            now,
            keep,
            outcome: BulkOutcome {
                changed: 0,
                undo: new_id(),
            },
        };
        let made = self.make_in_parts(making, change_part, now)?;
        Ok(made.outcome)
    }
}

/// Chooses the ids of the products that change.
type Choose = Box<dyn FnOnce(&Connection) -> Result<Vec<String>> + Send>;

/// A change of products that is being made.
struct Making {
    /// Chooses the products, in the first part.
    choose: Option<Choose>,
    /// Products that are left.
    ids: std::vec::IntoIter<String>,
    change: BulkChange,
    activity: ActivityLog<'static>,
    now: Timestamp,
    keep: Option<Keep<'static, BulkOutcome>>,
    outcome: BulkOutcome,
}

fn change_part(connection: &Connection, making: &mut Making, room: &mut Room) -> Result<bool> {
    let now = making.now;
    if let Some(choose) = making.choose.take() {
        if let Some(keep) = &making.keep {
            refuse_repeated(connection, &keep.request, now)?;
        }
        let mut ids = choose(connection)?;
        // A price changed by an amount must not change twice.
        let mut seen = HashSet::new();
        ids.retain(|id| seen.insert(id.clone()));
        making.ids = ids.into_iter();
        undos::begin(connection, &making.outcome.undo, now)?;
    }
    let key = undos::key_of_open(connection, &making.outcome.undo)?;
    while making.ids.len() > 0 && room.takes_one() {
        let Some(id) = making.ids.next() else { break };
        let product = match find(connection, &id) {
            Err(StoreError::NotFound) => continue,
            found => found?,
        };
        let activity = &mut making.activity;
        let is_changed = apply(connection, key, &product, &making.change, activity, now)?;
        making.outcome.changed += u64::from(is_changed);
    }
    if making.ids.len() > 0 {
        return Ok(false);
    }
    undos::close(connection, key)?;
    if let Some(keep) = making.keep.take() {
        record(connection, keep, &making.outcome, now)?;
    }
    Ok(true)
}

/// Computes a change of prices, without changing anything.
fn preview(
    connection: &Connection,
    ids: &[String],
    change: PriceChange,
    is_abandoned: &AtomicBool,
) -> Result<PricePreview> {
    let mut preview = PricePreview::default();
    let mut refused = Vec::new();
    let mut seen = HashSet::new();
    for id in ids.iter().filter(|id| seen.insert(id.as_str())) {
        if is_abandoned.load(Ordering::Relaxed) {
            return Err(StoreError::Busy("a preview was abandoned".to_owned()));
        }
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

fn apply(
    connection: &Connection,
    undo: i64,
    current: &Product,
    change: &BulkChange,
    activity: &mut ActivityLog<'_>,
    now: Timestamp,
) -> Result<bool> {
    let id = current.id.as_str();
    let about = Some((id, current.details.title.as_str()));
    let mut details = current.details.clone();
    match change.clone() {
        BulkChange::Delete => {
            save_for_undo(connection, undo, None, id)?;
            let sql = "DELETE FROM products WHERE id = ?";
            run(connection, sql, [id])?;
            activity.write(connection, Action::Deleted, about, Map::new())?;
            return Ok(true);
        }
        BulkChange::Category(category) => details.category = category,
        BulkChange::AddTags(tags) => {
            if add_tags(&mut details.tags, tags.iter().map(String::as_str)).is_err() {
                return Ok(false);
            }
        }
        BulkChange::RemoveTags(tags) => {
            let keys: HashSet<String> = tags.iter().map(|tag| tag_key(tag)).collect();
            details.tags.retain(|tag| !keys.contains(&tag_key(tag)));
        }
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
    let mut changes = changed_fields(current, &details);
    if changes.is_empty() {
        return Ok(false);
    }
    if let BulkChange::Price(change) = change {
        changes.insert(PRICE_CHANGE.to_owned(), json!({ "to": change.words() }));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bulk_preview_stops_when_its_client_disconnects() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("deals.sqlite")).unwrap();
        let ids = ["missing".to_owned()];
        let change = PriceChange::Percent(1_000);
        let preview = |has_gone| {
            let is_abandoned = AtomicBool::new(has_gone);
            store.preview_price_change(&ids, change, &is_abandoned)
        };
        assert_eq!(preview(false).unwrap(), PricePreview::default());
        assert!(matches!(preview(true), Err(StoreError::Busy(_))));
    }
}
