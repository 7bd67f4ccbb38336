//! A copy of the database for a place that is no file: a pipe, or a bucket.

use std::fs::File;
use std::path::Path;
use std::time::Duration;

use super::check_room;
use crate::store::{BackupError, Contents, back_up, folder_of, is_read_only};

/// Prefix of temporary folders.
const TEMPORARY: &str = ".deals-backup-";
/// Age at which such a folder is a leftover of a killed process.
const LEFTOVER_AGE: Duration = Duration::from_secs(24 * 3_600);

/// Makes a verified copy, which has no name any more, so that nothing is left if this process is
/// killed.
///
/// # Errors
///
/// When it can't be made.
pub fn with_copy(
    database: &Path,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<(File, Contents), BackupError> {
    // Beside the database, which has room for it, unless its disk is read-only.
    let temporary = std::env::temp_dir();
    let beside = if is_read_only(database) {
        &temporary
    } else {
        folder_of(database)
    };
    remove_leftovers(beside);
    let fail = |error| {
        let what = format!("a temporary folder in {}", beside.display());
        BackupError::File(what, error)
    };
    let folder = tempfile::Builder::new()
        .prefix(TEMPORARY)
        .tempdir_in(beside)
        .map_err(fail)?;
    let file = folder.path().join("backup.sqlite");
    let contents = back_up(database, &file, progress)?;
    let copy = File::open(&file).map_err(fail)?;
    folder.close().map_err(fail)?;
    Ok((copy, contents))
}

/// Makes a copy as [`with_copy`] does, unless it would fill the disk.
///
/// # Errors
///
/// When there is no room, or it can't be made.
pub fn copy_with_room(database: &Path) -> Result<(File, Contents), BackupError> {
    check_room(folder_of(database), database)?;
    with_copy(database, &mut |_, _| ())
}

/// Removes leftovers of killed processes; failures do not matter.
fn remove_leftovers(folder: &Path) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let modified = entry.metadata().and_then(|entry| entry.modified());
        let age = modified.map(|time| time.elapsed().unwrap_or_default());
        if name.to_string_lossy().starts_with(TEMPORARY) && age.is_ok_and(|age| age > LEFTOVER_AGE)
        {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}
