//! Dashboard: recent figures, movers, and products that need attention.

use std::cmp::Reverse;
use std::collections::HashMap;

use jiff::{SignedDuration, Timestamp};
use roaring::RoaringBitmap;
use rusqlite::{Connection, OptionalExtension, Row, params_from_iter};
use serde_json::Value;

use super::page_views::failed_searches_since;
use super::report::ranked;
use super::sums::{for_each_day, for_each_hour};
use crate::domain::{
    Channel, Compared, Dimension, Lifetime, ListQuery, Listing, Mover, Needs, NeedsView, Overview,
    Paged, Product, ReportBy, ReportQuery, ReportRow, Stated, day_in_india, hour_in_india,
};
use crate::store::Store;
use crate::store::db::error::StoreError;
use crate::store::db::rows::{column, scalar};
use crate::store::products::columns::{PRICE_SEEN, READ, product};
use crate::store::products::pictures::KEPT_FOR;

/// Hours of a week.
pub(super) const WEEK: i64 = 7 * 24;
/// Days of the plot, and of a mover's trend.
const DAYS: i64 = 30;
const LINE: i64 = 14;
/// Maximum number of movers and of searches.
const MOVERS: usize = 6;
const SEARCHES: u32 = 6;

impl Store {
    /// Returns the dashboard figures.
    pub fn overview(&self, now: Timestamp) -> Result<Overview, StoreError> {
        let today = day_in_india(now);
        let report = |by| {
            self.report_clicks(&ReportQuery {
                from: today - DAYS + 1,
                to: today,
                by,
                source: None,
                category: None,
                product: None,
                channel: None,
            })
        };
        let (days, classifications) = (report(ReportBy::Day)?, report(ReportBy::Classification)?);
        self.read(|connection| {
            let hours = Hours::read(connection, hour_in_india(now))?;
            Ok(Overview {
                best: best(connection, &hours.products)?,
                days,
                classifications,
                movers: movers(connection, &hours.products, today)?,
                failed_searches: failed_searches_since(connection, today - 6, SEARCHES)?,
                ..hours.overview
            })
        })
    }

    /// Returns counted clicks per day by `_id`, without products that were never clicked.
    pub fn click_trends(
        &self,
        ids: &[String],
        days: i64,
        now: Timestamp,
    ) -> Result<HashMap<String, Vec<u64>>, StoreError> {
        let today = day_in_india(now);
        self.read(|connection| trends(connection, ids, today, days))
    }

    /// Counts what needs attention.
    pub fn needs(&self, now: Timestamp) -> Result<Needs, StoreError> {
        self.read(|connection| {
            let count = |sql: &str, values: &[i64]| -> Result<u64, StoreError> {
                Ok(scalar(connection, sql, params_from_iter(values))?)
            };
            let count_of = |view| {
                count(
                    &format!("SELECT count(*) {}", view_condition(view, Age::OldEnough)),
                    &view_bounds(view, now),
                )
            };
            let sql = format!("SELECT min({PRICE_SEEN}) FROM live_products");
            let oldest: Option<i64> = scalar(connection, &sql, [])?;
            Ok(Needs {
                failed_jobs: count("SELECT count(*) FROM outgoing WHERE attempts > 0", &[])?,
                old_prices: count_of(NeedsView::OldPrice)?,
                oldest: oldest.and_then(|at| Timestamp::from_millisecond(at).ok()),
                over: count_of(NeedsView::Over)?,
                ending: count_of(NeedsView::Ending)?,
                missing_pictures: count_of(NeedsView::Pictures)?,
                duplicates: count_of(NeedsView::Duplicates)?,
                unclicked: count_of(NeedsView::Unclicked)?,
            })
        })
    }

    /// Returns one page of a view; uses only the page of the `ListQuery`.
    pub fn list_needing(
        &self,
        view: NeedsView,
        query: &ListQuery,
        now: Timestamp,
    ) -> Result<Listing<Product>, StoreError> {
        self.read(|connection| {
            let (from, bounds) = (view_condition(view, Age::OldEnough), view_bounds(view, now));
            let order = match view {
                NeedsView::Over => {
                    "(SELECT reports FROM over_reports WHERE product = key) DESC, id"
                }
                NeedsView::OldPrice => "updated_at, id",
                NeedsView::Ending => "ends_at, id",
                NeedsView::Duplicates => "title, source, id",
                NeedsView::Pictures | NeedsView::Unclicked => "published_at, id",
            };
            let mut values = bounds.clone();
            values.extend([i64::from(query.limit), query.offset()]);
            let mut statement = connection.prepare_cached(&format!(
                "SELECT {} {from} ORDER BY {order} LIMIT ? OFFSET ?",
                *READ
            ))?;
            let rows = statement.query_map(params_from_iter(values), product)?;
            let items = rows.collect::<Result<_, _>>()?;
            let sql = format!("SELECT count(*) {from}");
            let total = scalar(connection, &sql, params_from_iter(bounds))?;
            Ok(Listing {
                page: Paged { items, total },
                matches: Vec::new(),
                suggestion: None,
                also: Vec::new(),
                mentioned: None,
                stated: Stated::default(),
                read: None,
                relaxed: Vec::new(),
                shorter: Vec::new(),
            })
        })
    }

    /// Counts the products that are too new for a view, but would be in it with more age.
    pub fn count_too_new(&self, view: NeedsView, now: Timestamp) -> Result<u64, StoreError> {
        if !matches!(view, NeedsView::OldPrice | NeedsView::Unclicked) {
            return Ok(0);
        }
        let sql = format!("SELECT count(*) {}", view_condition(view, Age::TooNew));
        self.read(|connection| {
            Ok(scalar(
                connection,
                &sql,
                params_from_iter(view_bounds(view, now)),
            )?)
        })
    }
}

/// Age of products or prices, compared with the least age of a view.
#[derive(Clone, Copy)]
pub(super) enum Age {
    OldEnough,
    TooNew,
}

/// Returns the SQL of a view's products, or of those that are too new for it.
pub(super) fn view_condition(view: NeedsView, age: Age) -> String {
    let (compare, not) = match age {
        Age::OldEnough => ("<", ""),
        Age::TooNew => (">=", "NOT"),
    };
    let which = match view {
        NeedsView::OldPrice => &format!(
            "{not} ({PRICE_SEEN} < ? OR {PRICE_SEEN} < ? AND id IN \
                 (SELECT id FROM clicked_products WHERE last_counted >= ?))"
        ),
        NeedsView::Ending => "ends_at < ?",
        NeedsView::Over => &format!(
            "key IN (SELECT product FROM over_reports) \
             AND (SELECT at FROM over_reports WHERE product = key) > {PRICE_SEEN}"
        ),
        NeedsView::Pictures => "key IN (SELECT product FROM broken_images WHERE at > ?)",
        NeedsView::Duplicates => {
            "(title, source) IN \
             (SELECT title, source FROM live_products GROUP BY title, source HAVING count(*) > 1)"
        }
        NeedsView::Unclicked => &format!(
            "published_at {compare} ? AND NOT EXISTS \
                 (SELECT 1 FROM clicked_products \
                  WHERE clicked_products.id = live_products.id AND last_counted > ?)"
        ),
    };
    format!("FROM live_products WHERE {which}")
}

/// Returns the keys of a view's products.
pub(crate) fn in_view(
    connection: &Connection,
    view: NeedsView,
    now: Timestamp,
) -> Result<RoaringBitmap, StoreError> {
    let sql = format!("SELECT key {}", view_condition(view, Age::OldEnough));
    let bounds = params_from_iter(view_bounds(view, now));
    Ok(column::<u32, _>(connection, &sql, bounds)?)
}

pub(super) fn view_bounds(view: NeedsView, now: Timestamp) -> Vec<i64> {
    let before = |days: i64| (now - SignedDuration::from_hours(24 * days)).as_millisecond();
    match view {
        NeedsView::OldPrice => vec![
            before(Needs::OLD_PRICE),
            before(Needs::UNCONFIRMED_PRICE),
            day_in_india(now) - WEEK / 24,
        ],
        NeedsView::Ending => vec![(now + Lifetime::SOON).as_millisecond()],
        NeedsView::Pictures => vec![now.as_millisecond() - KEPT_FOR],
        NeedsView::Over | NeedsView::Duplicates => Vec::new(),
        NeedsView::Unclicked => vec![before(DAYS), day_in_india(now) - DAYS],
    }
}

/// Figures of the last two weeks' hours.
struct Hours {
    overview: Overview,
    products: HashMap<i64, Compared>,
}

impl Hours {
    fn read(connection: &Connection, this_hour: i64) -> Result<Self, StoreError> {
        let midnight = this_hour - this_hour.rem_euclid(24);
        let mut overview = Overview::default();
        let mut until = Compared::default();
        let mut products: HashMap<i64, Compared> = HashMap::new();
        let mut channels: HashMap<i64, u64> = HashMap::new();
        for_each_hour(
            connection,
            (this_hour - 2 * WEEK, this_hour),
            |hour, kind, clicks| {
                if !kind.is_counted() {
                    return;
                }
                let product = products.entry(kind.product()).or_default();
                // The current hour is incomplete and not compared.
                if (this_hour - WEEK..this_hour).contains(&hour) {
                    overview.week.now += clicks;
                    product.now += clicks;
                    *channels.entry(kind.code(Dimension::CHANNEL)).or_default() += clicks;
                } else if hour < this_hour - WEEK {
                    overview.week.before += clicks;
                    product.before += clicks;
                }
                if hour >= midnight {
                    overview.today += clicks;
                    until.now += if hour < this_hour { clicks } else { 0 };
                } else if (midnight - 24..this_hour - 24).contains(&hour) {
                    until.before += clicks;
                }
            },
        )?;
        if this_hour > midnight {
            overview.until = Some((this_hour - midnight, until));
        }
        overview.channels = ranked(channels.into_iter().filter_map(|(code, counted)| {
            let (key, label) = Channel::named(code)?;
            Some(ReportRow::new(key, label, counted, 0))
        }));
        Ok(Self { overview, products })
    }
}

/// Returns the live products with the largest rise and fall.
fn movers(
    connection: &Connection,
    products: &HashMap<i64, Compared>,
    today: i64,
) -> Result<Vec<Mover>, StoreError> {
    let mut moved: Vec<(f64, i64, Compared)> = products
        .iter()
        .filter_map(|(number, clicks)| Some((clicks.ratio()?, *number, *clicks)))
        .filter(|(score, ..)| !(0.9..=1.1).contains(score))
        .collect();
    moved.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let (up, down): (Vec<_>, Vec<_>) = moved.into_iter().partition(|(score, ..)| *score > 1.0);
    let mut found = Vec::new();
    for direction in [up.iter().collect(), down.iter().rev().collect::<Vec<_>>()] {
        let there = direction
            .into_iter()
            .filter_map(|(_, number, clicks)| mover(connection, *number, *clicks).transpose())
            .take(MOVERS / 2);
        found.extend(there.collect::<Result<Vec<_>, _>>()?);
    }
    let ids: Vec<String> = found.iter().map(|mover| mover.id.clone()).collect();
    let mut lines = trends(connection, &ids, today, LINE)?;
    for mover in &mut found {
        mover.days = lines.remove(&mover.id).unwrap_or_default();
    }
    Ok(found)
}

/// Returns title and clicks of the week of the most clicked live product.
fn best(
    connection: &Connection,
    products: &HashMap<i64, Compared>,
) -> Result<Option<(String, u64)>, StoreError> {
    let clicked = products.iter().filter(|(_, clicks)| clicks.now > 0);
    let mut most: Vec<_> = clicked.collect();
    most.sort_by_key(|(number, clicks)| (Reverse(clicks.now), **number));
    for (number, clicks) in most {
        if let Some(found) = mover(connection, *number, *clicks)? {
            return Ok(Some((found.title, clicks.now)));
        }
    }
    Ok(None)
}

fn mover(
    connection: &Connection,
    number: i64,
    clicks: Compared,
) -> Result<Option<Mover>, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT now.id, now.title, now.source, \
         (SELECT name FROM category_labels WHERE stored = now.category), images \
         FROM clicked_products JOIN live_products AS now ON now.id = clicked_products.id \
         WHERE number = ?",
    )?;
    let mut rows = statement.query([number])?;
    let Some(row) = rows.next()? else {
        return Ok(None);
    };
    Ok(Some(Mover {
        id: row.get(0)?,
        title: row.get(1)?,
        source: row.get(2)?,
        category: row.get(3)?,
        image: first_image(row)?,
        clicks,
        days: Vec::new(),
    }))
}

fn first_image(row: &Row<'_>) -> rusqlite::Result<String> {
    let images: String = row.get(4)?;
    let images: Value = serde_json::from_str(&images).unwrap_or_default();
    Ok(images[0].as_str().unwrap_or_default().to_owned())
}

fn trends(
    connection: &Connection,
    ids: &[String],
    today: i64,
    days: i64,
) -> Result<HashMap<String, Vec<u64>>, StoreError> {
    let mut numbers: HashMap<i64, &String> = HashMap::new();
    for id in ids {
        let sql = "SELECT number FROM clicked_products WHERE id = ?";
        if let Some(number) = scalar(connection, sql, [id]).optional()? {
            numbers.insert(number, id);
        }
    }
    let first = today - days + 1;
    let mut found: HashMap<String, Vec<u64>> = HashMap::new();
    for_each_day(connection, (first, today), |day, kind, clicks| {
        let (Some(id), Ok(index)) = (numbers.get(&kind.product()), usize::try_from(day - first))
        else {
            return;
        };
        if kind.is_counted() {
            let line = found
                .entry((*id).clone())
                .or_insert_with(|| vec![0; days as usize]);
            if let Some(sum) = line.get_mut(index) {
                *sum += clicks;
            }
        }
    })?;
    Ok(found)
}
