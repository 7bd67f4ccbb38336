//! What was: the activity log, clicks, and what products cost.

pub(super) mod log;
pub(super) mod prices;
pub(super) mod report;
