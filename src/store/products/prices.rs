//! Price history, which triggers record: reading, correcting, and the derived proofs.

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, params};
use serde_json::{Map, json};

use super::activity::ActivityLog;
use super::columns::PRICE_SEEN;
use super::price_checks;
use crate::domain::{Action, Discount, Paise, PriceHistory, PriceRun, Product, rfc3339};
use crate::store::Store;
use crate::store::db::error::StoreError;
use crate::store::db::pending::Pending;
use crate::store::db::rows::{column, run, scalar, time_at};

/// Time within which an administrator's correction replaces their price, in milliseconds.
const CORRECTION_TIME: i64 = 5 * 60_000;
/// Products per write when proofs are renewed: clicks come in between.
const AT_ONCE: u32 = 500;

impl Store {
    /// Deletes the former price that began at `from`; `actor` is logged. Fails with
    /// [`StoreError::NotFound`] if there is none, and with [`StoreError::Conflict`] for the current
    /// price.
    pub fn strike_price(
        &self,
        id: String,
        from: Timestamp,
        actor: String,
        now: Timestamp,
    ) -> Pending<()> {
        self.write(move |connection| {
            let (key, title): (i64, String) = connection
                .prepare_cached("SELECT key, title FROM listed_products WHERE id = ?")?
                .query_row([&id], |row| Ok((row.get(0)?, row.get(1)?)))?;
            let row = connection
                .prepare_cached(
                    "SELECT until_at IS NULL, final_price FROM prices WHERE product = ? AND from_at = ?",
                )?
                .query_row([key, from.as_millisecond()], |row| {
                    Ok((row.get::<_, bool>(0)?, row.get::<_, i64>(1)?))
                })
                .optional()?;
            let (is_current, paise) = row.ok_or(StoreError::NotFound)?;
            if is_current {
                return Err(StoreError::Conflict("from".to_owned()));
            }
            let sql = "DELETE FROM prices WHERE product = ? AND from_at = ?";
            connection.execute(sql, [key, from.as_millisecond()])?;
            let struck = json!({"from": Paise::new(paise), "at": rfc3339(from)});
            let details = Map::from_iter([("struckPrice".to_owned(), struck)]);
            let about = Some((id.as_str(), title.as_str()));
            ActivityLog::new(&actor, now).write(connection, Action::Changed, about, details)?;
            renew(connection, key, now)
        })
    }

    /// Replaces price histories by generated ones, checked at their end; for the demo shop.
    pub fn make_up_prices(&self, prices: Vec<(String, Vec<PriceRun>)>) -> Pending<()> {
        self.write(move |connection| {
            for (id, runs) in &prices {
                let key = key_of(connection, id)?;
                let sql = "DELETE FROM prices WHERE product = ?";
                run(connection, sql, [key])?;
                for (number, price) in (1..).zip(runs) {
                    let until = (number < runs.len()).then(|| price.until.as_millisecond());
                    let sql = "INSERT INTO prices (product, from_at, until_at, price, final_price) \
                             VALUES (?, ?, ?, ?, ?)";
                    run(
                        connection,
                        sql,
                        params![
                            key,
                            price.from.as_millisecond(),
                            until,
                            price.price.get(),
                            price.final_price.get()
                        ],
                    )?;
                }
                if let Some(last) = runs.last() {
                    let sql = "UPDATE products SET updated_at = max(updated_at, ?) WHERE key = ?";
                    run(connection, sql, [last.from.as_millisecond(), key])?;
                    price_checks::record(connection, id, last.until)?;
                    let sql = "UPDATE offer_checks SET at = max(at, ?) WHERE product = ?";
                    run(connection, sql, [last.until.as_millisecond(), key])?;
                }
                mark_stale(connection, key)?;
            }
            Ok(())
        })
    }

    /// True if proofs have to be renewed. Takes microseconds.
    pub fn has_stale_proofs(&self) -> Result<bool, StoreError> {
        self.read(|connection| {
            let sql = "SELECT EXISTS (SELECT 1 FROM stale_proofs)";
            Ok(scalar(connection, sql, [])?)
        })
    }

    /// Renews the proofs of up to 500 stale products; returns how many.
    pub fn renew_proofs(&self, now: Timestamp) -> Pending<u64> {
        self.write(move |connection| {
            let sql = "SELECT product FROM stale_proofs LIMIT ?";
            let stale: Vec<i64> = column(connection, sql, [AT_ONCE])?;
            for key in &stale {
                renew(connection, *key, now)?;
                let sql = "DELETE FROM stale_proofs WHERE product = ?";
                run(connection, sql, [key])?;
            }
            Ok(stale.len() as u64)
        })
    }
}

/// Marks the proofs of all products whose price ever changed as stale.
pub(crate) fn mark_all_stale(connection: &Connection) -> Result<(), StoreError> {
    let sql = "INSERT OR IGNORE INTO stale_proofs SELECT DISTINCT product FROM prices \
         WHERE until_at IS NOT NULL";
    run(connection, sql, [])
}

/// Marks a product's proof as stale; the clock job renews it.
fn mark_stale(connection: &Connection, key: i64) -> Result<(), StoreError> {
    let sql = "INSERT OR IGNORE INTO stale_proofs (product) VALUES (?)";
    run(connection, sql, [key])
}

fn key_of(connection: &Connection, id: &str) -> Result<i64, StoreError> {
    let sql = "SELECT key FROM listed_products WHERE id = ?";
    Ok(scalar(connection, sql, [id])?)
}

/// Reads a product's price history; it is empty if the seller's programme forbids one.
fn history(connection: &Connection, key: i64, now: Timestamp) -> Result<PriceHistory, StoreError> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT from_at, coalesce(until_at, max(from_at, \
             (SELECT {PRICE_SEEN} FROM listed_products WHERE key = ?1))), \
         price, final_price FROM prices WHERE product = ?1 ORDER BY from_at"
    ))?;
    let rows = statement.query_map([key], |row| {
        let paise = |column| -> rusqlite::Result<Paise> {
            Paise::new(row.get(column)?).ok_or(rusqlite::Error::IntegralValueOutOfRange(column, 0))
        };
        Ok(PriceRun {
            from: time_at(row, 0)?,
            until: time_at(row, 1)?,
            price: paise(2)?,
            final_price: paise(3)?,
        })
    })?;
    let runs = rows.collect::<Result<_, _>>()?;
    Ok(PriceHistory::new(runs, now))
}

/// Reads the price histories of products, with the query that reads the products.
pub(crate) fn attach(connection: &Connection, products: &mut [Product]) -> Result<(), StoreError> {
    let now = Timestamp::now();
    for product in products {
        product.prices = history(connection, key_of(connection, &product.id)?, now)?;
    }
    Ok(())
}

/// Computes and stores a product's proof.
fn renew(connection: &Connection, key: i64, now: Timestamp) -> Result<(), StoreError> {
    let figures = history(connection, key, now)?.figures();
    let proof = figures.map_or(Discount::NONE, |figures| figures.proven);
    let sql = "UPDATE products SET proven_discount = ?2 WHERE key = ?1 AND proven_discount <> ?2";
    run(connection, sql, [key, proof.get()])
}

/// A row of `prices`, in milliseconds and paise.
struct Stored {
    from: i64,
    until: Option<i64>,
    price: i64,
    final_price: i64,
    origin: String,
}

/// Records the author of a product's new price. A price that the same author set less than five
/// minutes before counts as a typing error and is removed.
pub(crate) fn set_author(connection: &Connection, id: &str, actor: &str) -> Result<(), StoreError> {
    let key = key_of(connection, id)?;
    let latest: Vec<Stored> = connection
        .prepare_cached(
            "SELECT from_at, until_at, price, final_price, set_by FROM prices WHERE product = ? \
             ORDER BY from_at DESC LIMIT 3",
        )?
        .query_map([key], |row| {
            Ok(Stored {
                from: row.get(0)?,
                until: row.get(1)?,
                price: row.get(2)?,
                final_price: row.get(3)?,
                origin: row.get(4)?,
            })
        })?
        .collect::<Result<_, _>>()?;
    let [newest, rest @ ..] = latest.as_slice() else {
        return Ok(());
    };
    let mut from = newest.from;
    let typed = rest.first();
    if let Some(typed) = typed.filter(|it| it.origin == actor && from - it.from < CORRECTION_TIME) {
        delete(connection, key, typed.from)?;
        let same = |before: &&Stored| {
            (before.price, before.final_price) == (newest.price, newest.final_price)
                // A gap between the two must stay.
                && before.until == Some(typed.from)
        };
        if let Some(before) = rest.get(1).filter(same) {
            delete(connection, key, from)?;
            let sql = "UPDATE prices SET until_at = NULL WHERE product = ? AND from_at = ?";
            run(connection, sql, [key, before.from])?;
            return Ok(());
        }
        let sql = "UPDATE prices SET from_at = ?3 WHERE product = ?1 AND from_at = ?2";
        run(connection, sql, [key, from, typed.from])?;
        from = typed.from;
    }
    let sql = "UPDATE prices SET set_by = ?3 WHERE product = ?1 AND from_at = ?2";
    run(connection, sql, params![key, from, actor])
}

fn delete(connection: &Connection, key: i64, from: i64) -> Result<(), StoreError> {
    let sql = "DELETE FROM prices WHERE product = ? AND from_at = ?";
    run(connection, sql, [key, from])
}

/// Restores the saved price history and price check of an undeleted product.
pub(crate) fn restore(connection: &Connection, undo: i64, id: &str) -> Result<(), StoreError> {
    let key = key_of(connection, id)?;
    let sql = "INSERT OR REPLACE INTO price_checks \
             SELECT ?1, price_checked_at FROM undo_products WHERE undo = ?2 AND undo_products.id = ?3";
    run(connection, sql, params![key, undo, id])?;
    let sql = "DELETE FROM prices WHERE product = ?";
    run(connection, sql, [key])?;
    let sql = "SELECT EXISTS (SELECT 1 FROM listed_products WHERE key = ? \
               AND source NOT IN (SELECT source FROM untracked_sources))";
    let is_tracked: bool = scalar(connection, sql, [key])?;
    if !is_tracked {
        return Ok(());
    }
    let sql = "INSERT INTO prices (product, from_at, until_at, price, final_price, set_by) \
             SELECT ?1, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4 \
             FROM undo_products, json_each(undo_products.prices) WHERE undo = ?2 AND undo_products.id = ?3";
    run(connection, sql, params![key, undo, id])?;
    mark_stale(connection, key)
}

/// Inserts a gap into the history of products checked now whose last check was more than a week
/// ago. `which` is SQL that selects their keys.
pub(crate) fn check_all(
    connection: &Connection,
    which: &str,
    values: &[i64],
    now: Timestamp,
) -> Result<(), StoreError> {
    let at = now.as_millisecond();
    let parameter = values.len() + 1;
    let with = |last: i64| rusqlite::params_from_iter([values, &[last]].concat());
    let seen = format!(
        "max(from_at, (SELECT {PRICE_SEEN} FROM listed_products WHERE key = prices.product))"
    );
    let ended = connection
        .prepare_cached(&format!(
            "UPDATE prices SET until_at = {seen} WHERE until_at IS NULL AND product IN ({which}) \
             AND {seen} < ?{parameter}"
        ))?
        .execute(with((now - PriceHistory::SEEN_FOR).as_millisecond()))?;
    if ended == 0 {
        return Ok(());
    }
    let sql = format!(
        "INSERT OR REPLACE INTO prices (product, from_at, price, final_price) \
             SELECT key, ?{parameter}, price, final_price FROM listed_products WHERE key IN ({which}) \
             AND source NOT IN (SELECT source FROM untracked_sources) \
             AND NOT EXISTS (SELECT 1 FROM prices WHERE product = key AND until_at IS NULL)"
    );
    run(connection, &sql, with(at))
}

/// Like [`check_all`], for one product.
pub(crate) fn check(connection: &Connection, id: &str, now: Timestamp) -> Result<(), StoreError> {
    let key = key_of(connection, id)?;
    check_all(connection, "?1", &[key], now)
}

/// Stores the sellers whose rules forbid a price history; triggers delete or begin their histories.
pub(crate) fn track(connection: &Connection, untracked: &[String]) -> Result<(), StoreError> {
    let names =
        serde_json::to_string(untracked).map_err(|error| StoreError::Other(error.to_string()))?;
    for sql in [
        "DELETE FROM untracked_sources WHERE source NOT IN (SELECT value FROM json_each(?))",
        "INSERT OR IGNORE INTO untracked_sources SELECT value FROM json_each(?)",
    ] {
        connection.execute(sql, [&names])?;
    }
    Ok(())
}
