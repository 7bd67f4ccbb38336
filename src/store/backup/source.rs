//! Opens the backup to restore, and says what to do with a file that is none.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;

use rusqlite::Connection;

use super::BackupError;
use crate::store::OpenError;
use crate::store::db::open;
use crate::store::db::preflight::has_wal;
use crate::store::db::private::open_plain;

const ANOTHER: &str = "Copy it again from where it was made, or restore another backup.";

/// First bytes of compressed files, and the programs that decompress them.
const COMPRESSED: [(&[u8], &str); 4] = [
    (b"\x1f\x8b", "gunzip"),
    (b"\x28\xb5\x2f\xfd", "unzstd"),
    (b"\xfd7zXZ\0", "unxz"),
    (b"BZh", "bunzip2"),
];

/// Returns the program that decompresses the file, `None` if it is not compressed.
pub fn decompressor_of(path: &Path) -> Option<&'static str> {
    decompressor(&start_of(open_plain(path).ok()?).ok()?)
}

fn decompressor(start: &[u8]) -> Option<&'static str> {
    let known = COMPRESSED
        .iter()
        .find(|(bytes, _)| start.starts_with(bytes));
    known.map(|(_, program)| *program)
}

/// Reads the bytes that identify a compressed file.
fn start_of(file: File) -> std::io::Result<Vec<u8>> {
    let mut start = Vec::new();
    file.take(6).read_to_end(&mut start)?;
    Ok(start)
}

/// Opens a backup to read it; errors call it `name`. For a file that this process has not opened with SQLite.
///
/// # Errors
///
/// [`BackupError::Source`] if the file is no complete backup.
pub(super) fn open_backup(path: &Path, name: &str) -> Result<Connection, BackupError> {
    let refused = |reason: String, advice: &str| BackupError::Source {
        path: name.to_owned(),
        reason,
        advice: advice.to_owned(),
    };
    let start = open_plain(path).and_then(start_of).map_err(|error| {
        let reason = match error.kind() {
            ErrorKind::NotFound => "there is no such file".to_owned(),
            _ => error.to_string(),
        };
        refused(reason, "Check its name and its permissions.")
    })?;
    if start.is_empty() && !has_wal(path) {
        return Err(refused("it is empty".to_owned(), ANOTHER));
    }
    if let Some(program) = decompressor(&start) {
        let advice = format!("Decompress it with `{program}` first.");
        return Err(refused("it is compressed".to_owned(), &advice));
    }
    open::for_reading(path).map_err(|error| match error {
        OpenError::Foreign(_) => refused(
            "it is not a deals database".to_owned(),
            "Restore a file that `deals backup` made.",
        ),
        OpenError::Damaged { reason, .. } => refused(reason, ANOTHER),
        OpenError::Altered { what, .. } => {
            refused(format!("it is not as deals makes it: {what}"), ANOTHER)
        }
        other => other.into(),
    })
}
