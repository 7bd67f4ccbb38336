//! Writes the files that Litestream would write beside a leader, without it: the pages of its database
//! that changed.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crc_fast::{CrcAlgorithm, Digest};
use rusqlite::Connection;
use rusqlite::backup::Backup;

use super::bucket::Bucket;
use super::harness::PATIENCE;

const PAGE: usize = 4_096;

/// Pages by number.
type Pages = BTreeMap<u32, Vec<u8>>;

/// Where the files go.
pub enum Target {
    Folder(PathBuf),
    Bucket(Bucket, &'static str),
}

/// The files of one leader.
pub struct Litestream {
    database: PathBuf,
    target: Target,
    pages: Vec<Vec<u8>>,
    /// Transactions: the pages that each changed, and the size after it.
    transactions: Vec<(Pages, usize)>,
    /// Number of transactions before the first of them.
    before: usize,
}

impl Litestream {
    pub fn new(database: &Path, target: Target) -> Self {
        Self {
            database: database.to_owned(),
            target,
            pages: Vec::new(),
            transactions: Vec::new(),
            before: 0,
        }
    }

    /// Goes on after the files that there are.
    pub fn after(database: &Path, target: Target) -> Self {
        let mut own = Self::new(database, target);
        if let Target::Bucket(bucket, prefix) = &own.target {
            let names = bucket.names().into_iter();
            let files = names.filter(|name| name.starts_with(&format!("{prefix}/0000/")));
            own.before = files.count();
        }
        own
    }

    pub fn into_folder(database: &Path, folder: &Path) -> Self {
        let mut own = Self::new(database, Target::Folder(folder.to_owned()));
        own.sync();
        own
    }

    /// Number of the last transaction.
    pub fn position(&self) -> usize {
        self.before + self.transactions.len()
    }

    /// Writes what changed since the last time as one transaction. Returns the name of its file.
    pub fn sync(&mut self) -> String {
        self.sync_with(|_| ())
    }

    /// As after Litestream lost track of the database: the transaction has every page.
    pub fn sync_whole(&mut self) -> String {
        self.pages.clear();
        self.sync()
    }

    /// As [`sync`](Self::sync), with damage to the file.
    pub fn sync_with(&mut self, damage: impl FnOnce(&mut [u8])) -> String {
        let before = std::mem::take(&mut self.pages);
        self.pages = pages_of(&self.database);
        let changed = self.pages.iter().enumerate();
        let changed = changed.filter(|(index, page)| before.get(*index) != Some(page));
        let changed = changed.map(|(index, page)| (index as u32 + 1, page.clone()));
        self.transactions
            .push((changed.collect(), self.pages.len()));
        let last = self.position();
        let mut file = self.encode(last, last);
        damage(&mut file);
        self.put(0, last, last, &file)
    }

    /// Writes one file with some transactions on a level.
    pub fn write(&self, level: u32, first: usize, last: usize) -> String {
        self.put(level, first, last, &self.encode(first, last))
    }

    fn encode(&self, first: usize, last: usize) -> Vec<u8> {
        let mut pages = Pages::new();
        let [first_index, end] = [first - 1, last].map(|number| number - self.before);
        for (changed, _) in &self.transactions[first_index..end] {
            pages.extend(changed.clone());
        }
        let size = self.transactions[end - 1].1;
        pages.retain(|number, _| *number as usize <= size);
        encode(&pages, size, first, last)
    }

    fn put(&self, level: u32, first: usize, last: usize, bytes: &[u8]) -> String {
        let name = self.name(level, first, last);
        match &self.target {
            Target::Bucket(bucket, _) => bucket.put(&name, bytes),
            Target::Folder(folder) => {
                let path = folder.join(&name);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                // Under another name first, as Litestream does.
                let part = path.with_extension("tmp");
                fs::write(&part, bytes).unwrap();
                fs::rename(part, path).unwrap();
            }
        }
        name
    }

    pub fn remove(&self, name: &str) {
        match &self.target {
            Target::Bucket(bucket, _) => bucket.remove(name),
            Target::Folder(folder) => fs::remove_file(folder.join(name)).unwrap(),
        }
    }

    pub fn name(&self, level: u32, first: usize, last: usize) -> String {
        let name = format!("{first:016x}-{last:016x}.ltx");
        match &self.target {
            Target::Bucket(_, prefix) => format!("{prefix}/{level:04x}/{name}"),
            Target::Folder(_) => format!("ltx/{level}/{name}"),
        }
    }
}

/// Returns the pages of a database in use, as its last commit left them.
pub fn pages_of(database: &Path) -> Vec<Vec<u8>> {
    let source = Connection::open(database).unwrap();
    source.busy_timeout(PATIENCE).unwrap();
    let copy = tempfile::NamedTempFile::new().unwrap();
    {
        let mut target = Connection::open(copy.path()).unwrap();
        let backup = Backup::new(&source, &mut target).unwrap();
        backup.step(-1).unwrap();
    }
    let bytes = fs::read(copy.path()).unwrap();
    let mut pages: Vec<Vec<u8>> = bytes.chunks(PAGE).map(<[u8]>::to_vec).collect();
    // SQLite counts changes of the copy and of its schema, and notes how it is written.
    let schema: u32 = source
        .pragma_query_value(None, "schema_version", |row| row.get(0))
        .unwrap();
    let page = &mut pages[0];
    page[40..44].copy_from_slice(&schema.to_be_bytes());
    page[18..20].copy_from_slice(&[2, 2]);
    page[24..28].fill(0);
    page[92..96].fill(0);
    pages
}

fn encode(pages: &Pages, size: usize, first: usize, last: usize) -> Vec<u8> {
    let mut header = b"LTX1".to_vec();
    for number in [2, PAGE as u32, size as u32] {
        header.extend(number.to_be_bytes());
    }
    for number in [first as u64, last as u64] {
        header.extend(number.to_be_bytes());
    }
    header.resize(100, 0);
    let mut offset = header.len() as u64;
    let mut index = Vec::new();
    let mut digest = Digest::new(CrcAlgorithm::Crc64GoIso);
    digest.update(&header);
    let mut body = Vec::new();
    for (number, page) in pages {
        let packed = packed(page);
        let mut head = number.to_be_bytes().to_vec();
        head.extend([0, 1]);
        head.extend((packed.len() as u32).to_be_bytes());
        digest.update(&head);
        digest.update(page);
        body.extend(&head);
        body.extend(&packed);
        let size = (head.len() + packed.len()) as u64;
        for number in [u64::from(*number), offset, size] {
            index.extend(varint(number));
        }
        offset += size;
    }
    body.extend([0; 6]);
    digest.update(&[0; 6]);
    index.push(0);
    index.extend((index.len() as u64).to_be_bytes());
    index.extend([0; 8]);
    digest.update(&index);
    let checksum = digest.finalize() | 1 << 63;
    [header, body, index, checksum.to_be_bytes().to_vec()].concat()
}

/// Packs a page as a block of LZ4 with literals alone.
fn packed(page: &[u8]) -> Vec<u8> {
    let mut block = vec![0xf0];
    let mut rest = page.len() - 15;
    while rest >= 255 {
        block.push(255);
        rest -= 255;
    }
    block.push(rest as u8);
    block.extend(page);
    block
}

fn varint(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}
