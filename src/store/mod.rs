//! The only SQL. Methods are synchronous and say what they do to products.
//!
//! Readers take a connection from a pool and never wait for a writer (WAL).
//! All writes of the server go through one thread (see `db/writer.rs`); another
//! process, like an import beside a running server, takes turns with it through
//! SQLite's own lock.
//!
//! The rooms, the lower ones first; none reaches up but to the [`Store`], which they extend:
//!
//! - `db`: a SQLite file. `preflight` looks at one before SQLite does, `open` opens it,
//!   `schema` migrates it and refuses what is not as its version says, `writer` commits,
//!   `wal` keeps the WAL short, `lock` lets one server and one import at a time have it,
//!   `private` makes the files beside it, `sentinel` knows a served one again.
//! - `accounts`: users, sessions, registrations, codes, quotas and the outbox.
//! - `search`: the full-text index. Triggers report what changes to `changes`, `batch`
//!   gathers it by `terms`, `writer` writes posting lists, `rebuild` makes all of them
//!   again; `query` reads them, `suggest` finds what a misspelt search may have meant.
//! - `products`: one or many at once, the activity log, and the one list of `columns`. Lists and
//!   sorts read the view `live_products`, other readers `listed_products`; only `import` reads the
//!   table.
//! - `clicks`: what each click was found to be, and sums of them for reports.
//! - `list`: one page. `filter` finds the products that pass, as sets of document ids,
//!   `planner` those of one page, by the `sort_index` in memory or by SQLite's indexes; all as of
//!   one `snapshot`. `sort_cache` follows the `product_changes`.
//! - `import`: `session` stages rows, `staging` finds out which products they mean,
//!   `publish` adds them hidden and shows them at one moment, `cleanup` deletes what a killed
//!   one left.
//! - `settings`: what the owner says of the shop.
//! - `backup`: copies of the whole database, `verify`, and restoring one.

mod accounts;
mod backup;
mod clicks;
mod db;
mod import;
mod list;
mod products;
mod search;
mod settings;

use std::panic::Location;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use r2d2_sqlite::SqliteConnectionManager;
use rusqlite::Connection;

pub use accounts::codes::{NewCode, WaitingRegistration};
pub use accounts::outbox::{MailKind, QueuedMail};
pub use accounts::users::{SignInRecord, StoredUser};
pub use backup::contents::Contents;
pub use backup::verify::{Finding, forbidden_by_programmes, is_derived, verify};
pub use backup::{BackupError, back_up, replace};
pub use clicks::Looked;
pub use db::error::StoreError;
pub use db::lock::{ServerLock, server_of};
pub use db::open::{examine, find_damage, is_small, key_check_of};
pub use db::paths::{folder_of, with_suffix};
pub use db::pending::Pending;
pub use db::preflight::{OpenError, free_bytes, is_read_only};
pub use db::private::{
    check_replaceable, give_to_owner_of, new_beside, open_lock, open_plain, whole_name,
};
pub use db::sentinel::Loss;
pub use db::version::Version;
pub use db::writer::WriteFigures;
pub use import::ImportCounts;
pub use import::session::Import;
pub use list::planner::Plan;
pub use products::bulk::{BulkChange, BulkOutcome};
pub use products::lifetimes::StateCounts;
pub use products::prices::PricePoint;
pub use search::relevance::{CANDIDATES, Candidate, Score, score};
pub use search::terms::Query;
pub use settings::SettingsError;

use db::open::READER_WAIT;
use db::opened_file::OpenedFile;
use db::sentinel::Sentinel;
use db::version::Versions;
use db::writer::Writer;
use list::sort_cache::SortCache;
use search::changes::Writing;

/// Reading connections: reads are short, so a few of them serve any load that
/// a small machine can take.
const READERS: u32 = 8;

/// A reading connection of the pool.
type Reader = r2d2::PooledConnection<SqliteConnectionManager>;

/// An open database. Cloning is cheap; the last clone that is dropped commits
/// what is waiting and closes the file.
#[derive(Clone)]
pub struct Store(Arc<Inner>);

struct Inner {
    file: OpenedFile,
    // The order of the fields is the order in which they are closed: the writer
    // last, so that its connection is the one that empties the WAL.
    readers: r2d2::Pool<SqliteConnectionManager>,
    versions: OnceLock<Versions>,
    sorts: SortCache,
    /// Clicks that were recorded since the database was opened.
    clicks: AtomicU64,
    writer: Writer,
}

impl Store {
    /// Opens the database, creating it when there is no such file, and brings
    /// its schema up to date.
    ///
    /// # Errors
    ///
    /// [`OpenError`] says why the file can't be used; a file that is refused
    /// is not changed.
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        let Writing {
            connection: writing,
            changes,
        } = Writing::open(path)?;
        let file = OpenedFile::at(path);
        let opened = file.clone();
        let manager = SqliteConnectionManager::file(path)
            .with_flags(db::open::flags())
            .with_init(move |connection| opened.prepare(connection));
        let readers = r2d2::Pool::builder()
            .max_size(READERS)
            .min_idle(Some(1))
            .connection_timeout(READER_WAIT)
            .test_on_check_out(false)
            .build(manager)
            .map_err(|error| OpenError::other(path, &error))?;
        let writer =
            Writer::start(writing, changes).map_err(|error| OpenError::other(path, &error))?;
        if let Ok(connection) = readers.get() {
            discard_leftovers(path, &connection);
        }
        let inner = Inner {
            file,
            readers,
            versions: OnceLock::new(),
            sorts: SortCache::default(),
            clicks: AtomicU64::default(),
            writer,
        };
        Ok(Self(Arc::new(inner)))
    }

    /// The version of the database, which every commit changes, whoever makes it.
    pub fn version(&self) -> Result<Version, StoreError> {
        if let Some(versions) = self.0.versions.get() {
            return versions.now();
        }
        let opened = Versions::of(&*self.connection()?)?;
        self.0.versions.get_or_init(|| opened).now()
    }

    /// A reading connection that is not of the pool, for what may take long: whoever asks
    /// for a page must not wait for it.
    fn connection_of_its_own(&self) -> Result<Connection, StoreError> {
        Ok(self.0.file.open()?)
    }

    /// Where the database file is.
    pub fn path(&self) -> &Path {
        self.0.file.path()
    }

    /// Whether writes are taken: the writer answers, and after a write that failed, one
    /// succeeds.
    pub fn check_writable(&self) -> Pending<()> {
        let really = self.0.writer.is_failing();
        self.write(move |connection| {
            // Looked at often: it writes nothing while everything is well.
            if really {
                // SQLite leaves out what changes nothing, so there and back.
                connection.execute_batch(
                    "UPDATE product_counts SET products = products + 1; \
                     UPDATE product_counts SET products = products - 1",
                )?;
            }
            Ok(())
        })
    }

    /// Makes sure from now on that the database stays the file that it is: what can't be
    /// found in it again is not acknowledged. For a server, once.
    ///
    /// # Errors
    ///
    /// [`OpenError::InUse`] when another server has the same file under another name.
    pub fn guard(&self) -> Result<(), OpenError> {
        let connection = db::open::another_writer(self.0.file.path())?;
        let sentinel = Sentinel::begin(&connection, self.0.file.path())?;
        self.0.writer.guard(sentinel);
        Ok(())
    }

    /// Whether the file is lost, if it is guarded.
    ///
    /// # Errors
    ///
    /// [`StoreError::Gone`] when it is.
    pub fn look_for_loss(&self) -> Result<(), StoreError> {
        match self.0.writer.sentinel() {
            Some(sentinel) => {
                self.read(|connection| sentinel.look(connection).map_err(StoreError::Gone))
            }
            None => Ok(()),
        }
    }

    /// Saves what can be saved of a file that is lost, and gives where it is, if that is a
    /// file of its own: all that was in a deleted one, and the WAL of one that was
    /// overwritten. Nothing is left beside another file that it would take for its WAL.
    ///
    /// # Errors
    ///
    /// [`BackupError`] when nothing could be saved.
    pub fn save_from(&self, loss: Loss, now: Timestamp) -> Result<Option<PathBuf>, BackupError> {
        let named = |ending: &str| {
            let time = now.strftime("%Y%m%dT%H%M%SZ");
            with_suffix(self.0.file.path(), &format!("{ending}{time}"))
        };
        match loss {
            Loss::Moved => {
                backup::empty_wal(&*self.connection()?)?;
                Ok(None)
            }
            Loss::Deleted => {
                let to = named(db::preflight::RESCUED);
                let connection = self.connection()?;
                let sentinel = self.0.writer.sentinel();
                if !sentinel.is_some_and(|sentinel| sentinel.is_token_of(&connection)) {
                    return Err(StoreError::Busy("its connections are in use".to_owned()).into());
                }
                backup::save(&connection, &to)?;
                backup::empty_wal(&connection)?;
                Ok(Some(to))
            }
            Loss::Overwritten => {
                // The writer must know of it before it closes the file, or SQLite writes the
                // WAL into what is there now.
                let _ = self.check_writable().wait();
                let (wal, to) = (with_suffix(self.0.file.path(), "-wal"), named("-wal.lost-"));
                std::fs::rename(&wal, &to)
                    .map_err(|error| BackupError::File(wal.display().to_string(), error))?;
                Ok(Some(to))
            }
        }
    }

    /// What was written since the start.
    pub fn write_figures(&self) -> WriteFigures {
        self.0.writer.figures()
    }

    #[track_caller]
    fn read<T>(
        &self,
        query: impl FnOnce(&Connection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let connection = self.connection()?;
        let _timed = SlowQueryWarning::begin();
        query(&connection)
    }

    fn connection(&self) -> Result<Reader, StoreError> {
        let busy = |error: r2d2::Error| StoreError::Busy(error.to_string());
        self.0.readers.get().map_err(busy)
    }

    fn write<T, F>(&self, job: F) -> Pending<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    {
        self.0.writer.submit(job)
    }
}

/// Makes the full-text index of the database at `path` again, and returns how many products
/// it is of. No server may run meanwhile; an import is waited for.
///
/// # Errors
///
/// [`OpenError`] when the database can't be used, or refuses; the index is as it was then.
pub fn reindex(path: &Path) -> Result<u64, OpenError> {
    let _alone = ServerLock::take(path)?;
    let writing = Writing::open(path)?;
    search::rebuild::reindex(&writing.connection, path)
        .map_err(|error| OpenError::other(path, &error))
}

/// What a query may take before the owner should know: a hundred times what the slowest
/// page of a million products takes.
const SLOW: Duration = Duration::from_millis(500);

/// Warns of a query that took long, by where in the program it was asked: what was asked for is
/// nobody's business.
struct SlowQueryWarning {
    start: Instant,
    caller: &'static Location<'static>,
}

impl SlowQueryWarning {
    #[track_caller]
    fn begin() -> Self {
        Self {
            start: Instant::now(),
            caller: Location::caller(),
        }
    }
}

impl Drop for SlowQueryWarning {
    fn drop(&mut self) {
        let took = self.start.elapsed();
        if took > SLOW {
            tracing::warn!(ms = took.as_millis(), caller = %self.caller, "a slow query");
        }
    }
}

/// Spawns a thread that deletes what a killed import left; no list shows it.
fn discard_leftovers(path: &Path, connection: &Connection) {
    if products::hidden::hidden(connection).is_ok_and(|hidden| hidden.is_empty()) {
        return;
    }
    let path = path.to_owned();
    let discard = move || {
        if let Err(error) = import::cleanup::discard_leftovers(&path) {
            tracing::warn!(%error, "what a killed import left could not be deleted");
        }
    };
    if let Err(error) = std::thread::Builder::new()
        .name("leftovers".to_owned())
        .spawn(discard)
    {
        tracing::warn!(%error, "what a killed import left could not be deleted");
    }
}
