//! Backups: those of `deals backup`, and the schedule of a server's, in a folder or a bucket.

mod folder;
mod remote;
mod temporary;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

pub use folder::rotate;
pub use remote::{Remote, file_name};
pub use temporary::with_copy;

use super::disk;
use crate::bucket::Address;
use crate::store::{BackupError, Store, Version, free_bytes};

/// How late a backup may be before that counts as a problem.
const PATIENCE: Duration = Duration::from_secs(3_600);
/// Longest time without a backup of a shop in which nothing changes.
const UNCHANGED: Duration = Duration::from_secs(24 * 3_600);

/// Where backups are kept.
#[derive(Debug, Clone)]
pub enum Place {
    /// A folder, which has no other files with such names.
    Folder(PathBuf),
    /// A part of a bucket.
    Bucket(Address),
}

impl Place {
    /// Parses the name of a folder or the address of a bucket.
    ///
    /// # Errors
    ///
    /// A sentence about an address that no bucket can have.
    pub fn parse(text: &str) -> Result<Self, String> {
        match Address::parse(text) {
            None => Ok(Self::Folder(text.into())),
            Some(address) => address.map(Self::Bucket),
        }
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Folder(folder) => folder.display().fmt(f),
            Self::Bucket(address) => address.fmt(f),
        }
    }
}

/// A backup that was made.
#[derive(Debug, Clone)]
pub struct Backup {
    /// The path of a file, or the address of an object.
    pub name: String,
    /// When it was made.
    pub at: SystemTime,
    /// Its size in bytes.
    pub bytes: u64,
}

impl Backup {
    /// Describes its age and size, like `12 minutes old, 3.4 MB`.
    pub fn described(&self) -> String {
        let minutes = self.at.elapsed().unwrap_or_default().as_secs() / 60;
        let (number, unit) = match minutes {
            0..120 => (minutes, "minute"),
            120..2_880 => (minutes / 60, "hour"),
            _ => (minutes / 1_440, "day"),
        };
        let age = crate::domain::counted(number, unit);
        format!("{age} old, {}", disk::readable(self.bytes))
    }
}

/// The schedule of backups. Clones share what is known of a bucket.
#[derive(Debug, Clone)]
pub struct Plan {
    place: Place,
    every: Duration,
    keep: usize,
    known: Arc<Mutex<Known>>,
}

/// State of a bucket at the last run.
#[derive(Debug, Default)]
struct Known {
    newest: Option<Backup>,
    /// False until the first run, which may find the backups of an earlier server.
    has_run: bool,
    /// The database at the last backup of this server.
    version: Option<Version>,
}

impl Plan {
    /// Plans a backup each time that so long has passed, of which so many are kept.
    pub fn new(place: Place, every: Duration, keep: usize) -> Self {
        Self {
            place,
            every,
            keep: keep.max(1),
            known: Arc::default(),
        }
    }

    /// Returns where the backups are.
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// Returns the newest backup: in a folder as it is, in a bucket as it was at the last run.
    ///
    /// # Errors
    ///
    /// When the folder can't be read.
    pub fn newest(&self, database: &Path) -> std::io::Result<Option<Backup>> {
        match &self.place {
            Place::Folder(folder) => Ok(folder::made(folder, database)?.into_iter().next()),
            Place::Bucket(_) => Ok(self.known().newest.clone()),
        }
    }

    /// Returns all backups, the newest first.
    ///
    /// # Errors
    ///
    /// A sentence.
    pub fn made(&self, database: &Path) -> Result<Vec<Backup>, String> {
        match &self.place {
            Place::Folder(folder) => folder::made(folder, database).map_err(|error| {
                format!(
                    "{} can't be read: {error}. Create it, or correct DEALS_BACKUP_DIR.",
                    folder.display()
                )
            }),
            Place::Bucket(address) => {
                let made = Remote::open(address).and_then(|remote| remote.list());
                made.map_err(|error| error.to_string())
            }
        }
    }

    /// Returns true if the newest backup is older than it should be, and `None` if there is none yet.
    pub fn is_late(&self, newest: Option<SystemTime>) -> Option<bool> {
        let age = newest?.elapsed().unwrap_or_default();
        let longest = match self.place {
            Place::Folder(_) => self.every,
            Place::Bucket(_) => self.every.max(UNCHANGED),
        };
        Some(age > longest + PATIENCE)
    }

    /// Makes a backup if one is due, deletes the oldest, and returns the time until the next.
    ///
    /// # Errors
    ///
    /// A sentence; the backups that were there are whole.
    pub fn run(&self, store: &Store) -> Result<Duration, BackupError> {
        match &self.place {
            Place::Folder(folder) => self.run_in_folder(folder, store.path()),
            Place::Bucket(address) => self.run_in_bucket(address, store),
        }
    }

    fn run_in_folder(&self, folder: &Path, database: &Path) -> Result<Duration, BackupError> {
        let shown = folder.display();
        let made = folder::prepare(folder, database).map_err(|error| {
            BackupError::Place(format!("the folder {shown} can't be used: {error}"))
        })?;
        let wait = self.until_next(made.first());
        if !wait.is_zero() {
            return Ok(wait);
        }
        folder::make(folder, database)?;
        if let Err(error) = folder::discard_old(folder, database, self.keep) {
            tracing::error!(folder = %shown, %error, "an old backup could not be removed");
        }
        Ok(self.every)
    }

    fn run_in_bucket(&self, address: &Address, store: &Store) -> Result<Duration, BackupError> {
        let database = store.path();
        let remote = Remote::open(address)?;
        let mut made = remote.list()?;
        let newest = made.first();
        let wait = self.until_next(newest);
        let version = store.version().ok();
        {
            let mut known = self.known();
            if known.has_run
                && let Some(newest) = newest
            {
                let seen = known.newest.as_ref().map(|seen| &seen.name);
                remote.check_is_ours(newest, seen, database)?;
            }
            known.newest = newest.cloned();
            known.has_run = true;
            if !wait.is_zero() {
                return Ok(wait);
            }
            let age = newest.and_then(|newest| newest.at.elapsed().ok());
            if known.version.is_some()
                && known.version == version
                && age.is_some_and(|age| age < UNCHANGED)
            {
                return Ok(self.every);
            }
        }
        let (backup, contents) = remote.make(database, &mut |_, _| ())?;
        let mut known = self.known();
        known.newest = Some(backup.clone());
        known.version = version;
        drop(known);
        tracing::info!(
            object = backup.name,
            products = contents.products,
            size = disk::readable(backup.bytes),
            "backed up"
        );
        made.insert(0, backup);
        if let Err(error) = remote.discard_old(&made, self.keep) {
            tracing::error!(%error, "an old backup could not be removed");
        }
        Ok(self.every)
    }

    /// Returns the time until the next backup, zero if one is due.
    fn until_next(&self, newest: Option<&Backup>) -> Duration {
        // A time in the future says nothing.
        let age = newest.and_then(|newest| newest.at.elapsed().ok());
        age.map_or(Duration::ZERO, |age| self.every.saturating_sub(age))
    }

    /// Reserves the names of this database's backups in a folder for this process, as long as the
    /// file is open; `None` for a bucket.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::ResourceBusy`](std::io::ErrorKind) when another server has them, others when the
    /// folder can't be used.
    pub fn claim(&self, database: &Path) -> std::io::Result<Option<File>> {
        match &self.place {
            Place::Folder(folder) => folder::claim(folder, database).map(Some),
            Place::Bucket(_) => Ok(None),
        }
    }

    fn known(&self) -> std::sync::MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Refuses a copy of the database that would fill the disk of this folder.
fn check_room(folder: &Path, database: &Path) -> Result<(), BackupError> {
    let size = fs::metadata(database).map_or(0, |file| file.len());
    let needed = size.saturating_add(disk::LITTLE);
    match free_bytes(&folder.join("copy")) {
        Ok(free) if free < needed => Err(BackupError::NoRoom {
            folder: folder.display().to_string(),
            free: disk::readable(free),
            needed: disk::readable(needed),
        }),
        _ => Ok(()),
    }
}
