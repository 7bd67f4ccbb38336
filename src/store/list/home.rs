//! Shelves of the home page.

use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, OptionalExtension, ToSql};

use crate::domain::{Home, Product};
use crate::store::Store;
use crate::store::db::error::Result;
use crate::store::db::rows::{scalar, time_at};
use crate::store::products::columns::{READ, product};
use crate::store::products::prices;

/// Largest savings. Both conditions are needed for SQLite to walk the partial index of savings;
/// sorting takes half a second for a hundred thousand products.
const SAVINGS: &str = "WHERE discount > 0 AND price - final_price > 0 \
    ORDER BY price - final_price DESC, id DESC LIMIT ?";

/// Products per shelf, and of the shelf of popular ones.
const SHELF: u32 = 4;
const POPULAR: u32 = 6;

impl Store {
    /// Returns the shelves of the home page, with `savings` products of largest saving.
    pub fn home(&self, now: Timestamp, savings: usize) -> Result<Home> {
        self.read(|connection| {
            let since = (now - SignedDuration::from_hours(24)).as_millisecond();
            let sql = "SELECT count(*) FROM \
                       (SELECT 1 FROM live_products WHERE created_at > ? LIMIT 10000)";
            let today: i64 = scalar(connection, sql, [since])?;
            // If all are new, the shelf would repeat the list.
            let sql = "SELECT EXISTS (SELECT 1 FROM live_products WHERE created_at <= ?)";
            let is_news: bool = scalar(connection, sql, [since])?;
            Ok(Home {
                savings: select(connection, SAVINGS, &[&(savings as i64)])?,
                popular: select(
                    connection,
                    "ORDER BY clicks DESC, total_ratings DESC, id DESC LIMIT ?",
                    &[&POPULAR],
                )?,
                newest: if is_news {
                    select(
                        connection,
                        "WHERE created_at > ? ORDER BY created_at DESC, id DESC LIMIT ?",
                        &[&since, &SHELF],
                    )?
                } else {
                    Vec::new()
                },
                today,
                updated: updated(connection)?,
            })
        })
    }
}

pub(super) fn select(
    connection: &Connection,
    which: &str,
    values: &[&dyn ToSql],
) -> Result<Vec<Product>> {
    let mut statement =
        connection.prepare_cached(&format!("SELECT {} FROM live_products {which}", *READ))?;
    let rows = statement.query_map(values, product)?;
    let mut found = rows.collect::<Result<Vec<_>, _>>()?;
    prices::attach(connection, &mut found)?;
    Ok(found)
}

/// Returns the time of the newest product or activity.
fn updated(connection: &Connection) -> Result<Option<Timestamp>> {
    let newest = connection
        .prepare_cached("SELECT created_at FROM live_products ORDER BY created_at DESC LIMIT 1")?
        .query_row([], |row| time_at(row, 0))
        .optional()?;
    let changed = connection
        .prepare_cached("SELECT at FROM activity ORDER BY key DESC LIMIT 1")?
        .query_row([], |row| time_at(row, 0))
        .optional()?;
    Ok(newest.map(|newest| changed.map_or(newest, |changed| newest.max(changed))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_shelf_sorts_what_an_index_has_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("deals.sqlite")).unwrap();
        let plan = store.read(|connection| {
            let sql = format!(
                "EXPLAIN QUERY PLAN SELECT {} FROM live_products {SAVINGS}",
                *READ
            );
            let mut statement = connection.prepare(&sql)?;
            let steps = statement.query_map([4], |row| row.get(3))?;
            Ok(steps.collect::<Result<Vec<String>, _>>()?.join("\n"))
        });
        let plan = plan.unwrap();
        assert!(plan.contains("INDEX products_by_saving"), "{plan}");
        assert!(!plan.contains("TEMP B-TREE"), "{plan}");
    }
}
