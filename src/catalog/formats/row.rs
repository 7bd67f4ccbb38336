//! Rows of named values.

use std::borrow::Cow;
use std::collections::HashMap;

use serde_json::Value;

use super::error::ReadError;
use crate::domain::{group_digits, truncate};

/// Maximum number of columns of a file.
pub(super) const MAX_COLUMNS: usize = 1_000;
/// Maximum number of characters of a column's name.
const MAX_NAME: usize = 200;
/// Maximum size of all names in bytes, which stay in memory.
const MAX_NAMES: usize = 64 * 1_024;
/// Maximum number of characters of a cell, as in Excel; as many pictures as a product may have are
/// longer.
pub(in crate::catalog) const MAX_CELL: usize = 32_768;
/// Bytes that are read ahead.
pub(super) const BUFFER: usize = 64 * 1_024;
/// Maximum size of one row in bytes, so that memory does not grow with a row that never ends; of
/// which some may be read ahead.
pub(super) const MAX_ROW: u64 = (1 << 20) + BUFFER as u64;
/// Maximum size in bytes of the members beside the products, which are discarded.
pub(super) const MAX_SKIPPED: u64 = 64 << 20;

/// Column names of a file.
#[derive(Debug, Clone, Default)]
pub struct Columns {
    names: Vec<String>,
    index: HashMap<String, usize>,
    /// Size of all names in bytes.
    size: usize,
    /// True if a header names all columns before the first row.
    is_complete: bool,
}

impl Columns {
    /// Makes the columns of a header, in which a name may occur twice.
    pub(in crate::catalog) fn of_header(names: Vec<String>) -> Result<Self, ReadError> {
        let mut columns = Self {
            is_complete: true,
            ..Self::default()
        };
        names.iter().try_for_each(|name| columns.measure(name))?;
        columns.names = names;
        Ok(columns)
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
        self.measure(name)?;
        self.names.push(name.to_owned());
        self.index.insert(name.to_owned(), self.names.len() - 1);
        Ok(self.names.len() - 1)
    }

    /// Refuses a name that is too long, alone or with those before it.
    fn measure(&mut self, name: &str) -> Result<(), ReadError> {
        check_name(name)?;
        self.size += name.len();
        if self.size > MAX_NAMES {
            return Err(ReadError::file(
                "the names of its columns take more than 64 kB: shorten them, or leave out those \
                 that are not needed",
            ));
        }
        Ok(())
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

/// Refuses the name of a column that is too long.
pub(super) fn check_name(name: &str) -> Result<(), ReadError> {
    if name.len() > MAX_NAME && name.chars().count() > MAX_NAME {
        return Err(ReadError::file(format!(
            "the name of a column is longer than 200 characters (“{}”): shorten it, or delete the \
             rows above the names of the columns",
            truncate(name, 40)
        )));
    }
    Ok(())
}

/// Makes the error of a table that is too wide.
pub(super) fn too_wide(columns: usize) -> ReadError {
    let count = i64::try_from(columns).unwrap_or(i64::MAX);
    ReadError::file(format!(
        "it has {} columns, and at most 1,000 are read: delete those that are not needed",
        group_digits(count)
    ))
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
    /// Returns the text of the first cell in a column of one of these names; empty if it has none.
    pub(super) fn text(&self, columns: &Columns, names: &[&str]) -> Cow<'_, str> {
        let mut cells = self.cells.iter();
        let found = cells.find(|(column, _)| names.contains(&columns.names()[*column].as_str()));
        match found {
            Some((_, Value::String(text))) => text.trim().into(),
            Some((_, other)) => other.to_string().into(),
            None => "".into(),
        }
    }

    /// Returns the amount in a column of one of these names; none if it is zero or no number.
    pub(super) fn amount(&self, columns: &Columns, names: &[&str]) -> Option<f64> {
        let text = self.text(columns, names);
        let digits: String = text
            .chars()
            .filter(|c| c.is_ascii_digit() || *c == '.')
            .collect();
        digits.parse().ok().filter(|amount: &f64| *amount > 0.0)
    }

    /// Takes the cells of these columns from another row.
    pub(super) fn take_cells(&mut self, other: Self, columns: &Columns, names: &[&str]) {
        let is_named = |column: usize| names.contains(&columns.names()[column].as_str());
        self.cells.retain(|(column, _)| !is_named(*column));
        let cells = other.cells.into_iter();
        self.cells
            .extend(cells.filter(|(column, _)| is_named(*column)));
    }

    /// Adds a value unless it is empty.
    pub(super) fn push(&mut self, column: usize, text: &str) {
        if !text.trim().is_empty() {
            self.cells.push((column, Value::String(text.to_owned())));
        }
    }
}

/// Receives the rows; an error stops the reader.
pub(super) type Each<'a> = &'a mut dyn FnMut(&Columns, Row) -> Result<(), ReadError>;

/// Sentences about a file that can be read.
pub type Note = Option<String>;

/// Joins the sentences of two readers.
pub(super) fn join(first: Note, second: Note) -> Note {
    let sentences = first.into_iter().chain(second);
    sentences.reduce(|all, next| format!("{all} {next}"))
}

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
