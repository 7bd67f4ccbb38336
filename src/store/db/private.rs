//! Files next to a database: readable by their owner only, whatever the umask is, and never opened
//! through a link. Root runs commands in folders of the server's user, who must not lead them to
//! other files.

use std::fs::{File, Metadata, Permissions};
use std::io::{Error, ErrorKind};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt, fchown};
use std::path::Path;

use rustix::fs::OFlags;
use rustix::io::Errno;
use tempfile::NamedTempFile;

use super::paths::{folder_of, with_suffix};

/// Mode of new files.
const PRIVATE: u32 = 0o600;
/// Mode bits of users outside the group.
const OTHERS: u32 = 0o007;
const GROUP_WRITES: u32 = 0o020;
/// Suffix of unfinished files, after a dot and random characters.
const PART: &str = ".part";
const RANDOM: usize = 6;

fn flags(flags: OFlags) -> i32 {
    i32::try_from(flags.bits()).unwrap_or_default()
}

/// Opens a file to read it. A pipe is refused, and not waited for.
///
/// # Errors
///
/// When there is none, or it is no file.
pub fn open_plain(path: &Path) -> std::io::Result<File> {
    let file = File::options()
        .read(true)
        .custom_flags(flags(OFlags::NONBLOCK))
        .open(path)?;
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(not_plain(path))
    }
}

fn not_plain(path: &Path) -> Error {
    let reason = format!(
        "{} is a pipe, a device or a folder, and no file",
        path.display()
    );
    Error::new(ErrorKind::InvalidInput, reason)
}

/// Refuses to replace a device, a pipe, a link or a folder.
///
/// # Errors
///
/// An error that names the kind.
pub fn check_replaceable(path: &Path) -> std::io::Result<()> {
    let found = match std::fs::symlink_metadata(path) {
        Ok(found) => found,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    if found.is_symlink() {
        let reason = "it is a link; name the file that it leads to, or remove it";
        return Err(Error::new(ErrorKind::InvalidInput, reason));
    }
    if found.is_file() {
        Ok(())
    } else {
        let reason = "a pipe, a device or a folder is there, which is not replaced; name a file";
        Err(Error::new(ErrorKind::InvalidInput, reason))
    }
}

/// Creates a file with a random name beside `target`, to be renamed to it when it is finished; it is
/// deleted when dropped. Unfinished files of killed programs are deleted too.
pub fn new_beside(target: &Path) -> std::io::Result<NamedTempFile> {
    let name = target.file_name().unwrap_or_default();
    for entry in std::fs::read_dir(folder_of(target))
        .into_iter()
        .flatten()
        .flatten()
    {
        if whole_name(&entry.file_name().to_string_lossy()) == Some(&*name.to_string_lossy()) {
            remove_if_forgotten(&entry.path());
        }
    }
    let mut prefix = name.to_owned();
    prefix.push(".");
    let file = tempfile::Builder::new()
        .prefix(&prefix)
        .suffix(PART)
        .rand_bytes(RANDOM)
        .permissions(Permissions::from_mode(PRIVATE))
        .tempfile_in(folder_of(target))
        .map_err(|error| name_folder(folder_of(target), error))?;
    // The lock tells it from the unfinished file of a killed program.
    file.as_file().try_lock()?;
    Ok(file)
}

/// Names the folder in an error, in place of the temporary file.
fn name_folder(folder: &Path, error: Error) -> Error {
    let folder = folder.display();
    let reason = match error.kind() {
        ErrorKind::NotFound => {
            format!("there is no folder {folder}. Create it first, or name another file")
        }
        ErrorKind::PermissionDenied => format!(
            "the folder {folder} is not writable. Give this user write permission, or name another file"
        ),
        _ => return error,
    };
    Error::new(error.kind(), reason)
}

/// Returns the final name of an unfinished file; `None` for other names.
pub fn whole_name(part: &str) -> Option<&str> {
    let (name, random) = part.strip_suffix(PART)?.rsplit_once('.')?;
    let is_random = !name.is_empty()
        && random.len() == RANDOM
        && random.bytes().all(|b| b.is_ascii_alphanumeric());
    is_random.then_some(name)
}

/// Removes an unfinished file unless a program still writes it.
fn remove_if_forgotten(path: &Path) {
    let file = File::options()
        .read(true)
        .custom_flags(flags(OFlags::NOFOLLOW | OFlags::NONBLOCK))
        .open(path);
    let is_old = |file: &File| {
        let modified = file.metadata().and_then(|file| file.modified());
        modified.is_ok_and(|time| time.elapsed().is_ok_and(|age| age.as_secs() > 60))
    };
    if file.is_ok_and(|file| is_old(&file) && file.try_lock().is_ok()) {
        let _ = std::fs::remove_file(path);
    }
}

/// Opens or creates the lock file with this suffix, for every user that may write the database.
///
/// # Errors
///
/// When it can't be opened or created, or may be somebody else's.
pub(crate) fn lock_file(path: &Path, ending: &str) -> std::io::Result<File> {
    // One lock file, however the path is spelt.
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let name = with_suffix(&path, ending);
    let named = |error: &Error| Error::new(error.kind(), format!("{}: {error}", name.display()));
    let file = open_lock(&name, &path).map_err(|error| named(&error))?;
    share_as(&path, &file);
    Ok(file)
}

/// Opens or creates a lock file of a database.
///
/// # Errors
///
/// When it can't be opened or created, or may be somebody else's.
pub fn open_lock(name: &Path, database: &Path) -> std::io::Result<File> {
    let file = File::options()
        .create(true)
        .truncate(false)
        .read(true)
        .write(true)
        .mode(PRIVATE)
        .custom_flags(flags(OFlags::NOFOLLOW | OFlags::NONBLOCK))
        .open(name)
        .map_err(|error| match Errno::from_io_error(&error) {
            Some(Errno::LOOP) => refusal("it is a link"),
            _ => error,
        })?;
    let found = file.metadata()?;
    if !found.is_file() {
        return Err(not_plain(name));
    }
    if found.nlink() != 1 {
        return Err(refusal("it has a second name (a hard link)"));
    }
    if !is_trusted(&found, database) {
        return Err(refusal("it belongs to another user"));
    }
    Ok(file)
}

fn refusal(reason: &str) -> Error {
    let text = format!(
        "{reason}, so it was not touched. Stop the server, and remove it if it is nobody's"
    );
    Error::new(ErrorKind::InvalidInput, text)
}

/// Whether root may write to a file: one of its own, or of the owner of the database or its folder.
/// For other users the system decides.
fn is_trusted(found: &Metadata, database: &Path) -> bool {
    let root = rustix::process::geteuid().is_root();
    let is_owner =
        |path: &Path| std::fs::symlink_metadata(path).is_ok_and(|other| other.uid() == found.uid());
    !root || found.uid() == 0 || is_owner(database) || is_owner(folder_of(database))
}

/// Refuses a side file of SQLite that is a link or has a hard link: SQLite would write to the other
/// file. The database itself may have hard links: copies are made so.
///
/// # Errors
///
/// An error that names the file.
pub(crate) fn check_only_name(path: &Path, ending: &str) -> std::io::Result<()> {
    match std::fs::symlink_metadata(path) {
        Ok(found) if !ending.is_empty() && (found.nlink() != 1 || !found.is_file()) => {
            Err(refusal(&format!("{} is a link", path.display())))
        }
        _ => Ok(()),
    }
}

/// Gives a new file to the owner of another: root may have run the command for a server that does
/// not run as root.
pub fn give_to_owner_of(like: &Path, made: &File) {
    let owner = |found: Metadata| (found.uid(), found.gid());
    let wanted = std::fs::metadata(like)
        .or_else(|_| std::fs::metadata(folder_of(like)))
        .map(owner);
    let current = made.metadata().map(owner);
    if let (Ok(wanted), Ok(current)) = (wanted, current)
        && wanted != current
    {
        // Only root can, and needs to.
        let _ = fchown(made, Some(wanted.0), Some(wanted.1));
    }
}

/// As [`give_to_owner_of`]; the group may write the file if it may write the other.
fn share_as(like: &Path, made: &File) {
    give_to_owner_of(like, made);
    let group_writes = |found: &Metadata| found.mode() & GROUP_WRITES != 0;
    let wanted = match std::fs::metadata(like) {
        Ok(found) if group_writes(&found) => PRIVATE | 0o060,
        _ => PRIVATE,
    };
    if made
        .metadata()
        .is_ok_and(|found| found.mode() & 0o777 != wanted)
    {
        // Only its owner can, and needs to.
        let _ = made.set_permissions(Permissions::from_mode(wanted));
    }
}

/// Creates an empty private file: SQLite would create one that others can read. Its side files get
/// the same mode.
pub(crate) fn make_empty(path: &Path) -> std::io::Result<()> {
    let made = File::options()
        .write(true)
        .create_new(true)
        .mode(PRIVATE)
        .open(path);
    match made {
        // Empty, or just created by another process.
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        made => made.map(drop),
    }
}

/// Removes the permissions of other users from a file of this user, and of the group unless it may
/// write. Not for a database that this process has open.
pub(crate) fn restrict(path: &Path) {
    let file = File::options()
        .read(true)
        .custom_flags(flags(OFlags::NOFOLLOW | OFlags::NONBLOCK))
        .open(path);
    let Ok(file) = file else { return };
    let Ok(found) = file.metadata() else { return };
    let wanted = if found.mode() & GROUP_WRITES != 0 {
        found.mode() & 0o777 & !OTHERS
    } else {
        PRIVATE
    };
    let is_own = found.uid() == rustix::process::geteuid().as_raw();
    if is_own && found.is_file() && found.nlink() == 1 && found.mode() & 0o777 & !wanted != 0 {
        let _ = file.set_permissions(Permissions::from_mode(found.mode() & wanted));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unfinished_files_are_known_by_their_names() {
        assert_eq!(whole_name("a.sqlite.Xy12zZ.part"), Some("a.sqlite"));
        for other in [
            "sqlite.part",
            "a.sqlite",
            "a.sqlite.Xy1-zZ.part",
            ".Xy12zZ.part",
        ] {
            assert_eq!(whole_name(other), None, "{other}");
        }
    }
}
