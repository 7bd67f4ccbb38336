//! Writing the catalogue: what `import` reads, or a table for a spreadsheet.

use std::io::{self, Write};

use serde::Serialize;

use crate::domain::{Discount, Paise, Product, rfc3339};
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

/// A product as `import` reads it, complete.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Row<'a> {
    #[serde(rename = "_id")]
    id: &'a str,
    title: &'a str,
    description: &'a str,
    price: Paise,
    discount: Discount,
    category: &'a str,
    source: &'a str,
    affiliate_link: &'a str,
    images: &'a [String],
    average_rating: f64,
    total_ratings: i64,
    clicks: i64,
    created_at: String,
    updated_at: String,
}

impl<'a> From<&'a Product> for Row<'a> {
    fn from(product: &'a Product) -> Self {
        let details = &product.details;
        Self {
            id: &product.id,
            title: &details.title,
            description: &details.description,
            price: details.price,
            discount: details.discount,
            category: details.category.as_str(),
            source: &details.source,
            affiliate_link: &details.affiliate_link,
            images: &details.images,
            average_rating: details.average_rating,
            total_ratings: details.total_ratings,
            clicks: product.clicks,
            created_at: rfc3339(product.created_at),
            updated_at: rfc3339(product.updated_at),
        }
    }
}

/// Writes every product, oldest first, as of one moment; tells how many there are.
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
        serde_json::to_writer(&mut *output, &Row::from(product)).map_err(io::Error::from)?;
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
    table.write_record(COLUMNS).map_err(io::Error::other)?;
    let mut written = 0;
    store.for_each_product(|product| -> Result<(), ExportError> {
        let cells = cells(&Row::from(product)).map_err(io::Error::from)?;
        table
            .write_record(cells.iter().map(|cell| neutral(cell)))
            .map_err(io::Error::other)?;
        written += 1;
        Ok(())
    })?;
    table.flush()?;
    Ok(written)
}

const COLUMNS: [&str; 14] = [
    "_id",
    "title",
    "description",
    "price",
    "discount",
    "category",
    "source",
    "affiliateLink",
    "images",
    "averageRating",
    "totalRatings",
    "clicks",
    "createdAt",
    "updatedAt",
];

fn cells(row: &Row<'_>) -> serde_json::Result<[String; 14]> {
    Ok([
        row.id.to_owned(),
        row.title.to_owned(),
        row.description.to_owned(),
        serde_json::to_string(&row.price)?,
        serde_json::to_string(&row.discount)?,
        row.category.to_owned(),
        row.source.to_owned(),
        row.affiliate_link.to_owned(),
        row.images.join(" "),
        row.average_rating.to_string(),
        row.total_ratings.to_string(),
        row.clicks.to_string(),
        row.created_at.clone(),
        row.updated_at.clone(),
    ])
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
