//! Excel sheets.

use calamine::{Data, DataRef, Dimensions, Reader, Xlsx, XlsxError};
use jiff::civil::date;
use serde_json::Value;

use super::error::ReadError;
use super::packed::ReadSeek;
use super::row::{Columns, Each, Note, Row, RowSource};

const DAMAGED: &str =
    "the sheet is damaged or cut off: fetch it again, or open it in its program and save it anew";

/// The first sheet of a workbook, after its header.
pub(super) struct Sheet {
    book: Xlsx<Box<dyn ReadSeek>>,
    name: String,
    columns: Columns,
    /// Position of the header's row, from 0.
    header: u32,
}

impl Sheet {
    /// Reads the header, the first row with a value.
    pub(super) fn open(file: Box<dyn ReadSeek>) -> Result<Self, ReadError> {
        let mut book: Xlsx<_> = Xlsx::new(file).map_err(|error| match error {
            XlsxError::Password => ReadError::file("the sheet has a password: save it without one"),
            _ => ReadError::file(DAMAGED),
        })?;
        let names = book.sheet_names();
        let name = names.into_iter().next();
        let name = name.ok_or_else(|| ReadError::file("it is a workbook without a sheet"))?;
        let (header, names) = header(&mut book, &name)?;
        let columns = Columns::of_header(names)?;
        let merged = book.merge_cells_by_sheet_name(&name).map_err(damaged)?;
        if let Some(cells) = merged.iter().find(|cells| cells.end.0 >= header) {
            return Err(ReadError::file(format!(
                "the cells {} are merged: separate them, and write the value into each",
                address(cells)
            )));
        }
        Ok(Self {
            book,
            name,
            columns,
            header,
        })
    }

    pub(super) fn columns(&self) -> &Columns {
        &self.columns
    }
}

fn damaged(_: XlsxError) -> ReadError {
    ReadError::file(DAMAGED)
}

/// Returns the position and the values of the first row that has any.
fn header(
    book: &mut Xlsx<Box<dyn ReadSeek>>,
    sheet: &str,
) -> Result<(u32, Vec<String>), ReadError> {
    let mut cells = book.worksheet_cells_reader(sheet).map_err(damaged)?;
    let mut found = None;
    let mut names: Vec<String> = Vec::new();
    while let Some(cell) = cells.next_cell().map_err(damaged)? {
        let (row, column) = cell.get_position();
        let name = Data::from(cell.get_value().clone()).to_string();
        if name.trim().is_empty() {
            continue;
        }
        if *found.get_or_insert(row) != row {
            break;
        }
        names.resize((column as usize).max(names.len()), String::new());
        names.push(name.trim().to_owned());
    }
    let row = found.ok_or_else(|| ReadError::file("the first sheet is empty"))?;
    Ok((row, names))
}

impl RowSource for Sheet {
    fn read(mut self: Box<Self>, each: Each<'_>) -> Result<Note, ReadError> {
        let width = self.columns.names().len();
        let mut cells = self
            .book
            .worksheet_cells_reader(&self.name)
            .map_err(damaged)?;
        let percent: Vec<bool> = cells
            .styles()
            .iter()
            .map(|style| {
                let format = style.number_format.as_ref();
                format.is_some_and(|format| format.format_code.contains('%'))
            })
            .collect();
        let mut row = Row::default();
        while let Some((cell, style)) = cells.next_cell_with_style_id().map_err(damaged)? {
            let (at, column) = cell.get_position();
            if at <= self.header {
                continue;
            }
            let number = u64::from(at) + 1;
            if number != row.number {
                let done = std::mem::take(&mut row);
                if !done.cells.is_empty() {
                    each(&self.columns, done)?;
                }
                row.number = number;
            }
            let column = column as usize;
            let is_percent = percent.get(style).copied().unwrap_or_default();
            let value = match value(cell.get_value(), is_percent) {
                Ok(None) => continue,
                Ok(Some(value)) => value,
                Err(problem) => {
                    row.problem = Some(problem);
                    continue;
                }
            };
            if column < width {
                row.cells.push((column, value));
            } else {
                row.problem = Some(format!(
                    "There is a value in column {}, which has no name in the header.",
                    letters(column)
                ));
            }
        }
        if row.cells.is_empty() {
            return Ok(None);
        }
        each(&self.columns, row)?;
        Ok(None)
    }
}

/// Returns a cell's value; of a formula, its last result.
fn value(cell: &DataRef<'_>, is_percent: bool) -> Result<Option<Value>, String> {
    let text = match cell {
        DataRef::Empty => return Ok(None),
        DataRef::SharedString(text) => (*text).to_owned(),
        DataRef::String(text) | DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => {
            text.clone()
        }
        DataRef::Int(number) => number.to_string(),
        DataRef::Float(number) if is_percent => format!("{}%", rounded(*number * 100.0)),
        DataRef::Float(number) => return Ok(Some(number_of(rounded(*number)))),
        DataRef::Bool(flag) => flag.to_string(),
        DataRef::DateTime(time) => {
            let (year, month, day, hour, minute, second, _) = time.to_ymd_hms_milli();
            let year = i16::try_from(year).unwrap_or(i16::MAX);
            #[expect(clippy::cast_possible_wrap, reason = "below 60")]
            let time =
                date(year, month as i8, day as i8).at(hour as i8, minute as i8, second as i8, 0);
            time.strftime("%Y-%m-%dT%H:%M:%S").to_string()
        }
        DataRef::Error(error) => {
            return Err(format!(
                "A formula gives {error}: correct it, or write the value."
            ));
        }
    };
    Ok((!text.trim().is_empty()).then_some(Value::String(text)))
}

/// Returns a number, without decimals if it is whole.
fn number_of(number: f64) -> Value {
    let text = number.to_string();
    text.parse::<i64>().map_or(number.into(), Value::from)
}

/// Rounds to 15 significant digits, as a spreadsheet shows a number.
fn rounded(number: f64) -> f64 {
    format!("{number:.14e}").parse().unwrap_or(number)
}

/// Names a column as a spreadsheet does, like `AB`.
fn letters(column: usize) -> String {
    let mut name = String::new();
    let mut rest = column + 1;
    while rest > 0 {
        rest -= 1;
        let letter = b'A' + u8::try_from(rest % 26).unwrap_or_default();
        name.insert(0, letter.into());
        rest /= 26;
    }
    name
}

fn address(cells: &Dimensions) -> String {
    let corner = |(row, column): (u32, u32)| format!("{}{}", letters(column as usize), row + 1);
    format!("{}:{}", corner(cells.start), corner(cells.end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_named_as_in_a_spreadsheet() {
        let named = [(0, "A"), (25, "Z"), (26, "AA"), (701, "ZZ"), (702, "AAA")];
        for (column, name) in named {
            assert_eq!(letters(column), name);
        }
    }

    #[test]
    fn results_of_formulas_lose_the_noise_of_floating_point() {
        assert_eq!(rounded(0.1 + 0.2).to_string(), "0.3");
        assert_eq!(rounded(1299.99).to_string(), "1299.99");
        assert_eq!(rounded(110.889).to_string(), "110.889");
    }
}
