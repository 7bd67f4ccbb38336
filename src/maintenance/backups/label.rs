//! The label of a folder or a bucket: whose backups it has.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::store::{BackupError, key_check_of};

/// Version of names and contents.
const FORMAT: u32 = 1;

/// Says whose backups a place has.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Label {
    format: u32,
    /// Made of the check of the shop's key; `None` before the first start of a server.
    pub(super) shop: Option<String>,
    /// The database, in a folder: a copy of it for trials has the same key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) database: Option<PathBuf>,
}

impl Label {
    /// Returns the label of the shop whose database, or a backup of it, this is.
    pub(super) fn read(database: &Path) -> Result<Self, BackupError> {
        Ok(Self {
            format: FORMAT,
            shop: key_check_of(database)?.map(|check| digest(&check, 32)),
            database: None,
        })
    }

    /// Parses the label of a place, which is a `kind`: a folder or a prefix.
    ///
    /// # Errors
    ///
    /// A sentence about other data, or a newer format.
    pub(super) fn parse(text: &[u8], place: &dyn Display, kind: &str) -> Result<Self, BackupError> {
        let label: Self = serde_json::from_slice(text).map_err(|_| {
            BackupError::Place(format!(
                "{place} has other data: its label is not of deals. Choose another {kind}."
            ))
        })?;
        if label.format > FORMAT {
            return Err(BackupError::Place(format!(
                "{place} was written by a newer version of deals (format {}, this one knows \
                 {FORMAT}). Update this program.",
                label.format
            )));
        }
        Ok(label)
    }

    /// Returns the label as it is written.
    pub(super) fn text(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }
}

/// Says that a place belongs to another shop.
pub(super) fn of_another(place: &dyn Display, kind: &str) -> BackupError {
    BackupError::Place(format!(
        "{place} has the backups of another shop, or of this one with another key. Choose another \
         {kind}."
    ))
}

/// Returns so many hexadecimal digits that do not reveal the bytes.
pub(super) fn digest(bytes: &[u8], digits: usize) -> String {
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
