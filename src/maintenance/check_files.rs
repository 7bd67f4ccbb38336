//! The checks of `deals check` that read files: sizes, modes, the WAL, disk space.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::check::{CheckConfig, CheckState};
use super::disk;
use crate::accounts::KEY_FILE;
use crate::domain::counted;
use crate::store::{Contents, folder_of, free_bytes, is_read_only, with_suffix};

/// Bytes of the WAL above which some program must be keeping it from being checkpointed.
const LONG_WAL: u64 = 512 * 1_024 * 1_024;

/// Returns how many pictures there are and how much of the database they take up.
fn describe_pictures(contents: Contents) -> String {
    if contents.pictures == 0 {
        return String::new();
    }
    let percent = contents.picture_bytes * 100 / contents.bytes.max(1);
    format!(
        ", {} of {}, {percent} % of it",
        counted(contents.pictures, "picture"),
        disk::readable(contents.picture_bytes)
    )
}

impl CheckConfig<'_> {
    /// Describes a database, and the share of its pictures.
    pub(super) fn describe_contents(&self, contents: Option<Contents>) -> String {
        let name = self.database.display();
        match contents {
            None => format!("{name} can be opened"),
            Some(contents) => format!(
                "{name}, schema {}, {}: {}, {}{}",
                contents.schema,
                disk::readable(contents.bytes),
                counted(contents.products, "product"),
                counted(contents.accounts, "account"),
                describe_pictures(contents)
            ),
        }
    }

    pub(super) fn modes(&self) -> (CheckState, String) {
        let mode = |path: &Path| Some(fs::metadata(path).ok()?.permissions().mode() & 0o777);
        let key = with_suffix(self.database, KEY_FILE);
        if mode(&key).is_some_and(|mode| mode & 0o077 != 0) {
            let key = key.display();
            return (
                CheckState::Wrong,
                format!("{key} can be read by other users. Run `chmod 600 {key}`."),
            );
        }
        if let Some((name, mode)) = self.open_to_others() {
            let what = if mode & 0o002 != 0 { "written" } else { "read" };
            return (
                CheckState::Wrong,
                format!("{name} can be {what} by every user. Run `chmod o= {name}`."),
            );
        }
        if is_read_only(self.database) {
            return (
                CheckState::Wrong,
                format!(
                    "the disk of {} is read-only: visitors can read, and nothing can change. \
                     `deals export` and `deals backup` work from it. Look for the disk's errors in \
                     the system's log.",
                    self.database.display()
                ),
            );
        }
        let writable = rustix::fs::access(self.database, rustix::fs::Access::WRITE_OK);
        if let Err(error) = writable
            && self.database.exists()
        {
            return (
                CheckState::Wrong,
                format!(
                    "{} can't be written to ({error}): products, clicks and accounts can't change. \
                     Give this user write permission.",
                    self.database.display()
                ),
            );
        }
        (
            CheckState::Fine,
            "writable by this user, and closed to all others".to_owned(),
        )
    }

    /// Returns a file of the shop that every user of the system may read or write, with its mode: it
    /// has addresses and hashes of passwords.
    fn open_to_others(&self) -> Option<(String, u32)> {
        let own = self.database.file_name()?.to_string_lossy().into_owned();
        let mut names: Vec<_> = fs::read_dir(folder_of(self.database))
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                // The database, SQLite's files beside it, and copies.
                name.strip_prefix(&own)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with(['-', '.']))
            })
            .collect();
        names.sort();
        names.into_iter().find_map(|path| {
            let found = fs::symlink_metadata(&path).ok()?;
            let mode = found.permissions().mode() & 0o007;
            (found.is_file() && mode != 0).then(|| (path.display().to_string(), mode))
        })
    }

    pub(super) fn wal(&self) -> (CheckState, String) {
        let wal = with_suffix(self.database, "-wal");
        let bytes = fs::metadata(wal).map_or(0, |wal| wal.len());
        let size = disk::readable(bytes);
        if bytes > LONG_WAL {
            return (
                CheckState::Note,
                format!("{size} are not yet in the database: some program reads it for very long"),
            );
        }
        (CheckState::Fine, format!("{size} not yet in the database"))
    }

    pub(super) fn disk(&self) -> (CheckState, String) {
        let size = fs::metadata(self.database).map_or(0, |file| file.len());
        match free_bytes(self.database) {
            Err(error) => (
                CheckState::Note,
                format!("the free space is unknown: {error}"),
            ),
            Ok(free) if free < disk::LITTLE => (
                CheckState::Wrong,
                format!(
                    "only {} are free. Make room before writes are refused.",
                    disk::readable(free)
                ),
            ),
            Ok(free) if free < size.saturating_mul(2) => (
                CheckState::Note,
                format!(
                    "{} are free, and a copy of the database takes {}: \
                     updates and restoring need room for one",
                    disk::readable(free),
                    disk::readable(size)
                ),
            ),
            Ok(free) => (
                CheckState::Fine,
                format!("{} are free", disk::readable(free)),
            ),
        }
    }
}
