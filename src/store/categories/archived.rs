//! Categories of an archive of another shop.

use jiff::Timestamp;
use rusqlite::{Connection, params};

use super::change::{described, finish, insert, number_of, update};
use super::read;
use crate::domain::{ArchivedCategory, ListedCategory};
use crate::store::db::error::{Result, StoreError};
use crate::store::db::rows::{run, scalar};

/// Adds the categories of an archive that are missing, and returns all with the keys that they have until then and
/// from then on. In a shop without products all become as they are in the archive, in its order.
pub(crate) fn add_archived(
    connection: &Connection,
    archived: &[ArchivedCategory],
    actor: &str,
    now: Timestamp,
) -> Result<Vec<(String, String)>> {
    let is_in_use: bool = scalar(
        connection,
        "SELECT EXISTS (SELECT 1 FROM listed_products)",
        [],
    )?;
    let mut keys = Vec::new();
    for (index, it) in archived.iter().enumerate() {
        let categories = read(connection)?;
        // Of a shop without products, also by a name that it had, so that nothing is left of the first four.
        let former = || {
            let mut former = it.former().filter(|_| !is_in_use);
            former.find_map(|(name, _)| categories.find_any(name))
        };
        let current = categories.find_any(&it.name).or_else(former);
        if current.is_none() || !is_in_use && it.has_place() {
            let mut request = it.request(&categories);
            let beside = archived[..index].iter().filter(|other| other.is_beside(it));
            request.position = Some(beside.count()).filter(|_| !is_in_use && it.has_place());
            let edit = match request.read(&categories, current) {
                Ok(edit) => edit,
                // It is below others, for example, or above some.
                Err(_) if current.is_some() => continue,
                Err(_) => return Err(StoreError::Busy("the categories have changed".to_owned())),
            };
            let before = current.map(ListedCategory::describe).unwrap_or_default();
            match current {
                Some(current) => update(connection, &categories, current, &edit)?,
                None if insert(connection, &edit)? => {}
                None => return Err(StoreError::Busy("there were 1,000 categories".to_owned())),
            }
            let number = number_of(connection, Some(&edit.slug))?;
            for (name, slug) in it.former() {
                if categories.find_any(name).is_none() {
                    let sql =
                        "INSERT INTO former_categories (name, slug, category) VALUES (?, ?, ?)";
                    run(connection, sql, params![name, slug, number])?;
                }
            }
            let after = described(connection, &edit.slug)?;
            if before != after {
                // A change of the log is never refused.
                let _ = finish(connection, actor, now, &edit.name, &before, &after)?;
            }
        }
        let categories = read(connection)?;
        let stored = categories.find_any(&it.name).ok_or(StoreError::NotFound)?;
        keys.push((it.new_key(), stored.category.key().to_owned()));
    }
    Ok(keys)
}
