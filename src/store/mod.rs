//! Persistence: the only module with SQL. Methods block.
//!
//! Readers use a connection pool and never wait for a writer (WAL). One thread makes all writes of the server
//! (`db/writer.rs`), except imports: they take turns with it by SQLite's lock.
//!
//! Modules, lowest first; each uses only those before it, and extends [`Store`]:
//! - `checksum`: the SHA-256 that a backup carries.
//! - `db`: the SQLite file. `preflight` and `open` open it, `schema` creates and checks its schema,
//!   `writer` commits, `wal` limits the WAL, `lock` allows one server and one import at a time,
//!   `private` creates files beside it, `sentinel` detects its loss.
//! - `idempotency`, `outgoing`, `categories`: answers to repeated requests; the queue; categories, in memory too.
//! - `accounts`: users, sessions, registrations, codes, limits, mails and webhooks.
//! - `search`: the full-text index. `writer` and `rebuild` write it, `query` reads it, `suggest` corrects searches.
//! - `products`: single and bulk changes, prices, the activity log, and the list of `columns`.
//!   Only `import` reads the table, others the views `live_products` and `listed_products`.
//! - `clicks`: click sums by kind, reports and page views.
//! - `list`: one page. `filter` finds the matching keys, `planner` those of the page, on one
//!   `snapshot`, by the `sort_index` in memory, which `sort_cache` updates, or SQLite's indexes.
//! - `import`: a `session` stages rows, `staging` matches and `publish` writes them; `cleanup`.
//! - `channels` and their posts, `mappings`, own `pictures`, `subscribers`, `settings`, `server_settings`, with secrets.
//! - `following`, `backup`: a copy that follows another shop; copies, `verify`, and restoring one.

mod accounts;
mod backup;
mod categories;
pub(crate) mod channels;
mod checksum;
mod clicks;
mod collections;
mod db;
mod following;
mod idempotency;
mod import;
mod list;
mod mappings;
pub mod outgoing;
mod pictures;
mod products;
mod search;
mod server_settings;
mod settings;
pub(crate) mod subscribers;

use std::panic::Location;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use r2d2_sqlite::SqliteConnectionManager;
use rusqlite::{Connection, Params};

pub use accounts::codes::{NewCode, WaitingRegistration};
pub use accounts::factors::{StoredFactor, admins_without_factor_of};
pub use accounts::invitations::{Invitation, Invited, MAX_INVITATIONS, NewInvitation};
pub use accounts::keys::{KeyAdded, MAX_KEYS, NewApiKey};
pub use accounts::mails::{MailKind, QueuedMail};
pub use accounts::people::{Person, PersonChange, PersonChanged};
pub use accounts::quota::ClientCode;
pub use accounts::sessions::{Device, ListedSession};
pub use accounts::setup_link::SetupLink;
pub use accounts::users::{SignInRecord, StoredUser};
pub use accounts::webhooks::{MAX_WEBHOOKS, QueuedEvent, StoredWebhook, WebhookChoice};
pub use backup::contents::Contents;
pub use backup::source::decompressor_of;
pub use backup::verify::{Finding, forbidden_by_programmes, is_derived, trial_of, verify};
pub use backup::{BackupError, Restored, back_up, replace, replace_by};
pub use checksum::{ChecksumError, verify_checksum};
pub use clicks::{ClickSizes, NewPageViews};
pub use db::error::{Answer, ChangeError, StoreError};
pub use db::lock::{RunningServer, ServerLock, server_of};
pub use db::open::{FOLLOWED, examine, find_damage, is_small, key_check_of, server_token_of};
pub use db::paths::{folder_of, with_suffix};
pub use db::preflight::{OpenError, free_bytes, has_room, is_read_only, is_there};
pub use db::private::{
    check_replaceable, give_to_owner_of, new_beside, open_lock, open_plain, whole_name,
};
pub(crate) use db::rows::new_id;
pub use db::sentinel::Loss;
pub use db::writer::{Confirm, WriteFigures};
pub use db::{pending::Pending, version::Version};
pub use following::PageWriter;
pub use idempotency::{Keep, MakeAnswer, RepeatableRequest};
pub use import::ImportCounts;
pub use import::session::Import;
pub use list::planner::Plan;
pub use pictures::{PICTURE_GONE, PictureCount};
pub use products::bulk::{BulkChange, BulkOutcome, PriceExample, PricePreview};
pub use products::links::duplicates::{SameProduct, SameProducts};
pub use products::links::{LinkExample, RewrittenLinks, SellerName};
pub use products::{
    Added, duplicates::DuplicateGroup, lifetimes::StateCounts, queue::QueueError, queue::Queued,
    walk::WalkPage,
};
pub use search::relevance::{CANDIDATES, Candidate, Score, score};
pub use search::terms::Query;
pub use server_settings::{
    DerivedSetting, ServerSetting, ServerSettingChange, ServerSubject, server_setting_of,
};
pub use settings::SettingsError;

use categories::CategoryCache;
use clicks::{HourRows, week::ClickedCache};
use db::sentinel::Sentinel;
use db::version::Versions;
use db::writer::Writer;
use db::{open::READER_WAIT, opened_file::OpenedFile};
use list::sort_cache::SortCache;
use search::changes::WriteConnection;
use search::same_words::SameWordsCache;

use crate::domain::timestamp_for_file;

/// Size of the reader pool; reads are short, so a few serve the load of a small machine.
const READERS: u32 = 8;

/// A pooled read-only connection.
type ReadConnection = r2d2::PooledConnection<SqliteConnectionManager>;

/// An open database. Clones share it; dropping the last one commits pending writes and closes the
/// file.
#[derive(Clone)]
pub struct Store(Arc<StoreInner>);

struct StoreInner {
    file: OpenedFile,
    // Fields are dropped in this order: the writer last, so that its connection empties the WAL.
    readers: r2d2::Pool<SqliteConnectionManager>,
    versions: OnceLock<Versions>,
    sorts: SortCache,
    same_words: SameWordsCache,
    categories: CategoryCache,
    hour_rows: HourRows,
    clicked: ClickedCache,
    writer: Writer,
}

impl Store {
    /// Opens or creates the database and migrates its schema. One on a read-only or full
    /// disk is only read; every write fails with [`StoreError::ReadOnly`] or [`StoreError::Full`].
    ///
    /// # Errors
    ///
    /// [`OpenError`] if the file cannot be used; it is unchanged then.
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        if is_read_only(path) && path.exists() {
            return Self::open_for_reading(path);
        }
        let opened = WriteConnection::open(path).and_then(|writing| {
            let writer = Writer::start(writing.connection, writing.changes);
            writer.map_err(|error| OpenError::other(path, &error))
        });
        match opened {
            Ok(writer) => Self::with(path, writer),
            Err(_) if is_there(path) && !has_room(path) => Self::open_for_reading(path),
            Err(error) => Err(error),
        }
    }

    /// Opens a database on a read-only or full disk; every write fails.
    ///
    /// # Errors
    ///
    /// [`OpenError`] if the file cannot be used, or is to be migrated first.
    pub fn open_for_reading(path: &Path) -> Result<Self, OpenError> {
        db::open::check_for_reading(path)?;
        let reason = if is_read_only(path) {
            StoreError::ReadOnly
        } else {
            StoreError::Full
        };
        Self::with(path, Writer::refusing(reason))
    }

    fn with(path: &Path, writer: Writer) -> Result<Self, OpenError> {
        let file = OpenedFile::at(path);
        let opened = file.clone();
        let (address, flags) = db::open::reading(path);
        let manager = SqliteConnectionManager::file(address)
            .with_flags(flags)
            .with_init(move |connection| opened.prepare(connection));
        let readers = r2d2::Pool::builder()
            .max_size(READERS)
            .min_idle(Some(1))
            .connection_timeout(READER_WAIT)
            .test_on_check_out(false)
            .build(manager)
            .map_err(|error| OpenError::other(path, &error))?;
        let inner = StoreInner {
            file,
            readers,
            versions: OnceLock::new(),
            sorts: SortCache::default(),
            same_words: SameWordsCache::default(),
            categories: CategoryCache::default(),
            hour_rows: HourRows::default(),
            clicked: ClickedCache::default(),
            writer,
        };
        Ok(Self(Arc::new(inner)))
    }

    /// Returns the database version, which every commit of any process changes.
    pub fn version(&self) -> Result<Version, StoreError> {
        if let Some(versions) = self.0.versions.get() {
            return versions.now();
        }
        if self.is_read_only() {
            return Ok(Version::FIXED);
        }
        let opened = Versions::read(&*self.connection()?)?;
        self.0.versions.get_or_init(|| opened).now()
    }

    /// Opens a reader outside the pool, for long reads that must not delay pages.
    fn connection_of_its_own(&self) -> Result<Connection, StoreError> {
        Ok(self.0.file.open()?)
    }

    /// Returns true if every write fails: the disk was read-only or full when the database was opened,
    /// or it follows another shop.
    pub fn is_read_only(&self) -> bool {
        self.0.writer.is_refusing()
    }

    /// Path of the database file.
    pub fn path(&self) -> &Path {
        self.0.file.path()
    }

    /// Checks that the writer responds; after a failed write, also that one succeeds.
    pub fn check_writable(&self) -> Pending<()> {
        let really = self.0.writer.is_failing();
        self.write(move |connection| {
            // Called often, so it writes only after a failure.
            if really {
                // SQLite skips a write without effect, so change and revert.
                connection.execute_batch(
                    "UPDATE product_counts SET products = products + 1; \
                     UPDATE product_counts SET products = products - 1",
                )?;
            }
            Ok(())
        })
    }

    /// Starts checking, before each write is acknowledged, that the path still leads to this
    /// database file. Called once, by a server.
    ///
    /// # Errors
    ///
    /// [`OpenError::InUse`] if another server uses the same file under another name.
    pub fn guard(&self) -> Result<(), OpenError> {
        if self.is_read_only() {
            return Ok(());
        }
        let connection = db::open::another_writer(self.0.file.path())?;
        let sentinel = Sentinel::begin(&connection, self.0.file.path())?;
        self.0.writer.guard(sentinel);
        Ok(())
    }

    /// Checks that a guarded file was not moved, deleted or overwritten.
    ///
    /// # Errors
    ///
    /// [`StoreError::Gone`] if it was.
    pub fn look_for_loss(&self) -> Result<(), StoreError> {
        match self.0.writer.sentinel() {
            Some(sentinel) => {
                self.read(|connection| sentinel.check(connection).map_err(StoreError::Gone))
            }
            None => Ok(()),
        }
    }

    /// Rescues a lost file's data and returns the path of the copy: the whole database if it was
    /// deleted, its WAL if it was overwritten, none if it was moved. Leaves no WAL beside a file
    /// that it does not belong to.
    ///
    /// # Errors
    ///
    /// [`BackupError`] if nothing could be saved.
    pub fn save_from(&self, loss: Loss, now: Timestamp) -> Result<Option<PathBuf>, BackupError> {
        let named = |ending: &str| {
            let time = timestamp_for_file(now);
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
                // The writer must notice the loss before it closes the file, or SQLite writes the
                // WAL into the new file.
                let _ = self.check_writable().wait();
                let (wal, to) = (with_suffix(self.0.file.path(), "-wal"), named("-wal.lost-"));
                std::fs::rename(&wal, &to)
                    .map_err(|error| BackupError::File(wal.display().to_string(), error))?;
                Ok(Some(to))
            }
        }
    }

    /// Returns counts of writes since the start.
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

    fn connection(&self) -> Result<ReadConnection, StoreError> {
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

    /// Executes one statement in the writer's thread.
    fn execute<P>(&self, sql: &'static str, values: P) -> Pending<()>
    where
        P: Params + Send + 'static,
    {
        self.write(move |connection| {
            connection.prepare_cached(sql)?.execute(values)?;
            Ok(())
        })
    }
}

/// Rebuilds the full-text index and returns the number of products. No server may run; waits for an
/// import.
///
/// # Errors
///
/// [`OpenError`] if the database cannot be used; the index is unchanged then.
pub fn reindex(path: &Path) -> Result<u64, OpenError> {
    let _alone = ServerLock::acquire(path)?;
    let writing = WriteConnection::open(path)?;
    search::rebuild::reindex(&writing.connection, path)
        .map_err(|error| OpenError::other(path, &error))
}

/// Duration from which a query is logged: a hundred times the slowest page of a million products.
const SLOW: Duration = Duration::from_millis(500);

/// Logs a slow query by its caller's location; parameters are private.
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
        if took > SLOW
            && let Some(not_logged) = SLOW_QUERIES.allow(Instant::now())
        {
            let ms = took.as_millis();
            tracing::warn!(ms, caller = %self.caller, not_logged, "a slow query");
        }
    }
}

/// Time of the last line about a slow query, and how many were not logged since: at most one a minute
/// is, since visitors can cause them.
struct SlowQueries(Mutex<(Option<Instant>, u64)>);

static SLOW_QUERIES: SlowQueries = SlowQueries(Mutex::new((None, 0)));

impl SlowQueries {
    /// Returns the number of lines left out before this one, or `None` if it is left out as well.
    fn allow(&self, now: Instant) -> Option<u64> {
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (last, left_out) = &mut *lines;
        let minute = Duration::from_secs(60);
        if last.is_some_and(|last| now.saturating_duration_since(last) < minute) {
            *left_out += 1;
            return None;
        }
        *last = Some(now);
        Some(std::mem::take(left_out))
    }
}
