//! Rewrites the stored links of sellers whose tag changed.

use std::collections::{HashSet, VecDeque};
use std::convert::Infallible;
use std::hash::{BuildHasher as _, RandomState};
use std::iter;

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, params};
use serde_json::{Map, Value, json};

use super::{ChangedTag, SellerToRewrite, other_names};
use crate::domain::{Action, LinkRules};
use crate::store::Store;
use crate::store::db::error::{Result, StoreError};
use crate::store::db::rows::{new_id, run, scalar, time_at};
use crate::store::products::activity::ActivityLog;
use crate::store::products::bulk::parts::Room;
use crate::store::products::bulk::undos;
use crate::store::products::columns::SAME_CONTENT;

/// Examples of changed links.
const EXAMPLES: usize = 3;
/// Products read at once for a preview.
const CHUNK: usize = 1_000;

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

/// Links to rewrite.
pub(crate) struct LinksToRewrite {
    pub(crate) rules: LinkRules,
    pub(crate) sellers: Vec<SellerToRewrite>,
    /// Changes that the log's entry has beside the number of links.
    pub(crate) details: Map<String, Value>,
}

/// Makes the first writes of a change and returns what they are and the links to rewrite, or a refusal.
type Begin<T, E> =
    Box<dyn FnOnce(&Connection) -> Result<std::result::Result<(T, LinksToRewrite), E>> + Send>;

impl Store {
    /// Returns what [`Store::clean_links`] would change by these rules.
    pub fn preview_links(&self, rules: LinkRules, sources: &[String]) -> Result<RewrittenLinks> {
        self.read(|connection| {
            let mut walk = LinkWalk::new(rules);
            for source in sources {
                let others = other_names(connection, &walk.rules, source)?;
                for name in iter::once(source).chain(&others) {
                    while !walk.step(connection, name, CHUNK, None)? {}
                }
            }
            Ok(walk.done)
        })
    }

    /// Cleans the links of each seller with a tag; `actor` is logged unless nothing changed.
    pub fn clean_links(&self, actor: String, now: Timestamp) -> Result<RewrittenLinks> {
        let begin = |connection: &Connection| {
            let rules = super::rules(connection)?;
            let sellers = rules.tagged_sellers();
            let sellers = sellers.map(|name| SellerToRewrite::find(connection, &rules, name, None));
            let sellers = sellers.collect::<Result<_>>()?;
            let wanted = LinksToRewrite {
                rules,
                sellers,
                details: Map::new(),
            };
            Ok(Ok(((), wanted)))
        };
        let done = self.rewrite_links(Box::new(begin), actor, now)?;
        Ok(done.map_or_else(|refusal: Infallible| match refusal {}, |((), links)| links))
    }

    /// Makes a change in parts: `begin` in the first one, and then the links. Each seller's links have an
    /// undo of their own, so that a change that is killed leaves no seller between two tags; the undo of a
    /// single seller is returned. Waits for another change in parts.
    pub(crate) fn rewrite_links<T: Send + 'static, E: Send + 'static>(
        &self,
        begin: Begin<T, E>,
        actor: String,
        now: Timestamp,
    ) -> Result<std::result::Result<(T, RewrittenLinks), E>> {
        let rewriting = Rewriting {
            begin: Some(begin),
            begun: None,
            sellers: VecDeque::new(),
            walk: LinkWalk::new(LinkRules::default()),
            details: Map::new(),
            actor,
            now,
        };
        let made = self.make_in_parts(rewriting, rewrite_part, now)?;
        let begun = made.begun.ok_or(StoreError::NotFound)?;
        Ok(begun.map(|begun| (begun, made.walk.done)))
    }
}

/// A change of links that is being made.
struct Rewriting<T, E> {
    /// Begins the change, in the first part.
    begin: Option<Begin<T, E>>,
    /// Result of `begin`.
    begun: Option<std::result::Result<T, E>>,
    /// Sellers whose links are left.
    sellers: VecDeque<Seller>,
    walk: LinkWalk,
    details: Map<String, Value>,
    actor: String,
    now: Timestamp,
}

struct Seller {
    /// Names whose links are left.
    names: VecDeque<String>,
    /// Undo id.
    undo: String,
    has_new_tag: bool,
}

fn rewrite_part<T, E>(
    connection: &Connection,
    rewriting: &mut Rewriting<T, E>,
    room: &mut Room,
) -> Result<bool> {
    let now = rewriting.now;
    if let Some(begin) = rewriting.begin.take() {
        let wanted = match begin(connection)? {
            Ok((begun, wanted)) => {
                rewriting.begun = Some(Ok(begun));
                wanted
            }
            Err(refusal) => {
                rewriting.begun = Some(Err(refusal));
                return Ok(true);
            }
        };
        let is_one = wanted.sellers.len() == 1;
        for wanted in wanted.sellers {
            let seller = begin_seller(connection, wanted, now)?;
            if is_one {
                rewriting.walk.done.undo = Some(seller.undo.clone());
            }
            rewriting.sellers.push_back(seller);
        }
        rewriting.walk.rules = wanted.rules;
        rewriting.details = wanted.details;
    }
    let walk = &mut rewriting.walk;
    while let Some(seller) = rewriting.sellers.front_mut() {
        let key = undos::key_of_open(connection, &seller.undo)?;
        while let Some(name) = seller.names.front() {
            let is_last = walk.step(connection, name, room.left(), Some((key, now)))?;
            if !is_last {
                return Ok(false);
            }
            seller.names.pop_front();
        }
        undos::close(connection, key)?;
        if walk.done.changed == 0 && !seller.has_new_tag {
            walk.done.undo = None;
        }
        rewriting.sellers.pop_front();
    }
    let mut details = std::mem::take(&mut rewriting.details);
    if walk.done.changed > 0 {
        details.insert("links".to_owned(), walk.done.changed.into());
    }
    if !details.is_empty() {
        let mut log = ActivityLog::new(rewriting.actor.as_str(), now);
        log.write(connection, Action::Set, None, details)?;
    }
    Ok(true)
}

fn begin_seller(
    connection: &Connection,
    wanted: SellerToRewrite,
    now: Timestamp,
) -> Result<Seller> {
    let SellerToRewrite {
        name,
        other_names,
        tag,
    } = wanted;
    let undo = new_id();
    let key = undos::begin(connection, &undo, now)?;
    if let Some(ChangedTag { before, after }) = &tag {
        run(
            connection,
            "INSERT INTO undo_tags (undo, source, before, after) VALUES (?, ?, ?, ?)",
            params![key, name, before, after],
        )?;
    }
    Ok(Seller {
        names: [name].into_iter().chain(other_names).collect(),
        undo,
        has_new_tag: tag.is_some(),
    })
}

struct LinkRow {
    key: i64,
    id: String,
    title: String,
    updated_at: Timestamp,
    link: String,
}

/// Goes through the links of sellers, one after the other.
struct LinkWalk {
    rules: LinkRules,
    /// Key of the seller's last product that was read.
    after: i64,
    /// Hashes of links, because a seller may have a hundred thousand.
    seen: HashSet<u64>,
    hasher: RandomState,
    done: RewrittenLinks,
}

impl LinkWalk {
    fn new(rules: LinkRules) -> Self {
        Self {
            rules,
            after: 0,
            seen: HashSet::new(),
            hasher: RandomState::new(),
            done: RewrittenLinks::default(),
        }
    }

    /// Finds the links that the rules change among the seller's next `most` products, and changes them if
    /// there is an undo. Returns true after the last product.
    fn step(
        &mut self,
        connection: &Connection,
        seller: &str,
        most: usize,
        undo: Option<(i64, Timestamp)>,
    ) -> Result<bool> {
        let rows = rows_of(connection, seller, self.after, most)?;
        let is_last = rows.len() < most;
        self.after = match rows.last() {
            Some(last) if !is_last => last.key,
            _ => 0,
        };
        let done = &mut self.done;
        for row in rows {
            done.products += 1;
            let tagged = self.rules.tagged(seller, &row.link);
            let next = tagged.map(|tagged| tagged.link);
            let next = next.filter(|next| *next != row.link);
            let link = next.as_ref().unwrap_or(&row.link);
            let is_new = self.seen.insert(self.hasher.hash_one((seller, link)));
            done.equal += u64::from(!is_new);
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
        Ok(is_last)
    }
}

fn rows_of(connection: &Connection, source: &str, after: i64, most: usize) -> Result<Vec<LinkRow>> {
    let mut statement = connection.prepare_cached(
        "SELECT key, id, title, updated_at, affiliate_link FROM listed_products \
         WHERE source = ? AND key > ? ORDER BY key LIMIT ?",
    )?;
    let rows = statement.query_map(params![source, after, most], |row| {
        Ok(LinkRow {
            key: row.get(0)?,
            id: row.get(1)?,
            title: row.get(2)?,
            updated_at: time_at(row, 3)?,
            link: row.get(4)?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn change(
    connection: &Connection,
    undo: i64,
    row: &LinkRow,
    next: &str,
    now: Timestamp,
) -> Result<()> {
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
        &format!(
            "UPDATE products SET affiliate_link = ?, content_at = {SAME_CONTENT}, updated_at = ? \
             WHERE key = ?"
        ),
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
        .prepare_cached(&format!(
            "UPDATE products SET affiliate_link = old.link, content_at = {SAME_CONTENT}, \
                 updated_at = max(?3, products.updated_at + 1) \
             FROM undo_links AS old WHERE old.undo = ?1 AND old.product <= ?2 \
                 AND products.key = old.product AND products.id = old.id \
                 AND products.updated_at = old.version",
        ))?
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
            super::save_shop(connection, &shop)?;
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
