//! The transactions of an import: many short ones beside a server, or one where there is
//! none, which nobody waits for.
//!
//! In one transaction the indexes are made once, at its end. Rows that are added beside a
//! server cost some pages of the log each, because every index is written to at
//! random places, over and over.

use std::ops::Deref;
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, Row, Transaction, TransactionBehavior};

use super::file::free_bytes;
use super::open::wait_for_others;
use super::{ServerLock, StoreError};

/// How long others are let in between two transactions: they look each millisecond.
pub(super) const PAUSE: Duration = Duration::from_millis(4);
/// Pages of the log, of 4 KiB, after which they are copied to the database: a page that
/// several transactions changed is copied once.
pub(super) const LOG_PAGES: i64 = 16_384;
/// How many more there are before that is tried again, where it was in vain.
const MORE_PAGES: i64 = LOG_PAGES / 4;
/// How often it is tried, a pause apart, to copy all of them while others write, and how
/// many may be left then, for which others have to wait.
const TRIES: usize = 10;
const FEW_PAGES: i64 = 1_024;
/// How long others are waited for before the log begins anew: who writes, and who reads
/// from it.
const OTHERS_WAIT: Duration = Duration::from_millis(50);
/// An index is made anew in a fraction of the time that adding so many rows to it takes,
/// as long as those that are there already are not more than so many times as many.
const WORTH: u64 = 4;
/// How much more room than the staged rows take one transaction needs: it is in the log
/// before it is in the database, the rows have indexes, and some wait on the disk for
/// theirs.
const ROOM: u64 = 4;

/// The lock that a server would hold, and keeps one from starting; `None` beside a server,
/// and where there is little room on the disk.
pub(super) fn alone(connection: &Connection, path: &Path) -> Option<ServerLock> {
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
pub(super) fn begin(connection: &Connection) -> Result<Transaction<'_>, StoreError> {
    Ok(Transaction::new_unchecked(
        connection,
        TransactionBehavior::Immediate,
    )?)
}

/// A part of an import: a transaction of its own, or of the one that is the whole.
pub(super) struct Part<'a> {
    connection: &'a Connection,
    transaction: Option<Transaction<'a>>,
}

impl<'a> Part<'a> {
    /// Begins a transaction, unless the whole import is one.
    pub(super) fn begin(connection: &'a Connection, is_alone: bool) -> Result<Self, StoreError> {
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
    pub(super) fn commit(self) -> Result<(), StoreError> {
        match self.transaction {
            Some(transaction) => Ok(transaction.commit()?),
            None => Ok(()),
        }
    }
}

/// What keeps the log short beside others. By itself SQLite begins it anew only where all
/// of it is copied and nobody reads from it just when somebody begins to write: beside an
/// import and a busy list that never happens, and a million products take ten gigabytes.
pub(super) struct Log {
    /// Pages from which on it is to begin anew.
    most: i64,
}

impl Default for Log {
    fn default() -> Self {
        Self { most: LOG_PAGES }
    }
}

impl Log {
    /// Lets others write, who waited for a transaction, and has a long log begin anew.
    pub(super) fn let_others_in(&mut self, connection: &Connection) {
        std::thread::sleep(PAUSE);
        match self.begin_anew(connection) {
            Ok(None) => self.most = LOG_PAGES,
            Ok(Some(pages)) => {
                tracing::info!(pages, "somebody reads for long, so the log grows");
                self.most = pages + MORE_PAGES;
            }
            Err(error) => tracing::warn!(%error, "the log could not be copied"),
        }
    }

    /// `None` when the log is short, or begins anew; otherwise how many pages it has.
    fn begin_anew(&self, connection: &Connection) -> rusqlite::Result<Option<i64>> {
        let copy = |how: &str| -> rusqlite::Result<(bool, i64, i64)> {
            let sql = format!("PRAGMA wal_checkpoint({how})");
            let counts = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
            connection.query_row(&sql, [], counts)
        };
        let (_, pages, _) = copy("NOOP")?;
        if pages < self.most {
            return Ok(None);
        }
        for left in (0..TRIES).rev() {
            // While others write. What somebody reads who began before is not copied, and
            // the counts are negative where another connection copies at the moment.
            let (_, pages, copied) = copy("PASSIVE")?;
            let few = if left == 0 { FEW_PAGES } else { 0 };
            if pages >= 0 && pages - copied <= few {
                // What came since, while nobody writes: whoever begins to read then needs
                // no log, and those who began before are waited for.
                connection.busy_timeout(OTHERS_WAIT)?;
                let restarted = copy("RESTART");
                connection.busy_handler(Some(wait_for_others))?;
                match restarted? {
                    (false, ..) => return Ok(None),
                    (true, pages, _) if pages >= 0 => return Ok(Some(pages)),
                    _ => {}
                }
            }
            if left > 0 {
                std::thread::sleep(PAUSE);
            }
        }
        Ok(Some(pages))
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
pub(super) fn put_off_indexes(
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
pub(super) fn make_index(transaction: &Connection, put_off: &str) -> Result<(), StoreError> {
    Ok(transaction.execute_batch(put_off)?)
}
