//! Every live product in pages by key, so that no change meanwhile moves one to another page.

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, params};

use super::columns::products_by_key;
use super::prices;
use crate::domain::Product;
use crate::store::Store;
use crate::store::db::error::Result;
use crate::store::db::rows::scalar;

/// Products examined for one page: no index has the times of changes.
const MAX_EXAMINED: usize = 10_000;

/// A page of a walk.
#[derive(Debug, Clone, PartialEq)]
pub struct WalkPage {
    /// The products, by key.
    pub products: Vec<Product>,
    /// Key after which the next page begins; none after the last page.
    pub next: Option<i64>,
}

impl Store {
    /// Returns at most `limit` live products after a key, of those that were added, changed or
    /// started at `since` or later. A page may have fewer, even none, and a next one.
    pub fn walk_products(
        &self,
        after: i64,
        since: Option<Timestamp>,
        limit: u32,
    ) -> Result<WalkPage> {
        self.read(|connection| {
            let snapshot = connection.unchecked_transaction()?;
            let (keys, next) = keys(&snapshot, after, since, limit as usize)?;
            let mut products = products_by_key(&snapshot, &keys)?;
            prices::attach(&snapshot, &mut products)?;
            Ok(WalkPage { products, next })
        })
    }
}

fn keys(
    connection: &Connection,
    after: i64,
    since: Option<Timestamp>,
    limit: usize,
) -> Result<(Vec<i64>, Option<i64>)> {
    // The page ends before the products of an unfinished import, which may be a million.
    let hidden: Option<(i64, i64)> = connection
        .prepare_cached(
            "SELECT first, last FROM hidden_products WHERE last > ? ORDER BY first LIMIT 1",
        )?
        .query_row([after], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    let mut statement = connection.prepare_cached(
        "SELECT key, state = 0 AND max(updated_at, coalesce(starts_at, 0)) >= ?3 \
         FROM listed_products WHERE key > ?1 AND key < ?2 ORDER BY key",
    )?;
    let end = hidden.map_or(i64::MAX, |(first, _)| first);
    let since = since.map_or(i64::MIN, Timestamp::as_millisecond);
    let mut rows = statement.query(params![after, end, since])?;
    let (mut keys, mut examined, mut last) = (Vec::new(), 0, after);
    while let Some(row) = rows.next()? {
        if keys.len() == limit || examined == MAX_EXAMINED {
            return Ok((keys, Some(last)));
        }
        last = row.get(0)?;
        examined += 1;
        if row.get(1)? {
            keys.push(last);
        }
    }
    let Some((_, last_hidden)) = hidden else {
        return Ok((keys, None));
    };
    let sql = "SELECT EXISTS (SELECT 1 FROM listed_products WHERE key > ?)";
    let has_more: bool = scalar(connection, sql, [last_hidden])?;
    Ok((keys, has_more.then_some(last_hidden)))
}
