//! The rules for links, applied to each link that is stored.

pub(crate) mod duplicates;
pub(crate) mod rewrite;
pub(crate) mod sellers;

use rusqlite::Connection;

pub use self::rewrite::{LinkExample, RewrittenLinks};
pub use self::sellers::SellerName;

use crate::domain::{LinkRules, NewProduct, ShopSettings};
use crate::store::Store;
use crate::store::db::error::{Result, StoreError};
use crate::store::db::rows::{run, scalar};

impl Store {
    /// Returns the rules for links.
    pub fn link_rules(&self) -> Result<LinkRules> {
        self.read(rules)
    }
}

pub(crate) fn rules(connection: &Connection) -> Result<LinkRules> {
    Ok(shop(connection)?.link_rules())
}

fn shop(connection: &Connection) -> Result<ShopSettings> {
    let shop: String = scalar(connection, "SELECT shop FROM settings", [])?;
    serde_json::from_str(&shop)
        .map_err(|error| StoreError::Other(format!("the settings can't be read: {error}")))
}

fn save_shop(connection: &Connection, shop: &ShopSettings) -> Result<()> {
    let shop = serde_json::to_string(shop).map_err(|error| StoreError::Other(error.to_string()))?;
    let sql = "UPDATE settings SET version = version + 1, shop = ?";
    run(connection, sql, [shop])
}

/// Gives the seller of a product its present name, and cleans and tags the link.
pub(crate) fn apply(connection: &Connection, details: &mut NewProduct) -> Result<()> {
    let rules = rules(connection)?;
    rules.apply(&mut details.source, &mut details.affiliate_link);
    Ok(())
}

/// A seller whose links are rewritten.
pub(crate) struct SellerToRewrite {
    name: String,
    /// Further names of the same shop, whose links have the seller's tag.
    other_names: Vec<String>,
    /// The change of the tag, if it changes.
    tag: Option<ChangedTag>,
}

/// A seller's tag, for the undo of its change.
pub(crate) struct ChangedTag {
    pub(crate) before: String,
    pub(crate) after: String,
}

impl SellerToRewrite {
    /// Finds the further names of the seller by the rules that are to apply.
    pub(crate) fn find(
        connection: &Connection,
        rules: &LinkRules,
        name: &str,
        tag: Option<ChangedTag>,
    ) -> Result<Self> {
        Ok(Self {
            name: name.to_owned(),
            other_names: other_names(connection, rules, name)?,
            tag,
        })
    }
}

/// Returns the other sellers of products whose links have the tag of this one.
fn other_names(connection: &Connection, rules: &LinkRules, seller: &str) -> Result<Vec<String>> {
    // Of live products, and of others.
    let mut statement = connection.prepare_cached(
        "SELECT source FROM product_source_counts \
         UNION SELECT source FROM listed_products WHERE state > 0",
    )?;
    let sources = statement.query_map([], |row| row.get(0))?;
    let sources: Vec<String> = sources.collect::<rusqlite::Result<_>>()?;
    let others = sources.into_iter();
    Ok(others
        .filter(|source| rules.shares_tag(source, seller))
        .collect())
}
