//! Backups in a bucket, compressed: `backup/20261121T083000Z-1a2b3c4d.sqlite.gz` below the shop's prefix,
//! and `shop`, which says whose they are. The letters at the end are the server's, to notice a second one.

use std::error::Error;
use std::fs::{File, TryLockError};
use std::io::{self, Read, Write};
use std::path::Path;
use std::time::SystemTime;

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use jiff::Timestamp;

use super::label::{Label, digest, of_another};
use super::{Backup, TIME, check_room, check_room_for, disk, is_ahead, sort, time_in, with_copy};
use crate::bucket::{Access, Address, Bucket, BucketError};
use crate::domain::counted;
use crate::store::{
    BackupError, Contents, folder_of, is_read_only, open_lock, server_token_of, with_suffix,
};

/// End of the names of backups.
const ENDING: &str = ".sqlite.gz";
/// Part of the prefix with the backups.
const BACKUPS: &str = "backup";
/// The object that says whose backups these are.
const LABEL: &str = "shop";
/// Times that a backup may be larger than its object. Text that repeats itself in more than a page
/// is a hundred times smaller in gzip, and a backup has no long runs of one byte.
const RATIO: u64 = 200;
/// Size that each backup may have.
const SMALL: u64 = 64 << 20;
/// Size of the head of a database, which states its own.
const HEAD: usize = 100;
/// Suffix of the file that is locked during an upload.
const UPLOADING: &str = ".uploading";

/// Content of the part with the backups.
pub struct StoredBackups {
    /// The backups, the newest first.
    pub made: Vec<Backup>,
    /// A sentence about objects that are no backups.
    pub skipped: Option<String>,
}

/// The backups of a shop in a bucket.
pub struct Remote {
    bucket: Bucket,
}

impl Remote {
    /// Opens the bucket; sends nothing yet.
    ///
    /// # Errors
    ///
    /// A sentence about the provider's key.
    pub fn open(address: &Address, access: &Access) -> Result<Self, BackupError> {
        let bucket = Bucket::open(address, access)?;
        Ok(Self { bucket })
    }

    /// Splits the address of a backup into the shop's and its name; the shop's has no name.
    pub fn locate(address: &Address) -> (Address, Option<String>) {
        let (folder, name) = address.split();
        if !name.ends_with(ENDING) {
            return (address.clone(), None);
        }
        match folder.split() {
            (shop, part) if part == BACKUPS => (shop, Some(name)),
            _ => (folder, Some(name)),
        }
    }

    /// Tries everything that backups need, with a small object.
    ///
    /// # Errors
    ///
    /// A sentence about the first step that fails.
    pub fn test(&self) -> Result<(), BackupError> {
        Ok(self.bucket.test()?)
    }

    /// Returns the backups.
    ///
    /// # Errors
    ///
    /// A sentence, also about a newer format.
    pub fn list(&self) -> Result<StoredBackups, BackupError> {
        self.label()?;
        let mut made = Vec::new();
        let mut others = Vec::new();
        for object in self.bucket.list(BACKUPS)? {
            // Smaller ones, like a folder's mark or a cut upload, must not count as kept backups.
            let is_whole = object.bytes > HEAD as u64;
            match time_of(&object.name).filter(|_| is_whole) {
                Some(at) => made.push(Backup {
                    // By the clock of the provider, if this machine's was wrong.
                    at: if is_ahead(at) {
                        at.min(object.written)
                    } else {
                        at
                    },
                    bytes: object.bytes,
                    name: self.address_of(&object.name).to_string(),
                }),
                None => others.push(object.name),
            }
        }
        sort(&mut made);
        let skipped = others.first().map(|name| {
            let shown: String = name.chars().take(100).collect();
            let place = self.bucket.address().join(BACKUPS);
            format!(
                "skipped {} in {place} without the name and size of a backup, like {shown:?}. Delete them \
                 there, or rename those that are backups.",
                counted(others.len() as u64, "object")
            )
        });
        Ok(StoredBackups { made, skipped })
    }

    /// Returns the address of the backup with this name.
    pub fn address_of(&self, name: &str) -> Address {
        self.bucket.address().join(BACKUPS).join(name)
    }

    /// Makes a backup.
    ///
    /// # Errors
    ///
    /// A sentence; the backups that were there are whole.
    pub fn make(
        &self,
        database: &Path,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<(Backup, Contents), BackupError> {
        let _lock = lock(database)?;
        self.claim(database)?;
        self.bucket.end_uploads()?;
        if !is_read_only(database) {
            check_room(folder_of(database), database)?;
        }
        let (mut copy, contents) = with_copy(database, progress)?;
        let now = Timestamp::now();
        let writer = writer(database)?;
        let name = format!("{}-{writer}{ENDING}", now.strftime(TIME));
        let mut upload = self.bucket.upload(&format!("{BACKUPS}/{name}"));
        let mut compressed = GzEncoder::new(&mut upload, Compression::fast());
        io::copy(&mut copy, &mut compressed)
            .and_then(|_| compressed.finish().map(|_| ()))
            // A sentence, unless it is the copy that can't be read.
            .map_err(|error| BackupError::Place(error.to_string()))?;
        let bytes = upload.finish()?;
        let backup = Backup {
            name: self.address_of(&name).to_string(),
            at: now.into(),
            bytes,
        };
        Ok((backup, contents))
    }

    /// Reads and decompresses a backup into a file in this folder, if it has room for the size that
    /// the backup states. Its checksum is the last that is written.
    ///
    /// # Errors
    ///
    /// A sentence.
    pub fn fetch(&self, name: &str, folder: &Path, into: &mut File) -> Result<(), BackupError> {
        let address = self.address_of(name);
        let download = self.bucket.download(&format!("{BACKUPS}/{name}")).map_err(|error| {
            if error.is_missing() {
                return BackupError::Place(format!(
                    "{address} is not there, or not any more: a lifecycle rule or another program \
                     deleted it. `--list` shows what is there."
                ));
            }
            error.into()
        })?;
        let most = SMALL.max(download.bytes.saturating_mul(RATIO));
        let content = GzDecoder::new(io::BufReader::with_capacity(1 << 16, download));
        copy(content, most, folder, into).map_err(|error| match error {
            Failed::NoRoom(error) => error,
            Failed::Writing(error) => BackupError::Place(format!(
                "cannot write the copy beside the database: {error}. Make room on its disk."
            )),
            Failed::Reading(error)
                if error
                    .get_ref()
                    .is_some_and(<dyn Error + Send + Sync>::is::<BucketError>) =>
            {
                BackupError::Place(error.to_string())
            }
            Failed::Reading(error) => BackupError::Place(format!(
                "{address} is not as it was written: {error}. Restore another one that `--list` \
                 shows."
            )),
        })
    }

    /// Deletes the oldest beyond those that are kept; `made` has the newest first.
    ///
    /// # Errors
    ///
    /// A sentence.
    pub fn discard_old(&self, made: &[Backup], keep: usize) -> Result<(), BackupError> {
        for backup in made.iter().skip(keep) {
            let name = file_name(&backup.name);
            self.bucket.delete(&format!("{BACKUPS}/{name}"))?;
        }
        Ok(())
    }

    /// Refuses the newest backup if another server made it while this one runs; `seen` was the
    /// newest before.
    pub(super) fn check_is_ours(
        &self,
        newest: &Backup,
        seen: Option<&String>,
        database: &Path,
    ) -> Result<(), BackupError> {
        let writer = writer(database)?;
        let is_ours = file_name(&newest.name).contains(&format!("-{writer}."));
        if is_ours || seen == Some(&newest.name) {
            return Ok(());
        }
        Err(BackupError::Place(format!(
            "another server backs up to {}: {} is not of this one. Stop one of them, or choose \
             another prefix with --backup-dir; this server makes backups again after a restart.",
            self.bucket.address(),
            newest.name
        )))
    }

    fn label(&self) -> Result<Option<Label>, BackupError> {
        let Some(bytes) = self.bucket.read_small(LABEL)? else {
            return Ok(None);
        };
        Label::parse(&bytes, self.bucket.address(), "prefix").map(Some)
    }

    /// Takes the prefix for this shop, or refuses one that has another's backups.
    fn claim(&self, database: &Path) -> Result<(), BackupError> {
        let own = Label::read(database)?;
        let found = self.label()?;
        if found.as_ref() == Some(&own) {
            return Ok(());
        }
        if found.is_some_and(|found| found.shop.is_some()) {
            return Err(of_another(self.bucket.address(), "prefix"));
        }
        Ok(self.bucket.put(LABEL, own.text())?)
    }
}

impl From<BucketError> for BackupError {
    fn from(error: BucketError) -> Self {
        Self::Place(error.to_string())
    }
}

/// Allows one upload of a database at a time, as each ends the unfinished ones before it.
fn lock(database: &Path) -> Result<Option<File>, BackupError> {
    if is_read_only(database) {
        return Ok(None);
    }
    let name = with_suffix(database, UPLOADING);
    let fail = |error| BackupError::File(name.display().to_string(), error);
    let file = open_lock(&name, database).map_err(fail)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::Error(error)) => Err(fail(error)),
        Err(TryLockError::WouldBlock) => Err(BackupError::Place(format!(
            "another backup of {} is being uploaded. Try again when it has ended.",
            database.display()
        ))),
    }
}

/// Identifies the server that has the database, or had it last.
fn writer(database: &Path) -> Result<String, BackupError> {
    let token = server_token_of(database)?.unwrap_or_default();
    Ok(digest(&token, 8))
}

/// Returns the last part of the address of a backup.
pub fn file_name(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

/// Returns the time in the name of a backup; `None` for other objects.
fn time_of(name: &str) -> Option<SystemTime> {
    let (time, writer) = name.strip_suffix(ENDING)?.split_once('-')?;
    let is_writer = writer.len() == 8 && writer.bytes().all(|byte| byte.is_ascii_hexdigit());
    time_in(time).filter(|_| is_writer)
}

/// Returns the size of a database by its head, which says 1 for pages of 64 kB.
fn stated_size(head: &[u8]) -> Option<u64> {
    let head = head.strip_prefix(b"SQLite format 3\0")?;
    let page = u64::from(u16::from_be_bytes(head.get(..2)?.try_into().ok()?));
    let pages = u64::from(u32::from_be_bytes(head.get(12..16)?.try_into().ok()?));
    Some(pages * if page == 1 { 1 << 16 } else { page })
}

enum Failed {
    Reading(io::Error),
    Writing(io::Error),
    NoRoom(BackupError),
}

/// Copies a database like [`io::copy`], and says which side failed. Writes nothing of one that states
/// more than `most` bytes or does not fit into the folder, and not much more than it states.
fn copy(from: impl Read, most: u64, folder: &Path, to: &mut File) -> Result<(), Failed> {
    let unlike = |reason: String| Failed::Reading(io::Error::other(reason));
    let mut head = [0; HEAD];
    let mut from = from.take(u64::MAX);
    from.read_exact(&mut head).map_err(Failed::Reading)?;
    let size = stated_size(&head).ok_or_else(|| unlike("it is no database".to_owned()))?;
    let shown = disk::readable(size);
    if size > most {
        let most = disk::readable(most);
        return Err(unlike(format!(
            "it states {shown}, and a backup of its size in the bucket has {most} at most"
        )));
    }
    check_room_for(folder, size).map_err(Failed::NoRoom)?;
    to.write_all(&head).map_err(Failed::Writing)?;
    // The checksum follows the database.
    from.set_limit(size + (1 << 16));
    let mut buffer = vec![0; 1 << 16];
    loop {
        let read = match from.read(&mut buffer) {
            Ok(0) if from.limit() == 0 => {
                return Err(unlike(format!("it states {shown} and goes on after them")));
            }
            Ok(0) => return Ok(()),
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(Failed::Reading(error)),
        };
        to.write_all(&buffer[..read]).map_err(Failed::Writing)?;
    }
}
