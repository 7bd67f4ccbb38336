//! Preview of a file: what it is, and its first rows as they would become.

use std::path::Path;

use super::formats::{Input, ReadError};
use super::import::Problems;
use super::reading::{Findings, Reading};
use crate::domain::{FieldError, ImportedProduct};

/// Number of rows that are shown.
pub const SHOWN: usize = 20;

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
    let mut valid = 0;
    let mut problems = Problems::default();
    let findings = reading.read::<ReadError>(input, folder, false, |item| {
        match &item.product {
            Ok(_) => valid += 1,
            Err(errors) => problems.add(item.number, errors.clone()),
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
        valid,
        problems,
    })
}
