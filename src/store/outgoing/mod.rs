//! Queue of everything that goes out: mails, events of webhooks. A job is written in the transaction of the
//! change that it is about, and deleted in the transaction of its result: it is done at least once.
//!
//! A new kind is a variant of [`JobKind`], and an arm in `jobs/outgoing.rs`.

mod office;

use std::path::Path;

use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, Row, params};

use crate::domain::named;
use crate::store::db::error::Result;
use crate::store::db::open;
use crate::store::db::rows::{run, scalar, time_at};
use crate::store::{OpenError, Store};

/// Seconds that a lane waits after its failures in a row, whichever jobs failed; the last one repeats.
const BACK_OFF: [i64; 6] = [0, 5, 30, 120, 300, 900];
/// How long the failures of a lane are remembered after its wait.
const REMEMBERED: SignedDuration = SignedDuration::from_hours(1);
/// How long a job that was given up can be tried again.
const KEPT: SignedDuration = SignedDuration::from_hours(7 * 24);

pub use office::ListedJob;

named! {
    /// Kind of job.
    JobKind {
        /// Mail of an account.
        Mail = "mail";
        /// Event of a webhook.
        Webhook = "webhook";
        /// Mail to a subscriber.
        Subscriber = "subscriber";
        /// Post of a deal in a channel, or an edit of one.
        Post = "post";
        /// Copies of the pictures of a deal.
        Picture = "picture";
        /// Push message to a browser.
        Push = "push";
    }
}

impl JobKind {
    /// Returns how many jobs of this kind run at once at most, so that those of one kind that stall delay no
    /// other kind.
    pub fn at_once(self) -> usize {
        match self {
            Self::Mail => 8,
            Self::Webhook | Self::Post => 20,
            Self::Subscriber => 2,
            // Each takes the memory of a picture.
            Self::Picture => 1,
            Self::Push => 8,
        }
    }
}

/// A job to be queued.
#[derive(Debug, Clone)]
pub(crate) struct NewJob {
    pub(crate) kind: JobKind,
    /// Jobs of one lane are done one after the other, and of different lanes at the same time. Begins with the
    /// kind: `webhook:ID`.
    pub(crate) lane: String,
    /// Id of the subject. The job replaces one of the same kind, lane and subject, except mails and
    /// jobs with an empty subject.
    pub(crate) subject: String,
    /// JSON, by kind.
    pub(crate) payload: String,
    pub(crate) next_at: Timestamp,
    /// When it is deleted if it was not done.
    pub(crate) expires_at: Option<Timestamp>,
}

/// A job that is due.
#[derive(Debug, Clone)]
pub struct Job {
    key: i64,
    /// Changes when the job is replaced while it is being done.
    edition: i64,
    /// Its kind.
    pub kind: JobKind,
    /// Its lane.
    pub lane: String,
    /// Id of the subject, or empty.
    pub subject: String,
    /// JSON, by kind.
    pub payload: String,
    /// When it was queued, or replaced another one.
    pub created_at: Timestamp,
    /// Failed attempts so far.
    pub attempts: u32,
}

/// Result of an attempt.
#[derive(Debug, Clone)]
pub enum Outcome {
    /// There is no more to do.
    Done,
    /// It failed and is tried again.
    Again {
        /// When.
        next_at: Timestamp,
        /// Why it failed, a sentence without secrets.
        error: String,
        /// Whether the other jobs of the lane wait until then as well, and longer after each such failure.
        lane_waits: bool,
    },
    /// It failed for good, and stays in the office's list for a week.
    GivenUp {
        /// Why, a sentence without secrets.
        error: String,
    },
}

/// The result of an attempt, with the changes of the same transaction.
pub struct Sent {
    outcome: Outcome,
    then: Option<Then>,
}

type Then = Box<dyn FnOnce(&Connection) -> Result<()> + Send>;

impl From<Outcome> for Sent {
    fn from(outcome: Outcome) -> Self {
        Self {
            outcome,
            then: None,
        }
    }
}

impl Outcome {
    /// Writes more in the transaction that records this result.
    pub(crate) fn and(self, then: impl FnOnce(&Connection) -> Result<()> + Send + 'static) -> Sent {
        Sent {
            outcome: self,
            then: Some(Box::new(then)),
        }
    }
}

/// Queues a job in the caller's transaction. One that replaces another keeps its place, and its time if it failed.
pub(crate) fn enqueue(connection: &Connection, job: &NewJob, now: Timestamp) -> Result<()> {
    run(
        connection,
        "INSERT INTO outgoing (kind, lane, subject, payload, created_at, next_at, expires_at) \
         VALUES (?, ?, ?, ?, ?, ?, ?) \
         ON CONFLICT (kind, lane, subject) WHERE kind <> 'mail' AND subject <> '' DO UPDATE SET \
         edition = random(), payload = excluded.payload, created_at = excluded.created_at, \
         next_at = CASE attempts WHEN 0 THEN min(next_at, excluded.next_at) \
         ELSE coalesce(next_at, excluded.next_at) END, \
         expires_at = excluded.expires_at, attempts = 0, last_error = ''",
        params![
            job.kind.as_str(),
            job.lane,
            job.subject,
            job.payload,
            now.as_millisecond(),
            job.next_at.as_millisecond(),
            job.expires_at.map(Timestamp::as_millisecond),
        ],
    )
}

/// Deletes the queued jobs of a lane.
pub(crate) fn clear_lane(connection: &Connection, lane: &str) -> Result<()> {
    run(connection, "DELETE FROM outgoing WHERE lane = ?", [lane])?;
    end_wait(connection, lane)
}

/// Has a lane wait no longer.
pub(crate) fn end_wait(connection: &Connection, lane: &str) -> Result<()> {
    run(
        connection,
        "DELETE FROM outgoing_waits WHERE lane = ?",
        [lane],
    )
}

impl Store {
    /// Returns of each lane the job that is due for longest: a new one before those that failed.
    ///
    /// # Errors
    ///
    /// When the database refuses.
    pub fn due_jobs(&self, now: Timestamp) -> Result<Vec<Job>> {
        self.read(|connection| {
            // Each step of the recursion reads one lane, however many jobs it has.
            let sql = "WITH RECURSIVE lanes (lane) AS ( \
                 SELECT min(lane) FROM outgoing WHERE next_at IS NOT NULL \
                 UNION ALL SELECT (SELECT min(lane) FROM outgoing WHERE next_at IS NOT NULL AND lane > lanes.lane) \
                 FROM lanes WHERE lanes.lane IS NOT NULL) \
                 SELECT outgoing.* FROM lanes JOIN outgoing ON outgoing.key = coalesce( \
                 (SELECT key FROM outgoing WHERE lane = lanes.lane AND (attempts > 0) = 0 AND next_at <= ?1 \
                 ORDER BY next_at, key LIMIT 1), \
                 (SELECT key FROM outgoing WHERE lane = lanes.lane AND (attempts > 0) = 1 AND next_at <= ?1 \
                 ORDER BY next_at, key LIMIT 1)) \
                 WHERE NOT EXISTS (SELECT 1 FROM outgoing_waits WHERE lane = lanes.lane AND until > ?1) \
                 ORDER BY outgoing.next_at";
            let mut statement = connection.prepare_cached(sql)?;
            let due = statement.query_map([now.as_millisecond()], job)?;
            Ok(due.collect::<rusqlite::Result<_>>()?)
        })
    }

    /// Deletes the jobs that expired. Writes only if there are any.
    ///
    /// # Errors
    ///
    /// When the database refuses.
    pub fn delete_expired_jobs(&self, now: Timestamp) -> Result<()> {
        let remembered = (now - REMEMBERED).as_millisecond();
        let now = now.as_millisecond();
        let any: bool = self.read(|connection| {
            let sql = "SELECT EXISTS (SELECT 1 FROM outgoing WHERE expires_at <= ?1) \
                 OR EXISTS (SELECT 1 FROM outgoing_waits WHERE until <= ?2)";
            Ok(scalar(connection, sql, [now, remembered])?)
        })?;
        if !any {
            return Ok(());
        }
        self.write(move |connection| {
            run(
                connection,
                "DELETE FROM outgoing WHERE expires_at <= ?",
                [now],
            )?;
            run(
                connection,
                "DELETE FROM outgoing_waits WHERE until <= ?",
                [remembered],
            )
        })
        .wait()
    }

    /// Records the result of an attempt. A job that was replaced meanwhile is still to be done.
    ///
    /// # Errors
    ///
    /// When the database refuses.
    pub fn settle_job(&self, job: &Job, sent: Sent, now: Timestamp) -> Result<()> {
        let (key, edition, lane) = (job.key, job.edition, job.lane.clone());
        self.write(move |connection| {
            match sent.outcome {
                Outcome::Done => {
                    let sql = "DELETE FROM outgoing WHERE key = ? AND edition = ?";
                    run(connection, sql, [key, edition])?;
                    end_wait(connection, &lane)?;
                }
                Outcome::Again {
                    next_at,
                    error,
                    lane_waits,
                } => {
                    let mut next_at = next_at.as_millisecond();
                    if lane_waits {
                        let sql = "INSERT INTO outgoing_waits (lane, until, failures) VALUES (?, 0, 1) \
                             ON CONFLICT (lane) DO UPDATE SET failures = failures + 1 RETURNING failures";
                        let failures: u32 = scalar(connection, sql, [&lane])?;
                        let wait = BACK_OFF[(failures as usize).clamp(1, BACK_OFF.len()) - 1];
                        next_at = next_at.max((now + SignedDuration::from_secs(wait)).as_millisecond());
                        let sql = "UPDATE outgoing_waits SET until = ? WHERE lane = ?";
                        run(connection, sql, params![next_at, lane])?;
                    }
                    let sql = "UPDATE outgoing SET attempts = attempts + 1, next_at = ?3, last_error = ?4 \
                         WHERE key = ?1 AND edition = ?2";
                    run(connection, sql, params![key, edition, next_at, error])?;
                }
                Outcome::GivenUp { error } => {
                    let end = (now + KEPT).as_millisecond();
                    let sql = "UPDATE outgoing SET attempts = attempts + 1, next_at = NULL, last_error = ?3, \
                         expires_at = coalesce(expires_at, ?4) WHERE key = ?1 AND edition = ?2";
                    run(connection, sql, params![key, edition, error, end])?;
                }
            }
            sent.then.map_or(Ok(()), |then| then(connection))
        })
        .wait()
    }

    /// Counts the jobs of a kind that wait.
    ///
    /// # Errors
    ///
    /// When the database refuses.
    pub fn count_waiting_jobs(&self, kind: JobKind) -> Result<u64> {
        self.read(|connection| {
            let sql = "SELECT count(*) FROM outgoing WHERE kind = ? AND next_at IS NOT NULL";
            Ok(scalar(connection, sql, [kind.as_str()])?)
        })
    }
}

/// Counts the jobs in a database, those that failed, and those that were given up; a server may use it
/// meanwhile.
///
/// # Errors
///
/// [`OpenError`] if this program cannot read it.
pub fn count_jobs_in(path: &Path) -> Result<[u64; 3], OpenError> {
    let connection = open::for_reading(path)?;
    let sql = "SELECT count(*), count(*) FILTER (WHERE attempts > 0), \
         count(*) FILTER (WHERE next_at IS NULL) FROM outgoing";
    let counts = connection.query_row(sql, [], |row| Ok([row.get(0)?, row.get(1)?, row.get(2)?]));
    counts.map_err(|error| OpenError::from_sqlite(path, &error))
}

fn job(row: &Row<'_>) -> rusqlite::Result<Job> {
    let kind: String = row.get("kind")?;
    Ok(Job {
        key: row.get("key")?,
        edition: row.get("edition")?,
        kind: JobKind::parse(&kind).ok_or(rusqlite::Error::InvalidQuery)?,
        lane: row.get("lane")?,
        subject: row.get("subject")?,
        payload: row.get("payload")?,
        created_at: time_at(row, "created_at")?,
        attempts: row.get("attempts")?,
    })
}
