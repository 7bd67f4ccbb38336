//! The transactions of an import: many short ones beside a server, or one where there is
//! none, which nobody waits for.
//!
//! In one transaction the indexes are made once, at its end. Rows that are added beside a
//! server cost some pages of the log each, because every index is written to at
//! random places, over and over.

use std::ops::Deref;
use std::path::Path;

use rusqlite::{Connection, Transaction, TransactionBehavior};

use crate::store::db::preflight::free_bytes;
use crate::store::{ServerLock, StoreError};

/// An index is made anew in a fraction of the time that adding so many rows to it takes,
/// as long as those that are there already are not more than so many times as many.
const WORTH: u64 = 4;
/// How much more room than the staged rows take one transaction needs: it is in the log
/// before it is in the database, the rows have indexes, and some wait on the disk for
/// theirs.
const ROOM: u64 = 4;

/// The lock that a server would hold, and keeps one from starting; `None` beside a server,
/// and where there is little room on the disk.
pub(crate) fn alone(connection: &Connection, path: &Path) -> Option<ServerLock> {
    let staged: u64 = connection
        .query_row(
            "SELECT page_count * page_size FROM pragma_page_count('temp'), pragma_page_size('temp')",
            [],
            |row| row.get(0),
        )
        .ok()?;
    if free_bytes(path).ok()? < staged.saturating_mul(ROOM) {
        return None;
    }
    ServerLock::take_for_import(path).ok()
}

/// Begins a transaction that writes.
///
/// # Errors
///
/// [`StoreError`] when another program writes for too long.
pub(crate) fn begin(connection: &Connection) -> Result<Transaction<'_>, StoreError> {
    Ok(Transaction::new_unchecked(
        connection,
        TransactionBehavior::Immediate,
    )?)
}

/// A part of an import: a transaction of its own, or of the one that is the whole.
pub(crate) struct Part<'a> {
    connection: &'a Connection,
    transaction: Option<Transaction<'a>>,
}

impl<'a> Part<'a> {
    /// Begins a transaction, unless the whole import is one.
    pub(crate) fn begin(connection: &'a Connection, is_alone: bool) -> Result<Self, StoreError> {
        let transaction = match is_alone {
            true => None,
            false => Some(begin(connection)?),
        };
        Ok(Self {
            connection,
            transaction,
        })
    }

    /// Commits what is not part of a whole.
    pub(crate) fn commit(self) -> Result<(), StoreError> {
        match self.transaction {
            Some(transaction) => Ok(transaction.commit()?),
            None => Ok(()),
        }
    }
}

impl Deref for Part<'_> {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        self.connection
    }
}

/// Takes the indexes of the products away that are made faster once the rows are there,
/// and tells how to make them.
///
/// # Errors
///
/// [`StoreError`] when the database refuses; the transaction must be undone.
pub(crate) fn put_off_indexes(
    transaction: &Connection,
    added: u64,
) -> Result<Vec<String>, StoreError> {
    let there: u64 =
        transaction.query_row("SELECT count(*) FROM products", [], |row| row.get(0))?;
    if added.saturating_mul(WORTH) < there {
        return Ok(Vec::new());
    }
    let mut statement = transaction.prepare(
        "SELECT name, sql FROM sqlite_schema \
         WHERE type = 'index' AND tbl_name = 'products' AND sql LIKE 'CREATE INDEX %'",
    )?;
    let indexes = statement.query_map([], |row| {
        Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?))
    })?;
    let indexes = indexes.collect::<Result<Vec<_>, _>>()?;
    let mut put_off = Vec::new();
    for (name, sql) in indexes {
        transaction.execute_batch(&format!("DROP INDEX \"{}\"", name.replace('"', "\"\"")))?;
        put_off.push(sql);
    }
    Ok(put_off)
}

/// Makes an index that was put off.
///
/// # Errors
///
/// As [`put_off_indexes`].
pub(crate) fn make_index(transaction: &Connection, put_off: &str) -> Result<(), StoreError> {
    Ok(transaction.execute_batch(put_off)?)
}
