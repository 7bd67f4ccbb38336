//! Product counts per filter value.

use std::collections::{BTreeMap, HashSet};

use roaring::RoaringBitmap;
use rusqlite::Connection;

use super::filter::{self, number_of, searched};
use super::snapshot::Snapshot;
use crate::domain::{CONSTANTS, Categories, Facets, Filters, PricedSearch};
use crate::store::Store;
use crate::store::db::error::Result;
use crate::store::db::rows::{column, scalar};
use crate::store::search::query;
use crate::store::search::terms::Query;

/// Products that are counted one by one in the time of a set of a category among a million.
const PER_CATEGORY: u64 = 10_000;

impl Store {
    /// Returns every seller with its number of products in any state, by name.
    pub fn count_sources(&self) -> Result<Vec<(String, i64)>> {
        self.read(|connection| {
            let (categories, all) = (Categories::default(), Filters::default());
            let mut sources = stored_counts(connection, &categories, &all)?.sources;
            let mut statement = connection.prepare_cached(
                "SELECT source, count(*) FROM listed_products WHERE state > 0 GROUP BY source",
            )?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let source: String = row.get(0)?;
                let products: i64 = row.get(1)?;
                *sources.entry(source).or_default() += products;
            }
            Ok(sources.into_iter().collect())
        })
    }

    /// Returns the sellers with live products, those with the most first.
    pub fn sellers(&self) -> Result<Vec<String>> {
        let sql = "SELECT source FROM product_source_counts GROUP BY source \
                   ORDER BY sum(products) DESC, source";
        self.read(|connection| Ok(column(connection, sql, [])?))
    }

    /// Returns the product counts per filter value.
    pub fn count_facets(&self, filters: &Filters) -> Result<Facets> {
        let priced = PricedSearch::read(filters);
        let filters = priced.as_ref().map_or(filters, |priced| &priced.filters);
        self.with_snapshot(true, |snapshot| facets(snapshot, filters))
    }
}

/// Like [`Store::count_facets`], for filters whose price phrase is already parsed.
pub(super) fn facets(snapshot: &Snapshot<'_>, filters: &Filters) -> Result<Facets> {
    let words = filters.search.as_deref();
    let words = words.map(|text| snapshot.parse(text));
    let counted = match &words {
        // A search without words matches nothing.
        Some(None) => Counted::default(),
        _ if !filters.needs_counting() => {
            stored_counts(snapshot.connection, &snapshot.categories, filters)?
        }
        Some(Some(words)) => counted(snapshot, filters, Some(words))?,
        None => counted(snapshot, filters, None)?,
    };
    let categories = &snapshot.categories;
    let sums = categories.sums(|key| counted.categories.get(&key.key).copied().unwrap_or(0));
    let shown = categories.all().iter().zip(sums);
    let shown = shown.filter(|(listed, _)| !listed.is_hidden);
    let shown = shown.map(|(listed, products)| (listed.category.clone(), products));
    Ok(Facets {
        all: counted.categories.values().sum(),
        categories: shown.collect(),
        sources: most(counted.sources),
        ending_soon: ending_soon(snapshot, filters)?,
        proven: count_proven(snapshot, filters)?,
        chips: count_chips(snapshot, filters)?,
    })
}

/// Counts the matches that end within 24 hours.
fn ending_soon(snapshot: &Snapshot<'_>, filters: &Filters) -> Result<i64> {
    if filter::ending_soon(snapshot.connection)?.is_empty() {
        return Ok(0);
    }
    let ending = Filters {
        ending_soon: true,
        ..filters.clone()
    };
    number_of(snapshot, &ending)
}

fn count_proven(snapshot: &Snapshot<'_>, filters: &Filters) -> Result<i64> {
    let sql = "SELECT EXISTS (SELECT 1 FROM live_products WHERE proven_discount >= ?)";
    let any: bool = scalar(snapshot.connection, sql, [Facets::PROVEN.get()])?;
    if !any {
        return Ok(0);
    }
    let proven = Filters {
        min_proven: Some(Facets::PROVEN),
        ..filters.clone()
    };
    number_of(snapshot, &proven)
}

/// Counts the matches of each filter that is offered above lists; of none until the sorts are in memory,
/// without which it takes long.
fn count_chips(snapshot: &Snapshot<'_>, filters: &Filters) -> Result<Vec<i64>> {
    if snapshot.sorts.is_none() {
        return Ok(Vec::new());
    }
    // Filters of one kind are counted among the same products.
    let mut among: Vec<(Filters, Option<RoaringBitmap>)> = Vec::new();
    let mut counts = Vec::new();
    for chip in &CONSTANTS.chips {
        let (of_chip, others) = filters.beside_chip(chip);
        let found = filter::searched(snapshot, &of_chip, None)?.unwrap_or_default();
        if !among.iter().any(|(known, _)| *known == others) {
            among.push((others.clone(), matches_of(snapshot, &others)?));
        }
        let known = among.iter().find(|(known, _)| *known == others);
        counts.push(match known.and_then(|(_, keys)| keys.as_ref()) {
            Some(keys) => keys.intersection_len(&found).cast_signed(),
            None => found.len().cast_signed(),
        });
    }
    Ok(counts)
}

/// Returns the matches, those that are not listed too; `None` for all products.
fn matches_of(snapshot: &Snapshot<'_>, filters: &Filters) -> Result<Option<RoaringBitmap>> {
    let words = snapshot.words(filters);
    // A search without words matches nothing.
    if filters.search.is_some() && words.is_none() {
        return Ok(Some(RoaringBitmap::new()));
    }
    filter::filtered(snapshot, filters, words.as_ref())
}

/// Counts per value, each ignoring its own filter.
#[derive(Default)]
struct Counted {
    /// By key.
    categories: BTreeMap<String, i64>,
    sources: BTreeMap<String, i64>,
}

/// Reads the stored counts; only for filters by category and source.
fn stored_counts(
    connection: &Connection,
    categories: &Categories,
    filters: &Filters,
) -> Result<Counted> {
    let mut counted = Counted::default();
    let wanted = filters.category.as_ref();
    let wanted: Option<HashSet<&str>> = wanted.map(|category| {
        let keys = categories.keys_of(category);
        keys.map(|key| key.key.as_str()).collect()
    });
    let mut statement = connection
        .prepare_cached("SELECT source, category, products FROM product_source_counts")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let (source, category): (String, String) = (row.get(0)?, row.get(1)?);
        let products: i64 = row.get(2)?;
        if filters.sources.is_empty() || filters.sources.contains(&source) {
            *counted.categories.entry(category.clone()).or_default() += products;
        }
        if wanted
            .as_ref()
            .is_none_or(|wanted| wanted.contains(category.as_str()))
        {
            *counted.sources.entry(source).or_default() += products;
        }
    }
    Ok(counted)
}

/// Counts by intersecting sets of keys.
fn counted(snapshot: &Snapshot<'_>, filters: &Filters, words: Option<&Query>) -> Result<Counted> {
    let connection = snapshot.connection;
    let mut found = searched(snapshot, filters, words)?.unwrap_or_default();
    snapshot.remove_unlisted(filters, &mut found);
    let mut counted = Counted::default();
    let from_sources = match &filters.sources[..] {
        [] => None,
        sources => Some(query::from_sources(connection, sources, Some(&found))?),
    };
    let among = from_sources.as_ref().unwrap_or(&found);
    let keys = snapshot.categories.keys();
    let walks = among.len() < keys.len() as u64 * PER_CATEGORY;
    // The sorts hold only live products.
    let sorts = snapshot.sorts.filter(|_| walks && filters.state.is_none());
    let by_number = sorts.map(|sorts| sorts.count_categories(among));
    for key in keys {
        let products = match &by_number {
            Some(counts) => counts
                .get(usize::from(key.number))
                .copied()
                .map_or(0, i64::from),
            None => {
                let keys = query::in_categories(connection, [key], Some(among))?;
                keys.len().cast_signed()
            }
        };
        counted.categories.insert(key.key.clone(), products);
    }
    let in_category = filters.category.as_ref();
    let in_category = in_category
        .map(|category| {
            let keys = snapshot.categories.keys_of(category);
            query::in_categories(connection, keys, Some(&found))
        })
        .transpose()?;
    let among = in_category.as_ref().unwrap_or(&found);
    // The stored counts include live products only.
    let mut statement = connection.prepare_cached(match filters.state {
        None => "SELECT DISTINCT source FROM product_source_counts",
        Some(_) => "SELECT DISTINCT source FROM listed_products WHERE state > 0",
    })?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let source: String = row.get(0)?;
        let keys = query::from_sources(connection, std::slice::from_ref(&source), Some(among))?;
        let products = keys.len().cast_signed();
        if products > 0 {
            counted.sources.insert(source, products);
        }
    }
    Ok(counted)
}

fn most(sources: BTreeMap<String, i64>) -> Vec<(String, i64)> {
    let mut sources: Vec<(String, i64)> = sources.into_iter().collect();
    sources.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    sources.truncate(CONSTANTS.max_sellers);
    sources.sort_by(|a, b| a.0.cmp(&b.0));
    sources
}
