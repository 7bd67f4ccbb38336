//! One import at a time, and what is left of one that was killed.

use std::fs::File;
use std::path::Path;

use super::parts::begin;
use crate::store::StoreError;
use crate::store::db::open;
use crate::store::db::open::Writing;
use crate::store::db::private::lock_file;
use crate::store::db::wal::Log;

/// Products that are deleted in one transaction.
const DELETED_AT_ONCE: i64 = 2_000;

/// Waits until no other import is publishing; the turn ends when the file is closed.
///
/// # Errors
///
/// [`StoreError::Other`] when the file beside the database can't be locked.
pub(crate) fn wait_for_turn(path: &Path) -> Result<File, StoreError> {
    let file = turn_file(path)?;
    file.lock()
        .map_err(|error| StoreError::Other(format!("cannot lock the import's turn: {error}")))?;
    Ok(file)
}

/// The file that the import which is publishing holds a lock of; the system lets go
/// of it when the import ends, however that happens.
fn turn_file(path: &Path) -> Result<File, StoreError> {
    lock_file(path, ".import-lock")
        .map_err(|error| StoreError::Other(format!("cannot lock {error}")))
}

/// The turn, unless an import is publishing.
///
/// # Errors
///
/// [`StoreError::Busy`] when one is, and [`StoreError::Other`] when the file beside the
/// database can't be locked.
pub(crate) fn take_turn(path: &Path) -> Result<File, StoreError> {
    let file = turn_file(path)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(_) => Err(StoreError::Busy("an import is writing to it".to_owned())),
    }
}

/// Takes away what an import left that was killed, unless one is publishing now.
///
/// # Errors
///
/// [`StoreError`] when the database refuses.
pub(crate) fn discard_leftovers(path: &Path) -> Result<(), StoreError> {
    // The database may be a restored one, without a file of the turn beside it.
    let _turn = match take_turn(path) {
        Err(StoreError::Busy(_)) => return Ok(()),
        turn => turn?,
    };
    let writing = open::for_writing(path).map_err(|error| StoreError::Other(error.to_string()))?;
    discard(&writing)
}

/// Deletes hidden products, the last ones first, in short transactions.
pub(crate) fn discard(writing: &Writing) -> Result<(), StoreError> {
    let connection = &writing.connection;
    let mut log = Log::default();
    loop {
        let transaction = begin(connection)?;
        let range = transaction.query_row(
            "SELECT first, last FROM hidden_products ORDER BY first DESC LIMIT 1",
            [],
            |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?)),
        );
        let (first, last) = match range {
            Err(rusqlite::Error::QueryReturnedNoRows) => return Ok(()),
            range => range?,
        };
        let from = first.max(last - DELETED_AT_ONCE + 1);
        transaction.execute(
            "DELETE FROM products WHERE key BETWEEN ? AND ?",
            [from, last],
        )?;
        writing.changes.write(&transaction)?;
        if from == first {
            transaction.execute("DELETE FROM hidden_products WHERE first = ?", [first])?;
        } else {
            let shorter = "UPDATE hidden_products SET last = ? WHERE first = ?";
            transaction.execute(shorter, [from - 1, first])?;
        }
        transaction.commit()?;
        log.let_others_in(connection);
    }
}
