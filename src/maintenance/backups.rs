//! Which backups are kept, and making them at the right times.

use std::fs::{self, DirEntry, File, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, SystemTime};

use jiff::Timestamp;

use super::disk;
use crate::store::{BackupError, back_up, free_bytes, open_lock, whole_name, with_suffix};

/// How long after a backup that failed the next one is tried.
const RETRY: Duration = Duration::from_secs(10 * 60);
/// How long after its time a backup may be missing before something is wrong.
const PATIENCE: Duration = Duration::from_secs(3_600);

/// Gives the backups of the same name their next number, so that the name is free:
/// `shop.sqlite` becomes `shop.sqlite.1`, and that one `shop.sqlite.2`. Of `keep` that
/// are to be there afterwards, with the new one, the oldest go.
///
/// # Errors
///
/// When the system refuses; none is lost then.
pub fn rotate(file: &Path, keep: usize) -> std::io::Result<()> {
    let numbered = |number: usize| match number {
        0 => file.to_owned(),
        _ => with_suffix(file, &format!(".{number}")),
    };
    let mut there = (0..)
        .take_while(|number| numbered(*number).exists())
        .count();
    while there > keep.saturating_sub(1) {
        there -= 1;
        fs::remove_file(numbered(there))?;
    }
    for number in (0..there).rev() {
        fs::rename(numbered(number), numbered(number + 1))?;
    }
    Ok(())
}

/// When backups are made, and where.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The folder that holds them, and nothing else of this form.
    pub folder: PathBuf,
    /// The time between two of them.
    pub every: Duration,
    /// How many there are at most.
    pub keep: usize,
}

impl Plan {
    /// The backups in the folder, the newest first.
    pub fn made(&self, database: &Path) -> std::io::Result<Vec<(PathBuf, SystemTime)>> {
        let mut made = Vec::new();
        for entry in self.named(database, |name| Some(name))? {
            made.push((entry.path(), entry.metadata()?.modified()?));
        }
        // The names end with the time.
        made.sort();
        made.reverse();
        Ok(made)
    }

    /// What is in the folder whose name, by `whole`, is that of a backup of this database.
    fn named(
        &self,
        database: &Path,
        whole: fn(&str) -> Option<&str>,
    ) -> std::io::Result<Vec<DirEntry>> {
        let prefix = prefix(database);
        let mut named = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let time = whole(&name).and_then(|name| name.strip_prefix(&prefix));
            if time.is_some_and(is_time) {
                named.push(entry);
            }
        }
        Ok(named)
    }

    /// Whether the newest backup is older than it should be; `None` where that can't be
    /// told, because there is none yet.
    pub fn is_late(&self, newest: Option<SystemTime>) -> Option<bool> {
        let age = newest?.elapsed().unwrap_or_default();
        Some(age > self.every + PATIENCE)
    }

    fn until_next(&self, database: &Path) -> std::io::Result<Duration> {
        fs::create_dir_all(&self.folder)?;
        self.clear_parts(database)?;
        let newest = self.made(database)?.into_iter().next();
        // One that is said to be of the future tells nothing.
        let age = newest.and_then(|(_, time)| time.elapsed().ok());
        Ok(age.map_or(Duration::ZERO, |age| self.every.saturating_sub(age)))
    }

    /// Makes a backup, unless it would fill the disk.
    fn make(&self, database: &Path) -> Result<(), BackupError> {
        let size = fs::metadata(database).map_or(0, |file| file.len());
        let needed = size.saturating_add(disk::LITTLE);
        if let Ok(free) = free_bytes(&self.folder.join(ENDING))
            && free < needed
        {
            return Err(BackupError::NoRoom {
                folder: self.folder.display().to_string(),
                free: disk::readable(free),
                needed: disk::readable(needed),
            });
        }
        let time = Timestamp::now().strftime("%Y%m%dT%H%M%SZ");
        let file = self
            .folder
            .join(format!("{}{time}{ENDING}", prefix(database)));
        let contents = back_up(database, &file, &mut |_, _| ())?;
        tracing::info!(
            file = %file.display(),
            products = contents.products,
            size = disk::readable(contents.bytes),
            "backed up"
        );
        Ok(())
    }

    /// Takes away what is left of backups that were not finished.
    fn clear_parts(&self, database: &Path) -> std::io::Result<()> {
        for entry in self.named(database, whole_name)? {
            fs::remove_file(entry.path())?;
        }
        Ok(())
    }

    /// Keeps the names of this database's backups for this process, as long as the file is
    /// open: two shops whose databases have one name would take each other's for theirs.
    fn claim(&self, database: &Path) -> std::io::Result<File> {
        fs::create_dir_all(&self.folder)?;
        let name = self.folder.join(format!(".{}lock", prefix(database)));
        let file = open_lock(&name, database)?;
        match file.try_lock() {
            Ok(()) => Ok(file),
            Err(TryLockError::Error(error)) => Err(error),
            Err(TryLockError::WouldBlock) => {
                let said = format!(
                    "another server puts its backups, named {}…, into {}. \
                     Choose another folder with --backup-dir.",
                    prefix(database),
                    self.folder.display()
                );
                Err(std::io::Error::new(ErrorKind::ResourceBusy, said))
            }
        }
    }

    fn discard_old(&self, database: &Path) -> std::io::Result<()> {
        for (file, _) in self.made(database)?.into_iter().skip(self.keep.max(1)) {
            fs::remove_file(file)?;
        }
        Ok(())
    }
}

const ENDING: &str = ".sqlite";

/// What the names of a database's backups begin with: `deals-` for `deals.sqlite`.
fn prefix(database: &Path) -> String {
    let stem = database.file_stem().unwrap_or_default();
    format!("{}-", stem.to_string_lossy())
}

/// Whether the rest of a name is a time, like `20261121T083000Z.sqlite`.
fn is_time(rest: &str) -> bool {
    let form = "00000000T000000Z.sqlite";
    rest.len() == form.len()
        && rest
            .chars()
            .zip(form.chars())
            .all(|(found, wanted)| match wanted {
                '0' => found.is_ascii_digit(),
                _ => found == wanted,
            })
}

/// How long a stop waits for a backup that is being made.
const GRACE: Duration = Duration::from_secs(2);

/// The thread that makes backups. Dropped, it is waited for a moment; what it could not
/// finish goes with the next start.
pub struct Schedule {
    stop: Option<SyncSender<()>>,
    ended: Receiver<()>,
}

impl Schedule {
    /// Makes backups by the plan from now on; the first one at once, when the newest in
    /// the folder is old enough or there is none.
    ///
    /// # Errors
    ///
    /// When another server puts backups of the same name there, or the system gives no
    /// thread.
    pub fn start(plan: Plan, database: PathBuf) -> std::io::Result<Self> {
        let claim = match plan.claim(&database) {
            Err(error) if error.kind() == ErrorKind::ResourceBusy => return Err(error),
            // A folder that can't be used is told, and tried again, when a backup is made.
            claim => claim.ok(),
        };
        let (stop, stopped) = sync_channel(0);
        let (running, ended) = sync_channel(0);
        std::thread::Builder::new()
            .name("backup".to_owned())
            .spawn(move || {
                let mut wait = Duration::ZERO;
                while let Err(RecvTimeoutError::Timeout) = stopped.recv_timeout(wait) {
                    wait = next(&plan, &database);
                }
                drop(claim);
                drop::<SyncSender<()>>(running);
            })?;
        Ok(Self {
            stop: Some(stop),
            ended,
        })
    }
}

impl Drop for Schedule {
    fn drop(&mut self) {
        self.stop = None;
        if let Err(RecvTimeoutError::Timeout) = self.ended.recv_timeout(GRACE) {
            tracing::warn!(
                "stopped while a backup was being made; it is made after the next start"
            );
        }
    }
}

/// Makes a backup if it is time, and returns how long to wait until the next look.
fn next(plan: &Plan, database: &Path) -> Duration {
    let folder = plan.folder.display();
    match plan.until_next(database) {
        Ok(wait) if !wait.is_zero() => return wait,
        Ok(_) => {}
        Err(error) => {
            tracing::error!(%folder, %error, "the folder for backups can't be used");
            return RETRY.min(plan.every);
        }
    }
    if let Err(error) = plan.make(database) {
        tracing::error!(%folder, %error, "no backup could be made");
        return RETRY.min(plan.every);
    }
    if let Err(error) = plan.discard_old(database) {
        tracing::error!(%folder, %error, "an old backup could not be removed");
    }
    plan.every
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotating_keeps_so_many_with_the_new_one() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("shop.sqlite");
        for round in 0..6 {
            rotate(&file, 3).unwrap();
            assert!(!file.exists());
            fs::write(&file, round.to_string()).unwrap();
        }
        let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
        let kept = ["shop.sqlite", "shop.sqlite.1", "shop.sqlite.2"].map(read);
        assert_eq!(kept, ["5", "4", "3"]);
        assert!(!folder.path().join("shop.sqlite.3").exists());
    }

    #[test]
    fn only_names_with_a_time_are_backups() {
        assert!(is_time("20261121T083000Z.sqlite"));
        for other in [
            "20261121T083000Z.sqlite.1",
            "notes.sqlite",
            "20261121.sqlite",
            "",
        ] {
            assert!(!is_time(other), "{other}");
        }
    }
}
