//! Lanes: fair queues for work, each with threads, turns and bounds of its own, so that a flood delays
//! only its own party and one kind of work no other (security, R30).

mod group;
mod lane;
pub(crate) mod lanes;
mod party;
mod waiting;

pub(crate) use self::party::Party;
