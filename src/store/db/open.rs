//! Opens database files: refuses foreign and damaged ones, migrates older ones.

use std::collections::BTreeSet;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, Once, PoisonError};
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::{
    Connection, ErrorCode, OpenFlags, OptionalExtension, Transaction, TransactionBehavior,
};

use super::error::StoreError;
use super::paths::{folder_of, with_suffix};
use super::preflight::{self, APPLICATION_ID, OpenError};
use super::{private, schema};
use crate::store::checksum::{self, ChecksumError};

/// Suffix of the file that marks a copy which follows another shop.
pub const FOLLOWED: &str = ".followed";
/// How long a reader waits for a free connection before it fails as busy (security, R18).
pub(crate) const READER_WAIT: Duration = Duration::from_secs(2);
/// How long a writer waits for another process that is writing.
const WRITER_WAIT: Duration = Duration::from_secs(30);
/// Pause between two attempts of a writer to lock the database.
const STEP: Duration = Duration::from_millis(1);
/// Maximum number of prepared statements that a connection caches.
const STATEMENTS: usize = 96;
/// Pages of the WAL, of 4 KiB, from which it is checkpointed: four times SQLite's default, so that a
/// page which many clicks change is copied once, and no more than one block of the WAL index holds.
const WAL_PAGES: i64 = 4_000;
/// Bytes to which the WAL is truncated when it is reset.
const WAL_BYTES: i64 = 16 * 1_024 * 1_024;
/// Maximum page cache of a reading connection, in KiB: room for the upper levels of the tables and
/// indexes of a million products.
const READER_CACHE_KIB: i64 = 4 * 1_024;
/// Bytes up to which a database is checked for damage before it is written to: that takes some 10 ms
/// for each MB.
const SMALL: u64 = 8 * 1_024 * 1_024;

/// Refuses a file that can't be used, without changing or creating anything. For a process that has
/// not opened the database yet.
pub fn examine(path: &Path) -> Result<(), OpenError> {
    preflight::examine(path, &schema::known_versions()).map(|_| ())
}

/// Opens the writing connection, after every check and migration.
pub(crate) fn for_writing(path: &Path) -> Result<Connection, OpenError> {
    let file = path.to_owned();
    for_writing_unless(path, move || preflight::is_read_only(&file))
}

/// As [`for_writing`]; while `is_refused` returns true, commits are rolled back.
fn for_writing_unless(
    path: &Path,
    is_refused: impl Fn() -> bool + Send + 'static,
) -> Result<Connection, OpenError> {
    if preflight::is_read_only(path) {
        return Err(OpenError::not_writable(path));
    }
    if with_suffix(path, FOLLOWED).exists() {
        return Err(OpenError::Unusable {
            path: path.display().to_string(),
            reason: "it is a copy that follows another shop".to_owned(),
            advice: "Make changes there. To go on with this copy alone, stop its server, then delete \
                     the file of the same name with .followed at its end.",
        });
    }
    let open_here = is_open_here(path);
    let existing = open_here || preflight::examine(path, &schema::known_versions())?.is_some();
    if existing && !open_here {
        checksum::take_off(path).map_err(|error| match error {
            ChecksumError::Differs(_) => OpenError::damaged(
                path,
                "its SHA-256 differs from the one that was recorded when it was backed up",
            ),
            ChecksumError::File(_, error) => OpenError::from_io(path, &error),
        })?;
        // Both refuse a changed schema, and change nothing.
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
            private::restrict(&file);
        }
    }
    let connection = Connection::open_with_flags(path, flags())
        .map_err(|error| OpenError::from_sqlite(path, &error))?;
    mark(&connection).map_err(|error| OpenError::from_sqlite(path, &error))?;
    prepare_writer(&connection).map_err(|error| OpenError::from_sqlite(path, &error))?;
    schema::migrate(&connection, path)?;
    // After Linux mounts a failing disk read-only, writes to open files still succeed, in memory only.
    connection
        .commit_hook(Some(is_refused))
        .map_err(|error| OpenError::from_sqlite(path, &error))?;
    note_open_here(path);
    Ok(connection)
}

/// Marks a new file as one of this program, before anything else, so that the next start recognises the
/// file of one that is cut short. The header that was examined may be rolled back when SQLite opens the
/// file, so its mark is read again.
fn mark(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(WRITER_WAIT)?;
    let found: u32 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    if found == APPLICATION_ID {
        return Ok(());
    }
    connection.pragma_update(None, "application_id", APPLICATION_ID)
}

/// Opens another writing connection to a database that this process has open.
pub(crate) fn another_writer(path: &Path) -> Result<Connection, OpenError> {
    let fail = |error: rusqlite::Error| OpenError::from_sqlite(path, &error);
    let connection = Connection::open_with_flags(path, flags()).map_err(fail)?;
    prepare_writer(&connection).map_err(fail)?;
    Ok(connection)
}

/// Whether the database is checked for damage whenever a process opens it; the server checks larger
/// ones in the background.
pub fn is_small(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|file| file.len() <= SMALL)
}

/// Opens a reading connection to a database of any known schema version, without changing it.
///
/// # Errors
///
/// [`OpenError`] when there is no database that this program can read, or its schema was changed.
pub(crate) fn for_reading(path: &Path) -> Result<Connection, OpenError> {
    let existing =
        is_open_here(path) || preflight::examine(path, &schema::known_versions())?.is_some();
    if !existing {
        return Err(OpenError::Unusable {
            path: path.display().to_string(),
            reason: "there is no such database".to_owned(),
            advice: "Choose the file with --db.",
        });
    }
    let fail = |error: rusqlite::Error| OpenError::from_sqlite(path, &error);
    let (address, flags) = reading(path);
    let connection = Connection::open_with_flags(address, flags).map_err(fail)?;
    if preflight::has_wal(path) {
        // Without a WAL there is nothing to preserve, and SQLite deletes its side files.
        connection
            .set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)
            .map_err(fail)?;
    }
    prepare_reader(&connection).map_err(fail)?;
    schema::check(&connection, path)?;
    Ok(connection)
}

/// Returns what a reading connection opens, and its flags. On a read-only or full disk SQLite can't
/// create the files that it needs beside a database, so it is opened as immutable.
pub(crate) fn reading(path: &Path) -> (PathBuf, OpenFlags) {
    if preflight::can_have_index(path) {
        return (path.to_owned(), flags());
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    // Transactions in a WAL are read by the WAL index that was left with it.
    if preflight::has_wal(path) {
        return (path.to_owned(), flags);
    }
    let mut address = "file:".to_owned();
    for &byte in path.as_os_str().as_bytes() {
        match byte {
            b'/' | b'.' | b'-' | b'_' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => {
                address.push(byte.into());
            }
            _ => address.push_str(&format!("%{byte:02X}")),
        }
    }
    address.push_str("?immutable=1");
    (address.into(), flags | OpenFlags::SQLITE_OPEN_URI)
}

/// Checks a database on a read-only or full disk, where it can't be migrated.
///
/// # Errors
///
/// [`OpenError`] when it is damaged, altered or of an older version.
pub(crate) fn check_for_reading(path: &Path) -> Result<(), OpenError> {
    let connection = for_reading(path)?;
    let version: i64 = connection
        .pragma_query_value(None, "user_version", |row| row.get(0))
        .map_err(|error| OpenError::from_sqlite(path, &error))?;
    if version != schema::newest() {
        return Err(OpenError::Unusable {
            path: path.display().to_string(),
            reason: format!("it is of schema {version}, and its disk is read-only or full"),
            advice: "Make room, or restore a backup of it on another disk, with `deals backup` and \
                     `deals restore`.",
        });
    }
    if is_small(path) {
        find_damage(path)?;
    }
    Ok(())
}

/// Checks the pages of the database at `path`: some seconds for each GB.
///
/// # Errors
///
/// [`OpenError::Damaged`], or why it can't be read.
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

/// Begins a writing transaction.
///
/// # Errors
///
/// [`StoreError::Busy`] when another process writes all the time.
pub(crate) fn begin(connection: &Connection) -> Result<Transaction<'_>, StoreError> {
    let immediate = TransactionBehavior::Immediate;
    Ok(Transaction::new_unchecked(connection, immediate)?)
}

/// Returns the stored MAC of the shop's key; `None` before the first start of a server.
///
/// # Errors
///
/// [`OpenError`] when there is no database that this program can read.
pub fn key_check_of(path: &Path) -> Result<Option<[u8; 32]>, OpenError> {
    let connection = for_reading(path)?;
    connection
        .query_row("SELECT mac FROM key_check", [], |row| row.get(0))
        .optional()
        .map_err(|error| OpenError::from_sqlite(path, &error))
}

/// Returns the token of the server that has the database at `path`, or had it last.
///
/// # Errors
///
/// [`OpenError`] when there is no database that this program can read.
pub fn server_token_of(path: &Path) -> Result<Option<[u8; 16]>, OpenError> {
    let connection = for_reading(path)?;
    connection
        .query_row("SELECT token FROM server_token", [], |row| row.get(0))
        .optional()
        .map_err(|error| OpenError::from_sqlite(path, &error))
}

/// The databases that this process has opened.
static OPEN_HERE: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Whether this process has opened the file before. It must not be read without SQLite then: closing
/// any handle of a file releases all locks of the process on it, and another process would take the
/// database for unused ("How To Corrupt An SQLite Database File", section 2.2).
pub(crate) fn is_open_here(path: &Path) -> bool {
    let known = OPEN_HERE.lock().unwrap_or_else(PoisonError::into_inner);
    path.canonicalize().is_ok_and(|path| known.contains(&path))
}

pub(crate) fn note_open_here(path: &Path) {
    let mut known = OPEN_HERE.lock().unwrap_or_else(PoisonError::into_inner);
    known.extend(path.canonicalize());
}

pub(crate) fn in_memory() -> Result<Connection, OpenError> {
    let path = Path::new(":memory:");
    let connection =
        Connection::open_in_memory().map_err(|error| OpenError::from_sqlite(path, &error))?;
    harden(&connection).map_err(|error| OpenError::from_sqlite(path, &error))?;
    schema::migrate(&connection, path)?;
    Ok(connection)
}

/// Flags of every connection. No mutex, as one thread at a time uses a connection; no creation, as a
/// deleted database must not come back empty.
pub(crate) fn flags() -> OpenFlags {
    OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX
}

/// Restricts a connection: the schema is not trusted, and no statement bypasses SQLite's own rules
/// (SQLite's "Defense Against The Dark Arts").
pub(crate) fn harden(connection: &Connection) -> rusqlite::Result<()> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    if let Some(path) = connection.path().filter(|path| !path.is_empty()) {
        place_temporary_files(connection, Path::new(path));
    }
    Ok(())
}

/// Has SQLite make the temporary files of this process beside the database where the system has no
/// folder for them, as in a container without /tmp.
pub(crate) fn place_temporary_files(connection: &Connection, database: &Path) {
    static PLACED: Once = Once::new();
    PLACED.call_once(|| {
        if tempfile::tempfile().is_ok() {
            return;
        }
        let folder = folder_of(database).to_str();
        if let Err(error) = connection.pragma_update(None, "temp_store_directory", folder) {
            tracing::warn!(%error, "there is no folder for temporary files: name one with TMPDIR");
        }
    });
}

/// Settings of writing connections. FULL makes a commit durable before it is acknowledged; with
/// NORMAL and WAL a power cut may lose it.
fn prepare_writer(connection: &Connection) -> rusqlite::Result<()> {
    harden(connection)?;
    // SQLite's own busy handler backs off, and loses against a process that writes again and again.
    connection.busy_handler(Some(wait_for_others))?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    switch_to_wal(connection)?;
    connection.pragma_update(None, "wal_autocheckpoint", WAL_PAGES)?;
    // A WAL that grew beside a long read or an import is truncated.
    connection.pragma_update(None, "journal_size_limit", WAL_BYTES)?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)
}

/// Busy handler: waits for another writing process, up to [`WRITER_WAIT`] in all.
pub(crate) fn wait_for_others(times: i32) -> bool {
    let waited = STEP * u32::try_from(times).unwrap_or(u32::MAX);
    std::thread::sleep(STEP);
    waited < WRITER_WAIT
}

/// Switches to WAL mode, with retries: several processes may create one file at once, and SQLite
/// ignores the busy handler here.
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

/// Settings of reading connections. WAL mode is a property of the file and is set already: setting it
/// on several connections at once fails with "database is locked".
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
    fn a_refused_commit_fails_as_read_only() {
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
