//! Import of a file of products (decisions, section 4).

use std::io;
use std::path::Path;

use jiff::Timestamp;

use super::findings::Findings;
use super::formats::{Input, ReadError};
use super::reading::Reading;
use super::refused::RefusedRows;
use super::shop_archive;
use crate::domain::FieldError;
use crate::store::{Import, ImportCounts, Keep, OpenError, StoreError};

/// Maximum number of problems that are described; the rest are counted.
pub const DESCRIBED_PROBLEMS: usize = 20;

/// Options of an import.
#[derive(Debug, Clone, Copy, Default)]
pub struct ImportOptions {
    /// Import the valid rows although others are invalid.
    pub skip_invalid: bool,
    /// Report what would be done without writing.
    pub dry_run: bool,
}

/// A problem of one row; formats as a line for the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowProblem {
    /// Row number, from 1.
    pub row: u64,
    /// The field and its message.
    pub error: FieldError,
}

impl std::fmt::Display for RowProblem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.error.field.is_empty() {
            return write!(f, "row {}: {}", self.row, self.error.message);
        }
        write!(f, "row {}: {}", self.row, self.error)
    }
}

/// Invalid rows of a file.
#[derive(Debug, Clone, Default)]
pub struct Problems {
    /// The first [`DESCRIBED_PROBLEMS`].
    pub described: Vec<RowProblem>,
    /// Number of problems.
    pub total: u64,
    /// Number of invalid rows.
    pub rows: u64,
}

impl Problems {
    pub(super) fn add(&mut self, row: u64, errors: Vec<FieldError>) {
        self.rows += 1;
        for error in errors {
            self.total += 1;
            if self.described.len() < DESCRIBED_PROBLEMS {
                self.described.push(RowProblem { row, error });
            }
        }
    }
}

/// Result of an import.
#[derive(Debug)]
pub struct ImportReport {
    /// Products added and changed.
    pub counts: ImportCounts,
    /// Skipped invalid rows.
    pub problems: Problems,
    /// True if the database was created.
    pub is_new: bool,
    /// How the file was read.
    pub findings: Findings,
}

/// Error for which nothing was imported.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The file could not be read completely.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// Invalid rows, not to be skipped; with the number of valid rows and how the file was read.
    #[error("{} of the rows are invalid", .0.rows)]
    Invalid(Problems, u64, Box<Findings>),
    /// The refused rows cannot be kept.
    #[error("the refused rows cannot be kept: {0}")]
    Refused(#[from] io::Error),
    /// The new database cannot be created.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// Database error.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Progress of an import in rows.
#[derive(Debug, Clone, Copy)]
pub enum ImportProgress {
    /// Rows read and checked.
    Read(u64),
    /// Products written.
    Written {
        /// Number so far.
        rows: u64,
        /// Upper limit.
        of: u64,
    },
}

/// A file to import.
pub struct Source<'a> {
    /// The file.
    pub input: Input,
    /// How it is read.
    pub reading: &'a Reading,
    /// Folder for temporary files.
    pub folder: &'a Path,
}

/// Imports every row of a file, all or nothing, on behalf of `actor`; calls `progress` after each
/// row. Collects the refused rows in `refused`. A dry run keeps no answer.
///
/// # Errors
///
/// [`ImportError`]; the database is unchanged, unless the error came after the commit.
#[expect(clippy::too_many_arguments, reason = "each is given by both callers")]
pub fn import(
    source: Source<'_>,
    mut import: Import,
    options: ImportOptions,
    actor: &str,
    now: Timestamp,
    mut progress: impl FnMut(ImportProgress),
    mut refused: Option<&mut RefusedRows>,
    keep: Option<Keep<'_, ImportReport>>,
) -> Result<ImportReport, ImportError> {
    let mut problems = Problems::default();
    let mut valid = 0;
    let Source {
        input,
        reading,
        folder,
    } = source;
    let stage = |picture| Ok(import.stage_picture(&picture)?);
    let opened = shop_archive::open::<ImportError>(input, reading, folder, stage)?;
    let (input, reading, (mut categories, shop)) = opened;
    let findings = reading.read::<ImportError>(input, folder, true, |item| {
        match item.product {
            Ok(product) => {
                valid += 1;
                // After the first problem the remaining rows are only checked.
                if problems.rows == 0 || options.skip_invalid {
                    import.stage(product)?;
                }
            }
            Err(errors) => {
                if let Some(refused) = &mut refused {
                    refused.add(&item.raw, &errors)?;
                }
                problems.add(item.number, errors);
            }
        }
        progress(ImportProgress::Read(problems.rows + valid));
        Ok(())
    })?;
    categories.extend(findings.new_categories.iter().cloned());
    import.stage_categories(categories);
    import.stage_shop(shop);
    if problems.rows > 0 && !options.skip_invalid {
        return Err(ImportError::Invalid(problems, valid, Box::new(findings)));
    }
    reading.stop.check()?;
    let mut written = |rows| progress(ImportProgress::Written { rows, of: valid });
    let (counts, is_new) = if options.dry_run {
        (import.rehearse()?, false)
    } else {
        let (import, is_new) = import.into_file()?;
        let keep = keep.map(|keep| keep_report(keep, problems.clone(), is_new, findings.clone()));
        (import.publish(actor, now, &mut written, keep)?, is_new)
    };
    Ok(ImportReport {
        counts,
        problems,
        is_new,
        findings,
    })
}

/// Returns the answer to keep as one that is built from the counts.
fn keep_report(
    keep: Keep<'_, ImportReport>,
    problems: Problems,
    is_new: bool,
    findings: Findings,
) -> Keep<'_, ImportCounts> {
    let Keep { request, answer } = keep;
    let answer = Box::new(move |counts: &ImportCounts| {
        answer(&ImportReport {
            counts: *counts,
            problems,
            is_new,
            findings,
        })
    });
    Keep { request, answer }
}
