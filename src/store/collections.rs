//! Collections of deals, and their start and end.

use jiff::Timestamp;
use rusqlite::{Connection, params};
use serde_json::Value;

use super::Store;
use super::db::error::{ChangeError, Result};
use super::db::pending::Pending;
use super::db::rows::{optional_time_at, run, scalar};
use super::pictures::{PICTURE_GONE, note_picture};
use super::products::activity::{SERVER, log_change};
use crate::domain::{Collection, CollectionRequest, FieldError};

const MISSING: ChangeError = ChangeError::Missing("There is no such collection.");
const CHANGED: ChangeError =
    ChangeError::Changed("Somebody else changed this collection meanwhile. Look at it again.");

type Changed = std::result::Result<Collection, ChangeError>;

const HAS_PRODUCT: &str = "SELECT EXISTS (SELECT 1 FROM listed_products WHERE id = ?)";

/// Collections that start or end, so that `is_running` is out of date.
const UNSETTLED: &str =
    "is_running <> (coalesce(starts_at, 0) <= ?1 AND coalesce(ends_at > ?1, 1))";

impl Store {
    /// Returns all collections by name.
    pub fn collections(&self) -> Result<Vec<Collection>> {
        self.read(read)
    }

    /// Returns values that differ after each change of collections.
    pub fn collections_version(&self) -> Result<(i64, i64)> {
        self.read(|connection| {
            let sql = "SELECT count(*), coalesce(sum(version), 0) FROM collections";
            let mut statement = connection.prepare_cached(sql)?;
            Ok(statement.query_row([], |row| Ok((row.get(0)?, row.get(1)?)))?)
        })
    }

    /// Adds a collection, or changes the one of `slug`; `actor` is logged.
    pub fn set_collection(
        &self,
        slug: Option<String>,
        request: CollectionRequest,
        actor: String,
        now: Timestamp,
    ) -> Pending<Changed> {
        self.write(move |connection| {
            let all = read(connection)?;
            let current = match &slug {
                None => None,
                Some(slug) => match all.iter().find(|it| it.slug == *slug) {
                    None => return Ok(Err(MISSING)),
                    found => found,
                },
            };
            if let (Some(current), Some(seen)) = (current, request.version)
                && current.version != seen
            {
                return Ok(Err(CHANGED));
            }
            let read = request.read(&all, current, now);
            let checked = read.and_then(|new| match problem(connection, &new, current, now) {
                Ok(None) => Ok(Ok(new)),
                Ok(Some(error)) => Err(vec![error]),
                Err(error) => Ok(Err(error)),
            });
            let new = match checked {
                Ok(new) => new?,
                Err(errors) => return Ok(Err(ChangeError::Invalid(errors))),
            };
            write(connection, &new, slug.as_deref())?;
            let before = current.map(Collection::describe).unwrap_or_default();
            log(
                connection,
                (&actor, now),
                &new.name,
                &before,
                &new.describe(),
            )?;
            Ok(Ok(new))
        })
    }

    /// Deletes a collection; `actor` is logged.
    pub fn remove_collection(
        &self,
        slug: String,
        actor: String,
        now: Timestamp,
    ) -> Pending<Changed> {
        self.write(move |connection| {
            let all = read(connection)?;
            let Some(current) = all.into_iter().find(|it| it.slug == slug) else {
                return Ok(Err(MISSING));
            };
            run(
                connection,
                "DELETE FROM collections WHERE slug = ?",
                [&slug],
            )?;
            let before = current.describe();
            log(connection, (&actor, now), &current.name, &before, "")?;
            Ok(Ok(current))
        })
    }

    /// Starts and ends the collections that are due; returns how many.
    pub fn settle_collections(&self, now: Timestamp) -> Result<usize> {
        let at = now.as_millisecond();
        let sql = format!("SELECT EXISTS (SELECT 1 FROM collections WHERE {UNSETTLED})");
        if !self.read(|connection| Ok(scalar(connection, &sql, [at])?))? {
            return Ok(0);
        }
        let settled = self.write(move |connection| {
            let due: Vec<Collection> = read(connection)?
                .into_iter()
                .filter(|it| it.is_running != it.runs(now))
                .collect();
            let sql = format!(
                "UPDATE collections SET is_running = NOT is_running, version = max(version + 1, ?1) \
                 WHERE {UNSETTLED}"
            );
            run(connection, &sql, [at])?;
            for collection in &due {
                let word = |runs| if runs { "shown" } else { "not shown" };
                let (from, to) = (word(collection.is_running), word(!collection.is_running));
                log(connection, (SERVER, now), &collection.name, from, to)?;
            }
            Ok(due.len())
        });
        settled.wait()
    }
}

/// Reads all collections by name.
fn read(connection: &Connection) -> Result<Vec<Collection>> {
    let mut statement =
        connection.prepare_cached("SELECT * FROM collections ORDER BY name, key")?;
    let rows = statement.query_map([], |row| {
        let products: String = row.get("products")?;
        Ok(Collection {
            slug: row.get("slug")?,
            name: row.get("name")?,
            text: row.get("text")?,
            picture: row.get("picture")?,
            rule: row.get("rule")?,
            products: serde_json::from_str(&products).unwrap_or_default(),
            starts_at: optional_time_at(row, "starts_at")?,
            ends_at: optional_time_at(row, "ends_at")?,
            on_home: row.get("on_home")?,
            in_menu: row.get("in_menu")?,
            is_running: row.get("is_running")?,
            version: row.get("version")?,
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Adds the collections of an archive whose names and addresses are free, with those of their deals that the shop
/// has.
pub(crate) fn add_archived(
    connection: &Connection,
    archived: &[CollectionRequest],
    actor: &str,
    now: Timestamp,
) -> Result<()> {
    for it in archived {
        let mut request = it.clone();
        let mut there = Vec::new();
        for id in request.products.take().unwrap_or_default() {
            if scalar(connection, HAS_PRODUCT, [&id])? {
                there.push(id);
            }
        }
        request.products = Some(there);
        let Ok(mut new) = request.read(&read(connection)?, None, now) else {
            continue;
        };
        if problem(connection, &new, None, now)?.is_some() {
            new.picture.clear();
        }
        write(connection, &new, None)?;
        log(connection, (actor, now), &new.name, "", &new.describe())?;
    }
    Ok(())
}

/// Returns the error in a collection's products or picture.
fn problem(
    connection: &Connection,
    new: &Collection,
    current: Option<&Collection>,
    now: Timestamp,
) -> Result<Option<FieldError>> {
    let before: &[String] = current.map_or(&[], |it| &it.products);
    for id in new.products.iter().filter(|id| !before.contains(id)) {
        if !scalar::<bool>(connection, HAS_PRODUCT, [id])? {
            let message = format!("There is no product {id}.");
            return Ok(Some(FieldError::new("products", message)));
        }
    }
    let former = current.map(|it| it.picture.clone()).unwrap_or_default();
    let is_there = note_picture(connection, &new.picture, &[former], now)?;
    Ok((!is_there).then(|| FieldError::new("picture", PICTURE_GONE)))
}

fn write(connection: &Connection, new: &Collection, slug: Option<&str>) -> Result<()> {
    const COLUMNS: &str = "slug, name, text, picture, rule, products, starts_at, ends_at, on_home, \
         in_menu, is_running, version";
    const VALUES: &str = "?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12";
    // Of no row without a former slug, which is null then.
    let update = format!("UPDATE collections SET ({COLUMNS}) = ({VALUES}) WHERE slug = ?13");
    let insert = format!("INSERT INTO collections ({COLUMNS}) SELECT {VALUES} WHERE ?13 IS NULL");
    let milliseconds = |at: Option<Timestamp>| at.map(Timestamp::as_millisecond);
    for sql in [update, insert] {
        let values = params![
            new.slug,
            new.name,
            new.text,
            new.picture,
            new.rule,
            Value::from(new.products.clone()).to_string(),
            milliseconds(new.starts_at),
            milliseconds(new.ends_at),
            new.on_home,
            new.in_menu,
            new.is_running,
            new.version,
            slug,
        ];
        connection.prepare_cached(&sql)?.execute(values)?;
    }
    Ok(())
}

fn log(
    connection: &Connection,
    by: (&str, Timestamp),
    name: &str,
    from: &str,
    to: &str,
) -> Result<()> {
    log_change(connection, by, format!("collection.{name}"), from, to)
}
