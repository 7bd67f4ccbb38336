//! Limits per mail address and client address: mails asked for, and wrong codes.

use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, params};

use crate::store::db::error::Result;
use crate::store::db::rows::run;

/// Maximum requests per hour and day for a mail address from one client address.
const OF_CLIENT: [i64; 2] = [3, 6];
/// Maximum requests per hour and day for a mail address: several times as many, so that one client
/// cannot use them up.
const REGISTRATIONS: [i64; 2] = [10, 60];
/// Five guesses each make a hundred a day (NIST SP 800-63B-4, section 3.2.2).
const RESETS: [i64; 2] = [10, 20];

/// Kinds of counted requests, limited separately, so that one cannot exhaust another. They are counted
/// for addresses that get no mail too, so that answers and their time do not reveal accounts.
pub(crate) const REGISTER: &str = "register";
pub(crate) const RESET: &str = "reset";
/// Requested by a browser that has signed in to the account before.
pub(crate) const KNOWN_RESET: &str = "known-reset";

/// Code of a client's address, to count its requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClientCode(pub i64);

/// Counts a request of a mail unless the limit of its kind is reached; returns whether it was counted.
pub(crate) fn count_request(
    connection: &Connection,
    kind: &str,
    email_key: &str,
    client: ClientCode,
    now: Timestamp,
) -> Result<bool> {
    let since = |hours| (now - SignedDuration::from_hours(hours)).as_millisecond();
    let (day, hour, own_day, own_hour): (i64, i64, i64, i64) = connection.query_row(
        "SELECT count(*), count(*) FILTER (WHERE at > ?4), count(*) FILTER (WHERE client = ?5), \
         count(*) FILTER (WHERE client = ?5 AND at > ?4) FROM code_events \
         WHERE email_key = ?1 AND kind = ?2 AND at > ?3",
        params![email_key, kind, since(24), since(1), client.0],
        |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)),
    )?;
    let all = if kind == REGISTER {
        REGISTRATIONS
    } else {
        RESETS
    };
    let is_below =
        |counts: [i64; 2], limits: [i64; 2]| counts[0] < limits[0] && counts[1] < limits[1];
    let within = is_below([own_hour, own_day], OF_CLIENT) && is_below([hour, day], all);
    if within {
        insert_event(connection, email_key, kind, client, now)?;
    }
    Ok(within)
}

pub(crate) fn insert_event(
    connection: &Connection,
    email_key: &str,
    kind: &str,
    client: ClientCode,
    now: Timestamp,
) -> Result<()> {
    run(
        connection,
        "INSERT INTO code_events (email_key, kind, at, client) VALUES (?, ?, ?, ?)",
        params![email_key, kind, now.as_millisecond(), client.0],
    )
}
