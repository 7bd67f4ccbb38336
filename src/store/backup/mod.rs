//! Online backup and restore.

pub(crate) mod contents;
pub(crate) mod source;
pub(crate) mod temp_copy;
pub(crate) mod verify;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;
use rusqlite::Connection;
use rusqlite::backup::{Backup, StepResult};
use tempfile::NamedTempFile;

use self::contents::Contents;
use self::source::open_backup;
use self::temp_copy::{SIDE_FILES, TempCopy};
use super::checksum::take_off_received;
use super::db::lock::try_import;
use super::db::open;
use super::db::paths::with_suffix;
use super::db::preflight::has_wal;
use super::db::private::give_to_owner_of;
use super::db::rows::scalar;
use super::{ChecksumError, OpenError, ServerLock, StoreError, server_of, verify_checksum};
use crate::domain::timestamp_for_file;

/// Pages copied between two progress reports.
const PAGES: i32 = 2_048;

/// Reason for a failed backup or restore; existing files are unchanged.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The database cannot be used.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The copy failed verification.
    #[error("the copy was discarded because the database is damaged: {0}: {1}")]
    Unsound(&'static str, String),
    /// The backup is not as it was written.
    #[error(transparent)]
    Checksum(#[from] ChecksumError),
    /// The file to restore is no complete backup.
    #[error("{path} is not usable: {reason}. {advice}")]
    Source {
        /// The file.
        path: String,
        /// Fault of the file.
        reason: String,
        /// Remedy.
        advice: String,
    },
    /// The database to replace is in use.
    #[error("{0} is in use: {1}. Stop the programs that use it, then try again.")]
    InUse(String, String),
    /// The place of the backups cannot be used, for the reason in this sentence.
    #[error("{0}")]
    Place(String),
    /// Not enough disk space.
    #[error("{folder} has {free} free, and a backup needs {needed}. Make room there.")]
    NoRoom {
        /// Target folder.
        folder: String,
        /// Free space.
        free: String,
        /// Space needed.
        needed: String,
    },
    /// File system error.
    #[error("cannot write {0}: {1}")]
    File(String, std::io::Error),
    /// Database error.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<rusqlite::Error> for BackupError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Store(error.into())
    }
}

/// Result of [`replace`].
#[derive(Debug)]
pub struct Restored {
    /// Summary of the backup.
    pub contents: Contents,
    /// False for an older backup, whose content was checked by its structure only.
    pub has_checksum: bool,
    /// New path of the replaced database.
    pub replaced: Option<PathBuf>,
}

/// Copies a snapshot of the database at `from`, which may be in use, to `to`. The file appears, or
/// replaces another, only when complete, verified, with its checksum, and synced. `progress` gets the bytes copied and
/// the total.
pub fn back_up(
    from: &Path,
    to: &Path,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Contents, BackupError> {
    if !open::is_open_here(from) {
        verify_checksum(from)?;
    }
    let source = open::for_reading(from)?;
    let mut copy_file = TempCopy::beside(to)?;
    copy(&source, &copy_file, progress)?;
    let contents = copy_file.verify(false)?;
    copy_file.seal()?;
    copy_file.rename(to)?;
    Ok(contents)
}

/// Copies a snapshot to a new file, without verification.
///
/// # Errors
///
/// [`BackupError`] if it cannot be written; there is no file then.
pub(crate) fn save(source: &Connection, to: &Path) -> Result<(), BackupError> {
    let mut copy_file = TempCopy::beside(to)?;
    copy(source, &copy_file, &mut |_, _| ())?;
    copy_file.seal()?;
    copy_file.rename(to)
}

/// Checkpoints and truncates the WAL, which SQLite does not do when it closes a moved file.
///
/// # Errors
///
/// [`StoreError::Busy`] if a reader prevents it.
pub(crate) fn empty_wal(connection: &Connection) -> Result<(), StoreError> {
    if scalar(connection, "PRAGMA wal_checkpoint(TRUNCATE)", [])? {
        return Err(StoreError::Busy(
            "a reader prevents the checkpoint".to_owned(),
        ));
    }
    Ok(())
}

/// Replaces the database at `to` by a verified copy of the backup at `from`; with `rehearse` only
/// verifies. Deletes all sessions, so that ended ones do not revive.
pub fn replace(
    from: &Path,
    to: &Path,
    rehearse: bool,
    now: Timestamp,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Restored, BackupError> {
    // Before SQLite, which would describe damage in its own words, and miss most of it.
    let has_checksum = verify_checksum(from)?;
    let source = open_backup(from, &from.display().to_string())?;
    let copy_file = TempCopy::beside(to)?;
    copy(&source, &copy_file, progress)?;
    put_in_place(copy_file, has_checksum, to, rehearse, now)
}

/// Like [`replace`], by a backup that was received into a file made by [`new_beside`](super::new_beside),
/// which becomes the database. Errors call it `name`.
pub fn replace_by(
    mut received: NamedTempFile,
    name: &str,
    to: &Path,
    rehearse: bool,
    now: Timestamp,
) -> Result<Restored, BackupError> {
    let has_checksum = take_off_received(received.as_file_mut(), Path::new(name))?;
    drop(open_backup(received.path(), name)?);
    let copy_file = TempCopy::new(received);
    let copy_file =
        copy_file.map_err(|error| BackupError::File(to.display().to_string(), error))?;
    put_in_place(copy_file, has_checksum, to, rehearse, now)
}

fn put_in_place(
    copy_file: TempCopy,
    has_checksum: bool,
    to: &Path,
    rehearse: bool,
    now: Timestamp,
) -> Result<Restored, BackupError> {
    let is_alone = server_of(to).is_none();
    let contents = copy_file.verify(is_alone)?;
    let restored = |replaced| Restored {
        contents,
        has_checksum,
        replaced,
    };
    if rehearse {
        return Ok(restored(None));
    }
    end_sessions(&copy_file)?;
    let _server = ServerLock::acquire(to)?;
    let _import = try_import(to).map_err(|error| in_use(to, &error))?;
    give_to_owner_of(to, copy_file.file.as_file());
    // Locked until the rename, so that no command writes to the old database.
    let _exclusive = lock_exclusively(to)?;
    let replaced = set_aside(to, now)?;
    copy_file.rename(to)?;
    Ok(restored(replaced))
}

pub(crate) fn in_use(path: &Path, reason: &dyn std::fmt::Display) -> BackupError {
    BackupError::InUse(path.display().to_string(), reason.to_string())
}

fn copy(
    source: &Connection,
    copy_file: &TempCopy,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<(), BackupError> {
    let mut target = copy_file.open()?;
    target.execute_batch("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF")?;
    // The transaction fixes a snapshot; otherwise concurrent writes would restart the backup.
    source.execute_batch("BEGIN")?;
    source.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
    let page: u64 = source.pragma_query_value(None, "page_size", |row| row.get(0))?;
    {
        let backup = Backup::new(source, &mut target)?;
        loop {
            let step = backup.step(PAGES)?;
            let state = backup.progress();
            let pages = |count: i32| count as u64 * page;
            progress(
                pages(state.pagecount - state.remaining),
                pages(state.pagecount),
            );
            match step {
                StepResult::Done => break,
                StepResult::More => {}
                _ => std::thread::sleep(Duration::from_millis(10)),
            }
        }
    }
    source.execute_batch("COMMIT")?;
    // A server identifies its file by this token (`sentinel.rs`), so a copy needs another.
    target.execute_batch(
        "PRAGMA secure_delete = ON; UPDATE server_token SET token = randomblob(16)",
    )?;
    forget_devices(&target)?;
    // Make the file complete without a WAL.
    target.execute_batch("PRAGMA journal_mode = DELETE")?;
    Ok(())
}

/// Deletes the addresses and agents of sessions, which a backup would keep for longer than a session.
fn forget_devices(target: &Connection) -> rusqlite::Result<()> {
    // A database that is migrated later has none.
    let sql = "SELECT EXISTS (SELECT 1 FROM pragma_table_info('sessions') WHERE name = 'address')";
    if target.query_row(sql, [], |row| row.get(0))? {
        target.execute_batch("UPDATE sessions SET agent = NULL, address = NULL")?;
    }
    Ok(())
}

fn end_sessions(copy_file: &TempCopy) -> Result<(), BackupError> {
    let connection = copy_file.open()?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.execute_batch("DELETE FROM sessions; DELETE FROM codes")?;
    // Older backups are migrated later.
    let sql = "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'invitations')";
    if connection.query_row(sql, [], |row| row.get(0))? {
        // One that was withdrawn since would be open again.
        let sql = "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'outgoing')";
        connection.execute_batch(match connection.query_row(sql, [], |row| row.get(0))? {
            true => {
                "DELETE FROM invitations; DELETE FROM outgoing WHERE payload ->> 'kind' = 'invitation'"
            }
            false => "DELETE FROM invitations; DELETE FROM outbox WHERE is_invitation",
        })?;
    }
    Ok(())
}

/// Renames the database and its WAL, and returns the new path; `None` if there is no database.
fn set_aside(path: &Path, now: Timestamp) -> Result<Option<PathBuf>, BackupError> {
    let fail = |error| BackupError::File(path.display().to_string(), error);
    if !path.exists() && !has_wal(path) {
        return Ok(None);
    }
    let time = timestamp_for_file(now);
    let mut replaced = with_suffix(path, &format!(".replaced-{time}"));
    let mut number = 1;
    while replaced.exists() || with_suffix(&replaced, "-wal").exists() {
        number += 1;
        replaced = with_suffix(path, &format!(".replaced-{time}-{number}"));
    }
    // A WAL that could not be checkpointed stays with its database, never with the new one.
    if has_wal(path) {
        fs::rename(with_suffix(path, "-wal"), with_suffix(&replaced, "-wal")).map_err(fail)?;
    }
    for ending in SIDE_FILES {
        let _ = fs::remove_file(with_suffix(path, ending));
    }
    if path.exists() {
        // A hard link, so that the path always names a database.
        fs::hard_link(path, &replaced)
            .or_else(|_| fs::copy(path, &replaced).map(|_| ()))
            .map_err(fail)?;
    }
    Ok(Some(replaced))
}

/// Checkpoints the WAL and locks the database exclusively while the connection is open; `None` for
/// a database that is missing or unusable, which keeps its WAL.
fn lock_exclusively(path: &Path) -> Result<Option<Connection>, BackupError> {
    let Ok(connection) = open::for_reading(path) else {
        return Ok(None);
    };
    connection.busy_timeout(Duration::from_secs(2))?;
    connection.pragma_update(None, "query_only", false)?;
    let taken = connection
        .query_row("PRAGMA journal_mode = DELETE", [], |row| {
            row.get::<_, String>(0)
        })
        .and_then(|_| connection.execute_batch("BEGIN EXCLUSIVE"))
        // Another program may have switched to WAL mode between the two.
        .and_then(|()| {
            connection.pragma_query_value(None, "journal_mode", |row| row.get::<_, String>(0))
        });
    match taken {
        Ok(mode) if mode == "delete" => Ok(Some(connection)),
        Ok(_) => Err(in_use(path, &"another program has it open")),
        Err(error) if error.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseBusy) => {
            Err(in_use(path, &"another program has it open"))
        }
        Err(_) => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Store;

    #[test]
    fn a_database_being_replaced_refuses_writes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deals.sqlite");
        let new = folder.path().join("new.sqlite");
        drop(Store::open(&path).unwrap());
        back_up(&path, &new, &mut |_, _| ()).unwrap();
        let exclusive = lock_exclusively(&path).unwrap().unwrap();
        let other = Connection::open(&path).unwrap();
        other.busy_timeout(Duration::ZERO).unwrap();
        let write = || other.execute("UPDATE product_counts SET products = products + 1", []);
        assert!(write().is_err(), "it is locked");
        fs::rename(&new, &path).unwrap();
        drop(exclusive);
        assert!(write().is_err(), "it is another file now");
    }
}
