//! Relevance score of a product for a search.
//!
//! To change the ranking, change [`score`] and its weights; the parts of a [`Score`] are summed.
//! Lists take the [`CANDIDATES`] first products of a coarser order that the sorts in memory have
//! (whole words in titles that name no accessory, in other titles, prefixes there, titles with the thing
//! but not all words, then clicks and ratings), and sort these by score. `tests/it/api/list_plans.rs`
//! checks that all plans agree.

mod purpose;

use self::purpose::{Purpose, purpose};
use super::same_words::SearchWord;
use super::shop_words::{accessory, is_describing, is_person, kind_of};
use super::terms::{Query, SearchScope, for_each_token, is_joined_term, is_stop_word};
use crate::domain::for_each_word;

/// Number of products that are scored, at up to 20 µs each with a million products; 1,000 exceeded
/// the 12 ms that a search may take.
pub const CANDIDATES: i64 = 200;

/// Points for a search word that occurs in the title in any form, and for a prefix; averaged over
/// the words, by their weights.
const WHOLE_WORD: f64 = 10.0;
const PREFIX: f64 = 5.0;
/// Points for another word for the same thing, and for the kind that a line of products is of.
const SAME: f64 = 8.0;
/// Points for a word that only the name of the category has.
const CATEGORY: f64 = 6.0;
/// Points for all words adjacent and in order.
const IN_ORDER: f64 = 2.0;
/// Points for a match at the title's start, divided by the position.
const AT_START: f64 = 1.0;
/// Points less for a product that is made for the thing searched, and for one that only has it.
const MADE_FOR: f64 = 8.0;
const HAS: f64 = 4.0;
/// Points less for a title without the thing searched: more than all other words give.
const OTHER_THING: f64 = 20.0;
/// Points per tenfold clicks, or ratings.
const CLICKS: f64 = 1.0;
const RATINGS: f64 = 0.25;

/// Returns the position of the word that names the thing: the last one that is no person, colour, material
/// or measure.
pub(crate) fn head_of(query: &Query) -> usize {
    let is_thing = |word: &SearchWord| {
        let text = &word.text;
        let describes = is_stop_word(text) || is_person(text) || is_describing(text);
        !describes && !text.contains(|c: char| c.is_ascii_digit())
    };
    let words = query.words();
    words.iter().rposition(is_thing).unwrap_or(words.len() - 1)
}

/// Scored fields of a product.
#[derive(Debug, Clone, Copy)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Candidate<'a> {
    pub title: &'a str,
    /// The name of its category.
    pub category: &'a str,
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
    /// Negative for what is made for the thing searched, only has it, or is another thing by its title.
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
    let head = head_of(query);
    let mut at = 0_u16;
    // Positions of the head in the title.
    let mut searched = Vec::new();
    for_each_token(product.title, SearchScope::Title, |token| {
        if !is_joined_term(token) {
            at = at.saturating_add(1);
        }
        let mut add = |place: usize, points| {
            if place == head {
                searched.push(at);
            }
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
    });
    let kind = kind_of(product.title);
    let mut add = |word: &str, points: f64| {
        for place in query.places_of(word).flat_map(|(places, _)| places) {
            if points > places[place].0 {
                places[place].0 = points;
            }
        }
    };
    kind.line.into_iter().for_each(|line| add(line, SAME));
    let mut is_book = false;
    for_each_word(product.category, |_, word| {
        is_book |= word == "books";
        add(word, CATEGORY);
    });
    let others = query.words().iter().enumerate();
    let mut others = others.filter(|(place, _)| *place != head);
    let is_accessory = accessory(&query.words()[head].text).is_some();
    let purpose = if places[head].0 == 0.0 {
        Purpose::OtherThing
    } else if others.any(|(_, word)| accessory(&word.text).is_some()) {
        Purpose::Thing
    } else if !searched.is_empty() {
        purpose(product.title, &searched, is_accessory)
    } else if places[head].0 > 0.0 && kind.accessory.is_some() && !is_accessory {
        // By its category.
        Purpose::MadeForIt
    } else {
        Purpose::Thing
    };
    let asks_for_books = query.places_of("books").next().is_some();
    let purpose = match purpose {
        // Titles of books name other things: "Iron Flame" is no iron.
        Purpose::Thing if is_book && !asks_for_books => Purpose::HasIt,
        purpose => purpose,
    };
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
        purpose: match purpose {
            Purpose::Thing => 0.0,
            Purpose::HasIt => -HAS,
            Purpose::MadeForIt => -MADE_FOR,
            Purpose::OtherThing => -OTHER_THING,
        },
        clicks: CLICKS * tens(product.clicks),
        ratings: RATINGS * tens(product.ratings),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scored(search: &str, title: &str) -> Score {
        scored_in("Home", search, title)
    }

    fn scored_in(category: &str, search: &str, title: &str) -> Score {
        let (clicks, ratings) = (9, 99);
        let product = Candidate {
            title,
            category,
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
        // A line of products says what the thing is, but not after an accessory.
        assert_eq!(scored("phone", "Samsung Galaxy M14").words, SAME);
        assert_eq!(scored("phone", "Samsung Galaxy M14 cover").words, 0.0);
        // A word of the category's name.
        assert_eq!(scored("home", "Tea kettle").words, CATEGORY);
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

    #[test]
    fn a_title_says_whether_a_product_is_made_for_the_thing_or_has_it() {
        for (search, title) in [
            ("laptop", "Cable for Laptop"),
            ("laptop", "Laptop 15 Stand"),
            ("laptop", "Sleeve, for 15-inch laptops"),
            ("laptop", "Club Neoprene for 15-inch Laptop Sleeve"),
            ("laptop", "Laptop, Smartphone Type-C A400 Male Data Cable"),
            ("laptop", "Desk Stand with Fan, Laptop and Tablet"),
            ("laptop", "Glass compatible with Laptop"),
            ("phone", "USB Type-C Cable Smartphone"),
            (
                "samsung phone",
                "Samsung Travel Adapter for Cellular Phones",
            ),
            ("mouse", "Rubber mouse pad"),
            ("headphone", "Stand for headphones"),
            ("home", "Samsung Galaxy back cover"),
        ] {
            assert_eq!(scored(search, title).purpose, -MADE_FOR, "{title}");
        }
        for (search, title) in [
            ("camera", "Smart watch with steps, camera and music"),
            ("keyboard", "Tablet with keyboard"),
        ] {
            assert_eq!(scored(search, title).purpose, -HAS, "{title}");
        }
        assert_eq!(scored_in("Books", "iron", "Iron Flame").purpose, -HAS);
        assert_eq!(scored_in("Books", "iron book", "Iron Flame").purpose, 0.0);
        for (search, title) in [
            ("laptop", "Lenovo Laptop for Students with a Bag"),
            ("laptop", "HP Laptop (8 GB RAM, backlit keyboard)"),
            ("laptop sleeve", "Sleeve for laptops"),
            ("sleeve for laptop", "Laptop sleeve"),
            ("kurta", "Kurta for Men"),
            ("lamp", "Table lamp"),
            ("men kurta", "Cotton Kurta for Men"),
            ("prestige kettle", "Prestige kettle, glass jar"),
            ("mouse", "Wireless mouse and keyboard"),
        ] {
            assert_eq!(scored(search, title).purpose, 0.0, "{title}");
        }
    }
}
