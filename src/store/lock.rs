//! One server for each database.

use std::fs::{File, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::Path;

use super::OpenError;
use super::file::{beside, give_to_owner_of};

/// Held by the server as long as it runs, and by an import that has the database for
/// itself. The system lets go of it when the process
/// ends, however that happens, so a file that is left means nothing.
#[derive(Debug)]
pub struct ServerLock(
    #[expect(dead_code, reason = "the lock lasts as long as the file is open")] File,
);

/// The process id of the server that serves the database at `path`, if one does.
pub fn server_of(path: &Path) -> Option<String> {
    let canonical = path.canonicalize().ok()?;
    let mut file = File::open(beside(&canonical, ".lock")).ok()?;
    if file.try_lock_shared().is_ok() {
        return None;
    }
    let mut pid = String::new();
    file.read_to_string(&mut pid).ok()?;
    Some(pid.trim().to_owned())
}

impl ServerLock {
    /// Takes the lock of the database at `path` and leaves this process's id in it.
    ///
    /// # Errors
    ///
    /// [`OpenError::InUse`] at once when another server has it, and
    /// [`OpenError::Unusable`] when the file beside the database can't be made.
    pub fn take(path: &Path) -> Result<Self, OpenError> {
        // However the path is spelt, it is one file.
        let canonical = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let fail = |error: &std::io::Error| OpenError::from_io(path, error);
        let name = beside(&canonical, ".lock");
        let mut file = File::options()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(&name)
            .map_err(|error| fail(&error))?;
        give_to_owner_of(&canonical, &name);
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut pid = String::new();
                // The other one may not have written it yet.
                let _ = file.read_to_string(&mut pid);
                let known = !pid.trim().is_empty();
                return Err(OpenError::InUse {
                    path: path.display().to_string(),
                    pid: if known { pid.trim() } else { "unknown" }.to_owned(),
                });
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
