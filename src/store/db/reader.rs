//! A connection for reading: one of the pool's, or the one that a thread has for itself.

use std::cell::{Cell, OnceCell};
use std::ops::Deref;

use r2d2::PooledConnection;
use r2d2_sqlite::SqliteConnectionManager;
use rusqlite::Connection;
use thread_local::ThreadLocal;

use super::opened_file::OpenedFile;

/// Where the connections that a store reads with are from.
#[derive(Clone, Copy)]
pub(crate) enum Readers {
    Pool,
    /// Each thread has its own.
    Own,
}

/// The connections that threads have for themselves. What SQLite holds for one is then allocated and
/// freed by one thread, and stays in the caches of its core: threads that take turns with connections
/// wait for each other's allocations, which costs a tenth of the pages that nobody asked for before
/// (`benches/listing.rs`).
#[derive(Default)]
pub(crate) struct OwnReaders(ThreadLocal<Own>);

#[derive(Default)]
struct Own {
    connection: OnceCell<Connection>,
    is_taken: Cell<bool>,
}

/// A connection for reading, for as long as this is there.
pub(crate) enum Reader<'a> {
    Pooled(Box<PooledConnection<SqliteConnectionManager>>),
    Own(OwnReader<'a>),
}

/// The connection of the thread that took it.
pub(crate) struct OwnReader<'a> {
    connection: &'a Connection,
    is_taken: &'a Cell<bool>,
}

impl OwnReaders {
    /// The connection of this thread, opened when it is the first time; nothing where it is taken
    /// already, or the file can't be opened any more.
    pub(crate) fn take(&self, file: &OpenedFile) -> Option<OwnReader<'_>> {
        let own = self.0.get_or_default();
        if own.connection.get().is_none() {
            // Nobody else sets it: it is this thread's.
            let _ = own.connection.set(file.open().ok()?);
        }
        let connection = own.connection.get()?;
        (!own.is_taken.replace(true)).then_some(OwnReader {
            connection,
            is_taken: &own.is_taken,
        })
    }
}

impl Drop for OwnReader<'_> {
    fn drop(&mut self) {
        self.is_taken.set(false);
    }
}

impl Deref for Reader<'_> {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        match self {
            Self::Pooled(connection) => connection,
            Self::Own(own) => own.connection,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn database(path: &Path) {
        let connection = Connection::open(path).unwrap();
        connection.execute_batch("CREATE TABLE a (b)").unwrap();
    }

    #[test]
    fn each_thread_has_one_connection_which_is_taken_once_at_a_time_and_closed_with_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deals.sqlite");
        database(&path);
        let opened = || {
            std::fs::read_dir("/proc/self/fd")
                .unwrap()
                .filter_map(|file| std::fs::read_link(file.unwrap().path()).ok())
                .filter(|target| *target == path)
                .count()
        };
        let own = OwnReaders::default();
        let file = OpenedFile::at(&path);
        let address = |reader: &OwnReader<'_>| std::ptr::from_ref(reader.connection) as usize;
        let first = own.take(&file).unwrap();
        let here = address(&first);
        assert!(own.take(&file).is_none(), "taken twice");
        drop(first);
        assert_eq!(address(&own.take(&file).unwrap()), here);
        let elsewhere =
            std::thread::scope(|scope| scope.spawn(|| address(&own.take(&file).unwrap())).join());
        assert_ne!(elsewhere.unwrap(), here);
        assert_eq!(opened(), 2);
        drop(own);
        assert_eq!(opened(), 0);
    }

    #[test]
    fn a_file_that_was_replaced_is_not_opened() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deals.sqlite");
        database(&path);
        let file = OpenedFile::at(&path);
        std::fs::rename(&path, folder.path().join("elsewhere.sqlite")).unwrap();
        assert!(OwnReaders::default().take(&file).is_none());
    }
}
