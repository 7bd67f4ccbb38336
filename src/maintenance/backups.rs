//! Rotates the backups of `deals backup`, and schedules those of a server.

use std::fs::{self, DirEntry, File, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use jiff::Timestamp;

use super::disk;
use crate::store::{BackupError, back_up, free_bytes, open_lock, whole_name, with_suffix};

/// How late a backup may be before that counts as a problem.
const PATIENCE: Duration = Duration::from_secs(3_600);

/// Renames the backups of one name to free it: `shop.sqlite` becomes `shop.sqlite.1`, and that one
/// `shop.sqlite.2`. Deletes the oldest, so that `keep` remain with the new one.
///
/// # Errors
///
/// When the system refuses; no other backup is lost then.
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

/// The schedule of backups and their folder.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The folder, which has no other files with such names.
    pub folder: PathBuf,
    /// The time between two of them.
    pub every: Duration,
    /// Most backups kept.
    pub keep: usize,
}

impl Plan {
    /// Returns the backups in the folder with their times, the newest first.
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

    /// Returns the entries of the folder whose names, as `read_name` reads them, are those of this
    /// database's backups.
    fn named(
        &self,
        database: &Path,
        read_name: fn(&str) -> Option<&str>,
    ) -> std::io::Result<Vec<DirEntry>> {
        let prefix = prefix(database);
        let mut named = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let time = read_name(&name).and_then(|name| name.strip_prefix(&prefix));
            if time.is_some_and(is_time) {
                named.push(entry);
            }
        }
        Ok(named)
    }

    /// Returns true if the newest backup is older than it should be, and `None` if there is none yet.
    pub fn is_late(&self, newest: Option<SystemTime>) -> Option<bool> {
        let age = newest?.elapsed().unwrap_or_default();
        Some(age > self.every + PATIENCE)
    }

    /// Returns the time until the next backup, zero if one is due. Makes the folder, and deletes what
    /// interrupted backups left in it.
    pub(crate) fn until_next(&self, database: &Path) -> std::io::Result<Duration> {
        fs::create_dir_all(&self.folder)?;
        self.clear_parts(database)?;
        let newest = self.made(database)?.into_iter().next();
        // A time in the future says nothing.
        let age = newest.and_then(|(_, time)| time.elapsed().ok());
        Ok(age.map_or(Duration::ZERO, |age| self.every.saturating_sub(age)))
    }

    /// Makes a backup, unless it would fill the disk.
    pub(crate) fn make(&self, database: &Path) -> Result<(), BackupError> {
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

    /// Deletes the files of interrupted backups.
    fn clear_parts(&self, database: &Path) -> std::io::Result<()> {
        for entry in self.named(database, whole_name)? {
            fs::remove_file(entry.path())?;
        }
        Ok(())
    }

    /// Reserves the names of this database's backups for this process, as long as the file is open:
    /// two shops whose databases have one name would delete each other's backups.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::ResourceBusy`] when another server has them, others when the folder can't be used.
    pub(crate) fn claim(&self, database: &Path) -> std::io::Result<File> {
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

    /// Deletes the oldest backups beyond those that are kept.
    pub(crate) fn discard_old(&self, database: &Path) -> std::io::Result<()> {
        for (file, _) in self.made(database)?.into_iter().skip(self.keep.max(1)) {
            fs::remove_file(file)?;
        }
        Ok(())
    }
}

const ENDING: &str = ".sqlite";

/// Returns the beginning of the names of a database's backups: `deals-` for `deals.sqlite`.
fn prefix(database: &Path) -> String {
    let stem = database.file_stem().unwrap_or_default();
    format!("{}-", stem.to_string_lossy())
}

/// Returns true if the rest of a name is a time, like `20261121T083000Z.sqlite`.
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
