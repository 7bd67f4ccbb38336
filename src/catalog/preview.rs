//! Preview of a file: what it is, and its first rows as they would become.

use std::collections::HashMap;
use std::path::Path;

use serde_json::Value;

use super::findings::Findings;
use super::formats::{Input, ReadError};
use super::import::Problems;
use super::reading::{Raw, Reading};
use super::shop_archive;
use crate::domain::{FieldError, ImportedProduct, truncate};

/// Number of rows that are shown.
pub const SHOWN: usize = 20;
/// Maximum number of characters of a cell that is shown.
const MAX_CELL: usize = 200;

/// A row as it would become.
#[derive(Debug)]
pub struct PreviewRow {
    /// Number in the file.
    pub row: u64,
    /// The product, or the problems.
    pub product: Result<ImportedProduct, Vec<FieldError>>,
}

/// Format and contents of a file.
#[derive(Debug)]
pub struct Preview {
    /// Format, columns, categories and mapping.
    pub findings: Findings,
    /// The first rows.
    pub rows: Vec<PreviewRow>,
    /// Cells of the first row, by the position of their column.
    pub first: HashMap<usize, String>,
    /// Number of valid rows.
    pub valid: u64,
    /// Invalid rows.
    pub problems: Problems,
}

/// Reads a whole file without writing.
///
/// # Errors
///
/// [`ReadError`].
pub fn preview(input: Input, reading: &Reading, folder: &Path) -> Result<Preview, ReadError> {
    let mut rows = Vec::new();
    let mut first = HashMap::new();
    let mut valid = 0;
    let mut problems = Problems::default();
    let opened = shop_archive::open::<ReadError>(input, reading, folder, |_| Ok(()));
    let (input, reading, _) = opened?;
    let findings = reading.read::<ReadError>(input, folder, false, |item| {
        match &item.product {
            Ok(_) => valid += 1,
            Err(errors) => problems.add(item.number, errors.clone()),
        }
        if rows.is_empty()
            && let Raw::Row(_, row) = item.raw
        {
            for (column, value) in &row.cells {
                first.entry(*column).or_insert_with(|| cell(value));
            }
        }
        if rows.len() < SHOWN {
            rows.push(PreviewRow {
                row: item.number,
                product: item.product,
            });
        }
        Ok(())
    })?;
    Ok(Preview {
        findings,
        rows,
        first,
        valid,
        problems,
    })
}

fn cell(value: &Value) -> String {
    match value {
        Value::String(text) => truncate(text.trim(), MAX_CELL),
        other => truncate(&other.to_string(), MAX_CELL),
    }
}
