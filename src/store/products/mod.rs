//! Single products: reading, adding, changing and deleting them.

pub(crate) mod activity;
pub(crate) mod bulk;
pub(crate) mod columns;
pub(crate) mod hidden;
pub(crate) mod lifetimes;
pub(crate) mod pictures;
pub(crate) mod price_looks;
pub(crate) mod prices;

use std::sync::LazyLock;

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, params};
use serde_json::Map;

use self::activity::ActivityLog;
use self::columns::{DETAIL_LIST, DETAIL_PARAMETERS, READ, execute, parameters, product};
use super::Store;
use super::db::error::StoreError;
use super::db::pending::Pending;
use super::db::rows::{new_id, time_at};
use crate::domain::{Action, NewProduct, Product, changed_fields};

impl Store {
    /// The product with this `_id`.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`] when there is none.
    pub fn find_product(&self, id: &str) -> Result<Product, StoreError> {
        self.read(|connection| find(connection, id))
    }

    /// As [`Store::find_product`], but only if visitors may see it now: a draft is not there yet, and
    /// nor is what starts later.
    pub fn find_public_product(&self, id: &str) -> Result<Product, StoreError> {
        let found = self.find_product(id)?;
        if found.state.is_public() {
            Ok(found)
        } else {
            Err(StoreError::NotFound)
        }
    }

    /// The oldest product with this link of this seller, if there is one.
    pub fn find_product_by_link(
        &self,
        source: &str,
        link: &str,
    ) -> Result<Option<Product>, StoreError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(&format!(
                "SELECT {} FROM listed_products WHERE affiliate_link = ? AND source = ? \
                 ORDER BY key LIMIT 1",
                *READ
            ))?;
            Ok(statement.query_row([link, source], product).optional()?)
        })
    }

    /// Whether there was a product with this `_id` that was deleted.
    pub fn was_deleted(&self, id: &str) -> Result<bool, StoreError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT 1 FROM activity WHERE action = 'deleted' AND product = ?",
            )?;
            Ok(statement.exists([id])?)
        })
    }

    /// Some of the products, in the order of their ids: each id, and when its product
    /// last changed.
    pub fn list_ids(&self, skip: u32, most: u32) -> Result<Vec<(String, Timestamp)>, StoreError> {
        self.read(|connection| {
            // The ids are skipped in their index, without their products.
            let mut statement = connection.prepare_cached(
                "SELECT id, updated_at FROM live_products WHERE key IN \
                 (SELECT key FROM live_products ORDER BY id LIMIT ?1 OFFSET ?2) \
                 ORDER BY id",
            )?;
            let rows =
                statement.query_map([most, skip], |row| Ok((row.get(0)?, time_at(row, 1)?)))?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
    }

    /// How many products the lists show.
    pub fn count_products(&self) -> Result<i64, StoreError> {
        self.read(count_all)
    }

    /// Gives every product to `each`, oldest first, as of one moment, until `each`
    /// fails. Holds one product in memory at a time.
    pub fn for_each_product<E: From<StoreError>>(
        &self,
        mut each: impl FnMut(&Product) -> Result<(), E>,
    ) -> Result<(), E> {
        let connection = self.connection_of_its_own()?;
        let sql = format!("SELECT {} FROM listed_products ORDER BY key", *READ);
        let mut statement = connection.prepare(&sql).map_err(StoreError::from)?;
        let rows = statement.query_map([], product).map_err(StoreError::from)?;
        for product in rows {
            each(&product.map_err(StoreError::from)?)?;
        }
        Ok(())
    }

    /// Adds a product and gives it as stored; `actor` is who adds it.
    pub fn insert_product(
        &self,
        details: NewProduct,
        actor: String,
        now: Timestamp,
    ) -> Pending<Product> {
        self.write(move |connection| {
            let id = new_id();
            insert(connection, &id, &details, now)?;
            prices::by(connection, &id, &actor)?;
            let about = Some((id.as_str(), details.title.as_str()));
            ActivityLog::new(&actor, now).write(connection, Action::Added, about, Map::new())?;
            find(connection, &id)
        })
    }

    /// Replaces the details of a product that is still as it was at `seen`, and
    /// gives it as stored; `actor` is who changes it. A change that changes nothing
    /// writes no line to the activity log. With `has_checked_offers` its offers were found to be so, too.
    ///
    /// Fails with [`StoreError::NotFound`] when it is gone, and with
    /// [`StoreError::Conflict`] when it was changed since.
    pub fn update_product(
        &self,
        id: String,
        details: NewProduct,
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
            if current.details.costs_as(&details) {
                prices::looked_at(connection, &id, now)?;
            }
            if has_checked_offers {
                offers_checked(connection, &id, now)?;
            }
            let changes = changed_fields(&current, &details);
            if changes.is_empty() {
                price_looks::at(connection, &id, now)?;
                return find(connection, &id);
            }
            replace(connection, &current, &details, &actor, now)?;
            price_looks::with_its_change(connection, &id)?;
            let about = Some((id.as_str(), details.title.as_str()));
            ActivityLog::new(&actor, now).write(connection, Action::Changed, about, changes)?;
            find(connection, &id)
        })
    }

    /// Deletes a product; `actor` is who deletes it. Fails with
    /// [`StoreError::NotFound`] when there is none.
    pub fn delete_product(&self, id: String, actor: String, now: Timestamp) -> Pending<()> {
        self.write(move |connection| {
            let gone = find(connection, &id)?;
            connection.execute("DELETE FROM products WHERE id = ?", [&id])?;
            let about = Some((id.as_str(), gone.details.title.as_str()));
            ActivityLog::new(&actor, now).write(connection, Action::Deleted, about, Map::new())
        })
    }
}

pub(crate) fn find(connection: &Connection, id: &str) -> Result<Product, StoreError> {
    static FIND: LazyLock<String> =
        LazyLock::new(|| format!("SELECT {} FROM listed_products WHERE id = ?", *READ));
    let mut statement = connection.prepare_cached(&FIND)?;
    Ok(statement.query_row([id], product)?)
}

fn insert(
    connection: &Connection,
    id: &str,
    details: &NewProduct,
    now: Timestamp,
) -> Result<(), StoreError> {
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

/// The time of the next change of a product, in milliseconds: every version has one of its own, also
/// within a millisecond.
pub(crate) fn next_version(current: &Product, now: Timestamp) -> i64 {
    let seen = current.updated_at.as_millisecond();
    now.as_millisecond().max(seen + 1)
}

/// Replaces a product's details, as `actor` has it; its state and its prices follow.
pub(crate) fn replace(
    connection: &Connection,
    current: &Product,
    details: &NewProduct,
    actor: &str,
    now: Timestamp,
) -> Result<(), StoreError> {
    let id = current.id.as_str();
    let mut statement = connection.prepare_cached(&format!(
        "UPDATE products SET ({}, updated_at) = ({}, :version) WHERE id = :id",
        *DETAIL_LIST, *DETAIL_PARAMETERS
    ))?;
    let mut parameters = parameters(details);
    parameters.push((":id", id.to_owned().into()));
    parameters.push((":version", next_version(current, now).into()));
    execute(&mut statement, &parameters)?;
    lifetimes::settle(connection, id, now)?;
    if current.details.costs_as(details) {
        return Ok(());
    }
    prices::by(connection, id, actor)
}

/// Notes that somebody found a product's offers as they are.
fn offers_checked(connection: &Connection, id: &str, now: Timestamp) -> Result<(), StoreError> {
    connection
        .prepare_cached(
            "UPDATE offer_checks SET at = max(at, ?2) \
             WHERE product = (SELECT key FROM listed_products WHERE id = ?1)",
        )?
        .execute(params![id, now.as_millisecond()])?;
    Ok(())
}

/// How many products are live.
pub(crate) fn count_all(connection: &Connection) -> Result<i64, StoreError> {
    let mut statement =
        connection.prepare_cached("SELECT products FROM product_counts WHERE category = 'all'")?;
    Ok(statement.query_row([], |row| row.get(0))?)
}

/// The number of the last change of a product (`product_changes`). As the first query of a
/// transaction it takes the transaction's snapshot.
pub(crate) fn last_change(connection: &Connection) -> Result<i64, StoreError> {
    let mut statement = connection.prepare_cached("SELECT max(number) FROM product_changes")?;
    Ok(statement
        .query_row([], |row| row.get::<_, Option<i64>>(0))?
        .unwrap_or(0))
}
