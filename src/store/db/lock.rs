//! File locks: one server for each database, one import and one change in parts at a time.

use std::fs::{File, TryLockError};
use std::io::{ErrorKind, Read};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::time::Duration;

use super::error::StoreError;
use super::paths::with_suffix;
use super::preflight::OpenError;
use super::private::{lock_file, open_plain};

/// The lock of a running server. The system releases it when the process ends, however that
/// happens, so a lock file that is left means nothing.
#[derive(Debug)]
pub struct ServerLock(File);

/// Description of the server that has the lock, as in the lock file.
#[derive(Debug)]
pub struct RunningServer {
    /// The process id, or `unknown` if it is not written yet.
    pub pid: String,
    /// The last text of [`ServerLock::write_status`]; empty before the first.
    pub status: String,
}

/// Suffix of the lock file.
const LOCK: &str = ".lock";
/// Number of tries and the time between them: [`server_of`] has the lock for an instant.
const TRIES: usize = 10;
const TRY_AGAIN: Duration = Duration::from_millis(1);

/// Reads the lock file: a line with the process id, one with the status, and maybe the rest of a longer
/// status.
fn holder(file: &mut File) -> RunningServer {
    let mut text = String::new();
    let _ = file.read_to_string(&mut text);
    let mut lines = text.lines();
    let pid = lines.next().filter(|pid| !pid.is_empty());
    RunningServer {
        pid: pid.unwrap_or("unknown").to_owned(),
        status: lines.next().unwrap_or_default().to_owned(),
    }
}

/// Returns the server that has the database at `path`, if one has.
pub fn server_of(path: &Path) -> Option<RunningServer> {
    let canonical = path.canonicalize().ok()?;
    let mut file = open_plain(&with_suffix(&canonical, LOCK)).ok()?;
    if file.try_lock_shared().is_ok() {
        return None;
    }
    Some(holder(&mut file))
}

impl ServerLock {
    /// Takes the lock of the database at `path` for this server.
    ///
    /// # Errors
    ///
    /// [`OpenError::InUse`] at once when another server has it, and
    /// [`OpenError::Unusable`] when the lock file can't be created.
    pub fn acquire(path: &Path) -> Result<Self, OpenError> {
        let fail = |error: &std::io::Error| OpenError::from_io(path, error);
        let mut file = lock_file(path, LOCK).map_err(|error| fail(&error))?;
        let mut locked = file.try_lock();
        for _ in 1..TRIES {
            if locked.is_ok() {
                break;
            }
            std::thread::sleep(TRY_AGAIN);
            locked = file.try_lock();
        }
        match locked {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let path = path.display().to_string();
                let pid = holder(&mut file).pid;
                return Err(OpenError::InUse { path, pid });
            }
            Err(TryLockError::Error(error)) => return Err(fail(&error)),
        }
        let lock = Self(file);
        // A full disk may have no room for it; the lock is what matters.
        let _ = lock.write_status("");
        Ok(lock)
    }

    /// Replaces the status that other processes read, one line.
    ///
    /// # Errors
    ///
    /// When the system refuses.
    pub fn write_status(&self, status: &str) -> std::io::Result<()> {
        let text = format!("{}\n{status}\n", std::process::id());
        self.0.write_all_at(text.as_bytes(), 0)?;
        self.0.set_len(text.len() as u64)
    }
}

/// Waits until no other import is publishing, and locks others out until the file is closed.
///
/// # Errors
///
/// [`StoreError::Other`] when the file beside the database can't be locked.
pub(crate) fn wait_for_import(path: &Path) -> Result<File, StoreError> {
    let file = import_file(path)?;
    file.lock()
        .map_err(|error| StoreError::Other(format!("cannot lock the import: {error}")))?;
    Ok(file)
}

/// Waits until no other change in parts is being made, and keeps others from beginning until the file is
/// closed.
///
/// # Errors
///
/// When the file beside the database can't be locked.
pub(crate) fn wait_for_change(path: &Path) -> Result<File, StoreError> {
    let locked = lock_file(path, ".change-lock").and_then(|file| file.lock().map(|()| file));
    locked.map_err(|error| match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => StoreError::Full,
        _ => StoreError::Other(format!("cannot lock the change: {error}")),
    })
}

/// Opens the file that a publishing import locks.
fn import_file(path: &Path) -> Result<File, StoreError> {
    lock_file(path, ".import-lock")
        .map_err(|error| StoreError::Other(format!("cannot lock {error}")))
}

/// Locks other imports out, as [`wait_for_import`], without waiting.
///
/// # Errors
///
/// [`StoreError::Busy`] when an import is publishing, and [`StoreError::Other`] when the file beside the
/// database can't be locked.
pub(crate) fn try_import(path: &Path) -> Result<File, StoreError> {
    let file = import_file(path)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(_) => Err(StoreError::Busy("an import is writing to it".to_owned())),
    }
}
