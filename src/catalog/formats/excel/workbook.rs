//! Parts of an Excel workbook besides its cells: relationships, sheets, hyperlinks, shared texts.
//!
//! Counts that a part states are not read. Memory is bounded by [`MOST_TEXTS`] and [`MOST_LINKED`].

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::HashMap;
use std::io::{BufReader, Read};
use std::rc::Rc;

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Error, Reader, XmlVersion};

use crate::catalog::formats::archive::Archive;
use crate::catalog::formats::delimited::{RowLimit, limited, own_message};
use crate::catalog::formats::error::ReadError;
use crate::catalog::formats::merchant::{MOST_DEEP, named};
use crate::catalog::formats::row::{MAX_CELL, MAX_ROW};

/// Maximum size of all shared texts in bytes.
const MOST_TEXTS: usize = 64 << 20;
/// Maximum number of sheets that are listed.
const MOST_SHEETS: usize = 200;
/// Maximum number of hyperlinks, as in Excel, and of bytes of their addresses.
const MOST_LINKS: usize = 65_536;
const MOST_LINKED: usize = 16 << 20;

const DAMAGED: &str =
    "the sheet is damaged or cut off: fetch it again, or open it in its program and save it anew";

/// A part, read event by event.
pub(super) struct WorkbookPart<'a> {
    reader: Reader<BufReader<RowLimit<'a>>>,
    budget: Rc<Cell<u64>>,
    buffer: Vec<u8>,
    depth: usize,
}

impl<'a> WorkbookPart<'a> {
    pub(super) fn new(input: Box<dyn Read + 'a>) -> Self {
        let (input, budget) = limited(input);
        let mut reader = Reader::from_reader(input);
        reader.config_mut().expand_empty_elements = true;
        Self {
            reader,
            budget,
            buffer: Vec::new(),
            depth: 0,
        }
    }

    /// Reads the next event, of at most 1 MB.
    pub(super) fn next(&mut self) -> Result<Event<'_>, ReadError> {
        self.budget.set(MAX_ROW);
        self.buffer.clear();
        let event = self.reader.read_event_into(&mut self.buffer);
        let event = event.map_err(|error| match error {
            Error::Io(error) => own_message(&error).unwrap_or_else(damaged),
            _ => damaged(),
        })?;
        match event {
            Event::Start(_) => self.depth += 1,
            Event::End(_) => self.depth -= 1,
            _ => {}
        }
        if self.depth > MOST_DEEP || self.depth > 0 && matches!(event, Event::Eof) {
            return Err(damaged());
        }
        Ok(event)
    }

    /// Calls `each` with every element.
    pub(super) fn for_each(
        mut self,
        mut each: impl FnMut(&BytesStart<'_>),
    ) -> Result<(), ReadError> {
        loop {
            match self.next()? {
                Event::Start(start) => each(&start),
                Event::Eof => return Ok(()),
                _ => {}
            }
        }
    }

    /// Reads the text up to the end of an element, without hints for the pronunciation. Of a text
    /// that is longer than a cell may be, not all is kept.
    pub(super) fn text(&mut self, end: &str) -> Result<String, ReadError> {
        let mut text = String::new();
        let mut is_text = ["v", "f"].contains(&end);
        let mut is_hint = false;
        loop {
            let more = match self.next()? {
                Event::Start(start) => {
                    is_text |= start.local_name().as_ref() == "t";
                    is_hint |= start.local_name().as_ref() == "rPh";
                    continue;
                }
                Event::End(tag) => {
                    let name = tag.local_name();
                    if name.as_ref() == end {
                        // As Excel writes a character that XML normalizes.
                        return Ok(text.replace("_x000D_", "\r"));
                    }
                    is_text &= name.as_ref() != "t";
                    is_hint &= name.as_ref() != "rPh";
                    continue;
                }
                Event::Text(part) => part.xml10_content().into_owned(),
                Event::CData(part) => part.xml10_content().into_owned(),
                Event::GeneralRef(entity) => match entity.resolve_char_ref().ok().flatten() {
                    Some(c) => c.to_string(),
                    None => named(&entity)?.to_owned(),
                },
                _ => continue,
            };
            if is_text && !is_hint && text.len() <= 4 * MAX_CELL {
                text.push_str(&more);
            }
        }
    }
}

pub(super) fn damaged() -> ReadError {
    ReadError::file(DAMAGED)
}

/// Returns the value of an attribute, whatever its prefix.
pub(super) fn attribute<'a>(start: &'a BytesStart<'_>, name: &str) -> Option<Cow<'a, str>> {
    let mut attributes = start.attributes();
    let mut known = attributes.with_checks(false).flatten();
    let found = known.find(|attribute| attribute.key.local_name().as_ref() == name)?;
    found.normalized_value(XmlVersion::Implicit1_0).ok()
}

/// Calls `each` with the id, the kind and the target of each relationship of a part, if it has any.
fn relations(
    book: &mut Archive,
    part: &str,
    mut each: impl FnMut(&str, &str, &str),
) -> Result<(), ReadError> {
    let (folder, name) = part.rsplit_once('/').unwrap_or(("", part));
    let path = format!("{folder}/_rels/{name}.rels");
    let path = path.trim_start_matches('/');
    if !book.names().any(|known| known.eq_ignore_ascii_case(path)) {
        return Ok(());
    }
    WorkbookPart::new(book.read(path)?).for_each(|start| {
        let [id, kind, target] = ["Id", "Type", "Target"].map(|name| attribute(start, name));
        if let (Some(id), Some(kind), Some(target)) = (id, kind, target) {
            each(&id, &kind, &target);
        }
    })
}

/// Returns the part that another one is related to.
pub(super) fn related(
    book: &mut Archive,
    part: &str,
    is_wanted: impl Fn(&str, &str) -> bool,
) -> Result<Option<String>, ReadError> {
    let (folder, _) = part.rsplit_once('/').unwrap_or(("", part));
    let mut found = None;
    relations(book, part, |id, kind, target| {
        if found.is_none() && is_wanted(id, kind) {
            let folder = if target.starts_with('/') { "" } else { folder };
            let path = format!("{folder}/{target}");
            found = Some(path.trim_start_matches('/').to_owned());
        }
    })?;
    Ok(found)
}

/// A sheet as its workbook lists it.
pub(super) struct Listed {
    pub(super) name: String,
    /// Its relationship.
    id: String,
    pub(super) is_hidden: bool,
}

impl Listed {
    /// Returns the sheet's part.
    pub(super) fn part(&self, book: &mut Archive, workbook: &str) -> Result<String, ReadError> {
        related(book, workbook, |known, _| known == self.id)?.ok_or_else(damaged)
    }
}

/// Sheets of a workbook.
#[derive(Default)]
pub(super) struct Sheets {
    pub(super) all: Vec<Listed>,
    /// True if days are counted from 1904.
    pub(super) is_1904: bool,
    /// True if results of formulas are computed when it is opened: 0 may be none yet.
    pub(super) is_stale: bool,
}

impl Sheets {
    pub(super) fn read(input: Box<dyn Read + '_>) -> Result<Self, ReadError> {
        let mut sheets = Self::default();
        let is_true =
            |given: Option<Cow<'_, str>>| given.is_some_and(|it| it == "1" || it == "true");
        WorkbookPart::new(input).for_each(|start| match start.local_name().as_ref() {
            "sheet" if sheets.all.len() < MOST_SHEETS => {
                if let Some(id) = attribute(start, "id") {
                    let state = attribute(start, "state").unwrap_or_default();
                    sheets.all.push(Listed {
                        name: attribute(start, "name").unwrap_or_default().into_owned(),
                        id: id.into_owned(),
                        is_hidden: state.ends_with("idden"),
                    });
                }
            }
            "workbookPr" => sheets.is_1904 |= is_true(attribute(start, "date1904")),
            "calcPr" => sheets.is_stale |= is_true(attribute(start, "fullCalcOnLoad")),
            _ => {}
        })?;
        Ok(sheets)
    }
}

/// Addresses of the hyperlinks of a sheet, by row and column.
pub(super) type Links = HashMap<(u64, usize), Rc<str>>;

/// Reads the hyperlinks of a sheet, which follow its cells.
pub(super) fn links(book: &mut Archive, part: &str) -> Result<Links, ReadError> {
    let mut targets: HashMap<String, Rc<str>> = HashMap::new();
    let mut size = 0;
    relations(book, part, |id, kind, target| {
        size += id.len() + target.len();
        if kind.ends_with("/hyperlink") && target.contains("://") && size < MOST_LINKED {
            targets.insert(id.to_owned(), target.into());
        }
    })?;
    let mut links = Links::new();
    if targets.is_empty() {
        return Ok(links);
    }
    WorkbookPart::new(book.read(part)?).for_each(|start| {
        if start.local_name().as_ref() != "hyperlink" {
            return;
        }
        let target = attribute(start, "id").and_then(|id| targets.get(id.as_ref()));
        let places = attribute(start, "ref");
        if let (Some(target), Some(places)) = (target, places) {
            let (first, last) = places.split_once(':').unwrap_or((&places, &places));
            let rows = row_of(first)..=row_of(last);
            for row in rows.take(MOST_LINKS.saturating_sub(links.len())) {
                if let Some(column) = column_of(first) {
                    links.insert((row, column), Rc::clone(target));
                }
            }
        }
    })?;
    Ok(links)
}

/// Returns the position of the column that a place like `AB7` names.
pub(super) fn column_of(place: &str) -> Option<usize> {
    let letters = place.bytes().take_while(u8::is_ascii_alphabetic).take(4);
    let number = letters.fold(0, |sum, letter| {
        sum * 26 + usize::from(letter.to_ascii_uppercase() - b'A') + 1
    });
    number.checked_sub(1)
}

fn row_of(place: &str) -> u64 {
    let digits = place.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    digits.parse().unwrap_or_default()
}

/// Texts that cells share.
#[derive(Default)]
pub(super) struct SharedTexts {
    all: String,
    ends: Vec<usize>,
}

impl SharedTexts {
    pub(super) fn read(input: Box<dyn Read + '_>) -> Result<Self, ReadError> {
        let mut part = WorkbookPart::new(input);
        let mut texts = Self::default();
        loop {
            match part.next()? {
                Event::Start(start) if start.local_name().as_ref() == "si" => {}
                Event::Eof => return Ok(texts),
                _ => continue,
            }
            texts.all.push_str(&part.text("si")?);
            texts.ends.push(texts.all.len());
            if texts.all.len() + size_of_val(texts.ends.as_slice()) > MOST_TEXTS {
                return Err(ReadError::file(
                    "the texts of the sheet take more than 64 MB of memory: save it as CSV",
                ));
            }
        }
    }

    pub(super) fn get(&self, at: usize) -> Option<&str> {
        let start = at
            .checked_sub(1)
            .map_or(Some(&0), |before| self.ends.get(before))?;
        self.all.get(*start..*self.ends.get(at)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_strings_are_found_by_their_index() {
        let part = "<sst uniqueCount='9'><si><t>a</t></si><si/><si><r><t>b</t></r>\n<r><t>c &amp; d</t></r>\
                    <rPh><t>x</t></rPh></si></sst>";
        let texts = SharedTexts::read(Box::new(part.as_bytes())).unwrap();
        let all: Vec<_> = (0..4).map(|at| texts.get(at)).collect();
        assert_eq!(all, [Some("a"), Some(""), Some("bc & d"), None]);
    }
}
