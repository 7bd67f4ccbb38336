//! Putting many products in at once: staged first, then published in one transaction.
//!
//! Rows are staged in a temporary table that belongs to the import's own
//! connection. That keeps memory flat however large the file is, lets every row
//! be checked before the first one is written, and holds the database's write
//! lock only while publishing. Whatever interrupts an import before its commit
//! leaves the database as it was.

use std::path::Path;

use jiff::Timestamp;
use rusqlite::types::Value;
use rusqlite::{OptionalExtension, Transaction, TransactionBehavior, params, params_from_iter};

use super::activity;
use super::open::Writing;
use super::products::columns_of;
use super::{OpenError, StoreError, new_id, open};
use crate::domain::{Action, ImportedProduct};

/// What an import did, in products.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ImportCounts {
    /// New products.
    pub added: u64,
    /// Products whose details changed.
    pub updated: u64,
    /// Products that were already as the file says.
    pub unchanged: u64,
    /// Rows that a later row of the same file replaced.
    pub replaced: u64,
}

/// An import under way. Dropping it before [`Import::publish`] leaves the
/// database untouched.
pub struct Import {
    writing: Writing,
}

const STAGE: &str = "
    CREATE TEMP TABLE staged (
        row INTEGER PRIMARY KEY,
        id TEXT, title TEXT, description TEXT, price INTEGER, discount INTEGER, final_price INTEGER,
        category TEXT, source TEXT, affiliate_link TEXT, images TEXT, average_rating REAL,
        total_ratings INTEGER, clicks INTEGER, created_at INTEGER, updated_at INTEGER,
        target INTEGER
    );
";

/// Two rows mean the same product when they have the same `_id`, or neither has
/// one and the seller's link is the same; the later row counts.
const DROP_REPLACED: &str = "
    CREATE INDEX temp.staged_by_id ON staged (id, row) WHERE id IS NOT NULL;
    CREATE INDEX temp.staged_by_link ON staged (affiliate_link, source, row) WHERE id IS NULL;
    DELETE FROM staged WHERE id IS NOT NULL AND EXISTS (
        SELECT 1 FROM staged AS later WHERE later.id = staged.id AND later.row > staged.row);
    DELETE FROM staged WHERE id IS NULL AND EXISTS (
        SELECT 1 FROM staged AS later
        WHERE later.id IS NULL AND later.affiliate_link = staged.affiliate_link
          AND later.source = staged.source AND later.row > staged.row);
";

/// Finds the product each row updates: the one with its `_id`, or else the
/// oldest with its link that no other row of the file means already. Products
/// are looked up before any is added, so that two rows of an export that share
/// a link, each with its own `_id`, stay two products.
const FIND_TARGETS: &str = "
    UPDATE staged SET target = (SELECT key FROM products WHERE products.id = staged.id)
    WHERE id IS NOT NULL;
    CREATE INDEX temp.staged_by_target ON staged (target);
";

impl Import {
    /// Begins an import into the database at `path`, creating it if need be.
    ///
    /// # Errors
    ///
    /// As [`super::Store::open`].
    pub fn begin(path: &Path) -> Result<Self, OpenError> {
        Self::on(open::for_writing(path)?, path)
    }

    /// Begins an import into an empty database that is thrown away afterwards:
    /// a dry run where there is no file yet.
    ///
    /// # Errors
    ///
    /// As [`super::Store::open`].
    pub fn begin_in_memory() -> Result<Self, OpenError> {
        Self::on(open::in_memory()?, Path::new(":memory:"))
    }

    fn on(writing: Writing, path: &Path) -> Result<Self, OpenError> {
        let connection = &writing.connection;
        connection
            .execute_batch(STAGE)
            .map_err(|error| OpenError::other(path, &error))?;
        // One transaction around all staging: it touches only the temporary
        // table, so no lock of the database is held.
        connection
            .execute_batch("BEGIN")
            .map_err(|error| OpenError::other(path, &error))?;
        Ok(Self { writing })
    }

    /// Sets one valid product aside for publishing.
    ///
    /// # Errors
    ///
    /// [`StoreError::Full`] when there is no room for temporary files.
    pub fn stage(&self, row: &ImportedProduct) -> Result<(), StoreError> {
        let extras = [
            row.clicks.into(),
            row.created_at.map(Timestamp::as_millisecond).into(),
            row.updated_at.map(Timestamp::as_millisecond).into(),
            Value::from(row.id.clone()),
        ];
        self.writing
            .connection
            .prepare_cached(
                "INSERT INTO staged (title, description, price, discount, final_price, category, source, \
                 affiliate_link, images, average_rating, total_ratings, clicks, created_at, updated_at, id) \
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)",
            )?
            .execute(params_from_iter(
                columns_of(&row.details).into_iter().chain(extras),
            ))?;
        Ok(())
    }

    /// Writes everything that was staged, in one transaction; `now` becomes the
    /// time of what is added or changed, and `progress` is told the number of
    /// products added so far. `actor` is who imports.
    ///
    /// # Errors
    ///
    /// [`StoreError`] when nothing could be written; the database is as before.
    pub fn publish(
        self,
        actor: &str,
        now: Timestamp,
        progress: &mut dyn FnMut(u64),
    ) -> Result<ImportCounts, StoreError> {
        self.finish(Some(actor), now, progress)
    }

    /// As [`Import::publish`], but nothing is kept: tells what would be done.
    ///
    /// # Errors
    ///
    /// As [`Import::publish`].
    pub fn rehearse(
        self,
        now: Timestamp,
        progress: &mut dyn FnMut(u64),
    ) -> Result<ImportCounts, StoreError> {
        self.finish(None, now, progress)
    }

    /// As [`Import::publish`], unless the database holds products already;
    /// `None` then, and nothing is changed.
    ///
    /// # Errors
    ///
    /// As [`Import::publish`].
    pub fn publish_if_empty(mut self, now: Timestamp) -> Result<Option<ImportCounts>, StoreError> {
        let changes = self.writing.changes.clone();
        let transaction = self.begin_publishing()?;
        let occupied: bool =
            transaction.query_row("SELECT EXISTS (SELECT 1 FROM products)", [], |row| {
                row.get(0)
            })?;
        if occupied {
            return Ok(None);
        }
        let counts = write(&transaction, now, &mut |_| ())?;
        changes.write(&transaction)?;
        transaction.commit()?;
        Ok(Some(counts))
    }

    fn finish(
        mut self,
        actor: Option<&str>,
        now: Timestamp,
        progress: &mut dyn FnMut(u64),
    ) -> Result<ImportCounts, StoreError> {
        let changes = self.writing.changes.clone();
        let transaction = self.begin_publishing()?;
        let counts = write(&transaction, now, progress)?;
        changes.write(&transaction)?;
        if let Some(actor) = actor {
            leave_trace(&transaction, actor, counts, now)?;
            transaction.commit()?;
        }
        Ok(counts)
    }

    /// Ends the staging and takes the write lock; dropping the transaction undoes
    /// what was written in it.
    fn begin_publishing(&mut self) -> Result<Transaction<'_>, StoreError> {
        self.writing.connection.execute_batch("COMMIT")?;
        Ok(self
            .writing
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)?)
    }
}

/// An import that changed nothing leaves no trace.
fn leave_trace(
    transaction: &Transaction<'_>,
    actor: &str,
    counts: ImportCounts,
    now: Timestamp,
) -> Result<(), StoreError> {
    if counts.added + counts.updated == 0 {
        return Ok(());
    }
    let details = [("added", counts.added), ("updated", counts.updated)];
    let details = details.map(|(name, count)| (name.to_owned(), count.into()));
    activity::insert(
        transaction,
        actor,
        Action::Imported,
        None,
        details.into_iter().collect(),
        now,
    )
}

fn write(
    transaction: &Transaction<'_>,
    now: Timestamp,
    progress: &mut dyn FnMut(u64),
) -> Result<ImportCounts, StoreError> {
    let staged: u64 = count_staged(transaction)?;
    transaction.execute_batch(DROP_REPLACED)?;
    transaction.execute_batch(FIND_TARGETS)?;
    let rows = count_staged(transaction)?;
    find_by_link(transaction)?;
    let (updated, unchanged) = update(transaction, now)?;
    let added = insert(transaction, now, progress)?;
    debug_assert_eq!(added + updated + unchanged, rows);
    Ok(ImportCounts {
        added,
        updated,
        unchanged,
        replaced: staged - rows,
    })
}

fn count_staged(transaction: &Transaction<'_>) -> Result<u64, StoreError> {
    Ok(transaction.query_row("SELECT count(*) FROM staged", [], |row| row.get(0))?)
}

fn find_by_link(transaction: &Transaction<'_>) -> Result<(), StoreError> {
    // Read in row order and not through the index on target, which claiming changes.
    let mut rows = transaction.prepare(
        "SELECT row, affiliate_link, source FROM staged NOT INDEXED WHERE target IS NULL ORDER BY row",
    )?;
    let mut find = transaction.prepare(
        "SELECT key FROM products WHERE affiliate_link = ?1 AND source = ?2 \
         AND NOT EXISTS (SELECT 1 FROM staged WHERE staged.target = products.key) ORDER BY key LIMIT 1",
    )?;
    let mut claim = transaction.prepare("UPDATE staged SET target = ?1 WHERE row = ?2")?;
    let mut cursor = rows.query([])?;
    while let Some(row) = cursor.next()? {
        let (number, link, source): (i64, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let target: Option<i64> = find
            .query_row(params![link, source], |row| row.get(0))
            .optional()?;
        if let Some(target) = target {
            claim.execute(params![target, number])?;
        }
    }
    Ok(())
}

/// Changes what differs; a product that is already as its row says keeps its
/// `updatedAt`, so that importing a file twice changes nothing.
fn update(transaction: &Transaction<'_>, now: Timestamp) -> Result<(u64, u64), StoreError> {
    let targets: u64 = transaction.query_row(
        "SELECT count(*) FROM staged WHERE target IS NOT NULL",
        [],
        |row| row.get(0),
    )?;
    const DETAILS: &str = "title, description, price, discount, final_price, category, source, \
         affiliate_link, images, average_rating, total_ratings";
    let staged = DETAILS
        .split(", ")
        .map(|column| format!("staged.{}", column.trim()))
        .collect::<Vec<_>>()
        .join(", ");
    let current = staged.replace("staged.", "products.");
    let updated = transaction.execute(
        &format!(
            "UPDATE products SET ({DETAILS}, updated_at) = ({staged}, ?1) FROM temp.staged AS staged \
             WHERE staged.target = products.key AND ({current}) IS NOT ({staged})"
        ),
        [now.as_millisecond()],
    )? as u64;
    Ok((updated, targets - updated))
}

fn insert(
    transaction: &Transaction<'_>,
    now: Timestamp,
    progress: &mut dyn FnMut(u64),
) -> Result<u64, StoreError> {
    let mut rows =
        transaction.prepare("SELECT row, id FROM staged WHERE target IS NULL ORDER BY row")?;
    let mut add = transaction.prepare(
        "INSERT INTO products (id, title, description, price, discount, final_price, category, source, \
             affiliate_link, images, average_rating, total_ratings, clicks, created_at, updated_at) \
         SELECT ?2, title, description, price, discount, final_price, category, source, \
             affiliate_link, images, average_rating, total_ratings, coalesce(clicks, 0), \
             coalesce(created_at, ?3), coalesce(updated_at, created_at, ?3) \
         FROM staged WHERE row = ?1",
    )?;
    let mut cursor = rows.query([])?;
    let mut added = 0;
    while let Some(row) = cursor.next()? {
        let number: i64 = row.get(0)?;
        let id: Option<String> = row.get(1)?;
        let id = id.unwrap_or_else(new_id);
        add.execute(params![number, id, now.as_millisecond()])?;
        added += 1;
        progress(added);
    }
    Ok(added)
}
