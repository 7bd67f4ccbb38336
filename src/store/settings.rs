//! Settings of the shop.

use jiff::Timestamp;
use rusqlite::{Connection, params};

use super::Store;
use super::db::error::StoreError;
use super::db::pending::Pending;
use super::db::rows::scalar;
use super::products::activity::ActivityLog;
use super::products::prices::track;
use crate::domain::{Action, FieldError, Mark, Settings, SettingsChange, changed_settings};

/// Reason for a rejected change.
#[derive(Debug, Clone, thiserror::Error)]
pub enum SettingsError {
    /// Invalid values.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Invalid(Vec<FieldError>),
    /// The version is outdated.
    #[error("somebody else changed the settings in the meantime")]
    Changed,
}

impl Store {
    /// Returns the number of changes.
    pub fn settings_version(&self) -> Result<i64, StoreError> {
        self.read(|connection| Ok(scalar(connection, "SELECT version FROM settings", [])?))
    }

    /// Returns the current settings.
    pub fn settings(&self) -> Result<Settings, StoreError> {
        self.read(read)
    }

    /// Changes the settings if their version is still `seen` (`None` for any), and returns the new
    /// ones; `actor` is logged.
    pub fn change_settings(
        &self,
        change: SettingsChange,
        seen: Option<i64>,
        actor: String,
        now: Timestamp,
    ) -> Pending<Result<Settings, SettingsError>> {
        self.write(move |connection| {
            let current = read(connection)?;
            if seen.is_some_and(|seen| seen != current.version) {
                return Ok(Err(SettingsError::Changed));
            }
            let next = match change.apply(&current) {
                Ok(next) => next,
                Err(errors) => return Ok(Err(SettingsError::Invalid(errors))),
            };
            let shop = serde_json::to_string(&next.shop)
                .map_err(|error| StoreError::Other(error.to_string()))?;
            let mark = next.mark.as_ref();
            connection.execute(
                "UPDATE settings SET version = ?, shop = ?, mark_type = ?, mark = ?",
                params![
                    next.version,
                    shop,
                    mark.map(|mark| mark.kind),
                    mark.map(|mark| &mark.bytes)
                ],
            )?;
            let untracked = |settings: &Settings| -> Vec<String> {
                let rules = settings.shop.sources.iter();
                let untracked = rules.filter(|(_, rules)| !rules.history);
                untracked.map(|(source, _)| source.clone()).collect()
            };
            if untracked(&current) != untracked(&next) {
                track(connection, &untracked(&next))?;
            }
            let changes = changed_settings(&current, &next);
            if !changes.is_empty() {
                ActivityLog::new(&actor, now).write(connection, Action::Set, None, changes)?;
            }
            Ok(Ok(next))
        })
    }
}

pub(crate) fn read(connection: &Connection) -> Result<Settings, StoreError> {
    let mut statement =
        connection.prepare_cached("SELECT version, shop, mark_type, mark FROM settings")?;
    let (version, shop, kind, bytes): (i64, String, Option<String>, Option<Vec<u8>>) = statement
        .query_row([], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
        })?;
    let shop = serde_json::from_str(&shop)
        .map_err(|error| StoreError::Other(format!("the settings can't be read: {error}")))?;
    let kind = kind.as_deref().and_then(Mark::media_type);
    let mark = kind.zip(bytes).map(|(kind, bytes)| Mark { kind, bytes });
    Ok(Settings {
        version,
        shop,
        mark,
    })
}
