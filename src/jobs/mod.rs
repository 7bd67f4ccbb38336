//! Background jobs of a server: one file for each, and the list of them.
//!
//! Each job has a thread, so that a slow backup delays no mail. `runner` has the loop, `last_runs`
//! what `/metrics` and `deals check` report.

mod backup;
mod certificate;
mod clicks;
mod clock;
mod damage;
mod expired;
mod last_runs;
mod leftovers;
mod loss;
mod outgoing;
mod page_views;
mod removed;
mod runner;

use std::io::ErrorKind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

pub use crate::accounts::Waker;
pub use last_runs::{LastRun, LastRuns, check};

use crate::clicks::PageViewCounter;
use crate::maintenance::backups::BackupSchedule;
use crate::maintenance::certificates::SiteCertificate;
use crate::replica::{POLL, Tend};
use crate::store::{ServerLock, Store, has_room};
use outgoing::Outgoing;
pub use outgoing::Senders;
use runner::{Job, Next, Outcome, Running};

/// Every job: its name, the time between two runs, and its function.
static JOBS: &[Job] = &[
    // Before others write.
    Job::new(FOLLOW, POLL, follow)
        .before_serving()
        .cut_off_at_stop(),
    // A run without work takes microseconds, and finds a clock that jumped as well.
    Job::new("clock", Duration::from_millis(500), clock::run).before_serving(),
    Job::new("loss", Duration::from_secs(1), loss::run),
    // A run without work reads an empty index.
    Job::new(OUTGOING, Duration::from_secs(1), outgoing::run)
        .once_more_at_stop()
        .cut_off_at_stop(),
    Job::new("alerts", Duration::from_secs(1), outgoing::queue_alerts).cut_off_at_stop(),
    // A run without work reads one index twice.
    Job::new("digests", Duration::from_secs(60), outgoing::queue_digests),
    // A run without work reads the version of the database.
    Job::new("channels", Duration::from_secs(1), outgoing::queue_posts),
    Job::new("views", Duration::from_secs(10), page_views::run).once_more_at_stop(),
    Job::new("clicks", Duration::from_secs(60), clicks::run),
    Job::new("copies", Duration::from_secs(30), outgoing::queue_copies),
    Job::new("expired", Duration::from_secs(600), expired::run),
    Job::new("removed", Duration::from_secs(3_600), removed::run),
    Job::new("leftovers", Duration::from_secs(3_600), leftovers::run).cut_off_at_stop(),
    Job::new(ROOM, Duration::from_secs(1), start_with_room).cut_off_at_stop(),
    // Until it has run without an error.
    Job::new("damage", Duration::from_secs(60), damage::run).cut_off_at_stop(),
    Job::new(
        "certificate",
        Duration::from_secs(6 * 3_600),
        certificate::run,
    ),
    // At most: a run says when the next backup is due.
    Job::new(BACKUP, Duration::from_secs(24 * 3_600), backup::run).cut_off_at_stop(),
];

/// The job that makes backups.
pub const BACKUP: &str = "backup";

/// The job that follows another shop, or leads others.
pub const FOLLOW: &str = "follow";

/// The job that waits for room on the disk.
const ROOM: &str = "room";

/// Name of the job that queued messages wake.
const OUTGOING: &str = "outgoing";

/// How long a stop waits for jobs that may be cut off.
const GRACE: Duration = Duration::from_secs(2);

/// Everything that jobs work with.
pub struct Context {
    store: Store,
    outgoing: Arc<Outgoing>,
    page_views: PageViewCounter,
    backups: BackupSchedule,
    backup_failures: backup::BackupFailures,
    certificate: Option<SiteCertificate>,
    /// Role of a machine among several.
    tend: Option<Mutex<Tend>>,
    /// Stops the server for a reason, or has it start anew without one.
    stop_server: Box<dyn Fn(Option<String>) + Send + Sync>,
    is_stopping: AtomicBool,
}

impl Context {
    /// Collects what jobs need; `stop_server` stops the server with a reason, or has it start anew.
    pub fn new(
        store: Store,
        senders: Senders,
        page_views: PageViewCounter,
        backups: BackupSchedule,
        certificate: Option<SiteCertificate>,
        stop_server: impl Fn(Option<String>) + Send + Sync + 'static,
    ) -> Self {
        Self {
            outgoing: Arc::new(Outgoing::new(store.clone(), senders)),
            store,
            page_views,
            backups,
            backup_failures: backup::BackupFailures::default(),
            certificate,
            tend: None,
            stop_server: Box::new(stop_server),
            is_stopping: AtomicBool::new(false),
        }
    }

    /// Returns true from the moment on at which the server stops.
    fn is_stopping(&self) -> bool {
        self.is_stopping.load(Ordering::SeqCst)
    }
}

/// The running jobs of a server. Dropped, they stop, after what some of them do last.
pub struct Jobs {
    context: Arc<Context>,
    running: Vec<Running>,
    last_runs: LastRuns,
}

impl Jobs {
    /// Starts every job; on a read-only or full disk the backups only, which are for another one, and
    /// the wait for room; of a copy, only the one that follows. `lock` is where the last runs are
    /// reported to `deals check`.
    ///
    /// # Errors
    ///
    /// When another server makes backups of the same name in the same folder, or the system
    /// gives no thread.
    pub fn start(
        mut context: Context,
        lock: Option<Arc<ServerLock>>,
        tend: Option<Tend>,
    ) -> std::io::Result<Self> {
        context.tend = tend.map(Mutex::new);
        claim_names(&context)?;
        let mut jobs = Self {
            context: Arc::new(context),
            running: Vec::new(),
            last_runs: LastRuns::reported_to(lock),
        };
        let is_read_only = jobs.context.store.is_read_only();
        let is_copy = is_read_only && jobs.context.tend.is_some();
        for job in JOBS.iter().filter(|job| match job.name {
            name if is_copy => name == FOLLOW,
            name => name == BACKUP || is_read_only == (name == ROOM),
        }) {
            let running = runner::start(job, &jobs.context, &jobs.last_runs)?;
            jobs.running.push(running);
        }
        Ok(jobs)
    }

    /// Returns the last run of each job, as it is at any later time.
    pub fn last_runs(&self) -> LastRuns {
        self.last_runs.clone()
    }

    /// Returns the waker of the job that sends queued messages.
    pub fn outgoing_waker(&self) -> Waker {
        self.waker(OUTGOING)
    }

    /// Returns the waker of the backup job, which then reads its schedule again.
    pub fn backup_waker(&self) -> Waker {
        self.waker(BACKUP)
    }

    fn waker(&self, name: &str) -> Waker {
        let job = self.running.iter().find(|running| running.job.name == name);
        job.map_or_else(Waker::default, |job| Waker::new(job.wake.clone()))
    }
}

impl Drop for Jobs {
    fn drop(&mut self) {
        self.context.is_stopping.store(true, Ordering::SeqCst);
        for running in &self.running {
            // One that is full wakes it as well.
            let _ = running.wake.try_send(());
        }
        let until = Instant::now() + GRACE;
        for running in &self.running {
            running.wait_for_end(until);
        }
    }
}

/// Waits, in a server that only reads as its disk is full or read-only, until the disk can be written
/// to, and has the server start anew, to write.
fn start_with_room(context: &Context) -> Outcome {
    if !has_room(context.store.path()) {
        return Ok(Next::AtInterval);
    }
    tracing::info!("the disk can be written to again: starting anew");
    (context.stop_server)(None);
    Ok(Next::Never)
}

/// Brings a copy that follows another shop up to date, or gives a sign of life to those that follow this one.
fn follow(context: &Context) -> Outcome {
    let Some(tend) = &context.tend else {
        return Ok(Next::Off);
    };
    let mut tend = tend.lock().unwrap_or_else(PoisonError::into_inner);
    // With the name of the file.
    let wait = tend(&context.store).map_err(|error| format!("{error:#}"))?;
    if wait.is_none() {
        (context.stop_server)(None);
    }
    Ok(wait.map_or(Next::Never, Next::In))
}

/// Keeps other servers from using the names of this server's backups.
fn claim_names(context: &Context) -> std::io::Result<()> {
    let claim = match context.backups.current() {
        Some(plan) => plan.claim(context.store.path()),
        None => Ok(()),
    };
    // The job reports a folder that can't be used, and tries it again.
    let is_busy = |error: &std::io::Error| error.kind() == ErrorKind::ResourceBusy;
    claim.or_else(
        |error| match is_busy(&error) && context.backups.is_given() {
            true => Err(error),
            false => Ok(()),
        },
    )
}
