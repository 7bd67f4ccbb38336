//! The place that Litestream writes to: files by level, and by the transactions in them. Level 0 has each
//! transaction for some minutes; levels above have them together for longer; the last has the whole database.

use std::cmp::Reverse;
use std::fs;
use std::io::{ErrorKind, Read};
use std::path::PathBuf;

use anyhow::Result;

use crate::bucket::{Access, Bucket};
use crate::maintenance::backups::BackupPlace;
use crate::store::open_plain;

/// The last level.
const SNAPSHOTS: u32 = 9;

/// A file, by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LtxFile {
    level: u32,
    /// Its first transaction: 1 if it has the whole database.
    pub(super) first: u64,
    /// Its last transaction.
    pub(super) last: u64,
}

impl LtxFile {
    pub(super) fn new(level: u32, first: u64, last: u64) -> Self {
        Self { level, first, last }
    }

    fn parse(level: u32, name: &str) -> Option<Self> {
        let (first, last) = name.strip_suffix(".ltx")?.split_once('-')?;
        let [first, last] = [first, last].map(|number| u64::from_str_radix(number, 16).ok());
        let file = Self::new(level, first?, last?);
        (0 < file.first && file.first <= file.last && file.name() == name).then_some(file)
    }

    pub(super) fn name(self) -> String {
        format!("{:016x}-{:016x}.ltx", self.first, self.last)
    }
}

/// A bucket, or a folder.
pub(super) enum Source {
    Bucket(Bucket),
    Folder(PathBuf),
}

impl Source {
    pub(super) fn open(place: &BackupPlace) -> Result<Self> {
        Ok(match place {
            BackupPlace::Bucket(address) => {
                Self::Bucket(Bucket::open(address, &Access::Variables)?)
            }
            BackupPlace::Folder(folder) => Self::Folder(folder.join("ltx")),
        })
    }

    /// Opens a file; `None` if it is not there.
    ///
    /// # Errors
    ///
    /// When it can't be read.
    pub(super) fn read(&self, file: LtxFile) -> Result<Option<Box<dyn Read + '_>>> {
        let name = file.name();
        match self {
            Self::Bucket(bucket) => match bucket.download(&format!("{:04x}/{name}", file.level)) {
                Err(error) if error.is_missing() => Ok(None),
                found => Ok(Some(Box::new(found?))),
            },
            Self::Folder(folder) => {
                match open_plain(&folder.join(format!("{}/{name}", file.level))) {
                    Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
                    found => Ok(Some(Box::new(found?))),
                }
            }
        }
    }

    fn names(&self, level: u32) -> Result<Vec<String>> {
        match self {
            Self::Bucket(bucket) => {
                let objects = bucket.list(&format!("{level:04x}"))?.into_iter();
                Ok(objects.map(|object| object.name).collect())
            }
            Self::Folder(folder) => match fs::read_dir(folder.join(level.to_string())) {
                Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
                found => found?
                    .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
                    .collect(),
            },
        }
    }

    /// Finds the file that leads on from a position, best without copying the whole database, and
    /// furthest; and the newest position that there is.
    pub(super) fn look(&self, position: u64) -> Result<(Option<LtxFile>, u64)> {
        let mut all = Vec::new();
        for level in 0..=SNAPSHOTS {
            all.extend(
                self.names(level)?
                    .iter()
                    .filter_map(|name| LtxFile::parse(level, name)),
            );
        }
        let newest = all.iter().map(|file| file.last).max().unwrap_or_default();
        all.retain(|file| file.first <= position.saturating_add(1) && file.last > position);
        let best = all
            .into_iter()
            .max_by_key(|file| (file.first > 1, file.last, Reverse(file.level)));
        Ok((best, newest))
    }
}
