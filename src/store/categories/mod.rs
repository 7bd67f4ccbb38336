//! The categories: their snapshot in memory, and the labels of stored keys.

mod archived;
mod change;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::Connection;

pub(crate) use self::archived::add_archived;
use super::Store;
use super::db::error::StoreError;
use super::db::rows::scalar;
use crate::domain::{Categories, Category, CategoryKey, ListedCategory};

/// SQL of the label of a row's category, for [`Category::from_label`].
pub(crate) const LABEL: &str = "(SELECT label FROM category_labels WHERE stored = category)";
/// SQL of the name of a row's category.
pub(crate) const NAME: &str = "(SELECT name FROM category_labels WHERE stored = category)";

/// The categories of the newest version that was read.
#[derive(Default)]
pub(super) struct CategoryCache(Mutex<Option<(i64, Arc<Categories>)>>);

impl CategoryCache {
    /// Returns the categories of the connection's snapshot.
    pub(crate) fn at(&self, connection: &Connection) -> Result<Arc<Categories>, StoreError> {
        let version = scalar(connection, "SELECT version FROM category_version", [])?;
        let known = self
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        if let Some((of, categories)) = &known
            && *of == version
        {
            return Ok(Arc::clone(categories));
        }
        let categories = Arc::new(read(connection)?);
        if known.is_none_or(|(of, _)| of < version) {
            let newest = Some((version, Arc::clone(&categories)));
            *self.0.lock().unwrap_or_else(PoisonError::into_inner) = newest;
        }
        Ok(categories)
    }
}

impl Store {
    /// Returns the categories.
    pub fn categories(&self) -> Result<Arc<Categories>, StoreError> {
        self.read(|connection| self.0.categories.at(connection))
    }

    /// Returns the categories with their number of live products, those of the categories below included.
    pub fn count_categories(&self) -> Result<Vec<(ListedCategory, i64)>, StoreError> {
        self.read(|connection| {
            let categories = self.0.categories.at(connection)?;
            let mut statement =
                connection.prepare_cached("SELECT category, products FROM product_counts")?;
            let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
            let counts: HashMap<String, i64> = rows.collect::<rusqlite::Result<_>>()?;
            let sums = categories.sums(|key| counts.get(&key.key).copied().unwrap_or(0));
            Ok(categories.all().iter().cloned().zip(sums).collect())
        })
    }
}

/// A row of the table.
struct Stored {
    number: u16,
    key: String,
    parent: Option<u16>,
    merged_into: Option<u16>,
    name: String,
    listed: ListedCategory,
}

/// Reads the categories in the order of display.
pub(crate) fn read(connection: &Connection) -> Result<Categories, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT number, key, name, slug, parent, hidden, drawing, ground, text, merged_into \
         FROM categories ORDER BY position, number",
    )?;
    let rows = statement.query_map([], |row| {
        let (key, name): (String, String) = (row.get("key")?, row.get("name")?);
        Ok(Stored {
            number: row.get("number")?,
            parent: row.get("parent")?,
            merged_into: row.get("merged_into")?,
            listed: ListedCategory {
                category: Category::new(&key, &name, None),
                slug: row.get("slug")?,
                parent: None,
                is_hidden: row.get("hidden")?,
                drawing: row.get("drawing")?,
                ground: row.get("ground")?,
                text: row.get("text")?,
            },
            key,
            name,
        })
    })?;
    let rows: Vec<Stored> = rows.collect::<rusqlite::Result<_>>()?;
    let is_below = |row: &&Stored, parent| row.parent == parent && row.merged_into.is_none();
    let mut all = Vec::new();
    let mut positions = HashMap::new();
    for top in rows.iter().filter(|row| is_below(row, None)) {
        positions.insert(top.number, all.len());
        all.push(top.listed.clone());
        for row in rows.iter().filter(|row| is_below(row, Some(top.number))) {
            positions.insert(row.number, all.len());
            all.push(ListedCategory {
                category: Category::new(&row.key, &row.name, Some(&top.name)),
                parent: Some(top.listed.slug.clone()),
                ..row.listed.clone()
            });
        }
    }
    let keys = rows.iter().filter_map(|row| {
        let number = row.merged_into.unwrap_or(row.number);
        Some(CategoryKey {
            key: row.key.clone(),
            number: row.number,
            position: *positions.get(&number)?,
        })
    });
    let merged = rows.iter().rev().filter_map(|row| {
        let position = *positions.get(&row.merged_into?)?;
        Some((row.name.clone(), row.listed.slug.clone(), position))
    });
    let mut statement = connection.prepare_cached(
        "SELECT former_categories.name, former_categories.slug, coalesce(merged_into, number) \
         FROM former_categories JOIN categories ON number = category \
         ORDER BY former_categories.key DESC",
    )?;
    let renamed = statement.query_map([], |row| {
        Ok((row.get(0)?, row.get(1)?, row.get::<_, u16>(2)?))
    })?;
    let renamed: Vec<(String, String, u16)> = renamed.collect::<rusqlite::Result<_>>()?;
    let renamed = renamed.into_iter().filter_map(|(name, slug, number)| {
        let position = *positions.get(&number)?;
        Some((name, slug, position))
    });
    let former = renamed.chain(merged).collect();
    Ok(Categories::new(all, keys.collect(), former))
}
