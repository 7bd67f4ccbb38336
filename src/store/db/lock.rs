//! One server for each database, and none while an import has it for itself.

use std::fs::{File, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::Path;
use std::time::Duration;

use super::preflight::beside;
use super::private::{lock_file, open_plain};
use crate::store::OpenError;

/// Held by the server as long as it runs, and by an import that has the database for
/// itself. The system lets go of it when the process ends, however that happens, so a
/// file that is left means nothing.
#[derive(Debug)]
pub struct ServerLock(
    #[expect(dead_code, reason = "the lock lasts as long as the file is open")] File,
);

/// A process that has a database for itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Holder {
    /// The server with this process id.
    Server(String),
    /// The import with this process id.
    Import(String),
}

/// The ending of the name of the file that is locked.
const LOCK: &str = ".lock";
/// How often, and how soon again, the lock is tried: who only looks whether anybody has it
/// has it for an instant.
const TRIES: usize = 10;
const TRY_AGAIN: Duration = Duration::from_millis(1);
/// What an import writes after its process id.
const IMPORT: &str = " import";

impl Holder {
    /// Reads who it is; the process may not have written it yet.
    fn read(file: &mut File) -> Self {
        let mut text = String::new();
        let _ = file.read_to_string(&mut text);
        let text = text.trim_end();
        match text.strip_suffix(IMPORT) {
            Some(pid) => Self::Import(pid.to_owned()),
            None if text.is_empty() => Self::Server("unknown".to_owned()),
            None => Self::Server(text.to_owned()),
        }
    }
}

/// Who has the database at `path`, if anybody has.
pub fn holder_of(path: &Path) -> Option<Holder> {
    let canonical = path.canonicalize().ok()?;
    let mut file = open_plain(&beside(&canonical, LOCK)).ok()?;
    if file.try_lock_shared().is_ok() {
        return None;
    }
    Some(Holder::read(&mut file))
}

impl ServerLock {
    /// Takes the lock of the database at `path` for this server.
    ///
    /// # Errors
    ///
    /// [`OpenError::InUse`] at once when another server has it, [`OpenError::Importing`]
    /// when an import has, and [`OpenError::Unusable`] when the file beside the database
    /// can't be made.
    pub fn take(path: &Path) -> Result<Self, OpenError> {
        Self::take_as(path, "")
    }

    /// Takes it for an import.
    ///
    /// # Errors
    ///
    /// As [`ServerLock::take`].
    pub(crate) fn take_for_import(path: &Path) -> Result<Self, OpenError> {
        Self::take_as(path, IMPORT)
    }

    fn take_as(path: &Path, kind: &str) -> Result<Self, OpenError> {
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
                return Err(match Holder::read(&mut file) {
                    Holder::Server(pid) => OpenError::InUse { path, pid },
                    Holder::Import(pid) => OpenError::Importing { path, pid },
                });
            }
            Err(TryLockError::Error(error)) => return Err(fail(&error)),
        }
        file.set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| writeln!(file, "{}{kind}", std::process::id()))
            .map_err(|error| fail(&error))?;
        Ok(Self(file))
    }
}
