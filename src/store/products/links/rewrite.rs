//! Rewrites the stored links of sellers whose tag changed.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, params};
use serde_json::{Map, json};

use crate::domain::{Action, LinkRules};
use crate::store::Store;
use crate::store::db::error::{Result, StoreError};
use crate::store::db::pending::Pending;
use crate::store::db::rows::{new_id, run, scalar, time_at};
use crate::store::products::activity::ActivityLog;
use crate::store::products::bulk::undos;

/// Examples of changed links.
const EXAMPLES: usize = 3;
/// Products read at once.
const CHUNK: i64 = 1_000;

/// A change of stored links.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RewrittenLinks {
    /// Products of the sellers.
    pub products: u64,
    /// Products whose link changes.
    pub changed: u64,
    /// Products that have the same link as another one of the seller afterwards.
    pub equal: u64,
    /// The first changed links.
    pub examples: Vec<LinkExample>,
    /// Undo id, if links were changed.
    pub undo: Option<String>,
}

/// A link before and after a change.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct LinkExample {
    pub title: String,
    pub from: String,
    pub to: String,
}

/// A seller's tag, for the undo of its change.
pub(crate) struct ChangedTag {
    pub(crate) source: String,
    pub(crate) before: String,
    pub(crate) after: String,
}

impl Store {
    /// Returns what [`Store::clean_links`] would change by these rules.
    pub fn preview_links(&self, rules: &LinkRules, sources: &[String]) -> Result<RewrittenLinks> {
        self.read(|connection| rewrite(connection, rules, sources, None))
    }

    /// Cleans the links of each seller with a tag; `actor` is logged unless nothing changed.
    pub fn clean_links(&self, actor: String, now: Timestamp) -> Pending<RewrittenLinks> {
        self.write(move |connection| {
            let rules = super::rules(connection)?;
            let sources: Vec<String> = rules.tagged_sellers().map(str::to_owned).collect();
            let done = rewrite_with_undo(connection, &rules, &sources, None, now)?;
            if done.changed > 0 {
                let details = Map::from_iter([("links".to_owned(), done.changed.into())]);
                ActivityLog::new(&actor, now).write(connection, Action::Set, None, details)?;
            }
            Ok(done)
        })
    }
}

/// Rewrites the links of these sellers, so that it can be undone together with the tag.
pub(crate) fn rewrite_with_undo(
    connection: &Connection,
    rules: &LinkRules,
    sources: &[String],
    tag: Option<&ChangedTag>,
    now: Timestamp,
) -> Result<RewrittenLinks> {
    let id = new_id();
    let key = undos::begin(connection, &id, now)?;
    if let Some(ChangedTag {
        source,
        before,
        after,
    }) = tag
    {
        run(
            connection,
            "INSERT INTO undo_tags (undo, source, before, after) VALUES (?, ?, ?, ?)",
            params![key, source, before, after],
        )?;
    }
    let done = rewrite(connection, rules, sources, Some((key, now)))?;
    if done.changed == 0 && tag.is_none() {
        undos::end(connection, key)?;
        return Ok(done);
    }
    undos::close(connection, key)?;
    Ok(RewrittenLinks {
        undo: Some(id),
        ..done
    })
}

struct Row {
    key: i64,
    id: String,
    title: String,
    updated_at: Timestamp,
    link: String,
}

/// Finds the links that the rules change, and changes them if there is an undo.
fn rewrite(
    connection: &Connection,
    rules: &LinkRules,
    sources: &[String],
    undo: Option<(i64, Timestamp)>,
) -> Result<RewrittenLinks> {
    let mut done = RewrittenLinks::default();
    let hasher = RandomState::new();
    // Hashes, because a seller may have a hundred thousand links.
    let mut seen = HashSet::new();
    for source in sources {
        let mut after = 0;
        loop {
            let rows = rows_of(connection, source, after)?;
            let Some(last) = rows.last() else { break };
            after = last.key;
            for row in rows {
                done.products += 1;
                let tagged = rules.tagged(source, &row.link).map(|tagged| tagged.link);
                let next = tagged.filter(|next| *next != row.link);
                let link = next.as_ref().unwrap_or(&row.link);
                done.equal += u64::from(!seen.insert(hasher.hash_one((source, link))));
                let Some(next) = next else { continue };
                done.changed += 1;
                if let Some((undo, now)) = undo {
                    change(connection, undo, &row, &next, now)?;
                }
                if done.examples.len() < EXAMPLES {
                    done.examples.push(LinkExample {
                        title: row.title,
                        from: row.link,
                        to: next,
                    });
                }
            }
        }
    }
    Ok(done)
}

fn rows_of(connection: &Connection, source: &str, after: i64) -> Result<Vec<Row>> {
    let mut statement = connection.prepare_cached(
        "SELECT key, id, title, updated_at, affiliate_link FROM listed_products \
         WHERE source = ? AND key > ? ORDER BY key LIMIT ?",
    )?;
    let rows = statement.query_map(params![source, after, CHUNK], |row| {
        Ok(Row {
            key: row.get(0)?,
            id: row.get(1)?,
            title: row.get(2)?,
            updated_at: time_at(row, 3)?,
            link: row.get(4)?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn change(connection: &Connection, undo: i64, row: &Row, next: &str, now: Timestamp) -> Result<()> {
    let seen = row.updated_at.as_millisecond();
    let version = now.as_millisecond().max(seen + 1);
    run(
        connection,
        "INSERT INTO undo_links (undo, product, id, version, link) VALUES (?, ?, ?, ?, ?)",
        params![undo, row.key, row.id, version, row.link],
    )?;
    // A new link is no price check.
    run(
        connection,
        "INSERT OR IGNORE INTO price_checks (product, at) VALUES (?, ?)",
        [row.key, seen],
    )?;
    run(
        connection,
        "UPDATE products SET affiliate_link = ?, updated_at = ? WHERE key = ?",
        params![next, version, row.key],
    )
}

/// Restores the next links of an undone change, except of products that were changed since; returns how
/// many, or `None` if none is left.
pub(crate) fn restore_links(
    connection: &Connection,
    undo: i64,
    most: usize,
    now: Timestamp,
) -> Result<Option<u64>> {
    let sql = "SELECT max(product) FROM \
        (SELECT product FROM undo_links WHERE undo = ? ORDER BY product LIMIT ?)";
    let Some(last) = scalar::<Option<i64>>(connection, sql, params![undo, most])? else {
        return Ok(None);
    };
    let restored = connection
        .prepare_cached(
            "UPDATE products SET affiliate_link = old.link, \
                 updated_at = max(?3, products.updated_at + 1) \
             FROM undo_links AS old WHERE old.undo = ?1 AND old.product <= ?2 \
                 AND products.key = old.product AND products.id = old.id \
                 AND products.updated_at = old.version",
        )?
        .execute([undo, last, now.as_millisecond()])?;
    let sql = "DELETE FROM undo_links WHERE undo = ? AND product <= ?";
    run(connection, sql, [undo, last])?;
    Ok(Some(restored as u64))
}

/// Restores the tag of an undone change whose links were restored, and logs both.
pub(crate) fn restore_tag(
    connection: &Connection,
    undo: i64,
    links: u64,
    activity: &mut ActivityLog<'_>,
) -> Result<()> {
    let mut details = Map::new();
    let tag: Option<(String, String, String)> = connection
        .prepare_cached("SELECT source, before, after FROM undo_tags WHERE undo = ?")?
        .query_row([undo], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .optional()?;
    if let Some((source, before, after)) = tag {
        let mut shop = super::shop(connection)?;
        // Somebody may have changed it again.
        if shop.tags.get(&source).map_or("", String::as_str) == after {
            if before.is_empty() {
                shop.tags.remove(&source);
            } else {
                shop.tags.insert(source.clone(), before.clone());
            }
            let shop = serde_json::to_string(&shop)
                .map_err(|error| StoreError::Other(error.to_string()))?;
            let sql = "UPDATE settings SET version = version + 1, shop = ?";
            connection.execute(sql, [shop])?;
            let change = json!({"from": after, "to": before});
            details.insert(format!("tag.{source}"), change);
        }
    }
    if links > 0 {
        details.insert("links".to_owned(), links.into());
    }
    if !details.is_empty() {
        activity.write(connection, Action::Set, None, details)?;
    }
    Ok(())
}
