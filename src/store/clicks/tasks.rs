//! Deals that need a look, by name.

use std::collections::HashMap;

use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, OptionalExtension, params, params_from_iter};

use super::overview::{Age, WEEK, view_bounds, view_condition};
use super::sums::for_each_hour;
use crate::domain::{Needs, NeedsView, Product, Task, TaskKind, hour_in_india};
use crate::store::Store;
use crate::store::db::error::StoreError;
use crate::store::db::rows::scalar;
use crate::store::products::columns::{PRICE_SEEN, READ, product};

/// Maximum number of products examined for a kind of task.
const EXAMINED: usize = 200;

/// Counted clicks of a week by the number in `clicked_products`.
type Clicks = HashMap<i64, u64>;

impl Store {
    /// Returns up to `most` live deals that need a look: the most clicked of each kind, then the next.
    pub fn list_tasks(&self, most: usize, now: Timestamp) -> Result<Vec<Task>, StoreError> {
        self.read(|connection| {
            let clicks = clicks_of_week(connection, now)?;
            let mut kinds = Vec::new();
            for kind in TaskKind::ALL {
                let mut tasks = tasks(connection, kind, &clicks, now)?;
                tasks.sort_by_key(|task| std::cmp::Reverse(task.clicks));
                kinds.push(tasks.into_iter());
            }
            let mut found: Vec<Task> = Vec::new();
            let mut before = usize::MAX;
            while found.len() < most && found.len() != before {
                before = found.len();
                for tasks in &mut kinds {
                    let is_new = |task: &Task| {
                        let known = |other: &Task| other.product.id == task.product.id;
                        !found.iter().any(known)
                    };
                    let next = tasks.find(is_new);
                    found.extend(next);
                }
            }
            found.truncate(most);
            Ok(found)
        })
    }
}

fn clicks_of_week(connection: &Connection, now: Timestamp) -> Result<Clicks, StoreError> {
    let this_hour = hour_in_india(now);
    let hours = (this_hour - WEEK, this_hour);
    let mut found = Clicks::new();
    for_each_hour(connection, hours, |_, kind, clicks| {
        if kind.is_counted() {
            *found.entry(kind.product()).or_default() += clicks;
        }
    })?;
    Ok(found)
}

fn tasks(
    connection: &Connection,
    kind: TaskKind,
    clicks: &Clicks,
    now: Timestamp,
) -> Result<Vec<Task>, StoreError> {
    let found = match kind {
        TaskKind::Price => return tasks_with_old_prices(connection, clicks, now),
        TaskKind::Ending => products_of_view(connection, NeedsView::Ending, "ends_at, id", now)?,
        TaskKind::Picture => {
            products_of_view(connection, NeedsView::Pictures, "created_at, id", now)?
        }
        TaskKind::Duplicate => {
            let order = "title, source, final_price, id";
            products_of_view(connection, NeedsView::Duplicates, order, now)?
        }
    };
    let mut tasks: Vec<Task> = Vec::new();
    for product in found {
        let clicks = clicks_of(connection, &product, clicks)?;
        match tasks.last_mut() {
            Some(cheapest) if kind == TaskKind::Duplicate && is_same(cheapest, &product) => {
                cheapest.clicks += clicks;
                cheapest.others.push(product.id);
            }
            _ => tasks.push(Task {
                kind,
                product,
                clicks,
                others: Vec::new(),
            }),
        }
    }
    // The others of a pair may not have been examined.
    tasks.retain(|task| kind != TaskKind::Duplicate || !task.others.is_empty());
    Ok(tasks)
}

fn is_same(task: &Task, product: &Product) -> bool {
    let (one, other) = (&task.product.details, &product.details);
    (&one.title, &one.source) == (&other.title, &other.source)
}

/// Returns the most clicked deals whose price was not checked for [`Needs::UNCONFIRMED_PRICE`] days.
fn tasks_with_old_prices(
    connection: &Connection,
    clicks: &Clicks,
    now: Timestamp,
) -> Result<Vec<Task>, StoreError> {
    let old = SignedDuration::from_hours(24 * Needs::UNCONFIRMED_PRICE);
    let mut most: Vec<(u64, i64)> = clicks.iter().map(|(key, number)| (*number, *key)).collect();
    most.sort_unstable_by_key(|(clicks, number)| (std::cmp::Reverse(*clicks), *number));
    let mut statement = connection.prepare_cached(&format!(
        "SELECT {} FROM live_products \
         WHERE id = (SELECT id FROM clicked_products WHERE number = ?) AND {PRICE_SEEN} < ?",
        *READ
    ))?;
    let mut tasks = Vec::new();
    for (clicks, number) in most.into_iter().take(EXAMINED) {
        let bounds = params![number, (now - old).as_millisecond()];
        if let Some(product) = statement.query_row(bounds, product).optional()? {
            tasks.push(Task {
                kind: TaskKind::Price,
                product,
                clicks,
                others: Vec::new(),
            });
        }
    }
    Ok(tasks)
}

fn products_of_view(
    connection: &Connection,
    view: NeedsView,
    order: &str,
    now: Timestamp,
) -> Result<Vec<Product>, StoreError> {
    let (from, values) = (view_condition(view, Age::OldEnough), view_bounds(view, now));
    let sql = format!("SELECT {} {from} ORDER BY {order} LIMIT {EXAMINED}", *READ);
    let mut statement = connection.prepare_cached(&sql)?;
    let rows = statement.query_map(params_from_iter(values), product)?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn clicks_of(
    connection: &Connection,
    product: &Product,
    clicks: &Clicks,
) -> Result<u64, StoreError> {
    let sql = "SELECT number FROM clicked_products WHERE id = ?";
    let number: Option<i64> = scalar(connection, sql, [&product.id]).optional()?;
    Ok(number
        .and_then(|number| clicks.get(&number))
        .copied()
        .unwrap_or_default())
}
