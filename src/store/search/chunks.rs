//! The index is cut into chunks of products, so that a product that changes rewrites little of
//! the longest posting list.

use std::collections::BTreeSet;

use roaring::RoaringBitmap;

use crate::store::db::error::StoreError;

/// Products of a chunk.
pub(crate) const CHUNK: i64 = 1 << CHUNK_BITS;
const CHUNK_BITS: u32 = 16;

/// The chunk that a product's document id belongs to.
pub(crate) fn chunk_of(id: u32) -> u32 {
    id >> CHUNK_BITS
}

/// The first document id of a chunk.
pub(crate) fn first_id(chunk: u32) -> u32 {
    chunk << CHUNK_BITS
}

/// The key under which the list of a term is stored as far as it is of this chunk.
pub(crate) fn posting_key(chunk: u32, term: i64) -> i64 {
    i64::from(chunk) << 32 | term
}

/// A product's number in the index: its key, of which the index holds 32 bits.
///
/// # Errors
///
/// [`StoreError::Other`] for a key that does not fit, after some four thousand million.
pub(crate) fn doc_id(key: i64) -> Result<u32, StoreError> {
    u32::try_from(key)
        .map_err(|_| StoreError::Other(format!("the product's key {key} is out of range")))
}

/// The chunks that some of these products are of.
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

/// Where `search_terms.chunks` says that a list may have products of a chunk.
pub(crate) fn chunk_bit(chunk: u32) -> i64 {
    1 << (chunk % 64)
}
