//! Contents of an archive besides products, published with them.

use jiff::Timestamp;
use rusqlite::{Connection, params};

use crate::domain::{ArchivedCategory, ArchivedShop, NewPicture};
use crate::store::categories::add_archived;
use crate::store::db::error::{Result, StoreError};
use crate::store::db::open::begin;
use crate::store::db::rows::{run, scalar};
use crate::store::db::wal::WalLimit;
use crate::store::products::seller_offers;
use crate::store::{collections, mappings, pictures, settings};

/// Additions with the products.
#[derive(Default)]
pub(crate) struct Archived {
    pub(crate) categories: Vec<ArchivedCategory>,
    pub(crate) shop: ArchivedShop,
}

/// Pictures of one transaction, about 5 MB.
const PICTURES: i64 = 50;

pub(crate) fn create(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(
        "CREATE TEMP TABLE staged_pictures (
             hash TEXT, side INTEGER, width INTEGER, height INTEGER, webp BLOB,
             PRIMARY KEY (hash, side)
         );
         CREATE INDEX temp.staged_by_new_category ON staged (category) WHERE category GLOB '+*'",
    )
}

pub(crate) fn stage_picture(connection: &Connection, picture: &NewPicture) -> Result<()> {
    let NewPicture { name, files } = picture;
    for (side, webp) in files {
        let sql = "INSERT INTO staged_pictures VALUES (?, ?, ?, ?, ?)";
        let values = params![name.hash, side, name.width, name.height, webp];
        run(connection, sql, values)?;
    }
    Ok(())
}

/// Adds the staged pictures in short transactions. If the import fails after it, they are deleted as unused ones.
pub(crate) fn add_pictures(
    connection: &Connection,
    wal: &mut WalLimit,
    now: Timestamp,
) -> Result<()> {
    let sql = "SELECT coalesce(sum(length(webp)), 0) FROM staged_pictures \
               WHERE hash NOT IN (SELECT hash FROM pictures)";
    pictures::check_room(connection, scalar(connection, sql, [])?)?;
    let mut after = String::new();
    loop {
        let sql = "SELECT max(hash) FROM (SELECT DISTINCT hash FROM staged_pictures WHERE hash > ? \
                   ORDER BY hash LIMIT ?)";
        let last: Option<String> = scalar(connection, sql, params![after, PICTURES])?;
        let Some(last) = last else { return Ok(()) };
        let transaction = begin(connection)?;
        run(
            &transaction,
            "INSERT INTO pictures (hash, width, height, bytes, used_at) \
             SELECT hash, max(width), max(height), sum(length(webp)), ?3 FROM staged_pictures \
             WHERE hash > ?1 AND hash <= ?2 GROUP BY hash \
             ON CONFLICT DO UPDATE SET used_at = max(used_at, ?3)",
            params![after, last, now.as_millisecond()],
        )?;
        run(
            &transaction,
            "INSERT OR IGNORE INTO picture_files (hash, side, webp) \
             SELECT hash, side, webp FROM staged_pictures WHERE hash > ? AND hash <= ?",
            params![after, last],
        )?;
        transaction.commit()?;
        wal.let_others_in(connection);
        after = last;
    }
}

/// Fails if a category of the staged rows was removed since they were read.
pub(crate) fn check_categories(connection: &Connection) -> Result<()> {
    let sql = "SELECT EXISTS (SELECT 1 FROM staged WHERE category NOT GLOB '+*' \
               AND category NOT IN (SELECT key FROM categories))";
    if scalar(connection, sql, [])? {
        let message = "a category of the file was removed meanwhile: import it again";
        return Err(StoreError::Busy(message.to_owned()));
    }
    Ok(())
}

/// Adds the categories that are missing, and has the staged rows refer to them.
pub(crate) fn add_categories(
    connection: &Connection,
    archived: &[ArchivedCategory],
    actor: &str,
    now: Timestamp,
) -> Result<()> {
    for (new, stored) in add_archived(connection, archived, actor, now)? {
        let sql = "UPDATE staged SET category = ?2 WHERE category = ?1 AND category GLOB '+*'";
        run(connection, sql, params![new, stored])?;
    }
    Ok(())
}

/// Adds collections, offers of sellers, settings and mappings, after the products.
pub(crate) fn add_shop(
    connection: &Connection,
    archived: &ArchivedShop,
    was_empty: bool,
    actor: &str,
    now: Timestamp,
) -> Result<()> {
    collections::add_archived(connection, &archived.collections, actor, now)?;
    seller_offers::add_archived(connection, &archived.offers, actor, now)?;
    settings::set_archived(connection, archived, was_empty, actor, now)?;
    mappings::add_archived(connection, &archived.mappings, now)
}
