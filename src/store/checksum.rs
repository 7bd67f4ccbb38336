//! SHA-256 of a backup, as a line of text behind the database in its file.
//!
//! SQLite reads no further than the pages that the header counts, so the file stays a database, and
//! the checksum follows it through copies and pipes. Pages are multiples of [`UNIT`] bytes: a file
//! whose size has a remainder carries a checksum, or one that was damaged.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::Path;

use sha2::{Digest, Sha256};

use super::db::private::open_plain;

/// Smallest page of SQLite, in bytes.
const UNIT: u64 = 512;
const LABEL: &[u8] = b"\ndeals backup, SHA-256 of the bytes before this line: ";
/// Bytes of a SHA-256 in hexadecimal.
const DIGITS: usize = 64;
/// Size of the line in bytes, with the line breaks around it; less than [`UNIT`].
const LINE: usize = LABEL.len() + DIGITS + 1;

/// Reason for refusing a file by its checksum.
#[derive(Debug, thiserror::Error)]
pub enum ChecksumError {
    /// The content or the checksum is not as it was written.
    #[error(
        "{0} is not as it was backed up (its SHA-256 differs from the one that was recorded with it). \
         Use another backup, and look for the reason: a disk, a transfer or a program that wrote to it."
    )]
    Differs(String),
    /// The file cannot be read.
    #[error("cannot read {0}: {1}")]
    File(String, io::Error),
}

/// Checks the file against the checksum that it carries. Returns false if it carries none: older
/// backups, and databases. For a file that this process has not opened with SQLite, which loses its
/// locks on it otherwise.
///
/// # Errors
///
/// [`ChecksumError`] if it differs, or the file cannot be read.
pub fn verify_checksum(path: &Path) -> Result<bool, ChecksumError> {
    let Ok(mut file) = open_plain(path) else {
        // Opening it as a database fails with the reason.
        return Ok(false);
    };
    verify_file(&mut file).map_err(|error| refusal(path, error))
}

/// Removes the checksum of a backup that is about to be used as a database, after checking it.
/// For a file that this process has not opened with SQLite.
///
/// # Errors
///
/// [`ChecksumError::Differs`]; the file is unchanged then.
pub(crate) fn take_off(path: &Path) -> Result<(), ChecksumError> {
    let Ok(mut file) = File::options().read(true).write(true).open(path) else {
        // As above.
        return Ok(());
    };
    let take_off = |file: &mut File| {
        if file.metadata()?.len() % UNIT != LINE as u64 {
            return Ok(());
        }
        // Another process that has it was quicker, and may have added pages since.
        file.lock()?;
        if verify_file(file)? {
            let size = file.metadata()?.len();
            file.set_len(size - LINE as u64)?;
            file.sync_all()?;
        }
        Ok(())
    };
    take_off(&mut file).map_err(|error| refusal(path, error))
}

/// Like [`take_off`], for a file that this process received and that nobody else has. Returns false
/// if it carries none.
///
/// # Errors
///
/// [`ChecksumError`] if it differs, or the file cannot be read.
pub(crate) fn take_off_received(file: &mut File, path: &Path) -> Result<bool, ChecksumError> {
    let take_off = |file: &mut File| {
        let has_checksum = verify_file(file)?;
        if has_checksum {
            let size = file.metadata()?.len();
            file.set_len(size - LINE as u64)?;
        }
        Ok(has_checksum)
    };
    take_off(file).map_err(|error| refusal(path, error))
}

/// Appends the checksum of the content to a complete copy of a database.
pub(crate) fn append(file: &mut File) -> io::Result<()> {
    let size = file.metadata()?.len();
    let line = line(file, size)?;
    file.seek(SeekFrom::Start(size))?;
    file.write_all(&line)
}

fn verify_file(file: &mut File) -> io::Result<bool> {
    let size = file.metadata()?.len();
    let Some(content) = size.checked_sub(LINE as u64) else {
        return Ok(false);
    };
    if content % UNIT != 0 || !is_database(file)? {
        return Ok(false);
    }
    let expected = line(file, content)?;
    let mut found = Vec::new();
    file.seek(SeekFrom::Start(content))?;
    file.take(LINE as u64).read_to_end(&mut found)?;
    if found == expected {
        Ok(true)
    } else {
        Err(ErrorKind::InvalidData.into())
    }
}

fn is_database(file: &mut File) -> io::Result<bool> {
    let mut start = Vec::new();
    file.rewind()?;
    file.take(16).read_to_end(&mut start)?;
    Ok(start == b"SQLite format 3\0")
}

/// Returns the line for the first bytes of a file.
fn line(file: &mut File, size: u64) -> io::Result<Vec<u8>> {
    file.rewind()?;
    let mut content = file.take(size);
    let mut sha = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        let read = content.read(&mut buffer)?;
        if read == 0 {
            break;
        }
        sha.update(&buffer[..read]);
    }
    let mut line = LABEL.to_vec();
    for byte in sha.finalize() {
        write!(line, "{byte:02x}")?;
    }
    line.push(b'\n');
    Ok(line)
}

fn refusal(path: &Path, error: io::Error) -> ChecksumError {
    let path = path.display().to_string();
    match error.kind() {
        ErrorKind::InvalidData => ChecksumError::Differs(path),
        _ => ChecksumError::File(path, error),
    }
}
