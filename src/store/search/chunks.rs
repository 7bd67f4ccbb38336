//! Chunks of the index: a changed product rewrites only part of a long posting list.

use std::collections::BTreeSet;

use roaring::RoaringBitmap;

use crate::store::db::error::StoreError;

/// Products per chunk.
pub(crate) const CHUNK: i64 = 1 << CHUNK_BITS;
const CHUNK_BITS: u32 = 16;

pub(crate) fn chunk_of(id: u32) -> u32 {
    id >> CHUNK_BITS
}

/// Returns the first document id of a chunk.
pub(crate) fn first_id(chunk: u32) -> u32 {
    chunk << CHUNK_BITS
}

/// Returns the database key of a term's list in a chunk.
pub(crate) fn posting_key(chunk: u32, term: i64) -> i64 {
    i64::from(chunk) << 32 | term
}

/// Converts a product's key to its 32-bit document id.
///
/// # Errors
///
/// [`StoreError::Other`] for a key that does not fit.
pub(crate) fn doc_id(key: i64) -> Result<u32, StoreError> {
    u32::try_from(key)
        .map_err(|_| StoreError::Other(format!("the product's key {key} is out of range")))
}

pub(crate) fn chunks_of(ids: &RoaringBitmap) -> BTreeSet<u32> {
    let mut chunks = BTreeSet::new();
    let mut ids = ids.iter();
    while let Some(id) = ids.next() {
        let chunk = chunk_of(id);
        chunks.insert(chunk);
        match (chunk + 1).checked_mul(1 << CHUNK_BITS) {
            Some(next) => ids.advance_to(next),
            None => break,
        }
    }
    chunks
}

/// Returns the bit of `search_terms.chunks` for a chunk, shared by every 64th.
pub(crate) fn chunk_bit(chunk: u32) -> i64 {
    1 << (chunk % 64)
}
