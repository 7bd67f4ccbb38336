//! Click reports by one dimension.

use std::collections::{HashMap, HashSet};
use std::fmt::Display;

use rusqlite::{Connection, Row, params};

use super::days::{Sum, for_each_day, for_each_hour};

use crate::domain::{
    Channel, LeftOut, Page, Place, ReportBy, ReportQuery, ReportRow, Verdict, Views, date_of,
    page_offset, time_of,
};
use crate::store::Store;
use crate::store::db::error::StoreError;
use crate::store::db::rows::{scalar, time_at};

/// Clicked products with their current or last names.
const NAMED: &str = "SELECT number, clicked.id, coalesce(now.title, clicked.title) AS title, \
    coalesce(now.source, clicked.source) AS source, \
    coalesce(now.category, clicked.category) AS category \
    FROM clicked_products AS clicked LEFT JOIN listed_products AS now ON now.id = clicked.id";

impl Store {
    /// Returns the rows of a report, most counted clicks first; every day or hour in order for
    /// those dimensions.
    pub fn report_clicks(&self, query: &ReportQuery) -> Result<Vec<ReportRow>, StoreError> {
        self.read(|connection| match query.by {
            ReportBy::Day => {
                let found = sums(connection, query, |day, _| day)?;
                Ok(in_order(query.from..=query.to, &found, date_of))
            }
            ReportBy::Hour => {
                let found = sums(connection, query, |hour, _| hour)?;
                Ok(in_order(
                    query.from * 24..=query.to * 24 + 23,
                    &found,
                    |hour| time_of(hour).strftime("%Y-%m-%dT%H:%M").to_string(),
                ))
            }
            ReportBy::Channel => by_code(connection, query, |sum| sum.channel, Channel::named),
            ReportBy::Place => by_code(connection, query, |sum| sum.place, Place::named),
            ReportBy::Verdict => by_code(connection, query, |sum| sum.verdict, Verdict::named),
            ReportBy::Product => {
                let rows = by_product(connection, query, |product| (product.id, product.title))?;
                // Views have no channel.
                if query.channel.is_some() {
                    return Ok(rows);
                }
                with_views(connection, query, rows)
            }
            ReportBy::Source => by_product(connection, query, |product| {
                (product.source.clone(), product.source)
            }),
            ReportBy::Category => by_product(connection, query, |product| {
                (product.category.clone(), product.category)
            }),
        })
    }

    /// Returns one page of the uncounted clicks, newest first; `page` counts from 1.
    pub fn list_left_out(&self, page: u32, limit: u32) -> Result<Page<LeftOut>, StoreError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(&format!(
                "SELECT at, named.id, named.title, verdict, reason, user_agent \
                 FROM excluded_clicks JOIN ({NAMED}) AS named ON named.number = excluded_clicks.product \
                 ORDER BY key DESC LIMIT ? OFFSET ?"
            ))?;
            let rows = statement.query_map(params![limit, page_offset(page, limit)], left_out)?;
            Ok(Page {
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
        verdict: Verdict::from_code(row.get("verdict")?).ok_or(rusqlite::Error::InvalidQuery)?,
        why: row.get("reason")?,
        agent: row.get("user_agent")?,
    })
}

/// Counted and uncounted clicks by number.
type Sums = foldhash::HashMap<i64, (u64, u64)>;

/// Sums the clicks of a query by the number that `by` makes of the day (or hour) and sum.
fn sums(
    connection: &Connection,
    query: &ReportQuery,
    by: impl Fn(i64, &Sum) -> i64,
) -> Result<Sums, StoreError> {
    let products = wanted(connection, query)?;
    let channel = query.channel.map(Channel::code);
    let mut found = Sums::default();
    let add = |time: i64, sum: Sum| {
        let is_wanted = channel.is_none_or(|code| code == sum.channel)
            && products
                .as_ref()
                .is_none_or(|some| some.contains(&sum.product));
        if is_wanted {
            let (counted, left_out) = found.entry(by(time, &sum)).or_default();
            *if sum.verdict == Verdict::Counted.code() {
                counted
            } else {
                left_out
            } += sum.clicks;
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
fn wanted(
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
        if Named::read(row)?.is_of(query) {
            numbers.insert(row.get("number")?);
        }
    }
    Ok(Some(numbers))
}

/// Makes a row per day or hour.
fn in_order<Shown: Display>(
    all: impl Iterator<Item = i64>,
    found: &Sums,
    shown: impl Fn(i64) -> Shown,
) -> Vec<ReportRow> {
    all.map(|number| {
        let (counted, left_out) = found.get(&number).copied().unwrap_or_default();
        let key = shown(number).to_string();
        ReportRow::new(&key, &key, counted, left_out)
    })
    .collect()
}

fn by_code(
    connection: &Connection,
    query: &ReportQuery,
    by: impl Fn(&Sum) -> i64,
    name: fn(i64) -> Option<(&'static str, &'static str)>,
) -> Result<Vec<ReportRow>, StoreError> {
    let rows = sums(connection, query, |_, sum| by(sum))?.into_iter();
    Ok(ranked(rows.filter_map(|(code, (counted, left_out))| {
        let (key, label) = name(code)?;
        Some(ReportRow::new(key, label, counted, left_out))
    })))
}

struct Named {
    id: String,
    title: String,
    source: String,
    category: String,
}

impl Named {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: row.get("id")?,
            title: row.get("title")?,
            source: row.get("source")?,
            category: row.get("category")?,
        })
    }

    /// True if it matches the query's filters.
    fn is_of(&self, query: &ReportQuery) -> bool {
        let category = query.category.is_none_or(|it| it.as_str() == self.category);
        let is = |wanted: &Option<String>, own: &str| wanted.as_deref().is_none_or(|it| it == own);
        category && is(&query.source, &self.source) && is(&query.product, &self.id)
    }
}

fn by_product(
    connection: &Connection,
    query: &ReportQuery,
    name: impl Fn(Named) -> (String, String),
) -> Result<Vec<ReportRow>, StoreError> {
    let found = sums(connection, query, |_, sum| sum.product)?;
    let mut statement = connection.prepare_cached(NAMED)?;
    let mut products = statement.query([])?;
    let mut rows: HashMap<String, ReportRow> = HashMap::new();
    while let Some(row) = products.next()? {
        let Some((counted, left_out)) = found.get(&row.get("number")?) else {
            continue;
        };
        let (key, label) = name(Named::read(row)?);
        let sum = rows.entry(key.clone()).or_insert_with(|| ReportRow {
            key,
            label,
            ..ReportRow::default()
        });
        sum.counted += counted;
        sum.left_out += left_out;
    }
    Ok(ranked(rows.into_values()))
}

/// Adds page views, and rows of products with views only.
fn with_views(
    connection: &Connection,
    query: &ReportQuery,
    rows: Vec<ReportRow>,
) -> Result<Vec<ReportRow>, StoreError> {
    let mut found: HashMap<String, ReportRow> =
        rows.into_iter().map(|row| (row.key.clone(), row)).collect();
    let days = (query.from, query.to);
    let seen = views(connection, days)?;
    let mut clicked: HashMap<i64, u64> = HashMap::new();
    for_each_day(connection, days, |_, sum| {
        if sum.verdict == Verdict::Counted.code() && sum.place == Place::Details.code() {
            *clicked.entry(sum.product).or_default() += sum.clicks;
        }
    })?;
    let mut statement = connection.prepare_cached(NAMED)?;
    let mut products = statement.query([])?;
    while let Some(row) = products.next()? {
        let number: i64 = row.get("number")?;
        let Some(seen) = seen.get(&number).copied() else {
            continue;
        };
        let product = Named::read(row)?;
        if !product.is_of(query) {
            continue;
        }
        let line = found
            .entry(product.id.clone())
            .or_insert_with(|| ReportRow {
                key: product.id,
                label: product.title,
                ..ReportRow::default()
            });
        let clicked = clicked.get(&number).copied().unwrap_or_default();
        line.views = Some(Views { seen, clicked });
    }
    Ok(ranked(found.into_values()))
}

/// Sums page views of a range of days by product number.
fn views(connection: &Connection, (from, to): (i64, i64)) -> Result<HashMap<i64, u64>, StoreError> {
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
