//! Publishes staged rows.
//!
//! Writing a hundred thousand products takes seconds, and a click must not wait that long. More than
//! a thousand new products are therefore written in short transactions under keys in
//! `hidden_products`, which no list, count or search shows. The last transaction updates changed
//! products and clears `hidden_products`. If the import is killed before it, the next import or the
//! server deletes the hidden rows.

use std::collections::HashMap;
use std::fs::File;
use std::path::Path;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use rusqlite::{Connection, params};

use super::ImportCounts;
use super::archived::{Archived, add_categories, add_pictures, add_shop, check_categories};
use super::cleanup::discard;
use super::staging::{add_rows, copy_missing_fields, match_changed, match_rows, next_rows};
use crate::domain::{Action, given_bit};
use crate::store::db::error::Result;
use crate::store::db::lock::wait_for_import;
use crate::store::db::open::begin;
use crate::store::db::rows::scalar;
use crate::store::db::wal::{CHECKPOINT_PAGES, WalLimit};
use crate::store::db::writer::BeforeCommit;
use crate::store::idempotency::{self, Keep};
use crate::store::products::activity::ActivityLog;
use crate::store::products::columns::{DETAIL_LIST, assign_times, details_of};
use crate::store::products::lifetimes::{settle_all, state_of};
use crate::store::products::prices::check_all;
use crate::store::search::batch::{Batch, Change};
use crate::store::search::changes::WriteConnection;
use crate::store::search::writer::{self, PostingWriter};

/// Number of new products up to which they are added in one transaction, without hiding.
const SINGLE_COMMIT: u64 = 1_000;
/// Size of the first transaction, and target duration of the others.
const FIRST_ROWS: i64 = 1_000;
const TARGET: Duration = Duration::from_millis(400);
/// Maximum size of a transaction, whose texts are in memory. Each one writes most index pages, so
/// fewer and larger ones write less.
const MOST_ROWS: i64 = 6_000;
/// Posting lists per transaction.
const LISTS: usize = 20_000;
/// Page cache in KiB; every index is written at random positions.
const CACHE_KIB: i64 = 16 * 1_024;

/// A publishing import, which holds the import lock.
pub(crate) struct Publishing<'a> {
    connection: &'a Connection,
    writing: &'a WriteConnection,
    now: Timestamp,
    counts: ImportCounts,
    /// Number of the last processed change (`product_changes`).
    change: i64,
    /// Number of hidden products by source and category.
    hidden: HashMap<(String, String), i64>,
    wal: WalLimit,
    /// Import lock; none for a database in memory.
    _turn: Option<File>,
}

impl<'a> Publishing<'a> {
    /// Takes the import lock and matches the rows.
    pub(crate) fn begin(
        writing: &'a WriteConnection,
        path: Option<&Path>,
        now: Timestamp,
    ) -> Result<Self> {
        let turn = path.map(wait_for_import).transpose()?;
        let connection = &writing.connection;
        discard(writing)?;
        let (counts, change) = match_rows(connection)?;
        connection.pragma_update(None, "cache_size", -CACHE_KIB)?;
        connection.pragma_update(None, "wal_autocheckpoint", CHECKPOINT_PAGES)?;
        Ok(Self {
            connection,
            writing,
            now,
            counts,
            change,
            hidden: HashMap::new(),
            wal: WalLimit::default(),
            _turn: turn,
        })
    }

    pub(crate) fn publish(
        &mut self,
        archived: &Archived,
        actor: &str,
        progress: &mut dyn FnMut(u64),
        keep: Option<Keep<'_, ImportCounts>>,
    ) -> Result<ImportCounts> {
        let outcome = self.write(archived, actor, progress, keep);
        if outcome.is_err() {
            self.writing.changes.forget_after(0);
            // The next import or start retries a failed clean-up.
            if let Err(error) = discard(self.writing) {
                tracing::warn!(%error, "the leftovers of an import could not be deleted");
            }
        }
        outcome
    }

    fn write(
        &mut self,
        archived: &Archived,
        actor: &str,
        progress: &mut dyn FnMut(u64),
        keep: Option<Keep<'_, ImportCounts>>,
    ) -> Result<ImportCounts> {
        // The same import may have ended while this one waited for the lock.
        self.refuse_repeated(self.connection, keep.as_ref())?;
        check_categories(self.connection)?;
        add_pictures(self.connection, &mut self.wal, self.now)?;
        let sql = "SELECT NOT EXISTS (SELECT 1 FROM listed_products)";
        let was_empty = scalar(self.connection, sql, [])?;
        let is_hidden = self.counts.added > SINGLE_COMMIT;
        if is_hidden {
            // Hidden products have categories too.
            let transaction = begin(self.connection)?;
            add_categories(&transaction, &archived.categories, actor, self.now)?;
            transaction.commit()?;
            self.add_hidden(progress)?;
            // Process most concurrent changes before the last, longer transaction.
            let transaction = begin(self.connection)?;
            self.change = match_changed(&transaction, self.change)?;
            self.write_words(&transaction)?;
            transaction.commit()?;
            self.wal.let_others_in(self.connection);
        }
        let transaction = begin(self.connection)?;
        self.refuse_repeated(&transaction, keep.as_ref())?;
        if !is_hidden {
            add_categories(&transaction, &archived.categories, actor, self.now)?;
        }
        match_changed(&transaction, self.change)?;
        self.write_words(&transaction)?;
        let shown = self.show(&transaction)?;
        let rows = if is_hidden { "is_late" } else { "TRUE" };
        let late = add_rows(&transaction, rows, self.now)?;
        self.writing.changes.write(&transaction)?;
        copy_missing_fields(&transaction)?;
        let updated = self.update(&transaction)?;
        settle_all(&transaction, Timestamp::now())?;
        add_shop(&transaction, &archived.shop, was_empty, actor, self.now)?;
        self.count(late + shown, updated);
        write_activity(&transaction, actor, self.counts, self.now)?;
        transaction.execute(
            "DELETE FROM price_checks WHERE product IN \
             (SELECT target FROM staged WHERE target IS NOT NULL AND NOT is_same)",
            [],
        )?;
        offers_checked(&transaction, "NOT is_same", self.now)?;
        if let Some(keep) = keep {
            idempotency::record(&transaction, keep, &self.counts, self.now)?;
        }
        transaction.commit()?;
        self.record_checks()?;
        progress(self.counts.added);
        Ok(self.counts)
    }

    fn refuse_repeated(
        &self,
        connection: &Connection,
        keep: Option<&Keep<'_, ImportCounts>>,
    ) -> Result<()> {
        keep.map_or(Ok(()), |keep| {
            idempotency::refuse_repeated(connection, &keep.request, self.now)
        })
    }

    pub(crate) fn publish_if_empty(self) -> Result<Option<ImportCounts>> {
        let transaction = begin(self.connection)?;
        if scalar(&transaction, "SELECT EXISTS (SELECT 1 FROM products)", [])? {
            return Ok(None);
        }
        add_rows(&transaction, "TRUE", self.now)?;
        self.writing.changes.write(&transaction)?;
        transaction.commit()?;
        Ok(Some(self.counts))
    }

    /// Adds the new products as hidden, and their words.
    fn add_hidden(&mut self, progress: &mut dyn FnMut(u64)) -> Result<()> {
        let mut words = Batch::default();
        let (mut from, mut size, mut rows) = (0, FIRST_ROWS, 0);
        loop {
            let start = Instant::now();
            let (to, count) = next_rows(self.connection, from, size)?;
            if count == 0 {
                return self.write_lists(&mut words);
            }
            let transaction = begin(self.connection)?;
            hide_next(&transaction, count)?;
            let next = format!("row BETWEEN {from} AND {to}");
            rows += add_rows(&transaction, &next, self.now)?;
            transaction.commit()?;
            progress(rows);
            let ratio = TARGET.as_secs_f64() / start.elapsed().as_secs_f64().max(0.001);
            size = (size as f64 * ratio.clamp(0.5, 2.0)) as i64;
            size = size.clamp(FIRST_ROWS / 2, MOST_ROWS);
            from = to + 1;
            self.wal.let_others_in(self.connection);
            let changes = self.writing.changes.drain();
            self.count_hidden(&changes);
            words.change_all(changes, |words| self.write_lists(words))?;
        }
    }

    /// Writes posting lists in separate transactions; searches ignore hidden products.
    fn write_lists(&mut self, words: &mut Batch) -> Result<()> {
        let mut lists = words.drain().peekable();
        while lists.peek().is_some() {
            let transaction = begin(self.connection)?;
            let mut writer = PostingWriter::new(&transaction)?;
            for (term, delta) in lists.by_ref().take(LISTS) {
                writer.write(&term, &delta)?;
            }
            drop(writer);
            transaction.commit()?;
            self.wal.let_others_in(self.connection);
        }
        Ok(())
    }

    /// Writes the words of hidden products added or deleted in this transaction.
    fn write_words(&mut self, transaction: &Connection) -> Result<()> {
        let changes = self.writing.changes.drain();
        self.count_hidden(&changes);
        writer::write_changes(transaction, changes)
    }

    fn count_hidden(&mut self, changes: &[Change]) {
        for (_, before, after) in changes {
            for (texts, more) in [(before, -1), (after, 1)] {
                if let Some(texts) = texts {
                    let of = (texts.source.clone(), texts.category.clone());
                    *self.hidden.entry(of).or_default() += more;
                }
            }
        }
    }

    /// Records price checks of unchanged products, in short transactions because clicks wait.
    fn record_checks(&self) -> Result<()> {
        let sql = "SELECT coalesce(max(row), 0) FROM staged WHERE is_same";
        let last: i64 = scalar(self.connection, sql, [])?;
        let mut from = 0;
        while from <= last {
            let transaction = begin(self.connection)?;
            check_all(
                &transaction,
                "SELECT target FROM staged WHERE is_same AND row BETWEEN ?1 AND ?2",
                &[from, from + MOST_ROWS],
                self.now,
            )?;
            transaction.execute(
                "INSERT OR REPLACE INTO price_checks SELECT target, ?1 FROM staged \
                 WHERE is_same AND row BETWEEN ?2 AND ?3 AND EXISTS \
                 (SELECT 1 FROM products WHERE key = target AND id = target_id)",
                params![self.now.as_millisecond(), from, from + MOST_ROWS],
            )?;
            transaction.commit()?;
            from += MOST_ROWS + 1;
        }
        let transaction = begin(self.connection)?;
        offers_checked(&transaction, "is_same", self.now)?;
        Ok(transaction.commit()?)
    }

    /// Corrects the counts to the rows written.
    fn count(&mut self, added: u64, updated: u64) {
        let rows = self.counts.added + self.counts.updated + self.counts.unchanged;
        self.counts.added = added;
        self.counts.updated = updated;
        self.counts.unchanged = rows - updated - added;
    }

    /// Updates changed products; unchanged ones keep their `updatedAt`, so that importing a file
    /// twice has no effect.
    fn update(&self, transaction: &Connection) -> Result<u64> {
        let staged = details_of("staged");
        let current = details_of("products");
        // States depend on the current time, not on that of the import's start.
        let state = state_of("staged").replace("?1", "?4");
        let mut statement = transaction.prepare(&format!(
            "UPDATE products SET ({}, state, updated_at) = \
             ({staged}, {state}, max(?1, products.updated_at + 1)), {} \
             FROM temp.staged AS staged \
             WHERE staged.target = products.key AND NOT is_same AND row BETWEEN ?2 AND ?3 \
             AND ({current}) IS NOT ({staged})",
            *DETAIL_LIST,
            assign_times(
                |column| format!("staged.{column}"),
                "max(?1, products.updated_at + 1)"
            )
        ))?;
        let sql = "SELECT coalesce(max(row), 0) FROM staged INDEXED BY staged_by_target \
                   WHERE target IS NOT NULL AND NOT is_same";
        let last: i64 = scalar(transaction, sql, [])?;
        let mut updated = 0;
        let mut from = 0;
        // In chunks, because the words of all products take much memory.
        while from <= last {
            let to = from + MOST_ROWS;
            check_all(
                transaction,
                "SELECT target FROM staged JOIN products ON products.key = target \
                 WHERE NOT is_same AND row BETWEEN ?1 AND ?2 \
                 AND (staged.price, staged.final_price) = (products.price, products.final_price)",
                &[from, to],
                self.now,
            )?;
            let clock = Timestamp::now().as_millisecond();
            updated += statement.execute([self.now.as_millisecond(), from, to, clock])?;
            self.writing.changes.write(transaction)?;
            from = to + 1;
        }
        Ok(updated as u64)
    }

    /// Makes hidden products visible; returns how many.
    fn show(&mut self, transaction: &Connection) -> Result<u64> {
        let mut shown = 0;
        let not_live = hidden_and_not_live(transaction)?;
        for (of, products) in self.hidden.drain() {
            shown += products;
            let products = products - not_live.get(&of).copied().unwrap_or_default();
            let (source, category) = of;
            if products == 0 {
                continue;
            }
            transaction.execute(
                "UPDATE product_counts SET products = products + ?1 WHERE category IN ('all', ?2)",
                params![products, category],
            )?;
            transaction.execute(
                "INSERT INTO product_source_counts (source, category, products) VALUES (?1, ?2, ?3) \
                 ON CONFLICT DO UPDATE SET products = products + excluded.products",
                params![source, category, products],
            )?;
        }
        if shown > 0 {
            transaction.execute_batch(
                "DELETE FROM hidden_products; \
                 INSERT INTO product_changes (key, clicks_only) VALUES (0, 0)",
            )?;
        }
        Ok(shown as u64)
    }
}

/// Records offer checks of matched products whose rows have offers.
fn offers_checked(transaction: &Connection, which: &str, now: Timestamp) -> Result<()> {
    transaction.execute(
        &format!(
            "UPDATE offer_checks SET at = max(at, ?) WHERE EXISTS (SELECT 1 FROM staged \
             WHERE target = offer_checks.product AND given & {} AND {which})",
            given_bit("offers")
        ),
        [now.as_millisecond()],
    )?;
    Ok(())
}

/// Counts hidden products that are not live, by source and category.
fn hidden_and_not_live(transaction: &Connection) -> Result<HashMap<(String, String), i64>> {
    let mut statement = transaction.prepare(
        "SELECT source, category, count(*) FROM products WHERE state > 0 AND EXISTS \
         (SELECT 1 FROM hidden_products WHERE products.key BETWEEN first AND last) \
         GROUP BY source, category",
    )?;
    let rows = statement.query_map([], |row| Ok(((row.get(0)?, row.get(1)?), row.get(2)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Marks the next `count` keys as hidden.
fn hide_next(transaction: &Connection, count: i64) -> Result<()> {
    let sql = "SELECT coalesce(max(key), 0) + 1 FROM products";
    let next: i64 = scalar(transaction, sql, [])?;
    let sql = "UPDATE hidden_products SET last = last + ?2 WHERE last = ?1 - 1";
    let longer = transaction.execute(sql, params![next, count])?;
    if longer == 0 {
        let sql = "INSERT INTO hidden_products (first, last) VALUES (?1, ?1 + ?2 - 1)";
        transaction.execute(sql, params![next, count])?;
    }
    Ok(())
}

/// Logs the import, unless nothing changed.
fn write_activity(
    transaction: &Connection,
    actor: &str,
    counts: ImportCounts,
    now: Timestamp,
) -> Result<()> {
    if counts.added + counts.updated == 0 {
        return Ok(());
    }
    let details = [("added", counts.added), ("updated", counts.updated)];
    let details = details.map(|(name, count)| (name.to_owned(), count.into()));
    let details = details.into_iter().collect();
    ActivityLog::new(actor, now).write(transaction, Action::Imported, None, details)
}
