//! Calls of the office about queued jobs: list, try again, drop.

use jiff::Timestamp;
use rusqlite::{Connection, Row, params};
use serde_json::{Map, json};

use super::{Job, JobKind, end_wait, job};
use crate::domain::{Action, Paged, page_offset};
use crate::store::db::error::Result;
use crate::store::db::rows::{optional_time_at, run, scalar};
use crate::store::products::activity::ActivityLog;
use crate::store::{Store, StoreError};

/// A job of the office's list.
#[derive(Debug, Clone)]
pub struct ListedJob {
    /// Its id.
    pub id: i64,
    /// The job.
    pub job: Job,
    /// Title of the product that it is about, if visitors see it.
    pub title: Option<String>,
    /// Where it goes, by kind: a webhook's address.
    pub place: Option<String>,
    /// Next attempt; `None` if it was given up.
    pub next_at: Option<Timestamp>,
    /// When it is deleted unsent.
    pub expires_at: Option<Timestamp>,
    /// Why the last attempt failed.
    pub last_error: String,
}

impl Store {
    /// Has a job done at once, as if it had not failed yet; the log says that `actor` did this to `about`.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`] when there is none.
    pub fn retry_job(&self, key: i64, actor: String, about: String, now: Timestamp) -> Result<()> {
        self.write(move |connection| {
            let sql =
                "UPDATE outgoing SET next_at = ?2, attempts = 0 WHERE key = ?1 RETURNING lane";
            let lane: String = scalar(connection, sql, [key, now.as_millisecond()])?;
            end_wait(connection, &lane)?;
            log(connection, &actor, &format!("tried again: {about}"), now)
        })
        .wait()
    }

    /// Deletes a job; the log says that `actor` dropped `about`.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`] when there is none.
    pub fn delete_job(&self, key: i64, actor: String, about: String, now: Timestamp) -> Result<()> {
        self.write(move |connection| {
            let sql = "UPDATE posts SET state = 'failed', error = 'Somebody dropped it.' WHERE message = '' \
                 AND key = (SELECT CAST(subject AS INTEGER) FROM outgoing WHERE key = ? AND kind = 'post')";
            run(connection, sql, [key])?;
            match connection.execute("DELETE FROM outgoing WHERE key = ?", [key])? {
                0 => Err(StoreError::NotFound),
                _ => log(connection, &actor, &format!("dropped: {about}"), now),
            }
        })
        .wait()
    }

    /// Returns one page of the jobs, of a kind or those that failed: given up first, then by time.
    ///
    /// # Errors
    ///
    /// When the database refuses.
    pub fn list_jobs(
        &self,
        kind: Option<JobKind>,
        failed: bool,
        page: u32,
        limit: u32,
    ) -> Result<Paged<ListedJob>> {
        const FROM: &str =
            "FROM outgoing WHERE (?1 IS NULL OR kind = ?1) AND (NOT ?2 OR attempts > 0)";
        let kind = kind.map(JobKind::as_str);
        self.read(|connection| {
            let page_of = format!("{FROM} ORDER BY next_at, key LIMIT ?3 OFFSET ?4");
            let mut statement = connection.prepare_cached(&listing(&page_of))?;
            let values = params![kind, failed, limit, page_offset(page, limit)];
            let jobs = statement.query_map(values, listed_job)?;
            let items = jobs.collect::<rusqlite::Result<_>>()?;
            let sql = format!("SELECT count(*) {FROM}");
            Ok(Paged {
                items,
                total: scalar(connection, &sql, params![kind, failed])?,
            })
        })
    }

    /// Finds a job as the list has it.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`] when there is none.
    pub fn find_job(&self, key: i64) -> Result<ListedJob> {
        self.read(|connection| {
            let mut statement =
                connection.prepare_cached(&listing("FROM outgoing WHERE key = ?"))?;
            Ok(statement.query_row([key], listed_job)?)
        })
    }
}

/// Returns the SQL that reads these jobs with what the office shows of them.
fn listing(from: &str) -> String {
    format!(
        "SELECT listed.*, coalesce((SELECT title FROM live_products WHERE id = subject), \
         (SELECT title FROM posts WHERE kind = 'post' AND posts.key = CAST(subject AS INTEGER))) AS title, \
         coalesce((SELECT url FROM webhooks WHERE listed.lane = 'webhook:' || id), \
         (SELECT name FROM channels WHERE listed.lane = 'channel:' || id)) AS place, \
         max(next_at, coalesce((SELECT until FROM outgoing_waits AS waits \
         WHERE waits.lane = listed.lane), 0)) AS due_at \
         FROM (SELECT * {from}) AS listed ORDER BY next_at, key"
    )
}

fn listed_job(row: &Row<'_>) -> rusqlite::Result<ListedJob> {
    Ok(ListedJob {
        id: row.get("key")?,
        job: job(row)?,
        title: row.get("title")?,
        place: row.get("place")?,
        next_at: optional_time_at(row, "due_at")?,
        expires_at: optional_time_at(row, "expires_at")?,
        last_error: row.get("last_error")?,
    })
}

/// Writes a change of a job to the activity log.
fn log(connection: &Connection, actor: &str, what: &str, now: Timestamp) -> Result<()> {
    let details = Map::from_iter([("outgoing".to_owned(), json!({ "to": what }))]);
    ActivityLog::new(actor, now).write(connection, Action::Set, None, details)
}
