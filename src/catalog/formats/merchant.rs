//! Google Merchant feeds, and other RSS 2.0 and Atom feeds of products.

use std::cell::Cell;
use std::io::{BufReader, Read};
use std::rc::Rc;

use quick_xml::escape::resolve_html5_entity;
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Error, Reader, XmlVersion};

use super::delimited::{RowLimit, limited, own_message};
use super::error::ReadError;
use super::row::{Columns, Each, MAX_ROW, Note, Row, RowSource};

/// Maximum depth of elements.
const MOST_DEEP: usize = 32;

/// A feed in XML.
pub(super) struct Feed {
    reader: Reader<BufReader<RowLimit>>,
    budget: Rc<Cell<u64>>,
}

impl Feed {
    pub(super) fn new(input: Box<dyn Read>) -> Self {
        let (input, budget) = limited(input);
        Self {
            reader: Reader::from_reader(input),
            budget,
        }
    }
}

/// State within one product.
#[derive(Default)]
struct Product {
    row: Row,
    /// Names of the open elements below the product.
    path: Vec<String>,
    text: String,
    /// True if the innermost element has children.
    has_children: bool,
}

impl RowSource for Feed {
    fn read(mut self: Box<Self>, each: Each<'_>) -> Result<Note, ReadError> {
        let mut columns = Columns::default();
        let mut buffer = Vec::new();
        let mut product: Option<Product> = None;
        let mut number = 0;
        let mut depth = 0;
        loop {
            buffer.clear();
            let event = self.reader.read_event_into(&mut buffer);
            let event = event.map_err(|error| failure(&error, number, product.is_some()))?;
            let (start, is_empty) = match event {
                Event::Start(start) => (start, false),
                Event::Empty(start) => (start, true),
                Event::Text(text) => {
                    if let Some(product) = &mut product {
                        product.text.push_str(&text.xml10_content());
                    }
                    continue;
                }
                Event::CData(text) => {
                    if let Some(product) = &mut product {
                        product.text.push_str(&text.xml10_content());
                    }
                    continue;
                }
                Event::GeneralRef(entity) => {
                    if let Some(product) = &mut product {
                        match entity.resolve_char_ref().ok().flatten() {
                            Some(c) => product.text.push(c),
                            None => product.text.push_str(named(&entity)?),
                        }
                    }
                    continue;
                }
                Event::End(_) => {
                    depth -= 1;
                    let Some(mut open) = product.take() else {
                        continue;
                    };
                    if open.path.is_empty() {
                        self.budget.set(MAX_ROW);
                        each(&columns, open.row)?;
                    } else {
                        open.close(&mut columns)?;
                        product = Some(open);
                    }
                    continue;
                }
                Event::DocType(_) => {
                    return Err(ReadError::file(
                        "it has a DOCTYPE, whose entities are not read: remove it",
                    ));
                }
                Event::Eof if depth > 0 || number == 0 => {
                    return Err(ended(number, depth > 0));
                }
                Event::Eof => return Ok(None),
                Event::Comment(_) | Event::PI(_) | Event::Decl(_) => continue,
            };
            if depth == MOST_DEEP {
                return Err(ReadError::file("its elements are nested too deeply"));
            }
            depth += usize::from(!is_empty);
            let name = start.local_name();
            match &mut product {
                None if ["item", "entry"].contains(&name.as_ref()) && !is_empty => {
                    number += 1;
                    product = Some(Product {
                        row: Row {
                            number,
                            ..Row::default()
                        },
                        ..Product::default()
                    });
                }
                None => {}
                Some(product) => product.open(&start, is_empty, &mut columns)?,
            }
        }
    }
}

impl Product {
    fn open(
        &mut self,
        start: &BytesStart<'_>,
        is_empty: bool,
        columns: &mut Columns,
    ) -> Result<(), ReadError> {
        let name = start.local_name();
        // Atom has the address in an attribute; other relations are not the product's page.
        let mut link = None;
        let mut is_page = true;
        for attribute in start.attributes().flatten() {
            let value = attribute.normalized_value(XmlVersion::Implicit1_0);
            let value = value.unwrap_or_default().into_owned();
            match attribute.key.as_ref() {
                "href" => link = Some(value),
                "rel" => is_page = value == "alternate",
                _ => {}
            }
        }
        if let Some(link) = link.filter(|_| is_page && name.as_ref() == "link") {
            self.row.push(columns.position("link")?, &link);
        }
        if !is_empty {
            self.path.push(name.as_ref().to_owned());
            self.text.clear();
            self.has_children = false;
        }
        Ok(())
    }

    fn close(&mut self, columns: &mut Columns) -> Result<(), ReadError> {
        if !self.has_children && !self.text.trim().is_empty() {
            let column = columns.position(&self.path.join("."))?;
            self.row.push(column, &self.text);
        }
        self.path.pop();
        self.text.clear();
        self.has_children = true;
        Ok(())
    }
}

fn named(entity: &str) -> Result<&'static str, ReadError> {
    resolve_html5_entity(entity).ok_or_else(|| {
        let known: String = entity.chars().take(40).collect();
        ReadError::file(format!(
            "it uses the entity &{known};, which XML does not know: write the letter itself"
        ))
    })
}

fn ended(number: u64, is_open: bool) -> ReadError {
    ReadError::file(match number {
        _ if is_open => {
            format!("it ends in the middle, after {number} products: it is cut off, fetch it again")
        }
        _ => "it is XML without products: a feed has them as <item> or <entry>".to_owned(),
    })
}

fn failure(error: &Error, number: u64, is_inside: bool) -> ReadError {
    if let Error::Io(error) = error {
        return own_message(error).unwrap_or_else(|| {
            ReadError::Io(std::io::Error::new(error.kind(), error.to_string()))
        });
    }
    let place = match number {
        0 => "before the first product".to_owned(),
        number if is_inside => format!("in product {number}"),
        number => format!("after product {number}"),
    };
    ReadError::file(format!(
        "its XML is wrong {place} ({error}): it may be cut off, fetch it again"
    ))
}
