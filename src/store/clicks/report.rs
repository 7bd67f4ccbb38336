//! Reports: sums of clicks, told apart in one way.

use std::collections::HashMap;
use std::fmt::Display;

use rusqlite::{Connection, Row, ToSql, params};

use crate::domain::{
    Channel, LeftOut, Page, Place, ReportBy, ReportQuery, ReportRow, Verdict, Views, date_of,
    time_of,
};
use crate::store::Store;
use crate::store::db::error::StoreError;
use crate::store::db::rows::time_at;

/// Clicked products as they are called now, or were last.
const NAMED: &str = "SELECT number, clicked.id, coalesce(now.title, clicked.title) AS title, \
    coalesce(now.source, clicked.source) AS source, \
    coalesce(now.category, clicked.category) AS category \
    FROM clicked_products AS clicked LEFT JOIN listed_products AS now ON now.id = clicked.id";

impl Store {
    /// The clicks that a query is about, most counted first; days and hours in their order, also
    /// those without any.
    pub fn report_clicks(&self, query: &ReportQuery) -> Result<Vec<ReportRow>, StoreError> {
        self.read(|connection| match query.by {
            ReportBy::Day => {
                let found = sums(connection, query, "day")?;
                Ok(in_order(query.from..=query.to, &found, date_of))
            }
            ReportBy::Hour => {
                let found = sums(connection, query, "day")?;
                Ok(in_order(
                    query.from * 24..=query.to * 24 + 23,
                    &found,
                    |hour| time_of(hour).strftime("%Y-%m-%dT%H:%M").to_string(),
                ))
            }
            ReportBy::Channel => named(connection, query, "channel", |code| {
                Channel::of_code(code).map(|channel| (channel.name(), channel.label()))
            }),
            ReportBy::Place => named(connection, query, "place", |code| {
                Place::of_code(code).map(|place| (place.name(), place.label()))
            }),
            ReportBy::Verdict => named(connection, query, "verdict", |code| {
                Verdict::of_code(code).map(|verdict| (verdict.name(), verdict.label()))
            }),
            ReportBy::Product => {
                let rows = by_product(connection, query, |product| {
                    (product.id.clone(), product.title.clone())
                })?;
                // Nobody knows from where those came who only looked.
                if query.channel.is_some() {
                    return Ok(rows);
                }
                with_views(connection, query, rows)
            }
            ReportBy::Source => by_product(connection, query, |product| {
                (product.source.clone(), product.source.clone())
            }),
            ReportBy::Category => by_product(connection, query, |product| {
                (product.category.clone(), product.category.clone())
            }),
        })
    }

    /// One page of the clicks that were left out, newest first; `page` counts from 1.
    pub fn list_left_out(&self, page: u32, limit: u32) -> Result<Page<LeftOut>, StoreError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(&format!(
                "SELECT at, named.id, named.title, verdict, why, agent \
                 FROM left_out JOIN ({NAMED}) AS named ON named.number = left_out.product \
                 ORDER BY key DESC LIMIT ? OFFSET ?"
            ))?;
            let offset = i64::from(page.max(1) - 1) * i64::from(limit);
            let rows = statement.query_map(params![limit, offset], left_out)?;
            Ok(Page {
                items: rows.collect::<Result<_, _>>()?,
                total: connection
                    .query_row("SELECT count(*) FROM left_out", [], |row| row.get(0))?,
            })
        })
    }
}

fn left_out(row: &Row<'_>) -> rusqlite::Result<LeftOut> {
    Ok(LeftOut {
        at: time_at(row, "at")?,
        product: row.get("id")?,
        title: row.get("title")?,
        verdict: Verdict::of_code(row.get("verdict")?).ok_or(rusqlite::Error::InvalidQuery)?,
        why: row.get("why")?,
        agent: row.get("agent")?,
    })
}

/// Counted clicks, and those left out, by a number.
type Sums = foldhash::HashMap<i64, (u64, u64)>;

/// The clicks of a query by one column of the sums, `day` or another; days that are still told by
/// hours are read there.
fn sums(connection: &Connection, query: &ReportQuery, column: &str) -> Result<Sums, StoreError> {
    let hours = (query.from * 24, query.to * 24 + 23);
    let hour = match (query.by, column) {
        (ReportBy::Hour, _) => "hour",
        (_, "day") => "hour / 24",
        (_, other) => other,
    };
    let mut found = Sums::default();
    add_sums(
        connection,
        query,
        ("click_hours", "hour", hour),
        hours,
        &mut found,
    )?;
    if query.by != ReportBy::Hour {
        let days = (query.from, query.to);
        add_sums(
            connection,
            query,
            ("click_days", "day", column),
            days,
            &mut found,
        )?;
    }
    Ok(found)
}

/// Adds the sums of a table, between two of its times, by a column.
fn add_sums(
    connection: &Connection,
    query: &ReportQuery,
    (table, time, column): (&str, &str, &str),
    (first, last): (i64, i64),
    found: &mut Sums,
) -> Result<(), StoreError> {
    let category = query.category.map(|category| category.as_str().to_owned());
    let channel = query.channel.map(Channel::code);
    let mut values: Vec<&dyn ToSql> = vec![&first, &last];
    let mut conditions = String::new();
    let of_product = [
        ("id", &query.product),
        ("source", &query.source),
        ("category", &category),
    ];
    let wanted: Vec<_> = of_product
        .iter()
        .filter_map(|(name, value)| Some((name, value.as_ref()?)))
        .collect();
    if !wanted.is_empty() {
        let each = wanted.iter().map(|(name, _)| format!("{name} = ?"));
        conditions += &format!(
            " AND product IN (SELECT number FROM ({NAMED}) WHERE {})",
            each.collect::<Vec<_>>().join(" AND ")
        );
        values.extend(wanted.iter().map(|(_, value)| *value as &dyn ToSql));
    }
    if let Some(channel) = &channel {
        conditions += " AND channel = ?";
        values.push(channel);
    }
    // Adding up here takes less than half of what SQLite's sorting for GROUP BY does.
    let mut statement = connection.prepare_cached(&format!(
        "SELECT {column}, verdict, clicks FROM {table} WHERE {time} BETWEEN ? AND ?{conditions}"
    ))?;
    let mut rows = statement.query(values.as_slice())?;
    while let Some(row) = rows.next()? {
        let (verdict, clicks): (i64, u64) = (row.get(1)?, row.get(2)?);
        let sum = found.entry(row.get(0)?).or_default();
        if verdict == Verdict::Counted.code() {
            sum.0 += clicks;
        } else {
            sum.1 += clicks;
        }
    }
    Ok(())
}

/// A row for each of some days or hours.
fn in_order<Shown: Display>(
    all: impl Iterator<Item = i64>,
    found: &Sums,
    shown: impl Fn(i64) -> Shown,
) -> Vec<ReportRow> {
    all.map(|number| {
        let (counted, left_out) = found.get(&number).copied().unwrap_or_default();
        let key = shown(number).to_string();
        ReportRow {
            label: key.clone(),
            key,
            counted,
            left_out,
            views: None,
        }
    })
    .collect()
}

fn named(
    connection: &Connection,
    query: &ReportQuery,
    column: &str,
    name: impl Fn(i64) -> Option<(&'static str, &'static str)>,
) -> Result<Vec<ReportRow>, StoreError> {
    let rows = sums(connection, query, column)?.into_iter();
    Ok(ranked(rows.filter_map(|(code, (counted, left_out))| {
        let (key, label) = name(code)?;
        Some(ReportRow {
            key: key.to_owned(),
            label: label.to_owned(),
            counted,
            left_out,
            views: None,
        })
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

    /// Whether a query is about it.
    fn is_of(&self, query: &ReportQuery) -> bool {
        let category = query.category.is_none_or(|it| it.as_str() == self.category);
        let is = |wanted: &Option<String>, own: &str| wanted.as_deref().is_none_or(|it| it == own);
        category && is(&query.source, &self.source) && is(&query.product, &self.id)
    }
}

fn by_product(
    connection: &Connection,
    query: &ReportQuery,
    name: impl Fn(&Named) -> (String, String),
) -> Result<Vec<ReportRow>, StoreError> {
    let found = sums(connection, query, "product")?;
    let mut statement = connection.prepare_cached(NAMED)?;
    let mut products = statement.query([])?;
    let mut rows: HashMap<String, ReportRow> = HashMap::new();
    while let Some(row) = products.next()? {
        let Some((counted, left_out)) = found.get(&row.get("number")?) else {
            continue;
        };
        let (key, label) = name(&Named::read(row)?);
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

/// Adds how often each product was looked at, and those that were only looked at.
fn with_views(
    connection: &Connection,
    query: &ReportQuery,
    rows: Vec<ReportRow>,
) -> Result<Vec<ReportRow>, StoreError> {
    let mut found: HashMap<String, ReportRow> =
        rows.into_iter().map(|row| (row.key.clone(), row)).collect();
    let days = (query.from, query.to);
    let seen = looks(connection, "view_days", "views", days)?;
    let clicked = looks(connection, CLICKED_ON_DETAILS, "clicks", days)?;
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

/// Counted clicks on the products' own pages.
const CLICKED_ON_DETAILS: &str = "(SELECT day, product, clicks FROM click_sums \
    WHERE verdict = 0 AND place = 1)";

/// The sums of a table's column between two days, by the product.
fn looks(
    connection: &Connection,
    table: &str,
    column: &str,
    (from, to): (i64, i64),
) -> Result<HashMap<i64, u64>, StoreError> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT product, {column} FROM {table} WHERE day BETWEEN ? AND ?"
    ))?;
    let mut rows = statement.query([from, to])?;
    let mut sums = HashMap::new();
    while let Some(row) = rows.next()? {
        *sums.entry(row.get(0)?).or_default() += row.get::<_, u64>(1)?;
    }
    Ok(sums)
}

fn ranked(rows: impl Iterator<Item = ReportRow>) -> Vec<ReportRow> {
    let mut rows: Vec<ReportRow> = rows.collect();
    rows.sort_by(|a, b| {
        (b.counted, b.left_out)
            .cmp(&(a.counted, a.left_out))
            .then_with(|| a.key.cmp(&b.key))
    });
    rows
}
