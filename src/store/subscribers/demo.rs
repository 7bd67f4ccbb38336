//! Subscribers of a demo shop.

use jiff::Timestamp;
use rusqlite::params;

use crate::store::db::rows::{run, scalar};
use crate::store::{Pending, Store};

/// End of the time of which a digest has no more deals: it is never due.
const NEVER: i64 = 253_402_300_799_999;

impl Store {
    /// Adds subscribers to a list who never get a mail, for a demo shop.
    pub fn make_up_subscribers(
        &self,
        query: &'static str,
        number: u32,
        is_weekly: bool,
        now: Timestamp,
    ) -> Pending<()> {
        self.write(move |connection| {
            for _ in 0..number {
                let sql = "INSERT INTO subscribers (email, email_key, seed, created_at, confirmed_at) \
                     SELECT name, name, randomblob(16), ?1, ?1 \
                     FROM (SELECT lower(hex(randomblob(6))) || '@example.com' AS name) RETURNING key";
                let key: i64 = scalar(connection, sql, [now.as_millisecond()])?;
                let sql = "INSERT INTO digests (subscriber, query, is_weekly, created_at, sent_until) \
                     VALUES (?, ?, ?, ?, ?)";
                let values = params![key, query, is_weekly, now.as_millisecond(), NEVER];
                run(connection, sql, values)?;
            }
            Ok(())
        })
    }

    /// Adds alerts of every third of these subscribers for a product, at a price that it will never have.
    pub fn make_up_alerts(&self, products: Vec<String>, now: Timestamp) -> Pending<()> {
        self.write(move |connection| {
            for (nth, product) in (0_i64..).zip(products) {
                let sql = "INSERT INTO alerts (subscriber, product, target, is_confirmed, created_at) \
                     SELECT key, ?, 100, 1, ? FROM subscribers WHERE key % 3 = ? % 3";
                run(connection, sql, params![product, now.as_millisecond(), nth])?;
            }
            Ok(())
        })
    }
}
