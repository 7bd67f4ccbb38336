//! A copy of a database that is not whole yet, nor found under its name.

use std::fs::{self, File};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags};
use tempfile::NamedTempFile;

use super::contents::Contents;
use super::verify::{Finding, check, is_derived, make_derived_anew};
use super::{BackupError, in_use};
use crate::store::db::paths::{folder_of, with_suffix};
use crate::store::db::private::{check_replaceable, new_beside};
use crate::store::db::{open, schema};
use crate::store::search::changes::Writing;
use crate::store::search::rebuild;

/// A file that becomes another one when it is whole; dropped before, it goes.
pub(crate) struct Unfinished {
    pub(crate) file: NamedTempFile,
    /// Its name, without links on the way: SQLite follows none to it.
    path: PathBuf,
}

impl Unfinished {
    pub(crate) fn beside(target: &Path) -> Result<Self, BackupError> {
        let fail = |error| BackupError::File(target.display().to_string(), error);
        check_replaceable(target).map_err(fail)?;
        let file = new_beside(target).map_err(fail)?;
        let path = file.path().canonicalize().map_err(fail)?;
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
        // The folder may belong to somebody else.
        let reason = "another file took the place of the copy".to_owned();
        Err(rusqlite::Error::InvalidPath(reason.into()))
    }

    /// Whether the name still leads to the file that was made, and nothing else does.
    fn is_in_place(&self) -> bool {
        let made = self.file.as_file().metadata();
        let there = fs::symlink_metadata(&self.path);
        made.is_ok_and(|made| {
            there.is_ok_and(|there| {
                (made.dev(), made.ino()) == (there.dev(), there.ino()) && there.nlink() == 1
            })
        })
    }

    pub(crate) fn verify(&self) -> Result<Contents, BackupError> {
        let connection = self.open()?;
        connection.execute_batch("BEGIN")?;
        let (contents, findings) = check(&connection);
        let problems: Vec<(&'static str, String)> = findings
            .into_iter()
            .filter_map(|Finding { subject, outcome }| Some((subject, outcome.err()?)))
            .collect();
        if let Some((subject, problem)) = problems.iter().find(|(subject, _)| !is_derived(subject))
        {
            return Err(BackupError::Unsound(subject, problem.clone()));
        }
        if !problems.is_empty() {
            // What is made of the products can be made of them again, and must not be in
            // the way of saving them.
            for (subject, problem) in problems {
                tracing::warn!(subject, problem, "made anew in the copy");
            }
            make_derived_anew(&connection)?;
            connection.execute_batch("COMMIT; BEGIN")?;
            let (_, findings) = check(&connection);
            for Finding { subject, outcome } in findings {
                outcome.map_err(|problem| BackupError::Unsound(subject, problem))?;
            }
        }
        connection.execute_batch("COMMIT")?;
        let contents = contents
            .ok_or_else(|| BackupError::Unsound("contents", "they can't be read".to_owned()))?;
        // The server would bring an older one up to date when it starts, and find out then.
        let writing = Writing::on(connection)?;
        let reindex = |connection: &Connection| rebuild::rebuild(connection).map(|_| ());
        schema::rehearse(&writing.connection, contents.schema, reindex)
            .map_err(|error| BackupError::Unsound("update", error.to_string()))?;
        Ok(contents)
    }

    pub(crate) fn rename(self, target: &Path) -> Result<(), BackupError> {
        let fail = |error| BackupError::File(target.display().to_string(), error);
        self.file.as_file().sync_all().map_err(fail)?;
        if !self.is_in_place() {
            return Err(in_use(target, &"another file took the place of the copy"));
        }
        self.remove_side_files();
        self.file
            .persist(target)
            .map_err(|error| fail(error.error))?;
        sync_folder(target).map_err(fail)
    }

    /// What SQLite left of itself; the copy is complete without.
    fn remove_side_files(&self) {
        for ending in SIDE_FILES {
            let _ = fs::remove_file(with_suffix(&self.path, ending));
        }
    }
}

/// What SQLite may write beside a database.
pub(crate) const SIDE_FILES: [&str; 3] = ["-wal", "-shm", "-journal"];

/// A renamed file is found after a power cut only when its folder is on the disk too.
fn sync_folder(path: &Path) -> std::io::Result<()> {
    File::open(folder_of(path))?.sync_all()
}
