//! Recent visitors and their addresses, by their codes of the day.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Mutex, PoisonError};

use jiff::Timestamp;

use super::codes::Visitor;
use super::windows::Windows;
use crate::domain::{Channel, Place};

/// Time in milliseconds in which a visitor's repeated click on a deal is not counted.
pub(super) const HOUR: i64 = 60 * 60_000;
const MINUTE: i64 = 60_000;
/// Maximum number of different deals per minute, and of clicks per hour, of a visitor.
const MAX_DEALS: usize = 20;
const MAX_CLICKS: usize = 60;
/// Maximum clicks per hour from one address, as browsers, languages and visits may be made up. A
/// large post brings as many from one phone company.
pub(super) const MAX_CLICKS_OF_ADDRESS: u32 = 3_000;
/// Maximum number of different channels and places per minute of an address.
const MAX_KINDS: u32 = 8;
/// Maximum number of remembered clicks and of addresses; the oldest are dropped.
const MAX_REMEMBERED: usize = 200_000;
pub(super) const MAX_ADDRESSES: usize = 50_000;

/// Result of a visitor's recent clicks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pace {
    Human,
    Again,
    TooFast,
}

/// Visitors of the last hour.
#[derive(Default)]
pub(super) struct Visitors(Mutex<VisitorTable>);

/// Code of the day and id of the page load.
type VisitorKey = (u64, Option<u64>);

struct VisitorTable {
    /// Time at which a visitor's click on a deal was counted.
    counted: HashMap<(VisitorKey, u64), i64>,
    /// Clicks of the last hour by visitor.
    clicks: HashMap<VisitorKey, VecDeque<(i64, u64)>>,
    /// Remembered clicks, the oldest first.
    order: VecDeque<(VisitorKey, u64, i64)>,
    addresses: Windows<AddressClicks>,
}

/// Clicks from an address in an hour.
#[derive(Default)]
struct AddressClicks {
    counted: u32,
    /// With any classification.
    all: u32,
    minute: i64,
    /// A bit for each channel and place of the minute.
    kinds: u64,
}

impl Default for VisitorTable {
    fn default() -> Self {
        Self {
            counted: HashMap::new(),
            clicks: HashMap::new(),
            order: VecDeque::new(),
            addresses: Windows::new(HOUR, MAX_ADDRESSES),
        }
    }
}

impl Visitors {
    /// Returns the pace of a visitor who clicks on a deal, and remembers the click.
    pub(super) fn pace_of(
        &self,
        visitor: Visitor,
        visit: Option<u64>,
        deal: u64,
        now: Timestamp,
    ) -> Pace {
        let mut table = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = now.as_millisecond();
        table.forget(now);
        let codes = [Some(visitor.code), visitor.before];
        let again = codes.into_iter().flatten().any(|code| {
            let counted = table.counted.get(&((code, visit), deal));
            counted.is_some_and(|then| (now - then).abs() < HOUR)
        });
        if again {
            return Pace::Again;
        }
        let of_address = table.addresses.get(visitor.address, now);
        if of_address.counted >= MAX_CLICKS_OF_ADDRESS {
            return Pace::TooFast;
        }
        let known = (visitor.code, visit);
        if table.is_too_fast(known, deal, now) {
            return Pace::TooFast;
        }
        table.remember(known, deal, now);
        table.addresses.get(visitor.address, now).counted += 1;
        Pace::Human
    }

    /// Returns channel and place of a click with any classification, or `Direct` and `List` if the address
    /// has sent too many clicks in the hour, or too many kinds in the minute: each kind is a row.
    pub(super) fn channel_and_place(
        &self,
        visitor: Visitor,
        kind: (Channel, Place),
        now: Timestamp,
    ) -> (Channel, Place) {
        let mut table = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = now.as_millisecond();
        let of = table.addresses.get(visitor.address, now);
        of.all = of.all.saturating_add(1);
        if of.minute != now.div_euclid(MINUTE) {
            of.minute = now.div_euclid(MINUTE);
            of.kinds = 0;
        }
        let places = Place::ALL.len() as i64;
        let kinds = of.kinds | 1 << (kind.0.code() * places + kind.1.code());
        if of.all > MAX_CLICKS_OF_ADDRESS || kinds.count_ones() > MAX_KINDS {
            return (Channel::Direct, Place::List);
        }
        of.kinds = kinds;
        kind
    }
}

impl VisitorTable {
    fn is_too_fast(&self, visitor: VisitorKey, deal: u64, now: i64) -> bool {
        let clicks = self.clicks.get(&visitor).into_iter().flatten();
        let hour: Vec<_> = clicks.filter(|(at, _)| (now - at).abs() < HOUR).collect();
        let minute = hour.iter().filter(|(at, _)| (now - at).abs() < MINUTE);
        let mut deals: HashSet<u64> = minute.map(|(_, deal)| *deal).collect();
        deals.insert(deal);
        deals.len() > MAX_DEALS || hour.len() >= MAX_CLICKS
    }

    fn remember(&mut self, visitor: VisitorKey, deal: u64, now: i64) {
        self.counted.insert((visitor, deal), now);
        self.clicks
            .entry(visitor)
            .or_default()
            .push_back((now, deal));
        self.order.push_back((visitor, deal, now));
    }

    /// Drops clicks older than an hour, and those above the limit.
    fn forget(&mut self, now: i64) {
        while let Some((visitor, deal, at)) = self.order.front().copied() {
            if self.order.len() < MAX_REMEMBERED && (now - at).abs() < HOUR {
                break;
            }
            self.order.pop_front();
            if self.counted.get(&(visitor, deal)) == Some(&at) {
                self.counted.remove(&(visitor, deal));
            }
            if let Some(clicks) = self.clicks.get_mut(&visitor) {
                clicks.retain(|(then, _)| *then > at);
                if clicks.is_empty() {
                    self.clicks.remove(&visitor);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::codes::{Codes, number_of};
    use super::*;
    use crate::domain::day_in_india;

    const NOON: i64 = 1_795_300_000_000;

    #[derive(Default)]
    struct KnownVisitors {
        codes: Codes,
        visitors: Visitors,
    }

    fn seen(known: &KnownVisitors, who: &str, visit: Option<u64>, deal: &str, at: i64) -> Pace {
        let at = Timestamp::from_millisecond(at).unwrap();
        let agent = "Mozilla/5.0";
        let visitor = known.codes.visitor(who.as_bytes(), agent, "hi", at);
        let deal = number_of(&[deal.as_bytes()]);
        known.visitors.pace_of(visitor.unwrap(), visit, deal, at)
    }

    #[test]
    fn clicks_of_one_visitor_are_counted_once_an_hour() {
        let visitors = KnownVisitors::default();
        let midnight = (day_in_india(Timestamp::from_millisecond(NOON).unwrap()) + 1) * 24 * HOUR
            - (5 * 60 + 30) * 60_000;
        for (minutes, pace) in [
            (-30, Pace::Human),
            (-29, Pace::Again),
            (1, Pace::Again),
            (31, Pace::Human),
        ] {
            let at = midnight + minutes * 60_000;
            assert_eq!(seen(&visitors, "a", Some(1), "tea", at), pace, "{minutes}");
        }
    }

    #[test]
    fn visits_from_one_address_count_as_different_visitors() {
        let visitors = KnownVisitors::default();
        for visit in 0..300 {
            let pace = seen(&visitors, "a", Some(visit), "tea", NOON + 10);
            assert_eq!(pace, Pace::Human, "{visit}");
        }
        assert_eq!(seen(&visitors, "a", Some(7), "tea", NOON + 20), Pace::Again);
        assert_eq!(seen(&visitors, "a", None, "tea", NOON + 20), Pace::Human);
        assert_eq!(seen(&visitors, "a", None, "tea", NOON + 30), Pace::Again);
    }

    #[test]
    fn clicks_above_human_pace_are_left_out() {
        let visitors = KnownVisitors::default();
        for deal in 0..25 {
            let pace = seen(&visitors, "a", Some(1), &deal.to_string(), NOON + deal);
            let human = if deal < 20 {
                Pace::Human
            } else {
                Pace::TooFast
            };
            assert_eq!(pace, human, "{deal}");
        }
        for deal in 0..70 {
            let at = NOON + deal * 50_000;
            let pace = seen(&visitors, "b", Some(1), &deal.to_string(), at);
            let human = if deal < 60 {
                Pace::Human
            } else {
                Pace::TooFast
            };
            assert_eq!(pace, human, "{deal}");
        }
        // Setting the clock back makes no new visitor.
        assert_eq!(
            seen(&visitors, "b", Some(1), "59", NOON + 59 * 50_000 - 1_000),
            Pace::Again
        );
    }

    #[test]
    fn visitors_are_forgotten_after_an_hour() {
        let visitors = KnownVisitors::default();
        for visit in 0..1_000_u64 {
            seen(&visitors, &visit.to_string(), Some(visit), "tea", NOON);
        }
        seen(&visitors, "later", None, "tea", NOON + 2 * HOUR);
        let table = visitors.visitors.0.lock().unwrap();
        assert_eq!(
            (table.order.len(), table.counted.len(), table.clicks.len(),),
            (1, 1, 1)
        );
    }
}
