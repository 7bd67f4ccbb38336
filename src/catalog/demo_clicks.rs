//! Made-up clicks of the demo shop: two months of them, so that reports compare a month with the one before.

use std::collections::HashMap;

use jiff::{SignedDuration, Timestamp};

use crate::domain::{
    Channel, Classification, Click, ListQuery, Place, day_in_india, hour_in_india,
};
use crate::store::{NewPageViews, Store, StoreError};

const DAYS: i64 = 60;
/// Days before the last one with more visitors, as before a festival.
const FESTIVAL: std::ops::RangeInclusive<i64> = 14..=16;
/// Visitors of the first month, in percent of those of the second.
const FIRST_MONTH: u64 = 78;

/// Visitors by the day of the week from Thursday, the first day of Unix time, in percent of the busiest one.
const WEEKDAYS: [u64; 7] = [66, 72, 88, 100, 60, 54, 62];

/// Visitors by channel, in percent.
const CHANNELS: [(Channel, u64); 7] = [
    (Channel::Direct, 52),
    (Channel::Telegram, 19),
    (Channel::Search, 14),
    (Channel::Instagram, 8),
    (Channel::Whatsapp, 4),
    (Channel::Ai, 2),
    (Channel::Reddit, 1),
];
const PLACES: [(Place, u64); 4] = [
    (Place::List, 44),
    (Place::Details, 38),
    (Place::Search, 15),
    (Place::Saved, 3),
];
/// Classifications, reasons and agents of clicks, in percent.
const CLASSIFICATIONS: [(Classification, &str, &str, u64); 6] = [
    (Classification::Counted, "", "", 74),
    (
        Classification::Bot,
        "GPTBot",
        "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",
        10,
    ),
    (
        Classification::Repeat,
        "",
        "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36",
        8,
    ),
    (
        Classification::Preview,
        "TelegramBot",
        "TelegramBot (like TwitterBot)",
        4,
    ),
    (Classification::Program, "curl", "curl/8.14.1", 2),
    (
        Classification::Yours,
        "",
        "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
        2,
    ),
];
const EMPTY_SEARCHES: [(&str, u64); 4] = [
    ("air cooler", 14),
    ("trimmer under 1000", 11),
    ("ugreen", 6),
    ("study table", 3),
];

/// Spreads the clicks of every product over the two months before `now`.
///
/// # Errors
///
/// Database errors.
pub(super) fn make_up(store: &Store, now: Timestamp) -> Result<(), StoreError> {
    let mut clicks: Vec<(String, Click)> = Vec::new();
    let mut views: HashMap<i64, HashMap<String, u64>> = HashMap::new();
    let mut random = Random(7);
    let products = store.list_products(&ListQuery {
        limit: ListQuery::MAX_LIMIT,
        ..ListQuery::default()
    })?;
    for product in products.page.items {
        // In the last week some products rise, some fall, most stay level.
        let trend = [100, 100, 100, 260, 40][random.below(5)];
        for _ in 0..product.clicks {
            let at = random.time(now, trend);
            let day = day_in_india(at);
            let seen = views.entry(day).or_default().entry(product.id.clone());
            *seen.or_default() += 1 + random.number(2);
            clicks.push((product.id.clone(), random.click(at)));
        }
    }
    clicks.sort_by_key(|(_, click)| click.at);
    store.add_classified_clicks(clicks).wait()?;
    for days_ago in 0..DAYS {
        let day = now - SignedDuration::from_hours(24 * days_ago);
        let vain = if days_ago == 1 {
            EMPTY_SEARCHES.as_slice()
        } else {
            &[]
        };
        let new = NewPageViews {
            products: views.remove(&day_in_india(day)).unwrap_or_default(),
            searches: vain
                .iter()
                .map(|(words, times)| ((*words).to_owned(), *times))
                .collect(),
        };
        store.add_page_views(new, day).wait()?;
    }
    Ok(())
}

/// Deterministic pseudo-random numbers (SplitMix64, Steele and others, 2014).
struct Random(u64);

impl Random {
    fn number(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % below.max(1)
    }

    fn below(&mut self, choices: usize) -> usize {
        let choices = u64::try_from(choices).unwrap_or(1);
        usize::try_from(self.number(choices)).unwrap_or(0)
    }

    /// Chooses one by weight, of a hundred.
    fn pick<T: Copy>(&mut self, choices: &[T], weight: impl Fn(&T) -> u64) -> Option<T> {
        let mut left = self.number(100);
        choices.iter().copied().find(|choice| {
            let is_it = left < weight(choice);
            left = left.saturating_sub(weight(choice));
            is_it
        })
    }

    /// Chooses a time of the two months: more on the festival, and `trend` percent in the last week.
    fn time(&mut self, now: Timestamp, trend: u64) -> Timestamp {
        loop {
            let seconds = i64::try_from(self.number(86_400)).unwrap_or_default();
            let days_ago = i64::try_from(self.number(DAYS.unsigned_abs())).unwrap_or_default();
            let weight = match days_ago {
                0..=6 => trend,
                30.. => FIRST_MONTH,
                _ if FESTIVAL.contains(&days_ago) => 220,
                _ => 100,
            };
            // Few clicks before seven.
            let at = now - SignedDuration::from_secs(days_ago * 86_400 + seconds);
            let awake = if hour_in_india(at).rem_euclid(24) < 7 {
                15
            } else {
                100
            };
            let weekday = day_in_india(at).rem_euclid(7);
            let busy = usize::try_from(weekday).map_or(100, |day| WEEKDAYS[day]);
            if self.number(260 * 100 * 100) < weight * awake * busy {
                return at;
            }
        }
    }

    fn click(&mut self, at: Timestamp) -> Click {
        let (classification, why, agent, _) = self
            .pick(&CLASSIFICATIONS, |(.., weight)| *weight)
            .unwrap_or(CLASSIFICATIONS[0]);
        let channel = self.pick(&CHANNELS, |(_, weight)| *weight);
        let place = self.pick(&PLACES, |(_, weight)| *weight);
        Click {
            classification,
            why: why.to_owned(),
            agent: agent.to_owned(),
            channel: channel.map_or(Channel::Direct, |(channel, _)| channel),
            place: place.map_or(Place::List, |(place, _)| place),
            ..Click::at(at)
        }
    }
}
