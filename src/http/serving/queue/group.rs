//! The jobs of a group of a lane, by member.

use std::collections::VecDeque;

use super::party::PartyKey;

pub(super) struct QueuedJob {
    pub(super) id: u64,
    pub(super) run: Box<dyn FnOnce() -> Done + Send>,
}

/// A job that has ended.
pub(super) struct Done {
    pub(super) is_success: bool,
    /// Answers the caller, who may enter its next job at once.
    pub(super) answer: Box<dyn FnOnce() + Send>,
}

#[cfg(test)]
impl Done {
    pub(super) fn unanswered() -> Self {
        Self {
            is_success: true,
            answer: Box::new(|| {}),
        }
    }
}

#[derive(Default)]
pub(super) struct Group {
    /// Members with waiting jobs, the next one first.
    pub(super) members: VecDeque<(PartyKey, VecDeque<QueuedJob>)>,
    pub(super) waiting: usize,
    /// Members with running jobs, once for each job.
    pub(super) running: Vec<PartyKey>,
    /// Nanoseconds of work, or the clock when it came.
    pub(super) served: u64,
    /// Order of arrival.
    pub(super) arrival: i64,
}

impl Group {
    pub(super) fn is_busy(&self) -> bool {
        self.waiting > 0 || !self.running.is_empty()
    }

    pub(super) fn jobs_of(&mut self, member: &PartyKey) -> Option<&mut VecDeque<QueuedJob>> {
        let found = self.members.iter_mut().find(|(other, _)| other == member);
        found.map(|(_, jobs)| jobs)
    }

    /// Returns the number of jobs of a member that may start beside its running ones.
    pub(super) fn may_start(&self, member: &PartyKey, running_of_one: usize) -> usize {
        let running = self.running.iter().filter(|other| *other == member);
        running_of_one.saturating_sub(running.count())
    }

    /// Returns the position of the next member that may have another job started.
    pub(super) fn next_member(&self, running_of_one: usize) -> Option<usize> {
        let mut members = self.members.iter();
        members.position(|(member, _)| self.may_start(member, running_of_one) > 0)
    }

    /// Removes members without jobs.
    pub(super) fn tidy(&mut self) {
        self.members.retain(|(_, jobs)| !jobs.is_empty());
    }
}
