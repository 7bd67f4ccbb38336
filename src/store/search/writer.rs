//! Writes posting lists: the set of products of each term.
//!
//! A list is stored in chunks of 65,536 products, each a roaring bitmap in portable format.

use roaring::RoaringBitmap;
use rusqlite::{CachedStatement, Connection, OptionalExtension, Row, params};

use super::batch::{Batch, Change, Delta};
use super::chunks::{chunk_bit, posting_key};
use crate::store::StoreError;
use crate::store::db::error::Result;
use crate::store::db::rows::scalar;

/// Returns the number of chunks of the index.
pub(crate) fn chunk_count(connection: &Connection) -> Result<u32> {
    let sql = "SELECT max(chunk_and_term) >> 32 FROM search_postings";
    let last: Option<u32> = scalar(connection, sql, [])?;
    Ok(last.map_or(0, |last| last + 1))
}

/// Decodes a stored list.
pub(crate) fn from_stored(stored: &[u8]) -> Result<RoaringBitmap> {
    RoaringBitmap::deserialize_from(stored)
        .map_err(|error| StoreError::Other(format!("the full-text index is damaged: {error}")))
}

fn to_stored(ids: &RoaringBitmap) -> Result<Vec<u8>> {
    let mut stored = Vec::with_capacity(ids.serialized_size());
    ids.serialize_into(&mut stored)
        .map_err(|error| StoreError::Other(error.to_string()))?;
    Ok(stored)
}

/// Writes changes of products within the open transaction.
pub(crate) fn write_changes(connection: &Connection, changes: Vec<Change>) -> Result<()> {
    let mut batch = Batch::default();
    batch.change_all(changes, |batch| write(connection, batch))?;
    write(connection, &mut batch)
}

/// Writes a batch within the open transaction.
pub(crate) fn write(connection: &Connection, batch: &mut Batch) -> Result<()> {
    let mut writer = PostingWriter::new(connection)?;
    for (term, delta) in batch.drain() {
        writer.write(&term, &delta)?;
    }
    Ok(())
}

/// Prepared statements; the index is consistent after each list.
pub(crate) struct PostingWriter<'a> {
    find_term: CachedStatement<'a>,
    add_term: CachedStatement<'a>,
    count_term: CachedStatement<'a>,
    find: CachedStatement<'a>,
    replace: CachedStatement<'a>,
    delete: CachedStatement<'a>,
}

impl<'a> PostingWriter<'a> {
    pub(crate) fn new(connection: &'a Connection) -> Result<Self> {
        let prepare = |sql| connection.prepare_cached(sql);
        Ok(Self {
            find_term: prepare("SELECT number FROM search_terms WHERE term = ?")?,
            add_term: prepare(
                "INSERT INTO search_terms (term, products, chunks) VALUES (?, 0, 0)",
            )?,
            count_term: prepare(
                "UPDATE search_terms SET products = products + ?2, chunks = chunks | ?3 \
                 WHERE number = ?1",
            )?,
            find: prepare("SELECT ids FROM search_postings WHERE chunk_and_term = ?")?,
            replace: prepare(
                "INSERT OR REPLACE INTO search_postings (chunk_and_term, ids) VALUES (?, ?)",
            )?,
            delete: prepare("DELETE FROM search_postings WHERE chunk_and_term = ?")?,
        })
    }

    /// Adds products to and removes them from a term's list.
    ///
    /// # Errors
    ///
    /// As [`write`].
    pub(crate) fn write(&mut self, term: &str, delta: &Delta) -> Result<()> {
        let Some(chunk) = delta.chunk() else {
            return Ok(());
        };
        let number = |row: &Row<'_>| row.get::<_, i64>(0);
        let number = match self.find_term.query_row([term], number).optional()? {
            Some(number) => number,
            None => self.add_term.insert([term])?,
        };
        let more = self.write_ids(posting_key(chunk, number), delta)?;
        self.count_term
            .execute(params![number, more, chunk_bit(chunk)])?;
        Ok(())
    }

    /// Returns the change in the number of products.
    fn write_ids(&mut self, key: i64, delta: &Delta) -> Result<i64> {
        let stored = |row: &Row<'_>| Ok(row.get_ref(0)?.as_blob().map(from_stored)?);
        let mut ids = match self.find.query_row([key], stored).optional()? {
            Some(ids) => ids?,
            None => RoaringBitmap::new(),
        };
        let before = ids.len();
        ids |= &delta.added;
        ids -= &delta.removed;
        if ids.is_empty() {
            self.delete.execute([key])?;
        } else {
            self.replace.execute(params![key, to_stored(&ids)?])?;
        }
        Ok(ids.len().cast_signed() - before.cast_signed())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::store::search::changes::WriteConnection;
    use crate::store::search::chunks::chunk_of;
    use crate::store::search::terms::Texts;

    /// Numbers that look random (Numerical Recipes' linear congruence).
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, end: usize) -> usize {
            self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (self.0 >> 16) as usize % end
        }

        fn texts(&mut self) -> Texts {
            let mut words = |most| {
                let count = 1 + self.below(most);
                let word = |random: &mut Self| match random.below(3) {
                    0 => format!("charging{}", random.below(60)),
                    1 => [
                        "cables",
                        "cable",
                        "caf\u{e9}",
                        "5g",
                        "a",
                        "\u{915}\u{93f}",
                        "v",
                        "12",
                    ][random.below(8)]
                    .to_owned(),
                    _ => format!("{}runs", ["b", "ba", "c", "\u{917}"][random.below(4)]),
                };
                (0..count).map(|_| word(self)).collect::<Vec<_>>().join(" ")
            };
            let title = words(4);
            Texts {
                tags: format!("[\"Tag{}\"]", title.len() % 5),
                title,
                description: words(9),
                source: words(1),
                category: "Books".to_owned(),
            }
        }
    }

    type Sets = BTreeMap<String, RoaringBitmap>;

    /// Contents of the index, whose counts must be right.
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
    fn posting_lists_hold_the_products_with_their_term() {
        for seed in 0..6 {
            let mut random = Numbers(seed);
            let connection = WriteConnection::in_memory().unwrap().connection;
            let gather = |batch: &mut Batch, changes| {
                let flush = |batch: &mut Batch| write(&connection, batch);
                batch.change_all(changes, flush).unwrap();
            };
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
                gather(&mut batch, changes);
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
                    gather(&mut batch, changes);
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
    fn a_product_key_above_32_bits_is_an_error_of_the_search_index() {
        let mut batch = Batch::default();
        let texts = Numbers(1).texts();
        let mut add = |key| batch.add(key, &texts, |_| Ok(()));
        assert!(add(u32::MAX.into()).is_ok());
        let too_large = add(i64::from(u32::MAX) + 1);
        assert!(too_large.unwrap_err().to_string().contains("out of range"));
    }
}
