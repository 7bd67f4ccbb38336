//! Unpacks gzip, and zip archives with one file, within limits.

use std::cell::Cell;
use std::io::{self, BufReader, Cursor, Read, Seek, Write};
use std::path::Path;
use std::rc::Rc;

use flate2::bufread::MultiGzDecoder;
use memchr::memmem;
use zip::ZipArchive;

use super::error::{ReadError, refused};

/// Maximum size of the content of a packed file in bytes.
const MOST: u64 = 1 << 30;
/// Maximum ratio of a packed file's content to its size, above [`FREE`] bytes. Products compress
/// 5:1 to 20:1.
const MOST_TIMES: u64 = 200;
const FREE: u64 = 1 << 20;
const BUFFER: usize = 64 * 1_024;

const DAMAGED_ZIP: &str = "it is a zip archive that is damaged or cut off: fetch it again";

/// A file that can be read in any order.
pub trait ReadSeek: Read + Seek {}

impl<T: Read + Seek> ReadSeek for T {}

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
pub(super) enum Content {
    /// Anything but a spreadsheet, with its first bytes.
    Text(Box<dyn Read>),
    /// A spreadsheet.
    Sheet(Box<dyn ReadSeek>),
}

/// Unpacks a file; a piped zip archive is written to a file in `folder` first.
pub(super) fn unpack(input: Input, folder: &Path) -> Result<Content, ReadError> {
    match input {
        Input::File(mut file) => {
            let mut start = [0; 4];
            let length = fill(&mut file, &mut start).map_err(ReadError::io)?;
            file.rewind().map_err(ReadError::io)?;
            match &start[..length] {
                b"PK\x03\x04" => unpack_zip(file, folder),
                start => Ok(unpack_gzip(file, start)),
            }
        }
        Input::Stream(mut stream) => {
            let mut start = [0; 4];
            let length = fill(&mut stream, &mut start).map_err(ReadError::io)?;
            let all = Cursor::new(start).take(length as u64).chain(stream);
            match &start[..length] {
                b"PK\x03\x04" => {
                    let mut file = tempfile::tempfile_in(folder).map_err(ReadError::io)?;
                    let copied = io::copy(&mut all.take(MOST + 1), &mut file);
                    if copied.map_err(ReadError::io)? > MOST {
                        return Err(ReadError::file(too_large()));
                    }
                    file.rewind().map_err(ReadError::io)?;
                    unpack_zip(Box::new(file), folder)
                }
                start => Ok(unpack_gzip(all, start)),
            }
        }
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

fn unpack_gzip(input: impl Read + 'static, start: &[u8]) -> Content {
    if !start.starts_with(b"\x1f\x8b") {
        return Content::Text(Box::new(input));
    }
    let packed = Rc::new(Cell::new(0));
    let counted = Counted(input, Rc::clone(&packed));
    let decoder = MultiGzDecoder::new(BufReader::with_capacity(BUFFER, counted));
    Content::Text(Box::new(Limited::new(decoder, packed)))
}

fn unpack_zip(file: Box<dyn ReadSeek>, folder: &Path) -> Result<Content, ReadError> {
    let mut archive = ZipArchive::new(file).map_err(|_| ReadError::file(DAMAGED_ZIP))?;
    let mut wanted = Vec::new();
    let mut is_sheet = false;
    for index in 0..archive.len() {
        let entry = archive
            .by_index_raw(index)
            .map_err(|_| ReadError::file(DAMAGED_ZIP))?;
        let name = entry.name().map_err(|_| ReadError::file(DAMAGED_ZIP))?;
        is_sheet |= name == "[Content_Types].xml";
        if name == "content.xml" {
            return Err(ReadError::file(
                "it is an OpenDocument file: save it as an Excel sheet (.xlsx) or as CSV",
            ));
        }
        // Macs add a folder and files of their own.
        let is_own = name.starts_with("__MACOSX/") || name.ends_with(".DS_Store");
        if !entry.is_dir() && !is_own {
            wanted.push(index);
        }
    }
    if is_sheet {
        check_sheet(&mut archive)?;
        let mut file = archive.into_inner();
        file.rewind().map_err(ReadError::io)?;
        return Ok(Content::Sheet(file));
    }
    let [index] = wanted[..] else {
        return Err(ReadError::file(format!(
            "it is a zip archive of {} files: pack only the one with the products",
            wanted.len()
        )));
    };
    let entry = archive.by_index(index).map_err(|_| {
        ReadError::file(
            "its zip archive has a password, or a packing that is not read: unpack it first",
        )
    })?;
    let packed = Rc::new(Cell::new(entry.compressed_size()));
    let mut content = tempfile::tempfile_in(folder).map_err(ReadError::io)?;
    let copied = io::copy(&mut Limited::new(entry, packed), &mut content);
    copied.map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidInput => ReadError::file(DAMAGED_ZIP),
        _ => ReadError::io(error),
    })?;
    content.rewind().map_err(ReadError::io)?;
    Ok(Content::Text(Box::new(content)))
}

/// Maximum number of bytes that the texts of a spreadsheet take in memory.
const MOST_TEXTS: u64 = 96 << 20;
/// Maximum size of the other parts of a spreadsheet that are kept in memory, in bytes.
const MOST_PARTS: u64 = 16 << 20;
/// Maximum size of one text of a spreadsheet in bytes; Excel allows 32,767 characters.
const MOST_CELL: u64 = 1 << 20;
/// Bytes that a short text takes besides itself.
const PER_TEXT: u64 = 40;

/// Checks that a spreadsheet can be read within memory, by unpacking all of it once: its own
/// statements of sizes are not trusted.
fn check_sheet(archive: &mut ZipArchive<Box<dyn ReadSeek>>) -> Result<(), ReadError> {
    let mut parts = 0;
    for index in 0..archive.len() {
        let entry = archive.by_index(index).map_err(|_| {
            ReadError::file("the sheet has a password or is damaged: save it without a password")
        })?;
        let name = entry.name().map_err(|_| ReadError::file(DAMAGED_ZIP))?;
        let name = name.into_owned();
        let packed = Rc::new(Cell::new(entry.compressed_size()));
        let mut content = Limited::new(entry, packed);
        let mut scan = Scan::default();
        io::copy(&mut content, &mut scan).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidInput => {
                ReadError::file("the sheet is damaged or cut off: fetch it again")
            }
            _ => ReadError::io(error),
        })?;
        if name.ends_with("sharedStrings.xml") {
            if scan.size + scan.texts * PER_TEXT > MOST_TEXTS {
                return Err(ReadError::file(
                    "the sheet takes more than 128 MB of memory: save it as CSV",
                ));
            }
            if scan.declared > scan.texts + 1 {
                return Err(ReadError::file(
                    "the sheet is damaged: open it in its program and save it again",
                ));
            }
        } else if !name.contains("/worksheets/") && !name.contains("/media/") {
            parts += scan.size;
        }
        if parts > MOST_PARTS || scan.longest > MOST_CELL && !name.contains("/media/") {
            return Err(ReadError::file(
                "the sheet takes more than 128 MB of memory: save it as CSV",
            ));
        }
    }
    Ok(())
}

/// Measures a part of a spreadsheet.
#[derive(Default)]
struct Scan {
    size: u64,
    /// Number of shared texts.
    texts: u64,
    /// Number of shared texts that the part declares.
    declared: u64,
    /// Length of the longest text.
    longest: u64,
    current: u64,
}

impl Write for Scan {
    fn write(&mut self, chunk: &[u8]) -> io::Result<usize> {
        if self.size == 0 {
            let head = String::from_utf8_lossy(&chunk[..chunk.len().min(1_000)]);
            let number = head.split("uniqueCount=").nth(1).and_then(|rest| {
                let digits = rest.get(1..)?;
                digits.split(|c: char| !c.is_ascii_digit()).next()
            });
            self.declared = number.map_or(0, |digits| digits.parse().unwrap_or(u64::MAX));
        }
        self.size += chunk.len() as u64;
        self.texts += memmem::find_iter(chunk, b"<si").count() as u64;
        let mut rest = chunk;
        while let Some(at) = memchr::memchr(b'<', rest) {
            self.longest = self.longest.max(self.current + at as u64);
            self.current = 0;
            rest = &rest[at + 1..];
        }
        self.current += rest.len() as u64;
        self.longest = self.longest.max(self.current);
        Ok(chunk.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Counts the bytes that are read.
struct Counted<R>(R, Rc<Cell<u64>>);

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.0.read(buffer)?;
        self.1.set(self.1.get() + read as u64);
        Ok(read)
    }
}

/// Fails when the content of a packed file exceeds the limits.
struct Limited<R> {
    input: R,
    packed: Rc<Cell<u64>>,
    size: u64,
}

impl<R> Limited<R> {
    fn new(input: R, packed: Rc<Cell<u64>>) -> Self {
        Self {
            input,
            packed,
            size: 0,
        }
    }
}

fn too_large() -> String {
    "it unpacks to more than 1 GB: unpack it first, and import the file in parts".to_owned()
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer).map_err(|error| {
            if matches!(
                error.kind(),
                io::ErrorKind::UnexpectedEof
                    | io::ErrorKind::InvalidInput
                    | io::ErrorKind::InvalidData
            ) {
                refused("its packing is damaged or cut off: fetch it again")
            } else {
                error
            }
        })?;
        self.size += read as u64;
        if self.size > FREE && self.size > MOST_TIMES * self.packed.get() {
            return Err(refused(format!(
                "it unpacks to more than {MOST_TIMES} times its size, as no file of products does: \
                 unpack it first"
            )));
        }
        if self.size > MOST {
            return Err(refused(too_large()));
        }
        Ok(read)
    }
}
