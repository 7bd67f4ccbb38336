//! CSV, TSV and other delimited text.

use std::cell::Cell;
use std::io::{self, BufReader, Cursor, Read};
use std::rc::Rc;

use csv::{ErrorKind, Reader, ReaderBuilder, StringRecord, Trim};
use memchr::{memchr_iter, memchr2_iter};

use super::error::{ReadError, invalid_file, message_of};
use super::row::{BUFFER, Columns, Each, MAX_COLUMNS, MAX_ROW, Note, Row, RowSource, too_wide};
use crate::domain::counted;

/// Delimiters that are recognized.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];
/// Minimum number of names in a header below a heading.
const HEADER: usize = 3;
/// Rows that are compared to find the delimiter.
const COMPARED: usize = 20;
/// Row after the last one. If it is not read as a row, a quote is open.
const END: &str = "\u{1}end\u{1}";

/// Programs that leave the last line break out cannot be distinguished from a cut.
const NO_LINE_BREAK: &str = "Its last row has no line break at its end. If the file is cut off, \
     the last value of that row may be too: look at it.";

/// A file of delimited text after its header.
pub(super) struct Delimited {
    reader: Reader<RowLimit<'static>>,
    budget: Rc<Cell<u64>>,
    /// Last byte of the file that was read.
    last: Rc<Cell<u8>>,
    columns: Columns,
    /// Number of the header's row.
    number: u64,
}

impl Delimited {
    /// Reads the header of a file in UTF-8 that begins with `start`.
    pub(super) fn open(input: Box<dyn Read>, start: &str) -> Result<Self, ReadError> {
        let (comments, lines) = comments(start);
        let start = &start[comments..];
        let (declaration, delimiter) = match declared(start) {
            Some((line, delimiter)) => (line, delimiter),
            None => (0, find_delimiter(start)?),
        };
        let is_escaped = has_escapes(start, delimiter);
        let budget = Rc::new(Cell::new(MAX_ROW));
        let last = Rc::new(Cell::new(b'\n'));
        let watched = LastByte(input, Rc::clone(&last));
        let end = Cursor::new(format!("\n{END}\n"));
        let mut input = RowLimit {
            input: Box::new(watched.chain(end)),
            budget: Rc::clone(&budget),
        };
        let above = comments as u64 + declaration;
        io::copy(&mut input.by_ref().take(above), &mut io::sink()).map_err(ReadError::io)?;
        if is_escaped {
            let escaped = Escaped::new(input, delimiter);
            input = RowLimit {
                input: Box::new(escaped),
                budget: Rc::new(Cell::new(u64::MAX)),
            };
        }
        let mut reader = ReaderBuilder::new()
            .delimiter(delimiter)
            .flexible(true)
            .has_headers(false)
            .trim(Trim::None)
            .from_reader(input);
        let mut header = StringRecord::new();
        let is_read = reader.read_record(&mut header).map_err(read_error)?;
        if !is_read || header.get(0) == Some(END) {
            return Err(ReadError::Empty);
        }
        let empty = header
            .iter()
            .rev()
            .take_while(|name| name.trim().is_empty());
        let width = header.len() - empty.count();
        if width > MAX_COLUMNS {
            return Err(too_wide(width));
        }
        let names = header.iter().take(width);
        let names = names.map(|name| name.trim().to_owned()).collect();
        Ok(Self {
            reader,
            budget,
            last,
            columns: Columns::of_header(names)?,
            number: lines + if declaration > 0 { 2 } else { 1 },
        })
    }

    pub(super) fn columns(&self) -> &Columns {
        &self.columns
    }
}

impl RowSource for Delimited {
    fn read(mut self: Box<Self>, each: Each<'_>) -> Result<Note, ReadError> {
        let mut record = StringRecord::new();
        let width = self.columns.names().len();
        loop {
            self.budget.set(MAX_ROW);
            let line = self.reader.position().line();
            if !self.reader.read_record(&mut record).map_err(read_error)? {
                return Ok(None);
            }
            let lines = self.reader.position().line() - line;
            let within: u64 = record
                .iter()
                .map(|cell| memchr_iter(b'\n', cell.as_bytes()).count() as u64)
                .sum();
            // The reader skips empty lines, which a spreadsheet counts.
            self.number += 1 + lines.saturating_sub(within + 1);
            if record.get(0) == Some(END) {
                return Ok((self.last.get() != b'\n').then(|| NO_LINE_BREAK.to_owned()));
            }
            if record
                .iter()
                .next_back()
                .is_some_and(|cell| cell.contains(END))
            {
                return Err(ReadError::file(format!(
                    "a quote that opens in row {} is not closed: close it, or fetch the file \
                     again if it is cut off",
                    self.number
                )));
            }
            if record.iter().all(|cell| cell.trim().is_empty()) {
                continue;
            }
            let mut row = Row {
                number: self.number,
                ..Row::default()
            };
            let surplus = record.iter().skip(width);
            let is_longer = surplus.into_iter().any(|cell| !cell.trim().is_empty());
            if is_longer || record.len() < width {
                let values = counted(record.len() as u64, "value");
                let remedy = if width == 1 {
                    "delete the rows above the names of the columns."
                } else {
                    "a delimiter or a quote is missing or too many, or the file is cut off."
                };
                row.problem = Some(format!(
                    "The row has {values}, the header {width}: {remedy}"
                ));
            }
            for (column, cell) in record.iter().take(width).enumerate() {
                row.push(column, cell);
            }
            each(&self.columns, row)?;
        }
    }
}

/// Returns the length and the number of the lines before the header that are comments, or a heading
/// alone in its line: a name of a column may begin with # too, but its line has as many values as the
/// next.
fn comments(start: &str) -> (usize, u64) {
    let values = |line: &str| {
        let is_delimiter = |c: char| u8::try_from(c).is_ok_and(|c| DELIMITERS.contains(&c));
        line.matches(is_delimiter).count()
    };
    let (mut length, mut comments) = (0, 0);
    let mut lines = start.split_inclusive('\n').peekable();
    let is_comment = |line: &str| line.starts_with('#') || line.starts_with("//");
    let filled = |line: &str| {
        let cells = line.split(|c: char| u8::try_from(c).is_ok_and(|c| DELIMITERS.contains(&c)));
        cells.filter(|cell| !cell.trim().is_empty()).count()
    };
    let is_heading = |line: &str| filled(line) == 1 && !line.contains('"');
    let is_above = |line: &&str| is_comment(line) || is_heading(line) || line.trim().is_empty();
    while let Some(line) = lines.next_if(is_above) {
        let next = start[length + line.len()..].lines();
        let next = next
            .filter(|line| !line.trim().is_empty())
            .find(|line| !is_comment(line) && !is_heading(line));
        let is_header = |next: &str| {
            if is_comment(line) {
                values(line) >= values(next)
            } else {
                filled(next) < HEADER
            }
        };
        if !line.trim().is_empty() && next.is_none_or(is_header) {
            break;
        }
        length += line.len();
        comments += 1;
    }
    (length, comments)
}

/// True if quotes within quotes have a backslash before them instead of being doubled: the rows have
/// at least as many equal widths then.
fn has_escapes(start: &str, delimiter: u8) -> bool {
    if !start.contains("\\\"") {
        return false;
    }
    let regular = |text: &[u8]| {
        let mut reader = ReaderBuilder::new()
            .delimiter(delimiter)
            .flexible(true)
            .has_headers(false)
            .from_reader(text);
        let records = reader.records().map_while(Result::ok);
        let widths: Vec<usize> = records.map(|record| record.len()).collect();
        let header = widths.first().copied();
        widths
            .iter()
            .filter(|width| Some(**width) == header)
            .count()
    };
    let mut escaped = Vec::new();
    let read = Escaped::new(start.as_bytes(), delimiter).read_to_end(&mut escaped);
    read.is_ok() && regular(&escaped) >= regular(start.as_bytes())
}

/// Doubles quotes that have a backslash before them in a quoted value, in place of the backslash.
struct Escaped<R> {
    input: R,
    delimiter: u8,
    is_quoted: bool,
    /// Last byte that was read; the delimiter before the first.
    last: u8,
    /// True if a backslash waits for the next byte.
    is_held: bool,
}

impl<R> Escaped<R> {
    fn new(input: R, delimiter: u8) -> Self {
        Self {
            input,
            delimiter,
            is_quoted: false,
            last: delimiter,
            is_held: false,
        }
    }
}

impl<R: Read> Read for Escaped<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut start = 0;
        if self.is_held && buffer.len() > 1 {
            self.is_held = false;
            buffer[0] = b'\\';
            start = 1;
        }
        loop {
            let read = start + self.input.read(&mut buffer[start..])?;
            let is_end = read == start;
            let mut at = 0;
            while at < read {
                match (buffer[at], self.is_quoted) {
                    (b'\\', true) => match buffer[..read].get(at + 1) {
                        Some(b'"') => {
                            buffer[at] = b'"';
                            at += 1;
                        }
                        Some(b'\\') => at += 1,
                        None if !is_end && at > 0 => {
                            self.is_held = true;
                            return Ok(at);
                        }
                        None if !is_end => break,
                        _ => {}
                    },
                    (b'"', true) => self.is_quoted = false,
                    (b'"', false) => {
                        let starts = [self.delimiter, b'\n', b'\r', b'"'];
                        self.is_quoted = starts.contains(&self.last);
                    }
                    _ => {}
                }
                self.last = buffer[at];
                at += 1;
            }
            if at == read {
                return Ok(read);
            }
            // Only a backslash was read.
            start = read;
        }
    }
}

/// Returns the length and the delimiter of a first line like `sep=;`, which Excel reads.
fn declared(start: &str) -> Option<(u64, u8)> {
    let line = start.lines().next()?;
    let [delimiter] = line.strip_prefix("sep=")?.as_bytes() else {
        return None;
    };
    let end = start.find('\n')? + 1;
    Some((end as u64, *delimiter))
}

/// Finds the delimiter that gives most rows as many values as the header.
fn find_delimiter(start: &str) -> Result<u8, ReadError> {
    let widths = |delimiter| -> Vec<usize> {
        let mut reader = ReaderBuilder::new()
            .delimiter(delimiter)
            .flexible(true)
            .has_headers(false)
            .from_reader(start.as_bytes());
        let records = reader.records().take(COMPARED + 1).map_while(Result::ok);
        records.map(|record| record.len()).collect()
    };
    let score = |delimiter: &u8| {
        let widths = widths(*delimiter);
        let header = widths.first().copied().unwrap_or_default();
        let alike = widths.iter().filter(|width| **width == header).count();
        let is_regular = alike * 2 > widths.len();
        (header > 1).then_some((is_regular, header))
    };
    DELIMITERS
        .into_iter()
        .filter_map(|delimiter| Some((score(&delimiter)?, delimiter)))
        .max_by_key(|(score, _)| *score)
        .map(|(_, delimiter)| delimiter)
        .ok_or_else(|| {
            ReadError::file(
                "it is not JSON, XML, Excel or a table. The first row of a table names the \
                 columns, separated by commas, semicolons, tabs or |",
            )
        })
}

fn read_error(error: csv::Error) -> ReadError {
    match error.into_kind() {
        ErrorKind::Io(error) => ReadError::io(error),
        other => ReadError::file(format!("it is not a table that can be read ({other:?})")),
    }
}

/// Keeps the last byte that was read.
struct LastByte(Box<dyn Read>, Rc<Cell<u8>>);

impl Read for LastByte {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.0.read(buffer)?;
        if let Some(last) = buffer[..read].last() {
            self.1.set(*last);
        }
        Ok(read)
    }
}

/// Fails when one row takes more bytes than its budget.
pub(super) struct RowLimit<'a> {
    pub(super) input: Box<dyn Read + 'a>,
    pub(super) budget: Rc<Cell<u64>>,
}

/// Bytes that a list or an object of JSON takes in memory besides its own.
const PER_VALUE: usize = 32;

impl Read for RowLimit<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        let values = memchr2_iter(b'{', b'[', &buffer[..read]).count();
        let taken = read + PER_VALUE * values;
        let left = self.budget.get().checked_sub(taken as u64);
        self.budget.set(left.ok_or_else(|| {
            invalid_file(
                "one of its products takes more than 1 MB: perhaps a quote or a tag is not closed",
            )
        })?);
        Ok(read)
    }
}

/// Makes a buffered reader that fails when the budget is used up.
pub(super) fn limited<'a>(input: Box<dyn Read + 'a>) -> (BufReader<RowLimit<'a>>, Rc<Cell<u64>>) {
    let budget = Rc::new(Cell::new(MAX_ROW));
    let limit = RowLimit {
        input,
        budget: Rc::clone(&budget),
    };
    (BufReader::with_capacity(BUFFER, limit), budget)
}

/// Returns the message of our own readers in a library's I/O error.
pub(super) fn own_message(error: &io::Error) -> Option<ReadError> {
    message_of(error).map(ReadError::file)
}
