//! Opening a database file: refuse what is not ours, migrate what is old.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode, OpenFlags, Transaction, TransactionBehavior};
use rusqlite_migration::{HookError, M, Migrations};

use super::WRITER_WAIT;
use super::index::{self, Changes};

/// Every schema change there ever was, oldest first; append only.
const MIGRATIONS: &[&str] = &[
    include_str!("migrations/0001_products.sql"),
    include_str!("migrations/0002_accounts.sql"),
    include_str!("migrations/0003_activity.sql"),
    include_str!("migrations/0004_undo.sql"),
    include_str!("migrations/0005_filters.sql"),
    include_str!("migrations/0006_search.sql"),
];
/// The migration after which the full-text index is made anew, from 1.
const INDEXED_ANEW: usize = 6;
/// 'deal' as four ASCII bytes: tells this program's files from other SQLite files.
const APPLICATION_ID: u32 = 0x6465_616c;
/// How long a writer waits before it looks again whether it may write.
const STEP: Duration = Duration::from_millis(1);
/// Where an SQLite file keeps its identity (SQLite file format, section 1.3).
const HEADER: usize = 100;
const USER_VERSION_AT: usize = 60;
const APPLICATION_ID_AT: usize = 68;

/// Why a database file can't be used, in a sentence that says what to do.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The folder is missing, or the file can't be read or written.
    #[error("cannot open the database {path}: {reason}. {advice}")]
    Unusable {
        /// The file.
        path: String,
        /// What the system said.
        reason: String,
        /// What to do.
        advice: &'static str,
    },
    /// The file is something else; it was not touched.
    #[error(
        "{0} is not a deals database, so nothing in it was changed. Choose another file with --db."
    )]
    Foreign(String),
    /// A newer release wrote the file; it was not touched.
    #[error(
        "{path} was written by a newer version of deals (schema {found}, this program knows {known}), \
         so nothing in it was changed. Install the newer version."
    )]
    Newer {
        /// The file.
        path: String,
        /// The file's schema version.
        found: i64,
        /// The newest version this program knows.
        known: usize,
    },
    /// The file is damaged; it was not touched.
    #[error("{path} is damaged: {reason}. Restore a backup, or choose another file with --db.")]
    Damaged {
        /// The file.
        path: String,
        /// What SQLite said.
        reason: String,
    },
}

impl OpenError {
    pub(super) fn other(path: &Path, reason: &dyn std::fmt::Display) -> Self {
        Self::Unusable {
            path: path.display().to_string(),
            reason: reason.to_string(),
            advice: "Check the file and its folder, or choose another with --db.",
        }
    }

    fn from_sqlite(path: &Path, error: &rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => Self::Damaged {
                path: path.display().to_string(),
                reason: error.to_string(),
            },
            Some(ErrorCode::DatabaseBusy) => Self::Unusable {
                path: path.display().to_string(),
                reason: "another program is using it".to_owned(),
                advice: "Try again when it has finished.",
            },
            Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly) => Self::Unusable {
                path: path.display().to_string(),
                reason: "the file or its folder is not writable".to_owned(),
                advice: "Give this user write permission to both, or choose another file with --db.",
            },
            _ => Self::other(path, error),
        }
    }
}

/// A connection that writes, and what it has to add to the full-text index before it
/// commits.
pub(super) struct Writing {
    pub(super) connection: Connection,
    pub(super) changes: Changes,
}

impl Writing {
    pub(super) fn on(connection: Connection) -> rusqlite::Result<Self> {
        let changes = Changes::of(&connection)?;
        Ok(Self {
            connection,
            changes,
        })
    }
}

/// Opens the connection that writes, after every check and migration.
pub(super) fn for_writing(path: &Path) -> Result<Writing, OpenError> {
    let existing = is_open_here(path) || check_file(path)?;
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
    migrate(&mut connection, path)?;
    note_open_here(path);
    Writing::on(connection).map_err(|error| OpenError::from_sqlite(path, &error))
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
pub(super) fn in_memory() -> Result<Writing, OpenError> {
    let path = Path::new(":memory:");
    let mut connection =
        Connection::open_in_memory().map_err(|error| OpenError::from_sqlite(path, &error))?;
    migrate(&mut connection, path)?;
    Writing::on(connection).map_err(|error| OpenError::from_sqlite(path, &error))
}

/// No mutex of SQLite's own: a connection is used by one thread at a time.
pub(super) fn flags() -> OpenFlags {
    OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
}

/// The settings of every connection that writes. FULL makes a commit durable
/// before it is acknowledged; with NORMAL, WAL may lose it to a power cut.
fn prepare_writer(connection: &Connection) -> rusqlite::Result<()> {
    // SQLite's own waiting looks ever less often: another process that writes again and
    // again would be waited for longer than it takes.
    connection.busy_handler(Some(wait_for_others))?;
    connection.set_prepared_statement_cache_capacity(64);
    switch_to_wal(connection)?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)
}

/// Waits a moment for another process that writes, up to [`WRITER_WAIT`] in all.
fn wait_for_others(times: i32) -> bool {
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
pub(super) fn prepare_reader(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(super::READER_WAIT)?;
    connection.set_prepared_statement_cache_capacity(64);
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "query_only", true)
}

/// Looks at the file without SQLite, which could change it while recovering.
/// Tells whether there is a database already.
fn check_file(path: &Path) -> Result<bool, OpenError> {
    let mut header = Vec::new();
    match File::open(path) {
        Ok(file) => {
            file.take(HEADER as u64)
                .read_to_end(&mut header)
                .map_err(|error| OpenError::other(path, &error))?;
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {
            check_folder(path)?;
            return Ok(false);
        }
        Err(error) => return Err(OpenError::other(path, &error)),
    }
    if header.is_empty() {
        return Ok(false);
    }
    let foreign = || OpenError::Foreign(path.display().to_string());
    if header.len() < HEADER || !header.starts_with(b"SQLite format 3\0") {
        return Err(foreign());
    }
    if number_at(&header, APPLICATION_ID_AT) != Some(APPLICATION_ID) {
        return Err(foreign());
    }
    let version = number_at(&header, USER_VERSION_AT).unwrap_or_default();
    check_version(path, i64::from(version))?;
    Ok(true)
}

fn check_folder(path: &Path) -> Result<(), OpenError> {
    let folder = match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    if folder.is_dir() {
        Ok(())
    } else {
        Err(OpenError::Unusable {
            path: path.display().to_string(),
            reason: format!("there is no folder {}", folder.display()),
            advice: "Create it first, or choose another file with --db.",
        })
    }
}

fn number_at(header: &[u8], at: usize) -> Option<u32> {
    let bytes = header.get(at..at + 4)?.try_into().ok()?;
    Some(u32::from_be_bytes(bytes))
}

fn check_version(path: &Path, found: i64) -> Result<(), OpenError> {
    if found > i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX) {
        return Err(OpenError::Newer {
            path: path.display().to_string(),
            found,
            known: MIGRATIONS.len(),
        });
    }
    Ok(())
}

fn migrate(connection: &mut Connection, path: &Path) -> Result<(), OpenError> {
    // The log may hold a newer header than the file that check_file read.
    let version: i64 = connection
        .pragma_query_value(None, "user_version", |row| row.get(0))
        .map_err(|error| OpenError::from_sqlite(path, &error))?;
    check_version(path, version)?;
    if usize::try_from(version).is_ok_and(|version| version == MIGRATIONS.len()) {
        return Ok(());
    }
    if version > 0 {
        put_copy_aside(connection, path, version)?;
    }
    let steps = (1..).zip(MIGRATIONS).map(|(number, sql)| {
        if number == INDEXED_ANEW {
            M::up_with_hook(sql, |transaction: &Transaction<'_>| {
                index::rebuild(transaction).map_err(|error| HookError::Hook(error.to_string()))
            })
        } else {
            M::up(sql)
        }
    });
    let migrations = Migrations::new(steps.collect());
    connection.set_transaction_behavior(TransactionBehavior::Immediate);
    // Two processes may create the same file at once; the second one finds the
    // first one's schema when it tries again.
    migrations
        .to_latest(connection)
        .or_else(|_| migrations.to_latest(connection))
        .map_err(|error| OpenError::other(path, &error))
}

/// Keeps the file as it was before a migration, as `deals.sqlite.schema-1`.
fn put_copy_aside(connection: &Connection, path: &Path, version: i64) -> Result<(), OpenError> {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".schema-{version}"));
    let copy = PathBuf::from(name);
    if copy.exists() {
        return Ok(());
    }
    let mut part = copy.clone().into_os_string();
    part.push(".part");
    let part = PathBuf::from(part);
    let copied = (|| {
        if part.exists() {
            std::fs::remove_file(&part)?;
        }
        connection
            .execute("VACUUM INTO ?", [part.to_string_lossy()])
            .map_err(std::io::Error::other)?;
        File::open(&part)?.sync_all()?;
        std::fs::rename(&part, &copy)
    })();
    copied.map_err(|error| OpenError::Unusable {
        path: path.display().to_string(),
        reason: format!("it could not be copied to {}: {error}", copy.display()),
        advice: "The database was not changed. Make room, then start again.",
    })
}
