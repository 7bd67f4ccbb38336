//! API keys.

use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, Row, named_params, params};

use super::users::{self, user};
use crate::domain::{ApiKey, Scope, date_in_india};
use crate::store::db::error::Result;
use crate::store::db::rows::{new_id, optional_time_at, run, scalar, time_at};
use crate::store::products::activity::log_change;
use crate::store::{Store, StoreError};

/// Maximum number of keys of a shop that have not expired.
pub const MAX_KEYS: i64 = 20;

/// A key to store, with its hash instead of its secret.
#[derive(Debug, Clone)]
pub struct NewApiKey {
    /// SHA-256 of the whole key.
    pub hash: [u8; 32],
    /// First four characters of the random part.
    pub prefix: String,
    /// Name in the activity log.
    pub name: String,
    /// Permissions.
    pub scopes: Vec<Scope>,
    /// Public id of the owner's account.
    pub owner: String,
    /// Time from which it is refused.
    pub expires_at: Timestamp,
}

/// Result of adding a key.
#[derive(Debug, Clone)]
pub enum KeyAdded {
    /// It was added.
    Added(Box<ApiKey>),
    /// A key has this name.
    NameTaken,
    /// There are [`MAX_KEYS`] already.
    TooMany,
}

impl Store {
    /// Adds a key; an expired one of the same name makes room.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`] if the owner's account is gone.
    pub fn insert_key(&self, key: NewApiKey, actor: &str, now: Timestamp) -> Result<KeyAdded> {
        let actor = actor.to_owned();
        self.write(move |connection| {
            let time = now.as_millisecond();
            let sql = "DELETE FROM api_keys WHERE expires_at <= ? AND name = ?";
            run(connection, sql, params![time, key.name])?;
            let sql = "SELECT EXISTS (SELECT 1 FROM api_keys WHERE name = ?)";
            if scalar(connection, sql, [&key.name])? {
                return Ok(KeyAdded::NameTaken);
            }
            let sql = "SELECT count(*) FROM api_keys WHERE expires_at > ?";
            if scalar::<i64>(connection, sql, [time])? >= MAX_KEYS {
                return Ok(KeyAdded::TooMany);
            }
            let id = new_id();
            let inserted = connection.execute(
                "INSERT INTO api_keys (id, hash, prefix, name, scopes, user, created_at, expires_at) \
                 SELECT :id, :hash, :prefix, :name, :scopes, key, :now, :expires FROM users \
                 WHERE id = :owner",
                named_params! {
                    ":id": id,
                    ":hash": key.hash,
                    ":prefix": key.prefix,
                    ":name": key.name,
                    ":scopes": joined(&key.scopes),
                    ":now": time,
                    ":expires": key.expires_at.as_millisecond(),
                    ":owner": key.owner,
                },
            )?;
            if inserted == 0 {
                return Err(StoreError::NotFound);
            }
            let mut statement = connection.prepare_cached(&select("api_keys.id = ?"))?;
            let added = statement.query_row([id], api_key)?;
            log(connection, &actor, now, "", &log_text(&added), &added.name)?;
            Ok(KeyAdded::Added(Box::new(added)))
        })
        .wait()
    }

    /// Returns the key with this hash, possibly expired.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`] when there is none.
    pub fn find_key(&self, hash: [u8; 32]) -> Result<ApiKey> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(&select("api_keys.hash = ?"))?;
            Ok(statement.query_row([hash], api_key)?)
        })
    }

    /// Returns all keys, the newest first.
    pub fn list_keys(&self) -> Result<Vec<ApiKey>> {
        self.read(|connection| {
            let mut statement =
                connection.prepare(&(select("true") + " ORDER BY api_keys.key DESC"))?;
            let keys = statement.query_map([], api_key)?;
            Ok(keys.collect::<rusqlite::Result<_>>()?)
        })
    }

    /// Records the use of a key, at most once an hour.
    pub fn touch_key(&self, key: &ApiKey, now: Timestamp) {
        const AN_HOUR: SignedDuration = SignedDuration::from_hours(1);
        let is_recent = |at| now.duration_since(at) < AN_HOUR;
        if key.last_used_at.is_some_and(is_recent) {
            return;
        }
        // Not awaited: if lost, the next use records it.
        drop(self.execute(
            "UPDATE api_keys SET last_used_at = ? WHERE id = ?",
            (now.as_millisecond(), key.id.clone()),
        ));
    }

    /// Deletes a key by its name or id, and returns it.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`] when there is none.
    pub fn delete_key(&self, name_or_id: &str, actor: &str, now: Timestamp) -> Result<ApiKey> {
        let (wanted, actor) = (name_or_id.to_owned(), actor.to_owned());
        self.write(move |connection| {
            let condition = select("api_keys.name = ?1 OR api_keys.id = ?1");
            let mut statement = connection.prepare_cached(&condition)?;
            let key = statement.query_row([wanted], api_key)?;
            run(connection, "DELETE FROM api_keys WHERE id = ?", [&key.id])?;
            log(connection, &actor, now, &log_text(&key), "", &key.name)?;
            Ok(key)
        })
        .wait()
    }
}

fn select(condition: &str) -> String {
    format!(
        "SELECT api_keys.id AS key_id, prefix, name, scopes, api_keys.created_at AS made_at, \
         expires_at, last_used_at, {} \
         FROM api_keys JOIN users ON users.key = api_keys.user WHERE {condition}",
        users::COLUMNS
    )
}

fn api_key(row: &Row<'_>) -> rusqlite::Result<ApiKey> {
    let scopes: String = row.get("scopes")?;
    Ok(ApiKey {
        id: row.get("key_id")?,
        prefix: row.get("prefix")?,
        name: row.get("name")?,
        scopes: scopes.split(' ').filter_map(Scope::parse).collect(),
        owner: user(row)?,
        created_at: time_at(row, "made_at")?,
        expires_at: time_at(row, "expires_at")?,
        last_used_at: optional_time_at(row, "last_used_at")?,
    })
}

/// Writes a change of a key to the activity log.
fn log(
    connection: &Connection,
    actor: &str,
    now: Timestamp,
    from: &str,
    to: &str,
    name: &str,
) -> Result<()> {
    log_change(connection, (actor, now), format!("key.{name}"), from, to)
}

fn log_text(key: &ApiKey) -> String {
    let until = date_in_india(key.expires_at);
    format!("{} until {until}", joined(&key.scopes))
}

fn joined(scopes: &[Scope]) -> String {
    let names: Vec<_> = scopes.iter().map(|scope| scope.as_str()).collect();
    names.join(" ")
}
