//! The writer thread: it owns the writing connection and commits all waiting jobs as one transaction
//! (group commit).
//!
//! A commit costs an fsync, whatever its size. While one runs, further jobs wait in the queue; the
//! next transaction takes them all, so the number of fsyncs does not grow with the number of clients.
//! A job is acknowledged only after its transaction was committed.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, OnceLock};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rusqlite::{Connection, config::DbConfig};

use super::pending::{Pending, lost};
use super::rows;
use super::sentinel::{Loss, Sentinel};
use crate::store::StoreError;

/// Maximum number of waiting jobs; more are refused as busy.
const QUEUE: usize = 4_096;
/// Maximum number of jobs of one transaction: bounds the time to the first result.
const BATCH: usize = 512;

/// Time for clients that were answered just now to write again, before a commit that waits for a bucket.
const GATHER: Duration = Duration::from_millis(2);

/// Duration from which a transaction is logged as slow.
const SLOW: Duration = Duration::from_secs(1);

/// State and counters of the writer.
#[derive(Default)]
pub(crate) struct Health {
    /// Whether the last write failed.
    failing: AtomicBool,
    asked: AtomicU64,
    failed: AtomicU64,
    transactions: AtomicU64,
    busy_micros: AtomicU64,
    sentinel: OnceLock<Sentinel>,
    pub(crate) confirm: OnceLock<Confirm>,
}

/// Has commits stored elsewhere too: returns once what was committed may be acknowledged; if nothing was, whether
/// a write may begin.
pub type Confirm = Arc<dyn Fn(bool) -> Result<(), StoreError> + Send + Sync>;

pub(crate) fn confirm(health: &Health, is_committed: bool) -> Result<(), StoreError> {
    let confirm = health.confirm.get();
    confirm.map_or(Ok(()), |confirm| confirm(is_committed))
}

/// Counters since the start.
#[derive(Debug, Clone, Copy)]
pub struct WriteFigures {
    /// Writes that were requested.
    pub asked: u64,
    /// Writes that failed on a full or read-only disk.
    pub failed: u64,
    /// Transactions.
    pub transactions: u64,
    /// Time spent in transactions.
    pub busy: Duration,
}

/// Writes that are added to a transaction before its commit: the jobs' changes of the full-text index.
pub(crate) trait BeforeCommit: Send {
    /// Returns the number of waiting changes, for [`forget_after`](Self::forget_after).
    fn mark(&self) -> usize;
    /// Drops the changes after a mark, which were rolled back.
    fn forget_after(&self, mark: usize);
    /// Writes the waiting changes in the open transaction.
    fn write(&self, connection: &Connection) -> Result<(), StoreError>;
}

struct Writing {
    connection: Connection,
    before_commit: Box<dyn BeforeCommit>,
}

type Acknowledgement = Box<dyn FnOnce(Result<(), StoreError>) + Send>;
/// Runs in a transaction, or gets the reason why there is none; returns whether to keep its changes, and
/// the function that sends its result after the commit.
type WriteJob = Box<dyn FnOnce(Result<&Connection, StoreError>) -> (bool, Acknowledgement) + Send>;

/// The queue of the writer thread; dropping it ends the thread after the waiting jobs are committed.
pub(crate) struct Writer {
    queue: Option<SyncSender<WriteJob>>,
    pub(crate) health: Arc<Health>,
    thread: Option<JoinHandle<()>>,
    /// Why every job is refused.
    refusal: Option<StoreError>,
}

impl Writer {
    pub(crate) fn start(
        connection: Connection,
        before_commit: impl BeforeCommit + 'static,
    ) -> std::io::Result<Self> {
        let writing = Writing {
            connection,
            before_commit: Box::new(before_commit),
        };
        let (queue, jobs) = sync_channel(QUEUE);
        let health = Arc::new(Health::default());
        let seen = Arc::clone(&health);
        let thread = std::thread::Builder::new()
            .name("writer".to_owned())
            .spawn(move || run(&writing, &jobs, &seen))?;
        Ok(Self {
            queue: Some(queue),
            health,
            thread: Some(thread),
            refusal: None,
        })
    }

    /// A writer for a database on a read-only or full disk: refuses every job.
    pub(crate) fn refusing(reason: StoreError) -> Self {
        Self {
            queue: None,
            health: Arc::default(),
            thread: None,
            refusal: Some(reason),
        }
    }

    /// Whether every job is refused.
    pub(crate) fn is_refusing(&self) -> bool {
        self.refusal.is_some()
    }

    /// Whether the last write failed: the disk may be full, or the file lost.
    pub(crate) fn is_failing(&self) -> bool {
        self.health.failing.load(Ordering::Relaxed)
    }

    /// Acknowledges from now on only commits to the file that the sentinel recognises.
    pub(crate) fn guard(&self, sentinel: Sentinel) {
        let _ = self.health.sentinel.set(sentinel);
    }

    pub(crate) fn sentinel(&self) -> Option<&Sentinel> {
        self.health.sentinel.get()
    }

    pub(crate) fn figures(&self) -> WriteFigures {
        let read = |count: &AtomicU64| count.load(Ordering::Relaxed);
        WriteFigures {
            asked: read(&self.health.asked),
            failed: read(&self.health.failed),
            transactions: read(&self.health.transactions),
            busy: Duration::from_micros(read(&self.health.busy_micros)),
        }
    }

    /// Queues a job. If it fails, only its own changes are rolled back.
    pub(crate) fn submit<T, F>(&self, job: F) -> Pending<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    {
        let (sender, pending) = Pending::new();
        let health = Arc::clone(&self.health);
        health.asked.fetch_add(1, Ordering::Relaxed);
        let job: WriteJob = Box::new(move |connection| {
            let result = connection.and_then(job);
            if let Err(StoreError::Full | StoreError::ReadOnly) = result {
                health.failing.store(true, Ordering::Relaxed);
                health.failed.fetch_add(1, Ordering::Relaxed);
            }
            let keep = result.is_ok();
            let answer: Acknowledgement = Box::new(move |committed| {
                // The receiver is gone when the client is: the write stays, as if the response had
                // been lost on the network.
                drop(sender.send(result.and_then(|value| committed.map(|()| value))));
            });
            (keep, answer)
        });
        match self.queue.as_ref().map(|queue| queue.try_send(job)) {
            Some(Ok(())) => pending,
            Some(Err(TrySendError::Full(_))) => {
                Pending::failed(StoreError::Busy("too many writes are waiting".to_owned()))
            }
            Some(Err(TrySendError::Disconnected(_))) => Pending::failed(lost()),
            None => Pending::failed(self.refusal.clone().unwrap_or_else(lost)),
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.queue = None;
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the writer thread panicked");
        }
    }
}

fn run(writing: &Writing, jobs: &Receiver<WriteJob>, health: &Health) {
    let connection = &writing.connection;
    while let Ok(first) = jobs.recv() {
        if health.confirm.get().is_some() {
            std::thread::sleep(GATHER);
        }
        let mut batch = vec![first];
        batch.extend(jobs.try_iter().take(BATCH - 1));
        let mut answers = Vec::with_capacity(batch.len());
        let changes = connection.total_changes();
        let start = Instant::now();
        let outcome = commit_together(writing, batch, &mut answers, health);
        let took = start.elapsed();
        if outcome.is_err() {
            health.failing.store(true, Ordering::Relaxed);
        } else if connection.total_changes() != changes {
            health.failing.store(false, Ordering::Relaxed);
        }
        health.transactions.fetch_add(1, Ordering::Relaxed);
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        health.busy_micros.fetch_add(micros, Ordering::Relaxed);
        if took > SLOW {
            tracing::warn!(
                ms = took.as_millis(),
                jobs = answers.len(),
                "a slow transaction"
            );
        }
        if let Err(error) = &outcome {
            // The job that looks after the bucket says why.
            if !matches!(error, StoreError::Unconfirmed(_)) {
                tracing::error!(%error, "a transaction failed");
            }
            writing.before_commit.forget_after(0);
            if !connection.is_autocommit()
                && let Err(error) = connection.execute_batch("ROLLBACK")
            {
                tracing::error!(%error, "rolling back failed");
            }
        }
        for answer in answers {
            answer(outcome.clone());
        }
    }
}

fn commit_together(
    writing: &Writing,
    batch: Vec<WriteJob>,
    answers: &mut Vec<Acknowledgement>,
    health: &Health,
) -> Result<(), StoreError> {
    let connection = &writing.connection;
    let sentinel = health.sentinel.get();
    let check = || sentinel.map_or(Ok(()), |sentinel| check(sentinel, connection));
    let changes = connection.total_changes();
    let begin = || rows::run(connection, "BEGIN IMMEDIATE", []);
    let mut outcome = confirm(health, false).and_then(|()| begin());
    for job in batch {
        if let Err(error) = &outcome {
            answers.push(job(Err(error.clone())).1);
        } else {
            outcome = run_one(writing, job, answers);
        }
    }
    outcome?;
    writing.before_commit.write(connection)?;
    // Before, so that SQLite writes nothing into another file, and after, so that no commit to a lost
    // file is acknowledged.
    check()?;
    rows::run(connection, "COMMIT", [])?;
    check()?;
    confirm(health, connection.total_changes() != changes)
}

/// Checks the file. An overwritten one gets no checkpoint when it is closed: the pages in the WAL
/// belong to the former content.
fn check(sentinel: &Sentinel, connection: &Connection) -> Result<(), StoreError> {
    sentinel.check(connection).map_err(|loss| {
        if loss == Loss::Overwritten {
            let leave = DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE;
            let _ = connection.set_db_config(leave, true);
        }
        StoreError::Gone(loss)
    })
}

/// Runs a job in a savepoint, so that its failure rolls back only its own changes.
fn run_one(
    writing: &Writing,
    job: WriteJob,
    answers: &mut Vec<Acknowledgement>,
) -> Result<(), StoreError> {
    let connection = &writing.connection;
    let mark = writing.before_commit.mark();
    rows::run(connection, "SAVEPOINT job", [])?;
    let ran = catch_unwind(AssertUnwindSafe(|| job(Ok(connection))));
    let keep = matches!(ran, Ok((true, _)));
    if let Ok((_, answer)) = ran {
        answers.push(answer);
    }
    // SQLite rolls the whole transaction back when the disk is full or fails; later statements would
    // run outside of any transaction.
    if connection.is_autocommit() {
        return Err(StoreError::Full);
    }
    if keep {
        return rows::run(connection, "RELEASE job", []);
    }
    writing.before_commit.forget_after(mark);
    Ok(connection.execute_batch("ROLLBACK TO job; RELEASE job")?)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Nothing;

    impl BeforeCommit for Nothing {
        fn mark(&self) -> usize {
            0
        }

        fn forget_after(&self, _: usize) {}

        fn write(&self, _: &Connection) -> Result<(), StoreError> {
            Ok(())
        }
    }

    fn writer() -> (Writer, tempfile::TempDir) {
        let folder = tempfile::tempdir().unwrap();
        let connection = Connection::open(folder.path().join("test.sqlite")).unwrap();
        connection
            .execute_batch("CREATE TABLE numbers (n INTEGER UNIQUE)")
            .unwrap();
        (Writer::start(connection, Nothing).unwrap(), folder)
    }

    fn insert(writer: &Writer, n: i64) -> Pending<()> {
        writer.submit(move |connection| {
            connection.execute("INSERT INTO numbers VALUES (?)", [n])?;
            Ok(())
        })
    }

    fn numbers(writer: &Writer) -> Vec<i64> {
        writer
            .submit(|connection| {
                let mut statement = connection.prepare("SELECT n FROM numbers ORDER BY n")?;
                let numbers = statement.query_map([], |row| row.get(0))?;
                Ok(numbers.collect::<Result<_, _>>()?)
            })
            .wait()
            .unwrap()
    }

    #[test]
    fn a_failed_write_rolls_back_only_its_own_changes() {
        let (writer, _folder) = writer();
        let pending = [1, 2, 1, 3].map(|n| insert(&writer, n));
        let results = pending.map(|pending| pending.wait().is_ok());
        assert_eq!(results, [true, true, false, true]);
        assert_eq!(numbers(&writer), [1, 2, 3]);
    }

    #[test]
    fn a_panicking_write_is_rolled_back() {
        let (writer, _folder) = writer();
        let pending = writer.submit::<(), _>(|connection| {
            connection.execute("INSERT INTO numbers VALUES (7)", [])?;
            panic!("expected by the test");
        });
        assert!(matches!(pending.wait(), Err(StoreError::Other(_))));
        insert(&writer, 8).wait().unwrap();
        assert_eq!(numbers(&writer), [8]);
    }

    #[test]
    fn dropping_the_writer_commits_queued_writes() {
        let (writer, folder) = writer();
        let pending: Vec<_> = (0..1_000).map(|n| insert(&writer, n)).collect();
        drop(writer);
        for pending in pending {
            pending.wait().unwrap();
        }
        let connection = Connection::open(folder.path().join("test.sqlite")).unwrap();
        let count: i64 = connection
            .query_row("SELECT count(*) FROM numbers", [], |row| row.get(0))
            .unwrap();
        assert_eq!(count, 1_000);
    }
}
