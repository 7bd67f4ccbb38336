//! Whether the database is still the file that the server opened: a file that was moved,
//! deleted or overwritten takes commits without a word, and they are lost.

use std::fs::{File, TryLockError};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rusqlite::{Connection, params};

use crate::store::OpenError;

/// Random bytes that the server writes into its database when it starts.
const TOKEN: usize = 16;
/// How often, and how soon again, they are written into the file at a start.
const SETTLING: u32 = 500;
const SETTLING_STEP: Duration = Duration::from_millis(10);

/// What a running server knows its database by.
pub(crate) struct Sentinel {
    path: PathBuf,
    /// Locked, so that no other server has it, also by another name. It is never closed:
    /// closing any handle of a file lets go of the locks that SQLite holds of it.
    file: &'static File,
    token: [u8; TOKEN],
    page: usize,
    /// Where the page with the token begins in the file; 0 where it could not be written
    /// there.
    offset: AtomicU64,
}

/// What became of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loss {
    /// It has another name now.
    Moved,
    /// It has no name any more, and goes when it is closed; another file may have its name.
    Deleted,
    /// Something else was written into it.
    Overwritten,
}

impl Loss {
    /// In words that follow the file's name.
    pub fn words(self) -> &'static str {
        match self {
            Self::Moved => "was moved",
            Self::Deleted => "was deleted or replaced",
            Self::Overwritten => "was overwritten by another program",
        }
    }
}

impl Sentinel {
    /// Marks the database of a server, by the connection that writes.
    ///
    /// # Errors
    ///
    /// [`OpenError::InUse`] when another server has it under another name.
    pub(crate) fn begin(connection: &Connection, path: &Path) -> Result<Self, OpenError> {
        let fail = |error: rusqlite::Error| OpenError::from_sqlite(path, &error);
        let canonical = path
            .canonicalize()
            .map_err(|error| OpenError::from_io(path, &error))?;
        let file = File::open(&canonical).map_err(|error| OpenError::from_io(path, &error))?;
        let file: &'static File = Box::leak(Box::new(file));
        if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
            return Err(OpenError::InUse {
                path: path.display().to_string(),
                pid: "unknown, under another name of the file".to_owned(),
            });
        }
        let mut token = [0; TOKEN];
        getrandom::fill(&mut token)
            .map_err(|error| OpenError::other(path, &std::io::Error::other(error)))?;
        connection
            .execute(
                "INSERT OR REPLACE INTO serving (one, token) VALUES (1, ?)",
                params![token],
            )
            .map_err(fail)?;
        let page = connection
            .pragma_query_value(None, "page_size", |row| row.get(0))
            .map_err(fail)?;
        let sentinel = Self {
            path: canonical,
            file,
            token,
            page,
            offset: AtomicU64::new(0),
        };
        sentinel.settle(connection).map_err(fail)?;
        Ok(sentinel)
    }

    /// Has SQLite write the token from the WAL into the file, where it is looked for. While
    /// somebody reads what was before, it stays in the WAL: readers are short at a start.
    fn settle(&self, connection: &Connection) -> rusqlite::Result<()> {
        for _ in 0..SETTLING {
            connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()))?;
            let offset = self.offset_by(connection)?;
            if self.is_at(offset) {
                self.offset.store(offset, Ordering::Relaxed);
                return Ok(());
            }
            std::thread::sleep(SETTLING_STEP);
        }
        tracing::warn!(
            "somebody reads the database all the time: whether another program overwrites it \
             is not seen"
        );
        Ok(())
    }

    /// Tells when the file is lost. Costs some microseconds.
    pub(crate) fn look(&self, connection: &Connection) -> Result<(), Loss> {
        let own = self.file.metadata();
        let there = std::fs::metadata(&self.path);
        match (own, there) {
            (Ok(own), Ok(there)) if (own.dev(), own.ino()) == (there.dev(), there.ino()) => {}
            (Ok(own), _) if own.nlink() == 0 => return Err(Loss::Deleted),
            _ => return Err(Loss::Moved),
        }
        let offset = self.offset.load(Ordering::Relaxed);
        if offset == 0 || self.is_at(offset) {
            return Ok(());
        }
        // Somebody may have had SQLite pack the file again.
        match self.offset_by(connection) {
            Ok(now) if self.is_at(now) => {
                self.offset.store(now, Ordering::Relaxed);
                Ok(())
            }
            Ok(now) if now != offset && self.is_token_of(connection) => Ok(()),
            _ => Err(Loss::Overwritten),
        }
    }

    /// Whether a connection reads the database that was marked.
    pub(crate) fn is_token_of(&self, connection: &Connection) -> bool {
        let found = connection.query_row("SELECT token FROM serving", [], |row| row.get(0));
        found.is_ok_and(|token: [u8; TOKEN]| token == self.token)
    }

    /// Where the token's page is, as SQLite knows it.
    fn offset_by(&self, connection: &Connection) -> rusqlite::Result<u64> {
        let mut statement = connection
            .prepare_cached("SELECT rootpage FROM sqlite_schema WHERE name = 'serving'")?;
        let number: u64 = statement.query_row([], |row| row.get(0))?;
        Ok((number.saturating_sub(1)).saturating_mul(self.page as u64))
    }

    fn is_at(&self, offset: u64) -> bool {
        let mut page = vec![0; self.page];
        self.file.read_exact_at(&mut page, offset).is_ok()
            && memchr::memmem::find(&page, &self.token).is_some()
    }
}
