//! Visitors' reports that a deal is over. A later price check answers them.

use std::collections::HashMap;

use jiff::Timestamp;
use rusqlite::{OptionalExtension as _, params};

use super::columns::PRICE_SEEN;
use crate::store::db::pending::Pending;
use crate::store::db::rows::{run, scalar};
use crate::store::{Store, StoreError};

/// Maximum number of reported products; those reported longest ago make room.
const MOST: i64 = 1_000;

impl Store {
    /// Returns true if a live product has this `_id`.
    pub fn is_live(&self, id: &str) -> Result<bool, StoreError> {
        self.read(|connection| {
            let sql = "SELECT EXISTS (SELECT 1 FROM live_products WHERE id = ?)";
            Ok(scalar(connection, sql, [id])?)
        })
    }

    /// Counts a report. Fails with [`NotFound`](StoreError::NotFound) if no live product has the
    /// `_id`.
    pub fn report_over(&self, id: String, now: Timestamp) -> Pending<()> {
        self.write(move |connection| {
            let sql = format!("SELECT key, {PRICE_SEEN} FROM live_products WHERE id = ?");
            let (key, seen): (i64, i64) = connection
                .prepare_cached(&sql)?
                .query_row([&id], |row| Ok((row.get(0)?, row.get(1)?)))?;
            run(
                connection,
                "INSERT INTO over_reports (product, reports, at) VALUES (?1, 1, ?2) \
                 ON CONFLICT DO UPDATE SET \
                 reports = CASE WHEN at > ?3 THEN reports + 1 ELSE 1 END, at = ?2",
                params![key, now.as_millisecond(), seen],
            )?;
            run(
                connection,
                "DELETE FROM over_reports WHERE product IN \
                 (SELECT product FROM over_reports ORDER BY at DESC LIMIT -1 OFFSET ?)",
                [MOST],
            )
        })
    }

    /// Returns the number of reports since the last price check by `_id`, of reported products only.
    pub fn over_reports(&self, ids: &[String]) -> Result<HashMap<String, u64>, StoreError> {
        self.read(|connection| {
            let sql = format!(
                "SELECT reports FROM over_reports JOIN live_products ON key = over_reports.product \
                 WHERE id = ? AND over_reports.at > {PRICE_SEEN}"
            );
            let mut found = HashMap::new();
            for id in ids {
                if let Some(reports) = scalar(connection, &sql, [id]).optional()? {
                    found.insert(id.clone(), reports);
                }
            }
            Ok(found)
        })
    }
}
