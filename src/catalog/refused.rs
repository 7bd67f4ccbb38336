//! Refused rows as a CSV with their reasons, to be corrected and imported again.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Seek, Write};
use std::path::Path;

use serde_json::{Map, Value};

use super::export::plain_cell;
use super::reading::Raw;
use crate::domain::FieldError;

/// Column with the reasons.
const REASONS: &str = "Refused because";

/// Collects refused rows in a temporary file: the columns of a feed are known only at its end.
pub struct RefusedRows {
    rows: BufWriter<File>,
    /// Column names of a file of rows.
    names: Vec<String>,
    count: u64,
}

impl RefusedRows {
    /// Makes an empty collection, whose file is in `folder`.
    ///
    /// # Errors
    ///
    /// I/O errors.
    pub fn new(folder: &Path) -> io::Result<Self> {
        Ok(Self {
            rows: BufWriter::new(tempfile::tempfile_in(folder)?),
            names: Vec::new(),
            count: 0,
        })
    }

    /// Adds a row and its problems.
    ///
    /// # Errors
    ///
    /// I/O errors.
    pub fn add(&mut self, raw: &Raw<'_>, errors: &[FieldError]) -> io::Result<()> {
        let mut fields = Map::new();
        match raw {
            Raw::Own(draft) => {
                for (name, value) in draft.fields() {
                    self.add_name(name);
                    fields.insert(name.to_owned(), value.clone());
                }
            }
            Raw::Row(columns, row) => {
                self.names = columns.names().to_vec();
                for (column, value) in &row.cells {
                    let name = &columns.names()[*column];
                    // Values of one name, like pictures, share a cell.
                    let joined = match fields.remove(name) {
                        None => value.clone(),
                        Some(before) => format!("{} {}", text(&before), text(value)).into(),
                    };
                    fields.insert(name.clone(), joined);
                }
            }
        }
        let reasons: Vec<String> = errors.iter().map(shown).collect();
        fields.insert(REASONS.to_owned(), reasons.join(" ").into());
        serde_json::to_writer(&mut self.rows, &Value::Object(fields))?;
        self.rows.write_all(b"\n")?;
        self.count += 1;
        Ok(())
    }

    fn add_name(&mut self, name: &str) {
        if !self.names.iter().any(|known| known == name) {
            self.names.push(name.to_owned());
        }
    }

    /// Number of rows.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Writes the rows as CSV, which begins with a byte order mark for Excel.
    ///
    /// # Errors
    ///
    /// I/O errors.
    pub fn write_csv(mut self, output: &mut dyn Write) -> io::Result<()> {
        self.rows.flush()?;
        let mut rows = self
            .rows
            .into_inner()
            .map_err(std::io::IntoInnerError::into_error)?;
        rows.rewind()?;
        output.write_all("\u{feff}".as_bytes())?;
        let mut table = csv::WriterBuilder::new()
            .terminator(csv::Terminator::CRLF)
            .from_writer(output);
        self.names.retain(|name| name != REASONS);
        self.names.push(REASONS.to_owned());
        table.write_record(self.names.iter().map(|name| plain_cell(name)))?;
        for line in BufReader::new(rows).lines() {
            let row: Map<String, Value> = serde_json::from_str(&line?)?;
            let cells = self.names.iter().map(|name| {
                let value = row.get(name);
                plain_cell(&value.map(text).unwrap_or_default())
            });
            table.write_record(cells)?;
        }
        table.flush()
    }
}

fn text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(text).collect::<Vec<_>>().join(" "),
        other => other.to_string(),
    }
}

fn shown(error: &FieldError) -> String {
    if error.field.is_empty() {
        error.message.clone()
    } else {
        error.to_string()
    }
}
