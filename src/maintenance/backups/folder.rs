//! Backups in a folder: the rotated ones of `deals backup`, and the scheduled ones of a server.

use std::fs::{self, DirEntry, File, TryLockError};
use std::io::ErrorKind;
use std::path::Path;

use jiff::Timestamp;

use super::{Backup, check_room};
use crate::maintenance::disk;
use crate::store::{BackupError, back_up, open_lock, whole_name, with_suffix};

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

/// Returns the backups of a database in a folder, the newest first.
pub(super) fn made(folder: &Path, database: &Path) -> std::io::Result<Vec<Backup>> {
    let mut made = Vec::new();
    for entry in named(folder, database, |name| Some(name))? {
        let found = entry.metadata()?;
        made.push(Backup {
            name: entry.path().display().to_string(),
            at: found.modified()?,
            bytes: found.len(),
        });
    }
    // The names end with the time.
    made.sort_by(|a, b| b.name.cmp(&a.name));
    Ok(made)
}

/// Returns the entries of a folder whose names, as `read_name` reads them, are those of this
/// database's backups.
fn named(
    folder: &Path,
    database: &Path,
    read_name: fn(&str) -> Option<&str>,
) -> std::io::Result<Vec<DirEntry>> {
    let prefix = prefix(database);
    let mut named = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let time = read_name(&name).and_then(|name| name.strip_prefix(&prefix));
        if time.is_some_and(is_time) {
            named.push(entry);
        }
    }
    Ok(named)
}

/// Makes the folder, deletes what interrupted backups left in it, and returns the others.
pub(super) fn prepare(folder: &Path, database: &Path) -> std::io::Result<Vec<Backup>> {
    fs::create_dir_all(folder)?;
    for entry in named(folder, database, whole_name)? {
        fs::remove_file(entry.path())?;
    }
    made(folder, database)
}

/// Makes a backup, unless it would fill the disk.
pub(super) fn make(folder: &Path, database: &Path) -> Result<(), BackupError> {
    check_room(folder, database)?;
    let time = Timestamp::now().strftime("%Y%m%dT%H%M%SZ");
    let file = folder.join(format!("{}{time}{ENDING}", prefix(database)));
    let contents = back_up(database, &file, &mut |_, _| ())?;
    tracing::info!(
        file = %file.display(),
        products = contents.products,
        size = disk::readable(contents.bytes),
        "backed up"
    );
    Ok(())
}

/// Reserves the names of a database's backups for this process, as long as the file is open: two
/// shops whose databases have one name would delete each other's backups.
///
/// # Errors
///
/// [`ErrorKind::ResourceBusy`] when another server has them, others when the folder can't be used.
pub(super) fn claim(folder: &Path, database: &Path) -> std::io::Result<File> {
    fs::create_dir_all(folder)?;
    let name = folder.join(format!(".{}lock", prefix(database)));
    let file = open_lock(&name, database)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::Error(error)) => Err(error),
        Err(TryLockError::WouldBlock) => {
            let said = format!(
                "another server puts its backups, named {}…, into {}. \
                 Choose another folder with --backup-dir.",
                prefix(database),
                folder.display()
            );
            Err(std::io::Error::new(ErrorKind::ResourceBusy, said))
        }
    }
}

/// Deletes the oldest backups beyond those that are kept.
pub(super) fn discard_old(folder: &Path, database: &Path, keep: usize) -> std::io::Result<()> {
    for backup in made(folder, database)?.into_iter().skip(keep) {
        fs::remove_file(backup.name)?;
    }
    Ok(())
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
