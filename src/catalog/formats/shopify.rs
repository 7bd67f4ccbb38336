//! Shopify's export: further rows of a product have more pictures and variants, of which the first
//! with a price counts.

use super::error::ReadError;
use super::row::{Columns, Each, MAX_ROW, Note, Row, RowSource};

/// Bytes that a picture takes in memory besides its address.
const PER_PICTURE: u64 = 80;

/// Columns of a variant's price.
const PRICES: [&str; 4] = [
    "Variant Price",
    "Price",
    "Variant Compare At Price",
    "Compare-at price",
];

/// True if a column may have the addresses of products.
pub(super) fn has_links(columns: &Columns) -> bool {
    let names = columns.names().iter().map(|name| name.to_lowercase());
    let mut names = names.filter(|name| !name.contains("image") && !name.contains("handle"));
    names.any(|name| name.contains("link") || name.contains("url"))
}

/// Joins the rows of each product, which have one handle.
pub(super) struct JoinedRows(pub(super) Box<dyn RowSource>);

impl RowSource for JoinedRows {
    fn read(self: Box<Self>, each: Each<'_>) -> Result<Note, ReadError> {
        let mut current: Option<(Row, String)> = None;
        // Size of the pictures of further rows in bytes.
        let mut size = 0;
        let mut last = Columns::default();
        let note = self.0.read(&mut |columns, row| {
            if last.names().is_empty() {
                last = columns.clone();
            }
            let handle = row.text(columns, &["Handle", "URL handle"]).into_owned();
            let is_further = row.text(columns, &["Title"]).is_empty() && row.problem.is_none();
            if let Some((product, known)) = &mut current
                && is_further
                && *known == handle
            {
                add_pictures(columns, product, &row, &mut size);
                let has_price = |row: &Row| row.amount(columns, &[PRICES[0], PRICES[1]]).is_some();
                if !has_price(product) && has_price(&row) {
                    product.take_cells(row, columns, &PRICES);
                }
                return Ok(());
            }
            size = 0;
            match current.replace((row, handle)) {
                Some((product, _)) => each(columns, product),
                None => Ok(()),
            }
        })?;
        if let Some((product, _)) = current {
            each(&last, product)?;
        }
        Ok(note)
    }
}

fn add_pictures(columns: &Columns, product: &mut Row, further: &Row, size: &mut u64) {
    let is_picture = |column: usize| {
        ["Image Src", "Product image URL"].contains(&columns.names()[column].as_str())
    };
    let cells = further.cells.iter();
    let pictures = cells.filter(|(column, _)| is_picture(*column));
    for (column, value) in pictures {
        *size += value.as_str().map_or(0, str::len) as u64 + PER_PICTURE;
        if *size > MAX_ROW {
            let problem = "The product has more than 1 MB of pictures: delete some of its rows.";
            product.problem = Some(problem.to_owned());
            return;
        }
        product.cells.push((*column, value.clone()));
    }
}
