//! The rules for links, applied to each link that is stored.

pub(crate) mod duplicates;
pub(crate) mod rewrite;

use rusqlite::Connection;

use crate::domain::{LinkRules, NewProduct, ShopSettings};
use crate::store::Store;
use crate::store::db::error::{Result, StoreError};
use crate::store::db::rows::scalar;

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

/// Cleans and tags the link of a product.
pub(crate) fn apply(connection: &Connection, details: &mut NewProduct) -> Result<()> {
    let rules = rules(connection)?;
    rules.apply(&details.source, &mut details.affiliate_link);
    Ok(())
}
