//! Mails that ask addresses, and the addresses that are left alone.

use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, OptionalExtension, params};
use serde_json::json;

use crate::domain::Email;
use crate::store::db::error::Result;
use crate::store::db::rows::{run, scalar};
use crate::store::outgoing::{JobKind, NewJob, enqueue};

/// Time after which an address that did not answer may be asked again.
const WAITS: SignedDuration = SignedDuration::from_hours(7 * 24);
/// Time for which an address that said no or left is not asked, and for which its hash is kept.
const QUIET: SignedDuration = SignedDuration::from_hours(30 * 24);
/// Maximum number of mails an hour that ask addresses.
const ASKED_HOURLY: i64 = 300;
/// Part of the mails that are left in an hour which one network may have sent.
const SHARE: i64 = 10;
/// Lane of the mails that ask addresses.
const LANE: &str = "subscriber:ask";

/// A mail address for which somebody asks for mails.
#[derive(Debug, Clone)]
pub struct AskedFor {
    /// The address.
    pub email: Email,
    /// Its hash with the shop's key.
    pub hash: [u8; 32],
    /// Seed of its link, if it is new.
    pub seed: [u8; 16],
    /// Code of the asking network; `None` for the owner of the address, who is signed in.
    pub network: Option<i64>,
}

impl AskedFor {
    /// True if its owner asks, who need not confirm.
    pub(super) fn is_by_owner(&self) -> bool {
        self.network.is_none()
    }
}

/// Whether an address may be asked.
pub(super) enum Admission {
    /// The shop or the network has had too many asked.
    Busy,
    /// It has left or does not answer, and nothing is stored about it.
    Quiet,
    /// The subscriber, by key.
    Subscriber(i64),
}

/// Finds or adds an address, in the transaction that adds what it is asked about.
pub(super) fn admit(
    connection: &Connection,
    asked: &AskedFor,
    now: Timestamp,
) -> Result<Admission> {
    let key = asked.email.key();
    if let Some(network) = asked.network {
        // For known addresses too: the answer does not tell them.
        if !has_room(connection, network, now)? {
            return Ok(Admission::Busy);
        }
        let sql = "SELECT key FROM subscribers WHERE email_key = ?";
        let known: Option<i64> = scalar(connection, sql, [&key]).optional()?;
        let sql =
            "SELECT EXISTS (SELECT 1 FROM asked_addresses WHERE address = ? AND quiet_until > ?)";
        let now = now.as_millisecond();
        if known.is_none() && scalar(connection, sql, params![asked.hash, now])? {
            return Ok(Admission::Quiet);
        }
    }
    let sql = "INSERT INTO subscribers (email, email_key, seed, created_at) VALUES (?, ?, ?, ?) \
         ON CONFLICT (email_key) DO UPDATE SET email_key = email_key RETURNING key";
    let values = params![asked.email.as_str(), key, asked.seed, now.as_millisecond()];
    Ok(Admission::Subscriber(scalar(connection, sql, values)?))
}

/// True if a network may have another address asked: of the mails that are left in an hour it has a part, so
/// that a few networks do not use up all.
fn has_room(connection: &Connection, network: i64, now: Timestamp) -> Result<bool> {
    let sql = "SELECT count(*), count(*) FILTER (WHERE network = ?2) FROM asked_addresses \
         WHERE asked_at > ?1";
    let since = (now - SignedDuration::from_hours(1)).as_millisecond();
    let (all, own): (i64, i64) = connection
        .prepare_cached(sql)?
        .query_row((since, network), |row| Ok((row.get(0)?, row.get(1)?)))?;
    let left = ASKED_HOURLY - all;
    Ok(left > 0 && own < (left / SHARE).max(1))
}

/// Queues the mail that asks an address, unless it is to be left alone.
pub(super) fn ask(
    connection: &Connection,
    subscriber: i64,
    asked: &AskedFor,
    now: Timestamp,
) -> Result<()> {
    let (at, until) = (now.as_millisecond(), (now + WAITS).as_millisecond());
    let sql = "INSERT INTO asked_addresses (address, asked_at, network, quiet_until) VALUES (?1, ?2, ?3, ?4) \
         ON CONFLICT (address) DO UPDATE SET asked_at = ?2, network = ?3, quiet_until = ?4 \
         WHERE quiet_until <= ?2";
    let values = params![asked.hash, at, asked.network.unwrap_or_default(), until];
    let is_quiet = connection.prepare_cached(sql)?.execute(values)? == 0;
    // Its owner may still answer, by the link of an earlier mail.
    let sql =
        "UPDATE subscribers SET asked_at = iif(?3, coalesce(asked_at, ?2), ?2) WHERE key = ?1";
    run(connection, sql, params![subscriber, at, is_quiet])?;
    if is_quiet {
        return Ok(());
    }
    let job = NewJob {
        kind: JobKind::Subscriber,
        lane: LANE.to_owned(),
        subject: subscriber.to_string(),
        payload: json!({ "ask": subscriber }).to_string(),
        next_at: now,
        expires_at: Some(now + WAITS),
    };
    enqueue(connection, &job, now)
}

/// Notes that an address confirmed: it may be asked about other lists.
pub(super) fn note_answer(connection: &Connection, hash: [u8; 32]) -> Result<()> {
    let sql = "UPDATE asked_addresses SET quiet_until = 0 WHERE address = ?";
    run(connection, sql, [hash])
}

/// Notes that an address said no or left.
pub(super) fn leave_alone(connection: &Connection, hash: [u8; 32], now: Timestamp) -> Result<()> {
    let sql = "INSERT INTO asked_addresses (address, asked_at, network, quiet_until) VALUES (?1, 0, 0, ?2) \
         ON CONFLICT (address) DO UPDATE SET quiet_until = ?2";
    run(
        connection,
        sql,
        params![hash, (now + QUIET).as_millisecond()],
    )
}
