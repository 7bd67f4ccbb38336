//! How staged rows come into the database.
//!
//! Writing a hundred thousand products takes seconds, and nobody else can write
//! meanwhile: a click would have to wait that long. So they are written in short
//! transactions, with others let in between, under keys that are noted as hidden: no
//! list, count or search shows them. A last transaction changes what is to be changed
//! and takes the note away. Until then the lists are as they were, and so they stay
//! when the import is killed; what it left is taken away by the next one, or by the
//! next start of a server.
//!
//! Where no server runs there is nobody to be let in, and all of it is one transaction
//! (see `parts.rs`).

use std::fs::File;
use std::path::Path;

use jiff::Timestamp;
use rusqlite::{Connection, params};

use super::adding::{Hidden, MOST_ROWS, Rows, add_rows, count_hidden};
use super::cleanup::{discard, wait_for_turn};
use super::parts::{Part, alone, begin, put_off_indexes};
use super::session::ImportCounts;
use super::staging::{DETAILS, details_of, resolve, resolve_again};
use crate::domain::Action;
use crate::store::db::open::Writing;
use crate::store::db::wal::{LOG_PAGES, Log};
use crate::store::products::activity;
use crate::store::search::changes::Change;
use crate::store::search::writer::Indexing;
use crate::store::{ServerLock, StoreError};

/// Products that are added without hiding them first, in one short transaction.
const AT_ONCE: u64 = 1_000;
/// The pages of an import's cache, in kibibytes: every index is written to at random.
const CACHE_KIB: i64 = 4 * 1_024;

/// An import that has its turn.
pub(crate) struct Publishing<'a> {
    pub(crate) connection: &'a Connection,
    pub(crate) writing: &'a Writing,
    pub(crate) now: Timestamp,
    counts: ImportCounts,
    change: i64,
    pub(crate) indexing: Indexing,
    /// Hidden products, by source and category.
    added: Hidden,
    /// Held until the end; an import in memory needs none.
    _turn: Option<File>,
    log: Log,
    /// What keeps servers away, where there was none and it is worth it.
    alone: Option<ServerLock>,
}

impl<'a> Publishing<'a> {
    /// Waits for its turn and finds out what there is to do.
    pub(crate) fn begin(
        writing: &'a Writing,
        path: Option<&Path>,
        now: Timestamp,
    ) -> Result<Self, StoreError> {
        let turn = path.map(wait_for_turn).transpose()?;
        let connection = &writing.connection;
        discard(writing)?;
        let (counts, change) = resolve(connection)?;
        let alone = match counts.added > AT_ONCE {
            true => path.and_then(|path| alone(connection, path)),
            false => None,
        };
        connection.pragma_update(None, "cache_size", -CACHE_KIB)?;
        connection.pragma_update(None, "wal_autocheckpoint", LOG_PAGES)?;
        Ok(Self {
            connection,
            writing,
            now,
            counts,
            change,
            indexing: Indexing::default(),
            added: Hidden::new(),
            _turn: turn,
            log: Log::default(),
            alone,
        })
    }

    pub(crate) fn publish(
        &mut self,
        actor: &str,
        progress: &mut dyn FnMut(u64),
    ) -> Result<ImportCounts, StoreError> {
        let outcome = self.write(actor, progress);
        if outcome.is_err() {
            self.writing.changes.truncate(0);
            // What fails here is left to the next import, and to the next start.
            if let Err(error) = discard(self.writing) {
                tracing::warn!(%error, "what an import left was not taken away");
            }
        }
        outcome
    }

    fn write(
        &mut self,
        actor: &str,
        progress: &mut dyn FnMut(u64),
    ) -> Result<ImportCounts, StoreError> {
        match self.is_alone() {
            true => self.write_at_once(actor, progress),
            false => self.write_in_parts(actor, progress),
        }
    }

    pub(crate) fn is_alone(&self) -> bool {
        self.alone.is_some()
    }

    pub(crate) fn part(&self) -> Result<Part<'a>, StoreError> {
        Part::begin(self.connection, self.is_alone())
    }

    /// Gives those who wait a moment to write, where there may be any.
    pub(crate) fn let_others_in(&mut self) {
        if !self.is_alone() {
            self.log.let_others_in(self.connection);
        }
    }

    /// Writes everything in one transaction, which others have to wait for.
    fn write_at_once(
        &mut self,
        actor: &str,
        progress: &mut dyn FnMut(u64),
    ) -> Result<ImportCounts, StoreError> {
        let whole = begin(self.connection)?;
        resolve_again(&whole, self.change)?;
        let put_off = put_off_indexes(&whole, self.counts.added)?;
        let updated = self.update(&whole)?;
        self.add_hidden(put_off, progress)?;
        let added = self.show(&whole)?;
        self.tell(&whole, actor, (added, updated))?;
        whole.commit()?;
        progress(added);
        Ok(self.counts)
    }

    /// Writes in transactions of which nobody has to wait long for any.
    fn write_in_parts(
        &mut self,
        actor: &str,
        progress: &mut dyn FnMut(u64),
    ) -> Result<ImportCounts, StoreError> {
        let is_hidden = self.counts.added > AT_ONCE;
        if is_hidden {
            self.add_hidden(Vec::new(), progress)?;
            // Most of what happened meanwhile, before anybody has to wait for it.
            let transaction = self.part()?;
            self.change = resolve_again(&transaction, self.change)?;
            self.gather();
            // With what it is about: nobody could take these words away later.
            self.indexing.write(&transaction)?;
            transaction.commit()?;
            self.let_others_in();
        }
        let transaction = self.part()?;
        resolve_again(&transaction, self.change)?;
        self.gather();
        let shown = self.show(&transaction)?;
        let rows = if is_hidden { Rows::Late } else { Rows::All };
        let late = add_rows(&transaction, rows, self.now)?;
        self.writing.changes.write(&transaction)?;
        let updated = self.update(&transaction)?;
        self.tell(&transaction, actor, (late + shown, updated))?;
        transaction.commit()?;
        progress(self.counts.added);
        Ok(self.counts)
    }

    /// Counts what was added and updated in the end, and leaves a trace of it.
    fn tell(
        &mut self,
        transaction: &Connection,
        actor: &str,
        (added, updated): (u64, u64),
    ) -> Result<(), StoreError> {
        let rows = self.counts.added + self.counts.updated + self.counts.unchanged;
        self.counts.added = added;
        self.counts.updated = updated;
        self.counts.unchanged = rows - updated - added;
        leave_trace(transaction, actor, self.counts, self.now)
    }

    pub(crate) fn publish_if_empty(self) -> Result<Option<ImportCounts>, StoreError> {
        let transaction = begin(self.connection)?;
        let occupied: bool =
            transaction.query_row("SELECT EXISTS (SELECT 1 FROM products)", [], |row| {
                row.get(0)
            })?;
        if occupied {
            return Ok(None);
        }
        add_rows(&transaction, Rows::All, self.now)?;
        self.writing.changes.write(&transaction)?;
        transaction.commit()?;
        Ok(Some(self.counts))
    }

    pub(crate) fn count(&mut self, hidden: Hidden) {
        for (of, more) in hidden {
            *self.added.entry(of).or_default() += more;
        }
    }

    /// Takes the words of what was taken out again, or added hidden, to the others that
    /// wait to be written, and counts the products.
    fn gather(&mut self) {
        let changes = self.writing.changes.take();
        self.learn(changes);
    }

    fn learn(&mut self, changes: Vec<Change>) {
        self.count(count_hidden(&changes));
        self.indexing.batch.change_all(changes);
    }

    /// Changes what differs; a product that is already as its row says keeps its
    /// `updatedAt`, so that importing a file twice changes nothing.
    fn update(&self, transaction: &Connection) -> Result<u64, StoreError> {
        let staged = details_of("staged");
        let current = details_of("products");
        let mut statement = transaction.prepare(&format!(
            "UPDATE products SET ({DETAILS}, updated_at) = ({staged}, max(?1, products.updated_at + 1)) \
             FROM temp.staged AS staged \
             WHERE staged.target = products.key AND NOT is_same AND row BETWEEN ?2 AND ?3 \
             AND ({current}) IS NOT ({staged})"
        ))?;
        let last: i64 = transaction.query_row(
            "SELECT coalesce(max(row), 0) FROM staged INDEXED BY staged_by_target \
             WHERE target IS NOT NULL AND NOT is_same",
            [],
            |row| row.get(0),
        )?;
        let mut updated = 0;
        let mut from = 0;
        // A part at a time, because the words of all of them take much memory.
        while from <= last {
            let to = from + MOST_ROWS;
            updated += statement.execute([self.now.as_millisecond(), from, to])?;
            self.writing.changes.write(transaction)?;
            from = to + 1;
        }
        Ok(updated as u64)
    }

    /// Shows what was hidden, and tells how many products that are.
    fn show(&mut self, transaction: &Connection) -> Result<u64, StoreError> {
        self.indexing.write(transaction)?;
        let mut shown = 0;
        for ((source, category), products) in
            self.added.drain().filter(|(_, products)| *products > 0)
        {
            transaction.execute(
                "UPDATE product_counts SET products = products + ?1 WHERE category IN ('all', ?2)",
                params![products, category],
            )?;
            transaction.execute(
                "INSERT INTO product_source_counts (source, category, products) VALUES (?1, ?2, ?3) \
                 ON CONFLICT DO UPDATE SET products = products + excluded.products",
                params![source, category, products],
            )?;
            shown += products;
        }
        if shown > 0 {
            transaction.execute_batch(
                "DELETE FROM hidden_products; \
                 INSERT INTO product_changes (key, clicks_only) VALUES (0, 0)",
            )?;
        }
        Ok(u64::try_from(shown).unwrap_or_default())
    }
}

/// An import that changed nothing leaves no trace.
fn leave_trace(
    transaction: &Connection,
    actor: &str,
    counts: ImportCounts,
    now: Timestamp,
) -> Result<(), StoreError> {
    if counts.added + counts.updated == 0 {
        return Ok(());
    }
    let details = [("added", counts.added), ("updated", counts.updated)];
    let details = details.map(|(name, count)| (name.to_owned(), count.into()));
    let details = details.into_iter().collect();
    activity::insert(transaction, actor, Action::Imported, None, details, now)
}
