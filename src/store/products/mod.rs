//! Single products: reading, adding, changing and deleting them.

pub(crate) mod activity;
pub(crate) mod bulk;
pub(crate) mod columns;
pub(crate) mod duplicates;
pub(crate) mod hidden;
pub(crate) mod lifetimes;
pub(crate) mod links;
pub(crate) mod over_reports;
pub(crate) mod pictures;
pub(crate) mod price_checks;
pub(crate) mod prices;
pub(crate) mod queue;
pub(crate) mod removed;
pub(crate) mod seller_offers;
pub(crate) mod tags;
pub(crate) mod walk;

use std::sync::LazyLock;

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, params};
use serde_json::Map;

use self::activity::ActivityLog;
use self::columns::{
    DETAIL_LIST, DETAIL_PARAMETERS, READ, assign_times, execute, parameters, product,
};
use super::Store;
use super::categories;
use super::db::error::{Result, StoreError};
use super::db::pending::Pending;
use super::db::rows::{new_id, run, scalar, time_at};
use super::idempotency::{Keep, once};
use super::pictures::note_uses;
use crate::domain::{Action, Categories, EXTERNAL_ID, NewProduct, Paise, Product, changed_fields};

impl Store {
    /// Returns the product with this `_id`, with its price history.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`] when there is none.
    pub fn find_product(&self, id: &str) -> Result<Product> {
        self.read(|connection| find_with_prices(connection, id))
    }

    /// Like [`Store::find_product`], without drafts and scheduled products.
    pub fn find_public_product(&self, id: &str) -> Result<Product> {
        let found = self.find_product(id)?;
        if found.state.is_public() {
            Ok(found)
        } else {
            Err(StoreError::NotFound)
        }
    }

    /// Returns the seller's oldest product with this link, as it would be stored, if any.
    pub fn find_product_by_link(&self, source: &str, link: &str) -> Result<Option<Product>> {
        self.read(|connection| {
            let (mut source, mut link) = (source.to_owned(), link.to_owned());
            links::rules(connection)?.apply(&mut source, &mut link);
            let mut statement = connection.prepare_cached(&same_deal(&READ, ""))?;
            Ok(statement.query_row([link, source], product).optional()?)
        })
    }

    /// Returns `most` live products' ids and the times at which their pages changed, by id, after `skip` of them.
    pub fn list_ids(&self, skip: u32, most: u32) -> Result<Vec<(String, Timestamp)>> {
        self.read(|connection| {
            // The subquery skips within the index, without reading rows.
            let mut statement = connection.prepare_cached(
                "SELECT id, max(published_at, coalesce(content_at, updated_at)) FROM live_products WHERE key IN \
                 (SELECT key FROM live_products ORDER BY id LIMIT ?1 OFFSET ?2) \
                 ORDER BY id",
            )?;
            let rows =
                statement.query_map([most, skip], |row| Ok((row.get(0)?, time_at(row, 1)?)))?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
    }

    /// Counts the live products.
    pub fn count_products(&self) -> Result<i64> {
        self.read(lifetimes::count_all_live)
    }

    /// Calls `each` with every product of one snapshot, oldest first, until it fails. Streams: one
    /// product is in memory at a time. Returns the categories of the snapshot.
    pub fn for_each_product<E: From<StoreError>>(
        &self,
        mut each: impl FnMut(&mut Product) -> Result<(), E>,
    ) -> Result<Categories, E> {
        let connection = self.connection_of_its_own()?;
        let snapshot = connection.unchecked_transaction();
        let connection = snapshot.map_err(StoreError::from)?;
        let sql = format!("SELECT {} FROM listed_products ORDER BY key", *READ);
        let mut statement = connection.prepare(&sql).map_err(StoreError::from)?;
        let rows = statement.query_map([], product).map_err(StoreError::from)?;
        for product in rows {
            each(&mut product.map_err(StoreError::from)?)?;
        }
        Ok(categories::read(&connection)?)
    }

    /// Adds a product, with its link by the rules for links, and returns it; `actor` is logged.
    ///
    /// If `unique`, fails with [`StoreError::Duplicate`] when the seller has a product with the
    /// external id or link.
    pub fn insert_product(
        &self,
        mut details: NewProduct,
        actor: String,
        now: Timestamp,
        unique: bool,
        keep: Option<Keep<'static, Added>>,
    ) -> Pending<Added> {
        self.write(move |connection| {
            once(connection, keep, now, || {
                links::apply(connection, &mut details)?;
                note_uses(connection, &details.images, &[], now)?;
                match same_product(connection, &details)? {
                    Some(id) if unique => Err(StoreError::Duplicate(id)),
                    duplicate_of => Ok(Added {
                        product: add_product(connection, &details, &actor, now)?,
                        duplicate_of,
                    }),
                }
            })
        })
    }

    /// Replaces the details of a product whose `updated_at` is still `seen`, and returns it;
    /// `actor` is logged unless nothing changed. `has_checked_offers` records a check of its
    /// offers.
    ///
    /// The link follows the rules for links.
    ///
    /// Fails with [`StoreError::NotFound`] if it was deleted, and with [`StoreError::Conflict`] if
    /// it was changed since.
    pub fn update_product(
        &self,
        id: String,
        mut details: NewProduct,
        actor: String,
        seen: Timestamp,
        has_checked_offers: bool,
        now: Timestamp,
    ) -> Pending<Product> {
        self.write(move |connection| {
            let current = find(connection, &id)?;
            if current.updated_at != seen {
                return Err(StoreError::Conflict("updatedAt".to_owned()));
            }
            links::apply(connection, &mut details)?;
            note_uses(connection, &details.images, &current.details.images, now)?;
            if current.details.has_same_price(&details) {
                prices::check(connection, &id, now)?;
            }
            if has_checked_offers {
                offers_checked(connection, &id, now)?;
            }
            let changes = changed_fields(&current, &details);
            if changes.is_empty() {
                price_checks::record(connection, &id, now)?;
                return find_with_prices(connection, &id);
            }
            replace(connection, &current, &details, &actor, now)?;
            price_checks::clear(connection, &id)?;
            let about = Some((id.as_str(), details.title.as_str()));
            ActivityLog::new(&actor, now).write(connection, Action::Changed, about, changes)?;
            find_with_prices(connection, &id)
        })
    }

    /// Records that a product's final price is still `seen`, and returns the product.
    ///
    /// Fails with [`StoreError::NotFound`] if it was deleted, and with [`StoreError::Conflict`] if
    /// its price is another one.
    pub fn confirm_price(&self, id: String, seen: Paise, now: Timestamp) -> Pending<Product> {
        self.write(move |connection| {
            let current = find(connection, &id)?;
            if current.details.final_price != seen {
                return Err(StoreError::Conflict("finalPrice".to_owned()));
            }
            prices::check(connection, &id, now)?;
            price_checks::record(connection, &id, now)?;
            find_with_prices(connection, &id)
        })
    }

    /// Deletes a product; `actor` is logged. Fails with [`StoreError::NotFound`] if there is none.
    pub fn delete_product(&self, id: String, actor: String, now: Timestamp) -> Pending<()> {
        self.write(move |connection| {
            let gone = find(connection, &id)?;
            connection.execute("DELETE FROM products WHERE id = ?", [&id])?;
            let about = Some((id.as_str(), gone.details.title.as_str()));
            ActivityLog::new(&actor, now).write(connection, Action::Deleted, about, Map::new())
        })
    }
}

/// A product that was added.
#[derive(Debug, Clone)]
pub struct Added {
    /// The product.
    pub product: Product,
    /// Id of the seller's older product with the same external id or link.
    pub duplicate_of: Option<String>,
}

/// Returns the id of the seller's oldest product with the external id, else with the link: unless both
/// have an external id.
fn same_product(connection: &Connection, details: &NewProduct) -> Result<Option<String>> {
    let NewProduct {
        source,
        affiliate_link,
        ..
    } = details;
    let find = |sql: String, value: &str| -> Result<Option<String>> {
        let mut statement = connection.prepare_cached(&sql)?;
        let id = statement.query_row([value, source.as_str()], |row| row.get(0));
        Ok(id.optional()?)
    };
    match details.lines.get(EXTERNAL_ID) {
        None => find(same_deal("id", ""), affiliate_link),
        Some(external_id) => match find(same_external_id("id", ""), external_id)? {
            None => find(same_deal("id", "AND external_id IS NULL"), affiliate_link),
            found => Ok(found),
        },
    }
}

/// Like [`same_deal`], with an external id (`?1`).
pub(crate) fn same_external_id(columns: &str, and: &str) -> String {
    format!(
        "SELECT {columns} FROM listed_products AS listed \
         WHERE external_id = ?1 AND source = ?2 {and} ORDER BY key LIMIT 1"
    )
}

/// Returns a SELECT of the seller's (`?2`) oldest product with a link (`?1`), in any state: the one that
/// an import of the two changes. `and` is a further condition on `listed`.
pub(crate) fn same_deal(columns: &str, and: &str) -> String {
    format!(
        "SELECT {columns} FROM listed_products AS listed \
         WHERE affiliate_link = ?1 AND source = ?2 {and} ORDER BY key LIMIT 1"
    )
}

pub(crate) fn find(connection: &Connection, id: &str) -> Result<Product> {
    static FIND: LazyLock<String> =
        LazyLock::new(|| format!("SELECT {} FROM listed_products WHERE id = ?", *READ));
    let mut statement = connection.prepare_cached(&FIND)?;
    Ok(statement.query_row([id], product)?)
}

fn add_product(
    connection: &Connection,
    details: &NewProduct,
    actor: &str,
    now: Timestamp,
) -> Result<Product> {
    let id = new_id();
    insert(connection, &id, details, now)?;
    prices::set_author(connection, &id, actor)?;
    let about = Some((id.as_str(), details.title.as_str()));
    ActivityLog::new(actor, now).write(connection, Action::Added, about, Map::new())?;
    find_with_prices(connection, &id)
}

pub(crate) fn find_with_prices(connection: &Connection, id: &str) -> Result<Product> {
    let mut found = find(connection, id)?;
    prices::attach(connection, std::slice::from_mut(&mut found))?;
    Ok(found)
}

fn insert(connection: &Connection, id: &str, details: &NewProduct, now: Timestamp) -> Result<()> {
    let mut statement = connection.prepare_cached(&format!(
        "INSERT INTO products (id, {}, created_at, updated_at) VALUES (:id, {}, :now, :now)",
        *DETAIL_LIST, *DETAIL_PARAMETERS
    ))?;
    let mut parameters = parameters(details);
    parameters.push((":id", id.to_owned().into()));
    parameters.push((":now", now.as_millisecond().into()));
    execute(&mut statement, &parameters)?;
    lifetimes::settle(connection, id, now)
}

/// Returns a unique `updated_at` for the next version, in milliseconds.
pub(crate) fn next_version(current: &Product, now: Timestamp) -> i64 {
    let seen = current.updated_at.as_millisecond();
    now.as_millisecond().max(seen + 1)
}

/// Replaces a product's details, and updates state and price history.
pub(crate) fn replace(
    connection: &Connection,
    current: &Product,
    details: &NewProduct,
    actor: &str,
    now: Timestamp,
) -> Result<()> {
    let id = current.id.as_str();
    let mut statement = connection.prepare_cached(&format!(
        "UPDATE products SET ({}, updated_at) = ({}, :version), {} WHERE id = :id",
        *DETAIL_LIST,
        *DETAIL_PARAMETERS,
        assign_times(|column| format!(":{column}"), ":version")
    ))?;
    let mut parameters = parameters(details);
    parameters.push((":id", id.to_owned().into()));
    parameters.push((":version", next_version(current, now).into()));
    execute(&mut statement, &parameters)?;
    lifetimes::settle(connection, id, now)?;
    if current.details.has_same_price(details) {
        return Ok(());
    }
    prices::set_author(connection, id, actor)
}

fn offers_checked(connection: &Connection, id: &str, now: Timestamp) -> Result<()> {
    let sql = "UPDATE offer_checks SET at = max(at, ?2) \
             WHERE product = (SELECT key FROM listed_products WHERE id = ?1)";
    run(connection, sql, params![id, now.as_millisecond()])
}

/// Returns the number of the last entry in `product_changes`. As a transaction's first query it
/// takes the snapshot.
pub(crate) fn last_change(connection: &Connection) -> Result<i64> {
    let sql = "SELECT coalesce(max(number), 0) FROM product_changes";
    Ok(scalar(connection, sql, [])?)
}
