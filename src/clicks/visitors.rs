//! Recent visitors, identified by an HMAC of address, user agent and language. Its salt is in
//! memory only and changes at midnight in India.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Mutex, PoisonError};

use hmac::{Hmac, KeyInit as _, Mac as _};
use jiff::Timestamp;
use sha2::{Digest as _, Sha256};

use crate::domain::day_in_india;

/// Time in milliseconds in which a visitor's repeated click on a deal is not counted.
const WINDOW: i64 = 60 * 60_000;
/// Maximum number of different deals per minute, and of clicks per hour, of a visitor.
const MAX_DEALS: usize = 20;
const MINUTE: i64 = 60_000;
const MAX_CLICKS: usize = 60;
/// Maximum clicks per hour from one address and browser, as its visit ids may be made up. A large
/// post brings as many from one phone company.
const MAX_CLICKS_OF_ADDRESS: usize = 1_200;
/// Maximum number of remembered clicks; the oldest are dropped.
const MAX_REMEMBERED: usize = 200_000;

/// Result of a visitor's recent clicks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pace {
    Human,
    Again,
    TooFast,
}

/// Visitors of the last hour.
#[derive(Default)]
pub(super) struct Visitors(Mutex<Table>);

/// Code of the day and id of the page load.
type Visitor = (u64, Option<u64>);

#[derive(Default)]
struct Table {
    salts: Option<Salts>,
    /// Time at which a visitor's click on a deal was counted.
    counted: HashMap<(Visitor, u64), i64>,
    /// Clicks of the last hour by visitor, and by code alone.
    clicks: HashMap<Visitor, VecDeque<(i64, u64)>>,
    of_address: HashMap<u64, VecDeque<i64>>,
    /// Remembered clicks, the oldest first.
    order: VecDeque<(Visitor, u64, i64)>,
}

struct Salts {
    day: i64,
    today: [u8; 32],
    /// Salt of the day before, for visitors from before midnight.
    before: Option<[u8; 32]>,
}

impl Visitors {
    /// Records a click on a deal by the visitor with these parts.
    pub(super) fn seen(
        &self,
        parts: [&[u8]; 3],
        visit: Option<u64>,
        deal: &str,
        now: Timestamp,
    ) -> Pace {
        let mut table = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let salts = table.salts(day_in_india(now));
        let codes = salts.map(|salt| salt.map(|salt| code(&salt, parts)));
        let (deal, now) = (number(&Sha256::digest(deal)), now.as_millisecond());
        table.forget(now);
        // Without a random source visitors cannot be told apart, so nobody is suspected.
        let [Some(today), before] = codes else {
            return Pace::Human;
        };
        let again = [Some(today), before].into_iter().flatten().any(|code| {
            let counted = table.counted.get(&((code, visit), deal));
            counted.is_some_and(|then| (now - then).abs() < WINDOW)
        });
        if again {
            return Pace::Again;
        }
        if table.is_too_fast((today, visit), deal, now) {
            return Pace::TooFast;
        }
        table.remember((today, visit), deal, now);
        Pace::Human
    }
}

impl Table {
    /// Returns the salts of a day and of the day before; new ones are made on first use.
    fn salts(&mut self, day: i64) -> [Option<[u8; 32]>; 2] {
        if self.salts.as_ref().is_none_or(|salts| salts.day != day) {
            let mut today = [0; 32];
            if getrandom::fill(&mut today).is_err() {
                return [None, None];
            }
            let before = self.salts.take().map(|salts| salts.today);
            self.salts = Some(Salts { day, today, before });
        }
        match &self.salts {
            Some(salts) => [Some(salts.today), salts.before],
            None => [None, None],
        }
    }

    fn is_too_fast(&self, visitor: Visitor, deal: u64, now: i64) -> bool {
        let of_address = self.of_address.get(&visitor.0).into_iter().flatten();
        if of_address.filter(|at| (now - *at).abs() < WINDOW).count() >= MAX_CLICKS_OF_ADDRESS {
            return true;
        }
        let clicks = self.clicks.get(&visitor).into_iter().flatten();
        let hour: Vec<_> = clicks.filter(|(at, _)| (now - at).abs() < WINDOW).collect();
        let minute = hour.iter().filter(|(at, _)| (now - at).abs() < MINUTE);
        let mut deals: HashSet<u64> = minute.map(|(_, deal)| *deal).collect();
        deals.insert(deal);
        deals.len() > MAX_DEALS || hour.len() >= MAX_CLICKS
    }

    fn remember(&mut self, visitor: Visitor, deal: u64, now: i64) {
        self.counted.insert((visitor, deal), now);
        self.clicks
            .entry(visitor)
            .or_default()
            .push_back((now, deal));
        self.of_address.entry(visitor.0).or_default().push_back(now);
        self.order.push_back((visitor, deal, now));
    }

    /// Drops clicks older than an hour, and those above the limit.
    fn forget(&mut self, now: i64) {
        while let Some((visitor, deal, at)) = self.order.front().copied() {
            if self.order.len() < MAX_REMEMBERED && (now - at).abs() < WINDOW {
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
            if let Some(clicks) = self.of_address.get_mut(&visitor.0) {
                clicks.retain(|then| *then > at);
                if clicks.is_empty() {
                    self.of_address.remove(&visitor.0);
                }
            }
        }
    }
}

fn code(salt: &[u8; 32], parts: [&[u8]; 3]) -> u64 {
    // HMAC takes keys of any length.
    let Ok(mut code) = Hmac::<Sha256>::new_from_slice(salt) else {
        return 0;
    };
    for part in parts {
        code.update(part);
        code.update(&[0]);
    }
    number(&code.finalize().into_bytes())
}

/// Reads the first eight bytes.
fn number(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .take(8)
        .fold(0, |number, byte| number << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOON: i64 = 1_795_300_000_000;

    fn seen(visitors: &Visitors, who: &str, visit: Option<u64>, deal: &str, at: i64) -> Pace {
        let parts = [who.as_bytes(), b"Mozilla/5.0", b"hi"];
        visitors.seen(parts, visit, deal, Timestamp::from_millisecond(at).unwrap())
    }

    #[test]
    fn the_same_visitor_is_counted_once_an_hour_also_over_midnight() {
        let visitors = Visitors::default();
        let midnight = (day_in_india(Timestamp::from_millisecond(NOON).unwrap()) + 1) * 24 * WINDOW
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
    fn three_hundred_visits_from_one_address_are_three_hundred_people() {
        let visitors = Visitors::default();
        for visit in 0..300 {
            let pace = seen(&visitors, "a", Some(visit), "tea", NOON + 10);
            assert_eq!(pace, Pace::Human, "{visit}");
        }
        assert_eq!(seen(&visitors, "a", Some(7), "tea", NOON + 20), Pace::Again);
        assert_eq!(seen(&visitors, "a", None, "tea", NOON + 20), Pace::Human);
        assert_eq!(seen(&visitors, "a", None, "tea", NOON + 30), Pace::Again);
    }

    #[test]
    fn more_than_people_do_is_left_out_from_the_excess_on() {
        let visitors = Visitors::default();
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
    fn what_is_remembered_is_bounded() {
        let visitors = Visitors::default();
        for visit in 0..1_000_u64 {
            seen(&visitors, &visit.to_string(), Some(visit), "tea", NOON);
        }
        seen(&visitors, "later", None, "tea", NOON + 2 * WINDOW);
        let table = visitors.0.lock().unwrap();
        assert_eq!(
            (
                table.order.len(),
                table.counted.len(),
                table.clicks.len(),
                table.of_address.len()
            ),
            (1, 1, 1, 1)
        );
    }
}
