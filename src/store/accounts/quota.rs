//! Limits per address: mails sent and wrong codes.

use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, params};

use super::outbox::{self, NewMail};
use crate::store::db::error::Result;
use crate::store::db::rows::run;

/// Maximum mails of a kind per address and hour.
const MAILS_PER_HOUR: i64 = 3;
/// Maximum mails of a kind per address and day: five guesses each make a hundred a day (NIST SP
/// 800-63B-4, section 3.2.2).
const MAILS_PER_DAY: i64 = 20;
/// Kinds of counted mails.
pub(crate) const REGISTER: &str = "register";
pub(crate) const RESET: &str = "reset";
/// Requested by a browser that has signed in to the account before.
pub(crate) const KNOWN_RESET: &str = "known-reset";
const PRETENDED: &str = "pretended";

/// Queues a mail unless the limit of its kind is reached; returns whether it was queued. Kinds are
/// limited separately, so that one cannot exhaust another.
pub(crate) fn queue_within_limit(
    connection: &Connection,
    kind: &str,
    email_key: &str,
    mail: &NewMail,
    now: Timestamp,
) -> Result<bool> {
    let within = count_mail(connection, kind, email_key, now)?;
    if within {
        outbox::queue(connection, mail, now)?;
    }
    Ok(within)
}

/// Counts a mail unless the limit is reached; returns whether it was counted.
fn count_mail(
    connection: &Connection,
    kind: &str,
    email_key: &str,
    now: Timestamp,
) -> Result<bool> {
    let since = |hours| (now - SignedDuration::from_hours(hours)).as_millisecond();
    let (day, hour): (i64, i64) = connection.query_row(
        "SELECT count(*), count(*) FILTER (WHERE at > ?4) FROM code_events \
         WHERE email_key = ?1 AND kind = ?2 AND at > ?3",
        params![email_key, kind, since(24), since(1)],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    let within = hour < MAILS_PER_HOUR && day < MAILS_PER_DAY;
    if within {
        insert_event(connection, email_key, kind, now)?;
    }
    Ok(within)
}

/// Does the same work for an address that gets no mail, so that response times do not reveal
/// accounts. The address may be a stranger's, so only its hash is stored.
pub(crate) fn pretend(connection: &Connection, address_hash: &str, now: Timestamp) -> Result<()> {
    count_mail(connection, PRETENDED, address_hash, now).map(drop)
}

pub(crate) fn insert_event(
    connection: &Connection,
    email_key: &str,
    kind: &str,
    now: Timestamp,
) -> Result<()> {
    let sql = "INSERT INTO code_events (email_key, kind, at) VALUES (?, ?, ?)";
    run(
        connection,
        sql,
        params![email_key, kind, now.as_millisecond()],
    )
}
