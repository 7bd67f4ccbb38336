//! Shopify's export: further rows of a product have more pictures and variants.

use super::error::ReadError;
use super::row::{Columns, Each, Note, Row, RowSource};

/// Joins the rows of each product, which have one handle.
pub(super) struct Joined(pub(super) Box<dyn RowSource>);

impl RowSource for Joined {
    fn read(self: Box<Self>, each: Each<'_>) -> Result<Note, ReadError> {
        let mut current: Option<(Row, String)> = None;
        let mut last = Columns::default();
        let note = self.0.read(&mut |columns, row| {
            if last.names().is_empty() {
                last = columns.clone();
            }
            let handle = cell(columns, &row, &["Handle", "URL handle"]).to_owned();
            let is_further = cell(columns, &row, &["Title"]).is_empty() && row.problem.is_none();
            if let Some((product, known)) = &mut current
                && is_further
                && *known == handle
            {
                add_pictures(columns, product, row);
                return Ok(());
            }
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

fn cell<'a>(columns: &Columns, row: &'a Row, names: &[&str]) -> &'a str {
    let found = row
        .cells
        .iter()
        .find(|(column, _)| names.contains(&columns.names()[*column].as_str()));
    found
        .and_then(|(_, value)| value.as_str())
        .unwrap_or_default()
}

fn add_pictures(columns: &Columns, product: &mut Row, further: Row) {
    let is_picture = |column: usize| {
        ["Image Src", "Product image URL"].contains(&columns.names()[column].as_str())
    };
    let pictures = further
        .cells
        .into_iter()
        .filter(|(column, _)| is_picture(*column));
    product.cells.extend(pictures);
}
