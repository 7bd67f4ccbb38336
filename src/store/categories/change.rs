//! Changes of the categories, each with an entry of the activity log.

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, params};

use super::read;
use crate::domain::{Categories, CategoryEdit, CategoryRequest, FieldError, ListedCategory};
use crate::store::Store;
use crate::store::db::error::{ChangeError, Result, StoreError};
use crate::store::db::pending::Pending;
use crate::store::db::rows::{column, scalar};
use crate::store::products::activity::log_change;
use crate::store::search::query;
use crate::store::search::rebuild::write_category_terms;

/// Maximum number of rows, with those of merged categories: their keys stay.
const MOST_ROWS: i64 = 1_000;
/// Former names of a category that are kept.
const FORMER: i64 = 20;

const MISSING: ChangeError = ChangeError::Missing("There is no such category.");

type Changed = std::result::Result<(), ChangeError>;

impl Store {
    /// Adds a category; `actor` is logged.
    pub fn add_category(
        &self,
        request: CategoryRequest,
        actor: String,
        now: Timestamp,
    ) -> Pending<Changed> {
        self.write(move |connection| {
            let edit = match request.read(&read(connection)?, None) {
                Ok(edit) => edit,
                Err(errors) => return Ok(Err(ChangeError::Invalid(errors))),
            };
            if !insert(connection, &edit)? {
                let message = "There were 1,000 categories: rename one that is there.";
                let error = FieldError::new("name", message);
                return Ok(Err(ChangeError::Invalid(vec![error])));
            }
            let after = described(connection, &edit.slug)?;
            finish(connection, &actor, now, &edit.name, "", &after)
        })
    }

    /// Changes the category of a slug.
    pub fn change_category(
        &self,
        slug: String,
        request: CategoryRequest,
        actor: String,
        now: Timestamp,
    ) -> Pending<Changed> {
        self.write(move |connection| {
            let categories = read(connection)?;
            let Some(current) = categories.find_slug(&slug) else {
                return Ok(Err(MISSING));
            };
            let edit = match request.read(&categories, Some(current)) {
                Ok(edit) => edit,
                Err(errors) => return Ok(Err(ChangeError::Invalid(errors))),
            };
            update(connection, &categories, current, &edit)?;
            let (name, before) = (current.category.as_str(), current.describe());
            let after = described(connection, &edit.slug)?;
            finish(connection, &actor, now, name, &before, &after)
        })
    }

    /// Merges the category of a slug into another, or removes one that no product has had.
    pub fn remove_category(
        &self,
        slug: String,
        into: Option<String>,
        actor: String,
        now: Timestamp,
    ) -> Pending<Changed> {
        self.write(move |connection| {
            let categories = read(connection)?;
            let Some(current) = categories.find_slug(&slug) else {
                return Ok(Err(MISSING));
            };
            let name = current.category.as_str();
            let (refusal, words) = match &into {
                None => (remove(connection, &categories, current)?, String::new()),
                Some(into) => {
                    let target = categories.find_slug(into);
                    let words = target.map(|it| format!("merged into {}", it.category));
                    let merged = merge(connection, &categories, current, target)?;
                    (merged, words.unwrap_or_default())
                }
            };
            match refusal {
                Some(refusal) => Ok(Err(ChangeError::Refused(refusal))),
                None => finish(connection, &actor, now, name, &current.describe(), &words),
            }
        })
    }
}

/// Describes the category of a slug as it is now.
pub(super) fn described(connection: &Connection, slug: &str) -> Result<String> {
    let categories = read(connection)?;
    let listed = categories.find_slug(slug).ok_or(StoreError::NotFound)?;
    Ok(listed.describe())
}

/// Writes what follows from a change: the words of searches, and the activity log.
pub(super) fn finish(
    connection: &Connection,
    actor: &str,
    now: Timestamp,
    name: &str,
    from: &str,
    to: &str,
) -> Result<Changed> {
    write_category_terms(connection)?;
    let name = format!("category.{name}");
    log_change(connection, (actor, now), name, from, to).map(Ok)
}

/// Inserts a category; false if there were too many.
pub(crate) fn insert(connection: &Connection, edit: &CategoryEdit) -> Result<bool> {
    let rows: i64 = scalar(connection, "SELECT count(*) FROM categories", [])?;
    if rows >= MOST_ROWS {
        return Ok(false);
    }
    let parent = number_of(connection, edit.parent.as_deref())?;
    // The version grows with every change, so no key is used twice.
    connection.execute(
        "INSERT INTO categories (key, name, slug, parent, position, hidden, drawing, ground, text) \
         SELECT version + 1, ?, ?, ?, 100000, ?, ?, ?, ? FROM category_version",
        params![
            edit.name,
            edit.slug,
            parent,
            edit.is_hidden,
            edit.drawing,
            edit.ground,
            edit.text
        ],
    )?;
    let number = connection.last_insert_rowid();
    connection.execute(
        "INSERT INTO product_counts (category, products) \
         SELECT key, 0 FROM categories WHERE number = ?",
        [number],
    )?;
    arrange(
        connection,
        parent,
        number,
        edit.position.unwrap_or(usize::MAX),
    )?;
    Ok(true)
}

pub(super) fn update(
    connection: &Connection,
    categories: &Categories,
    current: &ListedCategory,
    edit: &CategoryEdit,
) -> Result<()> {
    let number = number_of(connection, Some(&current.slug))?.ok_or(StoreError::NotFound)?;
    let parent = number_of(connection, edit.parent.as_deref())?;
    if edit.name != current.category.as_str() {
        connection.execute(
            "INSERT INTO former_categories (name, slug, category) VALUES (?, ?, ?)",
            params![current.category.as_str(), current.slug, number],
        )?;
        connection.execute(
            "DELETE FROM former_categories WHERE category = ?1 AND key NOT IN \
             (SELECT key FROM former_categories WHERE category = ?1 ORDER BY key DESC LIMIT ?2)",
            params![number, FORMER],
        )?;
    }
    connection.execute(
        "UPDATE categories SET name = ?, slug = ?, parent = ?, hidden = ?, drawing = ?, ground = ?, \
         text = ? WHERE number = ?",
        params![
            edit.name,
            edit.slug,
            parent,
            edit.is_hidden,
            edit.drawing,
            edit.ground,
            edit.text,
            number
        ],
    )?;
    let beside = categories
        .all()
        .iter()
        .filter(|it| it.parent == edit.parent);
    let place = beside.take_while(|it| it.slug != current.slug).count();
    arrange(connection, parent, number, edit.position.unwrap_or(place))
}

/// Returns the number of the category with this slug.
pub(super) fn number_of(connection: &Connection, slug: Option<&str>) -> Result<Option<i64>> {
    let Some(slug) = slug else { return Ok(None) };
    let sql = "SELECT number FROM categories WHERE slug = ? AND merged_into IS NULL";
    Ok(scalar(connection, sql, [slug]).optional()?)
}

/// Puts a category at a position among those beside it.
fn arrange(
    connection: &Connection,
    parent: Option<i64>,
    number: i64,
    position: usize,
) -> Result<()> {
    let mut beside: Vec<i64> = column(
        connection,
        "SELECT number FROM categories WHERE parent IS ? AND number <> ? AND merged_into IS NULL \
         ORDER BY position, number",
        params![parent, number],
    )?;
    beside.insert(position.min(beside.len()), number);
    for (position, number) in (1_i64..).zip(beside) {
        let sql = "UPDATE categories SET position = ?1 WHERE number = ?2 AND position <> ?1";
        connection.execute(sql, [position, number])?;
    }
    Ok(())
}

/// Has a category's keys mean another; returns the reason if that can't be.
fn merge(
    connection: &Connection,
    categories: &Categories,
    current: &ListedCategory,
    target: Option<&ListedCategory>,
) -> Result<Option<String>> {
    let Some(target) = target else {
        return Ok(Some("There is no category to merge it into.".to_owned()));
    };
    let own = Some(current.slug.as_str());
    if Some(target.slug.as_str()) == own {
        return Ok(Some("A category can't be merged into itself.".to_owned()));
    }
    let mut all = categories.all().iter();
    if target.parent.is_some() && all.any(|it| it.parent.as_deref() == own) {
        let message = "It has categories below it, which can't be two levels down: move these first, or \
                       choose a category of the first level.";
        return Ok(Some(message.to_owned()));
    }
    let number = number_of(connection, own)?;
    let target = number_of(connection, Some(&target.slug))?;
    connection.execute(
        "UPDATE categories SET parent = ?2 WHERE parent = ?1 AND merged_into IS NULL",
        [number, target],
    )?;
    connection.execute(
        "UPDATE categories SET merged_into = ?2 WHERE number = ?1 OR merged_into = ?1",
        [number, target],
    )?;
    Ok(None)
}

/// Removes a category; returns the reason if it is in use.
fn remove(
    connection: &Connection,
    categories: &Categories,
    current: &ListedCategory,
) -> Result<Option<String>> {
    let in_use = || {
        let name = &current.category;
        Ok(Some(format!(
            "{name} is in use: say into which category its deals go."
        )))
    };
    let keys: Vec<_> = categories.keys_of(&current.category).collect();
    if keys.len() > 1 || !query::in_categories(connection, keys, None)?.is_empty() {
        return in_use();
    }
    let key = current.category.key();
    let was_used: bool = scalar(
        connection,
        "SELECT EXISTS (SELECT 1 FROM removed_products WHERE category = ?1) \
         OR EXISTS (SELECT 1 FROM clicked_products WHERE category = ?1) \
         OR EXISTS (SELECT 1 FROM listed_products WHERE category = ?1) \
         OR EXISTS (SELECT 1 FROM seller_offers WHERE category = ?1)",
        [key],
    )?;
    if was_used {
        return in_use();
    }
    let number = number_of(connection, Some(&current.slug))?;
    let sql = "DELETE FROM former_categories WHERE category = ?";
    connection.execute(sql, [number])?;
    let sql = "DELETE FROM product_counts WHERE category = ?";
    connection.execute(sql, [key])?;
    connection
        .execute("DELETE FROM categories WHERE number = ?", [number])
        .map_err(|error| StoreError::Busy(format!("an import may use the category: {error}")))?;
    Ok(None)
}
