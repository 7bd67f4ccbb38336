//! Threads that run the jobs of a lane.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;
use tokio::time::timeout;

use super::group::{Done, QueuedJob};
use super::party::Party;
use super::waiting::{Limits, Waiting};
use crate::http::error::ApiError;

/// Threads that serve the jobs of one kind.
pub(crate) struct Lane(Arc<LaneState>);

struct LaneState {
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

/// Threads of a lane.
pub(crate) struct Threads {
    pub(crate) name: &'static str,
    pub(crate) count: usize,
    /// Whether others of the process come first where the system can tell threads apart.
    pub(crate) is_background: bool,
    /// Called by each thread before its first job.
    pub(crate) begin: fn(),
}

impl Lane {
    pub(crate) fn start(threads: &Threads, limits: Limits) -> Self {
        let shared = Arc::new(LaneState {
            waiting: Mutex::new(Waiting::new(threads.count, limits)),
            changed: Condvar::new(),
        });
        let (is_background, begin) = (threads.is_background, threads.begin);
        for number in 0..threads.count {
            let of_thread = Arc::clone(&shared);
            let started = std::thread::Builder::new()
                .name(format!("{}-{number}", threads.name))
                .spawn(move || {
                    if is_background {
                        step_back();
                    }
                    begin();
                    of_thread.run();
                });
            if let Err(error) = started {
                tracing::error!(%error, "cannot start a thread");
            }
        }
        Self(shared)
    }

    /// Returns the number of jobs that wait: those of the party's own group, or the groups that wait, of
    /// which there is more. A flood from one network counts for that network alone.
    pub(crate) fn waiting(&self, party: &Party) -> usize {
        self.0.lock().ahead(party)
    }

    /// Runs `work` in the party's turn, or drops it if the caller is gone. The thread belongs to the
    /// work: if the caller goes while it runs, the flag becomes true, and the work may stop.
    ///
    /// # Errors
    ///
    /// The error of `work`; [`ApiError::Busy`] if it was not started in time or the lane is full,
    /// [`ApiError::Panicked`] if it panicked.
    pub(crate) async fn run<T, E>(
        &self,
        party: impl Into<Party>,
        work: impl FnOnce(&Arc<AtomicBool>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, ApiError>
    where
        T: Send + 'static,
        E: Into<ApiError> + Send + 'static,
    {
        let (sender, mut receiver) = oneshot::channel();
        let is_abandoned = Arc::<AtomicBool>::default();
        let flag = Arc::clone(&is_abandoned);
        let run = Box::new(move || {
            let made = catch_unwind(AssertUnwindSafe(|| work(&flag)));
            Done {
                is_success: matches!(made, Ok(Ok(_))),
                answer: Box::new(move || {
                    let _ = sender.send(made);
                }),
            }
        });
        let place = self.0.enter(party.into(), run, is_abandoned)?;
        let wait = self.0.lock().limits.wait;
        let outcome = match timeout(wait, &mut receiver).await {
            Ok(outcome) => outcome,
            Err(_) if place.leave() => return Err(ApiError::Busy),
            Err(_) => receiver.await,
        };
        match outcome {
            Ok(Ok(made)) => made.map_err(Into::into),
            Ok(Err(_)) => Err(ApiError::Panicked),
            // A job of another party was preferred.
            Err(_) => Err(ApiError::Busy),
        }
    }
}

/// Lets other threads run first. Elsewhere than on Linux, it would slow down the whole process.
fn step_back() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::setpriority_process(None, NICE) {
        tracing::debug!(%error, "a thread keeps its priority");
    }
}

/// Priority of background threads: a quarter of the time of others on a busy core.
#[cfg(target_os = "linux")]
const NICE: i32 = 5;

impl Drop for Lane {
    fn drop(&mut self) {
        self.0.lock().is_closed = true;
        self.0.changed.notify_all();
    }
}

impl LaneState {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn enter(
        self: &Arc<Self>,
        party: Party,
        run: Box<dyn FnOnce() -> Done + Send>,
        is_abandoned: Arc<AtomicBool>,
    ) -> Result<LanePlace, ApiError> {
        let added = self.lock().add(&party, run);
        // Dropping a job wakes its client, so it waits until the lock is released.
        let (id, _dropped) = added?;
        self.changed.notify_one();
        Ok(LanePlace {
            lane: Arc::clone(self),
            party,
            id,
            is_abandoned,
        })
    }

    /// Runs jobs until the lane is closed.
    fn run(&self) {
        let mut waiting = self.lock();
        loop {
            if let Some((party, QueuedJob { run, .. })) = waiting.next() {
                drop(waiting);
                let start = Instant::now();
                let Done { is_success, answer } = run();
                let took = start.elapsed();
                waiting = self.lock();
                let is_free = is_success && waiting.limits.newest_first;
                waiting.finish(&party, if is_free { Duration::ZERO } else { took });
                // Not before, or the caller's next job would meet this one still running.
                drop(waiting);
                answer();
                waiting = self.lock();
            } else if waiting.is_closed {
                return;
            } else {
                let woken = self.changed.wait(waiting);
                waiting = woken.unwrap_or_else(PoisonError::into_inner);
            }
        }
    }
}

/// The place of a job in a lane, given up when its caller is gone.
struct LanePlace {
    lane: Arc<LaneState>,
    party: Party,
    id: u64,
    is_abandoned: Arc<AtomicBool>,
}

impl LanePlace {
    /// Removes the job from the lane; false if it has been started.
    fn leave(&self) -> bool {
        // Dropped after the lock is released.
        let removed = self.lane.lock().remove(&self.party, self.id);
        removed.is_some()
    }
}

impl Drop for LanePlace {
    fn drop(&mut self) {
        self.is_abandoned.store(true, Ordering::Relaxed);
        self.leave();
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;
    use std::sync::mpsc::{Sender, channel};

    use super::*;
    use crate::http::serving::rate_limit::Client;

    const THREADS: usize = 3;
    const WAITING: usize = 1_024;

    fn lane() -> Lane {
        let threads = Threads {
            name: "tests",
            count: THREADS,
            is_background: false,
            begin: || (),
        };
        let limits = Limits {
            waiting: WAITING,
            waiting_of_one: usize::MAX,
            running_of_one: usize::MAX,
            wait: Duration::from_secs(600),
            newest_first: false,
        };
        Lane::start(&threads, limits)
    }

    fn client(number: u32) -> Party {
        Client::new(Ipv4Addr::from_bits(number).into()).into()
    }

    fn enter(
        lane: &Lane,
        party: Party,
        work: impl FnOnce() + Send + 'static,
    ) -> Result<LanePlace, ApiError> {
        let run = Box::new(|| {
            work();
            Done::unanswered()
        });
        lane.0.enter(party, run, Arc::default())
    }

    /// Blocks every thread until the returned value is dropped.
    fn block_all(lane: &Lane) -> Sender<()> {
        let (release, released) = channel();
        let released = Arc::new(Mutex::new(released));
        let (begin, begun) = channel();
        for _ in 0..THREADS {
            let (begin, released) = (begin.clone(), Arc::clone(&released));
            let place = enter(lane, client(1), move || {
                let _ = begin.send(());
                let _ = released.lock().unwrap().recv();
            });
            begun.recv().unwrap();
            drop(place);
        }
        release
    }

    fn seven(_: &Arc<AtomicBool>) -> Result<u32, ApiError> {
        Ok(7)
    }

    #[actix_web::test]
    async fn a_panicking_job_does_not_stop_the_lane() {
        let lane = lane();
        for _ in 0..50 {
            let work = |_: &_| -> Result<(), ApiError> { panic!("expected by the test") };
            let panicked = lane.run(client(1), work).await;
            assert!(matches!(panicked, Err::<(), _>(ApiError::Panicked)));
        }
        assert_eq!(lane.run(client(1), seven).await.unwrap(), 7);
    }

    #[actix_web::test]
    async fn jobs_of_disconnected_clients_are_skipped() {
        let lane = lane();
        let release = block_all(&lane);
        let ran = Arc::new(Mutex::new(false));
        let noted = Arc::clone(&ran);
        {
            let abandoned = lane.run(client(2), move |_| {
                *noted.lock().unwrap() = true;
                Ok::<_, ApiError>(())
            });
            let made = timeout(Duration::ZERO, abandoned).await;
            assert!(made.is_err(), "every thread is busy");
        }
        drop(release);
        assert_eq!(lane.run(client(2), seven).await.unwrap(), 7);
        assert!(!*ran.lock().unwrap());
    }

    #[actix_web::test]
    async fn a_running_job_sees_that_its_client_disconnected() {
        let lane = lane();
        let (begin, begun) = channel();
        let (tell, told) = channel();
        let mut work = Box::pin(lane.run(client(2), move |is_abandoned| {
            begin.send(()).unwrap();
            while !is_abandoned.load(Ordering::Relaxed) {
                std::thread::yield_now();
            }
            tell.send(()).unwrap();
            Ok::<_, ApiError>(())
        }));
        assert!(timeout(Duration::ZERO, &mut work).await.is_err());
        begun.recv().unwrap();
        drop(work);
        told.recv().unwrap();
    }

    #[actix_web::test]
    async fn a_finished_job_no_longer_counts_against_its_clients_limit() {
        let threads = Threads {
            name: "tests",
            count: 1,
            begin: || (),
            is_background: false,
        };
        let limits = Limits {
            waiting: WAITING,
            waiting_of_one: 1,
            running_of_one: 1,
            wait: Duration::from_secs(600),
            newest_first: false,
        };
        let lane = Arc::new(Lane::start(&threads, limits));
        let callers = [(); 2].map(|()| {
            let lane = Arc::clone(&lane);
            actix_web::rt::spawn(async move {
                for _ in 0..1_000 {
                    assert_eq!(lane.run(client(1), seven).await.unwrap(), 7);
                }
            })
        });
        for caller in callers {
            caller.await.unwrap();
        }
    }

    #[actix_web::test]
    async fn a_queue_filled_by_one_address_still_serves_a_thousand_others() {
        let lane = lane();
        let release = block_all(&lane);
        let flood: Vec<_> = (0..2 * WAITING)
            .map(|_| enter(&lane, client(1), || {}))
            .collect();
        let refused = flood.iter().filter(|place| place.is_err()).count();
        assert_eq!(refused, WAITING);
        let (done, served) = channel();
        let visitors: Vec<_> = (2..1_002)
            .map(|number| {
                let done = done.clone();
                enter(&lane, client(number), move || done.send(number).unwrap())
            })
            .collect();
        assert!(visitors.iter().all(Result::is_ok));
        drop(release);
        let mut all: Vec<u32> = served.iter().take(1_000).collect();
        all.sort_unstable();
        assert!(all.into_iter().eq(2..1_002));
    }
}
