//! The one writer: a thread that owns the writing connection and commits
//! everything that is waiting as one transaction (group commit).
//!
//! A commit costs an fsync, whatever it holds. While one commit runs, further
//! jobs gather in the queue; the next transaction takes them all, so the number
//! of fsyncs does not grow with the number of clients. A job is answered only
//! after the transaction that holds it was committed.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, OnceLock};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rusqlite::{Connection, config::DbConfig};

use super::pending::{Pending, lost};
use super::sentinel::{Loss, Sentinel};
use crate::store::StoreError;

/// Jobs that may wait; more are refused as busy instead of growing without bound.
const QUEUE: usize = 4_096;
/// Jobs of one transaction: bounds the time to the first answer.
const BATCH: usize = 512;

/// What a transaction may take before the owner should know.
const SLOW: Duration = Duration::from_secs(1);

/// How writing goes.
#[derive(Default)]
struct Health {
    /// Whether the last write failed.
    failing: AtomicBool,
    asked: AtomicU64,
    failed: AtomicU64,
    transactions: AtomicU64,
    busy_micros: AtomicU64,
    /// What a server knows its file by.
    sentinel: OnceLock<Sentinel>,
}

/// What was written since the start.
#[derive(Debug, Clone, Copy)]
pub struct WriteFigures {
    /// Writes that were asked for.
    pub asked: u64,
    /// Those that found no room or no access.
    pub failed: u64,
    /// Transactions; each commits what was waiting.
    pub transactions: u64,
    /// The time spent in them.
    pub busy: Duration,
}

/// What has to be written with a transaction besides what its jobs write.
pub(crate) trait BeforeCommit: Send {
    /// How much waits to be written: what comes after it may be forgotten.
    fn mark(&self) -> usize;
    /// Forgets what came after a mark, because it was rolled back.
    fn forget_after(&self, mark: usize);
    /// Writes what waits, in the transaction that is open.
    fn write(&self, connection: &Connection) -> Result<(), StoreError>;
}

/// The writing connection, and what it writes before a commit.
struct Writing {
    connection: Connection,
    before_commit: Box<dyn BeforeCommit>,
}

type Answer = Box<dyn FnOnce(Result<(), StoreError>) + Send>;
/// Does its work, unless there is no transaction to do it in, and returns whether
/// to keep it and how to answer after the commit.
type Job = Box<dyn FnOnce(Result<&Connection, StoreError>) -> (bool, Answer) + Send>;

/// The sending side of the writer's queue; dropping the last one ends the thread
/// after it committed what was waiting.
pub(crate) struct Writer {
    queue: Option<SyncSender<Job>>,
    health: Arc<Health>,
    thread: Option<JoinHandle<()>>,
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
        })
    }

    /// Whether the last write failed: the disk may be full, or the file taken away.
    pub(crate) fn is_failing(&self) -> bool {
        self.health.failing.load(Ordering::Relaxed)
    }

    /// Acknowledges from now on only what is in the file that this knows.
    pub(crate) fn guard(&self, sentinel: Sentinel) {
        let _ = self.health.sentinel.set(sentinel);
    }

    /// What the file is known by, if it is guarded.
    pub(crate) fn sentinel(&self) -> Option<&Sentinel> {
        self.health.sentinel.get()
    }

    /// What was written since the start.
    pub(crate) fn figures(&self) -> WriteFigures {
        let read = |count: &AtomicU64| count.load(Ordering::Relaxed);
        WriteFigures {
            asked: read(&self.health.asked),
            failed: read(&self.health.failed),
            transactions: read(&self.health.transactions),
            busy: Duration::from_micros(read(&self.health.busy_micros)),
        }
    }

    /// Queues a job. If it fails, its changes alone are undone, and the caller gets the error.
    pub(crate) fn submit<T, F>(&self, job: F) -> Pending<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    {
        let (sender, pending) = Pending::new();
        let health = Arc::clone(&self.health);
        health.asked.fetch_add(1, Ordering::Relaxed);
        let job: Job = Box::new(move |connection| {
            let result = connection.and_then(job);
            if let Err(StoreError::Full | StoreError::ReadOnly) = result {
                health.failing.store(true, Ordering::Relaxed);
                health.failed.fetch_add(1, Ordering::Relaxed);
            }
            let keep = result.is_ok();
            let answer: Answer = Box::new(move |committed| {
                // Nobody waits any more when the client went away: the write
                // stays, as it would had the answer been lost on the network.
                drop(sender.send(result.and_then(|value| committed.map(|()| value))));
            });
            (keep, answer)
        });
        match self.queue.as_ref().map(|queue| queue.try_send(job)) {
            Some(Ok(())) => pending,
            Some(Err(TrySendError::Full(_))) => {
                Pending::refused(StoreError::Busy("too many writes are waiting".to_owned()))
            }
            Some(Err(TrySendError::Disconnected(_))) | None => Pending::refused(lost()),
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

fn run(writing: &Writing, jobs: &Receiver<Job>, health: &Health) {
    let connection = &writing.connection;
    while let Ok(first) = jobs.recv() {
        let mut batch = vec![first];
        batch.extend(jobs.try_iter().take(BATCH - 1));
        let mut answers = Vec::with_capacity(batch.len());
        let changes = connection.total_changes();
        let start = Instant::now();
        let outcome = commit_together(writing, batch, &mut answers, health.sentinel.get());
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
            tracing::error!(%error, "a transaction failed");
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
    batch: Vec<Job>,
    answers: &mut Vec<Answer>,
    sentinel: Option<&Sentinel>,
) -> Result<(), StoreError> {
    let connection = &writing.connection;
    let look = || sentinel.map_or(Ok(()), |sentinel| look(sentinel, connection));
    let mut outcome = run_sql(connection, "BEGIN IMMEDIATE");
    for job in batch {
        if let Err(error) = &outcome {
            answers.push(job(Err(error.clone())).1);
        } else {
            outcome = run_one(writing, job, answers);
        }
    }
    outcome?;
    writing.before_commit.write(connection)?;
    // Before, so that SQLite writes nothing into a file that is not ours, and after, so
    // that nothing is acknowledged that went elsewhere.
    look()?;
    run_sql(connection, "COMMIT")?;
    look()
}

/// Whether the file is still there. What was overwritten is left as it is when it is
/// closed: the pages in the WAL belong to what was there before.
fn look(sentinel: &Sentinel, connection: &Connection) -> Result<(), StoreError> {
    sentinel.look(connection).map_err(|loss| {
        if loss == Loss::Overwritten {
            let leave = DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE;
            let _ = connection.set_db_config(leave, true);
        }
        StoreError::Gone(loss)
    })
}

/// Runs a job in a savepoint of its own, so that its failure undoes only its own changes.
fn run_one(writing: &Writing, job: Job, answers: &mut Vec<Answer>) -> Result<(), StoreError> {
    let connection = &writing.connection;
    let mark = writing.before_commit.mark();
    run_sql(connection, "SAVEPOINT job")?;
    let ran = catch_unwind(AssertUnwindSafe(|| job(Ok(connection))));
    let keep = matches!(ran, Ok((true, _)));
    if let Ok((_, answer)) = ran {
        answers.push(answer);
    }
    // SQLite undoes the whole transaction by itself when the disk is full or
    // fails; what follows would then run outside of any transaction.
    if connection.is_autocommit() {
        return Err(StoreError::Full);
    }
    if keep {
        return run_sql(connection, "RELEASE job");
    }
    writing.before_commit.forget_after(mark);
    Ok(connection.execute_batch("ROLLBACK TO job; RELEASE job")?)
}

/// Runs a statement without results that each transaction or job needs again.
fn run_sql(connection: &Connection, sql: &str) -> Result<(), StoreError> {
    connection.prepare_cached(sql)?.raw_execute()?;
    Ok(())
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
    fn a_failed_job_undoes_itself_and_not_its_neighbours() {
        let (writer, _folder) = writer();
        let pending = [1, 2, 1, 3].map(|n| insert(&writer, n));
        let results = pending.map(|pending| pending.wait().is_ok());
        assert_eq!(results, [true, true, false, true]);
        assert_eq!(numbers(&writer), [1, 2, 3]);
    }

    #[test]
    fn a_job_that_panics_is_answered_and_undone() {
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
    fn dropping_the_writer_commits_what_was_waiting() {
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
