//! Importing a file of products (decisions, section 4).

use std::io::BufRead;
use std::sync::mpsc::sync_channel;

use jiff::Timestamp;

use super::rows::{self, ReadError};
use crate::domain::{FieldError, ImportedProduct};
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

/// Rows that are handed over together, and how many such parcels may wait.
const PARCEL: usize = 64;
const WAITING: usize = 4;

/// A row's number, and its product or what is wrong with it.
type Checked = (u64, Result<ImportedProduct, Vec<FieldError>>);

/// Reads and checks rows on a thread of its own, and gives each one to `each`. Only what
/// was checked waits: a row may hold a thousand times more than a product does.
fn check_each(
    input: impl BufRead + Send,
    mut each: impl FnMut(u64, Result<ImportedProduct, Vec<FieldError>>) -> Result<(), StoreError>,
) -> Result<(), ImportError> {
    let (sender, parcels) = sync_channel::<Vec<Checked>>(WAITING);
    std::thread::scope(|scope| {
        let reader = scope.spawn(move || {
            let mut parcel = Vec::with_capacity(PARCEL);
            let read = rows::read(input, |row, draft| {
                parcel.push((row, draft.into_imported()));
                if parcel.len() < PARCEL {
                    return Ok(());
                }
                let full = std::mem::replace(&mut parcel, Vec::with_capacity(PARCEL));
                sender.send(full).map_err(|_| Stopped::ByTheOther)
            });
            match read {
                // Nobody listens any more only where the other side failed.
                Err(Stopped::ByTheOther) => Ok(()),
                Err(Stopped::Reading(error)) => Err(error),
                Ok(()) => {
                    let _ = sender.send(parcel);
                    Ok(())
                }
            }
        });
        for (row, checked) in parcels.into_iter().flatten() {
            each(row, checked)?;
        }
        match reader.join() {
            Ok(read) => Ok(read?),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// Why no further row is read.
enum Stopped {
    Reading(ReadError),
    ByTheOther,
}

impl From<ReadError> for Stopped {
    fn from(error: ReadError) -> Self {
        Self::Reading(error)
    }
}

/// Imports every row of `input`, all or nothing; `actor` is who does it. `progress` is told how far it is
/// after each row.
///
/// # Errors
///
/// [`ImportError`]; the database is then as it was before, unless it failed after the commit.
pub fn import(
    input: impl BufRead + Send,
    import: Import,
    options: ImportOptions,
    actor: &str,
    now: Timestamp,
    mut progress: impl FnMut(Progress),
) -> Result<ImportReport, ImportError> {
    let mut problems = Problems::default();
    let mut valid = 0;
    check_each(input, |row, checked| {
        match checked {
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
