//! Backups: those of `deals backup`, and the schedule of a server's, in a folder or a bucket.

mod folder;
mod label;
mod place;
mod remote;
mod schedule;
mod temporary;

use std::fs::{self, File};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use jiff::civil::DateTime;
use jiff::tz::TimeZone;

pub use folder::rotate;
pub use place::{BackupPlace, check_path};
pub use remote::{Remote, StoredBackups, file_name};
pub(crate) use schedule::sentence;
pub use schedule::{BackupOptions, BackupSchedule, root_of};
pub use temporary::{copy_with_room, with_copy};

use super::disk;
use crate::bucket::{Access, Address};
use crate::store::{BackupError, Store, Version, free_bytes};

/// How late a backup may be before that counts as a problem.
const PATIENCE: Duration = Duration::from_secs(3_600);
/// Longest time without a backup of a shop in which nothing changes.
const UNCHANGED: Duration = Duration::from_secs(24 * 3_600);
/// How far the clocks of two machines may be apart.
const SKEW: Duration = Duration::from_secs(300);
/// The time in the names of backups.
const TIME: &str = "%Y%m%dT%H%M%SZ";

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
    /// Whether its time lies in the future: the clock was wrong when it was made, or is now.
    pub fn is_ahead(&self) -> bool {
        is_ahead(self.at)
    }

    /// Describes its age and size, like `12 minutes old, 3.4 MB`.
    pub fn age_and_size(&self) -> String {
        if self.is_ahead() {
            return format!("dated in the future, {}", disk::readable(self.bytes));
        }
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

/// The schedule of backups. Clones share the state of the bucket.
#[derive(Debug, Clone)]
pub struct BackupPlan {
    place: BackupPlace,
    access: Access,
    every: Duration,
    keep: usize,
    known: Arc<Mutex<PlaceState>>,
}

/// State of the place at the last run.
#[derive(Debug, Default)]
struct PlaceState {
    /// Whether a folder has the backups of another shop.
    is_of_another: bool,
    newest: Option<Backup>,
    /// False until the first run, which may find the backups of an earlier server.
    has_run: bool,
    /// The database at the last backup of this server.
    version: Option<Version>,
    /// Whether a backup is being made.
    is_making: bool,
    /// Holds the names of the backups in a folder while it is open.
    claim: Option<File>,
}

impl BackupPlan {
    /// Plans a backup each time that so long has passed, of which so many are kept.
    pub fn new(place: BackupPlace, access: Access, every: Duration, keep: usize) -> Self {
        Self {
            place,
            access,
            every,
            keep: keep.max(1),
            known: Arc::default(),
        }
    }

    /// Returns where the backups are.
    pub fn place(&self) -> &BackupPlace {
        &self.place
    }

    /// Returns the newest backup that is not dated in the future: in a folder as it is, in a bucket
    /// as it was at the last run.
    ///
    /// # Errors
    ///
    /// When the folder can't be read.
    pub fn newest(&self, database: &Path) -> std::io::Result<Option<Backup>> {
        let newest = match &self.place {
            BackupPlace::Folder(_) if self.lock_known().is_of_another => None,
            BackupPlace::Folder(folder) => folder::made(folder, database)?.into_iter().next(),
            BackupPlace::Bucket(_) => self.lock_known().newest.clone(),
        };
        Ok(newest.filter(|newest| !newest.is_ahead()))
    }

    /// Returns all backups, the newest first.
    ///
    /// # Errors
    ///
    /// A sentence.
    pub fn made(&self, database: &Path) -> Result<Vec<Backup>, String> {
        match &self.place {
            BackupPlace::Folder(folder) => {
                folder::check_owner(folder, database).map_err(|error| error.to_string())?;
                folder::made(folder, database).map_err(|error| {
                    format!(
                        "{} can't be read: {error}. Create it, or correct DEALS_BACKUP_DIR.",
                        folder.display()
                    )
                })
            }
            BackupPlace::Bucket(address) => {
                let listing = Remote::open(address, &self.access).and_then(|remote| remote.list());
                let made = listing.map(|listing| listing.made);
                made.map_err(|error| error.to_string())
            }
        }
    }

    /// Whether the backups are in a folder on the disk of the database.
    pub fn is_on_same_disk(&self, database: &Path) -> bool {
        match &self.place {
            BackupPlace::Folder(folder) => folder::is_on_same_disk(folder, database),
            BackupPlace::Bucket(_) => false,
        }
    }

    /// Returns true if the newest backup is older than it should be, and `None` if there is none yet.
    pub fn is_late(&self, newest: Option<SystemTime>) -> Option<bool> {
        let age = newest?.elapsed().unwrap_or_default();
        let longest = match self.place {
            BackupPlace::Folder(_) => self.every,
            BackupPlace::Bucket(_) => self.every.max(UNCHANGED),
        };
        Some(age > longest + PATIENCE)
    }

    /// Whether a backup is being made.
    pub(super) fn is_making(&self) -> bool {
        self.lock_known().is_making
    }

    /// Makes a backup if one is due or `wanted`, deletes the oldest, and returns the time until the next.
    ///
    /// # Errors
    ///
    /// A sentence; the backups that were there are whole.
    pub(super) fn run(&self, store: &Store, wanted: bool) -> Result<Duration, BackupError> {
        let outcome = match &self.place {
            BackupPlace::Folder(folder) => self.run_in_folder(folder, store.path(), wanted),
            BackupPlace::Bucket(address) => self.run_in_bucket(address, store, wanted),
        };
        self.lock_known().is_making = false;
        outcome
    }

    fn run_in_folder(
        &self,
        folder: &Path,
        database: &Path,
        wanted: bool,
    ) -> Result<Duration, BackupError> {
        folder::prepare(folder, database)?;
        self.claim(database)
            .map_err(|error| BackupError::Place(error.to_string()))?;
        let taken = folder::take_over(folder, database);
        self.lock_known().is_of_another = taken.is_err();
        let made = taken?;
        let wait = self.until_next(made.first());
        if !wait.is_zero() && !wanted {
            return Ok(wait);
        }
        self.lock_known().is_making = true;
        warn_of_future(&made);
        folder::make(folder, database)?;
        if let Err(error) = folder::discard_old(folder, database, self.keep) {
            let folder = folder.display();
            tracing::error!(%folder, %error, "an old backup could not be removed");
        }
        Ok(self.every)
    }

    fn run_in_bucket(
        &self,
        address: &Address,
        store: &Store,
        wanted: bool,
    ) -> Result<Duration, BackupError> {
        let database = store.path();
        let remote = Remote::open(address, &self.access)?;
        let StoredBackups { mut made, skipped } = remote.list()?;
        let newest = made.first();
        let wait = self.until_next(newest);
        let version = store.version().ok();
        {
            let mut known = self.lock_known();
            if let Some(skipped) = skipped.filter(|_| !known.has_run) {
                tracing::warn!("{skipped}");
            }
            if known.has_run
                && let Some(newest) = newest
            {
                let seen = known.newest.as_ref().map(|seen| &seen.name);
                remote.check_is_ours(newest, seen, database)?;
            }
            known.newest = newest.cloned();
            known.has_run = true;
            if !wait.is_zero() && !wanted {
                return Ok(wait);
            }
            let age = newest.and_then(|newest| newest.at.elapsed().ok());
            if !wanted
                && known.version.is_some()
                && known.version == version
                && age.is_some_and(|age| age < UNCHANGED)
            {
                return Ok(self.every);
            }
            known.is_making = true;
        }
        warn_of_future(&made);
        let (backup, contents) = remote.make(database, &mut |_, _| ())?;
        let mut known = self.lock_known();
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
    pub fn until_next(&self, newest: Option<&Backup>) -> Duration {
        // A time in the future says nothing.
        let newest = newest.filter(|newest| !newest.is_ahead());
        let age = newest.map(|newest| newest.at.elapsed().unwrap_or_default());
        age.map_or(Duration::ZERO, |age| self.every.saturating_sub(age))
    }

    /// Reserves the names of this database's backups in a folder for this process, as long as the plan is
    /// in use.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::ResourceBusy`](std::io::ErrorKind) when another server has them, others when the
    /// folder can't be used.
    pub fn claim(&self, database: &Path) -> std::io::Result<()> {
        let claim = &mut self.lock_known().claim;
        if let BackupPlace::Folder(folder) = &self.place
            && claim.is_none()
        {
            *claim = Some(folder::claim(folder, database)?);
        }
        Ok(())
    }

    /// Tries everything that a backup needs: makes a folder if it is missing and writes a file to it, or
    /// writes, reads and deletes a small object.
    ///
    /// # Errors
    ///
    /// A sentence about the first step that fails.
    pub fn test(&self, database: &Path) -> Result<(), BackupError> {
        match &self.place {
            BackupPlace::Folder(folder) => {
                folder::prepare(folder, database)?;
                folder::check_owner(folder, database)?;
                folder::test(folder)
            }
            BackupPlace::Bucket(address) => Remote::open(address, &self.access)?.test(),
        }
    }

    fn lock_known(&self) -> std::sync::MutexGuard<'_, PlaceState> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn is_ahead(time: SystemTime) -> bool {
    time > SystemTime::now() + SKEW
}

/// Returns the time in the name of a backup.
fn time_in(text: &str) -> Option<SystemTime> {
    let time = DateTime::strptime(TIME, text).ok()?;
    Some(time.to_zoned(TimeZone::UTC).ok()?.timestamp().into())
}

/// Sorts the newest first. Those of the future are last: by a clock that was wrong they would
/// be the newest for years, and each new one would be deleted as the oldest.
fn sort(made: &mut [Backup]) {
    made.sort_by(|a, b| {
        let key = |it: &Backup| (!it.is_ahead(), it.at);
        key(b).cmp(&key(a)).then_with(|| b.name.cmp(&a.name))
    });
}

fn warn_of_future(made: &[Backup]) {
    let number = made.iter().filter(|backup| backup.is_ahead()).count();
    if number > 0 {
        tracing::warn!(
            number,
            "backups are dated in the future: the clock was wrong then, or is now. They count as \
             the oldest, and are deleted first"
        );
    }
}

/// Refuses a copy of the database that would fill the disk of this folder.
fn check_room(folder: &Path, database: &Path) -> Result<(), BackupError> {
    check_room_for(folder, fs::metadata(database).map_or(0, |file| file.len()))
}

fn check_room_for(folder: &Path, size: u64) -> Result<(), BackupError> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_file_names_with_a_complete_timestamp_are_backups() {
        assert!(time_in("20261121T083000Z").is_some());
        for other in [
            "20261121T083000Z.1",
            "20261121T083000",
            "20261341T083000Z",
            "notes",
            "",
        ] {
            assert!(time_in(other).is_none(), "{other}");
        }
    }

    #[test]
    fn backups_dated_in_the_future_are_sorted_last() {
        let now = SystemTime::now();
        let backup = |name: &str, at| Backup {
            name: name.to_owned(),
            at,
            bytes: 1,
        };
        let years = Duration::from_secs(10 * 365 * 24 * 3_600);
        let mut made = [
            backup("ahead", now + years),
            backup("old", now - years),
            backup("further ahead", now + 2 * years),
            // A machine whose clock is a minute ahead writes into the same folder.
            backup("new", now + Duration::from_secs(60)),
        ];
        sort(&mut made);
        let names = made.each_ref().map(|backup| backup.name.as_str());
        assert_eq!(names, ["new", "old", "further ahead", "ahead"]);
        let plan = BackupPlan::new(
            BackupPlace::Folder("backups".into()),
            Access::Variables,
            Duration::from_secs(3_600),
            7,
        );
        assert_eq!(plan.until_next(Some(&made[0])), plan.every);
        assert_eq!(plan.until_next(Some(&made[2])), Duration::ZERO);
    }
}
