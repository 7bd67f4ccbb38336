//! Writes posting lists: for each term the set of products that have it.
//!
//! A list is stored in chunks of 65,536 products each, as a roaring bitmap in its portable
//! form, so that a product that changes rewrites little of the longest list.

use std::collections::BTreeSet;

use roaring::RoaringBitmap;
use rusqlite::{CachedStatement, Connection, OptionalExtension, params};

use super::batch::{Batch, Moves};
use crate::store::StoreError;

/// Products of a chunk.
pub(crate) const CHUNK: i64 = 1 << CHUNK_BITS;
const CHUNK_BITS: u32 = 16;

/// The chunk that a product's document id belongs to.
pub(crate) fn chunk_of(id: u32) -> u32 {
    id >> CHUNK_BITS
}

/// The first and the last document id of a chunk.
pub(crate) fn ids_of(chunk: u32) -> std::ops::RangeInclusive<u32> {
    let first = chunk << CHUNK_BITS;
    first..=first | u32::from(u16::MAX)
}

/// The key under which the list of a term is stored as far as it is of this chunk.
pub(crate) fn posting_key(chunk: u32, term: i64) -> i64 {
    i64::from(chunk) << 32 | term
}

/// How many chunks the index has.
pub(crate) fn chunk_count(connection: &Connection) -> Result<u32, StoreError> {
    let mut statement =
        connection.prepare_cached("SELECT max(chunk_and_term) >> 32 FROM search_postings")?;
    let last: Option<u32> = statement.query_row([], |row| row.get(0))?;
    Ok(last.map_or(0, |last| last + 1))
}

/// Reads what is stored of a list.
pub(crate) fn from_stored(stored: &[u8]) -> Result<RoaringBitmap, StoreError> {
    RoaringBitmap::deserialize_from(stored)
        .map_err(|error| StoreError::Other(format!("the full-text index is damaged: {error}")))
}

fn to_stored(ids: &RoaringBitmap) -> Result<Vec<u8>, StoreError> {
    let mut stored = Vec::with_capacity(ids.serialized_size());
    ids.serialize_into(&mut stored)
        .map_err(|error| StoreError::Other(error.to_string()))?;
    Ok(stored)
}

/// Writes everything that waits, in the transaction that is open.
pub(crate) fn write(connection: &Connection, batch: &mut Batch) -> Result<(), StoreError> {
    let mut writer = PostingWriter::new(connection)?;
    for (term, moves) in batch.take() {
        writer.write(&term, &moves)?;
    }
    Ok(())
}

/// The statements that change posting lists. The index is sound after each list.
pub(crate) struct PostingWriter<'a> {
    count_term: CachedStatement<'a>,
    correct_term: CachedStatement<'a>,
    find: CachedStatement<'a>,
    replace: CachedStatement<'a>,
    delete: CachedStatement<'a>,
}

impl<'a> PostingWriter<'a> {
    pub(crate) fn new(connection: &'a Connection) -> Result<Self, StoreError> {
        let prepare = |sql| connection.prepare_cached(sql);
        Ok(Self {
            count_term: prepare(
                "INSERT INTO search_terms (term, products, chunks) VALUES (?1, ?2, ?3) \
                 ON CONFLICT (term) DO UPDATE SET products = products + excluded.products, \
                 chunks = chunks | excluded.chunks RETURNING number, products",
            )?,
            correct_term: prepare(
                "UPDATE search_terms SET products = products + ?2 WHERE number = ?1",
            )?,
            find: prepare("SELECT ids FROM search_postings WHERE chunk_and_term = ?")?,
            replace: prepare(
                "INSERT OR REPLACE INTO search_postings (chunk_and_term, ids) VALUES (?, ?)",
            )?,
            delete: prepare("DELETE FROM search_postings WHERE chunk_and_term = ?")?,
        })
    }

    /// Lets products leave and join the list of a term.
    ///
    /// # Errors
    ///
    /// As [`write`].
    pub(crate) fn write(&mut self, term: &str, moves: &Moves) -> Result<(), StoreError> {
        let chunks = &chunks_of(&moves.joining) | &chunks_of(&moves.leaving);
        let bits = chunks
            .iter()
            .fold(0, |bits, chunk| bits | chunk_bit(*chunk));
        // Whoever joins was not there before, but for a list that is out of step.
        let expected = moves.joining.len().cast_signed();
        let (number, products): (i64, i64) = self
            .count_term
            .query_row(params![term, expected, bits], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })?;
        let is_new = products == expected;
        let mut more = 0;
        for chunk in chunks {
            more += self.write_chunk(posting_key(chunk, number), chunk, moves, is_new)?;
        }
        if more != expected {
            self.correct_term
                .execute(params![number, more - expected])?;
        }
        Ok(())
    }

    /// Returns how many products more there are then.
    fn write_chunk(
        &mut self,
        key: i64,
        chunk: u32,
        moves: &Moves,
        is_new: bool,
    ) -> Result<i64, StoreError> {
        let found: Option<Vec<u8>> = match is_new {
            true => None,
            false => self.find.query_row([key], |row| row.get(0)).optional()?,
        };
        let mut ids = found
            .as_deref()
            .map_or_else(|| Ok(RoaringBitmap::new()), from_stored)?;
        let before = ids.len();
        ids |= within(&moves.joining, chunk);
        ids -= within(&moves.leaving, chunk);
        if ids.is_empty() {
            self.delete.execute([key])?;
        } else {
            self.replace.execute(params![key, to_stored(&ids)?])?;
        }
        Ok(ids.len().cast_signed() - before.cast_signed())
    }
}

/// Those of a chunk.
fn within(ids: &RoaringBitmap, chunk: u32) -> RoaringBitmap {
    RoaringBitmap::from_sorted_iter(ids.range(ids_of(chunk))).unwrap_or_default()
}

/// The chunks that some of these products are of.
pub(crate) fn chunks_of(ids: &RoaringBitmap) -> BTreeSet<u32> {
    let mut chunks = BTreeSet::new();
    let mut ids = ids.iter();
    while let Some(id) = ids.next() {
        let chunk = chunk_of(id);
        chunks.insert(chunk);
        match ids_of(chunk).end().checked_add(1) {
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::store::search::changes::Writing;
    use crate::store::search::terms::Texts;

    /// Numbers that look random (Numerical Recipes' linear congruence).
    struct Random(u64);

    impl Random {
        fn below(&mut self, end: usize) -> usize {
            self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (self.0 >> 16) as usize % end
        }

        fn texts(&mut self) -> Texts {
            let mut words = |most| {
                let count = 1 + self.below(most);
                let word = |random: &mut Self| match random.below(3) {
                    0 => format!("charging{}", random.below(60)),
                    1 => ["cables", "cable", "caf\u{e9}", "5g", "a", "\u{915}\u{93f}"]
                        [random.below(6)]
                    .to_owned(),
                    _ => format!("{}runs", ["b", "ba", "c", "\u{917}"][random.below(4)]),
                };
                (0..count).map(|_| word(self)).collect::<Vec<_>>().join(" ")
            };
            Texts {
                title: words(4),
                description: words(9),
                source: words(1),
                category: "Books".to_owned(),
            }
        }
    }

    type Sets = BTreeMap<String, RoaringBitmap>;

    /// What is in the index, whose counts must be right.
    fn written(connection: &Connection) -> Sets {
        let mut sets = Sets::new();
        let mut terms = connection
            .prepare("SELECT number, term, products, chunks FROM search_terms")
            .unwrap();
        let mut rows = terms.query([]).unwrap();
        while let Some(row) = rows.next().unwrap() {
            let (number, term): (i64, String) = (row.get(0).unwrap(), row.get(1).unwrap());
            let (products, chunks): (u64, i64) = (row.get(2).unwrap(), row.get(3).unwrap());
            let mut ids = RoaringBitmap::new();
            for chunk in 0..chunk_count(connection).unwrap() {
                let sql = "SELECT ids FROM search_postings WHERE chunk_and_term = ?";
                let stored: Option<Vec<u8>> = connection
                    .query_row(sql, [posting_key(chunk, number)], |row| row.get(0))
                    .optional()
                    .unwrap();
                if let Some(stored) = stored {
                    assert!(chunks & chunk_bit(chunk) != 0, "{term} lacks chunk {chunk}");
                    ids |= from_stored(&stored).unwrap();
                }
            }
            assert_eq!(products, ids.len(), "{term}");
            if !ids.is_empty() {
                sets.insert(term, ids);
            }
        }
        sets
    }

    #[test]
    fn every_term_has_the_products_whose_words_it_is() {
        for seed in 0..6 {
            let mut random = Random(seed);
            let connection = Writing::in_memory().unwrap().connection;
            let mut batch = Batch::default();
            let mut products: BTreeMap<i64, Texts> = BTreeMap::new();
            let mut next = 65_400;
            for _ in 0..40 {
                let mut changes = Vec::new();
                for _ in 0..random.below(12) {
                    let texts = random.texts();
                    products.insert(next, texts.clone());
                    changes.push((next, None, Some(texts)));
                    next += 1 + random.below(5) as i64;
                }
                batch.change_all(changes).unwrap();
                if random.below(3) == 0 {
                    write(&connection, &mut batch).unwrap();
                    let mut changes = Vec::new();
                    let keys: Vec<i64> = products.keys().copied().collect();
                    for _ in 0..random.below(9).min(keys.len()) {
                        // Some twice: only the first and the last state count.
                        let key = keys[random.below(keys.len())];
                        let after = (random.below(3) > 0).then(|| random.texts());
                        let before = products.remove(&key);
                        products.extend(after.clone().map(|texts| (key, texts)));
                        changes.push((key, before, after));
                    }
                    batch.change_all(changes).unwrap();
                    write(&connection, &mut batch).unwrap();
                }
            }
            write(&connection, &mut batch).unwrap();
            let mut expected = Sets::new();
            for (key, texts) in &products {
                for term in texts.terms() {
                    let ids = expected.entry(term).or_default();
                    ids.insert(u32::try_from(*key).unwrap());
                }
            }
            assert!(expected["@Books"].contains_range(65_400..65_401));
            assert!(expected["@Books"].max().is_some_and(|id| chunk_of(id) == 1));
            assert_eq!(written(&connection), expected, "seed {seed}");
        }
    }

    #[test]
    fn a_key_that_the_index_can_not_hold_is_an_error() {
        let mut batch = Batch::default();
        let texts = Random(1).texts();
        assert!(batch.add(i64::from(u32::MAX), &texts).is_ok());
        let too_large = batch.add(i64::from(u32::MAX) + 1, &texts);
        assert!(too_large.unwrap_err().to_string().contains("out of range"));
    }
}
