//! Products that were added and wait until their words are taken apart. They may wait on
//! the disk, where they take no memory.

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::path::Path;

use crate::store::StoreError;
use crate::store::search::changes::{Change, Texts};

/// Changes that wait.
pub(crate) enum Waiting {
    /// In memory.
    Here(Vec<Change>),
    /// New products, in a file without a name, which goes with the process: each one's key
    /// as eight bytes, and its texts, each behind its length as four bytes, lowest first.
    Aside(File),
}

impl Waiting {
    /// Puts new products aside, into a file in this folder; gives them back where there is
    /// no room, or something else than new products.
    pub(crate) fn put_aside(changes: Vec<Change>, folder: &Path) -> Result<Self, Vec<Change>> {
        let mut bytes = Vec::new();
        for (key, before, after) in &changes {
            let (None, Some(texts)) = (before, after) else {
                return Err(changes);
            };
            bytes.extend(key.to_le_bytes());
            let Texts {
                title,
                description,
                source,
                category,
            } = texts;
            for text in [title, description, source, category] {
                let length = u32::try_from(text.len()).unwrap_or(u32::MAX);
                bytes.extend(length.to_le_bytes());
                bytes.extend(text.as_bytes());
            }
        }
        let file = tempfile::tempfile_in(folder);
        match file.and_then(|mut file| file.write_all(&bytes).map(|()| file)) {
            Ok(file) => Ok(Self::Aside(file)),
            Err(_) => Err(changes),
        }
    }

    /// Takes them back.
    ///
    /// # Errors
    ///
    /// [`StoreError::Other`] when they can't be read.
    pub(crate) fn take(self) -> Result<Vec<Change>, StoreError> {
        let mut file = match self {
            Self::Here(changes) => return Ok(changes),
            Self::Aside(file) => file,
        };
        let mut bytes = Vec::new();
        file.rewind()
            .and_then(|()| file.read_to_end(&mut bytes))
            .map_err(failed)?;
        let mut rest = &bytes[..];
        let mut changes = Vec::new();
        while let Some((key, others)) = rest.split_first_chunk() {
            rest = others;
            let mut text = || -> Option<String> {
                let (length, others) = rest.split_first_chunk()?;
                let (text, others) =
                    others.split_at_checked(u32::from_le_bytes(*length) as usize)?;
                rest = others;
                Some(String::from_utf8_lossy(text).into_owned())
            };
            let mut next = || text().ok_or_else(|| failed(io::ErrorKind::UnexpectedEof.into()));
            let texts = Texts {
                title: next()?,
                description: next()?,
                source: next()?,
                category: next()?,
            };
            changes.push((i64::from_le_bytes(*key), None, Some(texts)));
        }
        Ok(changes)
    }
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "it stands where a function of errors does"
)]
fn failed(error: io::Error) -> StoreError {
    StoreError::Other(format!("a temporary file can't be read: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(title: &str) -> Texts {
        Texts {
            title: title.to_owned(),
            description: "घड़ी और फ़ोन".repeat(500),
            source: String::new(),
            category: "Books".to_owned(),
        }
    }

    #[test]
    fn products_come_back_as_they_were_put_aside() {
        let folder = tempfile::tempdir().unwrap();
        let changes: Vec<Change> = (1..100)
            .map(|key| (key << 30, None, Some(texts(&key.to_string()))))
            .collect();
        let waiting = Waiting::put_aside(changes.clone(), folder.path()).unwrap();
        assert!(matches!(waiting, Waiting::Aside(_)));
        assert_eq!(waiting.take().unwrap(), changes);
        let changes = vec![(7, Some(texts("before")), None)];
        let back = Waiting::put_aside(changes.clone(), folder.path());
        assert_eq!(back.err(), Some(changes));
    }
}
