//! File locks: one server for each database, and one import at a time.

use std::fs::{File, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::Path;
use std::time::Duration;

use super::error::StoreError;
use super::paths::with_suffix;
use super::preflight::OpenError;
use super::private::{lock_file, open_plain};

/// The lock of a running server. The system releases it when the process ends, however that
/// happens, so a lock file that is left means nothing.
#[derive(Debug)]
pub struct ServerLock(
    #[expect(dead_code, reason = "the lock lasts as long as the file is open")] File,
);

/// Suffix of the lock file.
const LOCK: &str = ".lock";
/// Attempts to take the lock, and the pause between them: [`server_of`] has it for an instant.
const TRIES: usize = 10;
const TRY_AGAIN: Duration = Duration::from_millis(1);

/// Reads the process id, which the process may not have written yet.
fn holder(file: &mut File) -> String {
    let mut text = String::new();
    let _ = file.read_to_string(&mut text);
    match text.trim_end() {
        "" => "unknown".to_owned(),
        pid => pid.to_owned(),
    }
}

/// Returns the process id of the server that has locked the database at `path`.
pub fn server_of(path: &Path) -> Option<String> {
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
    pub fn take(path: &Path) -> Result<Self, OpenError> {
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
                let pid = holder(&mut file);
                return Err(OpenError::InUse { path, pid });
            }
            Err(TryLockError::Error(error)) => return Err(fail(&error)),
        }
        file.set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| writeln!(file, "{}", std::process::id()))
            .map_err(|error| fail(&error))?;
        Ok(Self(file))
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
