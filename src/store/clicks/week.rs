//! The most clicked products of a week, for the home page.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension};

use super::overview::WEEK;
use super::sums::for_each_hour;
use crate::domain::{Product, hour_in_india};
use crate::store::Store;
use crate::store::db::error::StoreError;
use crate::store::db::rows::scalar;
use crate::store::products::columns::products_by_key;
use crate::store::products::prices;

/// Products of a ranking, of which some may be over.
const RANKED: usize = 100;

/// Ranking of the last week, with the hour until which it counts. Reading a week's sums takes a tenth of a
/// second in a busy shop; those of past hours are final.
#[derive(Default)]
pub(in crate::store) struct ClickedCache(Mutex<Option<(i64, Vec<i64>)>>);

impl ClickedCache {
    /// Returns the numbers of the most clicked products, the first one the most.
    fn until(&self, hour: i64, connection: &Connection) -> Result<Vec<i64>, StoreError> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((until, ranked)) = &*known
            && *until == hour
        {
            return Ok(ranked.clone());
        }
        let mut clicks: HashMap<i64, u64> = HashMap::new();
        for_each_hour(connection, (hour - WEEK, hour - 1), |_, kind, counted| {
            if kind.is_counted() {
                *clicks.entry(kind.product()).or_default() += counted;
            }
        })?;
        let mut ranked: Vec<(i64, u64)> = clicks.into_iter().collect();
        ranked.sort_unstable_by_key(|(number, clicks)| (Reverse(*clicks), *number));
        let ranked: Vec<i64> = ranked.iter().map(|it| it.0).take(RANKED).collect();
        *known = Some((hour, ranked.clone()));
        Ok(ranked)
    }
}

impl Store {
    /// Returns the live products with the most counted clicks in the seven days before this hour.
    pub fn most_clicked(&self, most: usize, now: Timestamp) -> Result<Vec<Product>, StoreError> {
        self.read(|connection| {
            let mut keys: Vec<i64> = Vec::new();
            for number in self.0.clicked.until(hour_in_india(now), connection)? {
                let sql = "SELECT key FROM live_products \
                           WHERE id = (SELECT id FROM clicked_products WHERE number = ?)";
                keys.extend(scalar::<i64>(connection, sql, [number]).optional()?);
                if keys.len() == most {
                    break;
                }
            }
            let mut products = products_by_key(connection, &keys)?;
            prices::attach(connection, &mut products)?;
            Ok(products)
        })
    }
}
