//! Products as a page holds them: a table, in which the names of their fields stand once, above their
//! values. `frontend/src/api/table.ts` reads it. To make values of serde_json of them first takes a
//! sixth of the time of a page; tests of `list_writer.rs` hold the rows to what the API answers.

use std::ops::Range;

use serde::Serialize;

use crate::domain::Product;
use crate::http::api::json_text::plain;

/// Room for a product before it is written: about what one takes.
const USUAL_BYTES: usize = 384;
const USUAL_FIELDS: usize = 16;

/// A product: what is said of it, each as JSON. A field of an object in it has both names, like
/// `ratings.averageRating`.
pub(super) struct Row {
    json: Vec<u8>,
    fields: Vec<(&'static str, Range<usize>)>,
}

impl Row {
    pub(super) fn new() -> Self {
        Self {
            json: Vec::with_capacity(USUAL_BYTES),
            fields: Vec::with_capacity(USUAL_FIELDS),
        }
    }

    /// Says something of the product.
    ///
    /// # Errors
    ///
    /// [`serde_json::Error`] when a number can't be written.
    pub(super) fn put(
        &mut self,
        field: &'static str,
        value: &impl Serialize,
    ) -> serde_json::Result<()> {
        let start = self.json.len();
        serde_json::to_writer(&mut self.json, value)?;
        self.fields.push((field, start..self.json.len()));
        Ok(())
    }

    /// As [`Row::put`], where there is something to say.
    pub(super) fn put_some(
        &mut self,
        field: &'static str,
        value: Option<impl Serialize>,
    ) -> serde_json::Result<()> {
        value.map_or(Ok(()), |value| self.put(field, &value))
    }

    /// The JSON of a field, `null` where nothing is said.
    fn get(&self, field: &str) -> &[u8] {
        let found = self.fields.iter().find(|(name, _)| *name == field);
        found
            .and_then(|(_, at)| self.json.get(at.clone()))
            .unwrap_or(b"null")
    }
}

/// Writes products as a table.
///
/// # Errors
///
/// [`serde_json::Error`] when a number can't be written.
pub(super) fn write_table(
    json: &mut Vec<u8>,
    before: &str,
    products: &[Product],
    row: impl Fn(&Product) -> serde_json::Result<Row>,
) -> serde_json::Result<()> {
    let rows: Vec<Row> = products.iter().map(row).collect::<Result<_, _>>()?;
    // All have nearly the same.
    let mut fields: Vec<&str> = Vec::new();
    for (field, _) in rows.iter().flat_map(|row| &row.fields) {
        if !fields.contains(field) {
            fields.push(field);
        }
    }
    json.reserve((rows.len() + 1) * USUAL_BYTES);
    plain(json, before, "{\"fields\":");
    serde_json::to_writer(&mut *json, &fields)?;
    plain(json, ",\"rows\":", "[");
    for (index, row) in rows.iter().enumerate() {
        plain(json, if index > 0 { "," } else { "" }, "[");
        for (index, field) in fields.iter().enumerate() {
            plain(json, if index > 0 { "," } else { "" }, "");
            json.extend_from_slice(row.get(field));
        }
        json.push(b']');
    }
    plain(json, "]", "}");
    Ok(())
}
