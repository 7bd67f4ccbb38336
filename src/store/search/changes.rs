//! What the full-text index has to learn: products whose words changed are gathered
//! until the commit, and then written together.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rusqlite::Connection;
use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::ValueRef;

use super::key_set::{keys_of, place};
use super::writer::Indexing;
use crate::store::StoreError;
use crate::store::list::snapshot::is_hidden;

/// What is found by words, as stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Texts {
    pub(crate) title: String,
    pub(crate) description: String,
    pub(crate) source: String,
    pub(crate) category: String,
}

/// Products whose words changed on one connection since its last commit.
#[derive(Clone, Default)]
pub(crate) struct Changes(Arc<Mutex<Vec<Change>>>);

/// A product's key, and its texts before and after.
pub(crate) type Change = (i64, Option<Texts>, Option<Texts>);

impl Changes {
    /// Makes the function of the triggers known to a connection, which reports to
    /// the result.
    pub(crate) fn of(connection: &Connection) -> rusqlite::Result<Self> {
        let changes = Self::default();
        let reported = changes.clone();
        connection.create_scalar_function(
            c"index_words",
            9,
            FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_INNOCUOUS,
            move |context| {
                let change = (context.get(0)?, texts(context, 1)?, texts(context, 5)?);
                reported.gathered().push(change);
                Ok(None::<i64>)
            },
        )?;
        Ok(changes)
    }

    fn gathered(&self) -> MutexGuard<'_, Vec<Change>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many changes wait to be written.
    pub(crate) fn len(&self) -> usize {
        self.gathered().len()
    }

    /// Forgets all but the first so many: what came after was rolled back.
    pub(crate) fn truncate(&self, len: usize) {
        self.gathered().truncate(len);
    }

    /// Takes what changed, for who writes it together with more.
    pub(crate) fn take(&self) -> Vec<Change> {
        std::mem::take(&mut *self.gathered())
    }

    /// Writes what changed, in the transaction that is open.
    ///
    /// # Errors
    ///
    /// [`StoreError`] when the database refuses; the transaction must be undone.
    pub(crate) fn write(&self, connection: &Connection) -> Result<(), StoreError> {
        let products = self.take();
        if products.is_empty() {
            return Ok(());
        }
        // Nothing outside sees the batch, so a panic leaves only the transaction to undo.
        let written = catch_unwind(AssertUnwindSafe(|| {
            let mut indexing = Indexing::default();
            indexing.batch.change_all(products);
            indexing.write(connection)
        }));
        written.unwrap_or_else(|_| Err(StoreError::Other("indexing failed".to_owned())))
    }
}

fn texts(context: &Context<'_>, from: usize) -> rusqlite::Result<Option<Texts>> {
    if context.get_raw(from) == ValueRef::Null {
        return Ok(None);
    }
    Ok(Some(Texts {
        title: context.get(from)?,
        description: context.get(from + 1)?,
        source: context.get(from + 2)?,
        category: context.get(from + 3)?,
    }))
}

/// Makes the whole index from the products.
///
/// # Errors
///
/// [`StoreError`] when the database refuses; the transaction must be undone.
pub(crate) fn rebuild(connection: &Connection) -> Result<(), StoreError> {
    connection.execute_batch("DELETE FROM search_postings; DELETE FROM search_terms")?;
    let mut indexing = Indexing::default();
    for chunk in 0..chunks_of_products(connection)? {
        index_chunk(connection, &mut indexing, chunk, &[])?;
    }
    Ok(())
}

/// How many chunks the products' keys fall into.
///
/// # Errors
///
/// [`StoreError`] when the database can't be read.
pub(crate) fn chunks_of_products(connection: &Connection) -> Result<usize, StoreError> {
    let last: Option<i64> =
        connection.query_row("SELECT max(key) FROM products", [], |row| row.get(0))?;
    Ok(last.map_or(0, |key| place(key).0 + 1))
}

/// Writes the sets of a chunk that has none yet, without the products that are hidden.
///
/// # Errors
///
/// As [`rebuild`].
pub(crate) fn index_chunk(
    connection: &Connection,
    indexing: &mut Indexing,
    chunk: usize,
    hidden: &[(i64, i64)],
) -> Result<(), StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT key, title, description, source, category FROM products \
         WHERE key BETWEEN ? AND ? ORDER BY key",
    )?;
    let mut rows = statement.query(keys_of(chunk))?;
    while let Some(row) = rows.next()? {
        let key: i64 = row.get(0)?;
        if is_hidden(hidden, key) {
            continue;
        }
        let texts = Texts {
            title: row.get(1)?,
            description: row.get(2)?,
            source: row.get(3)?,
            category: row.get(4)?,
        };
        if indexing.batch.is_large() {
            indexing.write(connection)?;
        }
        indexing.batch.add(key, &texts);
    }
    indexing.write(connection)
}
