//! Times as the wire has them.

use jiff::{SignedDuration, Timestamp};

/// A time some milliseconds from now.
pub fn after(milliseconds: i64) -> String {
    let at = Timestamp::now() + SignedDuration::from_millis(milliseconds);
    format!("{at:.3}")
}

/// In milliseconds.
pub const HOUR: i64 = 3_600_000;
