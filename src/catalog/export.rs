//! Writing the catalogue: what `import` reads, or a table for a spreadsheet.

use std::io::{self, Write};

use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::domain::{NewProduct, Product, ReportRow, Views, rfc3339};
use crate::store::{Store, StoreError};

/// How an export is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// A JSON array with a product on each line.
    Json,
    /// A product on each line, and nothing else.
    Ndjson,
    /// Comma-separated values with a line of names (RFC 4180).
    Csv,
}

/// Why an export stopped.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The database refused.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// What was written could not be stored or sent.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// What stands before and behind a product's own fields in a row.
const BEFORE: [&str; 1] = ["_id"];
const BEHIND: [&str; 3] = ["clicks", "createdAt", "updatedAt"];

/// A product as `import` reads it, complete: every name and value, in the order of the
/// columns. A final price that follows from the discount is null, so that whoever changes one in
/// the file need not change the other.
fn row(product: &Product) -> impl Iterator<Item = (&'static str, Value)> {
    let id = BEFORE.into_iter().zip([product.id.as_str().into()]);
    let behind = BEHIND.into_iter().zip([
        product.clicks.into(),
        rfc3339(product.created_at).into(),
        rfc3339(product.updated_at).into(),
    ]);
    let follows = product.details.discount_is_exact();
    let details = product.details.fields().map(move |(name, value)| {
        let value = if follows && name == "finalPrice" {
            Value::Null
        } else {
            value
        };
        (name, value)
    });
    id.chain(details).chain(behind)
}

/// Writes a row as a JSON object whose names keep their order.
struct Row<'a>(&'a Product);

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(row(self.0).filter(|(_, value)| !value.is_null()))
    }
}

/// Writes every product, oldest first, as of one moment; returns how many there are.
///
/// # Errors
///
/// [`ExportError`] when the database or the output fails.
pub fn export(store: &Store, format: Format, output: &mut dyn Write) -> Result<u64, ExportError> {
    let written = match format {
        Format::Csv => write_csv(store, output)?,
        Format::Ndjson => write_lines(store, output, ["", "\n", "\n", ""])?,
        Format::Json => write_lines(store, output, ["[\n", ",\n", "\n]\n", "[]\n"])?,
    };
    output.flush()?;
    Ok(written)
}

/// Writes a product on each line, with what stands before the first, between two
/// and after the last, and instead of all where there is none.
fn write_lines(
    store: &Store,
    output: &mut dyn Write,
    [before, between, after, none]: [&str; 4],
) -> Result<u64, ExportError> {
    let mut written = 0;
    store.for_each_product(|product| -> Result<(), ExportError> {
        output.write_all(if written == 0 { before } else { between }.as_bytes())?;
        serde_json::to_writer(&mut *output, &Row(product)).map_err(io::Error::from)?;
        written += 1;
        Ok(())
    })?;
    output.write_all(if written == 0 { none } else { after }.as_bytes())?;
    Ok(written)
}

fn write_csv(store: &Store, output: &mut dyn Write) -> Result<u64, ExportError> {
    let mut table = csv::WriterBuilder::new()
        .terminator(csv::Terminator::CRLF)
        .from_writer(output);
    let names = BEFORE.into_iter().chain(NewProduct::FIELDS).chain(BEHIND);
    table.write_record(names).map_err(io::Error::other)?;
    let mut written = 0;
    store.for_each_product(|product| -> Result<(), ExportError> {
        table
            .write_record(row(product).map(|(_, value)| neutral(&cell(&value))))
            .map_err(io::Error::other)?;
        written += 1;
        Ok(())
    })?;
    table.flush()?;
    Ok(written)
}

/// A report as a table.
///
/// # Errors
///
/// Why a row could not be written.
pub fn report_csv(rows: &[ReportRow]) -> Result<String, String> {
    let mut table = csv::Writer::from_writer(Vec::new());
    let with_views = rows.iter().any(|row| row.views.is_some());
    let columns = ["key", "label", "counted", "leftOut", "views", "rate"];
    let width = if with_views { columns.len() } else { 4 };
    let written = table
        .write_record(columns.iter().take(width))
        .and_then(|()| {
            rows.iter().try_for_each(|row| {
                let views = row.views.map(|views| views.seen.to_string());
                let rate = row.views.and_then(Views::rate);
                let cells = [
                    neutral(&row.key),
                    neutral(&row.label),
                    row.counted.to_string(),
                    row.left_out.to_string(),
                    views.unwrap_or_default(),
                    rate.map(|rate| rate.to_string()).unwrap_or_default(),
                ];
                table.write_record(cells.iter().take(width))
            })
        });
    written.map_err(|error| error.to_string())?;
    let bytes = table.into_inner().map_err(|error| error.to_string())?;
    String::from_utf8(bytes).map_err(|error| error.to_string())
}

/// A value as a cell of a table.
fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Number(number) if number.is_f64() => number.as_f64().unwrap_or_default().to_string(),
        Value::Array(items) => items.iter().map(cell).collect::<Vec<_>>().join(" "),
        other => other.to_string(),
    }
}

/// A spreadsheet may take a cell that begins with one of these for a formula, and leave
/// out what is not seen before it; an apostrophe makes it text (OWASP ASVS 1.2.10, and
/// OWASP's page on CSV injection for the full-width forms).
fn neutral(cell: &str) -> String {
    const STARTS: [char; 11] = ['=', '+', '-', '@', '＝', '＋', '－', '＠', '\t', '\r', '\n'];
    /// Neither seen nor space: zero-width ones, marks of direction, and the byte order mark.
    const UNSEEN: [std::ops::RangeInclusive<char>; 5] = [
        '\u{ad}'..='\u{ad}',
        '\u{180e}'..='\u{180e}',
        '\u{200b}'..='\u{200f}',
        '\u{2028}'..='\u{206f}',
        '\u{feff}'..='\u{feff}',
    ];
    let is_formula = cell.starts_with(STARTS)
        || cell.starts_with(|first| UNSEEN.iter().any(|range| range.contains(&first)));
    format!("{}{cell}", if is_formula { "'" } else { "" })
}
