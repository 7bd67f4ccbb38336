//! Export of the catalogue, for `import` or a spreadsheet.

use std::collections::HashSet;
use std::io::{self, Write};

use jiff::Timestamp;
use serde::{Serialize, Serializer};
use serde_json::Value;
use url::Url;
use utoipa::ToSchema;

use super::json::write_json;
use super::mapping::is_marked;
use super::shop_archive::{CATEGORIES, MOST_MAPPINGS, PRODUCTS, SHOP, file_name};
use super::zip::ZipWriter;
use crate::domain::{
    ArchivedCategory, ArchivedShop, Categories, NewProduct, PageViews, PictureName, Product,
    ReportRow, rfc3339, with_shop,
};
use crate::store::{Store, StoreError};

/// File format of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ToSchema)]
#[schema(rename_all = "lowercase")]
pub enum ExportFormat {
    /// A JSON array, one product per line.
    Json,
    /// One product per line (NDJSON).
    Ndjson,
    /// Comma-separated values with a header line (RFC 4180).
    Csv,
    /// A zip archive with the products as JSON, the categories and the shop's own pictures.
    Zip,
}

/// Error that stopped an export.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// Database error.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Output error.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Byte order mark, without which Excel does not read UTF-8.
pub(super) const MARK: &str = "\u{feff}";

/// Columns before and after the product's own fields.
const BEFORE: [&str; 1] = ["_id"];
const AFTER: [&str; 4] = ["clicks", "createdAt", "publishedAt", "updatedAt"];

/// Returns the columns of a product, complete and in order. A final price that follows from the
/// discount is null, so that either can be edited alone.
fn row(product: &Product) -> impl Iterator<Item = (&'static str, Value)> {
    let id = BEFORE.into_iter().zip([product.id.as_str().into()]);
    let after = AFTER.into_iter().zip([
        product.clicks.into(),
        rfc3339(product.created_at).into(),
        product.published_later().map(rfc3339).into(),
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
    id.chain(details).chain(after)
}

/// Serializes a row with its names in order.
struct ExportRow<'a>(&'a Product);

impl Serialize for ExportRow<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(row(self.0).filter(|(_, value)| !value.is_null()))
    }
}

/// Exports every product, oldest first, from one snapshot; returns their number. Paths of own pictures become
/// addresses of the `shop`, if it is known.
///
/// # Errors
///
/// [`ExportError`] if the database or the output fails.
pub fn export(
    store: &Store,
    format: ExportFormat,
    shop: Option<&Url>,
    output: &mut dyn Write,
) -> Result<u64, ExportError> {
    let mut shop = |product: &mut Product| {
        if let Some(shop) = shop {
            with_shop(&mut product.details.images, shop);
        }
    };
    let written = match format {
        ExportFormat::Csv => write_csv(store, &mut shop, output)?,
        ExportFormat::Ndjson => write_lines(store, &mut shop, output, ["", "\n", "\n", ""])?.0,
        ExportFormat::Json => write_lines(store, &mut shop, output, ARRAY)?.0,
        ExportFormat::Zip => write_archive(store, output)?,
    };
    output.flush()?;
    Ok(written)
}

/// Text before, between and after the products, and without any.
const ARRAY: [&str; 4] = ["[\n", ",\n", "\n]\n", "[]\n"];

/// Changes the addresses of pictures.
type Addresses<'a> = &'a mut dyn FnMut(&mut Product);

/// Writes one product per line with the given separators, or `none` if there is no product; returns their number
/// and their categories.
fn write_lines(
    store: &Store,
    addresses: Addresses<'_>,
    output: &mut dyn Write,
    [before, between, after, none]: [&str; 4],
) -> Result<(u64, Categories), ExportError> {
    let mut written = 0;
    let categories = store.for_each_product::<ExportError>(|product| {
        addresses(product);
        output.write_all(if written == 0 { before } else { between }.as_bytes())?;
        write_json(output, &ExportRow(product))?;
        written += 1;
        Ok(())
    })?;
    output.write_all(if written == 0 { none } else { after }.as_bytes())?;
    Ok((written, categories))
}

/// Writes products, their categories, what the shop shows besides, and all its pictures, to which paths lead wherever it is.
fn write_archive(store: &Store, output: &mut dyn Write) -> Result<u64, ExportError> {
    let names: HashSet<String> = store
        .picture_names()?
        .into_iter()
        .map(|name| name.hash)
        .collect();
    let mut to_paths = |product: &mut Product| {
        for image in &mut product.details.images {
            if let Some(name) = PictureName::in_address(image)
                && names.contains(&name.hash)
            {
                *image = name.path();
            }
        }
    };
    let mut zip = ZipWriter::new(output);
    let (written, categories) = zip.add(PRODUCTS, false, |file| {
        write_lines(store, &mut to_paths, file, ARRAY)
    })?;
    let categories = ArchivedCategory::all_of(&categories);
    zip.add(CATEGORIES, false, |file| {
        serde_json::to_writer_pretty(file, &categories).map_err(io::Error::from)
    })?;
    let (_, offers) = store.seller_offers(None)?;
    let (collections, settings) = (store.collections()?, store.settings()?);
    let mut shop = ArchivedShop::new(&collections, &offers, &settings, Timestamp::now());
    let mut room = MOST_MAPPINGS;
    for name in store.mapping_names()? {
        let mapping = store.mapping(&name)?.unwrap_or_default();
        if let Some(rest) = room.checked_sub(mapping.len())
            && let Ok(mapping) = serde_json::from_str(&mapping)
        {
            room = rest;
            shop.mappings.insert(name, mapping);
        }
    }
    zip.add(SHOP, false, |file| {
        serde_json::to_writer_pretty(file, &shop).map_err(io::Error::from)
    })?;
    store.for_each_picture::<ExportError>(|picture| {
        for (side, webp) in &picture.files {
            let name = file_name(&picture.name, *side);
            zip.add(&name, true, |file| file.write_all(webp))?;
        }
        Ok(())
    })?;
    zip.finish()?;
    Ok(written)
}

fn write_csv(
    store: &Store,
    addresses: Addresses<'_>,
    output: &mut dyn Write,
) -> Result<u64, ExportError> {
    output.write_all(MARK.as_bytes())?;
    let mut table = csv::WriterBuilder::new()
        .terminator(csv::Terminator::CRLF)
        .from_writer(output);
    let names = BEFORE
        .into_iter()
        .chain(NewProduct::field_names())
        .chain(AFTER);
    table.write_record(names).map_err(csv_error)?;
    let mut written = 0;
    store.for_each_product::<ExportError>(|product| {
        addresses(product);
        table
            .write_record(row(product).map(|(name, value)| match name {
                "tags" => plain_cell(&cell(&value, ", ")),
                _ => plain_cell(&cell(&value, " ")),
            }))
            .map_err(csv_error)?;
        written += 1;
        Ok(())
    })?;
    table.flush()?;
    Ok(written)
}

/// Returns the output error, so that a closed pipe is recognized.
fn csv_error(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

/// Formats a report as CSV.
///
/// # Errors
///
/// Formatting errors, as a sentence.
pub fn report_csv(rows: &[ReportRow]) -> Result<String, String> {
    let mut table = csv::Writer::from_writer(MARK.as_bytes().to_vec());
    let with_page_views = rows.iter().any(|row| row.page_views.is_some());
    let columns = ["key", "label", "counted", "leftOut", "views", "rate"];
    let width = if with_page_views { columns.len() } else { 4 };
    let written = table
        .write_record(columns.iter().take(width))
        .and_then(|()| {
            rows.iter().try_for_each(|row| {
                let views = row.page_views.map(|views| views.seen.to_string());
                let rate = row.page_views.and_then(PageViews::rate);
                let cells = [
                    plain_cell(&row.key),
                    plain_cell(&row.label),
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

/// Formats rows of texts, the first of which is the header, as CSV.
///
/// # Errors
///
/// Formatting errors, as a sentence.
pub fn texts_csv<const N: usize>(rows: &[[String; N]]) -> Result<String, String> {
    let mut table = csv::Writer::from_writer(MARK.as_bytes().to_vec());
    for row in rows {
        let cells = row.iter().map(|cell| plain_cell(cell));
        table
            .write_record(cells)
            .map_err(|error| error.to_string())?;
    }
    let bytes = table.into_inner().map_err(|error| error.to_string())?;
    String::from_utf8(bytes).map_err(|error| error.to_string())
}

fn cell(value: &Value, separator: &str) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Number(number) if number.is_f64() => number.as_f64().unwrap_or_default().to_string(),
        Value::Array(items) => {
            let items = items.iter().map(|item| cell(item, separator));
            items.collect::<Vec<_>>().join(separator)
        }
        other => other.to_string(),
    }
}

/// Makes a cell that a spreadsheet shows as it is: prefixes an apostrophe to what it may take for a
/// formula, possibly after invisible characters (OWASP ASVS 1.2.10; OWASP's page on CSV injection
/// for the full-width forms). Import removes it. All else is exact, marks of direction too.
pub(super) fn plain_cell(cell: &str) -> String {
    let apostrophe = if is_marked(cell) { "'" } else { "" };
    format!("{apostrophe}{cell}")
}
