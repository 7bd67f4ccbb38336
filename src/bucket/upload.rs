//! Uploads of any size, in parts.

use std::io::{self, Write};
use std::mem::take;

use object_store::multipart::{MultipartStore, PartId};
use object_store::path::Path;

use super::{Bucket, BucketError, UPLOADS};

/// Size of a part. Providers want 5 MiB and more, all of one size, and at most 10,000.
const PART: usize = 8 << 20;
const DOING: &str = "write to";

/// An object that is being written, in memory of one part. It appears, or replaces another, when it
/// is [finished](Upload::finish), and leaves nothing if it is dropped before.
pub struct Upload<'a> {
    bucket: &'a Bucket,
    name: String,
    bytes: Vec<u8>,
    sent: u64,
    /// Name of the upload at the provider; `None` as long as a single request may do.
    id: Option<String>,
    parts: Vec<PartId>,
    is_complete: bool,
}

impl<'a> Upload<'a> {
    pub(super) fn new(bucket: &'a Bucket, name: &str) -> Self {
        Self {
            bucket,
            name: name.to_owned(),
            bytes: Vec::new(),
            sent: 0,
            id: None,
            parts: Vec::new(),
            is_complete: false,
        }
    }

    fn path(&self) -> Path {
        self.bucket.path(&self.name)
    }

    /// Name of the object with the upload's name, by which another process can end it.
    fn record(&self) -> String {
        format!("{UPLOADS}/{}", self.name.replace('/', "-"))
    }

    fn send(&mut self) -> Result<(), BucketError> {
        let path = self.path();
        let store = &self.bucket.store;
        let id = match &self.id {
            Some(id) => id.clone(),
            None => {
                let id = self.bucket.small(DOING, store.create_multipart(&path))?;
                self.id = Some(id.clone());
                let text = format!("{path}\n{id}");
                self.bucket.put(&self.record(), text.into_bytes())?;
                id
            }
        };
        let bytes = take(&mut self.bytes);
        self.sent += bytes.len() as u64;
        let part = store.put_part(&path, &id, self.parts.len(), bytes.into());
        self.parts.push(self.bucket.large(DOING, part)?);
        Ok(())
    }

    /// Completes the object, and returns its size in bytes.
    ///
    /// # Errors
    ///
    /// A sentence; there is no new object then.
    pub fn finish(mut self) -> Result<u64, BucketError> {
        let path = self.path();
        if self.id.is_none() {
            let bytes = take(&mut self.bytes);
            self.sent += bytes.len() as u64;
            self.bucket.put(&self.name, bytes)?;
            return Ok(self.sent);
        }
        self.send()?;
        let (id, parts) = (self.id.clone().unwrap_or_default(), take(&mut self.parts));
        let completed = self.bucket.store.complete_multipart(&path, &id, parts);
        self.bucket.large(DOING, completed)?;
        self.is_complete = true;
        Ok(self.sent)
    }
}

impl Write for Upload<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.bytes.len() == PART {
            self.send().map_err(io::Error::other)?;
        }
        let taken = bytes.len().min(PART - self.bytes.len());
        self.bytes.extend_from_slice(&bytes[..taken]);
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Upload<'_> {
    fn drop(&mut self) {
        if let Some(id) = &self.id {
            let path = self.path();
            let aborted = self.bucket.store.abort_multipart(&path, id);
            // Otherwise the next run does it.
            if self.is_complete || self.bucket.small(DOING, aborted).is_ok() {
                let _ = self.bucket.delete(&self.record());
            }
        }
    }
}

impl Bucket {
    /// Ends the uploads of killed processes, whose parts would be kept and charged for. No other
    /// process may upload below this prefix.
    ///
    /// # Errors
    ///
    /// A sentence.
    pub fn end_uploads(&self) -> Result<(), BucketError> {
        for object in self.list(UPLOADS)? {
            let record = format!("{UPLOADS}/{}", object.name);
            let text = self.read_small(&record)?.unwrap_or_default();
            let text = String::from_utf8_lossy(&text);
            if let Some((path, id)) = text.split_once('\n')
                && let Ok(path) = Path::parse(path)
            {
                let id = id.to_owned();
                let aborted = self.store.abort_multipart(&path, &id);
                match self.small("delete from", aborted) {
                    Err(error) if error.is_missing() => {}
                    outcome => outcome?,
                }
            }
            self.delete(&record)?;
        }
        Ok(())
    }
}
