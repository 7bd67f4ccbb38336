//! Putting many products in at once: staged first, then published at one moment.
//!
//! Rows are staged in a temporary table that belongs to the import's own connection.
//! That keeps memory flat however large the file is, and lets every row be checked
//! before the first one is written. How the staged rows come into the database is
//! told in `publish.rs`. Whatever interrupts an import before its last commit, the
//! lists show what they showed before.

use std::path::{Path, PathBuf};

use jiff::Timestamp;

use super::publish::Publishing;
use super::{ImportCounts, staging};
use crate::domain::ImportedProduct;
use crate::store::db::error::StoreError;
use crate::store::db::preflight::OpenError;
use crate::store::search::changes::Writing;

/// An import under way. Dropping it before [`Import::publish`] leaves the
/// database untouched.
pub struct Import {
    writing: Writing,
    /// None in memory.
    path: Option<PathBuf>,
}

impl Import {
    /// Begins an import into the database at `path`, creating it if need be.
    pub fn begin(path: &Path) -> Result<Self, OpenError> {
        Self::on(Writing::open(path)?, Some(path))
    }

    /// Begins an import into an empty database that is thrown away afterwards:
    /// a dry run where there is no file yet.
    pub fn begin_in_memory() -> Result<Self, OpenError> {
        Self::on(Writing::in_memory()?, None)
    }

    fn on(writing: Writing, path: Option<&Path>) -> Result<Self, OpenError> {
        // One transaction around all staging: it touches only the temporary table,
        // so no lock of the database is held.
        staging::create(&writing.connection)
            .and_then(|()| writing.connection.execute_batch("BEGIN"))
            .map_err(|error| OpenError::other(path.unwrap_or(Path::new(":memory:")), &error))?;
        Ok(Self {
            writing,
            path: path.map(Path::to_owned),
        })
    }

    /// Sets one valid product aside for publishing.
    pub fn stage(&self, row: &ImportedProduct) -> Result<(), StoreError> {
        staging::stage(&self.writing.connection, row)
    }

    /// Adds and changes what was staged, all at one moment; `now` becomes the time of
    /// it, and `progress` is told the number of products added so far. `actor` is who
    /// imports. An import that is publishing already is waited for.
    ///
    /// # Errors
    ///
    /// [`StoreError`] when it could not be written; the lists are as before, unless it failed after
    /// the commit.
    pub fn publish(
        self,
        actor: &str,
        now: Timestamp,
        progress: &mut dyn FnMut(u64),
    ) -> Result<ImportCounts, StoreError> {
        self.end_staging()?;
        let mut publishing = Publishing::begin(&self.writing, self.path.as_deref(), now)?;
        publishing.publish(actor, progress)
    }

    /// As [`Import::publish`], but nothing is written: returns what would be done.
    pub fn rehearse(self) -> Result<ImportCounts, StoreError> {
        self.end_staging()?;
        let (counts, _) = staging::resolve(&self.writing.connection)?;
        Ok(counts)
    }

    /// As [`Import::publish`], of a few products and without a line in the activity log, unless the
    /// database holds products already; `None` then, and nothing is changed.
    pub fn publish_if_empty(self, now: Timestamp) -> Result<Option<ImportCounts>, StoreError> {
        self.end_staging()?;
        Publishing::begin(&self.writing, self.path.as_deref(), now)?.publish_if_empty()
    }

    fn end_staging(&self) -> Result<(), StoreError> {
        Ok(self.writing.connection.execute_batch("COMMIT")?)
    }
}
