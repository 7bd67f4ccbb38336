//! Removes the leftovers of a killed import.

use crate::store::Store;
use crate::store::db::error::StoreError;
use crate::store::db::lock::try_import;
use crate::store::db::open::begin;
use crate::store::db::wal::WalLimit;
use crate::store::db::writer::BeforeCommit;
use crate::store::products::hidden::hidden;
use crate::store::search::changes::WriteConnection;

/// Products deleted in one transaction.
const DELETED_AT_ONCE: i64 = 2_000;

impl Store {
    /// Deletes the hidden products of a killed import, unless an import is publishing now.
    ///
    /// # Errors
    ///
    /// When the database refuses; what is deleted by then stays deleted.
    pub fn discard_leftovers(&self) -> Result<(), StoreError> {
        if self.read(|connection| Ok(hidden(connection)?.is_empty()))? {
            return Ok(());
        }
        let path = self.path();
        // Before the lock: opening may have to wait for it.
        let writing =
            WriteConnection::open(path).map_err(|error| StoreError::Other(error.to_string()))?;
        // A restored database may have no lock file beside it.
        let _turn = match try_import(path) {
            Err(StoreError::Busy(_)) => return Ok(()),
            turn => turn?,
        };
        discard(&writing)
    }
}

/// Deletes hidden products in short transactions, last ones first.
pub(crate) fn discard(writing: &WriteConnection) -> Result<(), StoreError> {
    let connection = &writing.connection;
    let mut wal = WalLimit::default();
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
        let sql = "DELETE FROM products WHERE key BETWEEN ? AND ?";
        transaction.execute(sql, [from, last])?;
        writing.changes.write(&transaction)?;
        if from == first {
            transaction.execute("DELETE FROM hidden_products WHERE first = ?", [first])?;
        } else {
            let shorter = "UPDATE hidden_products SET last = ? WHERE first = ?";
            transaction.execute(shorter, [from - 1, first])?;
        }
        transaction.commit()?;
        wal.let_others_in(connection);
    }
}
