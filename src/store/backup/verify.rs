//! Looking through a whole database: is every page sound, and does what is kept in step
//! with the products agree with them?

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;

use rusqlite::{Connection, OptionalExtension};

use super::Contents;
use crate::domain::{is_picture_address, is_web_address};
use crate::store::db::{open, schema};
use crate::store::list::snapshot::{VISIBLE, hidden};
use crate::store::search::changes::{chunks_of_products, index_chunk, rebuild};
use crate::store::search::key_set::{Chunk, keys_of, place};
use crate::store::search::writer::{Indexing, chunk_count, posting_place};
use crate::store::{OpenError, StoreError};

/// What one look showed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What was looked at, in a word or two.
    pub subject: &'static str,
    /// What was found to be so, or what is wrong.
    pub outcome: Result<String, String>,
}

impl Finding {
    fn of(subject: &'static str, looked: Result<Result<String, String>, StoreError>) -> Self {
        let outcome = looked.unwrap_or_else(|error| Err(error.to_string()));
        Self { subject, outcome }
    }
}

/// Looks through the database at `path`, which may be in use, as it is at one moment.
/// Reads every page, and every word of every product.
///
/// # Errors
///
/// [`OpenError`] when it is no database that this program can read.
pub fn verify(path: &Path) -> Result<(Option<Contents>, Vec<Finding>), OpenError> {
    let connection = open::for_reading(path)?;
    let fail = |error: rusqlite::Error| OpenError::from_sqlite(path, &error);
    // Temporary tables are written to.
    connection
        .pragma_update(None, "query_only", false)
        .and_then(|()| connection.execute_batch("BEGIN"))
        .map_err(fail)?;
    Ok(look_through(&connection))
}

/// As [`verify`], on a connection that holds a transaction.
pub(crate) fn look_through(connection: &Connection) -> (Option<Contents>, Vec<Finding>) {
    let mut findings = vec![
        Finding::of("integrity", integrity(connection)),
        Finding::of("foreign keys", foreign_keys(connection)),
        Finding::of("links", links(connection)),
    ];
    let contents = Contents::of(connection);
    if let Ok(contents) = &contents
        && usize::try_from(contents.schema).is_ok_and(|version| version == schema::NEWEST)
    {
        findings.push(Finding::of(COUNTS, counts(connection)));
        findings.push(Finding::of(INDEX, index(connection)));
    }
    (contents.ok(), findings)
}

/// Looks at the pages of the database at `path`, quickly: some seconds for each GB.
///
/// # Errors
///
/// [`OpenError::Damaged`], or why it can't be looked at.
pub fn find_damage(path: &Path) -> Result<(), OpenError> {
    let connection = open::for_reading(path)?;
    let found = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get::<_, String>(0));
    match found {
        Ok(found) if found == "ok" => Ok(()),
        Ok(found) => Err(OpenError::damaged(path, one_line(&found))),
        Err(error) => Err(OpenError::from_sqlite(path, &error)),
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

type Looked = Result<Result<String, String>, StoreError>;

fn integrity(connection: &Connection) -> Looked {
    let mut statement = connection.prepare("PRAGMA integrity_check(3)")?;
    let found: Vec<String> = statement
        .query_map([], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    if found != ["ok"] {
        return Ok(Err(one_line(&found.join("; "))));
    }
    let pages: i64 = connection.pragma_query_value(None, "page_count", |row| row.get(0))?;
    Ok(Ok(format!("all {pages} pages are sound")))
}

fn foreign_keys(connection: &Connection) -> Looked {
    let mut statement = connection.prepare("PRAGMA foreign_key_check")?;
    let broken: Option<String> = statement.query_row([], |row| row.get(0)).optional()?;
    Ok(match broken {
        None => Ok("every row's owner is there".to_owned()),
        Some(table) => Err(format!("a row of {table} belongs to nothing")),
    })
}

/// Whether every link and picture is one that may be stored: pages lead there.
fn links(connection: &Connection) -> Looked {
    let mut statement = connection.prepare("SELECT id, affiliate_link, images FROM products")?;
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
    Ok(Ok(format!(
        "those of {products} products are http or https"
    )))
}

/// Whether what was looked at is made of the products.
pub fn is_derived(subject: &str) -> bool {
    matches!(subject, COUNTS | INDEX)
}

/// Makes everything anew that is made of the products.
///
/// # Errors
///
/// [`StoreError`] when the database refuses; the transaction must be undone.
pub(crate) fn make_derived_anew(connection: &Connection) -> Result<(), StoreError> {
    connection.execute_batch(&format!(
        "DELETE FROM product_source_counts; \
         INSERT INTO product_source_counts (source, category, products) \
         SELECT source, category, count(*) FROM products WHERE {VISIBLE} GROUP BY source, category; \
         UPDATE product_counts SET products = (SELECT coalesce(sum(products), 0) \
         FROM product_source_counts AS kept \
         WHERE product_counts.category IN ('all', kept.category))"
    ))?;
    rebuild(connection)
}

const COUNTS: &str = "counts";
const INDEX: &str = "full-text index";

/// The numbers of products by category and source, against the products.
fn counts(connection: &Connection) -> Looked {
    let wrong: i64 = connection.query_row(
        &format!(
            "WITH real AS (SELECT source, category, count(*) AS products FROM products \
                           WHERE {VISIBLE} GROUP BY source, category), \
                  kept AS (SELECT source, category, products FROM product_source_counts), \
                  whole AS (SELECT category, sum(products) AS products FROM real GROUP BY category \
                            UNION ALL SELECT 'all', coalesce(sum(products), 0) FROM real) \
             SELECT (SELECT count(*) FROM (SELECT * FROM real EXCEPT SELECT * FROM kept)) \
                  + (SELECT count(*) FROM (SELECT * FROM kept EXCEPT SELECT * FROM real)) \
                  + (SELECT count(*) FROM product_counts LEFT JOIN whole USING (category) \
                     WHERE product_counts.products <> coalesce(whole.products, 0))"
        ),
        [],
        |row| row.get(0),
    )?;
    Ok(if wrong == 0 {
        Ok("agree with the products".to_owned())
    } else {
        Err(format!("{wrong} counts of products are wrong"))
    })
}

/// Makes the index anew, chunk after chunk, in temporary tables that stand before the
/// real ones, and compares.
fn index(connection: &Connection) -> Looked {
    let hidden = hidden(connection)?;
    let indexed = usize::try_from(chunk_count(connection)?).unwrap_or_default();
    connection.execute_batch(
        "CREATE TEMP TABLE search_terms (number INTEGER PRIMARY KEY, term TEXT NOT NULL UNIQUE, \
                                         products INTEGER NOT NULL, chunks INTEGER NOT NULL); \
         CREATE TEMP TABLE search_postings (place INTEGER PRIMARY KEY, keys BLOB NOT NULL)",
    )?;
    let mut sums = HashMap::new();
    let mut words = 0;
    let mut wrong = 0;
    let mut indexing = Indexing::default();
    for chunk in 0..chunks_of_products(connection)?.max(indexed) {
        index_chunk(connection, &mut indexing, chunk, &hidden)?;
        let (compared, differing) = compare(connection, chunk, &hidden, &mut sums)?;
        words += compared;
        wrong += differing;
        connection.execute_batch("DELETE FROM temp.search_postings")?;
    }
    if hidden.is_empty() {
        let mut statement = connection.prepare("SELECT number, products FROM main.search_terms")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let sum = sums
                .get(&row.get::<_, i64>(0)?)
                .copied()
                .unwrap_or_default();
            wrong += u64::from(sum != row.get::<_, i64>(1)?);
        }
    }
    connection.execute_batch("DROP TABLE temp.search_postings; DROP TABLE temp.search_terms")?;
    Ok(if wrong == 0 {
        Ok(format!("in step with the products, {words} sets of them"))
    } else {
        Err(format!(
            "{wrong} sets of products are not as the products' words say"
        ))
    })
}

/// The sets of one chunk: how many were compared, and how many differ.
fn compare(
    connection: &Connection,
    chunk: usize,
    hidden: &[(i64, i64)],
    sums: &mut HashMap<i64, i64>,
) -> Result<(u64, u64), StoreError> {
    let mut expected = connection.prepare_cached(
        "SELECT keys FROM temp.search_postings AS posting \
         JOIN temp.search_terms AS term ON posting.place = (?2 << 32) | term.number \
         WHERE term.term = ?1",
    )?;
    let mut real = connection.prepare_cached(
        "SELECT term.number, term.term, posting.keys FROM main.search_postings AS posting \
         JOIN main.search_terms AS term ON term.number = posting.place & 0xffffffff \
         WHERE posting.place BETWEEN ? AND ?",
    )?;
    let number = i64::try_from(chunk).unwrap_or(i64::MAX);
    let range = [
        posting_place(chunk, 0),
        posting_place(chunk, i64::from(u32::MAX)),
    ];
    let mut rows = real.query(range)?;
    let (mut compared, mut wrong, mut found) = (0, 0, 0_i64);
    while let Some(row) = rows.next()? {
        let mut keys = Chunk::empty();
        keys.add_stored(&row.get::<_, Vec<u8>>(2)?);
        remove_hidden(&mut keys, chunk, hidden);
        let count = keys.count();
        *sums.entry(row.get(0)?).or_default() += i64::try_from(count).unwrap_or(i64::MAX);
        if count == 0 {
            continue;
        }
        compared += 1;
        let stored: Option<Vec<u8>> = expected
            .query_row((row.get::<_, String>(1)?, number), |row| row.get(0))
            .optional()?;
        let mut wanted = Chunk::empty();
        if let Some(stored) = stored {
            found += 1;
            wanted.add_stored(&stored);
        }
        wrong += u64::from(wanted != keys);
    }
    // What the products' words ask for and the index does not have.
    let asked: i64 =
        connection.query_row("SELECT count(*) FROM temp.search_postings", [], |row| {
            row.get(0)
        })?;
    Ok((
        compared,
        wrong + u64::try_from(asked - found).unwrap_or_default(),
    ))
}

fn remove_hidden(keys: &mut Chunk, chunk: usize, hidden: &[(i64, i64)]) {
    let [first, last] = keys_of(chunk);
    for (from, to) in hidden {
        for key in first.max(*from)..=last.min(*to) {
            keys.remove(place(key).1);
        }
    }
}
