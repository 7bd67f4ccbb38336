//! Lists of products: filters, sorts, pages and how many there are of each.

use std::collections::BTreeMap;

use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension};

use super::products::{COLUMNS, product};
use super::spelling;
use super::words::{Query, matching_words};
use super::{Store, StoreError};
use crate::domain::{Category, Facets, Filters, ListQuery, Listing, Order, Page, Product, SortBy};

impl Store {
    /// One page of the products that pass the query's filters, and how many pass.
    ///
    /// # Errors
    ///
    /// [`StoreError::Busy`] when no connection became free in time.
    pub fn list_products(&self, query: &ListQuery) -> Result<Listing<Product>, StoreError> {
        self.read(|connection| {
            // One snapshot for the page and its total.
            let snapshot = connection.unchecked_transaction()?;
            let listing = list(&snapshot, query)?;
            snapshot.finish()?;
            Ok(listing)
        })
    }

    /// How many products there are for each choice of a filter.
    ///
    /// # Errors
    ///
    /// [`StoreError::Busy`] when no connection became free in time.
    pub fn count_facets(&self, filters: &Filters) -> Result<Facets, StoreError> {
        self.read(|connection| facets(connection, filters))
    }

    /// How SQLite means to answer the query's page and its total, a line for
    /// each step; the tests hold the listing to its indexes with it.
    ///
    /// # Errors
    ///
    /// [`StoreError::Busy`] when no connection became free in time.
    pub fn listing_plan(&self, query: &ListQuery) -> Result<Vec<String>, StoreError> {
        self.read(|connection| {
            let selection = Selection::new(connection, query)?;
            let mut steps = Vec::new();
            for (sql, params) in [selection.page_sql(query), selection.count_sql()] {
                let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}"))?;
                let lines = statement.query_map(&*by_name(&params), |row| row.get("detail"))?;
                steps.extend(lines.collect::<Result<Vec<String>, _>>()?);
            }
            Ok(steps)
        })
    }
}

/// A statement's named parameters.
type Params = Vec<(&'static str, Value)>;

fn by_name(params: &Params) -> Vec<(&str, &dyn rusqlite::ToSql)> {
    params
        .iter()
        .map(|(name, value)| (*name, value as &dyn rusqlite::ToSql))
        .collect()
}

fn list(connection: &Connection, query: &ListQuery) -> Result<Listing<Product>, StoreError> {
    let search = query.filters.search.as_deref();
    let words = search.and_then(Query::parse);
    if search.is_some() && words.is_none() {
        // Text without a single word matches nothing.
        return Ok(Listing {
            page: Page {
                items: Vec::new(),
                total: 0,
            },
            matches: Vec::new(),
            suggestion: None,
        });
    }
    let selection = Selection::new(connection, query)?;
    let (sql, params) = selection.page_sql(query);
    let mut statement = connection.prepare_cached(&sql)?;
    let rows = statement.query_map(&*by_name(&params), product)?;
    let items = rows.collect::<Result<Vec<Product>, _>>()?;
    let total = selection.total(connection)?;
    let matches = words.as_ref().map_or_else(Vec::new, |words| {
        matching_words(words, items.iter().map(|product| &product.details))
    });
    let suggestion = match words {
        Some(words) if total == 0 => suggest(connection, query, &words)?,
        _ => None,
    };
    Ok(Listing {
        page: Page { items, total },
        matches,
        suggestion,
    })
}

/// The search with its unknown words replaced, where that finds something.
fn suggest(
    connection: &Connection,
    query: &ListQuery,
    words: &Query,
) -> Result<Option<String>, StoreError> {
    let Some(corrected) = spelling::correct(connection, words)? else {
        return Ok(None);
    };
    let mut other = query.clone();
    other.filters.search = Some(corrected.clone());
    let found = Selection::new(connection, &other)?.total(connection)?;
    Ok((found > 0).then_some(corrected))
}

/// How many products there are in all.
pub(super) fn count_all(connection: &Connection) -> Result<i64, StoreError> {
    let mut statement =
        connection.prepare_cached("SELECT products FROM product_counts WHERE category = 'all'")?;
    Ok(statement.query_row([], |row| row.get(0))?)
}

/// The products that pass the filters, as parts of a statement.
struct Selection {
    /// The tables; `products` is always among them.
    from: &'static str,
    /// What holds for every product.
    conditions: Vec<&'static str>,
    params: Params,
    /// The words in the titles alone, for relevance.
    title_words: Option<String>,
    /// Where the total is kept, when nothing has to be counted one by one.
    kept_total: Option<&'static str>,
}

impl Selection {
    fn new(connection: &Connection, query: &ListQuery) -> Result<Self, StoreError> {
        let filters = &query.filters;
        let words = filters.search.as_deref().and_then(Query::parse);
        let mut selection = Self {
            from: "products",
            conditions: Vec::new(),
            params: Vec::new(),
            title_words: words.as_ref().map(Query::in_title),
            kept_total: kept_total(filters),
        };
        if let Some(words) = &words {
            selection.from = "product_search JOIN products ON products.key = product_search.rowid";
            selection.require("product_search MATCH :words", ":words", words.expression());
        }
        if let Some(category) = filters.category {
            // The unary plus keeps SQLite from walking a sort's index and testing
            // every product against the matches.
            let condition = match words {
                Some(_) => "+category = :category",
                None => "category = :category",
            };
            selection.require(condition, ":category", category.as_str().to_owned());
        }
        if let Some(source) = &filters.source {
            let walk = words.is_some() || source_is_common(connection, query, source)?;
            let condition = if walk {
                "+source = :source"
            } else {
                "source = :source"
            };
            selection.require(condition, ":source", source.clone());
        }
        if let Some(price) = filters.min_price {
            selection.require("+final_price >= :min_price", ":min_price", price.get());
        }
        if let Some(price) = filters.max_price {
            selection.require("+final_price <= :max_price", ":max_price", price.get());
        }
        if let Some(discount) = filters.min_discount {
            selection.require(
                "+discount >= :min_discount",
                ":min_discount",
                discount.get(),
            );
        }
        Ok(selection)
    }

    fn require(&mut self, condition: &'static str, name: &'static str, value: impl Into<Value>) {
        self.conditions.push(condition);
        self.params.push((name, value.into()));
    }

    fn where_clause(&self) -> String {
        if self.conditions.is_empty() {
            String::new()
        } else {
            format!("WHERE {}", self.conditions.join(" AND "))
        }
    }

    /// The rows of one page. Where rows may have to be sorted, only their keys
    /// are: descriptions would fill the memory.
    fn page_sql(&self, query: &ListQuery) -> (String, Params) {
        let mut params = self.params.clone();
        params.push((":limit", i64::from(query.limit).into()));
        params.push((":offset", query.offset().into()));
        let order = order_by(query.sort_by, query.order);
        if query.sort_by == SortBy::Relevance {
            let words = self.title_words.clone().unwrap_or_default();
            params.push((":title_words", words.into()));
        }
        let (from, filter) = (self.from, self.where_clause());
        let sql = if query.filters.need_counting() || query.filters.source.is_some() {
            format!(
                "SELECT {COLUMNS} FROM products JOIN (SELECT products.key AS found FROM {from} \
                 {filter} {order} LIMIT :limit OFFSET :offset) ON products.key = found {order}"
            )
        } else {
            // SQLite reads a row only once the offset is passed, so skipping rows
            // costs no more than walking the index.
            format!("SELECT {COLUMNS} FROM {from} {filter} {order} LIMIT :limit OFFSET :offset")
        };
        (sql, params)
    }

    fn count_sql(&self) -> (String, Params) {
        if let Some(sql) = self.kept_total {
            let kept = self.params.iter();
            let kept = kept.filter(|(name, _)| sql.contains(name)).cloned();
            return (sql.to_owned(), kept.collect());
        }
        // The full-text index alone knows how many match.
        let from = if self.conditions.len() == 1 && self.title_words.is_some() {
            "product_search"
        } else {
            self.from
        };
        // Without an order to keep, the range of an index is the shorter way; with
        // words, the full-text index is.
        let filter = match self.title_words {
            Some(_) => self.where_clause(),
            None => self.where_clause().replace('+', ""),
        };
        (
            format!("SELECT count(*) FROM {from} {filter}"),
            self.params.clone(),
        )
    }

    fn total(&self, connection: &Connection) -> Result<i64, StoreError> {
        let (sql, params) = self.count_sql();
        let mut statement = connection.prepare_cached(&sql)?;
        Ok(statement.query_row(&*by_name(&params), |row| row.get(0))?)
    }
}

fn kept_total(filters: &Filters) -> Option<&'static str> {
    if filters.need_counting() {
        return None;
    }
    Some(match (&filters.source, filters.category) {
        (None, None) => "SELECT products FROM product_counts WHERE category = 'all'",
        (None, Some(_)) => "SELECT products FROM product_counts WHERE category = :category",
        (Some(_), None) => {
            "SELECT coalesce(sum(products), 0) FROM product_source_counts WHERE source = :source"
        }
        (Some(_), Some(_)) => {
            "SELECT coalesce(sum(products), 0) FROM product_source_counts \
             WHERE source = :source AND category = :category"
        }
    })
}

/// Whether so many products are of this source that walking the sort's index
/// meets the page's before long; a rare one is fetched whole and sorted. The two
/// cost the same where `page end × all ÷ of the source` products are walked past.
fn source_is_common(
    connection: &Connection,
    query: &ListQuery,
    source: &str,
) -> Result<bool, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT coalesce(sum(products), 0) FROM product_source_counts WHERE source = ?",
    )?;
    let of_source: i64 = statement.query_row([source], |row| row.get(0))?;
    let page_end = query.offset() + i64::from(query.limit);
    let walked = count_all(connection)?.saturating_mul(page_end);
    Ok(walked < of_source.saturating_mul(of_source))
}

/// The sort with its tie-break.
fn order_by(sort_by: SortBy, order: Order) -> String {
    let direction = match order {
        Order::Asc => "ASC",
        Order::Desc => "DESC",
    };
    let column = match sort_by {
        SortBy::CreatedAt => "created_at",
        SortBy::Price => "price",
        SortBy::AverageRating => "average_rating",
        SortBy::Clicks => "clicks",
        SortBy::Discount => "discount",
        SortBy::FinalPrice => "final_price",
        SortBy::Relevance => {
            return format!(
                "ORDER BY products.key IN (SELECT rowid FROM product_search \
                 WHERE product_search MATCH :title_words) {direction}, \
                 clicks {direction}, total_ratings {direction}, id {direction}"
            );
        }
    };
    format!("ORDER BY {column} {direction}, id {direction}")
}

fn facets(connection: &Connection, filters: &Filters) -> Result<Facets, StoreError> {
    // Each choice is counted as if nothing were chosen for its own filter.
    let open = ListQuery {
        filters: Filters {
            category: None,
            source: None,
            ..filters.clone()
        },
        ..ListQuery::default()
    };
    let words = open.filters.search.as_deref().map(Query::parse);
    let mut categories: BTreeMap<Category, i64> = Category::ALL
        .into_iter()
        .map(|category| (category, 0))
        .collect();
    let mut sources: BTreeMap<String, i64> = BTreeMap::new();
    let mut all = 0;
    let nothing = matches!(words, Some(None));
    for (source, category, products) in counted(connection, &open)?.into_iter().filter(|_| !nothing)
    {
        if filters
            .source
            .as_ref()
            .is_none_or(|wanted| *wanted == source)
        {
            *categories.entry(category).or_default() += products;
            all += products;
        }
        if filters.category.is_none_or(|wanted| wanted == category) {
            *sources.entry(source).or_default() += products;
        }
    }
    Ok(Facets {
        all,
        categories: categories.into_iter().collect(),
        sources: most(sources),
    })
}

/// How many products pass the filters, for each source and category.
fn counted(
    connection: &Connection,
    query: &ListQuery,
) -> Result<Vec<(String, Category, i64)>, StoreError> {
    let (sql, params) = if query.filters.need_counting() {
        let selection = Selection::new(connection, query)?;
        let sql = format!(
            "SELECT source, category, count(*) FROM {} {} GROUP BY source, category",
            selection.from,
            selection.where_clause()
        );
        (sql, selection.params)
    } else {
        let kept = "SELECT source, category, products FROM product_source_counts";
        (kept.to_owned(), Vec::new())
    };
    let mut statement = connection.prepare_cached(&sql)?;
    let rows = statement.query_map(&*by_name(&params), |row| {
        Ok((row.get(0)?, row.get::<_, String>(1)?, row.get(2)?))
    })?;
    let mut counted = Vec::new();
    for row in rows {
        let (source, category, products) = row?;
        if let Some(category) = Category::parse(&category) {
            counted.push((source, category, products));
        }
    }
    Ok(counted)
}

fn most(sources: BTreeMap<String, i64>) -> Vec<(String, i64)> {
    let mut sources: Vec<(String, i64)> = sources.into_iter().collect();
    sources.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    sources.truncate(Facets::MAX_SOURCES);
    sources.sort_by(|a, b| a.0.cmp(&b.0));
    sources
}

/// Whether anything matches an FTS5 expression.
pub(super) fn anything_matches(
    connection: &Connection,
    expression: &str,
) -> Result<bool, StoreError> {
    let mut statement = connection
        .prepare_cached("SELECT 1 FROM product_search WHERE product_search MATCH ? LIMIT 1")?;
    let found = statement.query_row([expression], |_| Ok(())).optional()?;
    Ok(found.is_some())
}
