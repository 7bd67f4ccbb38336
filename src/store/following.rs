//! A copy that follows another shop: whole pages are written into it, and nothing else.

use std::path::{Path, PathBuf};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, params};

use super::db::opened_file::OpenedFile;
use super::db::rows::{run, scalar};
use super::db::version::Versions;
use super::db::writer::{Confirm, Writer, confirm};
use super::db::{open, private, schema};
use super::list::sort_cache::SortCache;
use super::{OpenError, Store, StoreError};

/// Offset of the schema's version in the first page (SQLite file format, section 1.3.9).
const VERSION_AT: usize = 40;
/// Writes the first page, and ends the file before another.
const END: &str = "INSERT INTO sqlite_dbpage (pgno, data) VALUES (1, ?1), (?2, NULL)";

/// Writes pages into a copy.
pub struct PageWriter {
    /// A connection that read something has parts of pages in memory, which writing pages does not
    /// renew: so this one only reads, and each transaction has another.
    reader: Connection,
    path: PathBuf,
    sorts: SortCache,
    /// Version of the schema, by SQLite's count, that this program can read; `None` in a new copy.
    checked: Option<i64>,
    /// How often the whole content was replaced.
    replacements: u8,
    /// Whether the sorts in memory may be of another history than the copy.
    is_replaced: bool,
}

impl Store {
    /// Opens the copy that a writer has, to read it. Every write fails.
    ///
    /// # Errors
    ///
    /// [`OpenError`] if it can't be read.
    pub fn follow(writer: &mut PageWriter) -> Result<Self, OpenError> {
        let path = &writer.path;
        let store = Self::with(path, Writer::refusing(StoreError::ReadOnly))?;
        let versions = store.read(Versions::read);
        let versions = versions.map_err(|error| OpenError::other(path, &error))?;
        let _ = store.0.versions.set(versions);
        writer.sorts = store.0.sorts.clone();
        Ok(store)
    }

    /// Acknowledges from now on only writes that are confirmed.
    pub fn confirm_by(&self, confirm: Confirm) {
        let _ = self.0.writer.health.confirm.set(confirm);
    }

    /// Returns once what another connection committed may be acknowledged; if nothing is, whether a write may begin.
    ///
    /// # Errors
    ///
    /// [`StoreError::Unconfirmed`] if not.
    pub fn confirm(&self, is_committed: bool) -> Result<(), StoreError> {
        confirm(&self.0.writer.health, is_committed)
    }
}

impl PageWriter {
    /// Opens a copy, or makes an empty one.
    ///
    /// # Errors
    ///
    /// [`OpenError`] if the file can't be used.
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        private::make_empty(path).map_err(|error| OpenError::from_io(path, &error))?;
        drop(open::another_writer(path)?);
        open::note_open_here(path);
        let reader = OpenedFile::at(path).open();
        Ok(Self {
            reader: reader.map_err(|error| OpenError::from_sqlite(path, &error))?,
            path: path.to_owned(),
            sorts: SortCache::default(),
            checked: None,
            replacements: 0,
            is_replaced: false,
        })
    }

    fn writer(&self) -> Result<Connection, StoreError> {
        let connection = open::another_writer(&self.path);
        let connection = connection.map_err(|error| StoreError::Other(error.to_string()))?;
        // It would forbid to write pages.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, false)?;
        Ok(connection)
    }

    /// Writes the pages that `read` gives in one transaction, after which the copy has as many as it
    /// returns.
    ///
    /// # Errors
    ///
    /// The error of `read`, or of writing; the copy is unchanged then.
    pub fn apply<E: From<StoreError>>(
        &mut self,
        read: impl FnOnce(&mut dyn FnMut(u32, &[u8]) -> Result<(), StoreError>) -> Result<u32, E>,
    ) -> Result<(), E> {
        let connection = self.writer()?;
        let transaction = open::begin(&connection)?;
        // Prepared before a page of the schema changes.
        let mut end = transaction.prepare(END).map_err(StoreError::from)?;
        let (mut first, mut count) = (None, 0);
        let size = read(&mut |number, page| {
            count += 1;
            if number == 1 {
                first = Some(page.to_vec());
                return Ok(());
            }
            let sql = "INSERT INTO sqlite_dbpage (pgno, data) VALUES (?1, ?2)";
            run(&transaction, sql, params![number, page])
        })?;
        // Every page, maybe but the one that SQLite never writes: it may be another history.
        let is_whole = count + 1 >= size;
        if let Some(mut first) = first {
            if is_whole && self.checked.is_some() {
                // Its schema may have the same version and be elsewhere, as in backups.
                self.replacements = self.replacements.wrapping_add(1);
                first[VERSION_AT] ^= self.replacements;
            }
            end.execute(params![first, u64::from(size) + 1])
                .map_err(StoreError::from)?;
        }
        self.is_replaced |= is_whole && self.sorts.close(true);
        drop(end);
        Ok(transaction.commit().map_err(StoreError::from)?)
    }

    /// After the whole copy was replaced: moves it from the WAL into the file, and lets lists use sorts in
    /// memory again, once nobody reads the former one.
    pub fn settle(&mut self) {
        let checkpoint = "PRAGMA wal_checkpoint(RESTART)";
        if self.is_replaced
            && let Ok(connection) = self.writer()
            && scalar(&connection, checkpoint, []) == Ok(false)
        {
            self.is_replaced = !self.sorts.close(false);
        }
    }

    /// Checks that this program can read the copy, and returns the MAC of its key, zeros if it has
    /// none.
    ///
    /// # Errors
    ///
    /// [`OpenError`] when its schema is of another version, or altered.
    pub fn check(&mut self) -> Result<[u8; 32], OpenError> {
        let version = number(&self.reader, "PRAGMA schema_version");
        if Some(version) != self.checked {
            schema::check(&self.reader, &self.path)?;
            if number(&self.reader, "PRAGMA user_version") != schema::newest() {
                let reason = "its schema is older than this program: update the leader";
                return Err(OpenError::other(&self.path, &reason));
            }
            self.checked = Some(version);
        }
        let key = scalar(&self.reader, "SELECT mac FROM key_check", []);
        Ok(key.unwrap_or_default())
    }
}

fn number(connection: &Connection, sql: &str) -> i64 {
    scalar(connection, sql, []).unwrap_or_default()
}
