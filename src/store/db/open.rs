//! Opening a database file: refuse what is not ours, migrate what is old.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags, Transaction, TransactionBehavior};

use super::error::StoreError;
use super::paths::with_suffix;
use super::preflight::{self, APPLICATION_ID, OpenError};
use super::{private, schema};

/// How long a reader may wait for a free connection before it is told that the
/// database is busy (security, R18).
pub(crate) const READER_WAIT: Duration = Duration::from_secs(2);
/// How long a writer waits for another process that is writing.
const WRITER_WAIT: Duration = Duration::from_secs(30);
/// How long a writer waits before it looks again whether it may write.
const STEP: Duration = Duration::from_millis(1);
/// Statements that a connection keeps prepared, at most.
const STATEMENTS: usize = 96;
/// Pages of the WAL, of 4 KiB, from which on it is copied to the database: four times as many as
/// SQLite's own, so that a page which many clicks change is copied once, and no more than one
/// block of the WAL's index holds.
const WAL_PAGES: i64 = 4_000;
/// Bytes of the WAL that stay on the disk for the next writes.
const WAL_BYTES: i64 = 16 * 1_024 * 1_024;
/// Maximum page cache of a reading connection, in KiB: room for the upper levels of the tables and
/// indexes of a million products.
const READER_CACHE_KIB: i64 = 4 * 1_024;
/// Bytes up to which a database is looked through before it is written to: that takes
/// some 10 ms for each MB.
const SMALL: u64 = 8 * 1_024 * 1_024;

/// Refuses a file that can't be used, without changing or making anything. For a process
/// that has not opened the database yet.
pub fn examine(path: &Path) -> Result<(), OpenError> {
    preflight::examine(path, schema::newest()).map(|_| ())
}

/// Opens the connection that writes, after every check and migration.
pub(crate) fn for_writing(path: &Path) -> Result<Connection, OpenError> {
    let file = path.to_owned();
    for_writing_unless(path, move || preflight::is_read_only(&file))
}

/// As [`for_writing`]; while `is_refused` holds, transactions are undone in place of being
/// committed.
fn for_writing_unless(
    path: &Path,
    is_refused: impl Fn() -> bool + Send + 'static,
) -> Result<Connection, OpenError> {
    let open_here = is_open_here(path);
    let existing = open_here || preflight::examine(path, schema::newest())?.is_some();
    if existing && !open_here {
        // Each refuses a schema that is not as it should be, and changes nothing.
        if is_small(path) {
            find_damage(path)?;
        } else {
            for_reading(path)?;
        }
    }
    if !existing {
        private::make_empty(path).map_err(|error| OpenError::from_io(path, &error))?;
    } else if !open_here {
        for ending in ["", "-wal", "-shm"] {
            let file = with_suffix(path, ending);
            private::check_only_name(&file, ending)
                .map_err(|error| OpenError::other(path, &error))?;
            private::shut(&file);
        }
    }
    let mut connection = Connection::open_with_flags(path, flags())
        .map_err(|error| OpenError::from_sqlite(path, &error))?;
    if !existing {
        // Before anything else, so that a start that is cut short leaves a file
        // that the next start recognises as its own.
        connection
            .busy_timeout(WRITER_WAIT)
            .and_then(|()| connection.pragma_update(None, "application_id", APPLICATION_ID))
            .map_err(|error| OpenError::from_sqlite(path, &error))?;
    }
    prepare_writer(&connection).map_err(|error| OpenError::from_sqlite(path, &error))?;
    schema::migrate(&mut connection, path)?;
    // A file that was open before its disk was mounted read-only can still be written to,
    // and Linux says that it is on the disk when it is in memory only.
    connection
        .commit_hook(Some(is_refused))
        .map_err(|error| OpenError::from_sqlite(path, &error))?;
    note_open_here(path);
    Ok(connection)
}

/// Another connection that writes to a database that this process has open.
pub(crate) fn another_writer(path: &Path) -> Result<Connection, OpenError> {
    let fail = |error: rusqlite::Error| OpenError::from_sqlite(path, &error);
    let connection = Connection::open_with_flags(path, flags()).map_err(fail)?;
    prepare_writer(&connection).map_err(fail)?;
    Ok(connection)
}

/// Whether the database is looked through whenever a process opens it; the server looks
/// through others while it serves.
pub fn is_small(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|file| file.len() <= SMALL)
}

/// A connection that reads a database of any schema that this program knows, and leaves
/// it as it is.
///
/// # Errors
///
/// [`OpenError`] when there is none that this program can read, or its schema is not what
/// the program made.
pub(crate) fn for_reading(path: &Path) -> Result<Connection, OpenError> {
    let existing = is_open_here(path) || preflight::examine(path, schema::newest())?.is_some();
    if !existing {
        return Err(OpenError::Unusable {
            path: path.display().to_string(),
            reason: "there is no such database".to_owned(),
            advice: "Choose the file with --db.",
        });
    }
    let fail = |error: rusqlite::Error| OpenError::from_sqlite(path, &error);
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(fail)?;
    if preflight::has_wal(path) {
        // Without a WAL there is nothing to leave alone, and SQLite tidies up.
        connection
            .set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)
            .map_err(fail)?;
    }
    prepare_reader(&connection).map_err(fail)?;
    schema::check(&connection, path)?;
    Ok(connection)
}

/// Looks at the pages of the database at `path`, quickly: some seconds for each GB.
///
/// # Errors
///
/// [`OpenError::Damaged`], or why it can't be looked at.
pub fn find_damage(path: &Path) -> Result<(), OpenError> {
    let connection = for_reading(path)?;
    let found = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get::<_, String>(0));
    match found {
        Ok(found) if found == "ok" => Ok(()),
        Ok(found) => Err(OpenError::damaged(
            path,
            found.replace(char::is_whitespace, " "),
        )),
        Err(error) => Err(OpenError::from_sqlite(path, &error)),
    }
}

/// Begins a transaction that writes.
///
/// # Errors
///
/// [`StoreError::Busy`] when another process writes all the time.
pub(crate) fn begin(connection: &Connection) -> Result<Transaction<'_>, StoreError> {
    let immediate = TransactionBehavior::Immediate;
    Ok(Transaction::new_unchecked(connection, immediate)?)
}

/// What the database keeps of the shop's key, if it was used with one.
///
/// # Errors
///
/// [`OpenError`] when there is no database that this program can read.
pub fn key_check_of(path: &Path) -> Result<Option<[u8; 32]>, OpenError> {
    let connection = for_reading(path)?;
    let found = connection.query_row("SELECT mac FROM key_check", [], |row| row.get(0));
    match found {
        Ok(mac) => Ok(Some(mac)),
        Err(rusqlite::Error::QueryReturnedNoRows) => Ok(None),
        // A schema that has no accounts yet.
        Err(rusqlite::Error::SqliteFailure(_, Some(text))) if text.contains("no such table") => {
            Ok(None)
        }
        Err(error) => Err(OpenError::from_sqlite(path, &error)),
    }
}

/// The databases that this process has opened.
static OPEN_HERE: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Whether this process has opened the file before. It must not be read past SQLite then:
/// closing any handle of a file lets go of all locks that the process holds of it, and
/// another process would take the database for unused ("How To Corrupt An SQLite
/// Database File", section 2.2).
fn is_open_here(path: &Path) -> bool {
    let known = OPEN_HERE.lock().unwrap_or_else(PoisonError::into_inner);
    path.canonicalize().is_ok_and(|path| known.contains(&path))
}

fn note_open_here(path: &Path) {
    let mut known = OPEN_HERE.lock().unwrap_or_else(PoisonError::into_inner);
    known.extend(path.canonicalize());
}

/// A database that lives and ends with its connection.
pub(crate) fn in_memory() -> Result<Connection, OpenError> {
    let path = Path::new(":memory:");
    let mut connection =
        Connection::open_in_memory().map_err(|error| OpenError::from_sqlite(path, &error))?;
    harden(&connection).map_err(|error| OpenError::from_sqlite(path, &error))?;
    schema::migrate(&mut connection, path)?;
    Ok(connection)
}

/// No mutex of SQLite's own: a connection is used by one thread at a time.
/// Nor does one make a file: a database that went away must not come back empty.
pub(crate) fn flags() -> OpenFlags {
    OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX
}

/// What every connection refuses: nothing in a database is trusted because it stands in
/// one, and no statement writes past SQLite's own rules (SQLite's "Defense Against The
/// Dark Arts").
pub(crate) fn harden(connection: &Connection) -> rusqlite::Result<()> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    Ok(())
}

/// The settings of every connection that writes. FULL makes a commit durable
/// before it is acknowledged; with NORMAL, WAL may lose it to a power cut.
fn prepare_writer(connection: &Connection) -> rusqlite::Result<()> {
    harden(connection)?;
    // SQLite's own waiting looks ever less often: another process that writes again and
    // again would be waited for longer than it takes.
    connection.busy_handler(Some(wait_for_others))?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    switch_to_wal(connection)?;
    connection.pragma_update(None, "wal_autocheckpoint", WAL_PAGES)?;
    // A WAL that grew while somebody read for long, or while products were imported, gives
    // the room back.
    connection.pragma_update(None, "journal_size_limit", WAL_BYTES)?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)
}

/// Waits a moment for another process that writes, up to [`WRITER_WAIT`] in all.
pub(crate) fn wait_for_others(times: i32) -> bool {
    let waited = STEP * u32::try_from(times).unwrap_or(u32::MAX);
    std::thread::sleep(STEP);
    waited < WRITER_WAIT
}

/// Several processes may create one file at once; SQLite does not wait for the
/// others here, whatever busy timeout is set.
fn switch_to_wal(connection: &Connection) -> rusqlite::Result<()> {
    let start = Instant::now();
    loop {
        let switched = connection.pragma_update(None, "journal_mode", "WAL");
        let busy = switched
            .as_ref()
            .is_err_and(|error| error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy));
        if !busy || start.elapsed() > WRITER_WAIT {
            return switched;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// The settings of every pooled connection. WAL is a property of the file and
/// was set before the pool was made: setting it on several connections at once
/// fails with "database is locked".
pub(crate) fn prepare_reader(connection: &Connection) -> rusqlite::Result<()> {
    harden(connection)?;
    connection.busy_timeout(crate::store::READER_WAIT)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "cache_size", -READER_CACHE_KIB)?;
    connection.pragma_update(None, "query_only", true)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    #[test]
    fn nothing_is_committed_while_commits_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let is_refused = Arc::new(AtomicBool::new(true));
        let asked = Arc::clone(&is_refused);
        let path = folder.path().join("deals.sqlite");
        let connection = for_writing_unless(&path, move || asked.load(Ordering::Relaxed)).unwrap();
        let add = "INSERT INTO hidden_products (first, last) VALUES (1, 2)";
        let refused = connection.execute(add, []).map_err(StoreError::from);
        assert!(matches!(refused, Err(StoreError::ReadOnly)));
        is_refused.store(false, Ordering::Relaxed);
        connection.execute(add, []).unwrap();
    }
}
