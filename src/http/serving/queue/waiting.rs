//! Jobs that wait in a lane, and the order in which they are served.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use super::group::{Done, Group, QueuedJob};
use super::party::{Party, PartyKey, Rank};
use crate::http::error::ApiError;

/// Limits of a lane.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// Maximum number of waiting jobs, of all parties and of one.
    pub(crate) waiting: usize,
    pub(crate) waiting_of_one: usize,
    /// Maximum number of running jobs of one party.
    pub(crate) running_of_one: usize,
    /// Maximum wait of a job before its client gets 503.
    pub(crate) wait: Duration,
    /// Serves those first who came last and had nothing but success, where a round of all takes too
    /// long.
    pub(crate) newest_first: bool,
}

/// Jobs that have not been started, by group.
///
/// Groups share the time of the threads (fair queuing): the next job is of the group that has had the
/// least. A group that was away begins one job before `clock`, so that nobody saves up time, and nobody
/// who is new waits for a round of the others.
pub(super) struct Waiting {
    pub(super) limits: Limits,
    threads: usize,
    groups: HashMap<(Rank, PartyKey), Group>,
    count: usize,
    last_id: u64,
    /// Nanoseconds of work that a group would have had if it had always waited.
    clock: u64,
    /// Nanoseconds of a usual job.
    usual: u64,
    pub(super) is_closed: bool,
}

impl Waiting {
    pub(super) fn new(threads: usize, limits: Limits) -> Self {
        Self {
            limits,
            threads,
            groups: HashMap::new(),
            count: 0,
            last_id: 0,
            clock: 0,
            usual: 0,
            is_closed: false,
        }
    }

    /// Adds a job. If the lane is full, removes the newest job of the group that waits with the most
    /// jobs of the lowest rank, or fails if that is the party's own.
    pub(super) fn add(
        &mut self,
        party: &Party,
        run: Box<dyn FnOnce() -> Done + Send>,
    ) -> Result<(u64, Option<QueuedJob>), ApiError> {
        let key = (party.rank, party.group.clone());
        let begin = self.begin();
        let id = self.last_id + 1;
        let arrival = i64::try_from(id).unwrap_or(i64::MAX);
        let arrival = if self.limits.newest_first {
            -arrival
        } else {
            arrival
        };
        let mut place = (party.rank, 1, begin, arrival);
        let running: usize = self.groups.values().map(|group| group.running.len()).sum();
        let free = self.threads.saturating_sub(running);
        if let Some(group) = self.groups.get_mut(&key) {
            let own = group.jobs_of(&party.member).map_or(0, |jobs| jobs.len());
            // A job for which a thread is free is about to start, so it does not count.
            let starting = free.min(group.may_start(&party.member, self.limits.running_of_one));
            if own.saturating_sub(starting) >= self.limits.waiting_of_one {
                return Err(ApiError::Busy);
            }
            place.1 += group.waiting;
            place.2 = place.2.max(group.served);
        }
        let mut dropped = None;
        if self.count >= self.limits.waiting {
            let waiting = self
                .groups
                .iter_mut()
                .filter(|(_, group)| group.waiting > 0);
            let place_of = |rank, group: &Group| (rank, group.waiting, group.served, group.arrival);
            let last = waiting.max_by_key(|((rank, _), group)| place_of(*rank, group));
            let Some(((rank, _), group)) = last else {
                return Err(ApiError::Busy);
            };
            if place >= place_of(*rank, group) {
                return Err(ApiError::Busy);
            }
            let most = group.members.iter_mut().max_by_key(|(_, jobs)| jobs.len());
            dropped = most.and_then(|(_, jobs)| jobs.pop_back());
            group.waiting -= 1;
            group.tidy();
            self.count -= 1;
        }
        let group = self.groups.entry(key).or_default();
        if !group.is_busy() {
            (group.served, group.arrival) = (place.2, arrival);
        }
        group.waiting += 1;
        let job = QueuedJob { id, run };
        match group.jobs_of(&party.member) {
            Some(jobs) => jobs.push_back(job),
            None => group
                .members
                .push_back((party.member.clone(), VecDeque::from([job]))),
        }
        self.last_id = id;
        self.count += 1;
        Ok((id, dropped))
    }

    /// Returns the number of jobs that a job of this party waits for: those of its own group, or one of
    /// each group.
    pub(super) fn ahead(&self, party: &Party) -> usize {
        let own = self.groups.get(&(party.rank, party.group.clone()));
        let groups = self.groups.values().filter(|group| group.waiting > 0);
        groups.count().max(own.map_or(0, |group| group.waiting))
    }

    /// Returns the time at which a new group begins.
    fn begin(&self) -> u64 {
        let begin = self.clock.saturating_sub(self.usual);
        let waiting = self.groups.values().filter(|group| group.waiting > 0);
        let least = waiting.map(|group| group.served).min();
        let least = least.filter(|_| self.limits.newest_first);
        least.map_or(begin, |least| least.min(begin))
    }

    /// Takes the next job.
    pub(super) fn next(&mut self) -> Option<(Party, QueuedJob)> {
        let begin = self.clock.saturating_sub(self.usual);
        self.groups
            .retain(|_, group| group.is_busy() || group.served > begin);
        let running_of_one = self.limits.running_of_one;
        let ready = self.groups.iter_mut().filter_map(|(key, group)| {
            let member = group.next_member(running_of_one)?;
            Some((key, group, member))
        });
        let ((rank, name), group, at) =
            ready.min_by_key(|((rank, _), group, _)| (*rank, group.served, group.arrival))?;
        let (member, mut jobs) = group.members.remove(at)?;
        let job = jobs.pop_front()?;
        if !jobs.is_empty() {
            group.members.push_back((member.clone(), jobs));
        }
        group.waiting -= 1;
        self.count -= 1;
        group.running.push(member.clone());
        // Behind those who had as much.
        group.served += 1;
        let party = Party {
            rank: *rank,
            group: name.clone(),
            member,
        };
        Some((party, job))
    }

    /// Records that a party's job has run for so long.
    pub(super) fn finish(&mut self, party: &Party, paid: Duration) {
        let busy = self.groups.values().filter(|group| group.is_busy());
        let busy = u64::try_from(busy.count()).unwrap_or(1).max(1);
        let Some(group) = self.groups.get_mut(&(party.rank, party.group.clone())) else {
            return;
        };
        if let Some(at) = group
            .running
            .iter()
            .position(|member| *member == party.member)
        {
            group.running.swap_remove(at);
        }
        let paid = u64::try_from(paid.as_nanos()).unwrap_or(u64::MAX);
        group.served = group.served.saturating_sub(1).saturating_add(paid);
        self.clock = self.clock.saturating_add(paid / busy);
        self.usual = (self.usual / 8).saturating_mul(7).saturating_add(paid / 8);
    }

    /// Removes a job that has not been started.
    pub(super) fn remove(&mut self, party: &Party, id: u64) -> Option<QueuedJob> {
        let group = self.groups.get_mut(&(party.rank, party.group.clone()))?;
        let jobs = group.jobs_of(&party.member)?;
        let at = jobs.iter().position(|job| job.id == id)?;
        let job = jobs.remove(at);
        group.waiting -= 1;
        group.tidy();
        self.count -= 1;
        job
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::serving::rate_limit::Client;

    const LIMITS: Limits = Limits {
        waiting: 100,
        waiting_of_one: usize::MAX,
        running_of_one: usize::MAX,
        wait: Duration::ZERO,
        newest_first: false,
    };
    const SIGN_INS: Limits = Limits {
        waiting: 10,
        waiting_of_one: 2,
        newest_first: true,
        ..LIMITS
    };
    /// No thread is free.
    const BUSY: usize = 0;
    const HASH: Duration = Duration::from_millis(250);

    fn address(text: &str) -> Party {
        Client::new(text.parse().unwrap()).into()
    }

    fn client(number: u8) -> Party {
        address(&format!("10.0.0.{number}"))
    }

    fn add(waiting: &mut Waiting, party: &Party) -> u64 {
        waiting.add(party, Box::new(Done::unanswered)).unwrap().0
    }

    /// Starts all that may be started, without an end.
    fn start_all(waiting: &mut Waiting) -> Vec<u64> {
        std::iter::from_fn(|| waiting.next().map(|(_, job)| job.id)).collect()
    }

    /// Serves a job on the only thread.
    fn serve(waiting: &mut Waiting, took: Duration) -> Option<u64> {
        let (party, job) = waiting.next()?;
        waiting.finish(&party, took);
        Some(job.id)
    }

    #[test]
    fn queued_jobs_are_served_in_turn_by_address() {
        let mut waiting = Waiting::new(BUSY, LIMITS);
        let of_first: Vec<u64> = (0..3).map(|_| add(&mut waiting, &client(1))).collect();
        let of_second = add(&mut waiting, &client(2));
        let order = start_all(&mut waiting);
        assert_eq!(order, [of_first[0], of_second, of_first[1], of_first[2]]);
        assert_eq!(waiting.count, 0);
    }

    #[test]
    fn networks_of_an_ipv6_48_share_one_turn_in_the_queue() {
        let mut waiting = Waiting::new(BUSY, LIMITS);
        let flood: Vec<u64> = (0..4)
            .map(|n| add(&mut waiting, &address(&format!("2001:db8:1:{}::1", n % 2))))
            .collect();
        let others = ["2001:db8:2::1", "192.0.2.1"].map(|other| add(&mut waiting, &address(other)));
        let order = start_all(&mut waiting);
        assert_eq!(
            order,
            [flood[0], others[0], others[1], flood[1], flood[2], flood[3]]
        );
    }

    #[test]
    fn a_new_address_is_served_next_during_a_flood() {
        let mut waiting = Waiting::new(BUSY, LIMITS);
        for party in (1..=40).chain(1..=40) {
            add(&mut waiting, &client(party));
        }
        for milliseconds in 0..45 {
            // Some work takes longer than other work.
            serve(&mut waiting, Duration::from_millis(20 + milliseconds)).unwrap();
        }
        let visitor = add(&mut waiting, &client(99));
        assert_eq!(serve(&mut waiting, HASH), Some(visitor));
    }

    #[test]
    fn idle_addresses_save_up_no_turns_in_the_queue() {
        let mut waiting = Waiting::new(BUSY, LIMITS);
        for number in 0..=255 {
            add(&mut waiting, &client(number));
            serve(&mut waiting, HASH).unwrap();
        }
        assert!(waiting.groups.len() < 3, "{}", waiting.groups.len());
        let mut ids = [7, 8, 7, 8, 7, 8].map(|number| add(&mut waiting, &client(number)));
        let order: Vec<u64> = std::iter::from_fn(|| serve(&mut waiting, HASH)).collect();
        ids.sort_unstable();
        assert_eq!(order, ids, "new and old take turns");
    }

    #[test]
    fn a_cancelled_job_frees_its_place_in_the_queue() {
        let mut waiting = Waiting::new(BUSY, LIMITS);
        let ids = [1, 1, 2].map(|number| (client(number), add(&mut waiting, &client(number))));
        for (party, id) in [&ids[0], &ids[2]] {
            assert!(waiting.remove(party, *id).is_some());
            assert!(waiting.remove(party, *id).is_none(), "it left already");
        }
        assert_eq!(start_all(&mut waiting), [ids[1].1]);
        assert_eq!(waiting.count, 0);
    }

    #[test]
    fn a_full_queue_drops_a_job_of_the_busiest_address_for_a_new_one() {
        let mut waiting = Waiting::new(BUSY, LIMITS);
        let last = (0..LIMITS.waiting)
            .map(|_| add(&mut waiting, &client(1)))
            .last();
        let refused = waiting.add(&client(1), Box::new(Done::unanswered));
        assert!(refused.is_err(), "its own are the most");
        let (_, dropped) = waiting.add(&client(2), Box::new(Done::unanswered)).unwrap();
        assert_eq!(dropped.map(|job| job.id), last, "the newest");
        assert_eq!(waiting.count, LIMITS.waiting);
    }

    #[test]
    fn one_address_has_at_most_two_queued_sign_ins() {
        let mut waiting = Waiting::new(BUSY, SIGN_INS);
        let of = |network: usize| address(&format!("2001:db8:1:{network:x}::1"));
        for number in 0..SIGN_INS.waiting {
            add(&mut waiting, &of(number / 2));
            let third = number % 2 == 1
                && waiting
                    .add(&of(number / 2), Box::new(Done::unanswered))
                    .is_ok();
            assert!(!third);
        }
        assert!(waiting.add(&of(99), Box::new(Done::unanswered)).is_err());
        let other = add(&mut waiting, &client(1));
        assert_eq!(waiting.count, SIGN_INS.waiting);
        assert_eq!(start_all(&mut waiting)[0], other);
    }

    #[test]
    fn a_job_about_to_start_does_not_count_as_queued() {
        for (threads, running_of_one, taken) in [(0, 9, 2), (1, 9, 3), (2, 9, 4), (2, 1, 3)] {
            let limits = Limits {
                running_of_one,
                ..SIGN_INS
            };
            let mut waiting = Waiting::new(threads, limits);
            let mut add = || waiting.add(&client(1), Box::new(Done::unanswered)).is_ok();
            assert_eq!((0..9).filter(|_| add()).count(), taken, "{threads} threads");
        }
    }

    #[test]
    fn known_browsers_come_first_in_the_sign_in_queue() {
        let mut waiting = Waiting::new(BUSY, SIGN_INS);
        for number in 0..10 {
            let party = client(number);
            add(
                &mut waiting,
                &if number < 5 { party.behind() } else { party },
            );
        }
        let stranger = add(&mut waiting, &client(10));
        let known = add(&mut waiting, &Party::account("owner"));
        let order = start_all(&mut waiting);
        // Of the registrations, 1 to 5, the oldest gave way.
        assert_eq!(order, [known, stranger, 10, 9, 8, 7, 6, 5, 4, 3]);
    }

    #[test]
    fn the_newest_address_comes_first_in_the_sign_in_queue() {
        let mut waiting = Waiting::new(BUSY, SIGN_INS);
        for number in 0..4 {
            add(&mut waiting, &client(number));
        }
        serve(&mut waiting, HASH).unwrap();
        for _ in 0..3 {
            let visitor = add(&mut waiting, &client(99));
            assert_eq!(serve(&mut waiting, Duration::ZERO), Some(visitor));
        }
        let wrong = add(&mut waiting, &client(99));
        assert_eq!(serve(&mut waiting, HASH), Some(wrong));
        let again = add(&mut waiting, &client(99));
        assert_ne!(serve(&mut waiting, HASH), Some(again), "others come first");
    }

    #[test]
    fn files_of_one_api_key_are_read_one_at_a_time() {
        let mut waiting = Waiting::new(
            BUSY,
            Limits {
                running_of_one: 1,
                ..LIMITS
            },
        );
        let keys = ["key 1", "key 2"].map(|key| Party::member("owner", key));
        let first = [&keys[0], &keys[0], &keys[1]].map(|key| add(&mut waiting, key));
        assert_eq!(start_all(&mut waiting), [first[0], first[2]]);
        waiting.finish(&keys[0], HASH);
        assert_eq!(start_all(&mut waiting), [first[1]]);
    }
}
