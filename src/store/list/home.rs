//! Content around the unfiltered list.

use std::collections::BTreeSet;

use rusqlite::{Connection, ToSql};
use serde_json::Value;

use super::snapshot::Snapshot;
use super::sort_columns::sort_columns;
use crate::domain::{
    Category, CategoryKey, CategoryTile, Facets, Home, LikedProduct, Product, SortBy,
};
use crate::store::Store;
use crate::store::db::error::{Result, StoreError};
use crate::store::db::rows::{column, scalar};
use crate::store::products::columns::{READ, product, products_by_key};
use crate::store::products::prices;

/// Categories on the home page, which bound its time.
const CATEGORIES: usize = 24;
/// Products of each category among which the picks are chosen.
const CANDIDATES: usize = 8;
/// Products of each category that are read for them: the largest drops, of which some are not
/// proven, and the most clicked, of which some have too few clicks.
const READ_FOR_CANDIDATES: usize = 64;
/// Cheapest products of a category, of which a seller's rules may hide the price.
const CHEAPEST: usize = 4;

impl Store {
    /// Reads the products around the unfiltered list: some dozen from the sorts in memory, whatever
    /// the number of all.
    pub fn home(&self) -> Result<Home> {
        self.with_snapshot(true, |snapshot| {
            let mut home = Home::default();
            let top = snapshot.categories.top();
            for listed in top.filter(|listed| !listed.is_hidden).take(CATEGORIES) {
                add_category(snapshot, &listed.category, &mut home)?;
            }
            prices::attach(snapshot.connection, &mut home.cheaper)?;
            for liked in &mut home.liked {
                prices::attach(
                    snapshot.connection,
                    std::slice::from_mut(&mut liked.product),
                )?;
            }
            Ok(home)
        })
    }
}

fn add_category(
    snapshot: &Snapshot<'_>,
    category: &Category,
    home: &mut Home,
) -> Result<(), StoreError> {
    let connection = snapshot.connection;
    let keys: Vec<&CategoryKey> = snapshot.categories.keys_of(category).collect();
    let keys = keys.as_slice();
    let mut products = 0;
    for key in keys {
        let sql = "SELECT products FROM product_counts WHERE category = ?";
        products += scalar::<i64>(connection, sql, [&key.key])?;
    }
    if products == 0 {
        return Ok(());
    }
    let mut dropped = Vec::new();
    for key in best(snapshot, SortBy::Drop, true, keys, READ_FOR_CANDIDATES)? {
        let sql = "SELECT proven_discount >= ? FROM listed_products WHERE key = ?";
        let is_proven = scalar(connection, sql, [Facets::PROVEN.get(), key])?;
        if is_proven && dropped.len() < CANDIDATES {
            dropped.push(key);
        }
    }
    home.cheaper.extend(products_by_key(connection, &dropped)?);
    let mut liked = most_liked(snapshot, keys)?;
    if let Some(picture) = liked.first_mut()
        && products >= Home::SECTION as i64
    {
        picture.is_first = true;
        home.categories.push(CategoryTile {
            category: category.clone(),
            products,
            picture: picture.product.clone(),
            cheapest: products_by_key(
                connection,
                &best(snapshot, SortBy::FinalPrice, false, keys, CHEAPEST)?,
            )?,
        });
    }
    home.liked.extend(liked);
    Ok(())
}

/// Returns the products of a category with the most clicks that reports count, then ratings: the well-rated ones
/// first.
fn most_liked(
    snapshot: &Snapshot<'_>,
    categories: &[&CategoryKey],
) -> Result<Vec<LikedProduct>, StoreError> {
    let connection = snapshot.connection;
    let sql = "SELECT average_rating >= ?, coalesce(counted, 0), total_ratings FROM listed_products \
         LEFT JOIN clicked_products USING (id) WHERE key = ?";
    let mut statement = connection.prepare_cached(sql)?;
    let mut ranked = Vec::new();
    let mut keys = BTreeSet::new();
    // A category whose most clicked products are not well rated has some that are.
    for sort_by in [SortBy::Relevance, SortBy::AverageRating] {
        keys.extend(best(
            snapshot,
            sort_by,
            true,
            categories,
            READ_FOR_CANDIDATES,
        )?);
    }
    for key in keys {
        let of_key = (Home::WELL_RATED, key);
        let (is_well_rated, counted, ratings): (bool, i64, i64) =
            statement.query_row(of_key, |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
        let clicks = if counted < Home::MIN_CLICKS {
            0
        } else {
            counted
        };
        ranked.push((is_well_rated, clicks, ratings, key));
    }
    ranked.sort_unstable_by(|one, other| other.cmp(one));
    ranked.truncate(CANDIDATES);
    let keys: Vec<i64> = ranked.iter().map(|(.., key)| *key).collect();
    let products = products_by_key(connection, &keys)?;
    let clicks = ranked.into_iter().map(|(_, clicks, ..)| clicks);
    let liked = products.into_iter().zip(clicks);
    Ok(liked
        .map(|(product, clicks)| LikedProduct {
            product,
            clicks,
            is_first: false,
        })
        .collect())
}

/// Returns the keys of the first products of a category in a sort. Until the sorts are in memory, they
/// come from the database index, and there are no drops, which have none.
fn best(
    snapshot: &Snapshot<'_>,
    sort_by: SortBy,
    descending: bool,
    categories: &[&CategoryKey],
    most: usize,
) -> Result<Vec<i64>, StoreError> {
    if let Some(sorts) = snapshot.sorts {
        let numbers: Vec<u16> = categories.iter().map(|key| key.number).collect();
        return Ok(sorts.page(sort_by, descending, Some(&numbers), 0, most));
    }
    if sort_by == SortBy::Drop {
        return Ok(Vec::new());
    }
    let direction = if descending { "DESC" } else { "ASC" };
    let columns = sort_columns(sort_by).replace(',', &format!(" {direction},"));
    let sql = format!(
        "SELECT key FROM live_products WHERE category IN (SELECT value FROM json_each(?1)) \
         ORDER BY {columns} {direction}, id {direction} LIMIT ?2"
    );
    let keys: Value = categories.iter().map(|key| key.key.as_str()).collect();
    let values = (keys.to_string(), most as i64);
    Ok(column(snapshot.connection, &sql, values)?)
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
