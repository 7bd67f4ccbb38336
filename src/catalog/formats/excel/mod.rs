//! Excel sheets.
//!
//! Read with `quick-xml` alone: `calamine` gives what a file states to the allocator, and copies
//! its styles for each cell format.

mod cell;
mod look;
mod workbook;

use std::io::Read;
use std::rc::Rc;

use quick_xml::events::Event;
use serde_json::Value;

use self::cell::{day, letters, number_of, rounded};
use self::look::{Look, looks};
use self::workbook::{
    Links, Listed, SharedTexts, Sheets, WorkbookPart, attribute, column_of, damaged, links, related,
};
use super::archive::Archive;
use super::error::ReadError;
use super::row::{Columns, Each, MAX_COLUMNS, MAX_ROW, Note, Row, RowSource, too_wide};
use crate::domain::truncate;

/// Maximum size of all cells in bytes: many may share one text.
const MOST_CELLS: u64 = 1 << 30;
/// Bytes that a cell takes in memory besides its text.
const PER_CELL: u64 = 72;

/// Last row that may have a heading above the names of the columns.
const MOST_HEADINGS: u64 = 20;
/// Maximum number of sheets whose headers are compared.
const MOST_COMPARED: usize = 16;
/// Words in the names of columns that products have: what it is, its price, where it is sold.
const WORDS: [&[&str]; 3] = [
    &["title", "name", "product", "item", "deal"],
    &["price", "mrp", "amount", "cost", "rate"],
    &["link", "url", "href"],
];
/// Words in the names of columns whose cells show a text instead of an address.
const LINKED: [&str; 12] = [
    "link",
    "url",
    "href",
    "image",
    "img",
    "picture",
    "pic",
    "photo",
    "thumbnail",
    "buy",
    "page",
    "affiliate",
];

/// Parts of a workbook that its sheets share.
struct SharedParts {
    texts: SharedTexts,
    looks: Vec<Look>,
    sheets: Sheets,
}

/// A sheet of a workbook, after its header.
pub(super) struct Sheet<'a> {
    part: WorkbookPart<'a>,
    shared: Rc<SharedParts>,
    links: Links,
    columns: Columns,
    /// True for each column whose cells may show a text instead of an address.
    linked: Vec<bool>,
    /// Number of the header's row; 0 before it.
    header: u64,
    /// Number of the current row.
    number: u64,
    /// Size of all cells in bytes.
    size: u64,
    note: Note,
}

/// Opens the sheet that looks like products: the first one that is not hidden, if several do.
pub(super) fn open(mut book: Archive) -> Result<Sheet<'static>, ReadError> {
    let of_kind = |end: &'static str| move |_: &str, kind: &str| kind.ends_with(end);
    let workbook = related(&mut book, "", of_kind("/officeDocument"))?;
    let is_binary = |name: &str| name.eq_ignore_ascii_case("xl/workbook.bin");
    if book.names().any(is_binary) {
        return Err(ReadError::file(
            "it is a binary workbook (.xlsb): save it as .xlsx",
        ));
    }
    let workbook = workbook.ok_or_else(damaged)?;
    let sheets = Sheets::read(book.read(&workbook)?)?;
    let texts = match related(&mut book, &workbook, of_kind("/sharedStrings"))? {
        Some(part) => SharedTexts::read(book.read(&part)?)?,
        None => SharedTexts::default(),
    };
    let looks = match related(&mut book, &workbook, of_kind("/styles"))? {
        Some(part) => looks(book.read(&part)?)?,
        None => Vec::new(),
    };
    let shared = Rc::new(SharedParts {
        texts,
        looks,
        sheets,
    });
    let all = &shared.sheets.all;
    let mut shown: Vec<&Listed> = all.iter().filter(|sheet| !sheet.is_hidden).collect();
    if shown.is_empty() {
        shown.extend(all.first());
    }
    let Some(mut chosen) = shown.first() else {
        return Err(ReadError::file("it is a workbook without a sheet"));
    };
    let mut unread = Vec::new();
    if shown.len() > 1 {
        let mut best = None;
        for sheet in shown.iter().take(MOST_COMPARED) {
            let part = sheet.part(&mut book, &workbook)?;
            let Ok(opened) = Sheet::new(book.read(&part)?, &shared) else {
                continue;
            };
            let names = opened.columns.names();
            let score = WORDS
                .iter()
                .filter(|words| names.iter().any(|name| has(name, words)));
            let score = score.count();
            if best.is_none_or(|best| score > best) {
                (best, chosen) = (Some(score), sheet);
            }
            unread.push(format!("“{}”", truncate(&sheet.name, 40)));
        }
        let compared = shown.iter().skip(MOST_COMPARED);
        unread.extend(compared.map(|sheet| format!("“{}”", truncate(&sheet.name, 40))));
    }
    let name = format!("“{}”", truncate(&chosen.name, 40));
    unread.retain(|known| *known != name);
    let part = chosen.part(&mut book, &workbook)?;
    let links = links(&mut book, &part)?;
    let mut sheet = Sheet::new(book.into_file(&part)?, &shared)?;
    sheet.links = links;
    let rest = unread.len().saturating_sub(MOST_NAMED);
    unread.truncate(MOST_NAMED);
    if rest > 0 {
        unread.push(format!("{rest} others"));
    }
    sheet.note = (!unread.is_empty()).then(|| {
        format!(
            "Only the sheet {name} was read, not {}: if it has products too, import it as a file \
             of its own.",
            unread.join(", ")
        )
    });
    Ok(sheet)
}

/// Maximum number of sheets that a note names.
const MOST_NAMED: usize = 8;

/// True if a name has one of the words.
fn has(name: &str, words: &[&str]) -> bool {
    let name = name.to_lowercase();
    words.iter().any(|word| name.contains(word))
}

/// Refuses merged cells, unless they end above the header.
fn check_merged(cells: &str, header: u64) -> Result<(), ReadError> {
    let last = cells.rsplit(|c: char| !c.is_ascii_digit()).next();
    if last.and_then(|row| row.parse().ok()) >= Some(header) {
        return Err(ReadError::file(format!(
            "the cells {} are merged: separate them, and write the value into each",
            cells.chars().take(30).collect::<String>()
        )));
    }
    Ok(())
}

impl<'a> Sheet<'a> {
    /// Reads the header, the first row with a value.
    fn new(input: Box<dyn Read + 'a>, shared: &Rc<SharedParts>) -> Result<Self, ReadError> {
        let mut sheet = Self {
            part: WorkbookPart::new(input),
            shared: Rc::clone(shared),
            links: Links::new(),
            columns: Columns::default(),
            linked: Vec::new(),
            header: 0,
            number: 0,
            size: 0,
            note: None,
        };
        // A cell alone in its row is a heading above the names of the columns.
        let mut heading = None;
        let header = loop {
            match sheet.row()? {
                Some(row) if row.cells.is_empty() => {}
                Some(row) if row.cells.len() == 1 && row.number <= MOST_HEADINGS => {
                    heading.get_or_insert(row);
                }
                Some(row) => break row,
                None => break heading.ok_or(ReadError::file("the first sheet is empty"))?,
            }
        };
        let mut names: Vec<String> = Vec::new();
        for (column, value) in header.cells {
            names.resize(names.len().max(column + 1), String::new());
            let name = value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned);
            name.trim().clone_into(&mut names[column]);
        }
        sheet.linked = names.iter().map(|name| has(name, &LINKED)).collect();
        sheet.columns = Columns::of_header(names)?;
        sheet.header = header.number;
        Ok(sheet)
    }

    pub(super) fn columns(&self) -> &Columns {
        &self.columns
    }

    /// Reads the next row; none at the end of the sheet.
    fn row(&mut self) -> Result<Option<Row>, ReadError> {
        let mut row = Row::default();
        let mut next = 0;
        let mut size = 0;
        loop {
            let (column, style, kind) = match self.part.next()? {
                Event::Start(start) => match start.local_name().as_ref() {
                    "row" => {
                        let given = attribute(&start, "r").and_then(|given| given.parse().ok());
                        self.number = given.unwrap_or(self.number + 1);
                        row.number = self.number;
                        continue;
                    }
                    "c" => {
                        let column = attribute(&start, "r").and_then(|place| column_of(&place));
                        let style = attribute(&start, "s").and_then(|style| style.parse().ok());
                        let kind = attribute(&start, "t").unwrap_or_default().into_owned();
                        (column.unwrap_or(next), style.unwrap_or(0), kind)
                    }
                    "mergeCell" => {
                        let cells = attribute(&start, "ref").unwrap_or_default();
                        check_merged(&cells, self.header)?;
                        continue;
                    }
                    _ => continue,
                },
                Event::End(end) if end.local_name().as_ref() == "row" => return Ok(Some(row)),
                Event::Eof => return Ok(None),
                _ => continue,
            };
            next = column + 1;
            let (written, formula) = self.cell()?;
            let is_empty = written.trim().is_empty() && kind != "str"
                || self.shared.sheets.is_stale && written == "0";
            let is_linked = self.linked.get(column) == Some(&true) && !written.contains("://");
            let address = is_linked.then(|| self.address(row.number, column, formula.as_deref()));
            let value = match self.value(&kind, written, style)? {
                Ok(value) if let Some(Some(address)) = address => match value {
                    Some(Value::String(text)) if text.contains("://") => text.into(),
                    _ => address.into(),
                },
                _ if formula.is_some() && is_empty && self.header > 0 => {
                    row.problem = Some(format!(
                        "The formula in {}{} has no result: open the file in a spreadsheet \
                         program, and save it.",
                        letters(column),
                        row.number
                    ));
                    continue;
                }
                Ok(Some(value)) => value,
                Ok(None) => continue,
                Err(problem) if self.header > 0 => {
                    row.problem = Some(problem);
                    continue;
                }
                Err(error) => error.into(),
            };
            size += self.count_size(&value)?;
            if size > MAX_ROW {
                return Err(ReadError::file(format!(
                    "row {} takes more than 1 MB: shorten its texts",
                    row.number
                )));
            }
            let width = self.columns.names().len();
            if self.header == 0 && column >= MAX_COLUMNS {
                return Err(too_wide(column + 1));
            }
            if self.header == 0 || column < width {
                row.cells.push((column, value));
            } else {
                row.problem = Some(format!(
                    "There is a value in column {}, which has no name in the header.",
                    letters(column)
                ));
            }
        }
    }

    /// Adds a value to the size of all cells; returns the bytes that it takes.
    fn count_size(&mut self, value: &Value) -> Result<u64, ReadError> {
        let taken = PER_CELL + value.as_str().map_or(0, str::len) as u64;
        self.size += taken;
        if self.size > MOST_CELLS {
            return Err(ReadError::file(
                "the sheet has more than 1 GB of texts: import it in parts",
            ));
        }
        Ok(taken)
    }

    /// Returns the address behind a cell's text.
    fn address(&self, row: u64, column: usize, formula: Option<&str>) -> Option<String> {
        if let Some(address) = self.links.get(&(row, column)) {
            return Some(address.to_string());
        }
        let (function, rest) = formula?.split_once("(\"")?;
        let (address, _) = rest.split_once('"')?;
        let is_link = function.trim().eq_ignore_ascii_case("hyperlink") && address.contains("://");
        is_link.then(|| address.to_owned())
    }

    /// Reads a cell to its end; returns its value as it is written, and its formula.
    fn cell(&mut self) -> Result<(String, Option<String>), ReadError> {
        let mut written = String::new();
        let mut formula = None;
        loop {
            match self.part.next()? {
                Event::Start(start) => match start.local_name().as_ref() {
                    "v" => written = self.part.text("v")?,
                    "f" => formula = Some(self.part.text("f")?),
                    "is" => written = self.part.text("is")?,
                    _ => {}
                },
                Event::End(end) if end.local_name().as_ref() == "c" => {
                    return Ok((written, formula));
                }
                Event::Eof => return Err(damaged()),
                _ => {}
            }
        }
    }

    /// Returns a cell's value, or why it has none; of a formula, its last result.
    fn value(
        &self,
        kind: &str,
        written: String,
        style: usize,
    ) -> Result<Result<Option<Value>, String>, ReadError> {
        let text = match kind {
            _ if written.trim().is_empty() => return Ok(Ok(None)),
            "s" => {
                let at = written.trim().parse().ok();
                let text = at
                    .and_then(|at| self.shared.texts.get(at))
                    .ok_or_else(damaged)?;
                text.to_owned()
            }
            "b" if ["1", "true"].contains(&written.trim()) => "true".to_owned(),
            "b" => "false".to_owned(),
            "e" if self.header == 0 => return Ok(Err(written)),
            "e" => {
                let error: String = written.chars().take(20).collect();
                let problem = format!("A formula gives {error}: correct it, or write the value.");
                return Ok(Err(problem));
            }
            "n" | "" => {
                let number = written
                    .trim()
                    .parse()
                    .ok()
                    .filter(|it: &f64| it.is_finite());
                match (number, self.shared.looks.get(style)) {
                    (Some(number), Some(Look::Percent)) => format!("{}%", rounded(number * 100.0)),
                    (Some(number), Some(Look::Date)) => {
                        let mut time = day(number, self.shared.sheets.is_1904);
                        // A day ends at its end, a time at midnight would end it at its start.
                        if number.fract() == 0.0 {
                            time.truncate("2026-01-01".len());
                        }
                        time
                    }
                    (Some(number), Some(Look::Money(sign))) => {
                        format!("{sign}{}", rounded(number))
                    }
                    (Some(number), _) => return Ok(Ok(Some(number_of(rounded(number))))),
                    (None, _) => written,
                }
            }
            _ => written,
        };
        Ok(Ok((!text.trim().is_empty()).then_some(Value::String(text))))
    }
}

impl RowSource for Sheet<'_> {
    fn read(mut self: Box<Self>, each: Each<'_>) -> Result<Note, ReadError> {
        while let Some(row) = self.row()? {
            if !row.cells.is_empty() {
                each(&self.columns, row)?;
            }
        }
        Ok(self.note)
    }
}
