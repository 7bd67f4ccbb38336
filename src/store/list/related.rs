//! Related products of a product: similar ones, others of the seller, an ended one's successor.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use rusqlite::Connection;
use serde_json::{Map, Value};

use super::home::select;
use crate::domain::{
    Alike, Category, Filters, ListQuery, Paged, Product, RemovedProduct, SortBy, State,
    folded_words, variant_key,
};
use crate::store::Store;
use crate::store::db::error::Result;
use crate::store::search::query::{count_with, with_word};
use crate::store::search::stem::stem;
use crate::store::search::terms::{SearchScope, is_stop_word};

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
/// Popular products among which a row is chosen: some are variants of others.
const POPULAR: u32 = 20;
/// Fewest products of a seller that make a row.
const FEWEST_OF_SELLER: usize = 3;

/// Product that others are compared with.
struct Subject<'a> {
    id: &'a str,
    title: &'a str,
    source: &'a str,
    category: &'a Category,
    /// Keys of the products of the category, in JSON.
    keys: String,
    /// Final price in paise; none of a removed product.
    price: Option<i64>,
}

impl Store {
    /// Returns similar products, popular ones of the category above where these are few, popular ones of the
    /// seller, and an ended product's successor.
    pub fn alike(&self, this: &Product) -> Result<Alike> {
        let price = this.details.final_price.get();
        let subject = Subject {
            id: &this.id,
            title: &this.details.title,
            source: &this.details.source,
            category: &this.details.category,
            keys: self.keys_of(&this.details.category)?,
            price: Some(price),
        };
        let (mut similar, back) = self.read(|connection| {
            let back = if this.state == State::Ended {
                let which = "WHERE affiliate_link = ? ORDER BY final_price, id LIMIT 1";
                select(connection, which, &[&this.details.affiliate_link])?.pop()
            } else {
                None
            };
            let mut similar = sharing_title_words(connection, &subject)?;
            similar.extend(near_in_price(connection, &subject, price)?);
            Ok((similar, back))
        })?;
        if similar.len() < BESIDE
            && let Some(name) = this.details.category.parent()
            && let Some(above) = self.categories()?.find(name)
        {
            similar.extend(self.popular(None, Some(above))?.items);
        }
        let alike = self.with_seller(&subject, similar)?;
        Ok(Alike { back, ..alike })
    }

    /// Returns products similar to a removed one, and popular ones of its seller.
    pub fn alike_to_removed(&self, this: &RemovedProduct) -> Result<Alike> {
        let subject = Subject {
            id: &this.id,
            title: &this.title,
            source: &this.source,
            category: &this.category,
            keys: self.keys_of(&this.category)?,
            price: None,
        };
        let mut similar = self.read(|connection| sharing_title_words(connection, &subject))?;
        similar.extend(self.popular(None, Some(&this.category))?.items);
        self.with_seller(&subject, similar)
    }

    /// Returns the first of the similar products, with popular ones of the seller.
    fn with_seller(&self, this: &Subject<'_>, mut similar: Vec<Product>) -> Result<Alike> {
        let mut seen = HashSet::new();
        similar.retain(|product| seen.insert(product.id.clone()));
        let similar = first_variants(this, similar);
        let source = Some(this.source);
        let mut seller = self.popular(source, Some(this.category))?.items;
        let all = self.popular(source, None)?;
        seller.extend(all.items);
        let mut seen: HashSet<String> = similar.iter().map(|other| other.id.clone()).collect();
        seller.retain(|product| seen.insert(product.id.clone()));
        let mut seller = first_variants(this, seller);
        if seller.len() < FEWEST_OF_SELLER {
            seller.clear();
        }
        Ok(Alike {
            seller,
            similar,
            seller_total: all.total,
            back: None,
        })
    }

    /// Returns the keys of a category's products as a JSON array.
    fn keys_of(&self, category: &Category) -> Result<String> {
        let categories = self.categories()?;
        let keys = categories.keys_of(category).map(|key| key.key.as_str());
        Ok(Value::from_iter(keys).to_string())
    }

    /// Returns the most clicked products of a seller or a category.
    fn popular(&self, source: Option<&str>, category: Option<&Category>) -> Result<Paged<Product>> {
        let found = self.list_products(&ListQuery {
            limit: POPULAR,
            sort_by: SortBy::Clicks,
            filters: Filters {
                sources: source.map(str::to_owned).into_iter().collect(),
                category: category.cloned(),
                ..Filters::default()
            },
            ..ListQuery::default()
        })?;
        Ok(found.page)
    }
}

/// Returns products that share words of the title: first those with the most and rarest ones, and
/// among equals the nearest in price.
fn sharing_title_words(connection: &Connection, this: &Subject<'_>) -> Result<Vec<Product>> {
    // A product that is there has each of its words itself.
    let least = if this.price.is_some() { 2 } else { 1 };
    let best = sharing_words(connection, &folded_words(this.title), least)?;
    let points = as_json(best);
    let which = "WHERE category IN (SELECT value FROM json_each(?1)) AND id <> ?2 \
        AND key IN (SELECT CAST(found.key AS INTEGER) FROM json_each(?3) AS found) \
        ORDER BY (SELECT found.value FROM json_each(?3) AS found \
                  WHERE found.key = CAST(live_products.key AS TEXT)) DESC, \
        abs(final_price - ?4), live_products.id";
    select(
        connection,
        which,
        &[&this.keys, &this.id, &points, &this.price],
    )
}

/// Returns the keys of products that share words of a title, each with its points, the best first.
/// A word must be in the titles of `least` products.
pub(super) fn sharing_words(
    connection: &Connection,
    title: &[String],
    least: i64,
) -> Result<Vec<(u32, u32)>> {
    let mut words: Vec<(i64, &String)> = Vec::new();
    for word in title {
        let is_word = word.chars().nth(2).is_some() && !is_stop_word(word);
        if is_word && !words.iter().any(|(_, other)| *other == word) {
            let products = count_with(connection, &SearchScope::Title.term(&stem(word)))?;
            words.push((products, word));
        }
    }
    words.retain(|(products, _)| (least..=PRODUCTS).contains(products));
    words.sort();
    words.truncate(WORDS);
    let mut points: HashMap<u32, u32> = HashMap::new();
    for (products, word) in words {
        // Half as common is a point more.
        let weight = 2 + (PRODUCTS / products).ilog2();
        for key in with_word(connection, word, SearchScope::Title, None)? {
            *points.entry(key).or_default() += weight;
        }
    }
    let mut best: Vec<(u32, u32)> = points.into_iter().collect();
    best.sort_unstable_by_key(|(key, points)| Reverse((*points, *key)));
    best.truncate(CANDIDATES);
    Ok(best)
}

/// Returns an object of points by key, for `json_each`.
pub(super) fn as_json(best: Vec<(u32, u32)>) -> String {
    let points: Map<String, Value> = best
        .into_iter()
        .map(|(key, points)| (key.to_string(), points.into()))
        .collect();
    Value::from(points).to_string()
}

/// Returns the products of the same category nearest in price, within a window of the price index,
/// so that the time does not grow with the shop.
fn near_in_price(connection: &Connection, this: &Subject<'_>, price: i64) -> Result<Vec<Product>> {
    // Some are variants of others.
    let most = 3 * BESIDE;
    let side = |compare: &str, order: &str| {
        let window = format!(
            "WHERE category IN (SELECT value FROM json_each(?1)) AND id <> ?2 AND key IN \
             (SELECT key FROM live_products WHERE final_price {compare} ?3 \
              ORDER BY final_price {order}, id {order} LIMIT {WINDOW}) \
             ORDER BY final_price {order}, id {order} LIMIT {most}"
        );
        select(connection, &window, &[&this.keys, &this.id, &price])
    };
    let mut found = side(">=", "ASC")?;
    found.extend(side("<", "DESC")?);
    let distance = |other: &Product| other.details.final_price.get().abs_diff(price);
    found.sort_by_key(|other| (distance(other), other.id.clone()));
    Ok(found)
}

/// Returns the first products, of each title's variants one at most, and none of a product that is there.
fn first_variants(this: &Subject<'_>, products: Vec<Product>) -> Vec<Product> {
    let mut seen = HashSet::new();
    if this.price.is_some() {
        seen.insert(variant_key(this.title));
    }
    let mut first = products;
    first.retain(|product| {
        product.id != this.id && seen.insert(variant_key(&product.details.title))
    });
    first.truncate(BESIDE);
    first
}
