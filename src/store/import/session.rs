//! Imports: rows are staged first, then published in one commit.
//!
//! Rows are staged in a temporary table of the import's connection, so that memory is constant and
//! every row is validated before the first write. `publish.rs` writes them. An import that is
//! interrupted before its last commit has no visible effect.

use std::path::{Path, PathBuf};

use jiff::Timestamp;

use super::archived::Archived;
use super::publish::Publishing;
use super::{ImportCounts, archived, staging};
use crate::domain::{ArchivedCategory, ArchivedShop, ImportedProduct, LinkRules, NewPicture};
use crate::store::db::error::StoreError;
use crate::store::db::open::place_temporary_files;
use crate::store::db::paths::folder_of;
use crate::store::db::preflight::OpenError;
use crate::store::idempotency::Keep;
use crate::store::products::links;
use crate::store::search::changes::WriteConnection;

/// A running import. Dropping it before [`Import::publish`] changes nothing.
pub struct Import {
    writing: WriteConnection,
    /// None for a database in memory.
    path: Option<PathBuf>,
    /// File to create when the rows are published.
    new: Option<PathBuf>,
    /// As when the import began.
    rules: LinkRules,
    archived: Archived,
}

impl Import {
    /// Begins an import into the database at `path`, creating it if missing.
    pub fn begin(path: &Path) -> Result<Self, OpenError> {
        Self::on(WriteConnection::open(path)?, Some(path))
    }

    /// Like [`Import::begin`], but creates a missing database only in [`Import::into_file`], so
    /// that a refused import leaves no file.
    pub fn begin_lazily(path: &Path) -> Result<Self, OpenError> {
        if path.exists() || !folder_of(path).is_dir() {
            return Self::begin(path);
        }
        let writing = WriteConnection::in_memory()?;
        place_temporary_files(&writing.connection, path);
        let mut import = Self::on(writing, None)?;
        import.new = Some(path.to_owned());
        Ok(import)
    }

    /// Begins an import into an empty database in memory.
    pub fn begin_in_memory() -> Result<Self, OpenError> {
        Self::on(WriteConnection::in_memory()?, None)
    }

    fn on(writing: WriteConnection, path: Option<&Path>) -> Result<Self, OpenError> {
        // One transaction for all staging; it writes only the temporary table and takes no lock.
        staging::create(&writing.connection)
            .and_then(|()| archived::create(&writing.connection))
            .and_then(|()| writing.connection.execute_batch("BEGIN"))
            .map_err(|error| OpenError::other(path.unwrap_or(Path::new(":memory:")), &error))?;
        let rules = links::rules(&writing.connection)
            .map_err(|error| OpenError::other(path.unwrap_or(Path::new(":memory:")), &error))?;
        Ok(Self {
            writing,
            path: path.map(Path::to_owned),
            new: None,
            rules,
            archived: Archived::default(),
        })
    }

    /// Returns an import that can be published, and whether it created its database.
    pub fn into_file(self) -> Result<(Self, bool), OpenError> {
        let Some(path) = &self.new else {
            return Ok((self, false));
        };
        let is_new = !path.exists();
        let mut import = Self::begin(path)?;
        let (from, to) = (&self.writing.connection, &import.writing.connection);
        staging::copy(from, to, "staged")
            .and_then(|()| staging::copy(from, to, "staged_pictures"))
            .map_err(|error| OpenError::other(path, &error))?;
        import.archived = self.archived;
        Ok((import, is_new))
    }

    /// Stages a valid product, with its link by the rules for links.
    pub fn stage(&self, mut row: ImportedProduct) -> Result<(), StoreError> {
        let details = &mut row.details;
        self.rules
            .apply(&mut details.source, &mut details.affiliate_link);
        staging::stage(&self.writing.connection, &row)
    }

    /// Stages the categories of an archive and of rows, of which those that are missing are added.
    pub fn stage_categories(&mut self, categories: Vec<ArchivedCategory>) {
        self.archived.categories = categories;
    }

    /// Stages the collections, the offers of sellers and the home page of an archive.
    pub fn stage_shop(&mut self, shop: ArchivedShop) {
        self.archived.shop = shop;
    }

    /// Stages a picture of an archive.
    pub fn stage_picture(&self, picture: &NewPicture) -> Result<(), StoreError> {
        archived::stage_picture(&self.writing.connection, picture)
    }

    /// Publishes the staged rows in one commit, after waiting for another publishing import.
    /// `progress` gets the number of products added so far; `actor` is logged with the time `now`.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if it could not be written; the lists are unchanged unless it failed after
    /// the commit.
    pub fn publish(
        self,
        actor: &str,
        now: Timestamp,
        progress: &mut dyn FnMut(u64),
        keep: Option<Keep<'_, ImportCounts>>,
    ) -> Result<ImportCounts, StoreError> {
        self.end_staging()?;
        let mut publishing = Publishing::begin(&self.writing, self.path.as_deref(), now)?;
        publishing.publish(&self.archived, actor, progress, keep)
    }

    /// Like [`Import::publish`], as a dry run.
    pub fn rehearse(self) -> Result<ImportCounts, StoreError> {
        self.end_staging()?;
        let (counts, _) = staging::match_rows(&self.writing.connection)?;
        Ok(counts)
    }

    /// Like [`Import::publish`], for few products and without logging; `None`, without a change, if
    /// the database has products.
    pub fn publish_if_empty(self, now: Timestamp) -> Result<Option<ImportCounts>, StoreError> {
        self.end_staging()?;
        Publishing::begin(&self.writing, self.path.as_deref(), now)?.publish_if_empty()
    }

    fn end_staging(&self) -> Result<(), StoreError> {
        Ok(self.writing.connection.execute_batch("COMMIT")?)
    }
}
