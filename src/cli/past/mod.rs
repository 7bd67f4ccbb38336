//! What was: the trail of changes, clicks, and what products cost.

pub(super) mod log;
pub(super) mod prices;
pub(super) mod report;
