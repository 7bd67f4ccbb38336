//! Groups of possible duplicates: live products with the same title and seller.

use std::collections::HashSet;

use jiff::Timestamp;
use rusqlite::{Connection, params};

use super::bulk::{BulkChange, BulkOutcome};
use super::columns::{READ, product};
use super::find;
use super::links::duplicates::are_same;
use crate::domain::{Paged, Product, are_duplicates, cheapest, page_offset};
use crate::store::Store;
use crate::store::db::error::{Result, StoreError};
use crate::store::db::rows::scalar;
use crate::store::idempotency::Keep;

/// Maximum number of products of a group that are read.
const MOST: usize = 50;

/// Title and seller of each group.
const GROUPS: &str = "SELECT title, source FROM live_products \
    GROUP BY title, source HAVING count(*) > 1";

/// Possible duplicates of each other.
#[derive(Debug, Clone, PartialEq)]
pub struct DuplicateGroup {
    /// The cheapest of them, at most 50, cheapest first.
    pub products: Vec<Product>,
    /// Number of all.
    pub total: u64,
}

impl Store {
    /// Returns one page of the groups of possible duplicates, by title and seller; `page` counts from 1.
    pub fn list_duplicates(&self, page: u32, limit: u32) -> Result<Paged<DuplicateGroup>> {
        self.read(|connection| {
            let sql = format!("SELECT count(*) FROM ({GROUPS})");
            Ok(Paged {
                total: scalar(connection, &sql, [])?,
                items: groups(connection, page, limit)?,
            })
        })
    }

    /// Deletes all of these possible duplicates but the one that [`cheapest`] chooses, as a bulk change;
    /// `actor` is logged. Nothing of the deleted ones is added to it.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotDuplicates`] if they are no possible duplicates of each other, or if
    /// the one to keep is not the `expected` one.
    pub fn keep_cheapest(
        &self,
        ids: Vec<String>,
        expected: Option<String>,
        actor: String,
        now: Timestamp,
        keep: Option<Keep<'static, BulkOutcome>>,
    ) -> Result<BulkOutcome> {
        let choose = move |connection: &Connection| others(connection, &ids, expected.as_deref());
        self.change_in_parts(choose, BulkChange::Delete, actor, now, keep)
    }
}

fn groups(connection: &Connection, page: u32, limit: u32) -> Result<Vec<DuplicateGroup>> {
    let mut statement = connection.prepare_cached(&format!(
        "WITH page AS ({GROUPS} ORDER BY title, source LIMIT ? OFFSET ?) \
         SELECT {} FROM page JOIN live_products USING (title, source) \
         ORDER BY title, source, final_price, clicks DESC, created_at, id",
        *READ
    ))?;
    let mut rows = statement.query(params![limit, page_offset(page, limit)])?;
    let mut groups: Vec<DuplicateGroup> = Vec::new();
    while let Some(row) = rows.next()? {
        let product = product(row)?;
        match groups.last_mut() {
            Some(group) if is_of(group, &product) => {
                group.total += 1;
                if group.products.len() < MOST {
                    group.products.push(product);
                }
            }
            _ => groups.push(DuplicateGroup {
                products: vec![product],
                total: 1,
            }),
        }
    }
    Ok(groups)
}

fn is_of(group: &DuplicateGroup, product: &Product) -> bool {
    group.products.first().is_some_and(|first| {
        let (first, other) = (&first.details, &product.details);
        (&first.title, &first.source) == (&other.title, &other.source)
    })
}

/// Returns the ids of all but the one to keep.
fn others(connection: &Connection, ids: &[String], expected: Option<&str>) -> Result<Vec<String>> {
    let mut seen = HashSet::new();
    let mut products = Vec::new();
    for id in ids.iter().filter(|id| seen.insert(id.as_str())) {
        match find(connection, id) {
            // Somebody else deleted it.
            Err(StoreError::NotFound) => {}
            found => products.push(found?),
        }
    }
    let kept = cheapest(&products).map(|product| product.id.clone());
    let is_expected = expected.is_none_or(|expected| kept.as_deref() == Some(expected));
    let is_group = products.len() > 1 && is_expected;
    if !is_group || !(are_duplicates(&products) || are_same(connection, &products)?) {
        return Err(StoreError::NotDuplicates);
    }
    let others = products.into_iter().map(|product| product.id);
    Ok(others.filter(|id| Some(id) != kept.as_ref()).collect())
}
