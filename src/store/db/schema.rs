//! The schema: every change there ever was, and whether a file has what its version says.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;

use rusqlite::{Connection, TransactionBehavior};
use rusqlite_migration::{M, Migrations};
use rust_embed::RustEmbed;

use super::error::StoreError;
use super::paths::with_suffix;
use super::preflight::{self, OpenError};
use super::private;

/// The files of every schema change there ever was, numbered from the oldest on; append only.
#[derive(RustEmbed)]
#[folder = "src/store/migrations"]
struct Files;

static MIGRATIONS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let mut names: Vec<_> = Files::iter().collect();
    names.sort_unstable();
    let files = names.iter().filter_map(|name| Files::get(name));
    files
        .map(|file| String::from_utf8_lossy(&file.data).into_owned())
        .collect()
});

/// The schema version that this program writes.
pub(crate) fn newest() -> usize {
    MIGRATIONS.len()
}

/// Tables that a tool for continuous backups keeps in the database, and nothing here reads.
const OF_LITESTREAM: [&str; 2] = ["_litestream_seq", "_litestream_lock"];

fn migrations() -> Migrations<'static> {
    Migrations::new(MIGRATIONS.iter().map(|sql| M::up(sql)).collect())
}

/// Brings a database up to date, after a copy of an older one is put aside.
pub(crate) fn migrate(connection: &mut Connection, path: &Path) -> Result<(), OpenError> {
    let version = version(connection, path)?;
    if version == newest() {
        return Ok(());
    }
    if version > 0 {
        put_copy_aside(connection, path, version)?;
    }
    let migrations = migrations();
    connection.set_transaction_behavior(TransactionBehavior::Immediate);
    // Two processes may create the same file at once; the second one finds the
    // first one's schema when it tries again.
    migrations
        .to_latest(connection)
        .or_else(|_| migrations.to_latest(connection))
        .map_err(|error| OpenError::other(path, &error))
}

/// The version of the schema. The WAL may hold a newer one than the file's header.
fn version(connection: &Connection, path: &Path) -> Result<usize, OpenError> {
    let version: i64 = connection
        .pragma_query_value(None, "user_version", |row| row.get(0))
        .map_err(|error| OpenError::from_sqlite(path, &error))?;
    preflight::check_version(path, version, newest())?;
    usize::try_from(version).map_err(|_| OpenError::Foreign(path.display().to_string()))
}

/// Tries the changes that a newer program would make, and `then` what comes after them,
/// and takes them back.
pub(crate) fn rehearse(
    connection: &Connection,
    from: i64,
    then: impl FnOnce(&Connection) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let transaction = connection.unchecked_transaction()?;
    let from = usize::try_from(from).unwrap_or(newest());
    for (number, sql) in (1..).zip(MIGRATIONS.iter()).skip(from) {
        transaction
            .execute_batch(sql)
            .map_err(StoreError::from)
            .map_err(|error| StoreError::Other(format!("change {number} of it fails: {error}")))?;
    }
    then(&transaction)?;
    Ok(transaction.rollback()?)
}

/// Keeps the file as it was before a migration, as `deals.sqlite.schema-1`; one that is
/// there is of an earlier time, before somebody went back.
fn put_copy_aside(connection: &Connection, path: &Path, version: usize) -> Result<(), OpenError> {
    let copy = with_suffix(path, &format!(".schema-{version}"));
    let copied = (|| {
        let part = private::new_beside(&copy)?;
        connection
            .execute("VACUUM INTO ?", [part.path().to_string_lossy()])
            .map_err(std::io::Error::other)?;
        part.as_file().sync_all()?;
        part.persist(&copy)?;
        Ok::<_, std::io::Error>(())
    })();
    copied.map_err(|error| OpenError::Unusable {
        path: path.display().to_string(),
        reason: format!("it could not be copied to {}: {error}", copy.display()),
        advice: "The database was not changed. Make room, then start again.",
    })
}

/// What stands in a schema: for each kind and name, the table that it belongs to and how
/// it was made.
type Schema = BTreeMap<(String, String), (String, String)>;

/// Refuses a database whose tables, indexes, triggers and views are not those of its
/// version: what a trigger does happens at the next write, whoever put it there.
///
/// # Errors
///
/// [`OpenError::Altered`] names the first that differs.
pub(crate) fn check(connection: &Connection, path: &Path) -> Result<(), OpenError> {
    let fail = |error: rusqlite::Error| OpenError::from_sqlite(path, &error);
    let version = version(connection, path)?;
    let found = read(connection).map_err(fail)?;
    let expected = made_by(version).map_err(|error| OpenError::other(path, &error))?;
    match difference(&found, &expected) {
        None => Ok(()),
        Some(what) => Err(OpenError::Altered {
            path: path.display().to_string(),
            what: format!("{what} of schema {version}"),
        }),
    }
}

/// What the migrations up to a version make.
fn made_by(version: usize) -> Result<Schema, StoreError> {
    let mut connection = Connection::open_in_memory()?;
    if version > 0 {
        migrations()
            .to_version(&mut connection, version)
            .map_err(|error| StoreError::Other(error.to_string()))?;
    }
    Ok(read(&connection)?)
}

fn read(connection: &Connection) -> rusqlite::Result<Schema> {
    let mut statement =
        connection.prepare("SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema")?;
    let mut rows = statement.query([])?;
    let mut schema = Schema::new();
    while let Some(row) = rows.next()? {
        let [kind, name, table, sql]: [String; 4] =
            [row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?];
        // SQLite's statistics and Litestream's tables may be there, unless a foreign key leads
        // to ours.
        let is_foreign = (name.starts_with("sqlite_stat") || OF_LITESTREAM.contains(&&*name))
            && !sql.to_uppercase().contains("REFERENCES");
        if !(is_foreign && kind == "table") {
            schema.insert((kind, name), (table, normal(&sql)));
        }
    }
    Ok(schema)
}

/// Without white space around lines; within them, and between them, it may mean something.
fn normal(sql: &str) -> String {
    let lines: Vec<&str> = sql.lines().map(str::trim).collect();
    lines.join("\n")
}

fn difference(found: &Schema, expected: &Schema) -> Option<String> {
    let missing = expected.keys().find(|name| !found.contains_key(*name));
    if let Some((kind, name)) = missing {
        return Some(format!("it lacks the {kind} {name}"));
    }
    found.iter().find_map(|(key, made)| {
        let (kind, name) = key;
        match expected.get(key) {
            None => Some(format!("its {kind} {name} is not")),
            Some(other) if other != made => Some(format!("its {kind} {name} is not as that")),
            Some(_) => None,
        }
    })
}
