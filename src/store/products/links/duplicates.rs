//! Products of a seller that are the same by their links.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use jiff::Timestamp;
use rusqlite::Connection;

use crate::domain::{LinkRules, Paise, Product, State, keep_order};
use crate::store::Store;
use crate::store::db::error::{Result, StoreError};
use crate::store::products::columns::{READ, product};

/// Products of a seller with the same product id, or the same link but for its tag.
#[derive(Debug, Clone, PartialEq)]
pub struct SameProducts {
    /// The seller.
    pub source: String,
    /// The seller's id of the product, if the link has one.
    pub product_id: Option<String>,
    /// Oldest first.
    pub products: Vec<SameProduct>,
}

/// One of them.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct SameProduct {
    pub id: String,
    pub title: String,
    pub link: String,
    pub final_price: Paise,
    pub state: State,
    pub clicks: i64,
    pub created_at: Timestamp,
}

impl SameProducts {
    /// Returns the id of the live product to keep among the first `most`; none if fewer than 2 are live.
    pub fn to_keep(&self, most: usize) -> Option<&str> {
        let listed = self.products.iter().take(most);
        let live: Vec<&SameProduct> = listed.filter(|it| it.state == State::Live).collect();
        let kept = live
            .iter()
            .min_by_key(|it| keep_order(it.final_price, it.clicks, it.created_at, &it.id))?;
        (live.len() > 1).then_some(kept.id.as_str())
    }
}

/// Returns true if these products are live and the same by their links.
pub(in crate::store::products) fn are_same(
    connection: &Connection,
    products: &[Product],
) -> Result<bool> {
    let rules = super::rules(connection)?;
    let of = |it: &Product| identity(&rules, &it.details.source, &it.details.affiliate_link);
    let live = products.iter().all(|it| it.state == State::Live);
    Ok(live && products.windows(2).all(|pair| of(&pair[0]) == of(&pair[1])))
}

impl Store {
    /// Returns the first `most` groups of products that are the same by their links, and the number
    /// of all groups.
    pub fn link_duplicates(&self, most: usize) -> Result<(Vec<SameProducts>, u64)> {
        self.read(|connection| {
            let rules = super::rules(connection)?;
            let hasher = RandomState::new();
            // Hashes first, because few of many products are the same.
            let mut counts: HashMap<u64, u32> = HashMap::new();
            for_each_link(connection, |source, link| {
                let hash = hasher.hash_one(identity(&rules, source, link));
                *counts.entry(hash).or_default() += 1;
            })?;
            counts.retain(|_, count| *count > 1);
            let total = counts.len() as u64;
            if total == 0 {
                return Ok((Vec::new(), 0));
            }
            Ok((groups(connection, &rules, &hasher, &counts, most)?, total))
        })
    }
}

/// Returns what the same products have in common: seller, and id or clean link.
fn identity(rules: &LinkRules, source: &str, link: &str) -> (String, Option<String>, String) {
    match rules.read(link).filter(|known| !known.is_short) {
        Some(known) if known.product.is_some() => (source.to_owned(), known.product, known.shop),
        Some(known) => (source.to_owned(), None, known.clean),
        None => (source.to_owned(), None, link.to_owned()),
    }
}

fn for_each_link(connection: &Connection, mut each: impl FnMut(&str, &str)) -> Result<()> {
    let sql = "SELECT source, affiliate_link FROM listed_products";
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let texts = (row.get_ref(0)?.as_str(), row.get_ref(1)?.as_str());
        if let (Ok(source), Ok(link)) = texts {
            each(source, link);
        }
    }
    Ok(())
}

fn groups(
    connection: &Connection,
    rules: &LinkRules,
    hasher: &RandomState,
    counts: &HashMap<u64, u32>,
    most: usize,
) -> Result<Vec<SameProducts>> {
    let mut places: HashMap<u64, usize> = HashMap::new();
    let mut found: Vec<SameProducts> = Vec::new();
    let sql = format!("SELECT {} FROM listed_products ORDER BY key", *READ);
    let mut statement = connection.prepare(&sql)?;
    for row in statement.query_map([], product)? {
        let product = row.map_err(StoreError::from)?;
        let details = &product.details;
        let identity = identity(rules, &details.source, &details.affiliate_link);
        let hash = hasher.hash_one(&identity);
        if !counts.contains_key(&hash) {
            continue;
        }
        let same = SameProduct {
            title: details.title.clone(),
            link: details.affiliate_link.clone(),
            final_price: details.final_price,
            state: details.lifetime.state(Timestamp::now()),
            clicks: product.clicks,
            created_at: product.created_at,
            id: product.id,
        };
        if let Some(group) = places.get(&hash).and_then(|place| found.get_mut(*place)) {
            group.products.push(same);
        } else if found.len() < most {
            places.insert(hash, found.len());
            let (source, product_id, _) = identity;
            found.push(SameProducts {
                source,
                product_id,
                products: vec![same],
            });
        }
    }
    Ok(found)
}
