//! Backups in a bucket, compressed: `backup/20261121T083000Z-1a2b3c4d.sqlite.gz` below the shop's prefix,
//! and `shop`, which says whose they are. The letters at the end are the server's, to notice a second one.

use std::error::Error;
use std::fs::{File, TryLockError};
use std::io::{self, Write};
use std::path::Path;
use std::time::SystemTime;

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{Backup, check_room, with_copy};
use crate::bucket::{Address, Bucket, BucketError};
use crate::store::{
    BackupError, Contents, folder_of, is_read_only, key_check_of, open_lock, server_token_of,
    with_suffix,
};

/// End of the names of backups.
const ENDING: &str = ".sqlite.gz";
/// Part of the prefix with the backups.
const BACKUPS: &str = "backup";
/// The object that says whose backups these are.
const LABEL: &str = "shop";
/// Version of names and contents.
const FORMAT: u32 = 1;
const TIME: &str = "%Y%m%dT%H%M%SZ";
/// Suffix of the file that is locked during an upload.
const UPLOADING: &str = ".uploading";

/// Content of the object `shop`.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Label {
    format: u32,
    /// Made of the check of the shop's key; `None` before the first start of a server.
    shop: Option<String>,
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
    /// A sentence about the variables of the provider.
    pub fn open(address: &Address) -> Result<Self, BackupError> {
        let bucket = Bucket::open(address)?;
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

    /// Returns the backups, the newest first.
    ///
    /// # Errors
    ///
    /// A sentence, also about a newer format.
    pub fn list(&self) -> Result<Vec<Backup>, BackupError> {
        self.label()?;
        let mut made: Vec<Backup> = self
            .bucket
            .list(BACKUPS)?
            .into_iter()
            .filter_map(|object| {
                let address = self.address_of(&object.name);
                Some(Backup {
                    at: time_of(&object.name)?,
                    bytes: object.bytes,
                    name: address.to_string(),
                })
            })
            .collect();
        made.sort_by(|a, b| b.name.cmp(&a.name));
        Ok(made)
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

    /// Reads and decompresses a backup into a file. Its checksum is the last that is written.
    ///
    /// # Errors
    ///
    /// A sentence.
    pub fn fetch(&self, name: &str, into: &mut File) -> Result<(), BackupError> {
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
        let mut content = GzDecoder::new(io::BufReader::with_capacity(1 << 16, download));
        copy(&mut content, into).map_err(|error| match error {
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
        let address = self.bucket.address();
        let label: Label = serde_json::from_slice(&bytes).map_err(|_| {
            BackupError::Place(format!(
                "{address} has other data: its object {LABEL:?} is not of deals. Choose another \
                 prefix."
            ))
        })?;
        if label.format > FORMAT {
            return Err(BackupError::Place(format!(
                "{address} was written by a newer version of deals (format {}, this one knows \
                 {FORMAT}). Update this program.",
                label.format
            )));
        }
        Ok(Some(label))
    }

    /// Takes the prefix for this shop, or refuses one that has another's backups.
    fn claim(&self, database: &Path) -> Result<(), BackupError> {
        let own = Label {
            format: FORMAT,
            shop: key_check_of(database)?.map(|check| digest(&check, 32)),
        };
        let found = self.label()?;
        if found.as_ref() == Some(&own) {
            return Ok(());
        }
        if found.is_some_and(|found| found.shop.is_some()) {
            return Err(BackupError::Place(format!(
                "{} has the backups of another shop, or of this one with another key. Choose \
                 another prefix.",
                self.bucket.address()
            )));
        }
        let text = serde_json::to_vec(&own).unwrap_or_default();
        Ok(self.bucket.put(LABEL, text)?)
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

/// Returns so many hexadecimal digits that do not reveal the bytes.
fn digest(bytes: &[u8], digits: usize) -> String {
    let mut sha = Sha256::new();
    sha.update(b"deals, backups in a bucket: ");
    sha.update(bytes);
    let text: String = sha
        .finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    text[..digits].to_owned()
}

/// Returns the last part of the address of a backup.
pub fn file_name(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

/// Returns the time in the name of a backup; `None` for other objects.
fn time_of(name: &str) -> Option<SystemTime> {
    let (time, writer) = name.strip_suffix(ENDING)?.split_once('-')?;
    let is_writer = writer.len() == 8 && writer.bytes().all(|byte| byte.is_ascii_hexdigit());
    let time = DateTime::strptime(TIME, time).ok().filter(|_| is_writer)?;
    Some(time.to_zoned(TimeZone::UTC).ok()?.timestamp().into())
}

enum Failed {
    Reading(io::Error),
    Writing(io::Error),
}

/// Copies like [`io::copy`], and says which side failed.
fn copy(from: &mut impl io::Read, to: &mut File) -> Result<(), Failed> {
    let mut buffer = vec![0; 1 << 16];
    loop {
        let read = match from.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(Failed::Reading(error)),
        };
        to.write_all(&buffer[..read]).map_err(Failed::Writing)?;
    }
}
