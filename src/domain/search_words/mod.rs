//! Parses prices, discounts and ratings in search text (decisions, section 3).

mod price;
mod share;

use super::{Filters, Stated};
use price::price_in;
use share::{discount_in, rating_in};

/// Search filters with the stated prices, discount and rating moved from the text into their own filters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PricedSearch {
    /// Narrowed filters; `search` is none if nothing else was in the text.
    pub filters: Filters,
    /// The phrases as typed.
    phrases: Vec<String>,
    /// Filters parsed from the phrases.
    pub stated: Stated,
}

impl PricedSearch {
    /// Parses the phrases in `filters.search`; `None` without any.
    pub fn read(filters: &Filters) -> Option<Self> {
        let mut rest = filters.search.clone()?;
        let mut phrases = Vec::new();
        let mut take = |rest: &mut String, phrase: String| {
            *rest = rest.replacen(&phrase, " ", 1);
            phrases.push(phrase);
        };
        let mut stated = Stated::default();
        if let Some((discount, phrase)) = discount_in(&rest) {
            take(&mut rest, phrase);
            stated.discount = Some(discount);
        }
        if let Some((rating, phrase)) = rating_in(&rest) {
            take(&mut rest, phrase);
            stated.rating = Some(rating);
        }
        if let Some((least, most, phrase)) = price_in(&rest) {
            take(&mut rest, phrase);
            (stated.least, stated.most) = (least, most);
        }
        let rest = rest.split_whitespace().collect::<Vec<_>>().join(" ");
        let max_price = match (filters.max_price, stated.most) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        let read = Filters {
            search: (!rest.is_empty()).then_some(rest),
            min_price: filters.min_price.max(stated.least),
            max_price,
            min_discount: filters.min_discount.max(stated.discount),
            min_rating: filters.min_rating.max(stated.rating),
            ..filters.clone()
        };
        (!phrases.is_empty()).then_some(Self {
            filters: read,
            phrases,
            stated,
        })
    }

    /// Appends the phrases to another search text.
    pub fn with_phrases(&self, words: &str) -> String {
        format!("{words} {}", self.phrases.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Discount, Paise};

    fn read(text: &str) -> (Option<String>, Option<i64>, Option<i64>) {
        let filters = Filters {
            search: Some(text.to_owned()),
            ..Filters::default()
        };
        let read = PricedSearch::read(&filters).map_or(filters, |priced| priced.filters);
        let rupees = |price: Option<Paise>| price.map(|price| price.get() / 100);
        (read.search, rupees(read.min_price), rupees(read.max_price))
    }

    #[test]
    fn a_price_limit_is_separated_from_the_search_words() {
        let words = |text: &str| Some(text.to_owned());
        for (text, expected) in [
            ("shoes under 1000", (words("shoes"), None, Some(1_000))),
            ("under 10,000", (None, None, Some(10_000))),
            ("below ₹500 saree", (words("saree"), None, Some(500))),
            ("watch UPTO Rs. 2k", (words("watch"), None, Some(2_000))),
            (
                "mixer above 1.5k rupees",
                (words("mixer"), Some(1_500), None),
            ),
            (
                "tv between 20000 and 10000 rs",
                (words("tv"), Some(10_000), Some(20_000)),
            ),
            ("books under ₹50", (words("books"), None, Some(50))),
            (
                "headphones 1000-2000",
                (words("headphones"), Some(1_000), Some(2_000)),
            ),
            (
                "saree ₹500 to ₹900 silk",
                (words("saree silk"), Some(500), Some(900)),
            ),
            ("watch 1k–2k", (words("watch"), Some(1_000), Some(2_000))),
            ("laptop 40000 se kam", (words("laptop"), None, Some(40_000))),
            ("500 tak kurti", (words("kurti"), None, Some(500))),
            ("2000 ke andar juta", (words("juta"), None, Some(2_000))),
            ("mixer 1000 se upar", (words("mixer"), Some(1_000), None)),
            ("500 or less shoes", (words("shoes"), None, Some(500))),
            (
                "12-18 months dress under 500",
                (words("12-18 months dress"), None, Some(500)),
            ),
            ("साड़ी 999 से कम", (words("साड़ी"), None, Some(999))),
            ("saree ₹500", (words("saree"), None, Some(500))),
            ("rs. 2,000 watch", (words("watch"), None, Some(2_000))),
            ("199 rs gift", (words("gift"), None, Some(199))),
            ("0-500 shoes", (words("shoes"), None, Some(500))),
            ("1500 rupaye ka phone", (words("phone"), None, Some(1_500))),
            ("500 rupay se kam kurti", (words("kurti"), None, Some(500))),
            ("500 रुपये वाला बैग", (words("वाला बैग"), None, Some(500))),
            ("10k phone", (words("phone"), None, Some(10_000))),
            ("10 hazar tak mobile", (words("mobile"), None, Some(10_000))),
            ("phone 15K", (words("phone"), None, Some(15_000))),
            (
                "sasta earphone 300",
                (words("sasta earphone"), None, Some(300)),
            ),
            ("999 cheap shoes", (words("cheap shoes"), None, Some(999))),
            (
                "earphones above 4 stars under ₹1,500",
                (words("earphones"), None, Some(1_500)),
            ),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }

    #[test]
    fn numbers_that_are_no_price_stay_search_words() {
        for text in [
            "games under 12",
            "weight under 25 kg",
            "underwear 500",
            "500",
            "1984 book",
            "towers 500",
            "below average",
            "iphone 15",
            "diary 2026-2027",
            "bottle 500-1000 ml",
            "wh-1000-2000",
            "12 to 18 months dress",
            "kam se kam",
            "india 1857-1947",
            "router 2.4-5 ghz",
            "power bank 10000-20000 mah",
            "wh-1000xm4 400 tako",
            "under 99999999999999999999",
            "4k tv",
            "22k gold ring",
            "20k power bank",
            "cheap ssd 256",
            "cheap calendar 2027",
            "sasta phone 5g",
        ] {
            assert_eq!(read(text), (Some(text.to_owned()), None, None));
        }
    }

    #[test]
    fn a_rating_is_separated_from_the_search_words() {
        let read = |text: &str| {
            let filters = Filters {
                search: Some(text.to_owned()),
                ..Filters::default()
            };
            let read = PricedSearch::read(&filters)?.filters;
            Some((read.search.unwrap_or_default(), read.min_rating?))
        };
        for (text, words, stars) in [
            ("headphones 4 star", "headphones", 4),
            ("4 stars and above mixer", "mixer", 4),
            ("4+ star shoes", "shoes", 4),
            ("shoes above 3 stars", "shoes", 3),
            ("3 star se upar wali saree", "wali saree", 3),
            ("rated 4.5 stars watch", "watch", 4),
            ("4 ★ bag", "bag", 4),
        ] {
            assert_eq!(read(text), Some((words.to_owned(), stars)), "{text}");
        }
        for text in [
            "5 star ac",
            "3 star refrigerator",
            "5 star",
            "star wars",
            "4 starfish",
            "7 stars",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn a_price_in_the_search_only_narrows_the_filters() {
        let filters = Filters {
            search: Some("shoes under 1000".to_owned()),
            max_price: Paise::from_rupees(600.0),
            ..Filters::default()
        };
        let read = PricedSearch::read(&filters).unwrap();
        assert_eq!(read.filters.max_price, Paise::from_rupees(600.0));
        assert_eq!(read.with_phrases("shoe"), "shoe under 1000");
    }

    #[test]
    fn a_discount_is_separated_from_the_search_words() {
        for (text, expected) in [
            ("70% off", Some((None, 70.0, None))),
            (
                "shoes min 50% off under 1000",
                Some((Some("shoes"), 50.0, Some(100_000))),
            ),
            (
                "40 percent discount on jeans",
                Some((Some("on jeans"), 40.0, None)),
            ),
            ("saree 30%+", Some((Some("saree"), 30.0, None))),
            ("100% cotton shirt", None),
            ("50% cotton", None),
            ("off shoulder top", None),
        ] {
            let search = Some(text.to_owned());
            let read = PricedSearch::read(&Filters {
                search,
                ..Filters::default()
            });
            let expected = expected.map(|(search, percent, most)| Filters {
                search: search.map(str::to_owned),
                min_discount: Discount::from_percent(percent),
                max_price: most.and_then(Paise::new),
                ..Filters::default()
            });
            assert_eq!(read.map(|read| read.filters), expected, "{text}");
        }
    }
}
