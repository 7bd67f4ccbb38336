//! Tags in use.

use rusqlite::Connection;

use crate::domain::tag_key;
use crate::store::Store;
use crate::store::db::error::Result;
use crate::store::db::rows::column;
use crate::store::search::query::{first_with, with_terms_from};
use crate::store::search::terms::TAG;

/// Maximum number of tags that are listed.
const MOST: usize = 2_000;

impl Store {
    /// Returns the tags of products in any state with the number of these, the most frequent first, each
    /// as its oldest product spells it.
    pub fn tags_in_use(&self) -> Result<Vec<(String, i64)>> {
        self.read(|connection| {
            let found = with_terms_from(connection, TAG, MOST)?;
            let spelled = found.into_iter().map(|(term, products)| {
                let spelling = spelling_of(connection, &term)?;
                Ok((spelling, products))
            });
            spelled.collect()
        })
    }
}

/// Returns the spelling of a tag's oldest product.
fn spelling_of(connection: &Connection, term: &str) -> Result<String> {
    let key = term.trim_start_matches(TAG);
    let sql = "SELECT value FROM listed_products, json_each(tags) WHERE listed_products.key = ?";
    let spellings: Vec<String> = match first_with(connection, term)? {
        Some(product) => column(connection, sql, [product])?,
        None => Vec::new(),
    };
    let found = spellings.into_iter().find(|tag| tag_key(tag) == key);
    Ok(found.unwrap_or_else(|| key.to_owned()))
}
