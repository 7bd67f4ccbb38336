//! Sends what waits to go out, each lane's in a thread of its own, so that one that stalls delays no other.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use jiff::{SignedDuration, Timestamp};

use super::Context;
use super::runner::{Next, Outcome as RunOutcome};
use crate::accounts::{MailSender, WebhookSender, monotonic_clock};
use crate::catalog::copying::PictureCopier;
use crate::channels::Channels;
use crate::store::outgoing::{Job, JobKind, Outcome, Sent};
use crate::store::{Store, StoreError};
use crate::subscribers::Subscribers;

/// Maximum number of lanes whose last turn is remembered.
const MAX_LANES: usize = 1_000;
/// Time until a job that made its sender panic is tried again.
const AFTER_PANIC: SignedDuration = SignedDuration::from_mins(10);

/// Starts sending due messages. A message that can't be sent has a back-off of its own and is no failed run. The last
/// run, at a stop, waits for the senders.
pub(super) fn run(context: &Context) -> RunOutcome {
    if context.is_stopping() {
        context.outgoing.finish();
    } else {
        context.outgoing.send_due()?;
    }
    Ok(Next::AtInterval)
}

/// Queues the messages for those who wait for a price that has fallen. A run without work reads two empty indexes.
pub(super) fn queue_alerts(context: &Context) -> RunOutcome {
    let senders = &context.outgoing.senders;
    senders
        .subscribers
        .look_at_alerts(|| context.is_stopping())?;
    Ok(Next::AtInterval)
}

/// Queues the mails of new deals at the hour that the owner chose, also those that a stopped server missed. Reads
/// one index if nothing is due.
pub(super) fn queue_digests(context: &Context) -> RunOutcome {
    let senders = &context.outgoing.senders;
    senders.subscribers.queue_digests(Timestamp::now())?;
    Ok(Next::AtInterval)
}

/// Queues the posts of rules, and the edits of posts whose deals changed.
pub(super) fn queue_posts(context: &Context) -> RunOutcome {
    let senders = &context.outgoing.senders;
    senders.channels.look_for_news(monotonic_clock::now())?;
    Ok(Next::AtInterval)
}

/// Queues new deals whose pictures are to be copied by the rules of their sellers. Reads nothing but the settings
/// without such a rule.
pub(super) fn queue_copies(context: &Context) -> RunOutcome {
    context.outgoing.senders.pictures.queue(Timestamp::now())?;
    Ok(Next::AtInterval)
}

/// Senders by kind of job.
pub struct Senders {
    /// Mails of accounts.
    pub mail: MailSender,
    /// Events of webhooks.
    pub webhooks: WebhookSender,
    /// Mails without an account.
    pub(crate) subscribers: Subscribers,
    /// Copies of pictures.
    pub pictures: PictureCopier,
    /// Posts in channels.
    pub(crate) channels: Arc<Channels>,
}

/// The senders by kind, and the messages in progress.
pub(super) struct Outgoing {
    store: Store,
    pub(super) senders: Senders,
    turns: Mutex<Turns>,
    ended: Condvar,
}

#[derive(Default)]
struct Turns {
    running: Vec<Job>,
    /// Number of the last turn of each lane.
    last: HashMap<String, u64>,
    number: u64,
    /// Error of the database in one of the threads.
    error: Option<StoreError>,
    is_over: bool,
}

impl Turns {
    /// Takes one of the first jobs of each lane: of the lane that waits for longest, one at a time of a lane
    /// and of a mail's recipient. Half of the jobs of a kind that run at once may have failed before.
    fn take(&mut self, due: Vec<Job>) -> Option<Job> {
        if self.last.len() > MAX_LANES {
            self.last.clear();
        }
        let has_room = |job: &Job| {
            let same = self.running.iter().filter(|other| other.kind == job.kind);
            let (all, again) = same.fold((0, 0), |(all, again), other| {
                (all + 1, again + usize::from(other.attempts > 0))
            });
            let at_once = job.kind.at_once();
            all < at_once && (job.attempts == 0 || again < at_once.div_ceil(2))
        };
        let is_apart = |job: &Job| {
            self.running.iter().all(|other| {
                let is_mail = (job.kind, other.kind) == (JobKind::Mail, JobKind::Mail);
                other.lane != job.lane && !(is_mail && other.subject == job.subject)
            })
        };
        let job = due
            .into_iter()
            .filter(|job| has_room(job) && is_apart(job))
            .min_by_key(|job| self.last.get(&job.lane).copied().unwrap_or_default())?;
        self.number += 1;
        self.last.insert(job.lane.clone(), self.number);
        self.running.push(job.clone());
        Some(job)
    }
}

impl Outgoing {
    pub(super) fn new(store: Store, senders: Senders) -> Self {
        Self {
            store,
            senders,
            turns: Mutex::default(),
            ended: Condvar::new(),
        }
    }

    /// Sends a job by its kind.
    fn send(&self, job: &Job) -> Result<Sent, StoreError> {
        let senders = &self.senders;
        match job.kind {
            JobKind::Mail => Ok(senders.mail.send(job)),
            JobKind::Webhook => senders.webhooks.send(job, &senders.mail),
            JobKind::Post => senders.channels.send(job, monotonic_clock::now()),
            JobKind::Subscriber => Ok(senders.subscribers.send(job)?.into()),
            JobKind::Picture => senders.pictures.send(job),
            JobKind::Push => senders.subscribers.push(job),
        }
    }

    /// Deletes expired messages, and starts threads for due ones.
    fn send_due(self: &Arc<Self>) -> Result<(), StoreError> {
        self.senders.mail.check_once();
        if let Some(error) = self.turns().error.take() {
            return Err(error);
        }
        // It might send what it can't note as sent, and again later.
        self.store.confirm(false)?;
        self.store.delete_expired_jobs(monotonic_clock::now())?;
        while let Some(job) = self.next()? {
            let this = Arc::clone(self);
            std::thread::spawn(move || this.send_in_turn(job));
        }
        Ok(())
    }

    /// Waits until the jobs that are being done have been, and takes no others.
    fn finish(&self) {
        let mut turns = self.turns();
        turns.is_over = true;
        while !turns.running.is_empty() {
            let woken = self.ended.wait(turns);
            turns = woken.unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn turns(&self) -> MutexGuard<'_, Turns> {
        self.turns.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the job whose turn it is, if one may be done now.
    fn next(&self) -> Result<Option<Job>, StoreError> {
        let mut turns = self.turns();
        if turns.is_over {
            return Ok(None);
        }
        let due = self.store.due_jobs(monotonic_clock::now())?;
        Ok(turns.take(due))
    }

    /// Does this job and then others, until none is due.
    fn send_in_turn(&self, first: Job) {
        let mut next = Some(first);
        while let Some(job) = next {
            let outcome = self.send_and_settle(&job);
            self.turns().running.retain(|other| other.lane != job.lane);
            self.ended.notify_all();
            next = outcome.and_then(|()| self.next()).unwrap_or_else(|error| {
                self.turns().error = Some(error);
                None
            });
        }
    }

    fn send_and_settle(&self, job: &Job) -> Result<(), StoreError> {
        let sent = catch_unwind(AssertUnwindSafe(|| self.send(job))).unwrap_or_else(|_| {
            let again = Outcome::Again {
                next_at: monotonic_clock::now() + AFTER_PANIC,
                error: "The program made a mistake: see its log.".to_owned(),
                lane_waits: false,
            };
            Ok(again.into())
        })?;
        self.store.settle_job(job, sent, monotonic_clock::now())
    }
}
