//! WooCommerce's export: a variable product has its prices in rows of its variations.

use std::collections::HashMap;

use super::error::ReadError;
use super::row::{Columns, Each, Note, Row, RowSource};

/// Maximum size in bytes of the products that wait for their variations.
const MOST_WAITING: usize = 4 << 20;
/// Bytes that a cell takes in memory besides its text.
const PER_CELL: usize = 80;
/// Columns that a product takes from its cheapest variation.
const TAKEN: [&str; 5] = [
    "Sale price",
    "Regular price",
    "Date sale price starts",
    "Date sale price ends",
    "In stock?",
];

/// Joins variations to the product above that they name as their parent.
pub(super) struct JoinedVariations(pub(super) Box<dyn RowSource>);

/// Products that wait for their variations.
#[derive(Default)]
struct WaitingProducts {
    /// Each with the rank of the variation that its price is from.
    products: Vec<(Row, Option<(bool, f64)>)>,
    /// Positions by id and SKU, as variations name them.
    index: HashMap<String, usize>,
    size: usize,
}

impl RowSource for JoinedVariations {
    fn read(self: Box<Self>, each: Each<'_>) -> Result<Note, ReadError> {
        let mut waiting = WaitingProducts::default();
        let mut last = Columns::default();
        let note = self.0.read(&mut |columns, mut row| {
            if last.names().is_empty() {
                last = columns.clone();
            }
            let kind = row.text(columns, &["Type"]).to_lowercase();
            if kind.contains("variable") {
                if waiting.size > MOST_WAITING {
                    waiting.pass_on(columns, each)?;
                }
                waiting.add(columns, row);
                return Ok(());
            }
            if !kind.contains("variation") {
                return each(columns, row);
            }
            let parent = row.text(columns, &["Parent"]).to_lowercase();
            if let Some(at) = waiting.index.get(&parent) {
                waiting.join(*at, columns, row);
                return Ok(());
            }
            row.problem = Some(format!(
                "It is a variation of “{parent}”, which is not shortly above: move it below that product."
            ));
            each(columns, row)
        })?;
        waiting.pass_on(&last, each)?;
        Ok(note)
    }
}

impl WaitingProducts {
    fn add(&mut self, columns: &Columns, row: Row) {
        let texts = row.cells.iter().filter_map(|(_, value)| value.as_str());
        self.size += texts.map(str::len).sum::<usize>() + PER_CELL * row.cells.len();
        let at = self.products.len();
        let sku = row.text(columns, &["SKU"]).to_lowercase();
        if !sku.is_empty() {
            self.index.insert(sku, at);
        }
        let id = row.text(columns, &["ID"]).to_lowercase();
        self.index.insert(format!("id:{id}"), at);
        self.products.push((row, None));
    }

    /// Gives a product the price of a variation that is cheaper, of those in stock if there are any.
    fn join(&mut self, at: usize, columns: &Columns, variation: Row) {
        let (product, known) = &mut self.products[at];
        let price = ["Sale price", "Regular price"];
        let Some(price) = price
            .iter()
            .find_map(|name| variation.amount(columns, &[name]))
        else {
            return;
        };
        let is_out = ["In stock?", "Published"].iter().any(|name| {
            let text = variation.text(columns, &[name]);
            ["0", "-1", "no", "false", "outofstock"].contains(&text.to_lowercase().as_str())
        });
        let rank = (is_out, price);
        if known.is_none_or(|known| rank < known) {
            *known = Some(rank);
            product.take_cells(variation, columns, &TAKEN);
        }
    }

    fn pass_on(&mut self, columns: &Columns, each: Each<'_>) -> Result<(), ReadError> {
        let waiting = std::mem::take(self);
        let mut products = waiting.products.into_iter();
        products.try_for_each(|(product, _)| each(columns, product))
    }
}
