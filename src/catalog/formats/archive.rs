//! Zip archives, of which no statement of a size is believed, and the limits of what is unpacked.
//!
//! The directory is read by its end record alone: crates search whole files for records, and keep
//! what they find in memory.

use std::cell::Cell;
use std::io::{self, Read, Seek, SeekFrom};
use std::rc::Rc;

use flate2::Crc;
use flate2::read::DeflateDecoder;
use memchr::memmem;

use super::error::{ReadError, invalid_file};

/// Maximum size of the content of a packed file in bytes.
pub(super) const MOST: u64 = 1 << 30;
/// Maximum ratio of a packed file's content to its size, above [`FREE`] bytes. Products compress
/// 5:1 to 20:1.
const MOST_TIMES: u64 = 200;
const FREE: u64 = 1 << 20;
pub(super) const BUFFER: usize = 64 * 1_024;

/// A file that can be read in any order.
pub trait ReadSeek: Read + Seek {}

impl<T: Read + Seek> ReadSeek for T {}

/// Maximum number of files, except in archives of a shop.
const MOST_ENTRIES: usize = 1_000;
/// Maximum size of the directory in bytes, for 65,535 pictures.
const MOST_DIRECTORY: usize = 8 << 20;
/// Length of the end record with its longest comment.
const LONGEST_END: u64 = 22 + 65_535;
/// Length of an entry of the directory without its name, and of a file's header.
const ENTRY: usize = 46;
const HEADER: usize = 30;

/// An archive whose directory was read.
pub(in crate::catalog) struct Archive {
    file: Box<dyn ReadSeek>,
    /// Names and entries of the directory.
    entries: Vec<(String, Vec<u8>)>,
}

impl Archive {
    /// Opens an archive of a shop if it has this file.
    pub(super) fn open(mut file: Box<dyn ReadSeek>, of_shop: &str) -> Result<Self, ReadError> {
        let size = file.seek(SeekFrom::End(0)).map_err(ReadError::io)?;
        let tail = read_at(&mut file, size.saturating_sub(LONGEST_END), LONGEST_END)?;
        let end = memmem::rfind(&tail, b"PK\x05\x06").ok_or_else(damaged)?;
        let [count, length, start] =
            [(10, 2), (12, 4), (16, 4)].map(|(at, length)| number(&tail[end..], at, length));
        let too_many = || {
            ReadError::file(
                "it is a zip archive of more than 1,000 files: pack only the one with the products",
            )
        };
        if length > MOST_DIRECTORY {
            return Err(too_many());
        }
        let directory = read_at(&mut file, start as u64, length as u64)?;
        let mut rest = directory.as_slice();
        let mut entries = Vec::new();
        for _ in 0..count {
            let [length, extra, comment] = [28, 30, 32].map(|at| number(rest, at, 2));
            let name = rest.get(ENTRY..ENTRY + length);
            let name = name.filter(|_| rest.starts_with(b"PK\x01\x02"));
            let wrong = || {
                if count > MOST_ENTRIES {
                    too_many()
                } else {
                    damaged()
                }
            };
            let name = String::from_utf8_lossy(name.ok_or_else(wrong)?).replace('\\', "/");
            entries.push((name, rest[..ENTRY].to_vec()));
            let next = ENTRY + length + extra + comment;
            rest = rest.get(next..).unwrap_or_default();
        }
        if count > MOST_ENTRIES && !entries.iter().any(|(name, _)| name == of_shop) {
            return Err(too_many());
        }
        Ok(Self { file, entries })
    }

    /// Returns the packed file, from its start.
    pub(in crate::catalog) fn into_inner(mut self) -> Result<Box<dyn ReadSeek>, ReadError> {
        self.file.rewind().map_err(ReadError::io)?;
        Ok(self.file)
    }

    /// Names of the files and folders.
    pub(in crate::catalog) fn all_names(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|(name, _)| name.as_str())
    }

    /// Names of the files, without folders.
    pub(in crate::catalog) fn names(&self) -> impl Iterator<Item = &str> {
        self.all_names().filter(|name| !name.ends_with('/'))
    }

    /// Opens a file by its name, of which letters may differ in case.
    pub(in crate::catalog) fn read(&mut self, name: &str) -> Result<Box<dyn Read + '_>, ReadError> {
        content(&mut self.file, entry(&self.entries, name)?)
    }

    /// Opens a file by its position among all names.
    pub(in crate::catalog) fn read_at(
        &mut self,
        index: usize,
    ) -> Result<Box<dyn Read + '_>, ReadError> {
        let (_, entry) = self.entries.get(index).ok_or_else(damaged)?;
        content(&mut self.file, entry)
    }

    /// Opens a file as the last one.
    pub(in crate::catalog) fn into_file(self, name: &str) -> Result<Box<dyn Read>, ReadError> {
        content(self.file, entry(&self.entries, name)?)
    }
}

/// Finds the entry of a name.
fn entry<'a>(entries: &'a [(String, Vec<u8>)], name: &str) -> Result<&'a [u8], ReadError> {
    let mut entries = entries.iter();
    let found = entries.find(|(known, _)| known.eq_ignore_ascii_case(name));
    found.map(|(_, entry)| entry.as_slice()).ok_or_else(damaged)
}

/// Returns the unpacked content of an entry.
fn content<'a>(
    mut file: impl ReadSeek + 'a,
    entry: &[u8],
) -> Result<Box<dyn Read + 'a>, ReadError> {
    let [flags, method, checksum] =
        [(8, 2), (10, 2), (16, 4)].map(|(at, length)| number(entry, at, length));
    let [size, start] = [20, 42].map(|at| number(entry, at, 4) as u64);
    if flags & 1 == 1 {
        return Err(ReadError::file("it has a password: save it without one"));
    }
    let header = read_at(&mut file, start, HEADER as u64)?;
    let skipped = HEADER + number(&header, 26, 2) + number(&header, 28, 2);
    let content = SeekFrom::Start(start + skipped as u64);
    file.seek(content).map_err(ReadError::io)?;
    let input = file.take(size);
    match method {
        0 => Ok(Box::new(Limited::checked(input, checksum, |input| input))),
        8 => Ok(Box::new(Limited::checked(
            input,
            checksum,
            DeflateDecoder::new,
        ))),
        _ => Err(ReadError::file(
            "its zip archive has a packing that is not read: unpack it first",
        )),
    }
}

/// Reads at most `length` bytes from a position.
fn read_at(file: &mut impl ReadSeek, start: u64, length: u64) -> Result<Vec<u8>, ReadError> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(start)).map_err(ReadError::io)?;
    let read = file.take(length).read_to_end(&mut bytes);
    read.map_err(ReadError::io)?;
    Ok(bytes)
}

/// Returns the number of so many bytes at a position; 0 beyond the end.
fn number(bytes: &[u8], at: usize, length: usize) -> usize {
    let bytes = bytes.get(at..at + length).unwrap_or_default();
    bytes
        .iter()
        .rev()
        .fold(0, |sum, byte| sum << 8 | usize::from(*byte))
}

fn damaged() -> ReadError {
    ReadError::file("it is a zip archive that is damaged or cut off: fetch it again")
}

/// Counts the bytes that are read.
pub(super) struct CountingReader<R>(R, Rc<Cell<u64>>);

impl<R: Read> Read for CountingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.0.read(buffer)?;
        self.1.set(self.1.get() + read as u64);
        Ok(read)
    }
}

/// Fails when the content of a packed file exceeds the limits, or differs from the original.
pub(super) struct Limited<R> {
    input: R,
    /// Bytes read from the packed file; its stated size is not trusted.
    packed: Rc<Cell<u64>>,
    size: u64,
    crc: Crc,
    /// CRC-32 of the content, if its packing does not check it.
    checksum: Option<usize>,
}

impl<R> Limited<R> {
    pub(super) fn new<I>(input: I, unpack: impl FnOnce(CountingReader<I>) -> R) -> Self {
        let packed = Rc::default();
        Self {
            input: unpack(CountingReader(input, Rc::clone(&packed))),
            packed,
            size: 0,
            crc: Crc::new(),
            checksum: None,
        }
    }

    pub(super) fn checked<I>(
        input: I,
        checksum: usize,
        unpack: impl FnOnce(CountingReader<I>) -> R,
    ) -> Self {
        Self {
            checksum: Some(checksum),
            ..Self::new(input, unpack)
        }
    }
}

pub(super) fn too_large() -> String {
    "it unpacks to more than 1 GB: unpack it first, and import the file in parts".to_owned()
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let damaged = || invalid_file("its packing is damaged or cut off: fetch it again");
        let read = self.input.read(buffer).map_err(|error| {
            if matches!(
                error.kind(),
                io::ErrorKind::UnexpectedEof
                    | io::ErrorKind::InvalidInput
                    | io::ErrorKind::InvalidData
            ) {
                damaged()
            } else {
                error
            }
        })?;
        if let Some(checksum) = self.checksum {
            self.crc.update(&buffer[..read]);
            if read == 0 && !buffer.is_empty() && self.crc.sum() as usize != checksum {
                return Err(damaged());
            }
        }
        self.size += read as u64;
        if self.size > FREE && self.size > MOST_TIMES * self.packed.get() {
            return Err(invalid_file(format!(
                "it unpacks to more than {MOST_TIMES} times its size, as no file of products does: \
                 unpack it first"
            )));
        }
        if self.size > MOST {
            return Err(invalid_file(too_large()));
        }
        Ok(read)
    }
}
