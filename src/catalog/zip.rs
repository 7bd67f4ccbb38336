//! Writes zip archives into streams.

use std::io::{self, Write};

use crc32fast::Hasher;
use flate2::Compression;
use flate2::write::DeflateEncoder;

/// Flags of a file whose sizes follow it, and whose name is UTF-8.
const FLAGS: u16 = 1 << 3 | 1 << 11;
/// Version 2.0, and deflate.
const VERSION: u16 = 20;
const DEFLATE: u16 = 8;
/// 1 January 1980, so that equal shops have equal archives.
const DATE: u16 = 1 << 5 | 1;

/// A zip archive that is written.
pub(super) struct ZipWriter<'a> {
    output: Counted<'a>,
    directory: Vec<u8>,
    files: u16,
}

impl<'a> ZipWriter<'a> {
    pub(super) fn new(output: &'a mut dyn Write) -> Self {
        Self {
            output: Counted { output, bytes: 0 },
            directory: Vec::new(),
            files: 0,
        }
    }

    /// Adds a file, compressed unless it is already.
    pub(super) fn add<T, E: From<io::Error>>(
        &mut self,
        name: &str,
        is_packed: bool,
        write: impl FnOnce(&mut dyn Write) -> Result<T, E>,
    ) -> Result<T, E> {
        let files = self.files.checked_add(1).ok_or_else(too_large)?;
        let start = size(self.output.bytes)?;
        let length = (name.len() as u16).to_le_bytes();
        let head = [VERSION, FLAGS, DEFLATE, 0, DATE]
            .map(u16::to_le_bytes)
            .concat();
        let local: [&[u8]; 6] = [
            b"PK\x03\x04",
            &head,
            &[0; 12],
            &length,
            &[0; 2],
            name.as_bytes(),
        ];
        self.output.write_all(&local.concat())?;
        let before = self.output.bytes;
        let level = if is_packed {
            Compression::none()
        } else {
            Compression::fast()
        };
        let (written, checksum, bytes) = {
            let mut file = Checked {
                packed: DeflateEncoder::new(&mut self.output, level),
                checksum: Hasher::new(),
                bytes: 0,
            };
            let written = write(&mut file)?;
            file.packed.try_finish()?;
            (written, file.checksum.clone(), file.bytes)
        };
        let sizes = [size(self.output.bytes - before)?, size(bytes)?];
        let sums = [checksum.finalize(), sizes[0], sizes[1]]
            .map(u32::to_le_bytes)
            .concat();
        self.output.write_all(&[b"PK\x07\x08", &*sums].concat())?;
        let made_by = VERSION.to_le_bytes();
        let entry: [&[u8]; 8] = [
            b"PK\x01\x02",
            &made_by,
            &head,
            &sums,
            &length,
            &[0; 12],
            &start.to_le_bytes(),
            name.as_bytes(),
        ];
        self.directory.extend(entry.concat());
        self.files = files;
        Ok(written)
    }

    /// Writes the directory.
    pub(super) fn finish(mut self) -> io::Result<()> {
        let start = size(self.output.bytes)?.to_le_bytes();
        let length = size(self.directory.len() as u64)?.to_le_bytes();
        let files = self.files.to_le_bytes();
        self.output.write_all(&self.directory)?;
        let end: [&[u8]; 7] = [
            b"PK\x05\x06",
            &[0; 4],
            &files,
            &files,
            &length,
            &start,
            &[0; 2],
        ];
        self.output.write_all(&end.concat())?;
        self.output.flush()
    }
}

fn size(bytes: u64) -> io::Result<u32> {
    u32::try_from(bytes).map_err(|_| too_large())
}

fn too_large() -> io::Error {
    io::Error::other(
        "the shop has more than a zip archive takes, 4 GB and 65,535 files: make a backup instead",
    )
}

/// Counts the bytes written.
struct Counted<'a> {
    output: &'a mut dyn Write,
    bytes: u64,
}

impl Write for Counted<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.output.write(bytes)?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

/// A file of the archive.
struct Checked<W: Write> {
    packed: DeflateEncoder<W>,
    checksum: Hasher,
    bytes: u64,
}

impl<W: Write> Write for Checked<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.packed.write(bytes)?;
        self.checksum.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    // A flush in the middle would end a block of the packing.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
