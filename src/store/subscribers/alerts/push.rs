//! Browsers that get push messages, and the key pair that signs these.

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, params};
use url::Url;

use crate::store::db::error::Result;
use crate::store::db::pending::Pending;
use crate::store::db::rows::{run, scalar};
use crate::store::{Store, StoreError};

/// Maximum number of browsers of a push service.
const MAX_OF_SERVICE: i64 = 10_000;

/// Keys for which a browser's messages are encrypted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PushKeys {
    /// Its public key, a point of P-256.
    pub p256dh: [u8; 65],
    /// Its secret.
    pub auth: [u8; 16],
}

/// A browser that gets push messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Browser {
    /// Address at its push service.
    pub endpoint: String,
    /// Keys of its messages.
    pub keys: PushKeys,
}

impl Store {
    /// Returns the sealed key pair that signs push messages.
    pub fn push_key(&self) -> Result<Option<Vec<u8>>> {
        self.read(|connection| {
            let key = scalar(connection, "SELECT sealed FROM push_key", []);
            Ok(key.optional()?)
        })
    }

    /// Stores another sealed key pair. Browsers that wait for messages of the former one get none any more,
    /// and are forgotten.
    pub fn set_push_key(&self, sealed: Vec<u8>) -> Pending<()> {
        self.write(move |connection| {
            run(
                connection,
                "INSERT OR REPLACE INTO push_key VALUES (1, ?)",
                [sealed],
            )?;
            run(connection, "DELETE FROM push_browsers", [])
        })
    }

    /// Deletes a browser with its alerts.
    pub fn remove_push_browser(&self, endpoint: String) -> Pending<()> {
        self.write(move |connection| forget(connection, &endpoint))
    }
}

/// Adds a browser, or changes its keys; returns its key. [`StoreError::Conflict`] if its push service has too many.
pub(super) fn save(connection: &Connection, browser: &Browser, now: Timestamp) -> Result<i64> {
    let Browser { endpoint, keys } = browser;
    let known = "SELECT EXISTS (SELECT 1 FROM push_browsers WHERE endpoint = ?)";
    if !scalar::<bool>(connection, known, [endpoint])? {
        // Only `0` is between `/` and what follows it.
        let service = Url::parse(endpoint)
            .map_or_else(|_| String::new(), |url| url.origin().ascii_serialization());
        let sql =
            "SELECT count(*) FROM push_browsers WHERE endpoint BETWEEN ?1 || '/' AND ?1 || '0'";
        if scalar::<i64>(connection, sql, [service])? >= MAX_OF_SERVICE {
            return Err(StoreError::Conflict("busy".to_owned()));
        }
    }
    let sql = "INSERT INTO push_browsers (endpoint, p256dh, auth, created_at) VALUES (?1, ?2, ?3, ?4) \
         ON CONFLICT (endpoint) DO UPDATE SET p256dh = ?2, auth = ?3";
    let values = params![endpoint, keys.p256dh, keys.auth, now.as_millisecond()];
    run(connection, sql, values)?;
    let sql = "SELECT key FROM push_browsers WHERE endpoint = ?";
    Ok(scalar(connection, sql, [endpoint])?)
}

/// Finds a browser.
pub(super) fn find(connection: &Connection, key: Option<i64>) -> Result<Option<Browser>> {
    let sql = "SELECT endpoint, p256dh, auth FROM push_browsers WHERE key = ?";
    let found = connection.prepare_cached(sql)?.query_row([key], |row| {
        let keys = PushKeys {
            p256dh: row.get(1)?,
            auth: row.get(2)?,
        };
        Ok(Browser {
            endpoint: row.get(0)?,
            keys,
        })
    });
    Ok(found.optional()?)
}

/// Returns the lane of a browser's messages: that of its push service.
pub(super) fn lane(connection: &Connection, browser: i64) -> Result<String> {
    let sql = "SELECT endpoint FROM push_browsers WHERE key = ?";
    let endpoint: String = scalar(connection, sql, [browser])?;
    let url = Url::parse(&endpoint).ok();
    let host = url.as_ref().and_then(Url::host_str).unwrap_or_default();
    Ok(format!("push:{host}"))
}

/// Deletes a browser with its alerts.
pub(crate) fn forget(connection: &Connection, endpoint: &str) -> Result<()> {
    run(
        connection,
        "DELETE FROM push_browsers WHERE endpoint = ?",
        [endpoint],
    )
}
