//! Offers of sellers. Nothing is stored with their products: who shows a product reads them, and the clock
//! job commits when one begins or ends.

use std::collections::BTreeMap;

use jiff::Timestamp;
use rusqlite::{Connection, params};
use serde_json::{Value, json};

use super::activity::log_change;
use crate::domain::{Category, Offer, Paise, SellerOffer, StoredSellerOffer};
use crate::store::Store;
use crate::store::categories;
use crate::store::db::error::{ChangeError, Result};
use crate::store::db::pending::Pending;
use crate::store::db::rows::{new_id, run, scalar, time_at};

const MISSING: ChangeError = ChangeError::Missing("The seller has no such offer.");

type Changed = std::result::Result<(), ChangeError>;

impl Store {
    /// Returns the number of changes of the offers of sellers.
    pub fn seller_offers_version(&self) -> Result<i64> {
        let sql = "SELECT offers_version FROM settings";
        self.read(|connection| Ok(scalar(connection, sql, [])?))
    }

    /// Returns the offers of a seller, or of all, with the number of changes.
    pub fn seller_offers(&self, source: Option<&str>) -> Result<(i64, Vec<StoredSellerOffer>)> {
        self.read(|connection| {
            let version = scalar(connection, "SELECT offers_version FROM settings", [])?;
            Ok((version, list(connection, source)?))
        })
    }

    /// True if products or settings name a seller.
    pub fn has_seller(&self, source: &str) -> Result<bool> {
        let shop = self.settings()?.shop;
        let in_settings = shop.sources.contains_key(source)
            || shop.tags.contains_key(source)
            || shop.shops.iter().any(|own| own.name == source);
        if in_settings {
            return Ok(true);
        }
        self.read(|connection| {
            let sql = "SELECT EXISTS (SELECT 1 FROM product_source_counts WHERE source = ?1) \
                       OR EXISTS (SELECT 1 FROM listed_products WHERE state > 0 AND source = ?1) \
                       OR EXISTS (SELECT 1 FROM seller_offers WHERE source = ?1)";
            Ok(scalar(connection, sql, [source])?)
        })
    }

    /// Adds an offer to a seller, or replaces the one with this id; `actor` is logged.
    pub fn save_seller_offer(
        &self,
        source: String,
        id: Option<String>,
        sent: Value,
        actor: String,
        now: Timestamp,
    ) -> Pending<Changed> {
        self.write(move |connection| {
            let new = match SellerOffer::read(sent, &categories::read(connection)?, now) {
                Ok(new) => new,
                Err(errors) => return Ok(Err(ChangeError::Invalid(errors))),
            };
            let all = list(connection, None)?;
            let current = all
                .iter()
                .find(|it| id.as_ref() == Some(&it.id) && it.source == source);
            if current.is_none() {
                if id.is_some() {
                    return Ok(Err(MISSING));
                }
                if let Some(message) = too_many(&all, &source) {
                    return Ok(Err(ChangeError::Refused(message)));
                }
            }
            write(connection, &source, id.clone(), &new, now)?;
            let from = current.map(|it| it.offer.describe(&source));
            let to = new.describe(&source);
            let from = from.unwrap_or_default();
            finish(connection, &source, &from, &to, &actor, now).map(Ok)
        })
    }

    /// Deletes an offer of a seller.
    pub fn remove_seller_offer(
        &self,
        source: String,
        id: String,
        actor: String,
        now: Timestamp,
    ) -> Pending<Changed> {
        self.write(move |connection| {
            let offers = list(connection, Some(&source))?;
            let Some(current) = offers.iter().find(|it| it.id == id) else {
                return Ok(Err(MISSING));
            };
            run(connection, "DELETE FROM seller_offers WHERE id = ?", [&id])?;
            let from = current.offer.describe(&source);
            finish(connection, &source, &from, "", &actor, now).map(Ok)
        })
    }
}

/// Counts the change, and writes it to the activity log.
fn finish(
    connection: &Connection,
    source: &str,
    from: &str,
    to: &str,
    actor: &str,
    now: Timestamp,
) -> Result<()> {
    let sql = "UPDATE settings SET offers_version = offers_version + 1";
    run(connection, sql, [])?;
    let name = format!("offers.{source}");
    log_change(connection, (actor, now), name, from, to)
}

/// Adds the offers of an archive to sellers without any. Those that are over are left out, and those that are too
/// many.
pub(crate) fn add_archived(
    connection: &Connection,
    offers: &BTreeMap<String, Vec<Value>>,
    actor: &str,
    now: Timestamp,
) -> Result<()> {
    let categories = categories::read(connection)?;
    for (source, offers) in offers {
        if !list(connection, Some(source))?.is_empty() {
            continue;
        }
        for offer in offers {
            if let Ok(new) = SellerOffer::read(offer.clone(), &categories, now)
                && too_many(&list(connection, None)?, source).is_none()
            {
                write(connection, source, None, &new, now)?;
                finish(connection, source, "", &new.describe(source), actor, now)?;
            }
        }
    }
    Ok(())
}

/// Adds an offer, or replaces the one with this id.
fn write(
    connection: &Connection,
    source: &str,
    id: Option<String>,
    new: &SellerOffer,
    now: Timestamp,
) -> Result<()> {
    connection.execute(
        "INSERT INTO seller_offers \
         (id, source, category, min_price, starts_at, ends_at, offer, updated_at) \
         VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET \
         category = excluded.category, min_price = excluded.min_price, \
         starts_at = excluded.starts_at, ends_at = excluded.ends_at, \
         offer = excluded.offer, updated_at = excluded.updated_at",
        params![
            id.unwrap_or_else(new_id),
            source,
            new.category.as_ref().map(Category::key),
            new.min_price.map(Paise::get),
            new.starts_at.map(Timestamp::as_millisecond),
            new.offer.ends_at.map(Timestamp::as_millisecond),
            json!([new.offer]).to_string(),
            now.as_millisecond(),
        ],
    )?;
    Ok(())
}

fn too_many(all: &[StoredSellerOffer], source: &str) -> Option<String> {
    let of_seller = all.iter().filter(|it| it.source == source).count();
    if of_seller >= SellerOffer::MOST {
        let most = SellerOffer::MOST;
        return Some(format!(
            "{source} has {most} offers, the most a seller can have. Delete or change one of them."
        ));
    }
    let most = SellerOffer::MOST_OF_ALL;
    (all.len() >= most).then(|| {
        format!("The sellers have {most} offers, the most there can be. Delete one that is over.")
    })
}

fn list(connection: &Connection, source: Option<&str>) -> Result<Vec<StoredSellerOffer>> {
    let mut statement = connection.prepare_cached(
        "SELECT id, source, min_price, starts_at, offer, updated_at, \
         (SELECT label FROM category_labels WHERE stored = category) AS label \
         FROM seller_offers WHERE ?1 IS NULL OR source = ?1 ORDER BY key",
    )?;
    let mut rows = statement.query([source])?;
    let mut offers = Vec::new();
    while let Some(row) = rows.next()? {
        let json: String = row.get("offer")?;
        let Some(offer) = Offer::from_column(&json).pop() else {
            continue;
        };
        let label: Option<String> = row.get("label")?;
        let starts_at: Option<i64> = row.get("starts_at")?;
        let min_price: Option<i64> = row.get("min_price")?;
        offers.push(StoredSellerOffer {
            id: row.get("id")?,
            source: row.get("source")?,
            offer: SellerOffer {
                category: label.as_deref().and_then(Category::from_label),
                min_price: min_price.and_then(Paise::new),
                starts_at: starts_at.and_then(|at| Timestamp::from_millisecond(at).ok()),
                offer,
            },
            updated_at: time_at(row, "updated_at")?,
        });
    }
    Ok(offers)
}
