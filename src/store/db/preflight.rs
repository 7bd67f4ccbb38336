//! Checks of a database file before SQLite opens it, and the errors of opening one.

use std::io::{ErrorKind, Read, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use rusqlite::{ErrorCode, ffi};

use super::paths::{folder_of, with_suffix};
use super::private::{open_plain, whole_name};

/// 'deal' as four ASCII bytes: marks the files of this program.
pub(crate) const APPLICATION_ID: u32 = 0x6465_616c;
/// Size of the header of an SQLite file and offsets in it, in bytes (SQLite file format, section 1.3).
const HEADER: usize = 100;
const PAGE_SIZE_AT: usize = 16;
const CHANGE_COUNTER_AT: usize = 24;
const PAGE_COUNT_AT: usize = 28;
const USER_VERSION_AT: usize = 60;
const APPLICATION_ID_AT: usize = 68;
const VERSION_VALID_FOR_AT: usize = 92;

/// Why a database file can't be used; the message says what to do.
#[derive(Debug, thiserror::Error)]
#[expect(
    missing_docs,
    reason = "the messages explain the variants and their fields"
)]
pub enum OpenError {
    #[error("cannot open the database {path}: {reason}. {advice}")]
    Unusable {
        path: String,
        reason: String,
        advice: &'static str,
    },
    #[error(
        "{0} is not a deals database, so nothing in it was changed. Choose another file with --db, \
         or put a backup in its place with `deals restore BACKUP --db {0}`."
    )]
    Foreign(String),
    #[error(
        "{path} was written by a newer version of deals (schema {found}, this program knows {known}), \
         so nothing in it was changed. Install the newer version."
    )]
    Newer {
        path: String,
        found: i64,
        known: i64,
    },
    #[error(
        "{path} was written by a development version of deals (schema {found}), so nothing in it was \
         changed: write its products to a file with that version (`deals export --db {path} --output \
         products.json`), then import them into a new database with this one (`deals import \
         products.json --db NEW`)."
    )]
    Development { path: String, found: i64 },
    #[error(
        "{path} is damaged ({reason}), so nothing in it was changed. \
         Restore a backup with `deals restore BACKUP --db {path}`, which keeps the damaged file."
    )]
    Damaged { path: String, reason: String },
    #[error(
        "{path} is not as deals makes it: {what}, so nothing in it was changed. \
         Restore a backup with `deals restore BACKUP --db {path}`."
    )]
    Altered { path: String, what: String },
    #[error(
        "{path} is in use by another `deals serve` (process {pid}). \
         Stop that one first, or choose another file with --db."
    )]
    InUse { path: String, pid: String },
}

impl OpenError {
    pub(crate) fn other(path: &Path, reason: &dyn std::fmt::Display) -> Self {
        Self::Unusable {
            path: path.display().to_string(),
            reason: reason.to_string(),
            advice: "Check the file and its folder, or choose another with --db.",
        }
    }

    /// An error of writing beside the database.
    pub(crate) fn from_io(path: &Path, error: &std::io::Error) -> Self {
        match error.kind() {
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => Self::not_writable(path),
            kind if is_full(kind) => Self::full(path),
            _ => Self::other(path, error),
        }
    }

    pub(crate) fn not_writable(path: &Path) -> Self {
        if is_read_only(path) {
            return Self::Unusable {
                path: path.display().to_string(),
                reason: "its disk is read-only".to_owned(),
                advice: "Copy it, with its -wal file if there is one, to another disk, and use the copy.",
            };
        }
        Self::Unusable {
            path: path.display().to_string(),
            reason: "the file or its folder is not writable".to_owned(),
            advice: "Give this user write permission to both, or choose another file with --db.",
        }
    }

    fn full(path: &Path) -> Self {
        Self::Unusable {
            path: path.display().to_string(),
            reason: "the disk is full".to_owned(),
            advice: "Make room, then start again.",
        }
    }

    pub(crate) fn damaged(path: &Path, reason: impl Into<String>) -> Self {
        Self::Damaged {
            path: path.display().to_string(),
            reason: reason.into(),
        }
    }

    pub(crate) fn from_sqlite(path: &Path, error: &rusqlite::Error) -> Self {
        let code = error.sqlite_error().map(|error| error.extended_code);
        match error.sqlite_error_code() {
            // SQLite says so of a WAL or a WAL index that can't grow.
            _ if matches!(
                code,
                Some(ffi::SQLITE_IOERR_WRITE | ffi::SQLITE_IOERR_SHMSIZE)
            ) =>
            {
                Self::full(path)
            }
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
                Self::damaged(path, error.to_string())
            }
            _ if is_replaced(error) => Self::Unusable {
                path: path.display().to_string(),
                reason: "a backup was put in its place just now".to_owned(),
                advice: "Try again.",
            },
            Some(ErrorCode::DatabaseBusy) => Self::Unusable {
                path: path.display().to_string(),
                reason: "another program is using it".to_owned(),
                advice: "Try again when it has finished.",
            },
            Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly) => Self::not_writable(path),
            Some(ErrorCode::DiskFull) => Self::full(path),
            _ => Self::other(path, error),
        }
    }
}

/// Returns the free bytes for this user where the file is or would be.
pub fn free_bytes(path: &Path) -> std::io::Result<u64> {
    let disk = rustix::fs::statvfs(folder_of(path))?;
    Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
}

/// Whether the disk of the file is mounted read-only, as Linux does after an error of the disk.
pub fn is_read_only(path: &Path) -> bool {
    rustix::fs::statvfs(folder_of(path))
        .is_ok_and(|disk| disk.f_flag.contains(rustix::fs::StatVfsMountFlags::RDONLY))
}

/// Whether there is a database, and not only its name.
pub fn is_there(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|file| file.len() > 0)
}

/// Size in bytes of the smallest WAL index that SQLite makes.
const INDEX: u64 = 32 * 1_024;
/// Bytes that opening a database for the first time takes beside it.
const ROOM: usize = 256 * 1_024;

/// Whether files beside the database may grow: they may not on a full or read-only disk, or beyond a
/// quota. Where the reason is another, opening the database names it.
pub fn has_room(path: &Path) -> bool {
    let file = tempfile::tempfile_in(folder_of(path));
    let written = file.and_then(|mut file| file.write_all(&[0; ROOM]));
    !written
        .is_err_and(|error| is_full(error.kind()) || error.kind() == ErrorKind::ReadOnlyFilesystem)
}

fn is_full(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge
    )
}

/// Whether SQLite can make the WAL index that readers beside a writer need, or some process has it.
pub(crate) fn can_have_index(path: &Path) -> bool {
    let index = std::fs::metadata(with_suffix(path, "-shm"));
    !is_read_only(path) && (index.is_ok_and(|index| index.len() >= INDEX) || has_room(path))
}

/// Whether the file was renamed or deleted while SQLite had it open.
fn is_replaced(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error().map(|error| error.extended_code);
    code == Some(ffi::SQLITE_READONLY_DBMOVED)
}

/// Whether the WAL beside the database holds anything.
pub(crate) fn has_wal(path: &Path) -> bool {
    std::fs::metadata(with_suffix(path, "-wal")).is_ok_and(|wal| wal.len() > 0)
}

/// Checks the file without SQLite, which could change it while recovering. Returns the schema
/// version of the database, or `None` when there is no file or an empty one.
///
/// # Errors
///
/// [`OpenError`] when the file is not a database of this program, or a part of it is missing.
pub(crate) fn examine(path: &Path, known: &RangeInclusive<i64>) -> Result<Option<i64>, OpenError> {
    let mut header = read_header(path)?;
    let with_wal = has_wal(path);
    if header.is_empty() && with_wal {
        // Another process may have just made it, and that writes the header before the WAL.
        header = read_header(path)?;
    }
    if header.is_empty() {
        if let Some(rescued) = rescued_of(path) {
            let rescued = rescued.display();
            let reason =
                format!("it was lost while it was served, and its content was saved as {rescued}");
            return Err(OpenError::damaged(path, reason));
        }
        return if with_wal {
            let wal = with_suffix(path, "-wal");
            let reason = format!(
                "it is missing or empty, and its WAL {} is there",
                wal.display()
            );
            Err(OpenError::damaged(path, reason))
        } else {
            Ok(None)
        };
    }
    let foreign = || OpenError::Foreign(path.display().to_string());
    if header.len() < HEADER || !header.starts_with(b"SQLite format 3\0") {
        return Err(foreign());
    }
    if number_at(&header, APPLICATION_ID_AT) != Some(APPLICATION_ID) {
        return Err(foreign());
    }
    let version = i64::from(number_at(&header, USER_VERSION_AT).unwrap_or_default());
    check_version(path, version, known)?;
    // With a WAL, an interrupted checkpoint may not have written the last pages yet.
    if !with_wal && let Some(wanted) = size_in(&header) {
        let file = std::fs::metadata(path).map_err(|error| OpenError::other(path, &error))?;
        let size = file.len();
        if size < wanted {
            let reason = format!("it has {size} bytes of {wanted}");
            return Err(OpenError::damaged(path, reason));
        }
    }
    Ok(Some(version))
}

/// Reads the header; returns nothing when the file is empty or missing.
fn read_header(path: &Path) -> Result<Vec<u8>, OpenError> {
    let mut header = Vec::new();
    match open_plain(path) {
        Ok(file) => {
            let read = file.take(HEADER as u64).read_to_end(&mut header);
            read.map_err(|error| OpenError::other(path, &error))?;
        }
        Err(error) if error.kind() == ErrorKind::NotFound => check_folder(path)?,
        Err(error) => return Err(OpenError::other(path, &error)),
    }
    Ok(header)
}

/// Refuses a schema version that this program does not know. 0 is a file whose first start was cut
/// short.
///
/// # Errors
///
/// [`OpenError::Newer`] or [`OpenError::Development`].
pub(crate) fn check_version(
    path: &Path,
    found: i64,
    known: &RangeInclusive<i64>,
) -> Result<(), OpenError> {
    let path = path.display().to_string();
    if found > *known.end() {
        let known = *known.end();
        Err(OpenError::Newer { path, found, known })
    } else if found != 0 && !known.contains(&found) {
        Err(OpenError::Development { path, found })
    } else {
        Ok(())
    }
}

/// Returns the size of the file by its header, in bytes, unless the header is out of date.
fn size_in(header: &[u8]) -> Option<u64> {
    let page = header
        .get(PAGE_SIZE_AT..PAGE_SIZE_AT + 2)?
        .try_into()
        .ok()?;
    let page = match u16::from_be_bytes(page) {
        // Does not fit into two bytes.
        1 => 65_536,
        size => u64::from(size),
    };
    let is_current =
        number_at(header, CHANGE_COUNTER_AT) == number_at(header, VERSION_VALID_FOR_AT);
    let pages = number_at(header, PAGE_COUNT_AT)?;
    is_current.then(|| page * u64::from(pages))
}

/// Suffix of the copy that a server saves when its file is deleted, before a time.
pub(crate) const RESCUED: &str = ".rescued-";

/// Returns the newest copy that a server saved of its deleted database.
fn rescued_of(path: &Path) -> Option<PathBuf> {
    let mut prefix = path.file_name()?.to_owned();
    prefix.push(RESCUED);
    let prefix = prefix.to_string_lossy().into_owned();
    let entries = std::fs::read_dir(folder_of(path)).ok()?;
    entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|found| {
            let name = found.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with(&prefix) && whole_name(&name).is_none()
        })
        .max()
}

fn check_folder(path: &Path) -> Result<(), OpenError> {
    let folder = folder_of(path);
    if folder.is_dir() {
        Ok(())
    } else {
        Err(OpenError::Unusable {
            path: path.display().to_string(),
            reason: format!("there is no folder {}", folder.display()),
            advice: "Create it first, or choose another file with --db.",
        })
    }
}

fn number_at(header: &[u8], at: usize) -> Option<u32> {
    let bytes = header.get(at..at + 4)?.try_into().ok()?;
    Some(u32::from_be_bytes(bytes))
}
