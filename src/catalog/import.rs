//! Importing a file of products (decisions, section 4).

use std::io::BufRead;

use jiff::Timestamp;

use super::rows::{self, ReadError};
use crate::domain::FieldError;
use crate::store::{Import, ImportCounts, StoreError};

/// Problems that are described; the rest are only counted.
pub const DESCRIBED_PROBLEMS: usize = 20;

/// What to do with the rows of a file.
#[derive(Debug, Clone, Copy, Default)]
pub struct ImportOptions {
    /// Import the valid rows although others are invalid.
    pub skip_invalid: bool,
    /// Say what would be done, and do nothing.
    pub dry_run: bool,
}

/// One thing that is wrong with one row; prints as the line that the user sees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowProblem {
    /// The row's number, from 1.
    pub row: u64,
    /// The field and what is wrong with it.
    pub error: FieldError,
}

impl std::fmt::Display for RowProblem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "row {}: {}", self.row, self.error)
    }
}

/// The invalid rows of a file.
#[derive(Debug, Default)]
pub struct Problems {
    /// The first [`DESCRIBED_PROBLEMS`].
    pub described: Vec<RowProblem>,
    /// How many problems there are in all.
    pub total: u64,
    /// How many rows have at least one.
    pub rows: u64,
}

impl Problems {
    fn add(&mut self, row: u64, errors: Vec<FieldError>) {
        self.rows += 1;
        for error in errors {
            self.total += 1;
            if self.described.len() < DESCRIBED_PROBLEMS {
                self.described.push(RowProblem { row, error });
            }
        }
    }
}

/// What an import did.
#[derive(Debug)]
pub struct ImportReport {
    /// Products added and changed.
    pub counts: ImportCounts,
    /// Rows that were left out because they are invalid.
    pub problems: Problems,
}

/// Why nothing was imported.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The file could not be read to its end.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// Rows are invalid, and were not to be skipped; the number is that of the
    /// valid rows.
    #[error("{} of the rows are invalid", .0.rows)]
    Invalid(Problems, u64),
    /// The database refused.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// How far an import is, in rows.
#[derive(Debug, Clone, Copy)]
pub enum Progress {
    /// Rows read and checked so far.
    Read(u64),
    /// Products written so far, of at most so many.
    Written {
        /// So far.
        rows: u64,
        /// At most.
        of: u64,
    },
}

/// Imports every row of `input`, all or nothing; `actor` is who does it. `progress` is told how far it is
/// after each row.
///
/// # Errors
///
/// [`ImportError`]; the database is then as it was before, unless it failed after the commit.
pub fn import(
    input: impl BufRead,
    import: Import,
    options: ImportOptions,
    actor: &str,
    now: Timestamp,
    mut progress: impl FnMut(Progress),
) -> Result<ImportReport, ImportError> {
    let mut problems = Problems::default();
    let mut valid = 0;
    rows::read::<ImportError>(input, |row, draft| {
        match draft.into_imported() {
            Ok(product) => {
                valid += 1;
                // After the first problem the rest is only checked.
                if problems.rows == 0 || options.skip_invalid {
                    import.stage(&product)?;
                }
            }
            Err(errors) => problems.add(row, errors),
        }
        progress(Progress::Read(row));
        Ok(())
    })?;
    if problems.rows > 0 && !options.skip_invalid {
        return Err(ImportError::Invalid(problems, valid));
    }
    let mut written = |rows| progress(Progress::Written { rows, of: valid });
    let counts = if options.dry_run {
        import.rehearse()?
    } else {
        import.publish(actor, now, &mut written)?
    };
    Ok(ImportReport { counts, problems })
}
