//! Rebuilds and checks the full-text index.

use std::collections::{BTreeSet, HashMap};
use std::hash::{BuildHasher, Hash};
use std::ops::Range;
use std::path::Path;

use foldhash::quality::FixedState;
use roaring::RoaringBitmap;
use rusqlite::{Connection, params};

use super::batch::{Batch, Delta};
use super::chunks::{CHUNK, chunk_of, doc_id, posting_key};
use super::terms::{SearchScope, Texts, VERSION, for_each_token, terms_of};
use super::writer::{self, chunk_count, from_stored};
use crate::store::db::error::Result;
use crate::store::db::lock::wait_for_import;
use crate::store::db::open::begin;
use crate::store::db::rows::scalar;

/// Products whose words a check collects at once.
const PIECE: usize = 2_048;

/// Rebuilds an index of another [`VERSION`]. Waits for a publishing import, whose words would be
/// missing.
pub(crate) fn if_outdated(connection: &Connection, path: Option<&Path>) -> Result<()> {
    if version(connection)? == VERSION {
        return Ok(());
    }
    let _turn = path.map(wait_for_import).transpose()?;
    let transaction = begin(connection)?;
    let found = version(&transaction)?;
    // Another process may have rebuilt it.
    if found != VERSION {
        let products = rebuild(&transaction)?;
        if products > 0 {
            tracing::info!(
                found,
                version = VERSION,
                products,
                "the full-text index was made again, because the rules for words changed"
            );
        }
    }
    Ok(transaction.commit()?)
}

/// Rebuilds the index and returns the number of products. Waits for an import; no server may run,
/// because this blocks all writes.
pub(crate) fn reindex(connection: &Connection, path: &Path) -> Result<u64> {
    let _turn = wait_for_import(path)?;
    let transaction = begin(connection)?;
    let products = rebuild(&transaction)?;
    transaction.commit()?;
    Ok(products)
}

pub(crate) fn version(connection: &Connection) -> Result<i64> {
    Ok(scalar(connection, "SELECT version FROM search_format", [])?)
}

/// Rebuilds the index within the open transaction; returns the number of products.
pub(crate) fn rebuild(connection: &Connection) -> Result<u64> {
    connection.execute_batch("DELETE FROM search_postings; DELETE FROM search_terms")?;
    let mut products = 0;
    for chunk in 0..chunks_of_products(connection)? {
        let mut batch = Batch::default();
        let first = i64::from(chunk) * CHUNK;
        products += add_products(connection, &mut batch, first..first + CHUNK, |batch| {
            writer::write(connection, batch)
        })?;
        writer::write(connection, &mut batch)?;
    }
    write_category_terms(connection)?;
    connection.execute("UPDATE search_format SET version = ?", [VERSION])?;
    Ok(products)
}

/// Writes the terms of all categories: those of a name, and of the name above it.
pub(crate) fn write_category_terms(connection: &Connection) -> Result<()> {
    connection.execute("DELETE FROM category_terms", [])?;
    let mut labels = connection.prepare("SELECT stored, label FROM category_labels")?;
    let mut insert =
        connection.prepare("INSERT INTO category_terms (term, category) VALUES (?, ?)")?;
    let mut rows = labels.query([])?;
    while let Some(row) = rows.next()? {
        let (key, label): (String, String) = (row.get(0)?, row.get(1)?);
        let mut terms = BTreeSet::new();
        for name in label.split('/').skip(1) {
            for_each_token(name, SearchScope::Anywhere, |token| {
                terms.extend(terms_of(token));
            });
        }
        for term in terms {
            insert.execute(params![term, key])?;
        }
    }
    Ok(())
}

/// Returns the number of chunks of the products' keys.
fn chunks_of_products(connection: &Connection) -> Result<u32> {
    let last: Option<i64> = scalar(connection, "SELECT max(key) FROM listed_products", [])?;
    last.map_or(Ok(0), |key| Ok(chunk_of(doc_id(key)?) + 1))
}

/// Adds the listed products with these keys, of one chunk, to a batch, with `flush` as in
/// [`Batch::change_all`]; returns how many.
fn add_products(
    connection: &Connection,
    batch: &mut Batch,
    keys: Range<i64>,
    mut flush: impl FnMut(&mut Batch) -> Result<()>,
) -> Result<u64> {
    let mut statement = connection.prepare_cached(
        "SELECT key, title, description, source, category, tags FROM listed_products \
         WHERE key >= ?1 AND key < ?2 ORDER BY key",
    )?;
    let mut rows = statement.query([keys.start, keys.end])?;
    let mut products = 0;
    while let Some(row) = rows.next()? {
        let texts = Texts {
            title: row.get(1)?,
            description: row.get(2)?,
            source: row.get(3)?,
            category: row.get(4)?,
            tags: row.get(5)?,
        };
        batch.add(row.get(0)?, &texts, &mut flush)?;
        products += 1;
    }
    Ok(products)
}

/// Compares the index with the products' words: returns the number of correct lists, or of wrong
/// ones. The words of `hidden` products may or may not be indexed.
pub(crate) fn check(connection: &Connection, hidden: &RoaringBitmap) -> Result<Result<u64, u64>> {
    // Sums of the terms' hashes, each as often as its products: a number for each of millions of terms
    // would take tens of MB.
    let (mut counted, mut stored_counts) = (0_u64, 0_u64);
    let (mut right, mut wrong) = (0, 0);
    for chunk in 0..chunks_of_products(connection)?.max(chunk_count(connection)?) {
        let mut expected = expected_sums(connection, chunk)?;
        let mut statement = connection.prepare_cached(
            "SELECT number, term, ids FROM search_postings \
             JOIN search_terms ON number = chunk_and_term & 0xffffffff \
             WHERE chunk_and_term BETWEEN ? AND ?",
        )?;
        let range = [
            posting_key(chunk, 0),
            posting_key(chunk, i64::from(u32::MAX)),
        ];
        let mut rows = statement.query(range)?;
        while let Some(row) = rows.next()? {
            let (number, term): (i64, String) = (row.get(0)?, row.get(1)?);
            let stored = from_stored(row.get_ref(2)?.as_blob().map_err(rusqlite::Error::from)?);
            let ids = stored.unwrap_or_default() - hidden;
            counted = counted.wrapping_add(hash_of(number).wrapping_mul(ids.len()));
            let is_right =
                expected.remove(&hash_of(term.as_str())).unwrap_or_default() == sum_of(&ids);
            *(if is_right { &mut right } else { &mut wrong }) += 1;
        }
        wrong += expected.len() as u64;
    }
    if hidden.is_empty() {
        let mut statement = connection.prepare("SELECT number, products FROM search_terms")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let (number, products): (i64, i64) = (row.get(0)?, row.get(1)?);
            let times = products.cast_unsigned();
            stored_counts = stored_counts.wrapping_add(hash_of(number).wrapping_mul(times));
        }
        wrong += u64::from(counted != stored_counts);
    }
    Ok(if wrong == 0 { Ok(right) } else { Err(wrong) })
}

/// Returns the sums of the correct lists of a chunk by the hash of the term. The lists themselves would
/// take more than 100 MB.
fn expected_sums(connection: &Connection, chunk: u32) -> Result<HashMap<u64, u64>> {
    let mut batch = Batch::default();
    let mut sums: HashMap<u64, u64> = HashMap::new();
    let first = i64::from(chunk) * CHUNK;
    for start in (first..first + CHUNK).step_by(PIECE) {
        let mut lists: HashMap<String, RoaringBitmap> = HashMap::new();
        let mut gather = |batch: &mut Batch| {
            for (term, Delta { added, .. }) in batch.drain() {
                *lists.entry(term).or_default() |= added;
            }
            Ok(())
        };
        let keys = start..start + PIECE as i64;
        add_products(connection, &mut batch, keys, &mut gather)?;
        gather(&mut batch)?;
        for (term, ids) in lists {
            let sum = sums.entry(hash_of(term.as_str())).or_default();
            *sum = sum.wrapping_add(sum_of(&ids));
        }
    }
    Ok(sums)
}

fn hash_of(value: impl Hash) -> u64 {
    FixedState::default().hash_one(value)
}

/// Returns the sum of the hashes of a list's ids, by which two lists are compared.
fn sum_of(ids: &RoaringBitmap) -> u64 {
    let hashes = ids.iter().map(hash_of);
    hashes.fold(0, u64::wrapping_add)
}
