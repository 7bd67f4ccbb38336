//! Refused rows as a CSV with their reasons, to be corrected and imported again.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Seek, Write};
use std::path::Path;

use serde_json::Value;

use super::export::{MARK, plain_cell};
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
        let mut fields: BTreeMap<&str, String> = BTreeMap::new();
        match raw {
            Raw::Own(draft) => {
                for (name, value) in draft.fields() {
                    if !self.names.iter().any(|known| known == name) {
                        self.names.push(name.to_owned());
                    }
                    fields.insert(name, text(value));
                }
            }
            Raw::Row(columns, row) => {
                let new = &columns.names()[self.names.len()..];
                self.names.extend_from_slice(new);
                for (column, value) in &row.cells {
                    // Values of one name, like pictures, share a cell.
                    let shared = fields.entry(&columns.names()[*column]).or_default();
                    if !shared.is_empty() {
                        shared.push(' ');
                    }
                    shared.push_str(&text(value));
                }
            }
        }
        let reasons: Vec<String> = errors.iter().map(message_with_field).collect();
        fields.insert(REASONS, reasons.join(" "));
        serde_json::to_writer(&mut self.rows, &fields)?;
        self.rows.write_all(b"\n")?;
        self.count += 1;
        Ok(())
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
        output.write_all(MARK.as_bytes())?;
        let mut table = csv::WriterBuilder::new()
            .terminator(csv::Terminator::CRLF)
            .from_writer(output);
        self.names.retain(|name| name != REASONS);
        self.names.push(REASONS.to_owned());
        table.write_record(self.names.iter().map(|name| plain_cell(name)))?;
        for line in BufReader::new(rows).lines() {
            let row: HashMap<String, String> = serde_json::from_str(&line?)?;
            let cells = self.names.iter().map(|name| {
                let value = row.get(name);
                value.map(|value| plain_cell(value)).unwrap_or_default()
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

fn message_with_field(error: &FieldError) -> String {
    if error.field.is_empty() {
        error.message.clone()
    } else {
        error.to_string()
    }
}
