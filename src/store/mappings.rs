//! Mappings of files to products, saved by name.

use std::collections::BTreeMap;

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, params};
use serde_json::Value;

use super::Store;
use super::db::error::StoreError;
use super::db::pending::Pending;
use super::db::rows::{column, run, scalar};

/// Maximum number of saved mappings.
const MOST: i64 = 100;

impl Store {
    /// Returns the names of the saved mappings, in order.
    pub fn mapping_names(&self) -> Result<Vec<String>, StoreError> {
        self.read(|connection| {
            let sql = "SELECT name FROM file_mappings ORDER BY name";
            Ok(column(connection, sql, [])?)
        })
    }

    /// Returns a saved mapping as JSON.
    pub fn mapping(&self, name: &str) -> Result<Option<String>, StoreError> {
        self.read(|connection| {
            let sql = "SELECT mapping FROM file_mappings WHERE name = ?";
            let found = connection.query_row(sql, [name], |row| row.get(0));
            Ok(found.optional()?)
        })
    }

    /// Saves a mapping in place of one with this name; false if there are too many.
    pub fn save_mapping(&self, name: String, mapping: String, now: Timestamp) -> Pending<bool> {
        self.write(move |connection| {
            let sql = "SELECT count(*) FROM file_mappings WHERE name <> ?";
            let others: i64 = scalar(connection, sql, [&name])?;
            if others >= MOST {
                return Ok(false);
            }
            connection.execute(
                "INSERT OR REPLACE INTO file_mappings (name, mapping, changed_at) VALUES (?, ?, ?)",
                params![name, mapping, now.as_millisecond()],
            )?;
            Ok(true)
        })
    }

    /// Deletes a mapping; false if there is none.
    pub fn delete_mapping(&self, name: String) -> Pending<bool> {
        self.write(move |connection| {
            let sql = "DELETE FROM file_mappings WHERE name = ?";
            Ok(connection.execute(sql, [name])? > 0)
        })
    }
}

/// Adds the mappings of an archive whose names are free, as far as there is room.
pub(crate) fn add_archived(
    connection: &Connection,
    archived: &BTreeMap<String, Value>,
    now: Timestamp,
) -> Result<(), StoreError> {
    for (name, mapping) in archived {
        let sql = "INSERT OR IGNORE INTO file_mappings (name, mapping, changed_at) \
                   SELECT ?, ?, ? WHERE (SELECT count(*) FROM file_mappings) < ?";
        let values = params![name, mapping.to_string(), now.as_millisecond(), MOST];
        run(connection, sql, values)?;
    }
    Ok(())
}
