//! Backups in a folder: the rotated ones of `deals backup`, and the scheduled ones of a server.

use std::fs::{self, DirEntry, File, TryLockError};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use jiff::Timestamp;

use super::label::{Label, of_another};
use super::{Backup, TIME, check_room, sort, time_in};
use crate::maintenance::disk;
use crate::store::{
    BackupError, back_up, folder_of, is_read_only, new_beside, open_lock, whole_name, with_suffix,
};

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
    for (entry, named) in named(folder, database, |name| Some(name))? {
        let found = entry.metadata()?;
        made.push(Backup {
            name: entry.path().display().to_string(),
            // A copy of a backup was written later.
            at: found.modified()?.min(named),
            bytes: found.len(),
        });
    }
    sort(&mut made);
    Ok(made)
}

/// Returns the entries of a folder whose names, as `read_name` reads them, are those of this
/// database's backups, and the times in the names.
fn named(
    folder: &Path,
    database: &Path,
    read_name: fn(&str) -> Option<&str>,
) -> std::io::Result<Vec<(DirEntry, SystemTime)>> {
    let prefix = prefix(database);
    let mut named = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let time = read_name(&name).and_then(|name| name.strip_prefix(&prefix));
        if let Some(time) = time.and_then(|time| time_in(time.strip_suffix(ENDING)?)) {
            named.push((entry, time));
        }
    }
    Ok(named)
}

/// Suffix of the file beside a database that remembers the folder of its backups.
const USED: &str = ".backups";

/// Returns a folder as it is remembered, with whether it is on another disk than the database.
fn note_of_folder(folder: &Path, is_apart: bool) -> Vec<u8> {
    let folder = std::path::absolute(folder).unwrap_or_default();
    let text = format!("{is_apart} {}\n", folder.display());
    text.into_bytes()
}

/// Whether a folder is on the disk of the database, so that both are lost at once.
pub(super) fn is_on_same_disk(folder: &Path, database: &Path) -> bool {
    let disk = |path: &Path| fs::metadata(path).map(|found| found.dev()).ok();
    let disk_of_database = disk(folder_of(database));
    disk_of_database.is_some() && disk(folder) == disk_of_database
}

/// Makes the folder, unless it had backups and its disk is not mounted now.
pub(super) fn prepare(folder: &Path, database: &Path) -> Result<(), BackupError> {
    let shown = folder.display();
    let refuse = |reason: String| Err(BackupError::Place(reason));
    let used = fs::read(with_suffix(database, USED)).unwrap_or_default();
    let was_apart = used == note_of_folder(folder, true);
    if (was_apart || used == note_of_folder(folder, false))
        && !label_file(folder, database).exists()
    {
        if !folder.exists() {
            return refuse(format!(
                "the folder {shown} had backups, and is gone: is its disk mounted? Mount it, or make \
                 the folder again if it is gone for good."
            ));
        }
        if was_apart && is_on_same_disk(folder, database) {
            return refuse(format!(
                "the folder {shown} was on a disk of its own, and is on the disk of the database now. \
                 Mount its disk, or choose another folder with --backup-dir."
            ));
        }
        tracing::warn!(folder = %shown, "the backups that this folder had are gone: new ones are made");
    }
    let made = fs::create_dir_all(folder);
    let made = made.and_then(|()| match is_read_only(&folder.join("backup")) {
        true => Err(ErrorKind::ReadOnlyFilesystem.into()),
        false => Ok(()),
    });
    made.or_else(|error| refuse(unusable(folder, &error)))
}

/// Writes a file, which is gone again.
pub(super) fn test(folder: &Path) -> Result<(), BackupError> {
    let tried = new_beside(&folder.join("test")).and_then(|mut file| file.write_all(b"test"));
    tried.map_err(|error| BackupError::Place(unusable(folder, &error)))
}

/// Says why a folder can't be used.
fn unusable(folder: &Path, error: &std::io::Error) -> String {
    let advice = match error.kind() {
        ErrorKind::ReadOnlyFilesystem | ErrorKind::PermissionDenied => format!(
            ". The server must be able to write there; under systemd, `systemctl edit deals` and add \
             ReadWritePaths={} below [Service]",
            std::path::absolute(folder).unwrap_or_default().display()
        ),
        _ => String::new(),
    };
    format!(
        "the folder {} can't be used: {error}{advice}",
        folder.display()
    )
}

/// Returns the file that says whose backups these are.
fn label_file(folder: &Path, database: &Path) -> PathBuf {
    folder.join(format!(".{}shop", prefix(database)))
}

/// Returns the label that a folder should have, and whether it has exactly that.
///
/// # Errors
///
/// A sentence about a folder that has the backups of another shop, by its label or, without one, by
/// the newest of them.
pub(super) fn check_owner(folder: &Path, database: &Path) -> Result<(Label, bool), BackupError> {
    let mut own = Label::read(database)?;
    own.database = database.canonicalize().ok();
    let shown = folder.display();
    let label = label_file(folder, database);
    let text = match fs::read(&label) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let made = made(folder, database).unwrap_or_default();
            let owner = made
                .iter()
                .find_map(|backup| owner_of(Path::new(&backup.name)));
            return match owner {
                Some(owner) if Some(&owner) != own.shop.as_ref() => {
                    Err(of_another(&shown, "folder"))
                }
                _ => Ok((own, false)),
            };
        }
        text => text.map_err(|error| BackupError::Place(unusable(folder, &error)))?,
    };
    let found = Label::parse(&text, &shown, "folder")?;
    if found.shop.is_some() && found.shop != own.shop {
        return Err(of_another(&shown, "folder"));
    }
    // A shop may have moved. One that is still there was copied, or shares its key with this one.
    if let Some(other) = &found.database
        && found.database != own.database
        && owner_of(other) == own.shop
    {
        return Err(BackupError::Place(format!(
            "the folder {shown} has the backups of {}, whose key is the same. Choose another folder, \
             or rename that database if it is not used any more.",
            other.display()
        )));
    }
    let is_labelled = found == own;
    Ok((own, is_labelled))
}

/// Returns whose a database or a backup is; `None` if it can't be read, or was never served.
fn owner_of(file: &Path) -> Option<String> {
    Label::read(file).ok()?.shop
}

/// Takes the folder for this shop, deletes what interrupted backups left in it, and returns the
/// others.
///
/// # Errors
///
/// A sentence, also about a folder of another shop.
pub(super) fn take_over(folder: &Path, database: &Path) -> Result<Vec<Backup>, BackupError> {
    let (own, is_labelled) = check_owner(folder, database)?;
    let taken = (|| {
        if !is_labelled {
            write(&label_file(folder, database), &own.text())?;
        }
        let (used, now) = (
            with_suffix(database, USED),
            note_of_folder(folder, !is_on_same_disk(folder, database)),
        );
        if fs::read(&used).ok().as_ref() != Some(&now) {
            // The disk of the database may be full or read-only.
            let _ = write(&used, &now);
        }
        for (entry, _) in named(folder, database, whole_name)? {
            fs::remove_file(entry.path())?;
        }
        made(folder, database)
    })();
    taken.map_err(|error| BackupError::Place(unusable(folder, &error)))
}

fn write(file: &Path, text: &[u8]) -> std::io::Result<()> {
    let mut part = new_beside(file)?;
    part.write_all(text)?;
    part.as_file().sync_all()?;
    part.persist(file)?;
    Ok(())
}

/// Makes a backup, unless it would fill the disk.
pub(super) fn make(folder: &Path, database: &Path) -> Result<(), BackupError> {
    check_room(folder, database)?;
    let time = Timestamp::now().strftime(TIME);
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
    prepare(folder, database).map_err(std::io::Error::other)?;
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

/// Deletes the oldest backups beyond those that are kept, but none of another shop.
pub(super) fn discard_old(folder: &Path, database: &Path, keep: usize) -> std::io::Result<()> {
    let own = owner_of(database);
    for backup in made(folder, database)?.into_iter().skip(keep) {
        let owner = owner_of(Path::new(&backup.name));
        if owner.is_none() || owner == own {
            fs::remove_file(backup.name)?;
        }
    }
    Ok(())
}

const ENDING: &str = ".sqlite";

/// Returns the beginning of the names of a database's backups: `deals-` for `deals.sqlite`.
fn prefix(database: &Path) -> String {
    let stem = database.file_stem().unwrap_or_default();
    format!("{}-", stem.to_string_lossy())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotation_keeps_the_configured_number_of_backups() {
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
}
