//! Finding the code that somebody means, and how often it was tried.
//!
//! Who has the handle asked for the code, and no stranger takes a try from them: wrong
//! guesses with the handle and without it are counted apart (decisions, section 6).

use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, params};

use super::quota::insert_event;
use crate::store::StoreError;

/// Wrong guesses that end a code, for those who name its handle and for those who don't.
const TRIES: i64 = 5;
/// Wrong guesses in a day, for a registration by its handle, and for an address by those
/// who name none; another code does not reset them.
const FAILURES_PER_DAY: i64 = 20;

/// The codes of an address for each registration that waits, with what they are for; a registration
/// whose code was ended waits on. By address and handle, or NULL for any.
pub(crate) const WAITING_FORM: &str = "SELECT codes.key, registrations.key, codes.code_hash, codes.tries, \
     codes.handle_tries, registrations.failures \
     FROM registrations LEFT JOIN codes ON codes.registration = registrations.key \
     WHERE registrations.email_key = ?1 AND (?2 IS NULL OR registrations.handle = ?2) LIMIT 2";
/// The same for each request for a new password.
pub(crate) const WAITING_REQUEST: &str = "SELECT key, user, code_hash, tries, handle_tries, 0 FROM codes \
     WHERE email_key = ?1 AND user IS NOT NULL AND (?2 IS NULL OR handle = ?2) LIMIT 2";

/// A code that waits to be typed.
pub(crate) struct Waiting {
    key: i64,
    /// The registration or the account that it is for.
    target: i64,
    hash: [u8; 32],
    /// Wrong guesses by those who named no handle.
    tries: i64,
    /// Wrong guesses by those who named the handle.
    handle_tries: i64,
    /// Those of this and other codes of the registration.
    failures: i64,
    has_handle: bool,
}

/// The code that the handle names, or without one the only one that waits: with several,
/// a code must not bring into force what somebody else typed.
fn only_code(
    connection: &Connection,
    sql: &str,
    email_key: &str,
    handle: Option<&str>,
) -> Result<Option<Waiting>, StoreError> {
    let mut found = connection
        .prepare_cached(sql)?
        .query_map(params![email_key, handle], |row| {
            // A registration may have no code: too many mails were sent, or it has expired.
            let Some(key) = row.get(0)? else {
                return Ok(None);
            };
            Ok(Some(Waiting {
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

/// Takes a waiting code out of the table if it is this one, and gives what it was for; a
/// wrong guess counts against those who guess as this one did. `waiting` is
/// [`WAITING_FORM`] or [`WAITING_REQUEST`]; without a handle the code must be the only one.
pub(crate) fn redeem(
    connection: &Connection,
    waiting: &str,
    email_key: &str,
    handle: Option<&str>,
    code_hash: [u8; 32],
    now: Timestamp,
) -> Result<Option<i64>, StoreError> {
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
        connection.execute(
            "UPDATE codes SET handle_tries = handle_tries + 1 WHERE key = ?",
            [code.key],
        )?;
        connection.execute(
            "UPDATE registrations SET failures = failures + 1 \
             WHERE key = (SELECT registration FROM codes WHERE key = ?)",
            [code.key],
        )?;
    } else {
        connection.execute(
            "UPDATE codes SET tries = tries + 1 WHERE key = ?",
            [code.key],
        )?;
        insert_event(connection, email_key, "failure", now)?;
    }
    Ok(None)
}

/// Wrong guesses for an address by those who named no handle.
fn failures_of_the_day(
    connection: &Connection,
    email_key: &str,
    now: Timestamp,
) -> Result<i64, StoreError> {
    let a_day_ago = (now - SignedDuration::from_hours(24)).as_millisecond();
    Ok(connection.query_row(
        "SELECT count(*) FROM code_events WHERE email_key = ? AND kind = 'failure' AND at > ?",
        params![email_key, a_day_ago],
        |row| row.get(0),
    )?)
}
