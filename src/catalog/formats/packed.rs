//! Unpacks gzip, and zip archives with one file, within limits.

use std::io::{self, BufReader, Cursor, Read, Seek};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;

use super::archive::{Archive, BUFFER, Limited, MOST, ReadSeek, too_large};
use super::error::ReadError;
use crate::domain::truncate;
use crate::store::free_bytes;

/// First bytes of a zip archive.
const ZIP: &[u8; 4] = b"PK\x03\x04";

/// A file of products, before its format is known.
pub enum Input {
    /// A file.
    File(Box<dyn ReadSeek>),
    /// A pipe.
    Stream(Box<dyn Read>),
}

impl Input {
    /// Makes an input of bytes in memory.
    pub fn bytes(bytes: impl AsRef<[u8]> + 'static) -> Self {
        Self::File(Box::new(Cursor::new(bytes)))
    }
}

/// Content of a file without its packing.
pub(super) enum UnpackedFile {
    /// Anything but a spreadsheet, with its first bytes.
    Text(Box<dyn Read>),
    /// A spreadsheet.
    Sheet(Archive),
}

/// Unpacks a file; a piped zip archive is written to a file in `folder` first.
pub(super) fn unpack(input: Input, folder: &Path) -> Result<UnpackedFile, ReadError> {
    match input {
        Input::File(mut file) => {
            let mut start = [0; 4];
            let length = fill(&mut file, &mut start).map_err(ReadError::io)?;
            file.rewind().map_err(ReadError::io)?;
            match &start[..length] {
                b"PK\x03\x04" => unpack_zip(file, Some(folder)),
                start => unpack_gzip(file, start, folder),
            }
        }
        Input::Stream(mut stream) => {
            let mut start = [0; 4];
            let length = fill(&mut stream, &mut start).map_err(ReadError::io)?;
            let all = Cursor::new(start).take(length as u64).chain(stream);
            match &start[..length] {
                b"PK\x03\x04" => unpack_zip(to_file(all, folder)?, Some(folder)),
                start => unpack_gzip(all, start, folder),
            }
        }
    }
}

/// Returns the archive of a file if it is one with a file of this name, or else the file.
pub(in crate::catalog) fn opened_archive(
    input: Input,
    folder: &Path,
    name: &str,
) -> Result<Result<Archive, Input>, ReadError> {
    let mut start = [0; 4];
    let file = match input {
        Input::File(mut file) => {
            let length = fill(&mut file, &mut start).map_err(ReadError::io)?;
            file.rewind().map_err(ReadError::io)?;
            if start[..length] != *ZIP {
                return Ok(Err(Input::File(file)));
            }
            file
        }
        Input::Stream(mut stream) => {
            let length = fill(&mut stream, &mut start).map_err(ReadError::io)?;
            let all = Cursor::new(start).take(length as u64).chain(stream);
            if start[..length] != *ZIP {
                return Ok(Err(Input::Stream(Box::new(all))));
            }
            to_file(all, folder)?
        }
    };
    let archive = Archive::open(file, name)?;
    if archive.names().any(|known| known == name) {
        return Ok(Ok(archive));
    }
    Ok(Err(Input::File(archive.into_inner()?)))
}

/// Copies an archive to a temporary file: its directory is at its end. It may take half of the disk's
/// free space, so that files never fill it.
fn to_file(input: impl Read, folder: &Path) -> Result<Box<dyn ReadSeek>, ReadError> {
    let mut file = tempfile::tempfile_in(folder).map_err(ReadError::io)?;
    let room = free_bytes(&folder.join("file")).map_or(MOST, |free| free / 2);
    let copied = io::copy(&mut input.take(MOST.min(room) + 1), &mut file);
    let copied = copied.map_err(ReadError::io)?;
    if copied > MOST {
        return Err(ReadError::file(too_large()));
    }
    if copied > room {
        return Err(ReadError::file(
            "it would take more than half of the free space of the disk: make room first",
        ));
    }
    file.rewind().map_err(ReadError::io)?;
    Ok(Box::new(file))
}

/// Returns what a packed file has: a text, or a spreadsheet.
fn unpacked(mut input: Box<dyn Read>, folder: Option<&Path>) -> Result<UnpackedFile, ReadError> {
    let mut start = [0; 4];
    let length = fill(&mut input, &mut start).map_err(ReadError::io)?;
    let all = Cursor::new(start).take(length as u64).chain(input);
    match folder {
        // A spreadsheet is a zip archive itself.
        Some(folder) if start == *b"PK\x03\x04" => unpack_zip(to_file(all, folder)?, None),
        _ => Ok(UnpackedFile::Text(Box::new(all))),
    }
}

fn fill(input: &mut dyn Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut length = 0;
    while length < buffer.len() {
        match input.read(&mut buffer[length..]) {
            Ok(0) => break,
            Ok(read) => length += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(length)
}

fn unpack_gzip(
    input: impl Read + 'static,
    start: &[u8],
    folder: &Path,
) -> Result<UnpackedFile, ReadError> {
    if !start.starts_with(b"\x1f\x8b") {
        return Ok(UnpackedFile::Text(Box::new(input)));
    }
    let unpack = |input| MultiGzDecoder::new(BufReader::with_capacity(BUFFER, input));
    unpacked(Box::new(Limited::new(input, unpack)), Some(folder))
}

/// Opens a zip archive; in its `folder`, if it is not itself in a packed file.
fn unpack_zip(file: Box<dyn ReadSeek>, folder: Option<&Path>) -> Result<UnpackedFile, ReadError> {
    let archive = Archive::open(file, "")?;
    if archive.names().any(|name| name == "content.xml") {
        return Err(ReadError::file(
            "it is an OpenDocument file: save it as an Excel sheet (.xlsx) or as CSV",
        ));
    }
    if archive
        .names()
        .any(|name| name.ends_with(".iwa") || name == "Index.zip")
    {
        return Err(ReadError::file(
            "it is a Numbers document: export it as an Excel sheet (.xlsx) or as CSV",
        ));
    }
    if archive.names().any(|name| name == "[Content_Types].xml") {
        return Ok(UnpackedFile::Sheet(archive));
    }
    // Macs add a folder and files of their own.
    let is_own = |name: &&str| !name.starts_with("__MACOSX/") && !name.ends_with(".DS_Store");
    let wanted: Vec<&str> = archive.names().filter(is_own).collect();
    if folder.is_none() {
        return Err(ReadError::file("it is packed twice: unpack it first"));
    }
    let [name] = wanted[..] else {
        const MOST_NAMED: usize = 5;
        let mut names: Vec<String> = wanted.iter().map(|name| truncate(name, 40)).collect();
        names.truncate(MOST_NAMED);
        if wanted.len() > MOST_NAMED {
            names.push("…".to_owned());
        }
        return Err(ReadError::file(format!(
            "it is a zip archive of {} files ({}): pack only the one with the products",
            wanted.len(),
            names.join(", ")
        )));
    };
    let name = name.to_owned();
    unpacked(archive.into_file(&name)?, folder)
}
