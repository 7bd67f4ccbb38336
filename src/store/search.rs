//! Finding products by their words.

use rusqlite::{Connection, named_params};

use super::StoreError;
use super::products::{COLUMNS, order_by, products};
use super::words::match_expression;
use crate::domain::{Category, ListQuery, Page, Product};

/// What a query asks of the full-text index.
pub(super) enum Search {
    /// Nothing: the list is not searched.
    None,
    /// Text without a single word, which no product can match.
    Impossible,
    /// An FTS5 expression.
    Words(String),
}

pub(super) fn of(query: &ListQuery) -> Search {
    match query.search.as_deref() {
        None => Search::None,
        Some(text) => match_expression(text).map_or(Search::Impossible, Search::Words),
    }
}

/// One page of the products that match, in the query's order.
pub(super) fn find(
    connection: &Connection,
    query: &ListQuery,
    expression: &str,
) -> Result<Page<Product>, StoreError> {
    let category = query.category.map(Category::as_str);
    // The unary plus keeps SQLite from walking a sort's index and testing every
    // product against the matches.
    let from = "FROM product_search JOIN products ON products.key = product_search.rowid \
         WHERE product_search MATCH :words AND (:category IS NULL OR +category = :category)";
    let items = products(
        connection,
        &format!(
            "SELECT {COLUMNS} FROM (SELECT products.* {from}) {} LIMIT :limit OFFSET :offset",
            order_by(query.sort_by, query.order)
        ),
        named_params! {
            ":words": expression,
            ":category": category,
            ":limit": query.limit,
            ":offset": query.offset(),
        },
    )?;
    let mut statement = connection.prepare_cached(&format!("SELECT count(*) {from}"))?;
    let total = statement.query_row(
        named_params! { ":words": expression, ":category": category },
        |row| row.get(0),
    )?;
    Ok(Page { items, total })
}
