//! History: activity log, clicks and prices.

pub(super) mod log;
pub(super) mod prices;
pub(super) mod report;
