//! One server for each database, and one import at a time.

use std::fs::{File, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::Path;
use std::time::Duration;

use super::error::StoreError;
use super::paths::with_suffix;
use super::preflight::OpenError;
use super::private::{lock_file, open_plain};

/// Held by the server as long as it runs. The system lets go of it when the process ends,
/// however that happens, so a file that is left means nothing.
#[derive(Debug)]
pub struct ServerLock(
    #[expect(dead_code, reason = "the lock lasts as long as the file is open")] File,
);

/// The ending of the name of the file that is locked.
const LOCK: &str = ".lock";
/// How often, and how soon again, the lock is tried: who only looks whether anybody has it
/// has it for an instant.
const TRIES: usize = 10;
const TRY_AGAIN: Duration = Duration::from_millis(1);

/// Reads the process id; the process may not have written it yet.
fn holder(file: &mut File) -> String {
    let mut text = String::new();
    let _ = file.read_to_string(&mut text);
    match text.trim_end() {
        "" => "unknown".to_owned(),
        pid => pid.to_owned(),
    }
}

/// The process id of the server that has the database at `path`, if one has.
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
    /// [`OpenError::Unusable`] when the file beside the database can't be made.
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

/// Waits until no other import is publishing; the turn ends when the file is closed.
///
/// # Errors
///
/// [`StoreError::Other`] when the file beside the database can't be locked.
pub(crate) fn wait_for_import(path: &Path) -> Result<File, StoreError> {
    let file = import_file(path)?;
    file.lock()
        .map_err(|error| StoreError::Other(format!("cannot lock the import's turn: {error}")))?;
    Ok(file)
}

/// The file that the import which is publishing holds a lock of; the system lets go
/// of it when the import ends, however that happens.
fn import_file(path: &Path) -> Result<File, StoreError> {
    lock_file(path, ".import-lock")
        .map_err(|error| StoreError::Other(format!("cannot lock {error}")))
}

/// The turn of an import, unless an import is publishing.
///
/// # Errors
///
/// [`StoreError::Busy`] when one is, and [`StoreError::Other`] when the file beside the
/// database can't be locked.
pub(crate) fn try_import(path: &Path) -> Result<File, StoreError> {
    let file = import_file(path)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(_) => Err(StoreError::Busy("an import is writing to it".to_owned())),
    }
}
