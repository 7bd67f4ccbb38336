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

use std::collections::HashMap;
use std::fs::File;
use std::path::Path;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use rusqlite::{Connection, params};

use super::batch::Batch;
use super::import::ImportCounts;
use super::index::{Change, Changes};
use super::key_set::CHUNK_KEYS;
use super::open::Writing;
use super::parts::{PAUSE, Part, alone, begin, make_indexes, put_off_indexes};
use super::staging::{DETAILS, details_of, resolve, resolve_again};
use super::turn::{discard, wait_for_turn};
use super::{ServerLock, StoreError, activity};
use crate::domain::Action;

/// Products that are added without hiding them first, in one short transaction.
const AT_ONCE: u64 = 1_000;
/// Products of a first transaction; further ones are made to take about this long.
const FIRST_ROWS: i64 = 2_000;
const MOST_ROWS: i64 = 2_500;
const WANTED: Duration = Duration::from_millis(400);
/// Memberships of products in terms, some six bytes each, that are gathered before
/// they are written to the full-text index.
const INDEXED_AT_ONCE: usize = 1_600_000;

/// The pages of an import's cache, in kibibytes: every index is written to at random.
const CACHE_KIB: i64 = 8 * 1_024;
/// Pages of the log, of 4 KiB, after which they are copied to the database: a page that
/// several transactions changed is copied once.
const LOG_PAGES: i64 = 16_384;

/// An import that has its turn.
pub(super) struct Publishing<'a> {
    connection: &'a Connection,
    writing: &'a Writing,
    now: Timestamp,
    counts: ImportCounts,
    change: i64,
    words: Batch,
    /// Hidden products, by source and category.
    added: Hidden,
    /// Held until the end; an import in memory needs none.
    _turn: Option<File>,
    /// What keeps servers away, where there was none and it is worth it.
    alone: Option<ServerLock>,
}

/// Numbers of products by their source and category.
type Hidden = HashMap<(String, String), i64>;

impl<'a> Publishing<'a> {
    /// Waits for its turn and finds out what there is to do.
    pub(super) fn begin(
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
            words: Batch::default(),
            added: HashMap::new(),
            _turn: turn,
            alone,
        })
    }

    pub(super) fn publish(
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
        if !self.is_alone() {
            return self.write_parts(actor, progress);
        }
        let whole = begin(self.connection)?;
        let put_off = put_off_indexes(&whole, self.counts.added)?;
        let counts = self.write_parts(actor, progress)?;
        make_indexes(&whole, put_off)?;
        whole.commit()?;
        Ok(counts)
    }

    fn is_alone(&self) -> bool {
        self.alone.is_some()
    }

    fn part(&self) -> Result<Part<'a>, StoreError> {
        Part::begin(self.connection, self.is_alone())
    }

    /// Gives those who wait a moment to write, where there may be any.
    fn let_others_in(&self) {
        if !self.is_alone() {
            std::thread::sleep(PAUSE);
        }
    }

    fn write_parts(
        &mut self,
        actor: &str,
        progress: &mut dyn FnMut(u64),
    ) -> Result<ImportCounts, StoreError> {
        let is_hidden = self.counts.added > AT_ONCE;
        if is_hidden {
            self.add_hidden(progress)?;
            // Most of what happened meanwhile, before anybody has to wait for it.
            let transaction = self.part()?;
            self.change = resolve_again(&transaction, self.change)?;
            self.gather();
            // With what it is about: nobody could take these words away later.
            self.words.write(&transaction)?;
            transaction.commit()?;
        }
        let transaction = self.part()?;
        resolve_again(&transaction, self.change)?;
        self.gather();
        let shown = self.show(&transaction)?;
        let late = add_rows(&transaction, i64::MIN, i64::MAX, self.now, is_hidden)?;
        self.writing.changes.write(&transaction)?;
        let updated = self.update(&transaction)?;
        let rows = self.counts.added + self.counts.updated + self.counts.unchanged;
        self.counts.added = late + shown;
        self.counts.updated = updated;
        self.counts.unchanged = rows - updated - self.counts.added;
        leave_trace(&transaction, actor, self.counts, self.now)?;
        transaction.commit()?;
        progress(self.counts.added);
        Ok(self.counts)
    }

    pub(super) fn publish_if_empty(self) -> Result<Option<ImportCounts>, StoreError> {
        let transaction = begin(self.connection)?;
        let occupied: bool =
            transaction.query_row("SELECT EXISTS (SELECT 1 FROM products)", [], |row| {
                row.get(0)
            })?;
        if occupied {
            return Ok(None);
        }
        add_rows(&transaction, i64::MIN, i64::MAX, self.now, false)?;
        self.writing.changes.write(&transaction)?;
        transaction.commit()?;
        Ok(Some(self.counts))
    }

    /// Adds the new products, hidden, in transactions of about the same time. While one
    /// is written, the words of those before are taken apart.
    fn add_hidden(&mut self, progress: &mut dyn FnMut(u64)) -> Result<(), StoreError> {
        let mut size = FIRST_ROWS;
        let mut from = 0;
        let mut added = 0;
        let mut waiting = Vec::new();
        loop {
            let start = Instant::now();
            let is_alone = self.is_alone();
            let (words, connection, now) = (&mut self.words, self.connection, self.now);
            let changes = &self.writing.changes;
            let (next, hidden) = std::thread::scope(|scope| {
                let words = scope.spawn(move || {
                    let hidden = count_hidden(&waiting);
                    words.change_all(waiting);
                    hidden
                });
                let next = add_some(connection, is_alone, (from, size), now, changes);
                (next, words.join())
            });
            let hidden = hidden.map_err(|_| StoreError::Other("indexing failed".to_owned()))?;
            self.count(hidden);
            let Some((to, count, chunk_ends)) = next? else {
                break;
            };
            waiting = changes.take();
            added += count;
            from = to + 1;
            progress(added);
            let ratio = WANTED.as_secs_f64() / start.elapsed().as_secs_f64().max(0.001);
            size = (size as f64 * ratio.clamp(0.5, 2.0)) as i64;
            size = size.clamp(FIRST_ROWS / 4, MOST_ROWS);
            self.let_others_in();
            if chunk_ends || self.words.len() > INDEXED_AT_ONCE {
                self.learn(std::mem::take(&mut waiting));
                self.index()?;
            }
        }
        self.index()
    }

    /// Writes the words that wait, in short transactions of their own.
    fn index(&mut self) -> Result<(), StoreError> {
        loop {
            let transaction = self.part()?;
            let more = self.words.write_part(&transaction)?;
            transaction.commit()?;
            if !more {
                return Ok(());
            }
            self.let_others_in();
        }
    }

    fn count(&mut self, hidden: Hidden) {
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
        self.words.change_all(changes);
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
            "SELECT coalesce(max(row), 0) FROM staged WHERE target IS NOT NULL AND NOT is_same",
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
        self.words.write(transaction)?;
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

/// Adds the next rows, hidden: tells the last of them, how many they are, and whether a
/// chunk of keys is full with them. `None` when there is no row left.
fn add_some(
    connection: &Connection,
    is_alone: bool,
    (from, size): (i64, i64),
    now: Timestamp,
    changes: &Changes,
) -> Result<Option<(i64, u64, bool)>, StoreError> {
    let transaction = Part::begin(connection, is_alone)?;
    let next: i64 = transaction.query_row(
        "SELECT coalesce(max(key), 0) + 1 FROM products",
        [],
        |row| row.get(0),
    )?;
    // The index is written a chunk at a time, so that it is not written twice.
    let chunk = i64::try_from(CHUNK_KEYS).unwrap_or(i64::MAX);
    let room = chunk - next % chunk;
    let (to, count) = next_rows(connection, from, size.min(room))?;
    if count == 0 {
        return Ok(None);
    }
    hide(&transaction, next, count)?;
    let added = add_rows(&transaction, from, to, now, false);
    if added.is_err() {
        changes.truncate(0);
    }
    let added = added?;
    transaction.commit()?;
    Ok(Some((to, added, count == room)))
}

/// Adds the rows from one to another that mean no product that is there, or of them
/// those only that were found out late.
fn add_rows(
    transaction: &Connection,
    from: i64,
    to: i64,
    now: Timestamp,
    only_late: bool,
) -> Result<u64, StoreError> {
    let added = transaction.execute(
        &format!(
            "INSERT INTO products (id, {DETAILS}, clicks, created_at, updated_at) \
             SELECT id, {DETAILS}, coalesce(clicks, 0), coalesce(created_at, ?3), \
                 coalesce(updated_at, created_at, ?3) \
             FROM staged WHERE target IS NULL AND (NOT ?4 OR is_late) AND row BETWEEN ?1 AND ?2 \
             ORDER BY row"
        ),
        params![from, to, now.as_millisecond(), only_late],
    )?;
    Ok(added as u64)
}

fn count_hidden(changes: &[Change]) -> Hidden {
    let mut hidden = Hidden::new();
    for (_, before, after) in changes {
        for (texts, more) in [(before, -1), (after, 1)] {
            if let Some(texts) = texts {
                let of = (texts.source.clone(), texts.category.clone());
                *hidden.entry(of).or_default() += more;
            }
        }
    }
    hidden
}

/// The last of the next rows to add, and how many that are.
fn next_rows(connection: &Connection, from: i64, size: i64) -> Result<(i64, i64), StoreError> {
    Ok(connection
        .prepare_cached(
            "SELECT coalesce(max(row), 0), count(*) FROM (SELECT row FROM staged \
             WHERE target IS NULL AND row >= ?1 ORDER BY row LIMIT ?2)",
        )?
        .query_row([from, size], |row| Ok((row.get(0)?, row.get(1)?)))?)
}

/// Notes keys as hidden.
fn hide(transaction: &Connection, next: i64, count: i64) -> Result<(), StoreError> {
    let longer = transaction.execute(
        "UPDATE hidden_products SET last = last + ?2 WHERE last = ?1 - 1",
        params![next, count],
    )?;
    if longer == 0 {
        transaction.execute(
            "INSERT INTO hidden_products (first, last) VALUES (?1, ?1 + ?2 - 1)",
            params![next, count],
        )?;
    }
    Ok(())
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
