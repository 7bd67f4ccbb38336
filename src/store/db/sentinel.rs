//! Detects that the served file was moved, deleted or overwritten: SQLite would go on committing to
//! it, and the commits would be lost.

use std::fs::{File, TryLockError};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rusqlite::{Connection, params};

use crate::store::OpenError;

/// Size of the token in bytes: random, written by the server when it starts.
const TOKEN: usize = 16;
/// Attempts to checkpoint the token into the file at a start, and the pause between them.
const SETTLING: u32 = 500;
const SETTLING_STEP: Duration = Duration::from_millis(10);

/// Recognises the database of a running server.
pub(crate) struct Sentinel {
    path: PathBuf,
    /// Locked against another server that uses another name of the file. Never closed: closing any
    /// handle of a file releases the locks that SQLite holds on it.
    file: &'static File,
    token: [u8; TOKEN],
    page: usize,
    /// Offset of the page with the token, in bytes; 0 while the token is only in the WAL.
    offset: AtomicU64,
}

/// How the file was lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loss {
    /// It has another name now.
    Moved,
    /// It has no name any more and disappears when it is closed; another file may have its name.
    Deleted,
    /// Another program wrote into it.
    Overwritten,
}

impl Loss {
    /// Returns a predicate for the file's name.
    pub fn predicate(self) -> &'static str {
        match self {
            Self::Moved => "was moved",
            Self::Deleted => "was deleted or replaced",
            Self::Overwritten => "was overwritten by another program",
        }
    }
}

impl Sentinel {
    /// Writes a new token into the database that a server opened.
    ///
    /// # Errors
    ///
    /// [`OpenError::InUse`] when another server has it under another name.
    pub(crate) fn begin(connection: &Connection, path: &Path) -> Result<Self, OpenError> {
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
        // Nothing else lets go of it if this fails, as on a full disk, and is tried again.
        Self::write(connection, path, canonical, file).inspect_err(|_| {
            let _ = file.unlock();
        })
    }

    fn write(
        connection: &Connection,
        path: &Path,
        canonical: PathBuf,
        file: &'static File,
    ) -> Result<Self, OpenError> {
        let fail = |error: rusqlite::Error| OpenError::from_sqlite(path, &error);
        let mut token = [0; TOKEN];
        getrandom::fill(&mut token)
            .map_err(|error| OpenError::other(path, &std::io::Error::other(error)))?;
        connection
            .execute(
                "INSERT OR REPLACE INTO server_token (id, token) VALUES (1, ?)",
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

    /// Checkpoints the token from the WAL into the file, where [`check`](Self::check) reads it. A reader
    /// of an older snapshot delays that.
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

    /// Checks that the file is still the same. Takes some microseconds.
    pub(crate) fn check(&self, connection: &Connection) -> Result<(), Loss> {
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
        // A VACUUM may have moved the page.
        match self.offset_by(connection) {
            Ok(now) if self.is_at(now) => {
                self.offset.store(now, Ordering::Relaxed);
                Ok(())
            }
            Ok(now) if now != offset && self.is_token_of(connection) => Ok(()),
            _ => Err(Loss::Overwritten),
        }
    }

    /// Whether a connection reads the database with this token.
    pub(crate) fn is_token_of(&self, connection: &Connection) -> bool {
        let found = connection.query_row("SELECT token FROM server_token", [], |row| row.get(0));
        found.is_ok_and(|token: [u8; TOKEN]| token == self.token)
    }

    /// Returns the offset of the token's page by SQLite's catalogue.
    fn offset_by(&self, connection: &Connection) -> rusqlite::Result<u64> {
        let mut statement = connection
            .prepare_cached("SELECT rootpage FROM sqlite_schema WHERE name = 'server_token'")?;
        let number: u64 = statement.query_row([], |row| row.get(0))?;
        Ok((number.saturating_sub(1)).saturating_mul(self.page as u64))
    }

    fn is_at(&self, offset: u64) -> bool {
        let mut page = vec![0; self.page];
        self.file.read_exact_at(&mut page, offset).is_ok()
            && memchr::memmem::find(&page, &self.token).is_some()
    }
}
