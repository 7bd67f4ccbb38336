//! A clock that never goes back.

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use jiff::{SignedDuration, Timestamp};

/// Latest returned time, and the instant of that call.
static LATEST: Mutex<Option<(Timestamp, Instant)>> = Mutex::new(None);

/// Returns the system's time. If that is set back, time continues from the latest value: nothing
/// that has expired becomes valid again, and nothing lives longer.
pub(crate) fn now() -> Timestamp {
    let mut latest = LATEST.lock().unwrap_or_else(PoisonError::into_inner);
    let time = advance(*latest, Timestamp::now(), Instant::now());
    *latest = Some(time);
    // In milliseconds, as stored.
    Timestamp::from_millisecond(time.0.as_millisecond()).unwrap_or(time.0)
}

fn advance(
    latest: Option<(Timestamp, Instant)>,
    system: Timestamp,
    instant: Instant,
) -> (Timestamp, Instant) {
    let Some((then, at)) = latest else {
        return (system, instant);
    };
    let elapsed = SignedDuration::try_from(instant.duration_since(at)).unwrap_or_default();
    (system.max(then + elapsed), instant)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn the_monotonic_clock_goes_on_when_the_system_clock_is_set_back() {
        let noon = Timestamp::from_second(1_800_000_000).unwrap();
        let start = Instant::now();
        let first = advance(None, noon, start);
        let later = start + Duration::from_secs(60);
        // A minute later the system clock is an hour behind.
        let second = advance(Some(first), noon - SignedDuration::from_hours(1), later);
        assert_eq!(second.0, noon + SignedDuration::from_secs(60));
        // The system clock is followed again once it is ahead.
        let third = advance(Some(second), noon + SignedDuration::from_hours(1), later);
        assert_eq!(third.0, noon + SignedDuration::from_hours(1));
    }
}
