//! Further connections to a database that was opened before.

use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use rusqlite::Connection;

use super::open::{prepare_reader, reading};

/// Opens further connections for reading, as long as the path leads to the same file. Another file
/// that took its place has the same WAL index beside it, which SQLite would empty for it, below the
/// connections that use it (SIGBUS).
#[derive(Debug, Clone)]
pub(crate) struct OpenedFile {
    path: PathBuf,
    /// Its device and inode.
    id: Option<(u64, u64)>,
}

impl OpenedFile {
    /// Remembers the file that the path leads to now.
    pub(crate) fn at(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            id: id_of(path),
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn open(&self) -> rusqlite::Result<Connection> {
        let (address, flags) = reading(&self.path);
        let connection = Connection::open_with_flags(address, flags)?;
        self.prepare(&connection)?;
        Ok(connection)
    }

    /// Prepares a connection that has read nothing yet for reading.
    pub(crate) fn prepare(&self, connection: &Connection) -> rusqlite::Result<()> {
        if id_of(&self.path) != self.id {
            let path = self.path.display();
            let reason = format!("{path} was deleted or replaced");
            return Err(rusqlite::Error::InvalidPath(reason.into()));
        }
        prepare_reader(connection)
    }
}

fn id_of(path: &Path) -> Option<(u64, u64)> {
    let file = std::fs::metadata(path).ok()?;
    Some((file.dev(), file.ino()))
}
