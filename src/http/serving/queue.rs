//! The work queue of anonymous requests: bounded in length and waiting time. Client addresses take
//! turns, so that a flood from one address delays only that address (security, R30).

use std::collections::{HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::timeout;

use super::rate_limit::Client;
use crate::http::error::ApiError;

/// Maximum number of waiting jobs, of all addresses together.
const MAX_WAITING: usize = 1_024;
/// Maximum wait of a job before its client gets 503.
const MAX_WAIT: Duration = Duration::from_secs(2);

/// Runs jobs on one thread more than there are cores, because one may wait for the disk.
pub(crate) struct WorkQueue(Arc<Shared>);

#[derive(Default)]
struct Shared {
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

/// Jobs that have not been started.
#[derive(Default)]
struct Waiting {
    jobs: HashMap<Client, VecDeque<Job>>,
    /// Addresses with waiting jobs, the next one first.
    turns: VecDeque<Client>,
    count: usize,
    last_id: u64,
    is_closed: bool,
}

struct Job {
    id: u64,
    run: Box<dyn FnOnce() + Send>,
}

impl WorkQueue {
    pub(crate) fn new() -> Self {
        let shared = Arc::<Shared>::default();
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        for number in 0..=cores {
            let of_thread = Arc::clone(&shared);
            let started = std::thread::Builder::new()
                .name(format!("work-{number}"))
                .spawn(move || of_thread.run());
            if let Err(error) = started {
                tracing::error!(%error, "cannot start a thread");
            }
        }
        Self(shared)
    }

    /// Runs `work` in the client's turn, or drops it if the caller is gone.
    ///
    /// # Errors
    ///
    /// [`ApiError::Busy`] if it was not started in time or the queue is full,
    /// [`ApiError::Panicked`] if it panicked.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        client: Client,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let (sender, mut receiver) = oneshot::channel();
        let place = self.0.enter(client, move || {
            let _ = sender.send(catch_unwind(AssertUnwindSafe(work)));
        })?;
        let outcome = match timeout(MAX_WAIT, &mut receiver).await {
            Ok(outcome) => outcome,
            Err(_) if place.leave() => return Err(ApiError::Busy),
            Err(_) => receiver.await,
        };
        match outcome {
            Ok(Ok(made)) => Ok(made),
            Ok(Err(_)) => Err(ApiError::Panicked),
            // A job of another address was preferred.
            Err(_) => Err(ApiError::Busy),
        }
    }
}

impl Drop for WorkQueue {
    fn drop(&mut self) {
        self.0.lock().is_closed = true;
        self.0.changed.notify_all();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn enter(
        self: &Arc<Self>,
        client: Client,
        run: impl FnOnce() + Send + 'static,
    ) -> Result<Place, ApiError> {
        let mut waiting = self.lock();
        let dropped = waiting.make_room(client)?;
        let id = waiting.add(client, Box::new(run));
        drop(waiting);
        self.changed.notify_one();
        drop(dropped);
        Ok(Place {
            queue: Arc::clone(self),
            client,
            id,
        })
    }

    /// Runs jobs until the queue is closed.
    fn run(&self) {
        let mut waiting = self.lock();
        loop {
            if let Some(job) = waiting.next() {
                drop(waiting);
                (job.run)();
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

impl Waiting {
    /// If the queue is full, removes the newest job of the address with the most jobs, or fails if
    /// that is the client's own.
    fn make_room(&mut self, client: Client) -> Result<Option<Job>, ApiError> {
        if self.count < MAX_WAITING {
            return Ok(None);
        }
        let longest = self.jobs.iter().max_by_key(|(_, jobs)| jobs.len());
        let Some((longest, jobs)) = longest.map(|(client, jobs)| (*client, jobs.len())) else {
            return Ok(None);
        };
        if self.jobs.get(&client).map_or(0, VecDeque::len) + 1 >= jobs {
            return Err(ApiError::Busy);
        }
        self.count -= 1;
        Ok(self.jobs.get_mut(&longest).and_then(VecDeque::pop_back))
    }

    fn add(&mut self, client: Client, run: Box<dyn FnOnce() + Send>) -> u64 {
        self.last_id += 1;
        self.count += 1;
        let jobs = self.jobs.entry(client).or_default();
        if jobs.is_empty() {
            self.turns.push_back(client);
        }
        jobs.push_back(Job {
            id: self.last_id,
            run,
        });
        self.last_id
    }

    fn next(&mut self) -> Option<Job> {
        let client = self.turns.pop_front()?;
        let jobs = self.jobs.get_mut(&client)?;
        let job = jobs.pop_front();
        if jobs.is_empty() {
            self.jobs.remove(&client);
        } else {
            self.turns.push_back(client);
        }
        self.count -= 1;
        job
    }

    fn remove(&mut self, client: Client, id: u64) -> Option<Job> {
        let jobs = self.jobs.get_mut(&client)?;
        let at = jobs.iter().position(|job| job.id == id)?;
        let job = jobs.remove(at);
        if jobs.is_empty() {
            self.jobs.remove(&client);
            self.turns.retain(|other| *other != client);
        }
        self.count -= 1;
        job
    }
}

/// The place of a job in the queue, given up when its caller is gone.
struct Place {
    queue: Arc<Shared>,
    client: Client,
    id: u64,
}

impl Place {
    /// Removes the job from the queue; false if it has been started.
    fn leave(&self) -> bool {
        // Dropped after the lock is released.
        let removed = self.queue.lock().remove(self.client, self.id);
        removed.is_some()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.leave();
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;
    use std::sync::mpsc::{Sender, channel};

    use super::*;

    fn client(number: u32) -> Client {
        Client::new(Ipv4Addr::from_bits(number).into())
    }

    fn nothing() -> Box<dyn FnOnce() + Send> {
        Box::new(|| {})
    }

    /// Blocks every thread until the returned value is dropped.
    fn block_all(queue: &WorkQueue) -> Sender<()> {
        let (release, released) = channel();
        let released = Arc::new(Mutex::new(released));
        let (begin, begun) = channel();
        let threads = 1 + std::thread::available_parallelism().map_or(1, usize::from);
        for _ in 0..threads {
            let (begin, released) = (begin.clone(), Arc::clone(&released));
            let place = queue.0.enter(client(1), move || {
                let _ = begin.send(());
                let _ = released.lock().unwrap().recv();
            });
            begun.recv().unwrap();
            drop(place);
        }
        release
    }

    #[test]
    fn addresses_are_served_in_turn_however_many_jobs_one_of_them_has() {
        let mut waiting = Waiting::default();
        let of_first: Vec<u64> = (0..3).map(|_| waiting.add(client(1), nothing())).collect();
        let of_second = waiting.add(client(2), nothing());
        let order: Vec<u64> = std::iter::from_fn(|| waiting.next().map(|job| job.id)).collect();
        assert_eq!(order, [of_first[0], of_second, of_first[1], of_first[2]]);
        assert_eq!(waiting.count, 0);
        assert!(waiting.turns.is_empty());
    }

    #[test]
    fn a_job_that_left_is_not_served_and_frees_its_place() {
        let mut waiting = Waiting::default();
        let ids = [1, 1, 2].map(|number| (client(number), waiting.add(client(number), nothing())));
        for (client, id) in [ids[0], ids[2]] {
            assert!(waiting.remove(client, id).is_some());
            assert!(waiting.remove(client, id).is_none(), "it left already");
        }
        assert_eq!(waiting.next().map(|job| job.id), Some(ids[1].1));
        assert!(waiting.next().is_none());
        assert_eq!(waiting.count, 0);
    }

    #[test]
    fn a_full_queue_takes_a_new_address_in_the_place_of_the_one_with_the_most_jobs() {
        let mut waiting = Waiting::default();
        for _ in 0..MAX_WAITING {
            assert!(waiting.make_room(client(1)).unwrap().is_none());
            waiting.add(client(1), nothing());
        }
        assert!(
            waiting.make_room(client(1)).is_err(),
            "its own are the most"
        );
        let dropped = waiting.make_room(client(2)).unwrap().unwrap();
        assert_eq!(dropped.id, MAX_WAITING as u64, "the newest");
        waiting.add(client(2), nothing());
        assert_eq!(waiting.count, MAX_WAITING);
    }

    #[actix_web::test]
    async fn work_that_panics_ends_its_own_request_and_no_other() {
        let queue = WorkQueue::new();
        for _ in 0..50 {
            let panicked = queue
                .run(client(1), || panic!("expected by the test"))
                .await;
            assert!(matches!(panicked, Err::<(), _>(ApiError::Panicked)));
        }
        assert_eq!(queue.run(client(1), || 7).await.unwrap(), 7);
    }

    #[actix_web::test]
    async fn work_whose_client_has_gone_is_skipped() {
        let queue = WorkQueue::new();
        let release = block_all(&queue);
        let ran = Arc::new(Mutex::new(false));
        let noted = Arc::clone(&ran);
        {
            let abandoned = queue.run(client(2), move || *noted.lock().unwrap() = true);
            let made = timeout(Duration::ZERO, abandoned).await;
            assert!(made.is_err(), "every thread is busy");
        }
        drop(release);
        assert_eq!(queue.run(client(2), || 7).await.unwrap(), 7);
        assert!(!*ran.lock().unwrap());
    }

    #[actix_web::test]
    async fn a_thousand_addresses_who_come_at_once_are_all_served_though_one_fills_the_queue() {
        let queue = WorkQueue::new();
        let release = block_all(&queue);
        let flood: Vec<_> = (0..2 * MAX_WAITING)
            .map(|_| queue.0.enter(client(1), || {}))
            .collect();
        let refused = flood.iter().filter(|place| place.is_err()).count();
        assert_eq!(refused, MAX_WAITING);
        let (done, served) = channel();
        let visitors: Vec<_> = (2..1_002)
            .map(|number| {
                let done = done.clone();
                queue
                    .0
                    .enter(client(number), move || done.send(number).unwrap())
            })
            .collect();
        assert!(visitors.iter().all(Result::is_ok));
        drop(release);
        let mut all: Vec<u32> = served.iter().take(1_000).collect();
        all.sort_unstable();
        assert!(all.into_iter().eq(2..1_002));
    }
}
