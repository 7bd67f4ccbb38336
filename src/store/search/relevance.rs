//! Relevance score of a product for a search.
//!
//! To change the ranking, change [`score`] and its weights; the parts of a [`Score`] are summed.
//! Lists take the [`CANDIDATES`] first products of a coarser order that the sorts in memory have
//! (whole words in the title, then prefixes there, then clicks and ratings), and sort these by
//! score. `tests/it/api/list_plans.rs` checks that all plans agree.

use super::terms::{Query, SearchScope, for_each_token, is_joined_term};

/// Number of products that are scored, at up to 20 µs each with a million products; 1,000 exceeded
/// the 12 ms that a search may take.
pub const CANDIDATES: i64 = 200;

/// Points for a search word that occurs in the title in any form, and for a prefix; averaged over
/// the words, by their weights.
const WHOLE_WORD: f64 = 10.0;
const PREFIX: f64 = 5.0;
/// Points for another word for the same thing.
const SAME: f64 = 8.0;
/// Points for all words adjacent and in order.
const IN_ORDER: f64 = 2.0;
/// Points for a match at the title's start, divided by the position.
const AT_START: f64 = 1.0;
/// Points less for a product that is for the thing searched, and not the thing itself.
const ACCESSORY: f64 = 4.0;
/// Points per tenfold clicks, or ratings.
const CLICKS: f64 = 1.0;
const RATINGS: f64 = 0.25;

/// Things that are named after others: a laptop sleeve is no laptop.
const ACCESSORIES: [&str; 36] = [
    "adapter",
    "adaptor",
    "backpack",
    "bag",
    "band",
    "battery",
    "box",
    "bracket",
    "cable",
    "case",
    "charger",
    "cleaner",
    "connector",
    "cooler",
    "cord",
    "cover",
    "dock",
    "dongle",
    "guard",
    "holder",
    "hub",
    "mount",
    "organiser",
    "organizer",
    "pad",
    "pouch",
    "protector",
    "rack",
    "skin",
    "sleeve",
    "stand",
    "stick",
    "strap",
    "stylus",
    "table",
    "tripod",
];
/// People, for whom a thing is made without being their accessory.
const PEOPLE: [&str; 16] = [
    "adults", "baby", "babies", "boy", "boys", "children", "gents", "girl", "girls", "her", "him",
    "kids", "ladies", "men", "unisex", "women",
];

/// Words before the thing that a product is made for.
const FOR: [&str; 2] = ["for", "compatible"];

/// Tells from a title's words, one after the other, whether it names what its product is for.
#[derive(Default)]
struct Purpose {
    /// Position of a `for` without people.
    from: Option<u16>,
    /// Position of the last word that is searched.
    matched: Option<u16>,
    /// Position of the last accessory before any of them.
    accessory: Option<u16>,
    is_after_for: bool,
    is_accessory: bool,
}

impl Purpose {
    fn read(&mut self, token: &str, at: u16, is_searched: bool) {
        if self.is_after_for && self.from.is_none() && !PEOPLE.contains(&token) {
            self.from = Some(at);
        }
        self.is_after_for = FOR.contains(&token) || self.is_after_for && token == "with";
        if is_searched {
            // “Table lamp” is a lamp, “Stick with remote for mobile” no mobile.
            self.is_accessory |= self.accessory.is_some_and(|accessory| at - accessory > 1);
            self.matched = Some(at);
        } else if is_accessory(token) {
            match self.matched {
                Some(matched) => self.is_accessory |= at - matched <= 2 && self.from.is_none(),
                None => self.accessory = Some(at),
            }
        }
    }
}

fn is_accessory(word: &str) -> bool {
    ACCESSORIES.contains(&word.strip_suffix('s').unwrap_or(word))
}

/// Scored fields of a product.
#[derive(Debug, Clone, Copy)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Candidate<'a> {
    pub title: &'a str,
    pub clicks: i64,
    pub ratings: i64,
}

/// Points of a product for a search.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Score {
    pub words: f64,
    /// All words adjacent and in order.
    pub order: f64,
    pub position: f64,
    /// Negative for an accessory of the thing searched.
    pub purpose: f64,
    pub clicks: f64,
    pub ratings: f64,
}

impl Score {
    /// Sum of the parts.
    pub fn total(&self) -> f64 {
        self.words + self.order + self.position + self.purpose + self.clicks + self.ratings
    }
}

/// Scores a product for a search; `weights` has one for each word, 1 on average.
pub fn score(product: &Candidate<'_>, query: &Query, weights: &[f64]) -> Score {
    // Points of each search word, and the position in the title.
    let mut places = vec![(0.0, 0_u16); query.words().len()];
    let last = query.last();
    let mut words = query.words().iter();
    let last_place = words
        .rposition(|word| word.text == last)
        .unwrap_or_default();
    let mut at = 0_u16;
    let mut purpose = Purpose::default();
    for_each_token(product.title, SearchScope::Title, |token| {
        if !is_joined_term(token) {
            at = at.saturating_add(1);
        }
        let mut is_searched = false;
        let mut add = |place: usize, points| {
            is_searched = true;
            if points > places[place].0 {
                places[place] = (points, at);
            }
        };
        for (places, is_typed) in query.places_of(token) {
            let points = if is_typed { WHOLE_WORD } else { SAME };
            places.for_each(|place| add(place, points));
        }
        if token.starts_with(last) {
            add(last_place, PREFIX);
        }
        if !is_joined_term(token) {
            purpose.read(token, at, is_searched);
        }
    });
    let asks_for_one = query.words().iter().any(|word| is_accessory(&word.text));
    let is_named_after_for = purpose.from.is_some_and(|from| {
        let mut named = places.iter();
        named.any(|(_, at)| *at >= from)
    });
    let are_all = places.iter().all(|(points, _)| *points == WHOLE_WORD);
    let in_order = |pair: &[(f64, u16)]| matches!(pair[1].1.checked_sub(pair[0].1), Some(0 | 1));
    let first = places.iter().map(|(_, at)| *at).filter(|at| *at > 0).min();
    let tens = |count: i64| (count as f64 + 1.0).log10();
    let words = places.iter().zip(weights);
    let points: f64 = words.map(|((points, _), weight)| points * weight).sum();
    Score {
        words: points / places.len() as f64,
        order: if are_all && places.windows(2).all(in_order) {
            IN_ORDER
        } else {
            0.0
        },
        position: first.map_or(0.0, |at| AT_START / f64::from(at)),
        purpose: if !asks_for_one && (purpose.is_accessory || is_named_after_for) {
            -ACCESSORY
        } else {
            0.0
        },
        clicks: CLICKS * tens(product.clicks),
        ratings: RATINGS * tens(product.ratings),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scored(search: &str, title: &str) -> Score {
        let (clicks, ratings) = (9, 99);
        let product = Candidate {
            title,
            clicks,
            ratings,
        };
        let query = Query::parse(search).unwrap();
        score(&product, &query, &vec![1.0; query.words().len()])
    }

    #[test]
    fn relevance_scores_words_order_position_clicks_and_ratings() {
        let exact = scored("steel pan", "Steel pans, two");
        assert_eq!(
            exact,
            Score {
                words: WHOLE_WORD,
                order: IN_ORDER,
                position: AT_START,
                purpose: 0.0,
                clicks: CLICKS,
                ratings: 2.0 * RATINGS,
            }
        );
        let apart = scored("steel pan", "A pan of steel");
        assert_eq!((apart.words, apart.order), (WHOLE_WORD, 0.0));
        assert_eq!(apart.position, AT_START / 2.0);
        let begun = scored("steel pan", "Panasonic steel kettle");
        assert_eq!(begun.words, (WHOLE_WORD + PREFIX) / 2.0);
        let missing = scored("steel pan", "Wok");
        assert_eq!(missing.words + missing.order + missing.position, 0.0);
        assert!(exact.total() > apart.total() && apart.total() > begun.total());
        // An accessory of the thing, and the thing.
        for title in [
            "Cable for Laptop",
            "Laptop 15 Stand",
            "Sleeve, for 15-inch laptops",
            "Desk Stand with Fan, Laptop and Tablet",
            "Glass compatible with Laptop",
        ] {
            assert_eq!(scored("laptop", title).purpose, -ACCESSORY, "{title}");
        }
        for (search, title) in [
            ("laptop", "Lenovo Laptop for Students with a Bag"),
            ("laptop sleeve", "Sleeve for laptops"),
            ("kurta", "Kurta for Men"),
            ("lamp", "Table lamp"),
            ("men kurta", "Cotton Kurta for Men"),
        ] {
            assert_eq!(scored(search, title).purpose, 0.0, "{title}");
        }
        // Written as one word or as two.
        for (search, title) in [("power bank", "Powerbank"), ("tshirts red", "T-Shirt red")] {
            let score = scored(search, title);
            assert_eq!(
                (score.words, score.order),
                (WHOLE_WORD, IN_ORDER),
                "{title}"
            );
        }
    }
}
