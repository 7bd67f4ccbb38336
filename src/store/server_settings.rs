//! Settings of the server that an administrator chose: mail and backups, with one secret each.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde_json::{Map, Value, json};

use super::Store;
use super::db::error::Result;
use super::db::open::for_reading;
use super::db::pending::Pending;
use super::db::preflight::OpenError;
use super::db::rows::{optional_time_at, run};
use super::db::version::Version;
use super::products::activity::ActivityLog;
use crate::domain::Action;

/// Subject of such settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServerSubject {
    /// The mail server.
    Mail,
    /// Scheduled backups.
    Backups,
}

impl ServerSubject {
    /// Returns the name, which is also a part of what a secret is sealed with.
    pub fn name(self) -> &'static str {
        match self {
            Self::Mail => "mail",
            Self::Backups => "backups",
        }
    }
}

/// Stored settings of a subject.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerSetting {
    /// Number of changes.
    pub version: i64,
    /// JSON, without the secret.
    pub value: String,
    /// The secret, sealed.
    pub sealed: Option<Vec<u8>>,
    /// Time at which the secret was given.
    pub sealed_at: Option<Timestamp>,
}

/// Next settings of a subject.
#[derive(Debug, Clone)]
pub struct ServerSettingChange {
    /// Version on which the change is based; 0 without settings.
    pub seen: i64,
    /// JSON, without the secret.
    pub value: String,
    /// The secret, sealed, with the time at which it was given.
    pub secret: Option<(Vec<u8>, Timestamp)>,
    /// Descriptions of the settings before and after, for the activity log.
    pub described: [String; 2],
}

impl Store {
    /// Returns the settings of a subject, if an administrator chose some.
    pub fn server_setting(&self, subject: ServerSubject) -> Result<Option<ServerSetting>> {
        self.read(|connection| Ok(find(connection, subject)?))
    }

    /// Stores the settings of a subject, and returns false if they were changed since they were read.
    pub fn change_server_setting(
        &self,
        subject: ServerSubject,
        change: ServerSettingChange,
        actor: String,
        now: Timestamp,
    ) -> Result<bool> {
        self.write(move |connection| {
            let before = find(connection, subject)?;
            if before.as_ref().map_or(0, |before| before.version) != change.seen {
                return Ok(false);
            }
            let (sealed, sealed_at) = change.secret.unzip();
            run(
                connection,
                "INSERT OR REPLACE INTO server_settings (name, version, value, sealed, sealed_at) \
                 VALUES (?, ?, ?, ?, ?)",
                params![
                    subject.name(),
                    change.seen + 1,
                    change.value,
                    sealed,
                    sealed_at.map(Timestamp::as_millisecond)
                ],
            )?;
            if subject == ServerSubject::Mail {
                // Another server is to be tried anew.
                run(
                    connection,
                    "DELETE FROM setup_checks WHERE name = 'mail'",
                    [],
                )?;
            }
            let [from, to] = &change.described;
            let mut details = Map::new();
            if from != to {
                let name = format!("server.{}", subject.name());
                details.insert(name, json!({ "from": from, "to": to }));
            }
            let secret_before = before.and_then(|before| before.sealed);
            if secret_before != sealed {
                let words = |secret: &Option<Vec<u8>>| match secret {
                    Some(_) => Value::from("set"),
                    None => Value::from(""),
                };
                let change = json!({ "from": words(&secret_before), "to": words(&sealed) });
                details.insert(format!("server.{}.secret", subject.name()), change);
            }
            if !details.is_empty() {
                ActivityLog::new(&actor, now).write(connection, Action::Set, None, details)?;
            }
            Ok(true)
        })
        .wait()
    }

    /// Writes to the activity log that somebody made a copy of the database to download.
    pub fn log_copy(&self, actor: String, now: Timestamp) -> Pending<()> {
        self.write(move |connection| {
            let change = json!({ "from": "", "to": "made" });
            let details = Map::from_iter([("server.copy".to_owned(), change)]);
            ActivityLog::new(&actor, now).write(connection, Action::Set, None, details)
        })
    }
}

/// Returns the settings in the database, or the backup, at `path`; none in one of an older version.
///
/// # Errors
///
/// [`OpenError`] if this program cannot read it.
pub fn server_setting_of(
    path: &Path,
    subject: ServerSubject,
) -> std::result::Result<Option<ServerSetting>, OpenError> {
    let connection = for_reading(path)?;
    let fail = |error| OpenError::from_sqlite(path, &error);
    let is_there = connection
        .table_exists(None, "server_settings")
        .map_err(fail)?;
    if !is_there {
        return Ok(None);
    }
    find(&connection, subject).map_err(fail)
}

fn find(
    connection: &Connection,
    subject: ServerSubject,
) -> rusqlite::Result<Option<ServerSetting>> {
    let sql = "SELECT version, value, sealed, sealed_at FROM server_settings WHERE name = ?";
    let mut statement = connection.prepare_cached(sql)?;
    let found = statement.query_row([subject.name()], |row: &Row<'_>| {
        Ok(ServerSetting {
            version: row.get("version")?,
            value: row.get("value")?,
            sealed: row.get("sealed")?,
            sealed_at: optional_time_at(row, "sealed_at")?,
        })
    });
    found.optional()
}

/// A value that follows from the settings of a subject, made again when they change.
pub struct DerivedSetting<T> {
    subject: ServerSubject,
    newest: Mutex<Option<Newest<T>>>,
}

struct Newest<T> {
    /// Version of the database at which the settings were last compared.
    of: Version,
    setting: Option<ServerSetting>,
    value: T,
}

impl<T: Clone> DerivedSetting<T> {
    /// Makes one of a subject.
    pub fn new(subject: ServerSubject) -> Self {
        Self {
            subject,
            newest: Mutex::new(None),
        }
    }

    /// Returns the value of the present settings, made by `make` if they are others than before. If they
    /// can't be read, it is the last value, or none.
    pub fn current(
        &self,
        store: &Store,
        make: impl FnOnce(Option<&ServerSetting>) -> T,
    ) -> Option<T> {
        let mut newest = self.newest.lock().unwrap_or_else(PoisonError::into_inner);
        // Before the settings are read, so that a commit in between is seen next time.
        let Ok(version) = store.version() else {
            return newest.as_ref().map(|newest| newest.value.clone());
        };
        if newest.as_ref().is_none_or(|newest| newest.of != version)
            && let Ok(setting) = store.server_setting(self.subject)
        {
            let kept = newest.take().filter(|newest| newest.setting == setting);
            let value = kept.map_or_else(|| make(setting.as_ref()), |kept| kept.value);
            *newest = Some(Newest {
                of: version,
                setting,
                value,
            });
        }
        newest.as_ref().map(|newest| newest.value.clone())
    }
}
