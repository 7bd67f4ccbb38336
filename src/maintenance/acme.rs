//! Orders of certificates, kept in the folder of an ACME server: restarts must not order more.

use std::path::Path;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::domain::moment_in_india;

/// Name of the file in the folder.
const FILE: &str = "orders.json";
/// Orders within an hour: Let's Encrypt locks a name for an hour after five failures.
const PER_HOUR: usize = 4;
const HOUR: SignedDuration = SignedDuration::from_hours(1);

/// Orders of the last hour, and why the last one failed.
#[derive(Debug, Default, Clone, Serialize, Deserialize)]
pub struct AcmeProgress {
    #[serde(default)]
    orders: Vec<CertificateOrder>,
    /// Why there is no certificate, in a sentence.
    failure: Option<String>,
    /// Time of the next try, in seconds.
    next: Option<i64>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct CertificateOrder {
    /// In seconds.
    at: i64,
    /// The ACME server and the names.
    of: String,
}

impl CertificateOrder {
    /// Returns the end of the order's hour, if that is ahead; a time ahead is of a clock that was wrong.
    fn counts_until(&self, now: Timestamp) -> Option<Timestamp> {
        let at = Timestamp::from_second(self.at).ok()?;
        (at <= now && at + HOUR > now).then(|| at + HOUR)
    }
}

impl AcmeProgress {
    /// Reads the file in a folder; an unreadable one counts as empty.
    pub fn load(folder: &Path) -> Self {
        let file = std::fs::read(folder.join(FILE)).ok();
        file.and_then(|bytes| serde_json::from_slice(&bytes).ok())
            .unwrap_or_default()
    }

    /// Writes the file.
    ///
    /// # Errors
    ///
    /// If the folder can't be written to.
    pub fn save(&self, folder: &Path) -> std::io::Result<()> {
        let part = folder.join(format!("{FILE}.part"));
        std::fs::write(&part, serde_json::to_vec(self)?)?;
        std::fs::rename(part, folder.join(FILE))
    }

    /// Returns the time from which another order of these names may be made.
    pub fn may_order_from(&self, of: &str, now: Timestamp) -> Timestamp {
        let recent = self.orders.iter().filter(|order| order.of == of);
        let recent: Vec<_> = recent.filter_map(|order| order.counts_until(now)).collect();
        let first = recent.len().checked_sub(PER_HOUR);
        first.map_or(now, |first| recent[first])
    }

    /// Adds an order.
    pub fn add(&mut self, of: &str, now: Timestamp) {
        self.orders
            .retain(|order| order.counts_until(now).is_some());
        self.orders.push(CertificateOrder {
            at: now.as_second(),
            of: of.to_owned(),
        });
    }

    /// Notes why there is no certificate, and when it is tried again.
    pub fn fail(&mut self, reason: String, next: Timestamp) {
        self.failure = Some(reason);
        self.next = Some(next.as_second());
    }

    /// Describes the last failure and the next try.
    pub(super) fn sentence(&self, now: Timestamp) -> String {
        let Some(failure) = &self.failure else {
            return "Look in the log for what happens.".to_owned();
        };
        let next = self.next.and_then(|next| Timestamp::from_second(next).ok());
        match next {
            Some(next) if next > now => {
                format!(
                    "The last try failed: {failure} It is tried again at {}.",
                    moment_in_india(next)
                )
            }
            _ => format!("The last try failed: {failure} It is tried again while the server runs."),
        }
    }
}

#[cfg(test)]
mod tests {
    use jiff::ToSpan;

    use super::*;

    #[test]
    fn four_orders_are_made_within_an_hour() {
        let start: Timestamp = "2026-11-26T10:00:00Z".parse().unwrap();
        let mut progress = AcmeProgress::default();
        for minute in [0, 1, 6] {
            progress.add("a", start + minute.minutes());
        }
        let now = start + 21.minutes();
        assert_eq!(progress.may_order_from("a", now), now);
        progress.add("a", now);
        let now = start + 22.minutes();
        assert_eq!(progress.may_order_from("a", now), start + 60.minutes());
        // Other names have orders of their own, and a clock that was ahead holds up nothing.
        assert_eq!(progress.may_order_from("b", now), now);
        assert_eq!(
            progress.may_order_from("a", start - 1.hours()),
            start - 1.hours()
        );
        let now = start + 60.minutes();
        assert_eq!(progress.may_order_from("a", now), now);
    }
}
