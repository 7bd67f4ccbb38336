//! The loop of a job: it runs at intervals, is retried with back-off after an error, and stops with
//! the server.

use std::error::Error;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::Builder;
use std::time::{Duration, Instant};

use super::last_runs::LastRuns;
use super::{Context, FOLLOW};

/// The longest back-off of a job with a short interval, and of any job.
const LONGEST: (Duration, Duration) = (Duration::from_secs(60), Duration::from_secs(600));

/// When a job runs next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    /// After its interval.
    AtInterval,
    /// After this time.
    In(Duration),
    /// Not until the next start of the server.
    Never,
    /// When it is woken; there is nothing to do, which is reported only if earlier runs were.
    Idle,
    /// Never, and it is not reported: the server runs without it.
    Off,
}

/// The result of one run.
pub(super) type Outcome = Result<Next, Box<dyn Error>>;

/// A job, as the list names it.
pub(super) struct Job {
    /// The name in the log, in metrics and in `deals check`.
    pub(super) name: &'static str,
    every: Duration,
    run: fn(&Context) -> Outcome,
    runs_before_serving: bool,
    runs_at_stop: bool,
    is_cut_off: bool,
}

impl Job {
    /// Describes a job that runs at the start and then at intervals.
    pub(super) const fn new(
        name: &'static str,
        every: Duration,
        run: fn(&Context) -> Outcome,
    ) -> Self {
        Self {
            name,
            every,
            run,
            runs_before_serving: false,
            runs_at_stop: false,
            is_cut_off: false,
        }
    }

    /// Has the first run end before the server answers.
    pub(super) const fn before_serving(mut self) -> Self {
        self.runs_before_serving = true;
        self
    }

    /// Runs once more when the server stops.
    pub(super) const fn once_more_at_stop(mut self) -> Self {
        self.runs_at_stop = true;
        self
    }

    /// Lets a stop wait for a moment only: a run may take minutes, and loses nothing when it is cut off.
    pub(super) const fn cut_off_at_stop(mut self) -> Self {
        self.is_cut_off = true;
        self
    }

    /// Seconds until a failed job is tried again: 1, doubled with each failure in a row unless other machines wait.
    fn back_off(&self, failures: u32) -> Duration {
        let failures = if self.name == FOLLOW { 1 } else { failures };
        let (short, long) = LONGEST;
        let seconds = 1 << failures.saturating_sub(1).min(16);
        Duration::from_secs(seconds).min(self.every.clamp(short, long))
    }
}

/// A job's thread.
pub(super) struct Running {
    pub(super) job: &'static Job,
    /// Has it run at once.
    pub(super) wake: SyncSender<()>,
    ended: Receiver<()>,
}

impl Running {
    /// Waits until the thread has ended, until the given time at most if the job may be cut off.
    pub(super) fn wait_for_end(&self, until: Instant) {
        if !self.job.is_cut_off {
            let _ = self.ended.recv();
            return;
        }
        let rest = until.saturating_duration_since(Instant::now());
        if let Err(RecvTimeoutError::Timeout) = self.ended.recv_timeout(rest) {
            tracing::warn!(
                job = self.job.name,
                "stopped during a run; the next start of the server does it again"
            );
        }
    }
}

/// Starts a job's thread.
///
/// # Errors
///
/// When the system gives no thread.
pub(super) fn start(
    job: &'static Job,
    context: &Arc<Context>,
    last_runs: &LastRuns,
) -> io::Result<Running> {
    let mut runner = Runner {
        job,
        context: Arc::clone(context),
        last_runs: last_runs.clone(),
        failures: 0,
        is_reported: false,
    };
    let first = if job.runs_before_serving {
        runner.run()
    } else {
        Some(Duration::ZERO)
    };
    let (wake, woken) = sync_channel(1);
    let (alive, ended) = sync_channel::<()>(0);
    Builder::new().name(job.name.to_owned()).spawn(move || {
        runner.run_until_stopped(first, &woken);
        // The database is closed before the program ends.
        drop(runner);
        drop(alive);
    })?;
    Ok(Running { job, wake, ended })
}

struct Runner {
    job: &'static Job,
    context: Arc<Context>,
    last_runs: LastRuns,
    /// Failures since the last success.
    failures: u32,
    /// Whether a run was reported.
    is_reported: bool,
}

impl Runner {
    fn run_until_stopped(&mut self, first: Option<Duration>, woken: &Receiver<()>) {
        let mut wait = first;
        while let Some(time) = wait {
            let _ = woken.recv_timeout(time);
            if self.context.is_stopping() {
                if self.job.runs_at_stop {
                    self.run();
                }
                return;
            }
            wait = self.run();
        }
    }

    /// Runs the job, reports it, and returns the time until the next run, if there is one.
    fn run(&mut self) -> Option<Duration> {
        let job = self.job;
        let start = Instant::now();
        let outcome = catch_unwind(AssertUnwindSafe(|| (job.run)(&self.context)))
            .unwrap_or_else(|_| Err("it panicked".into()));
        let took = start.elapsed();
        match outcome {
            Ok(Next::Off) => None,
            Ok(Next::Idle) if !self.is_reported => Some(job.every),
            Ok(next) => {
                self.failures = 0;
                self.is_reported = true;
                self.last_runs.succeeded(job.name, took);
                match next {
                    Next::AtInterval | Next::Idle => Some(job.every),
                    Next::In(time) => Some(time),
                    Next::Never | Next::Off => None,
                }
            }
            Err(error) => {
                self.failures += 1;
                self.is_reported = true;
                let wait = job.back_off(self.failures);
                let error = error.to_string();
                tracing::error!(
                    job = job.name,
                    error,
                    again_in_seconds = wait.as_secs(),
                    "a background job failed"
                );
                self.last_runs.record_failure(job.name, took, error);
                Some(wait)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_back_off_of_a_failed_job_doubles_up_to_a_maximum() {
        let of = |every: u64| Job::new("", Duration::from_secs(every), |_| Ok(Next::Never));
        let waits = |job: &Job| [1, 2, 3, 7, 10, 100].map(|n| job.back_off(n).as_secs());
        assert_eq!(waits(&of(1)), [1, 2, 4, 60, 60, 60]);
        assert_eq!(waits(&of(86_400)), [1, 2, 4, 64, 512, 600]);
    }
}
