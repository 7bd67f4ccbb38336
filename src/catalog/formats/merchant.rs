//! Google Merchant feeds, other RSS 2.0 and Atom feeds, and XML of any shape.

use std::cell::Cell;
use std::collections::HashMap;
use std::io::{BufReader, Read};
use std::rc::Rc;

use quick_xml::escape::resolve_html5_entity;
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Error, Reader, XmlVersion};

use super::delimited::{RowLimit, limited, own_message};
use super::error::ReadError;
use super::row::{Columns, Each, MAX_ROW, Note, Row, RowSource};
use crate::domain::truncate;

/// Maximum depth of elements.
pub(super) const MOST_DEEP: usize = 32;

/// A feed in XML.
pub(super) struct Feed {
    reader: Reader<BufReader<RowLimit<'static>>>,
    budget: Rc<Cell<u64>>,
    place: ProductPath,
}

impl Feed {
    pub(super) fn new(input: Box<dyn Read>, place: ProductPath) -> Self {
        let (input, budget) = limited(input);
        Self {
            reader: Reader::from_reader(input),
            budget,
            place,
        }
    }
}

/// Column of pictures, as in a Merchant feed.
const PICTURE: &str = "image_link";
/// Elements that are products in feeds.
const FEED: [&str; 2] = ["item", "entry"];
/// Other names that products have.
const KNOWN: [&str; 9] = [
    "product", "offer", "deal", "row", "record", "listing", "good", "article", "shopitem",
];

/// Place of the products: the last names of the elements from the outermost one to a product.
pub(super) struct ProductPath(Vec<String>);

impl ProductPath {
    /// Finds the products at a path, or from the beginning of a document: in a feed, in elements with
    /// a known name, or in those that are repeated.
    pub(super) fn detect(start: &str, path: Option<&str>) -> Self {
        if let Some(path) = path {
            let steps = path.split(['.', '/']).filter(|step| !step.is_empty());
            return Self(steps.map(str::to_owned).collect());
        }
        let places = elements(start);
        let feed = Self(Vec::new());
        if places.keys().any(|path| {
            path.last()
                .is_some_and(|name| FEED.contains(&name.as_str()))
        }) {
            return feed;
        }
        let places = places.into_iter().filter(|(_, (_, values))| *values > 1);
        let best = places.max_by_key(|(path, (count, _))| {
            let name = path
                .last()
                .map(|name| name.to_lowercase())
                .unwrap_or_default();
            (
                KNOWN.contains(&name.as_str()),
                *count > 1,
                std::cmp::Reverse(path.len()),
            )
        });
        best.map_or(feed, |(path, _)| Self(path))
    }

    /// True for the items or entries of a feed.
    pub(super) fn is_feed(&self) -> bool {
        self.0.is_empty()
    }

    fn is_product(&self, path: &[String]) -> bool {
        if self.is_feed() {
            return path
                .last()
                .is_some_and(|name| FEED.contains(&name.as_str()));
        }
        path.ends_with(&self.0)
    }
}

/// Returns the paths of elements, with their number and the number of values that one has.
fn elements(start: &str) -> HashMap<Vec<String>, (usize, usize)> {
    /// Maximum number of different paths.
    const MOST: usize = 1_000;
    let mut reader = Reader::from_str(start);
    let mut found: HashMap<Vec<String>, (usize, usize)> = HashMap::new();
    let mut path: Vec<String> = Vec::new();
    // Number of values of each open element, and whether it has elements itself.
    let mut values: Vec<(usize, bool)> = Vec::new();
    while let Ok(event) = reader.read_event() {
        match event {
            Event::Start(start) if path.len() < MOST_DEEP => {
                path.push(start.local_name().as_ref().to_owned());
                if let Some((_, is_parent)) = values.last_mut() {
                    *is_parent = true;
                }
                values.push((0, false));
            }
            Event::End(_) => {
                let Some((count, is_parent)) = values.pop() else {
                    break;
                };
                if let Some((values, _)) = values.last_mut() {
                    *values += usize::from(!is_parent);
                }
                if found.len() < MOST || found.contains_key(&path) {
                    let (number, most) = found.entry(path.clone()).or_default();
                    *number += 1;
                    *most = count.max(*most);
                }
                path.pop();
            }
            Event::Empty(_) | Event::Text(_) | Event::CData(_) | Event::GeneralRef(_) => {}
            Event::Comment(_) | Event::PI(_) | Event::Decl(_) | Event::DocType(_) => {}
            Event::Start(_) | Event::Eof => break,
        }
    }
    // A product that is cut off counts too.
    while let Some((count, _)) = values.pop() {
        let (number, most) = found.entry(path.clone()).or_default();
        *number += 1;
        *most = count.max(*most);
        path.pop();
    }
    found
}

/// Returns the address of the first picture in HTML.
fn source(html: &str) -> Option<&str> {
    let (_, image) = html.split_once("<img")?;
    let (_, rest) = image.split_once("src=")?;
    let quote = rest.chars().next().filter(|c| ['"', '\''].contains(c))?;
    let (address, _) = rest[1..].split_once(quote)?;
    let is_address = address.contains("://") || address.starts_with("//");
    is_address.then_some(address)
}

/// State within one product.
#[derive(Default)]
struct OpenProduct {
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
        let mut product: Option<OpenProduct> = None;
        let mut number = 0;
        // Names of the open elements around a product.
        let mut above: Vec<String> = Vec::new();
        let mut depth = 0;
        loop {
            buffer.clear();
            let event = self.reader.read_event_into(&mut buffer);
            let event = event.map_err(|error| failure(&error, number, product.is_some()))?;
            let (start, is_empty) = match event {
                Event::Start(start) => (start, false),
                Event::Empty(start) => (start, true),
                Event::Text(_) | Event::CData(_) | Event::GeneralRef(_) => {
                    if let Some(product) = &mut product {
                        product.add_text(&event)?;
                    }
                    continue;
                }
                Event::End(_) => {
                    depth -= 1;
                    let Some(mut open) = product.take() else {
                        above.pop();
                        continue;
                    };
                    if open.path.is_empty() {
                        above.pop();
                        self.budget.set(MAX_ROW);
                        open.find_picture(&mut columns)?;
                        each(&columns, open.row)?;
                    } else {
                        open.close(&mut columns)?;
                        product = Some(open);
                    }
                    continue;
                }
                Event::DocType(text) if text.contains('[') => {
                    return Err(ReadError::file(
                        "it has a DOCTYPE, whose entities are not read: remove it",
                    ));
                }
                Event::Eof if depth > 0 || number == 0 => {
                    return Err(ended(number, depth > 0, &self.place));
                }
                Event::Eof => return Ok(None),
                Event::Comment(_) | Event::PI(_) | Event::Decl(_) | Event::DocType(_) => continue,
            };
            if depth == MOST_DEEP {
                return Err(ReadError::file("its elements are nested too deeply"));
            }
            depth += usize::from(!is_empty);
            if let Some(product) = &mut product {
                product.open(&start, is_empty, &mut columns)?;
                continue;
            }
            above.push(start.local_name().as_ref().to_owned());
            if self.place.is_product(&above) && !is_empty {
                number += 1;
                let mut new = OpenProduct::default();
                new.row.number = number;
                new.attributes(&start, &mut columns)?;
                product = Some(new);
            } else if is_empty {
                above.pop();
            }
        }
    }
}

impl OpenProduct {
    fn add_text(&mut self, event: &Event<'_>) -> Result<(), ReadError> {
        match event {
            Event::Text(text) => self.text.push_str(&text.xml10_content()),
            Event::CData(text) => self.text.push_str(&text.xml10_content()),
            Event::GeneralRef(entity) => match entity.resolve_char_ref().ok().flatten() {
                Some(c) => self.text.push(c),
                None => self.text.push_str(named(entity)?),
            },
            _ => {}
        }
        Ok(())
    }

    fn open(
        &mut self,
        start: &BytesStart<'_>,
        is_empty: bool,
        columns: &mut Columns,
    ) -> Result<(), ReadError> {
        self.path.push(start.local_name().as_ref().to_owned());
        self.attributes(start, columns)?;
        if is_empty {
            self.path.pop();
        } else {
            self.text.clear();
            self.has_children = false;
        }
        Ok(())
    }

    /// Adds the attributes of the element at the path.
    fn attributes(
        &mut self,
        start: &BytesStart<'_>,
        columns: &mut Columns,
    ) -> Result<(), ReadError> {
        let mut attributes = start.attributes();
        // Each would be compared with all before it.
        let attributes = attributes.with_checks(false).flatten();
        let attributes = attributes.filter_map(|attribute| {
            let value = attribute.normalized_value(XmlVersion::Implicit1_0).ok()?;
            Some((attribute.key.as_ref().to_owned(), value.into_owned()))
        });
        let attributes: Vec<(String, String)> = attributes.collect();
        let value = |name: &str| {
            let mut known = attributes.iter();
            let found = known.find(|(known, _)| known == name);
            found.map(|(_, value)| value.as_str())
        };
        let name = self.path.last().map_or("", String::as_str);
        // Atom has the address in an attribute; other relations are not the product's page.
        if name == "link" {
            if let Some(link) =
                value("href").filter(|_| value("rel").is_none_or(|it| it == "alternate"))
            {
                self.row.push(columns.position("link")?, link);
            }
            return Ok(());
        }
        if ["content", "enclosure", "thumbnail"].contains(&name) {
            let kinds = [value("medium"), value("type")];
            let is_other = kinds
                .into_iter()
                .flatten()
                .any(|kind| !kind.starts_with("image"));
            if let Some(address) = value("url").filter(|_| !is_other) {
                self.row.push(columns.position(PICTURE)?, address);
            }
            return Ok(());
        }
        for (name, value) in &attributes {
            let is_markup =
                name.contains(':') || ["xmlns", "type", "isPermaLink"].contains(&name.as_str());
            if !is_markup {
                let length = self.path.len();
                self.path.push(name.clone());
                let column = columns.position(&self.path.join("."))?;
                self.path.truncate(length);
                self.row.push(column, value);
            }
        }
        Ok(())
    }

    /// Adds the first picture of a text, if no column may have one.
    fn find_picture(&mut self, columns: &mut Columns) -> Result<(), ReadError> {
        let is_picture = |name: &str| {
            let name = name.to_ascii_lowercase();
            ["image", "img", "picture", "photo", "thumbnail"]
                .iter()
                .any(|it| name.contains(it))
        };
        if self
            .row
            .cells
            .iter()
            .any(|(column, _)| is_picture(&columns.names()[*column]))
        {
            return Ok(());
        }
        let texts = self
            .row
            .cells
            .iter()
            .filter_map(|(_, value)| value.as_str());
        let found = texts.filter_map(source).next().map(str::to_owned);
        if let Some(address) = found {
            self.row.push(columns.position(PICTURE)?, &address);
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

pub(super) fn named(entity: &str) -> Result<&'static str, ReadError> {
    resolve_html5_entity(entity).ok_or_else(|| {
        let known: String = entity.chars().take(40).collect();
        ReadError::file(format!(
            "it uses the entity &{known};, which XML does not know: write the letter itself"
        ))
    })
}

fn ended(number: u64, is_open: bool, place: &ProductPath) -> ReadError {
    ReadError::file(match number {
        _ if is_open => {
            format!("it ends in the middle, after {number} products: it is cut off, fetch it again")
        }
        _ if !place.0.is_empty() => format!(
            "it has no products at {}: say where with --path, like --path products.product",
            truncate(&place.0.join("."), 80)
        ),
        _ => "it is XML without products: a feed has them as <item> or <entry>, and for other XML \
              --path says where, like --path products.product"
            .to_owned(),
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
