//! Reads the files of Litestream, in its format LTX (version 3 of
//! <https://github.com/superfly/ltx>): the pages of a database that some transactions changed.

use std::io::{self, BufReader, Read};

use anyhow::{Result, ensure};
use crc_fast::{CrcAlgorithm, Digest};

use crate::store::StoreError;

/// Set in each checksum, so that none is 0.
const CHECKSUM_MARK: u64 = 1 << 63;
/// Most bytes of a page in the index after the pages, and more than what follows the index.
const ENTRY: u64 = 30;
/// Bytes of which a packed page has fewer: a byte more for each 255 that can't be compressed.
const MOST: usize = 1 << 17;
const DAMAGED: &str = "is damaged, or of another version of Litestream";

fn take<const N: usize>(source: &mut impl Read, digest: &mut Digest) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    source.read_exact(&mut bytes)?;
    digest.update(&bytes);
    Ok(bytes)
}

/// Takes a page with its number.
pub(super) type Write<'a> = dyn FnMut(u32, &[u8]) -> Result<(), StoreError> + 'a;

fn number(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |sum, &b| sum << 8 | u64::from(b))
}

/// Reads a file with these transactions: gives each page with its number to `write`, and returns the
/// number of pages that the database has then. The checksum is last, so what was written is to be
/// discarded after an error.
///
/// # Errors
///
/// The first error of reading or writing.
pub(super) fn read(source: impl Read, range: (u64, u64), write: &mut Write<'_>) -> Result<u32> {
    let mut source = BufReader::new(source);
    let mut digest = Digest::new(CrcAlgorithm::Crc64GoIso);
    let header: [u8; 100] = take(&mut source, &mut digest)?;
    let (page_size, size) = (number(&header[8..12]) as usize, number(&header[12..16]));
    let is_size = page_size.is_power_of_two() && (512..=65_536).contains(&page_size);
    let range_there = (number(&header[16..24]), number(&header[24..32]));
    let is_known = header.starts_with(b"LTX1") && is_size && range_there == range;
    ensure!(is_known, "its header {DAMAGED}");
    let (mut page, mut packed) = (vec![0; page_size], Vec::new());
    let (mut last, mut count) = (0, 0);
    loop {
        let head: [u8; 6] = take(&mut source, &mut digest)?;
        if head == [0; 6] {
            break;
        }
        let page_number = number(&head[..4]);
        let packed_size = number(&take::<4>(&mut source, &mut digest)?) as usize;
        let is_next = page_number > last && page_number <= size && packed_size < MOST;
        packed.resize(packed_size.min(MOST), 0);
        ensure!(
            is_next && head[4..] == [0, 1],
            "the head of a page {DAMAGED}"
        );
        source.read_exact(&mut packed)?;
        let unpacked = lz4_flex::block::decompress_into(&packed, &mut page);
        ensure!(unpacked.ok() == Some(page_size), "a page {DAMAGED}");
        digest.update(&page);
        write(page_number as u32, &page)?;
        (last, count) = (page_number, count + 1);
    }
    let mut rest = Vec::new();
    let mut end = source.take((count + 1) * ENTRY);
    end.read_to_end(&mut rest)?;
    let (hashed, checksum) = rest.split_at(rest.len().saturating_sub(8));
    digest.update(hashed);
    let checksum_there = digest.finalize() | CHECKSUM_MARK;
    ensure!(checksum_there == number(checksum), "its checksum {DAMAGED}");
    Ok(size as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two files that Litestream 0.5.17 wrote: of a new database, and of a change.
    const FILES: [&[u8]; 2] = [
        include_bytes!("../../tests/fixtures/litestream/0000000000000001-0000000000000001.ltx"),
        include_bytes!("../../tests/fixtures/litestream/0000000000000002-0000000000000002.ltx"),
    ];

    fn read_into(database: &mut Vec<u8>, file: &[u8], range: (u64, u64)) -> Result<()> {
        let size = read(file, range, &mut |number, page| {
            let start = (number as usize - 1) * page.len();
            database.resize(database.len().max(start + page.len()), 0);
            database[start..start + page.len()].copy_from_slice(page);
            Ok(())
        })?;
        database.truncate(size as usize * 512);
        Ok(())
    }

    #[test]
    fn files_of_litestream_make_its_database() {
        let mut database = Vec::new();
        read_into(&mut database, FILES[0], (1, 1)).unwrap();
        read_into(&mut database, FILES[1], (2, 2)).unwrap();
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), &database).unwrap();
        let connection = rusqlite::Connection::open(file.path()).unwrap();
        let sql = "SELECT (SELECT count(*) FROM t), (SELECT length(y) FROM t WHERE x = 3), \
                   (SELECT integrity_check FROM pragma_integrity_check)";
        let found: (i64, i64, String) = connection
            .query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
            .unwrap();
        assert_eq!(found, (40, 600, "ok".to_owned()));
    }

    #[test]
    fn a_file_with_a_flipped_bit_is_refused() {
        for (file, range) in FILES.into_iter().zip([(1, 1), (2, 2)]) {
            let mut sound = Vec::new();
            read_into(&mut sound, file, range).unwrap();
            for bit in 0..file.len() * 8 {
                let mut flipped = file.to_vec();
                flipped[bit / 8] ^= 1 << (bit % 8);
                // The pages are hashed, and not how they are packed.
                let mut database = Vec::new();
                let outcome = read_into(&mut database, &flipped, range);
                assert!(outcome.is_err() || database == sound, "bit {bit}");
            }
        }
    }

    #[test]
    fn a_file_that_is_cut_off_or_longer_is_refused() {
        let file = FILES[1];
        for length in 0..file.len() {
            assert!(read_into(&mut Vec::new(), &file[..length], (2, 2)).is_err());
        }
        assert!(read_into(&mut Vec::new(), &[file, &[0]].concat(), (2, 2)).is_err());
    }

    #[test]
    fn a_file_of_other_transactions_than_its_name_says_is_refused() {
        assert!(read_into(&mut Vec::new(), FILES[1], (3, 3)).is_err());
    }

    #[test]
    fn a_page_of_4_gigabytes_takes_no_memory() {
        let mut file = FILES[1].to_vec();
        file[106..110].copy_from_slice(&[0xff; 4]);
        let error = read_into(&mut Vec::new(), &file, (2, 2)).unwrap_err();
        assert!(error.to_string().contains("a page is damaged"), "{error}");
    }
}
