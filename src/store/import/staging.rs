//! Staged rows of an import, matched to existing products.

use std::sync::LazyLock;

use jiff::Timestamp;
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, params, params_from_iter};

use super::ImportCounts;
use crate::domain::{ImportedProduct, given_bit, kept_fields};
use crate::store::db::error::Result;
use crate::store::db::rows::{column, new_id, run, scalar};
use crate::store::products::columns::{
    DETAIL_LIST, DETAIL_PARAMETERS, column_of, details_of, execute, joined, parameters,
};
use crate::store::products::lifetimes::state_of;
use crate::store::products::{last_change, same_deal, same_external_id};

pub(crate) fn create(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(&format!(
        "CREATE TEMP TABLE staged (
             row INTEGER PRIMARY KEY,
             -- The file's _id, or a new one.
             id TEXT, is_given INTEGER,
             -- Bits of the fields that may be left out and that the row has.
             given INTEGER,
             -- Without a type, so that a value is what it was.
             {}, clicks, created_at, undrafted_at, updated_at,
             -- The product that is changed, if it is one that is there, and whether it
             -- is as the row says already.
             target INTEGER, target_id TEXT,
             is_same INTEGER NOT NULL DEFAULT 0,
             -- Whether it turned out only while the others were added that it is new.
             is_late INTEGER NOT NULL DEFAULT 0
         );
         CREATE INDEX temp.staged_by_id ON staged (id, row, is_given) WHERE is_given;
         CREATE INDEX temp.staged_by_target ON staged (target) WHERE target IS NOT NULL;
         CREATE INDEX temp.staged_late ON staged (row) WHERE is_late",
        *DETAIL_LIST
    ))
}

/// Returns the INSERT statement; it takes [`parameters`] and one parameter per further column.
fn stage_statement() -> String {
    format!(
        "INSERT INTO staged ({}, clicks, created_at, undrafted_at, updated_at, id, is_given, \
             given) \
         VALUES ({}, :clicks, :created_at, :undrafted_at, :updated_at, :id, :is_given, \
             :given)",
        *DETAIL_LIST, *DETAIL_PARAMETERS
    )
}

pub(crate) fn stage(connection: &Connection, row: &ImportedProduct) -> Result<()> {
    static STAGE: LazyLock<String> = LazyLock::new(stage_statement);
    let milliseconds = |time: Option<Timestamp>| time.map(Timestamp::as_millisecond).into();
    let mut values = parameters(&row.details);
    values.extend([
        (":clicks", row.clicks.into()),
        (":created_at", milliseconds(row.created_at)),
        (":undrafted_at", milliseconds(row.published_at)),
        (":updated_at", milliseconds(row.updated_at)),
        (":id", row.id.clone().unwrap_or_else(new_id).into()),
        (":is_given", row.id.is_some().into()),
        (":given", row.given.into()),
    ]);
    execute(&mut connection.prepare_cached(&STAGE)?, &values)?;
    Ok(())
}

/// Copies a table of staged rows to another connection.
pub(crate) fn copy(from: &Connection, to: &Connection, table: &str) -> rusqlite::Result<()> {
    let mut read = from.prepare(&format!("SELECT * FROM {table} ORDER BY rowid"))?;
    let columns = read.column_count();
    let values = vec!["?"; columns].join(", ");
    let mut write = to.prepare(&format!("INSERT INTO {table} VALUES ({values})"))?;
    let mut rows = read.query([])?;
    while let Some(row) = rows.next()? {
        let values: Vec<Value> = (0..columns)
            .map(|column| row.get(column))
            .collect::<rusqlite::Result<_>>()?;
        write.execute(params_from_iter(values))?;
    }
    Ok(())
}

/// Deletes rows that a later row replaces: one with the same `_id`, or, if neither has one, the
/// same external id and seller, or the same link and seller unless their external ids differ. All
/// statements use covering partial indexes, because the table is as large as the file.
const DROP_REPLACED: [&str; 3] = [
    "DELETE FROM staged WHERE row IN (
        SELECT row FROM staged AS earlier INDEXED BY staged_by_id
        WHERE is_given AND EXISTS (
            SELECT 1 FROM staged AS later
            WHERE later.is_given AND later.id = earlier.id AND later.row > earlier.row))",
    "DELETE FROM staged WHERE row IN (
        SELECT row FROM staged AS earlier INDEXED BY staged_by_external_id
        WHERE NOT is_given AND external_id IS NOT NULL AND EXISTS (
            SELECT 1 FROM staged AS later
            WHERE NOT later.is_given AND later.external_id = earlier.external_id
              AND later.source = earlier.source AND later.row > earlier.row))",
    "DELETE FROM staged WHERE row IN (
        SELECT row FROM staged AS earlier INDEXED BY staged_by_link
        WHERE NOT is_given AND EXISTS (
            SELECT 1 FROM staged AS later
            WHERE NOT later.is_given AND later.affiliate_link = earlier.affiliate_link
              AND later.source = earlier.source AND later.row > earlier.row
              AND coalesce(later.external_id = earlier.external_id, TRUE)))",
];

/// Matches rows to products in one snapshot; returns the expected counts and the number of the last
/// change.
///
/// A row matches the product with its `_id`, or else the oldest product with its external id, or else
/// the oldest one with its link, that no other row matches. Matching precedes adding, so that two rows
/// of an export with different `_id`s and the same link stay two products.
pub(crate) fn match_rows(connection: &Connection) -> Result<(ImportCounts, i64)> {
    let snapshot = connection.unchecked_transaction()?;
    let change = last_change(&snapshot)?;
    let number = |sql: &str| scalar::<u64>(&snapshot, sql, []);
    let staged = number("SELECT coalesce(max(row), 0) FROM staged")?;
    snapshot.execute_batch(
        "CREATE INDEX temp.staged_by_link ON staged (affiliate_link, source, row, is_given, external_id) \
             WHERE NOT is_given; \
         CREATE INDEX temp.staged_by_external_id ON staged (external_id, source, row, is_given) \
             WHERE NOT is_given AND external_id IS NOT NULL",
    )?;
    let mut replaced = 0;
    for sql in DROP_REPLACED {
        replaced += snapshot.execute(sql, [])? as u64;
    }
    snapshot.execute(
        "UPDATE staged SET target = \
         (SELECT key FROM listed_products AS listed WHERE listed.id = staged.id) \
         WHERE row IN (SELECT row FROM staged INDEXED BY staged_by_id WHERE is_given)",
        [],
    )?;
    if number("SELECT EXISTS (SELECT 1 FROM products)")? > 0 {
        find_existing(
            &snapshot,
            BY_EXTERNAL_ID,
            &same_external_id("key", UNCLAIMED),
        )?;
        let one_has_none = format!("{UNCLAIMED} AND (external_id IS NULL OR ?3 IS NULL)");
        find_existing(&snapshot, BY_LINK, &same_deal("key", &one_has_none))?;
    }
    snapshot.execute_batch(
        "UPDATE staged SET target_id = (SELECT id FROM products WHERE key = target) \
         WHERE target IS NOT NULL",
    )?;
    copy_missing_fields(&snapshot)?;
    let unchanged = snapshot.execute(
        &format!(
            "UPDATE staged SET is_same = 1 FROM products \
             WHERE products.key = staged.target AND ({}) IS ({})",
            details_of("products"),
            details_of("staged")
        ),
        [],
    )? as u64;
    let known = number("SELECT count(*) FROM staged WHERE target IS NOT NULL")?;
    snapshot.commit()?;
    let counts = ImportCounts {
        added: staged - replaced - known,
        updated: known - unchanged,
        unchanged,
        replaced,
    };
    Ok((counts, change))
}

/// Copies fields that a row lacks from its product, because sellers' files have no drafts, ends and
/// coupons. If only one of start and end is given and the two conflict, the other is cleared.
pub(crate) fn copy_missing_fields(connection: &Connection) -> Result<()> {
    let kept = || kept_fields().map(|(field, bit)| (column_of(field), bit));
    let of = |table: &str| joined(kept().map(|(column, _)| format!("{table}.{column}")));
    let values = kept().map(|(column, bit)| {
        format!("{column} = iif(staged.given & {bit}, staged.{column}, kept.{column})")
    });
    connection.execute_batch(&format!(
        "UPDATE staged SET {} FROM products AS kept \
         WHERE kept.key = staged.target AND NOT is_same AND given <> {} AND ({}) IS NOT ({}); \
         UPDATE staged SET starts_at = NULL WHERE ends_at <= starts_at AND NOT given & {}; \
         UPDATE staged SET ends_at = NULL WHERE ends_at <= starts_at AND NOT given & {}",
        joined(values),
        kept_fields().map(|(_, bit)| bit).sum::<i64>(),
        of("kept"),
        of("staged"),
        given_bit("startsAt"),
        given_bit("endsAt"),
    ))?;
    Ok(())
}

/// Condition of a product that no row matches yet.
const UNCLAIMED: &str = "AND NOT EXISTS (SELECT 1 FROM staged WHERE staged.target = listed.key)";
/// Unmatched rows with their search keys, in row order, not by the index on `target`, which the loop
/// updates.
const BY_EXTERNAL_ID: &str = "SELECT row, external_id, source, external_id FROM staged NOT INDEXED \
    WHERE target IS NULL AND external_id IS NOT NULL ORDER BY row";
const BY_LINK: &str = "SELECT row, affiliate_link, source, external_id FROM staged NOT INDEXED \
    WHERE target IS NULL ORDER BY row";

fn find_existing(connection: &Connection, rows: &str, find: &str) -> Result<()> {
    let mut rows = connection.prepare(rows)?;
    let mut find = connection.prepare(find)?;
    let has_external_id = find.parameter_count() > 2;
    let mut claim = connection.prepare("UPDATE staged SET target = ?1 WHERE row = ?2")?;
    let mut cursor = rows.query([])?;
    while let Some(row) = cursor.next()? {
        let number: i64 = row.get(0)?;
        let given = (1..=if has_external_id { 3 } else { 2 }).map(|column| row.get(column));
        let given = given.collect::<rusqlite::Result<Vec<Value>>>()?;
        let found = find.query_row(params_from_iter(given), |row| row.get(0));
        let target: Option<i64> = found.optional()?;
        if let Some(target) = target {
            claim.execute(params![target, number])?;
        }
    }
    Ok(())
}

/// Matches again the products that others added, changed or deleted since the change `since`;
/// deletes hidden products that turn out to exist. Returns the number of the last change.
pub(crate) fn match_changed(connection: &Connection, since: i64) -> Result<i64> {
    let change = last_change(connection)?;
    if change == since {
        return Ok(change);
    }
    let (listed, all): (i64, bool) = connection.query_row(
        "SELECT count(*), coalesce(max(key = 0), 0) FROM product_changes WHERE number > ?",
        [since],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    if all || listed < change - since {
        // Some changes are not recorded: check all rows, but only by indexes, because other writers
        // wait.
        connection
            .execute_batch("UPDATE staged SET is_same = 0 WHERE target IS NOT NULL AND is_same")?;
        let gone = "SELECT target FROM staged WHERE target IS NOT NULL AND NOT EXISTS \
             (SELECT 1 FROM listed_products WHERE key = target AND id = target_id)";
        let appeared = "SELECT key FROM listed_products AS listed WHERE EXISTS (SELECT 1 FROM staged \
             WHERE NOT is_given AND staged.affiliate_link = listed.affiliate_link \
             AND staged.source = listed.source AND staged.target IS NULL) \
             OR (listed.external_id IS NOT NULL AND EXISTS (SELECT 1 FROM staged \
             WHERE NOT is_given AND staged.external_id = listed.external_id \
             AND staged.source = listed.source AND staged.target IS NULL))";
        for sql in [gone, appeared] {
            for key in keys(connection, sql, None)? {
                rematch(connection, key)?;
            }
        }
    } else {
        let changed =
            "SELECT DISTINCT key FROM product_changes WHERE number > ? AND NOT clicks_only";
        for key in keys(connection, changed, Some(since))? {
            rematch(connection, key)?;
        }
    }
    Ok(change)
}

fn keys(connection: &Connection, sql: &str, since: Option<i64>) -> Result<Vec<i64>> {
    Ok(column(connection, sql, params_from_iter(since))?)
}

fn rematch(connection: &Connection, key: i64) -> Result<()> {
    connection.execute("UPDATE staged SET is_same = 0 WHERE target = ?", [key])?;
    // The product may be deleted, and its key reused.
    connection.execute(
        "UPDATE staged SET target = NULL, is_late = 1 WHERE target = ?1 \
         AND target_id IS NOT (SELECT id FROM listed_products WHERE key = ?1)",
        [key],
    )?;
    let is_there: bool = scalar(
        connection,
        "SELECT EXISTS (SELECT 1 FROM listed_products WHERE key = ?)",
        [key],
    )?;
    let is_matched: bool = scalar(
        connection,
        "SELECT EXISTS (SELECT 1 FROM staged WHERE target = ?)",
        [key],
    )?;
    if !is_there || is_matched {
        return Ok(());
    }
    let waiting: Option<(i64, String)> = connection
        .query_row(
            "SELECT row, staged.id FROM products JOIN staged ON staged.id = products.id AND is_given \
             WHERE key = ?1 AND target IS NULL \
             UNION ALL \
             SELECT row, staged.id FROM products JOIN staged USING (external_id, source) \
             WHERE key = ?1 AND NOT is_given AND target IS NULL \
             UNION ALL \
             SELECT row, staged.id FROM products JOIN staged USING (affiliate_link, source) \
             WHERE key = ?1 AND NOT is_given AND target IS NULL \
             AND coalesce(products.external_id = staged.external_id, TRUE) LIMIT 1",
            [key],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
        .optional()?;
    if let Some((row, id)) = waiting {
        delete_hidden(connection, &id)?;
        connection.execute(
            "UPDATE staged SET target = ?1, is_late = 0, \
             target_id = (SELECT id FROM products WHERE key = ?1) WHERE row = ?2",
            params![key, row],
        )?;
    }
    Ok(())
}

/// Deletes a hidden product, and removes its key from `hidden_products` if it could be reused.
fn delete_hidden(connection: &Connection, id: &str) -> Result<()> {
    let sql = "DELETE FROM products WHERE id = ? AND EXISTS (SELECT 1 FROM hidden_products \
               WHERE products.key BETWEEN first AND last) RETURNING key";
    let key: Option<i64> = scalar(connection, sql, [id]).optional()?;
    let Some(key) = key else { return Ok(()) };
    connection.execute(
        "DELETE FROM hidden_products WHERE ? BETWEEN first AND last AND NOT EXISTS \
         (SELECT 1 FROM products WHERE key BETWEEN first AND last)",
        [key],
    )?;
    let sql = "UPDATE hidden_products SET last = \
             (SELECT max(key) FROM products WHERE key BETWEEN first AND last) WHERE last = ?";
    run(connection, sql, [key])
}

/// Returns the last row and the size of the next chunk to add.
pub(crate) fn next_rows(connection: &Connection, from: i64, size: i64) -> Result<(i64, i64)> {
    Ok(connection
        .prepare_cached(
            "SELECT coalesce(max(row), 0), count(*) FROM (SELECT row FROM staged \
             WHERE target IS NULL AND row >= ?1 ORDER BY row LIMIT ?2)",
        )?
        .query_row([from, size], |row| Ok((row.get(0)?, row.get(1)?)))?)
}

/// Inserts unmatched rows that satisfy the SQL condition `which`; returns how many.
pub(crate) fn add_rows(transaction: &Connection, which: &str, now: Timestamp) -> Result<u64> {
    let added = transaction.execute(
        &format!(
            "INSERT INTO products (id, {0}, state, clicks, created_at, undrafted_at, updated_at) \
             SELECT id, {0}, {1}, coalesce(clicks, 0), coalesce(created_at, ?1), undrafted_at, \
                 coalesce(updated_at, created_at, ?1) \
             FROM staged WHERE target IS NULL AND {which} ORDER BY row",
            *DETAIL_LIST,
            state_of("staged")
        ),
        [now.as_millisecond()],
    )?;
    Ok(added as u64)
}
