//! Redeems codes and limits guesses.
//!
//! Only the requester of a code has its handle. Wrong guesses with and without it are limited
//! separately, so that strangers cannot block the requester (decisions, section 6).

use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, params};

use super::quota::{ClientCode, insert_event};
use crate::store::db::error::Result;
use crate::store::db::rows::scalar;

/// Maximum wrong guesses per code, with its handle and without.
const TRIES: i64 = 5;
/// Maximum wrong guesses per day, across codes: per registration with its handle, and per address
/// without.
const FAILURES_PER_DAY: i64 = 20;

/// Pending registrations of an address and handle (NULL for any), with their codes, if any.
pub(crate) const WAITING_FORM: &str = "SELECT codes.key, registrations.key, codes.code_hash, codes.tries, \
     codes.handle_tries, registrations.failures \
     FROM registrations LEFT JOIN codes ON codes.registration = registrations.key \
     WHERE registrations.email_key = ?1 AND (?2 IS NULL OR registrations.handle = ?2) LIMIT 2";
/// Pending password resets of an address and handle (NULL for any).
pub(crate) const WAITING_REQUEST: &str = "SELECT key, user, code_hash, tries, handle_tries, 0 FROM codes \
     WHERE email_key = ?1 AND user IS NOT NULL AND (?2 IS NULL OR handle = ?2) LIMIT 2";

/// A pending code.
pub(crate) struct PendingCode {
    key: i64,
    /// Key of the registration or account.
    target: i64,
    hash: [u8; 32],
    /// Wrong guesses without handle.
    tries: i64,
    /// Wrong guesses with handle.
    handle_tries: i64,
    /// Wrong guesses for all codes of the registration.
    failures: i64,
    has_handle: bool,
}

/// Returns the code of the handle, or without one the only pending code: with several, a code could
/// confirm another person's registration.
fn only_code(
    connection: &Connection,
    sql: &str,
    email_key: &str,
    handle: Option<&str>,
) -> Result<Option<PendingCode>> {
    let mut found = connection
        .prepare_cached(sql)?
        .query_map(params![email_key, handle], |row| {
            // A registration has no code if it expired or the mail limit was reached.
            let Some(key) = row.get(0)? else {
                return Ok(None);
            };
            Ok(Some(PendingCode {
                key,
                target: row.get(1)?,
                hash: row.get(2)?,
                tries: row.get(3)?,
                handle_tries: row.get(4)?,
                failures: row.get(5)?,
                has_handle: handle.is_some(),
            }))
        })?
        .collect::<Result<Vec<_>, _>>()?;
    Ok(if found.len() == 1 {
        found.pop().flatten()
    } else {
        None
    })
}

/// Deletes a matching code and returns its target's key; counts a wrong guess otherwise. `waiting`
/// is [`WAITING_FORM`] or [`WAITING_REQUEST`].
pub(crate) fn redeem(
    connection: &Connection,
    waiting: &str,
    email_key: &str,
    handle: Option<&str>,
    code_hash: [u8; 32],
    now: Timestamp,
) -> Result<Option<i64>> {
    let Some(code) = only_code(connection, waiting, email_key, handle)? else {
        return Ok(None);
    };
    let (tries, failures) = if code.has_handle {
        (code.handle_tries, code.failures)
    } else {
        (code.tries, failures_of_the_day(connection, email_key, now)?)
    };
    if tries >= TRIES || failures >= FAILURES_PER_DAY {
        return Ok(None);
    }
    if code.hash == code_hash {
        connection.execute("DELETE FROM codes WHERE key = ?", [code.key])?;
        return Ok(Some(code.target));
    }
    if code.has_handle {
        let sql = "UPDATE codes SET handle_tries = handle_tries + 1 WHERE key = ?";
        connection.execute(sql, [code.key])?;
        connection.execute(
            "UPDATE registrations SET failures = failures + 1 \
             WHERE key = (SELECT registration FROM codes WHERE key = ?)",
            [code.key],
        )?;
    } else {
        let sql = "UPDATE codes SET tries = tries + 1 WHERE key = ?";
        connection.execute(sql, [code.key])?;
        insert_event(connection, email_key, "failure", ClientCode(0), now)?;
    }
    Ok(None)
}

/// Counts the day's wrong guesses for an address without handle.
fn failures_of_the_day(connection: &Connection, email_key: &str, now: Timestamp) -> Result<i64> {
    let a_day_ago = (now - SignedDuration::from_hours(24)).as_millisecond();
    let sql =
        "SELECT count(*) FROM code_events WHERE email_key = ? AND kind = 'failure' AND at > ?";
    Ok(scalar(connection, sql, params![email_key, a_day_ago])?)
}
