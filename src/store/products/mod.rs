//! Single products: reading, changing and counting clicks.

pub(crate) mod activity;
pub(crate) mod bulk;
pub(crate) mod row;

use jiff::Timestamp;
use rusqlite::Connection;
use rusqlite::types::Value;
use serde_json::Map;

use self::row::{COLUMNS, product};
use super::list;
use super::list::snapshot::VISIBLE;
use super::{Pending, Store, StoreError, new_id, read_time};
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

    /// Some of the products, in the order of their ids: each id, and when its product
    /// last changed.
    ///
    /// # Errors
    ///
    /// [`StoreError::Busy`] when no connection became free in time.
    pub fn list_ids(&self, skip: u32, most: u32) -> Result<Vec<(String, Timestamp)>, StoreError> {
        self.read(|connection| {
            // The ids are skipped in their index, without their products.
            let mut statement = connection.prepare_cached(&format!(
                "SELECT id, updated_at FROM products WHERE key IN \
                 (SELECT key FROM products WHERE {VISIBLE} ORDER BY id LIMIT ?1 OFFSET ?2) \
                 ORDER BY id",
            ))?;
            let rows =
                statement.query_map([most, skip], |row| Ok((row.get(0)?, read_time(row, 1)?)))?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
    }

    /// How many products there are in all.
    ///
    /// # Errors
    ///
    /// [`StoreError::Busy`] when no connection became free in time.
    pub fn count_products(&self) -> Result<i64, StoreError> {
        self.read(list::count_all)
    }

    /// Gives every product to `each`, oldest first, as of one moment, until `each`
    /// fails. Holds one product in memory at a time.
    ///
    /// # Errors
    ///
    /// [`StoreError`] when reading fails, or the error of `each`.
    pub fn for_each_product<E: From<StoreError>>(
        &self,
        mut each: impl FnMut(&Product) -> Result<(), E>,
    ) -> Result<(), E> {
        let connection = self.connection_of_its_own()?;
        let sql = format!("SELECT {COLUMNS} FROM products WHERE {VISIBLE} ORDER BY key");
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
            connection
                .prepare_cached(
                    "INSERT INTO products (title, description, price, discount, final_price, category, \
                     source, affiliate_link, images, average_rating, total_ratings, created_at, updated_at, id) \
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?12, ?13)",
                )?
                .execute(rusqlite::params_from_iter(
                    columns_of(&details)
                        .into_iter()
                        .chain([now.as_millisecond().into(), Value::from(id.clone())]),
                ))?;
            let about = Some((id.as_str(), details.title.as_str()));
            activity::insert(connection, &actor, Action::Added, about, Map::new(), now)?;
            find(connection, &id)
        })
    }

    /// Replaces the details of a product that is still as it was at `seen`, and
    /// gives it as stored; `actor` is who changes it. A change that changes nothing
    /// leaves no trace.
    ///
    /// Fails with [`StoreError::NotFound`] when it is gone, and with
    /// [`StoreError::Conflict`] when it was changed since.
    pub fn update_product(
        &self,
        id: String,
        details: NewProduct,
        actor: String,
        seen: Timestamp,
        now: Timestamp,
    ) -> Pending<Product> {
        self.write(move |connection| {
            let current = find(connection, &id)?;
            if current.updated_at != seen {
                return Err(StoreError::Conflict("updatedAt".to_owned()));
            }
            let changes = changed_fields(&current, &details);
            if changes.is_empty() {
                return Ok(current);
            }
            // Every version has a time of its own, also within a millisecond.
            let version = now.as_millisecond().max(seen.as_millisecond() + 1);
            connection
                .prepare_cached(
                    "UPDATE products SET (title, description, price, discount, final_price, category, \
                     source, affiliate_link, images, average_rating, total_ratings, updated_at) \
                     = (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12) WHERE id = ?13",
                )?
                .execute(rusqlite::params_from_iter(
                    columns_of(&details)
                        .into_iter()
                        .chain([version.into(), Value::from(id.clone())]),
                ))?;
            let about = Some((id.as_str(), details.title.as_str()));
            activity::insert(connection, &actor, Action::Changed, about, changes, now)?;
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
            activity::insert(connection, &actor, Action::Deleted, about, Map::new(), now)
        })
    }

    /// Counts one click and gives the product's new count once it is committed.
    pub fn record_click(&self, id: String) -> Pending<i64> {
        self.write(move |connection| {
            let mut statement = connection.prepare_cached(&format!(
                "UPDATE products SET clicks = clicks + 1 WHERE id = ? AND {VISIBLE} RETURNING clicks",
            ))?;
            Ok(statement.query_row([id], |row| row.get(0))?)
        })
    }
}

pub(crate) fn find(connection: &Connection, id: &str) -> Result<Product, StoreError> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM products WHERE id = ? AND {VISIBLE}"
    ))?;
    Ok(statement.query_row([id], product)?)
}

/// The values of the eleven columns from `title` to `total_ratings`, in the order
/// of the statements above and of the import's.
pub(crate) fn columns_of(details: &NewProduct) -> [Value; 11] {
    [
        details.title.clone().into(),
        details.description.clone().into(),
        details.price.get().into(),
        details.discount.get().into(),
        details.price.after(details.discount).get().into(),
        details.category.as_str().to_owned().into(),
        details.source.clone().into(),
        details.affiliate_link.clone().into(),
        serde_json::Value::from(details.images.as_slice())
            .to_string()
            .into(),
        details.average_rating.into(),
        details.total_ratings.into(),
    ]
}
