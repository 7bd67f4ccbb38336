//! The full-text index: its terms, a posting list for each, and what a search finds there.

pub(crate) mod batch;
pub(crate) mod changes;
pub(crate) mod query;
pub(crate) mod rebuild;
pub(crate) mod suggest;
pub(crate) mod terms;
pub(crate) mod writer;

use super::db::error::StoreError;

/// A product's number in the index: its key, of which the index holds 32 bits.
///
/// # Errors
///
/// [`StoreError::Other`] for a key that does not fit, after some four thousand million.
pub(crate) fn doc_id(key: i64) -> Result<u32, StoreError> {
    u32::try_from(key)
        .map_err(|_| StoreError::Other(format!("the product's key {key} is out of range")))
}
