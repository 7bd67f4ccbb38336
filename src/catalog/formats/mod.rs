//! Reads files of products: recognizes the format and yields rows of named values.

pub(super) mod deals;
mod delimited;
mod encoding;
mod error;
mod json;
mod merchant;
mod packed;
mod row;
mod shape;
mod shopify;
mod wrapper;
mod xlsx;

use std::io::{BufRead, BufReader, Cursor, Read};
use std::path::Path;

use delimited::Delimited;
use encoding::Utf8;
use json::Document;
use packed::Content;
use shape::Shape;

pub use self::error::ReadError;
pub use self::packed::Input;
pub use self::row::{Columns, Note, Row, RowSource};
use crate::domain::named;

/// Bytes in which the format is recognized.
const START: u64 = 64 * 1_024;

named! {
    /// Format of a file of products.
    Format {
        /// The program's own JSON or CSV.
        Deals = "deals";
        /// A table as text.
        Csv = "csv";
        /// A sheet of Excel.
        Xlsx = "xlsx";
        /// A feed for Google Merchant Center, or another RSS or Atom feed.
        Merchant = "merchant";
        /// Shopify's export of products.
        Shopify = "shopify";
        /// WooCommerce's export of products.
        WooCommerce = "woocommerce";
        /// JSON of any shape.
        Json = "json";
    }
}

/// Products of a file.
pub enum Body {
    /// In the program's own JSON, in an object's `products` if true.
    Own(Box<dyn BufRead>, bool),
    /// As rows.
    Rows(Box<dyn RowSource>),
}

/// A file whose format is known.
pub struct Opened {
    /// The format, whose mapping fits.
    pub format: Format,
    /// The products.
    pub body: Body,
}

/// Opens a file in `format`, or the one that is recognized. `path` leads to the list in JSON, which
/// is not read as the program's own if `is_mapped`. `folder` takes temporary files.
///
/// # Errors
///
/// [`ReadError`] if it is in no known format, or not in the given one.
pub fn open(
    input: Input,
    format: Option<Format>,
    path: Option<&str>,
    is_mapped: bool,
    folder: &Path,
) -> Result<Opened, ReadError> {
    let json_format = if is_mapped {
        format.or(Some(Format::Json))
    } else {
        format
    };
    let mut raw = match packed::unpack(input, folder)? {
        Content::Sheet(file) => return open_sheet(file, format),
        Content::Text(text) => text,
    };
    if format == Some(Format::Xlsx) {
        return Err(ReadError::file(
            "it is no Excel sheet (.xlsx): choose another format, or auto",
        ));
    }
    let start = peek(&mut raw)?;
    check_start(&start)?;
    let input = Cursor::new(start.clone()).chain(raw);
    let is_json = |text: &[u8]| {
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        let first = text.trim_ascii_start().first();
        first.is_none_or(|first| b"[{".contains(first))
    };
    if is_json(&start) && start.get(1) != Some(&0) {
        return open_json(Box::new(input), &start, json_format, path);
    }
    let mut text = Utf8::new(input, &start);
    let start = peek(&mut text)?;
    let input = Box::new(Cursor::new(start.clone()).chain(text));
    if is_json(&start) {
        return open_json(input, &start, json_format, path);
    }
    if matches!(format, Some(Format::Json)) || path.is_some() {
        return Err(ReadError::file(
            "it is no JSON: choose another format, or auto",
        ));
    }
    let start = String::from_utf8_lossy(&start);
    if start.trim_start().starts_with('<') {
        return open_xml(input, &start, format);
    }
    if start.starts_with(['"', '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9'])
        && Delimited::open(Box::new(Cursor::new(start.as_bytes().to_vec())), &start).is_err()
    {
        // Like another JSON value: an invalid row.
        return open_json(input, start.as_bytes(), json_format, path);
    }
    let table = Delimited::open(input, &start)?;
    Ok(of_table(
        format.unwrap_or(Format::Csv),
        format.is_some(),
        table.columns().clone(),
        Box::new(table),
    ))
}

fn peek(input: &mut dyn Read) -> Result<Vec<u8>, ReadError> {
    let mut start = Vec::new();
    let read = input.take(START).read_to_end(&mut start);
    read.map_err(ReadError::io)?;
    Ok(start)
}

/// Refuses files that cannot be text, with the way out.
fn check_start(start: &[u8]) -> Result<(), ReadError> {
    let known: [(&[u8], &str); 4] = [
        (
            b"\xd0\xcf\x11\xe0",
            "it is an old Excel file (.xls), or has a password: save it as .xlsx without one",
        ),
        (b"%PDF", "it is a PDF: export the products as CSV or XLSX"),
        (b"PK\x03\x04", "it is packed twice: unpack it first"),
        (b"\x1f\x8b", "it is packed twice: unpack it first"),
    ];
    match known.iter().find(|(magic, _)| start.starts_with(magic)) {
        Some((_, message)) => Err(ReadError::file(*message)),
        None => Ok(()),
    }
}

fn open_json(
    input: impl Read + 'static,
    start: &[u8],
    format: Option<Format>,
    path: Option<&str>,
) -> Result<Opened, ReadError> {
    let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start);
    let shape = match (format, path) {
        (Some(Format::Deals), _) | (None, None) => Shape::of(start),
        (None | Some(Format::Json), Some(path)) => {
            let steps = path.split('.').filter(|step| !step.is_empty());
            Shape::List(steps.map(str::to_owned).collect())
        }
        (Some(Format::Json), None) => Shape::foreign(start),
        (Some(_), _) => {
            return Err(ReadError::file(
                "it is JSON: choose the format json or auto",
            ));
        }
    };
    let is_own = format == Some(Format::Deals);
    Ok(match shape {
        Shape::Own(is_wrapped) => own(input, is_wrapped),
        _ if is_own => own(input, false),
        shape => Opened {
            format: Format::Json,
            body: Body::Rows(Box::new(Document::new(Box::new(after_mark(input)?), shape))),
        },
    })
}

fn own(input: impl Read + 'static, is_wrapped: bool) -> Opened {
    Opened {
        format: Format::Deals,
        body: Body::Own(
            Box::new(BufReader::with_capacity(1 << 16, input)),
            is_wrapped,
        ),
    }
}

/// Skips a byte order mark.
fn after_mark(mut input: impl Read + 'static) -> Result<impl Read + 'static, ReadError> {
    let mut mark = Vec::new();
    let read = input.by_ref().take(3).read_to_end(&mut mark);
    read.map_err(ReadError::io)?;
    if mark == b"\xef\xbb\xbf" {
        mark.clear();
    }
    Ok(Cursor::new(mark).chain(input))
}

fn open_xml(
    input: Box<dyn Read>,
    start: &str,
    format: Option<Format>,
) -> Result<Opened, ReadError> {
    let lower = start.to_ascii_lowercase();
    if lower.contains("<html") || lower.contains("<!doctype html") {
        return Err(ReadError::file(
            "it is a web page: perhaps an error or a sign-in instead of the file. Fetch it again",
        ));
    }
    if format.is_some_and(|format| format != Format::Merchant) {
        return Err(ReadError::file(
            "it is XML: choose the format merchant or auto",
        ));
    }
    Ok(Opened {
        format: Format::Merchant,
        body: Body::Rows(Box::new(merchant::Feed::new(input))),
    })
}

fn open_sheet(
    file: Box<dyn packed::ReadSeek>,
    format: Option<Format>,
) -> Result<Opened, ReadError> {
    if matches!(format, Some(Format::Csv | Format::Json)) {
        return Err(ReadError::file(
            "it is an Excel sheet: choose the format xlsx or auto",
        ));
    }
    let sheet = xlsx::Sheet::open(file)?;
    let is_given = format.is_some_and(|format| format != Format::Xlsx);
    Ok(of_table(
        format.unwrap_or(Format::Xlsx),
        is_given,
        sheet.columns().clone(),
        Box::new(sheet),
    ))
}

/// Recognizes a table by its header, unless its format is given.
#[expect(
    clippy::needless_pass_by_value,
    reason = "the reader is boxed with them"
)]
fn of_table(format: Format, is_given: bool, columns: Columns, table: Box<dyn RowSource>) -> Opened {
    let has = |name: &str| columns.names().iter().any(|column| column == name);
    let format = match format {
        given if is_given => given,
        _ if has("affiliateLink") && has("totalRatings") => Format::Deals,
        _ if has("Handle") && has("Variant Price") => Format::Shopify,
        _ if has("URL handle") && has("Compare-at price") => Format::Shopify,
        _ if has("Regular price") && has("External URL") => Format::WooCommerce,
        _ if has("image_link") && has("availability") => Format::Merchant,
        _ if has("image link") && has("availability") => Format::Merchant,
        table => table,
    };
    let body: Box<dyn RowSource> = if format == Format::Shopify {
        Box::new(shopify::Joined(table))
    } else {
        table
    };
    Opened {
        format,
        body: Body::Rows(body),
    }
}
