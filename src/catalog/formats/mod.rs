//! Reads files of products: recognizes the format and yields rows of named values.

mod archive;
mod clean;
pub(super) mod deals;
mod delimited;
mod encoding;
mod error;
mod excel;
mod json;
mod merchant;
mod packed;
mod row;
mod shape;
mod shopify;
mod woocommerce;
mod wrapper;

use std::cell::Cell;
use std::io::{BufRead, Cursor, Read};
use std::path::Path;
use std::rc::Rc;

pub(super) use self::archive::Archive;
use clean::Clean;
use delimited::{Delimited, limited};
use encoding::Utf8;
use json::JsonDocument;
use packed::UnpackedFile;
use shape::Shape;

pub use self::error::ReadError;
pub use self::packed::Input;
pub(super) use self::packed::opened_archive;
pub(super) use self::row::MAX_CELL;
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

impl Format {
    /// Returns how screens name the format: in a sentence, and in the list of what can be imported.
    pub fn labels(self) -> (&'static str, Option<&'static str>) {
        match self {
            Self::Deals => ("a list of deals", None),
            Self::Csv => ("a table (CSV)", Some("CSV")),
            Self::Xlsx => ("an Excel sheet", Some("Excel")),
            Self::Merchant => (
                "a Google Merchant or RSS feed",
                Some("Google Merchant or RSS feed"),
            ),
            Self::Shopify => ("an export of Shopify", Some("Shopify")),
            Self::WooCommerce => ("an export of WooCommerce", Some("WooCommerce")),
            Self::Json => ("JSON", Some("JSON")),
        }
    }

    /// Returns the names of all formats with commas.
    pub fn all_names() -> String {
        Self::ALL.map(Self::as_str).join(", ")
    }
}

/// Products of a file.
pub enum FileBody {
    /// In the program's own JSON, with the budget of its reader; in an object's `products` if true.
    Own(Box<dyn BufRead>, Rc<Cell<u64>>, bool),
    /// As rows.
    Rows(Box<dyn RowSource>),
}

/// A file whose format is known.
pub struct Opened {
    /// The format, whose mapping fits.
    pub format: Format,
    /// The products.
    pub body: FileBody,
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
    let mut opened = recognized(input, format, path, is_mapped, folder)?;
    if let FileBody::Rows(rows) = opened.body {
        // The program's own tables have texts as they are.
        opened.body = FileBody::Rows(match opened.format {
            Format::Deals => rows,
            _ => Box::new(Clean(rows)),
        });
    }
    Ok(opened)
}

fn recognized(
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
        UnpackedFile::Sheet(book) => return open_sheet(book, format, is_mapped),
        UnpackedFile::Text(text) => text,
    };
    if format == Some(Format::Xlsx) {
        return Err(ReadError::file(
            "it is not an Excel sheet (.xlsx): choose another format, or auto",
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
    let start = String::from_utf8_lossy(&start);
    if start.trim_start().starts_with('<') {
        return open_xml(input, &start, format, path);
    }
    if matches!(format, Some(Format::Json)) || path.is_some() {
        return Err(ReadError::file(
            "it is not JSON: choose another format, or auto",
        ));
    }
    if start.starts_with(['"', '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9'])
        && Delimited::open(Box::new(Cursor::new(start.as_bytes().to_vec())), &start).is_err()
    {
        // Like another JSON value: an invalid row.
        return open_json(input, start.as_bytes(), json_format, path);
    }
    let table = Delimited::open(input, &start)?;
    of_table(
        format.unwrap_or(Format::Csv),
        format.is_some(),
        is_mapped,
        table.columns().clone(),
        Box::new(table),
    )
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
        (Some(Format::Deals), _) | (None, None) => Shape::detect(start),
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
            body: FileBody::Rows(Box::new(JsonDocument::new(
                Box::new(after_mark(input)?),
                shape,
            ))),
        },
    })
}

fn own(input: impl Read + 'static, is_wrapped: bool) -> Opened {
    let (input, budget) = limited(Box::new(input));
    Opened {
        format: Format::Deals,
        body: FileBody::Own(Box::new(input), budget, is_wrapped),
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
    path: Option<&str>,
) -> Result<Opened, ReadError> {
    let lower = start.to_ascii_lowercase();
    let is_page = lower.contains("<html") || lower.contains("<!doctype html");
    let is_table = lower.contains("<table") && lower.contains("<td");
    if is_table && (is_page || lower.trim_start().starts_with("<table")) {
        return Err(ReadError::file(
            "it is a table in HTML, whatever its name ends in: open it in a spreadsheet program, \
             and save it as .xlsx",
        ));
    }
    if is_page {
        return Err(ReadError::file(
            "it is a web page: perhaps an error or a sign-in instead of the file. Fetch it again",
        ));
    }
    if lower.contains("urn:schemas-microsoft-com:office:spreadsheet") {
        return Err(ReadError::file(
            "it is a spreadsheet in XML (Excel 2003): open it in a spreadsheet program, and save \
             it as .xlsx",
        ));
    }
    if format.is_some_and(|format| format != Format::Merchant) {
        return Err(ReadError::file(
            "it is XML: choose the format merchant or auto",
        ));
    }
    let place = merchant::ProductPath::detect(start, path);
    // XML of another shape has the columns of any table.
    let is_merchant = place.is_feed() || format.is_some();
    let format = match is_merchant {
        true => Format::Merchant,
        false => Format::Csv,
    };
    Ok(Opened {
        format,
        body: FileBody::Rows(Box::new(merchant::Feed::new(input, place))),
    })
}

fn open_sheet(book: Archive, format: Option<Format>, is_mapped: bool) -> Result<Opened, ReadError> {
    if matches!(format, Some(Format::Csv | Format::Json)) {
        return Err(ReadError::file(
            "it is an Excel sheet: choose the format xlsx or auto",
        ));
    }
    let sheet = excel::open(book)?;
    let is_given = format.is_some_and(|format| format != Format::Xlsx);
    of_table(
        format.unwrap_or(Format::Xlsx),
        is_given,
        is_mapped,
        sheet.columns().clone(),
        Box::new(sheet),
    )
}

/// Recognizes a table by its header, unless its format is given.
#[expect(
    clippy::needless_pass_by_value,
    reason = "the reader is boxed with them"
)]
fn of_table(
    format: Format,
    is_given: bool,
    is_mapped: bool,
    columns: Columns,
    table: Box<dyn RowSource>,
) -> Result<Opened, ReadError> {
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
    if format == Format::Shopify && !is_mapped && !shopify::has_links(&columns) {
        return Err(ReadError::file(
            "it is an export of Shopify, which has no links: add a column url with the address of \
             each product at the shop, like https://shop.example/products/its-handle, or use a \
             mapping in which affiliateLink has the column Handle and the shop's address as prefix",
        ));
    }
    let body: Box<dyn RowSource> = match format {
        Format::Shopify => Box::new(shopify::JoinedRows(table)),
        Format::WooCommerce => Box::new(woocommerce::JoinedVariations(table)),
        _ => table,
    };
    Ok(Opened {
        format,
        body: FileBody::Rows(body),
    })
}
