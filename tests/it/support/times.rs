//! Times in the API's format.

use jiff::{SignedDuration, Timestamp};

/// A time some milliseconds from now.
pub fn after(milliseconds: i64) -> String {
    let at = Timestamp::now() + SignedDuration::from_millis(milliseconds);
    format!("{at:.3}")
}

/// An hour in milliseconds.
pub const HOUR: i64 = 3_600_000;
