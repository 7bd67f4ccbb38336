//! Click reports by one dimension.

use std::collections::{HashMap, HashSet};
use std::fmt::Display;

use rusqlite::{Connection, Row, params};

use super::sums::{for_each_day, for_each_hour};

use crate::domain::{
    Category, Channel, Classification, ClickKind, Dimension, LeftOut, PageViews, Paged, Place,
    ReportBy, ReportQuery, ReportRow, date_of, page_offset, time_of,
};
use crate::store::Store;
use crate::store::db::error::StoreError;
use crate::store::db::rows::{scalar, time_at};

/// Clicked products with their current or last names.
const NAMED: &str = "SELECT number, clicked.id, coalesce(now.title, clicked.title) AS title, \
    coalesce(now.source, clicked.source) AS source, \
    label FROM clicked_products AS clicked LEFT JOIN listed_products AS now ON now.id = clicked.id \
    LEFT JOIN category_labels ON stored = coalesce(now.category, clicked.category)";

impl Store {
    /// Returns the rows of a report, most counted clicks first; every day or hour in order for
    /// those dimensions.
    pub fn report_clicks(&self, query: &ReportQuery) -> Result<Vec<ReportRow>, StoreError> {
        self.read(|connection| match query.by {
            ReportBy::Day => {
                let found = sum_clicks(connection, query, |day, _| day)?;
                Ok(rows_in_order(query.from..=query.to, &found, date_of))
            }
            ReportBy::Hour => {
                let found = sum_clicks(connection, query, |hour, _| hour)?;
                Ok(rows_in_order(
                    query.from * 24..=query.to * 24 + 23,
                    &found,
                    |hour| time_of(hour).strftime("%Y-%m-%dT%H:%M").to_string(),
                ))
            }
            ReportBy::Product => {
                by_product(connection, query, |product| (product.id, product.title))
            }
            ReportBy::Source => by_product(connection, query, |product| {
                (product.source.clone(), product.source)
            }),
            ReportBy::Category => by_product(connection, query, |product| {
                let name = product.category.as_ref().map_or("", Category::as_str);
                (name.to_owned(), name.to_owned())
            }),
            by => match by.dimension() {
                Some(dimension) => by_dimension(connection, query, dimension),
                None => Ok(Vec::new()),
            },
        })
    }

    /// Returns one page of the uncounted clicks, newest first; `page` counts from 1.
    pub fn list_left_out(&self, page: u32, limit: u32) -> Result<Paged<LeftOut>, StoreError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(&format!(
                "SELECT at, named.id, named.title, verdict, reason, user_agent \
                 FROM excluded_clicks JOIN ({NAMED}) AS named ON named.number = excluded_clicks.product \
                 ORDER BY key DESC LIMIT ? OFFSET ?"
            ))?;
            let rows = statement.query_map(params![limit, page_offset(page, limit)], left_out)?;
            Ok(Paged {
                items: rows.collect::<Result<_, _>>()?,
                total: scalar(connection, "SELECT count(*) FROM excluded_clicks", [])?,
            })
        })
    }
}

fn left_out(row: &Row<'_>) -> rusqlite::Result<LeftOut> {
    Ok(LeftOut {
        at: time_at(row, "at")?,
        product: row.get("id")?,
        title: row.get("title")?,
        classification: Classification::from_code(row.get("verdict")?)
            .ok_or(rusqlite::Error::InvalidQuery)?,
        why: row.get("reason")?,
        agent: row.get("user_agent")?,
    })
}

/// Clicks of a row.
#[derive(Clone, Copy, Default)]
struct ClickFigures {
    counted: u64,
    left_out: u64,
    /// Counted clicks that were made on the product's page.
    on_page: u64,
}

/// Clicks by the number of a row.
type ClickSums = foldhash::HashMap<i64, ClickFigures>;

/// Sums the clicks of a query by the number that `row` makes of the day (or hour) and kind.
fn sum_clicks(
    connection: &Connection,
    query: &ReportQuery,
    row: impl Fn(i64, ClickKind) -> i64,
) -> Result<ClickSums, StoreError> {
    let products = products_of_query(connection, query)?;
    let channel = query.channel.map(Channel::code);
    let mut found = ClickSums::default();
    let add = |time: i64, kind: ClickKind, clicks: u64| {
        let is_wanted = channel.is_none_or(|code| code == kind.code(Dimension::CHANNEL))
            && products
                .as_ref()
                .is_none_or(|some| some.contains(&kind.product()));
        if !is_wanted {
            return;
        }
        let sum = found.entry(row(time, kind)).or_default();
        if !kind.is_counted() {
            sum.left_out += clicks;
            return;
        }
        sum.counted += clicks;
        if kind.code(Dimension::PLACE) == Place::Details.code() {
            sum.on_page += clicks;
        }
    };
    if query.by == ReportBy::Hour {
        for_each_hour(connection, (query.from * 24, query.to * 24 + 23), add)?;
    } else {
        for_each_day(connection, (query.from, query.to), add)?;
    }
    Ok(found)
}

/// Returns the numbers of the query's products; `None` for all.
fn products_of_query(
    connection: &Connection,
    query: &ReportQuery,
) -> Result<Option<HashSet<i64>>, StoreError> {
    if query.source.is_none() && query.category.is_none() && query.product.is_none() {
        return Ok(None);
    }
    let mut statement = connection.prepare_cached(NAMED)?;
    let mut products = statement.query([])?;
    let mut numbers = HashSet::new();
    while let Some(row) = products.next()? {
        if NamedDeal::read(row)?.matches(query) {
            numbers.insert(row.get("number")?);
        }
    }
    Ok(Some(numbers))
}

/// Makes a row per day or hour.
fn rows_in_order<Shown: Display>(
    all: impl Iterator<Item = i64>,
    found: &ClickSums,
    shown: impl Fn(i64) -> Shown,
) -> Vec<ReportRow> {
    all.map(|number| {
        let clicks = found.get(&number).copied().unwrap_or_default();
        let key = shown(number).to_string();
        ReportRow::new(&key, &key, clicks.counted, clicks.left_out)
    })
    .collect()
}

fn by_dimension(
    connection: &Connection,
    query: &ReportQuery,
    dimension: Dimension,
) -> Result<Vec<ReportRow>, StoreError> {
    let rows = sum_clicks(connection, query, |_, kind| kind.code(dimension))?.into_iter();
    Ok(ranked(rows.filter_map(|(code, clicks)| {
        let (key, label) = (dimension.named)(code)?;
        Some(ReportRow::new(key, label, clicks.counted, clicks.left_out))
    })))
}

struct NamedDeal {
    id: String,
    title: String,
    source: String,
    /// None of the clicks beyond a limit.
    category: Option<Category>,
}

impl NamedDeal {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        let label: Option<String> = row.get("label")?;
        Ok(Self {
            id: row.get("id")?,
            title: row.get("title")?,
            source: row.get("source")?,
            category: label.as_deref().and_then(Category::from_label),
        })
    }

    /// True if it matches the query's filters.
    fn matches(&self, query: &ReportQuery) -> bool {
        let is_in = |wanted: &Category| {
            let own = self.category.as_ref();
            own.is_some_and(|own| own.path().any(|name| name == wanted.as_str()))
        };
        let category = query.category.as_ref().is_none_or(is_in);
        let is = |wanted: &Option<String>, own: &str| wanted.as_deref().is_none_or(|it| it == own);
        category && is(&query.source, &self.source) && is(&query.product, &self.id)
    }
}

/// Adds up the clicks of products with the same key. A report by product also has page views, and
/// products with page views only.
fn by_product(
    connection: &Connection,
    query: &ReportQuery,
    name: impl Fn(NamedDeal) -> (String, String),
) -> Result<Vec<ReportRow>, StoreError> {
    let found = sum_clicks(connection, query, |_, kind| kind.product())?;
    // Page views have no channel.
    let page_views = if query.by == ReportBy::Product && query.channel.is_none() {
        page_views_by_product(connection, (query.from, query.to))?
    } else {
        HashMap::new()
    };
    let mut statement = connection.prepare_cached(NAMED)?;
    let mut products = statement.query([])?;
    let mut rows: HashMap<String, ReportRow> = HashMap::new();
    while let Some(row) = products.next()? {
        let number: i64 = row.get("number")?;
        let (clicks, seen) = (found.get(&number), page_views.get(&number));
        if clicks.is_none() && seen.is_none() {
            continue;
        }
        let product = NamedDeal::read(row)?;
        if !product.matches(query) {
            continue;
        }
        let (key, label) = name(product);
        let line = rows.entry(key.clone()).or_insert_with(|| ReportRow {
            key,
            label,
            ..ReportRow::default()
        });
        let clicks = clicks.copied().unwrap_or_default();
        line.counted += clicks.counted;
        line.left_out += clicks.left_out;
        line.page_views = seen.map(|seen| PageViews {
            seen: *seen,
            clicked: clicks.on_page,
        });
    }
    Ok(ranked(rows.into_values()))
}

/// Sums page views of a range of days by product number.
fn page_views_by_product(
    connection: &Connection,
    (from, to): (i64, i64),
) -> Result<HashMap<i64, u64>, StoreError> {
    let mut statement = connection
        .prepare_cached("SELECT product, views FROM daily_views WHERE day BETWEEN ? AND ?")?;
    let mut rows = statement.query([from, to])?;
    let mut sums = HashMap::new();
    while let Some(row) = rows.next()? {
        *sums.entry(row.get(0)?).or_default() += row.get::<_, u64>(1)?;
    }
    Ok(sums)
}

/// Sorts by clicks, most counted first.
pub(super) fn ranked(rows: impl Iterator<Item = ReportRow>) -> Vec<ReportRow> {
    let mut rows: Vec<ReportRow> = rows.collect();
    rows.sort_by(|a, b| {
        (b.counted, b.left_out)
            .cmp(&(a.counted, a.left_out))
            .then_with(|| a.key.cmp(&b.key))
    });
    rows
}
