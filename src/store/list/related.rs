//! Related products of a product: similar ones, others of the seller, an ended one's successor.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use rusqlite::Connection;
use serde_json::{Map, Value};

use super::home::select;
use crate::domain::{Alike, Filters, ListQuery, Product, SortBy, State, folded_words, variant_key};
use crate::store::Store;
use crate::store::db::error::Result;
use crate::store::search::query::{count_with, with_word};
use crate::store::search::terms::{Scope, is_stop_word, stem};

/// Related products per row.
const BESIDE: usize = 6;
/// Products above and below a price that are searched for similar ones.
const WINDOW: u32 = 200;
/// Most words of a title that are searched for, the rarest, and most products of such a word: they
/// bound the time.
const WORDS: usize = 8;
const PRODUCTS: i64 = 5_000;
/// Products with the most words in common that are compared by price.
const CANDIDATES: usize = 60;
/// Products of a seller among which a row is chosen: some are variants of others.
const OF_SELLER: u32 = 20;

impl Store {
    /// Returns similar products, popular ones of the seller, and an ended product's successor.
    pub fn alike(&self, this: &Product) -> Result<Alike> {
        let (similar, back) = self.read(|connection| {
            let back = if this.state == State::Ended {
                let which = "WHERE affiliate_link = ? ORDER BY final_price, id LIMIT 1";
                select(connection, which, &[&this.details.affiliate_link])?.pop()
            } else {
                None
            };
            Ok((similar(connection, this)?, back))
        })?;
        let of_seller = |category| {
            self.list_products(&ListQuery {
                limit: OF_SELLER,
                sort_by: SortBy::Clicks,
                filters: Filters {
                    source: Some(this.details.source.clone()),
                    category,
                    ..Filters::default()
                },
                ..ListQuery::default()
            })
        };
        let mut seller = of_seller(Some(this.details.category))?.page.items;
        let all = of_seller(None)?.page;
        let seller_total = all.total;
        seller.extend(all.items);
        let mut seen: HashSet<String> = similar.iter().map(|other| other.id.clone()).collect();
        seller.retain(|product| seen.insert(product.id.clone()));
        Ok(Alike {
            seller: first_variants(this, seller),
            similar,
            seller_total,
            back,
        })
    }
}

/// Returns the products of the same category with the same words in the title, then those nearest
/// in price.
fn similar(connection: &Connection, this: &Product) -> Result<Vec<Product>> {
    let mut found = same_words(connection, this)?;
    found.extend(near_in_price(connection, this)?);
    let mut seen = HashSet::new();
    found.retain(|product| seen.insert(product.id.clone()));
    Ok(first_variants(this, found))
}

/// Returns products that share words of the title: first those with the most and rarest ones, and
/// among equals the nearest in price.
fn same_words(connection: &Connection, this: &Product) -> Result<Vec<Product>> {
    let mut words: Vec<(i64, String)> = Vec::new();
    for word in folded_words(&this.details.title) {
        let is_word = word.chars().nth(2).is_some() && !is_stop_word(&word);
        if is_word && !words.iter().any(|(_, other)| *other == word) {
            let products = count_with(connection, &Scope::Title.term(&stem(&word)))?;
            words.push((products, word));
        }
    }
    words.retain(|(products, _)| (2..=PRODUCTS).contains(products));
    words.sort();
    words.truncate(WORDS);
    let mut points: HashMap<u32, u32> = HashMap::new();
    for (products, word) in &words {
        // Half as common is a point more.
        let weight = 2 + (PRODUCTS / products).ilog2();
        for key in with_word(connection, word, Scope::Title, None)? {
            *points.entry(key).or_default() += weight;
        }
    }
    let mut best: Vec<(u32, u32)> = points.into_iter().collect();
    best.sort_unstable_by_key(|(key, points)| Reverse((*points, *key)));
    best.truncate(CANDIDATES);
    let points: Map<String, Value> = best
        .into_iter()
        .map(|(key, points)| (key.to_string(), points.into()))
        .collect();
    let points = Value::from(points).to_string();
    let category = this.details.category.as_str();
    let price = this.details.final_price.get();
    let which = "WHERE category = ?1 AND id <> ?2 \
        AND key IN (SELECT CAST(found.key AS INTEGER) FROM json_each(?3) AS found) \
        ORDER BY (SELECT found.value FROM json_each(?3) AS found \
                  WHERE found.key = CAST(live_products.key AS TEXT)) DESC, \
        abs(final_price - ?4), live_products.id";
    select(connection, which, &[&category, &this.id, &points, &price])
}

/// Returns the products of the same category nearest in price, within a window of the price index,
/// so that the time does not grow with the shop.
fn near_in_price(connection: &Connection, this: &Product) -> Result<Vec<Product>> {
    let category = this.details.category.as_str();
    let price = this.details.final_price.get();
    // Some are variants of others.
    let most = 3 * BESIDE;
    let side = |compare: &str, order: &str| {
        let window = format!(
            "WHERE category = ?1 AND id <> ?2 AND key IN \
             (SELECT key FROM live_products WHERE final_price {compare} ?3 \
              ORDER BY final_price {order}, id {order} LIMIT {WINDOW}) \
             ORDER BY final_price {order}, id {order} LIMIT {most}"
        );
        select(connection, &window, &[&category, &this.id, &price])
    };
    let mut found = side(">=", "ASC")?;
    found.extend(side("<", "DESC")?);
    let distance = |other: &Product| other.details.final_price.get().abs_diff(price);
    found.sort_by_key(|other| (distance(other), other.id.clone()));
    Ok(found)
}

/// Returns the first products, of each title's variants one at most, and none of `this`.
fn first_variants(this: &Product, products: Vec<Product>) -> Vec<Product> {
    let mut seen = HashSet::from([variant_key(&this.details.title)]);
    let mut first = products;
    first.retain(|product| {
        product.id != this.id && seen.insert(variant_key(&product.details.title))
    });
    first.truncate(BESIDE);
    first
}
