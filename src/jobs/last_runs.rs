//! The last run of each job: in memory for `/metrics`, and in the server's lock file for `deals
//! check`. A table would be written once a minute, and each write invalidates the response cache.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::domain::moment_in_india;
use crate::maintenance::check::{CheckLine, CheckState};
use crate::store::{ServerLock, server_of};

/// Time between two writes of the file, unless a job fails or works again.
const EVERY: Duration = Duration::from_secs(60);

/// The last run of one job.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct LastRun {
    /// When it ended, in milliseconds since 1970.
    pub ended: i64,
    /// How long it took, in seconds.
    pub seconds: f64,
    /// When the last run without an error ended, in milliseconds since 1970; 0 if none did.
    pub succeeded: i64,
    /// Failures since the start of the server.
    pub failures: u64,
    /// Failures since the last success.
    pub failures_in_a_row: u64,
    /// Why the last run failed; empty if it did not.
    pub error: String,
}

/// The last runs by the names of their jobs. Cloning is cheap, and clones share them.
#[derive(Clone, Default)]
pub struct LastRuns(Arc<LastRunsInner>);

#[derive(Default)]
struct LastRunsInner {
    lock: Option<Arc<ServerLock>>,
    runs: Mutex<Runs>,
}

#[derive(Default)]
struct Runs {
    by_job: BTreeMap<String, LastRun>,
    written: Option<Instant>,
}

impl LastRuns {
    /// Keeps last runs, and writes them into the server's lock file, if it has one.
    pub(super) fn reported_to(lock: Option<Arc<ServerLock>>) -> Self {
        Self(Arc::new(LastRunsInner {
            lock,
            runs: Mutex::default(),
        }))
    }

    /// Returns the last run of each job that has run, by name.
    pub fn all(&self) -> BTreeMap<String, LastRun> {
        let runs = self.0.runs.lock().unwrap_or_else(PoisonError::into_inner);
        runs.by_job.clone()
    }

    /// Returns why the last run of a job failed; `None` if it did not.
    pub fn failure_of(&self, job: &str) -> Option<String> {
        let runs = self.0.runs.lock().unwrap_or_else(PoisonError::into_inner);
        let run = runs.by_job.get(job)?;
        (run.failures_in_a_row > 0).then(|| run.error.clone())
    }

    /// Returns the seconds since a job last ran without an error.
    pub fn age_of(&self, job: &str) -> i64 {
        let runs = self.0.runs.lock().unwrap_or_else(PoisonError::into_inner);
        let succeeded = runs.by_job.get(job).map_or(0, |run| run.succeeded);
        (Timestamp::now().as_millisecond() - succeeded) / 1_000
    }

    pub(super) fn succeeded(&self, job: &str, took: Duration) {
        self.record(job, took, |run| {
            let is_new = run.succeeded == 0 || run.failures_in_a_row > 0;
            run.succeeded = run.ended;
            run.failures_in_a_row = 0;
            run.error.clear();
            is_new
        });
    }

    pub(super) fn record_failure(&self, job: &str, took: Duration, error: String) {
        self.record(job, took, |run| {
            run.failures += 1;
            run.failures_in_a_row += 1;
            run.error = error;
            true
        });
    }

    /// Records a run; `outcome` returns true if `deals check` should know it at once.
    fn record(&self, job: &str, took: Duration, outcome: impl FnOnce(&mut LastRun) -> bool) {
        let mut runs = self.0.runs.lock().unwrap_or_else(PoisonError::into_inner);
        let run = runs.by_job.entry(job.to_owned()).or_default();
        run.ended = Timestamp::now().as_millisecond();
        run.seconds = took.as_secs_f64();
        let is_urgent = outcome(run);
        let is_old = runs.written.is_none_or(|at| at.elapsed() >= EVERY);
        if let Some(lock) = &self.0.lock
            && (is_urgent || is_old)
            && let Ok(text) = serde_json::to_string(&runs.by_job)
        {
            // Without room on the disk, `deals check` shows the runs before.
            let _ = lock.write_status(&text);
            runs.written = Some(Instant::now());
        }
    }
}

/// Returns a line of `deals check` for each job of the server that has the database; none
/// without a server.
pub fn check(database: &Path) -> Vec<CheckLine> {
    let status = server_of(database).map(|server| server.status);
    let runs: BTreeMap<String, LastRun> = status
        .and_then(|status| serde_json::from_str(&status).ok())
        .unwrap_or_default();
    runs.iter().map(|(job, run)| line(job, run)).collect()
}

fn line(job: &str, run: &LastRun) -> CheckLine {
    let ended = Timestamp::from_millisecond(run.ended).unwrap_or_default();
    let ended = moment_in_india(ended);
    let (state, text) = if run.failures_in_a_row > 0 {
        let failures = match run.failures_in_a_row {
            1 => "failed".to_owned(),
            more => format!("failed {more} times in a row, last"),
        };
        let error = run.error.trim_end_matches('.');
        let text = format!("{failures} on {ended}: {error}. It will be tried again.");
        (CheckState::Wrong, text)
    } else {
        let text = format!("ran on {ended}, for {:.3} s", run.seconds);
        (CheckState::Fine, text)
    };
    CheckLine {
        subject: format!("job {job}"),
        state,
        text,
    }
}
