//! Objects in a bucket of a provider that speaks S3: the only module that uses `object_store`. Knows nothing
//! of shops. Methods block, with a runtime of their own.

mod access;
mod address;
mod connect;
mod error;
mod upload;

use std::io::{self, Read};
use std::time::{Duration, SystemTime};

use futures_util::stream::BoxStream;
use futures_util::{StreamExt, TryStreamExt};
use object_store::aws::AmazonS3;
use object_store::list::{PaginatedListOptions, PaginatedListStore};
use object_store::path::{Error as PathError, Path};
use object_store::{Error, ObjectStore, ObjectStoreExt};
use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;

pub use access::{Access, BucketKey};
pub use address::Address;
pub use connect::check_variables;
pub use error::BucketError;
pub use object_store::PutMode;
pub use upload::Upload;

/// Longest time for a small request, with its repetitions.
const SMALL: Duration = Duration::from_secs(15);
/// Largest small object in bytes.
const LARGEST: u64 = 4_096;
/// Most names that a provider returns at once.
const PAGE: usize = 1_000;
/// Part of the prefix with the records of uploads.
const UPLOADS: &str = "uploads";

/// An object.
#[derive(Debug, Clone)]
pub struct Object {
    /// Name below the part of the prefix that was listed.
    pub name: String,
    /// Size in bytes.
    pub bytes: u64,
    /// When it was written, by the provider's clock.
    pub written: SystemTime,
}

/// The objects below a prefix.
pub struct Bucket {
    address: Address,
    access: Access,
    store: AmazonS3,
    runtime: Runtime,
}

impl Bucket {
    /// Opens a bucket. Sends nothing yet.
    ///
    /// # Errors
    ///
    /// When the variables or the settings lack something.
    pub fn open(address: &Address, access: &Access) -> Result<Self, BucketError> {
        let runtime = Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| BucketError::new(format!("cannot use {address}: {error}")))?;
        Ok(Self {
            address: address.clone(),
            access: access.clone(),
            store: connect::open(address, access)?,
            runtime,
        })
    }

    /// Returns the address.
    pub fn address(&self) -> &Address {
        &self.address
    }

    fn path(&self, name: &str) -> Path {
        self.address.join(name).prefix
    }

    fn fail(&self, doing: &str, error: &object_store::Error) -> BucketError {
        self.access
            .worded(BucketError::describe(&self.address, doing, error))
    }

    /// Makes a request that may take minutes.
    fn large<T>(
        &self,
        doing: &str,
        request: impl Future<Output = object_store::Result<T>>,
    ) -> Result<T, BucketError> {
        let outcome = self.runtime.block_on(request);
        outcome.map_err(|error| self.fail(doing, &error))
    }

    /// Makes a small request, or gives up.
    fn small<T>(
        &self,
        doing: &str,
        request: impl Future<Output = object_store::Result<T>>,
    ) -> Result<T, BucketError> {
        // The timer needs the runtime.
        match self
            .runtime
            .block_on(async { timeout(SMALL, request).await })
        {
            Ok(outcome) => outcome.map_err(|error| self.fail(doing, &error)),
            Err(_) => {
                let error = BucketError::silent(&self.address, doing, SMALL.as_secs());
                Err(self.access.worded(error))
            }
        }
    }

    /// Returns the objects below a part of the prefix.
    ///
    /// # Errors
    ///
    /// A sentence.
    pub fn list(&self, under: &str) -> Result<Vec<Object>, BucketError> {
        let prefix = format!("{}/", self.path(under));
        let mut found = self.small("list", self.list_below(&prefix))?;
        found.retain_mut(|object| match object.name.strip_prefix(&prefix) {
            Some(name) => {
                object.name = name.to_owned();
                true
            }
            None => false,
        });
        Ok(found)
    }

    /// Returns objects with their whole names. The library refuses a page with a name that it has no type for, like
    /// `a//b`: the page is halved until that name is alone, and its size is 0.
    async fn list_below(&self, prefix: &str) -> object_store::Result<Vec<Object>> {
        let mut found = Vec::new();
        let mut options = PaginatedListOptions::default();
        let mut most = PAGE;
        loop {
            options.max_keys = (most < PAGE).then_some(most);
            match self
                .store
                .list_paginated(Some(prefix), options.clone())
                .await
            {
                Ok(page) => {
                    let objects = page.result.objects.into_iter();
                    found.extend(objects.map(|object| Object {
                        name: object.location.into(),
                        bytes: object.size,
                        written: object.last_modified.into(),
                    }));
                    if page.page_token.is_none() {
                        return Ok(found);
                    }
                    options.page_token = page.page_token;
                    options.offset = None;
                    most = PAGE.min(most * 2);
                }
                Err(Error::InvalidPath {
                    source: PathError::EmptySegment { path } | PathError::BadSegment { path, .. },
                }) => {
                    if most == 1 {
                        found.push(Object {
                            name: path.clone(),
                            bytes: 0,
                            written: SystemTime::UNIX_EPOCH,
                        });
                        options.offset = Some(path);
                        options.page_token = None;
                    }
                    most = 1.max(most / 2);
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Reads a small object; `None` if there is none.
    ///
    /// # Errors
    ///
    /// A sentence.
    pub fn read_small(&self, name: &str) -> Result<Option<Vec<u8>>, BucketError> {
        let path = self.path(name);
        let read = async {
            let found = self.store.get(&path).await?;
            if found.meta.size > LARGEST {
                return Ok(Vec::new());
            }
            Ok(found.bytes().await?.to_vec())
        };
        match self.small("read", read) {
            Err(error) if error.is_missing() => Ok(None),
            outcome => outcome.map(Some),
        }
    }

    /// Writes a small object.
    ///
    /// # Errors
    ///
    /// A sentence, also if one that is to be created is there.
    pub fn write_small(&self, name: &str, text: String, mode: PutMode) -> Result<(), BucketError> {
        let path = self.path(name);
        let put = self.store.put_opts(&path, text.into(), mode.into());
        self.small("write to", put).map(|_| ())
    }

    /// Writes an object of the size of a part at most.
    ///
    /// # Errors
    ///
    /// A sentence.
    pub fn put(&self, name: &str, bytes: Vec<u8>) -> Result<(), BucketError> {
        let path = self.path(name);
        let put = self.store.put(&path, bytes.into());
        self.large("write to", put).map(|_| ())
    }

    /// Deletes an object; one that is not there is no error.
    ///
    /// # Errors
    ///
    /// A sentence.
    pub fn delete(&self, name: &str) -> Result<(), BucketError> {
        match self.small("delete from", self.store.delete(&self.path(name))) {
            Err(error) if error.is_missing() => Ok(()),
            outcome => outcome,
        }
    }

    /// Begins to write an object.
    pub fn upload(&self, name: &str) -> Upload<'_> {
        Upload::new(self, name)
    }

    /// Begins to read an object.
    ///
    /// # Errors
    ///
    /// A sentence.
    pub fn download(&self, name: &str) -> Result<Download<'_>, BucketError> {
        let path = self.path(name);
        let found = self.small("read", self.store.get(&path))?;
        Ok(Download {
            bucket: self,
            bytes: found.meta.size,
            stream: found.into_stream().map_ok(Vec::from).boxed(),
            chunk: io::Cursor::default(),
        })
    }

    /// Writes, lists, reads back and deletes a small object.
    ///
    /// # Errors
    ///
    /// The first step that fails, in a sentence.
    pub fn test(&self) -> Result<(), BucketError> {
        let name = format!("test-{}", std::process::id());
        let text = b"Written by `deals backup --test`, which deletes it.";
        self.put(&name, text.to_vec())?;
        let steps = || {
            self.list(UPLOADS)?;
            match self.read_small(&name)? {
                Some(read) if read == text => Ok(()),
                _ => Err(BucketError::new(format!(
                    "{} does not return what was written to it a moment ago. Use another provider.",
                    self.address
                ))),
            }
        };
        let outcome = steps();
        self.delete(&name).and(outcome)
    }
}

/// An object that is being read.
pub struct Download<'a> {
    bucket: &'a Bucket,
    /// Its size in bytes.
    pub bytes: u64,
    stream: BoxStream<'static, object_store::Result<Vec<u8>>>,
    chunk: io::Cursor<Vec<u8>>,
}

impl Read for Download<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.chunk.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            match self.bucket.runtime.block_on(self.stream.next()) {
                None => return Ok(0),
                Some(Ok(chunk)) => self.chunk = io::Cursor::new(chunk),
                Some(Err(error)) => return Err(io::Error::other(self.bucket.fail("read", &error))),
            }
        }
    }
}
