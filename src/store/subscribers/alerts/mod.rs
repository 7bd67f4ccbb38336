//! Prices that somebody waits for, by mail or in a browser.

pub(crate) mod push;

use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, Row, params};
use serde_json::json;

use super::Subscriber;
use super::asking::{Admission, AskedFor, admit, ask};
use crate::domain::{AlertStep, Paise, PriceAlert, Product, WishedPrice};
use crate::store::db::error::Result;
use crate::store::db::pending::Pending;
use crate::store::db::rows::{column, optional_time_at, run, scalar};
use crate::store::outgoing::{JobKind, NewJob, enqueue};
use crate::store::products::find_with_prices;
use crate::store::{Store, StoreError};
use push::Browser;

/// Maximum number of alerts of an address or a browser, of those that an address has not confirmed, and
/// of all.
pub(crate) const MAX_ALERTS: i64 = 50;
const MAX_UNCONFIRMED: i64 = 20;
const MAX_OF_ALL: i64 = 200_000;
/// Products and alerts that are looked at in one write.
const PRODUCTS_AT_ONCE: i64 = 20;
const ALERTS_AT_ONCE: usize = 50;
/// Time for which a message is tried; it has the price of when it is sent.
const WAITS: SignedDuration = SignedDuration::from_hours(24);
/// Lane of the messages, so that they delay no others.
const LANE: &str = "subscriber:alert";

/// Receiver of an alert.
#[derive(Debug, Clone)]
pub enum Watcher {
    /// An address, which is asked first unless its owner does this.
    Address(AskedFor),
    /// A browser.
    Browser(Browser),
}

/// How alerts were asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AlertsSet {
    /// Alerts that were set.
    pub set: u32,
    /// Products of which there is no price to wait for: ended, or their sellers forbid it.
    pub left_out: u32,
    /// Today's price of the last product that costs no more than the wished price, or has none under ₹1.
    pub at_most: Option<Paise>,
    /// True if the address has to answer a mail.
    pub asked: bool,
}

/// An alert as its owner sees it.
#[derive(Debug, Clone)]
pub struct ListedAlert {
    pub(crate) key: i64,
    /// The `_id` of the product.
    pub(crate) product: String,
    pub(crate) title: String,
    pub(crate) target: Paise,
    pub(crate) is_confirmed: bool,
}

/// Receiver of a message about a price.
pub(crate) enum Receiver {
    /// An address.
    Subscriber(Subscriber),
    /// A browser.
    Browser(Browser),
}

/// An alert with what its message needs.
pub struct DueAlert {
    pub(crate) receiver: Receiver,
    pub(crate) target: Paise,
    pub(crate) product: Product,
}

impl Store {
    /// Sets alerts for products, in place of former ones for them. `offers` applies the sellers' rules, and
    /// returns true if there may be alerts.
    ///
    /// # Errors
    ///
    /// [`StoreError::Conflict`] with `most` beyond `MAX_ALERTS`, and with `busy` if the shop has too many
    /// or has asked too many addresses.
    pub fn set_alerts(
        &self,
        watcher: Watcher,
        products: Vec<String>,
        wish: WishedPrice,
        offers: impl Fn(&mut Product) -> bool + Send + 'static,
        now: Timestamp,
    ) -> Pending<AlertsSet> {
        self.write(move |connection| {
            let busy = || StoreError::Conflict("busy".to_owned());
            let mut outcome = AlertsSet::default();
            let mut targets = Vec::new();
            for id in products {
                let found = match find_with_prices(connection, &id) {
                    Err(StoreError::NotFound) => None,
                    found => Some(found?),
                };
                let offered = found.map(|mut found| (offers(&mut found), found));
                let Some((true, product)) = offered else {
                    outcome.left_out += 1;
                    continue;
                };
                let price = product.details.final_price;
                match wish.target(price) {
                    Some(target) => targets.push((id, target)),
                    None => outcome.at_most = Some(price),
                }
            }
            if targets.is_empty() {
                return Ok(outcome);
            }
            if scalar::<i64>(connection, "SELECT count(*) FROM alerts", [])? >= MAX_OF_ALL {
                return Err(busy());
            }
            let (owner, key, is_confirmed) = match &watcher {
                Watcher::Address(asked) => match admit(connection, asked, now)? {
                    Admission::Busy => return Err(busy()),
                    Admission::Quiet => {
                        outcome.set = u32::try_from(targets.len()).unwrap_or(u32::MAX);
                        outcome.asked = true;
                        return Ok(outcome);
                    }
                    Admission::Subscriber(key) => ("subscriber", key, asked.is_by_owner()),
                },
                Watcher::Browser(browser) => ("browser", push::save(connection, browser, now)?, true),
            };
            for (product, target) in targets {
                // A former alert that was confirmed changes only by who confirmed it.
                let sql = format!(
                    "INSERT INTO alerts ({owner}, product, target, is_confirmed, created_at) \
                     VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT ({owner}, product) WHERE {owner} IS NOT NULL \
                     DO UPDATE SET target = ?3, told = NULL, is_confirmed = ?4, created_at = ?5 \
                     WHERE ?4 OR NOT is_confirmed"
                );
                let at = now.as_millisecond();
                run(connection, &sql, params![key, product, target.get(), is_confirmed, at])?;
                outcome.set += 1;
            }
            let count = format!("SELECT count(*) FROM alerts WHERE {owner} = ? AND is_confirmed = ?");
            if is_confirmed && scalar::<i64>(connection, &count, (key, true))? > MAX_ALERTS {
                return Err(StoreError::Conflict("most".to_owned()));
            }
            // The answer does not tell what the address gets already.
            outcome.asked = !is_confirmed;
            let Watcher::Address(asked) = &watcher else {
                return Ok(outcome);
            };
            if is_confirmed {
                super::confirm_owner(connection, key, now)?;
            } else if scalar::<i64>(connection, &count, (key, false))? > 0 {
                // The oldest make room: others may have asked for them.
                let sql = "DELETE FROM alerts WHERE key IN (SELECT key FROM alerts \
                     WHERE subscriber = ? AND NOT is_confirmed \
                     ORDER BY created_at DESC, key DESC LIMIT -1 OFFSET ?)";
                run(connection, sql, (key, MAX_UNCONFIRMED))?;
                ask(connection, key, asked, now)?;
            }
            Ok(outcome)
        })
    }

    /// Returns true if an alert has to be looked at. Takes microseconds.
    pub fn has_due_alerts(&self, now: Timestamp) -> Result<bool> {
        self.read(|connection| {
            let sql = "SELECT EXISTS (SELECT 1 FROM price_moves) \
                 OR EXISTS (SELECT 1 FROM alerts WHERE wait_until <= ?)";
            Ok(scalar(connection, sql, [now.as_millisecond()])?)
        })
    }

    /// Checks some alerts of products whose price moved, and alerts whose wait is over, and queues the
    /// messages in the same transaction: none is sent twice. `offers` is as for [`Store::set_alerts`].
    pub fn look_at_alerts(
        &self,
        offers: impl Fn(&mut Product) -> bool + Send + 'static,
        now: Timestamp,
    ) -> Pending<()> {
        self.write(move |connection| {
            let sql = "SELECT product FROM price_moves LIMIT ?";
            let moved: Vec<String> = column(connection, sql, [PRODUCTS_AT_ONCE])?;
            for id in moved {
                let after: i64 = scalar(
                    connection,
                    "SELECT after_key FROM price_moves WHERE product = ?",
                    [&id],
                )?;
                let sql = "SELECT key FROM alerts WHERE product = ? AND key > ? AND is_confirmed \
                     ORDER BY key LIMIT ?";
                let keys: Vec<i64> = column(connection, sql, params![id, after, ALERTS_AT_ONCE])?;
                let price = price_of(connection, &id, &offers)?;
                for key in &keys {
                    step(connection, *key, price, now)?;
                }
                match keys.last().filter(|_| keys.len() == ALERTS_AT_ONCE) {
                    Some(last) => {
                        let sql = "UPDATE price_moves SET after_key = ? WHERE product = ?";
                        run(connection, sql, params![last, id])?;
                    }
                    None => run(
                        connection,
                        "DELETE FROM price_moves WHERE product = ?",
                        [&id],
                    )?,
                }
            }
            let sql = "SELECT key FROM alerts WHERE wait_until <= ? LIMIT ?";
            let waited: Vec<i64> = column(connection, sql, params![now.as_millisecond(), 100])?;
            for key in waited {
                let id: String = scalar(
                    connection,
                    "SELECT product FROM alerts WHERE key = ?",
                    [key],
                )?;
                let price = price_of(connection, &id, &offers)?;
                step(connection, key, price, now)?;
            }
            Ok(())
        })
    }

    /// Returns an alert with its product and receiver; `None` if one of them is gone.
    pub fn due_alert(&self, key: i64) -> Result<Option<DueAlert>> {
        self.read(|connection| {
            let sql = "SELECT subscriber, browser, target, product FROM alerts \
                 WHERE key = ? AND is_confirmed";
            let found = connection.prepare_cached(sql)?.query_row([key], |row| {
                Ok((row.get(0)?, row.get(1)?, paise_at(row, 2)?, row.get(3)?))
            });
            let Some((subscriber, browser, target, id)) = found.optional()? else {
                return Ok(None);
            };
            let (subscriber, browser): (Option<i64>, Option<i64>) = (subscriber, browser);
            let receiver = match (subscriber, browser) {
                (Some(key), _) => {
                    super::find(connection, "key = ?", key)?.map(Receiver::Subscriber)
                }
                (None, key) => push::find(connection, key)?.map(Receiver::Browser),
            };
            let id: String = id;
            let product = match find_with_prices(connection, &id) {
                Err(StoreError::NotFound) => None,
                found => Some(found?),
            };
            let target = target.unwrap_or(Paise::MAX);
            Ok(receiver.zip(product).map(|(receiver, product)| DueAlert {
                receiver,
                target,
                product,
            }))
        })
    }

    /// Returns the alerts of a subscriber, the oldest first.
    pub fn alerts_of(&self, subscriber: i64) -> Result<Vec<ListedAlert>> {
        self.read(|connection| {
            let sql = "SELECT alerts.key, id, title, target, is_confirmed FROM alerts \
                 JOIN listed_products ON id = alerts.product WHERE subscriber = ? ORDER BY alerts.key";
            let mut statement = connection.prepare_cached(sql)?;
            let rows = statement.query_map([subscriber], |row| {
                Ok(ListedAlert {
                    key: row.get(0)?,
                    product: row.get(1)?,
                    title: row.get(2)?,
                    target: paise_at(row, 3)?.unwrap_or(Paise::MAX),
                    is_confirmed: row.get(4)?,
                })
            })?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }

    /// Counts the alerts by mail and in browsers.
    pub fn count_alerts(&self) -> Result<(i64, i64)> {
        self.read(|connection| {
            let sql = "SELECT count(subscriber), count(browser) FROM alerts WHERE is_confirmed";
            let mut statement = connection.prepare_cached(sql)?;
            Ok(statement.query_row([], |row| Ok((row.get(0)?, row.get(1)?)))?)
        })
    }
}

/// Returns the price of a product as visitors see it; `None` if it is gone or they see none.
fn price_of(
    connection: &Connection,
    id: &str,
    offers: &impl Fn(&mut Product) -> bool,
) -> Result<Option<Paise>> {
    match find_with_prices(connection, id) {
        Err(StoreError::NotFound) => Ok(None),
        found => {
            let mut product = found?;
            Ok(offers(&mut product).then_some(product.details.final_price))
        }
    }
}

/// Does what the price means for an alert.
fn step(connection: &Connection, key: i64, price: Option<Paise>, now: Timestamp) -> Result<()> {
    let sql = "SELECT target, told, told_at, browser FROM alerts WHERE key = ?";
    let (alert, browser) = connection.prepare_cached(sql)?.query_row([key], |row| {
        let alert = PriceAlert {
            target: paise_at(row, 0)?.unwrap_or(Paise::MAX),
            notified: paise_at(row, 1)?,
            notified_at: optional_time_at(row, 2)?,
        };
        Ok((alert, row.get::<_, Option<i64>>(3)?))
    })?;
    let step = alert.step(price, now);
    let wait_until = match step {
        AlertStep::Wait(until) => Some(until.as_millisecond()),
        _ => None,
    };
    let sql = "UPDATE alerts SET wait_until = ?2 WHERE key = ?1 AND wait_until IS NOT ?2";
    run(connection, sql, (key, wait_until))?;
    match step {
        AlertStep::Above => {
            let sql = "UPDATE alerts SET told = NULL WHERE key = ? AND told IS NOT NULL";
            run(connection, sql, [key])
        }
        AlertStep::Notify => {
            let sql = "UPDATE alerts SET told = ?2, told_at = ?3 WHERE key = ?1";
            let notified = price.map(Paise::get);
            run(
                connection,
                sql,
                params![key, notified, now.as_millisecond()],
            )?;
            let (kind, lane) = match browser {
                Some(browser) => (JobKind::Push, push::lane(connection, browser)?),
                None => (JobKind::Subscriber, LANE.to_owned()),
            };
            let job = NewJob {
                kind,
                lane,
                subject: key.to_string(),
                payload: json!({ "alert": key }).to_string(),
                next_at: now,
                expires_at: Some(now + WAITS),
            };
            enqueue(connection, &job, now)
        }
        AlertStep::Nothing | AlertStep::Wait(_) => Ok(()),
    }
}

fn paise_at(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<Paise>> {
    Ok(row.get::<_, Option<i64>>(column)?.and_then(Paise::new))
}
