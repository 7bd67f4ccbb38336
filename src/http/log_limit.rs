//! Limits log lines that clients cause: at most one a minute per kind and address, and some of a kind in
//! total, each with the number of lines left out before it.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Time for which an address causes one line.
const PERIOD: Duration = Duration::from_secs(60);
/// Maximum lines of a kind in a period, and so of addresses remembered.
const MOST: usize = 100;

/// Lines of one kind.
#[derive(Default)]
pub(crate) struct LogLimit(Mutex<LoggedLines>);

#[derive(Default)]
struct LoggedLines {
    last: HashMap<IpAddr, Instant>,
    left_out: u64,
}

impl LogLimit {
    /// Returns the number of lines left out since the last one, or `None` if this one is left out.
    pub(crate) fn allow(&self, client: IpAddr) -> Option<u64> {
        self.take_at(client, Instant::now())
    }

    /// Does the same for all clients together.
    pub(crate) fn take_any(&self) -> Option<u64> {
        self.allow(Ipv4Addr::UNSPECIFIED.into())
    }

    fn take_at(&self, client: IpAddr, now: Instant) -> Option<u64> {
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.last.len() >= MOST {
            let is_recent = |at: &Instant| now.saturating_duration_since(*at) < PERIOD;
            lines.last.retain(|_, at| is_recent(at));
        }
        let is_recent = lines
            .last
            .get(&client)
            .is_some_and(|at| now.saturating_duration_since(*at) < PERIOD);
        if is_recent || lines.last.len() >= MOST {
            lines.left_out += 1;
            return None;
        }
        lines.last.insert(client, now);
        Some(std::mem::take(&mut lines.left_out))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn log_lines_are_limited_per_address_and_in_all() {
        let limit = LogLimit::default();
        let client = |n: u8| IpAddr::from([10, 0, 0, n]);
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        assert_eq!(limit.take_at(client(1), at(0)), Some(0));
        for second in 0..60 {
            assert_eq!(limit.take_at(client(1), at(second)), None);
        }
        assert_eq!(limit.take_at(client(1), at(60)), Some(60));
        let lines = (2..=200).filter(|n| limit.take_at(client(*n), at(61)).is_some());
        assert_eq!(lines.count(), MOST - 1);
        assert_eq!(limit.take_at(client(201), at(121)), Some(100));
    }
}
