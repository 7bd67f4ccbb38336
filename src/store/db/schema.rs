//! Versions of the schema: creating a database, migrating an older one, and refusing a file whose
//! schema is not that of its version.

use std::collections::BTreeMap;
use std::iter;
use std::ops::RangeInclusive;
use std::path::Path;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, Transaction, TransactionBehavior};

use super::error::StoreError;
use super::paths::with_suffix;
use super::preflight::{self, OpenError};
use super::private;
use crate::store::checksum;

/// The `user_version` that `schema.sql` makes. Databases of lower versions are those of development.
const FIRST: i64 = 101;
const SCHEMA: &str = include_str!("../schema.sql");

/// Migrations after [`FIRST`], one version each, oldest first.
/// Append only: databases have run them.
const MIGRATIONS: [&str; 30] = [
    include_str!("../migrations/102.sql"),
    include_str!("../migrations/103.sql"),
    include_str!("../migrations/104.sql"),
    include_str!("../migrations/105.sql"),
    include_str!("../migrations/106.sql"),
    include_str!("../migrations/107.sql"),
    include_str!("../migrations/108.sql"),
    include_str!("../migrations/109.sql"),
    include_str!("../migrations/110.sql"),
    include_str!("../migrations/111.sql"),
    include_str!("../migrations/112.sql"),
    include_str!("../migrations/113.sql"),
    include_str!("../migrations/114.sql"),
    include_str!("../migrations/115.sql"),
    include_str!("../migrations/116.sql"),
    include_str!("../migrations/117.sql"),
    include_str!("../migrations/118.sql"),
    include_str!("../migrations/119.sql"),
    include_str!("../migrations/120.sql"),
    include_str!("../migrations/121.sql"),
    include_str!("../migrations/122.sql"),
    include_str!("../migrations/123.sql"),
    include_str!("../migrations/124.sql"),
    include_str!("../migrations/125.sql"),
    include_str!("../migrations/126.sql"),
    include_str!("../migrations/127.sql"),
    include_str!("../migrations/128.sql"),
    include_str!("../migrations/129.sql"),
    include_str!("../migrations/130.sql"),
    include_str!("../migrations/131.sql"),
];

/// Tables that Litestream, a tool for continuous backups, keeps in the database.
const OF_LITESTREAM: [&str; 2] = ["_litestream_seq", "_litestream_lock"];

/// Returns the SQL of each version from [`FIRST`] on.
fn versions() -> impl Iterator<Item = (i64, &'static str)> {
    #[cfg(not(test))]
    let migrations = MIGRATIONS;
    #[cfg(test)]
    let migrations = tests::migrations();
    (FIRST..).zip(iter::once(SCHEMA).chain(migrations))
}

/// The versions that this program reads and migrates; the last one is the one that it writes.
pub(crate) fn known_versions() -> RangeInclusive<i64> {
    FIRST..=newest()
}

/// The version that this program writes.
pub(crate) fn newest() -> i64 {
    versions()
        .map(|(version, _)| version)
        .max()
        .unwrap_or(FIRST)
}

/// Runs the SQL of the versions after `from`, up to `to`, without its comments: an edit of a comment
/// must not make a difference between databases.
fn run(connection: &Connection, from: i64, to: i64) -> rusqlite::Result<()> {
    let hardened = connection.db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE)?;
    // One migration edits the rule of a column, for which SQLite would copy a million products.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_WRITABLE_SCHEMA, true)?;
    let outcome = run_writable(connection, from, to);
    connection.execute_batch("PRAGMA writable_schema = RESET")?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, hardened)?;
    outcome
}

fn run_writable(connection: &Connection, from: i64, to: i64) -> rusqlite::Result<()> {
    for (_, sql) in versions().filter(|(version, _)| (from + 1..=to).contains(version)) {
        let lines = sql
            .lines()
            .map(|line| line.split("--").next().unwrap_or_default());
        let lines: Vec<_> = lines
            .map(str::trim_end)
            .filter(|line| !line.is_empty())
            .collect();
        connection.execute_batch(&lines.join("\n"))?;
        // A column is added at a place in the statement, which an edit has moved.
        connection.execute_batch("PRAGMA writable_schema = RESET; PRAGMA writable_schema = ON")?;
    }
    Ok(())
}

/// Creates the schema, or migrates an older one after a copy of the file is put aside.
pub(crate) fn migrate(connection: &Connection, path: &Path) -> Result<(), OpenError> {
    let fail = |error: rusqlite::Error| OpenError::from_sqlite(path, &error);
    let found = version(connection, path)?;
    if found == newest() {
        return Ok(());
    }
    if found > 0 {
        put_copy_aside(connection, path, found)?;
    }
    let immediate = TransactionBehavior::Immediate;
    let transaction = Transaction::new_unchecked(connection, immediate).map_err(fail)?;
    // Another process may have been quicker.
    let found = version(&transaction, path)?;
    run(&transaction, found, newest()).map_err(fail)?;
    transaction
        .pragma_update(None, "user_version", newest())
        .and_then(|()| transaction.commit())
        .map_err(fail)?;
    if (1..newest()).contains(&found) {
        tracing::info!(from = found, to = newest(), "database migrated");
    }
    Ok(())
}

/// The version of the schema. The WAL may hold a newer one than the file's header.
fn version(connection: &Connection, path: &Path) -> Result<i64, OpenError> {
    let version = connection
        .pragma_query_value(None, "user_version", |row| row.get(0))
        .map_err(|error| OpenError::from_sqlite(path, &error))?;
    preflight::check_version(path, version, &known_versions())?;
    Ok(version)
}

/// Migrates a copy of an older database, runs `then`, and rolls both back.
///
/// # Errors
///
/// [`StoreError`] when the next start of the server would fail to migrate it.
pub(crate) fn rehearse(
    connection: &Connection,
    from: i64,
    then: impl FnOnce(&Connection) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    if from == newest() {
        return Ok(());
    }
    let transaction = connection.unchecked_transaction()?;
    run(&transaction, from, newest())?;
    then(&transaction)?;
    Ok(transaction.rollback()?)
}

/// Copies the file as it is before a migration to `deals.sqlite.schema-N`. A copy that is there is
/// replaced: it is from before somebody went back to an older program.
fn put_copy_aside(connection: &Connection, path: &Path, version: i64) -> Result<(), OpenError> {
    let copy = with_suffix(path, &format!(".schema-{version}"));
    let copied = (|| {
        let mut part = private::new_beside(&copy)?;
        connection
            .execute("VACUUM INTO ?", [part.path().to_string_lossy()])
            .map_err(std::io::Error::other)?;
        checksum::append(part.as_file_mut())?;
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

/// Tables, indexes, triggers and views by kind and name: the table that each belongs to, and its SQL.
type Schema = BTreeMap<(String, String), (String, String)>;

/// Refuses a database whose tables, indexes, triggers and views are not those of its version: a
/// foreign trigger would run at the next write.
///
/// # Errors
///
/// [`OpenError::Altered`] names the first that differs.
pub(crate) fn check(connection: &Connection, path: &Path) -> Result<(), OpenError> {
    let fail = |error: rusqlite::Error| OpenError::from_sqlite(path, &error);
    let version = version(connection, path)?;
    let found = read(connection).map_err(fail)?;
    let expected = made_by(version).map_err(fail)?;
    match difference(&found, &expected) {
        None => Ok(()),
        Some(what) => Err(OpenError::Altered {
            path: path.display().to_string(),
            what: format!("{what} of schema {version}"),
        }),
    }
}

/// The schema of a version.
fn made_by(version: i64) -> rusqlite::Result<Schema> {
    let connection = Connection::open_in_memory()?;
    run(&connection, 0, version)?;
    read(&connection)
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

/// Removes white space around lines; within a line it may be part of a text.
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

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;
    use std::path::PathBuf;
    use std::time::{Duration, Instant};

    use jiff::Timestamp;
    use tempfile::TempDir;

    use super::*;
    use crate::store::{BackupError, Store, back_up, find_damage, replace, with_suffix};

    thread_local! {
        static MADE_UP: Cell<Option<&'static str>> = const { Cell::new(None) };
    }

    /// The migrations of this program, and a made-up one where a test is about migrations.
    pub(super) fn migrations() -> impl Iterator<Item = &'static str> {
        MIGRATIONS.into_iter().chain(MADE_UP.get())
    }

    const NEXT: i64 = FIRST + MIGRATIONS.len() as i64 + 1;
    const ADDS_A_COLUMN: &str =
        "ALTER TABLE setup_checks ADD COLUMN note TEXT NOT NULL DEFAULT 'none'; -- made up";
    const FAILS_HALF_WAY: &str = "CREATE TABLE extra (x); INSERT INTO nowhere VALUES (1)";

    /// A database of the newest version with a row, and the folder that it is in.
    fn shop() -> (TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deals.sqlite");
        let store = Store::open(&path).unwrap();
        store
            .note_trial("mail", Timestamp::UNIX_EPOCH)
            .wait()
            .unwrap();
        drop(store);
        (folder, path)
    }

    fn version_of(path: &Path) -> i64 {
        let connection = Connection::open(path).unwrap();
        connection
            .pragma_query_value(None, "user_version", |row| row.get(0))
            .unwrap()
    }

    fn notes(path: &Path) -> rusqlite::Result<String> {
        let connection = Connection::open(path)?;
        connection.query_row("SELECT note FROM setup_checks", [], |row| row.get(0))
    }

    #[test]
    fn a_migration_keeps_a_private_copy_of_the_older_database() {
        let (folder, path) = shop();
        let copy = with_suffix(&path, &format!(".schema-{}", NEXT - 1));
        let open = |path: &Path| drop(Store::open(path).unwrap());
        open(&path);
        open(&folder.path().join("new.sqlite"));
        assert!(!copy.exists(), "nothing is to do");
        MADE_UP.set(Some(ADDS_A_COLUMN));
        open(&path);
        assert_eq!(version_of(&path), NEXT);
        assert_eq!(notes(&path).unwrap(), "none");
        find_damage(&path).unwrap();

        assert_eq!(version_of(&copy), NEXT - 1);
        assert!(notes(&copy).is_err());
        let mode = fs::metadata(&copy).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);

        fs::remove_file(&copy).unwrap();
        open(&path);
        assert!(!copy.exists(), "nothing is left to do");
    }

    #[test]
    fn a_migrated_database_has_the_schema_of_a_new_one() {
        let (folder, path) = shop();
        MADE_UP.set(Some(ADDS_A_COLUMN));
        drop(Store::open(&path).unwrap());
        let new = folder.path().join("new.sqlite");
        drop(Store::open(&new).unwrap());
        let [migrated, new] =
            [&path, &new].map(|path| read(&Connection::open(path).unwrap()).unwrap());
        assert_eq!(migrated, new);
    }

    #[test]
    fn a_failed_migration_leaves_the_database_unchanged() {
        let (_folder, path) = shop();
        MADE_UP.set(Some(FAILS_HALF_WAY));
        let error = Store::open(&path).err().unwrap().to_string();
        assert!(error.contains("nowhere"), "{error}");
        MADE_UP.set(None);
        assert_eq!(version_of(&path), NEXT - 1);
        drop(Store::open(&path).unwrap());
    }

    #[test]
    fn restoring_an_older_backup_tries_its_migration_first() {
        let (folder, path) = shop();
        let [backup, target] = ["backup", "target"].map(|name| folder.path().join(name));
        back_up(&path, &backup, &mut |_, _| ()).unwrap();
        let now = Timestamp::UNIX_EPOCH;
        let restore = |only_verify| replace(&backup, &target, only_verify, now, &mut |_, _| ());

        MADE_UP.set(Some(FAILS_HALF_WAY));
        for only_verify in [true, false] {
            let error = restore(only_verify).unwrap_err();
            assert!(
                matches!(error, BackupError::Unsound("update", _)),
                "{error}"
            );
            assert!(!target.exists());
        }
        MADE_UP.set(Some(ADDS_A_COLUMN));
        restore(true).unwrap();
        assert!(!target.exists());
        restore(false).unwrap();
        assert_eq!(version_of(&target), NEXT - 1, "it was only tried");
        drop(Store::open(&target).unwrap());
        assert_eq!(notes(&target).unwrap(), "none");
    }

    #[test]
    fn a_database_that_a_newer_program_migrated_is_refused_unchanged() {
        let (_folder, path) = shop();
        MADE_UP.set(Some(ADDS_A_COLUMN));
        drop(Store::open(&path).unwrap());
        MADE_UP.set(None);
        // Readers of the pool close later, on other threads. The last connection removes the WAL, but none does if
        // two close at once.
        let until = Instant::now() + Duration::from_secs(60);
        while with_suffix(&path, "-wal").exists() {
            assert!(Instant::now() < until, "the WAL is still there");
            let connection = Connection::open(&path).unwrap();
            let _ = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        }
        let before = fs::read(&path).unwrap();
        let error = Store::open(&path).err().unwrap();
        assert!(
            matches!(error, OpenError::Newer { found: NEXT, .. }),
            "{error}"
        );
        assert_eq!(fs::read(&path).unwrap(), before);
    }
}
