//! A copy of a database under a temporary name.

use std::fs::{self, File};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags};
use tempfile::NamedTempFile;

use super::contents::Contents;
use super::verify::{Finding, check, check_on_two_threads, is_derived, rebuild_derived};
use super::{BackupError, in_use};
use crate::store::checksum;
use crate::store::db::paths::{folder_of, with_suffix};
use crate::store::db::private::{check_replaceable, new_beside};
use crate::store::db::{open, schema};
use crate::store::search::changes::WriteConnection;
use crate::store::search::rebuild;

/// A temporary file beside its target; deleted if dropped before it is renamed.
pub(crate) struct TempCopy {
    pub(crate) file: NamedTempFile,
    /// Canonical path, because SQLite is set to follow no links.
    path: PathBuf,
}

impl TempCopy {
    pub(crate) fn beside(target: &Path) -> Result<Self, BackupError> {
        let fail = |error| BackupError::File(target.display().to_string(), error);
        check_replaceable(target).map_err(fail)?;
        Self::new(new_beside(target).map_err(fail)?).map_err(fail)
    }

    /// Takes a complete file, made by [`new_beside`].
    pub(crate) fn new(file: NamedTempFile) -> std::io::Result<Self> {
        let path = file.path().canonicalize()?;
        Ok(Self { file, path })
    }

    pub(crate) fn open(&self) -> rusqlite::Result<Connection> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX
            | OpenFlags::SQLITE_OPEN_NOFOLLOW;
        let connection = Connection::open_with_flags(&self.path, flags)?;
        open::harden(&connection)?;
        if self.is_in_place() {
            return Ok(connection);
        }
        // Another user may be able to write to the folder.
        let reason = "another file replaced the copy".to_owned();
        Err(rusqlite::Error::InvalidPath(reason.into()))
    }

    /// True if the path still names the created file, without other hard links.
    fn is_in_place(&self) -> bool {
        let made = self.file.as_file().metadata();
        let there = fs::symlink_metadata(&self.path);
        made.is_ok_and(|made| {
            there.is_ok_and(|there| {
                (made.dev(), made.ino()) == (there.dev(), there.ino()) && there.nlink() == 1
            })
        })
    }

    /// Verifies the copy; on two threads while no server runs that could miss the time.
    pub(crate) fn verify(&self, is_alone: bool) -> Result<Contents, BackupError> {
        let connection = self.open()?;
        connection.execute_batch("BEGIN")?;
        let (contents, findings) = if is_alone {
            check_on_two_threads(&connection, self.open()?)
        } else {
            check(&connection)
        };
        let problems: Vec<(&'static str, String)> = findings
            .into_iter()
            .filter_map(|Finding { subject, outcome }| Some((subject, outcome.err()?)))
            .collect();
        if let Some((subject, problem)) = problems.iter().find(|(subject, _)| !is_derived(subject))
        {
            return Err(BackupError::Unsound(subject, problem.clone()));
        }
        if !problems.is_empty() {
            // Derived data can be rebuilt, and must not prevent a backup.
            for (subject, problem) in problems {
                tracing::warn!(subject, problem, "rebuilt in the copy");
            }
            rebuild_derived(&connection)?;
            connection.execute_batch("COMMIT; BEGIN")?;
            let (_, findings) = check(&connection);
            for Finding { subject, outcome } in findings {
                outcome.map_err(|problem| BackupError::Unsound(subject, problem))?;
            }
        }
        connection.execute_batch("COMMIT")?;
        let contents = contents
            .ok_or_else(|| BackupError::Unsound("contents", "they can't be read".to_owned()))?;
        // Migrate a copy now, so that a later start does not fail.
        let writing = WriteConnection::on(connection)?;
        let reindex = |connection: &Connection| rebuild::rebuild(connection).map(|_| ());
        schema::rehearse(&writing.connection, contents.schema, reindex)
            .map_err(|error| BackupError::Unsound("update", error.to_string()))?;
        Ok(contents)
    }

    /// Appends the checksum; the copy is not written to afterwards.
    pub(crate) fn seal(&mut self) -> Result<(), BackupError> {
        let path = self.path.display().to_string();
        checksum::append(self.file.as_file_mut()).map_err(|error| BackupError::File(path, error))
    }

    pub(crate) fn rename(self, target: &Path) -> Result<(), BackupError> {
        let fail = |error| BackupError::File(target.display().to_string(), error);
        self.file.as_file().sync_all().map_err(fail)?;
        if !self.is_in_place() {
            return Err(in_use(target, &"another file replaced the copy"));
        }
        self.remove_side_files();
        self.file
            .persist(target)
            .map_err(|error| fail(error.error))?;
        sync_folder(target).map_err(fail)
    }

    /// Deletes SQLite's side files, which a complete copy does not need.
    fn remove_side_files(&self) {
        for ending in SIDE_FILES {
            let _ = fs::remove_file(with_suffix(&self.path, ending));
        }
    }
}

/// Suffixes of files that SQLite may write beside a database.
pub(crate) const SIDE_FILES: [&str; 3] = ["-wal", "-shm", "-journal"];

/// Syncs the folder, without which a rename may be lost in a power cut.
fn sync_folder(path: &Path) -> std::io::Result<()> {
    File::open(folder_of(path))?.sync_all()
}
