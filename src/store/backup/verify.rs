//! Checks a whole database: integrity, and the consistency of derived data.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;
use std::thread;

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension};

use super::contents::Contents;
use crate::domain::{ClickKind, Programme, is_picture_address, is_web_address};
use crate::store::clicks::sums::for_each_sum;
use crate::store::db::rows::{column, scalar, time_at};
use crate::store::db::{open, schema};
use crate::store::products::hidden::hidden;
use crate::store::search::{rebuild, terms};
use crate::store::settings;
use crate::store::{OpenError, StoreError};

/// Result of one check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Name of the check.
    pub subject: &'static str,
    /// The verified fact, or the fault.
    pub outcome: Result<String, String>,
}

impl Finding {
    fn new(subject: &'static str, outcome: VerifyOutcome) -> Self {
        let outcome = outcome.unwrap_or_else(|error| Err(error.to_string()));
        Self { subject, outcome }
    }
}

/// Checks a snapshot of the database at `path`, which may be in use. Reads every page, and every
/// word of every product.
///
/// # Errors
///
/// [`OpenError`] if this program cannot read it.
pub fn verify(path: &Path) -> Result<(Option<Contents>, Vec<Finding>), OpenError> {
    let connection = open::for_reading(path)?;
    let fail = |error: rusqlite::Error| OpenError::from_sqlite(path, &error);
    connection.execute_batch("BEGIN").map_err(fail)?;
    Ok(check(&connection))
}

/// Like [`verify`], within an open transaction.
pub(crate) fn check(connection: &Connection) -> (Option<Contents>, Vec<Finding>) {
    let pages = Finding::new(PAGES, integrity(connection));
    let (contents, mut findings) = check_contents(connection);
    findings.insert(0, pages);
    (contents, findings)
}

/// Like [`check`], with another connection for the pages, which take half of the time.
pub(crate) fn check_on_two_threads(
    connection: &Connection,
    other: Connection,
) -> (Option<Contents>, Vec<Finding>) {
    thread::scope(|scope| {
        let pages = scope.spawn(move || Finding::new(PAGES, integrity(&other)));
        let (contents, mut findings) = check_contents(connection);
        let panicked = |_| Finding {
            subject: PAGES,
            outcome: Err("the check panicked".to_owned()),
        };
        findings.insert(0, pages.join().unwrap_or_else(panicked));
        (contents, findings)
    })
}

const PAGES: &str = "integrity";

fn check_contents(connection: &Connection) -> (Option<Contents>, Vec<Finding>) {
    let mut findings = vec![
        Finding::new("foreign keys", foreign_keys(connection)),
        Finding::new("links", links(connection)),
    ];
    let contents = Contents::read(connection);
    if let Ok(contents) = &contents
        && contents.schema == schema::newest()
    {
        findings.push(Finding::new("clicks", clicks(connection)));
        findings.push(Finding::new(COUNTS, compare_counts(connection)));
        findings.push(Finding::new(INDEX, index(connection)));
    }
    (contents.ok(), findings)
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

type VerifyOutcome = Result<Result<String, String>, StoreError>;

fn integrity(connection: &Connection) -> VerifyOutcome {
    let found: Vec<String> = column(connection, "PRAGMA integrity_check(3)", [])?;
    if found != ["ok"] {
        return Ok(Err(one_line(&found.join("; "))));
    }
    let pages: i64 = connection.pragma_query_value(None, "page_count", |row| row.get(0))?;
    Ok(Ok(format!("all {pages} pages are sound")))
}

fn foreign_keys(connection: &Connection) -> VerifyOutcome {
    let broken: Option<String> = scalar(connection, "PRAGMA foreign_key_check", []).optional()?;
    Ok(match broken {
        None => Ok("every reference is valid".to_owned()),
        Some(table) => Err(format!("a row of {table} has an invalid reference")),
    })
}

/// Compares each product's click counts with its sums.
fn clicks(connection: &Connection) -> VerifyOutcome {
    let mut sums: HashMap<i64, (u64, u64)> = HashMap::new();
    for_each_sum(connection, |kind, clicks| {
        let (explained, counted) = sums.entry(kind.product()).or_default();
        *explained += clicks;
        *counted += if kind.is_counted() { clicks } else { 0 };
    })?;
    // Sums beyond the limits are kept without their products.
    let beyond = sums.remove(&ClickKind::OTHER_DEALS).unwrap_or_default();
    let mut missing = (0, 0);
    let mut statement = connection.prepare(
        "SELECT number, id, classified, counted FROM clicked_products WHERE number <> ?",
    )?;
    let mut rows = statement.query([ClickKind::OTHER_DEALS])?;
    while let Some(row) = rows.next()? {
        let (explained, counted): (u64, u64) = (row.get(2)?, row.get(3)?);
        let of_sums = sums.remove(&row.get(0)?).unwrap_or_default();
        missing.0 += explained.saturating_sub(of_sums.0);
        missing.1 += counted.saturating_sub(of_sums.1);
        let has_more = of_sums.0 > explained || of_sums.1 > counted;
        if has_more || missing.0 > beyond.0 || missing.1 > beyond.1 {
            let id: String = row.get(1)?;
            return Ok(Err(format!(
                "the clicks of product {id} differ from its daily sums"
            )));
        }
    }
    if !sums.is_empty() || missing != beyond {
        return Ok(Err("clicks of an unknown product are counted".to_owned()));
    }
    let (explained, counted): (i64, i64) = connection.query_row(
        "SELECT coalesce(sum(classified), 0), coalesce(sum(counted), 0) FROM clicked_products",
        [],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    let left_out = explained - counted;
    Ok(Ok(format!(
        "{explained} are classified: {counted} counted and {left_out} not counted"
    )))
}

/// Describes violations of sellers' programmes by the display rules.
///
/// # Errors
///
/// [`OpenError`] if this program cannot read it.
pub fn forbidden_by_programmes(path: &Path) -> Result<Vec<String>, OpenError> {
    let connection = open::for_reading(path)?;
    let shown = forbidden(&connection);
    shown.map_err(|error| OpenError::other(path, &error))
}

/// Returns the stored time of this name ([`crate::store::Store::note_trial`]).
///
/// # Errors
///
/// [`OpenError`] if this program cannot read the database.
pub fn trial_of(path: &Path, name: &str) -> Result<Option<Timestamp>, OpenError> {
    let connection = open::for_reading(path)?;
    let sql = "SELECT passed_at FROM setup_checks WHERE name = ?";
    let found = connection.query_row(sql, [name], |row| time_at(row, 0));
    let found = found.optional().map_err(StoreError::from);
    found.map_err(|error| OpenError::other(path, &error))
}

fn forbidden(connection: &Connection) -> Result<Vec<String>, StoreError> {
    let chosen = settings::read(connection)?.shop.sources;
    let mut statement = connection
        .prepare("SELECT source, sum(products) FROM product_source_counts GROUP BY source")?;
    let counts = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let mut violations = Vec::new();
    for count in counts {
        let (source, products): (String, i64) = count?;
        let rules = chosen.get(&source).cloned().unwrap_or_default();
        let shown = Programme::for_seller(&source).map_or_else(Vec::new, |it| it.forbidden(&rules));
        if !shown.is_empty() {
            violations.push(format!(
                "{products} deals of {source} show {}",
                shown.join(" and ")
            ));
        }
    }
    Ok(violations)
}

/// Validates every link and picture.
fn links(connection: &Connection) -> VerifyOutcome {
    let mut statement =
        connection.prepare("SELECT id, affiliate_link, images FROM listed_products")?;
    let mut rows = statement.query([])?;
    let mut products = 0_u64;
    while let Some(row) = rows.next()? {
        let (link, images) = (row.get_ref(1)?.as_str(), row.get_ref(2)?.as_str());
        let is_link = link.is_ok_and(is_web_address);
        let images = images.ok().and_then(|images| {
            let images: Vec<Cow<'_, str>> = serde_json::from_str(images).ok()?;
            Some(images)
        });
        if !is_link || !images.is_some_and(|all| all.iter().all(|image| is_picture_address(image)))
        {
            let id: String = row.get(0)?;
            return Ok(Err(format!(
                "the product {id} has a link or a picture that is no http(s) address: change or delete it"
            )));
        }
        products += 1;
    }
    Ok(Ok(format!("all of {products} products are http or https")))
}

/// True for checks of data that is derived from the products.
pub fn is_derived(subject: &str) -> bool {
    matches!(subject, COUNTS | INDEX)
}

/// Rebuilds the counts and the full-text index.
pub(crate) fn rebuild_derived(connection: &Connection) -> Result<(), StoreError> {
    connection.execute_batch(
        "DELETE FROM product_source_counts; \
         INSERT INTO product_source_counts (source, category, products) \
         SELECT source, category, count(*) FROM live_products GROUP BY source, category; \
         UPDATE product_counts SET products = (SELECT coalesce(sum(products), 0) \
         FROM product_source_counts AS kept \
         WHERE product_counts.category IN ('all', kept.category))",
    )?;
    rebuild::rebuild(connection)?;
    Ok(())
}

const COUNTS: &str = "counts";
const INDEX: &str = "full-text index";

/// Compares the stored counts with the products.
fn compare_counts(connection: &Connection) -> VerifyOutcome {
    let wrong: i64 = connection.query_row(
        "WITH real AS (SELECT source, category, count(*) AS products FROM live_products \
                           GROUP BY source, category), \
                  kept AS (SELECT source, category, products FROM product_source_counts), \
                  whole AS (SELECT category, sum(products) AS products FROM real GROUP BY category \
                            UNION ALL SELECT 'all', coalesce(sum(products), 0) FROM real) \
             SELECT (SELECT count(*) FROM (SELECT * FROM real EXCEPT SELECT * FROM kept)) \
                  + (SELECT count(*) FROM (SELECT * FROM kept EXCEPT SELECT * FROM real)) \
                  + (SELECT count(*) FROM product_counts LEFT JOIN whole USING (category) \
                     WHERE product_counts.products <> coalesce(whole.products, 0))",
        [],
        |row| row.get(0),
    )?;
    Ok(if wrong == 0 {
        Ok("agree with the products".to_owned())
    } else {
        Err(format!("{wrong} counts of products are wrong"))
    })
}

/// Compares the full-text index with the products' words.
fn index(connection: &Connection) -> VerifyOutcome {
    let version = rebuild::version(connection)?;
    if version != terms::VERSION {
        return Ok(Err(format!(
            "was made with version {version} of the rules for words, and this program has \
             version {}: `deals reindex` or the next start of the server makes it again",
            terms::VERSION
        )));
    }
    Ok(match rebuild::check(connection, &hidden(connection)?)? {
        Ok(lists) => Ok(format!(
            "in step with the products, {lists} posting lists, version {version} of the rules for words"
        )),
        Err(wrong) => Err(format!(
            "{wrong} posting lists are not as the products' words say: `deals reindex` makes them again"
        )),
    })
}
