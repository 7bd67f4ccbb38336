//! Rows of named values.

use std::collections::HashMap;

use serde_json::Value;

use super::error::ReadError;
use crate::domain::group_digits;

/// Maximum number of columns of a file.
const MAX_COLUMNS: usize = 1_000;
/// Maximum size of one row in bytes, so that memory does not grow with a row that never ends.
pub(super) const MAX_ROW: u64 = 16 << 20;

/// Column names of a file.
#[derive(Debug, Clone, Default)]
pub struct Columns {
    names: Vec<String>,
    index: HashMap<String, usize>,
    /// True if a header names all columns before the first row.
    is_complete: bool,
}

impl Columns {
    /// Makes the columns of a header, in which a name may occur twice.
    pub(super) fn of_header(names: Vec<String>) -> Result<Self, ReadError> {
        if names.len() > MAX_COLUMNS {
            let count = i64::try_from(names.len()).unwrap_or(i64::MAX);
            return Err(ReadError::file(format!(
                "it has {} columns, and at most 1,000 are read: delete those that are not needed",
                group_digits(count)
            )));
        }
        Ok(Self {
            names,
            index: HashMap::new(),
            is_complete: true,
        })
    }

    /// Returns the position of a name, which is added if it is new.
    pub(super) fn position(&mut self, name: &str) -> Result<usize, ReadError> {
        if let Some(at) = self.index.get(name) {
            return Ok(*at);
        }
        if self.names.len() == MAX_COLUMNS {
            return Err(ReadError::file(
                "its products have more than 1,000 different fields: leave out those that are \
                 not needed",
            ));
        }
        self.names.push(name.to_owned());
        self.index.insert(name.to_owned(), self.names.len() - 1);
        Ok(self.names.len() - 1)
    }

    /// The names in the order of the file.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// True if no later row adds a column.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }
}

/// One product of a file.
#[derive(Debug, Clone, Default)]
pub struct Row {
    /// Number in the file as its program shows it: a sheet's first row is its header.
    pub number: u64,
    /// Columns and values in the order of the file; a column may occur several times.
    pub cells: Vec<(usize, Value)>,
    /// Reason why the whole row cannot be used.
    pub problem: Option<String>,
}

impl Row {
    /// Adds a value unless it is empty.
    pub(super) fn push(&mut self, column: usize, text: &str) {
        if !text.trim().is_empty() {
            self.cells.push((column, Value::String(text.to_owned())));
        }
    }
}

/// Receives the rows; an error stops the reader.
pub(super) type Each<'a> = &'a mut dyn FnMut(&Columns, Row) -> Result<(), ReadError>;

/// Sentence about a file that can be read.
pub type Note = Option<&'static str>;

/// A file that yields rows.
pub trait RowSource {
    /// Calls `each` with every row. Returns a sentence about what may be wrong although it can be
    /// read.
    ///
    /// # Errors
    ///
    /// [`ReadError`] of the file or of `each`.
    fn read(self: Box<Self>, each: Each<'_>) -> Result<Note, ReadError>;
}
