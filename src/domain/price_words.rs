//! Parses prices and discounts in search text: "shoes under 1000", "below ₹500", "between 2k and 5k",
//! "1000-2000", "500 se kam", "2000 tak", "50% off".

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::{Discount, Filters, Paise};

/// Smallest number that counts as a price without a currency, in rupees.
const PRICE: f64 = 100.0;

/// A number with optional currency and optional `k` for thousands.
const AMOUNT: &str =
    r"(₹|rs\.?|inr)?\s*(\d[\d,]*(?:\.\d{1,2})?)(?:\s*(k)\b)?(?:\s*(?:rs\b\.?|rupees\b|/-))?";

/// Search filters with the prices and the discount moved from the text into their own filters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PricedSearch {
    /// Narrowed filters; `search` is none if the text was a price only.
    pub filters: Filters,
    /// The phrases as typed.
    phrases: Vec<String>,
    /// Parsed lower and upper bound.
    pub bounds: (Option<Paise>, Option<Paise>),
    /// Parsed lowest discount.
    pub discount: Option<Discount>,
}

/// Units that mark a number as a measure, not a price.
const UNITS: &str = "kg kgs g gm gms gram grams mg ml l ltr litre litres liter liters gb tb mb mah wh w \
    watt watts kw v volt volts a amp amps inch inches in cm mm m meter meters metre metres ft feet km hz \
    khz mhz ghz mp rpm page pages year years yrs month months day days hour hours hrs min mins minutes \
    piece pieces pcs pack packs set sets item items % x dpi lumens lm tc thread seater person people";

impl PricedSearch {
    /// Parses the phrases in `filters.search`; `None` without any.
    pub fn read(filters: &Filters) -> Option<Self> {
        let mut rest = filters.search.clone()?;
        let mut phrases = Vec::new();
        let mut take = |rest: &mut String, phrase: String| {
            *rest = rest.replacen(&phrase, " ", 1);
            phrases.push(phrase);
        };
        let mut read = filters.clone();
        let discount = discount_in(&rest).map(|(discount, phrase)| {
            take(&mut rest, phrase);
            discount
        });
        read.min_discount = filters.min_discount.max(discount);
        let bounds = price_in(&rest).map(|(least, most, phrase)| {
            take(&mut rest, phrase);
            (least, most)
        });
        let bounds = bounds.unwrap_or_default();
        read.min_price = filters.min_price.max(bounds.0);
        read.max_price = match (filters.max_price, bounds.1) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        let rest = rest.split_whitespace().collect::<Vec<_>>().join(" ");
        read.search = (!rest.is_empty()).then_some(rest);
        (!phrases.is_empty()).then_some(Self {
            filters: read,
            phrases,
            bounds,
            discount,
        })
    }

    /// Appends the phrases to another search text.
    pub fn with_phrases(&self, words: &str) -> String {
        format!("{words} {}", self.phrases.join(" "))
    }
}

/// Returns the lowest discount and the phrase that states it; a share without such words is of the thing, like
/// “100% cotton”.
fn discount_in(text: &str) -> Option<(Discount, String)> {
    static DISCOUNT: LazyLock<Option<Regex>> = LazyLock::new(|| {
        let percent = r"(\d{1,2})\s*(?:%|percent\b|per\s+cent\b)";
        let off = r"\s*(?:off|discount|(?:ki\s+)?ch?hoot)(?:\s+(?:or|and)\s+(?:more|above))?";
        let more = r"\s*(?:\+|(?:or|and)\s+(?:more|above))(?:\s*off)?";
        let least = r"(?:min(?:imum|\.)?|at\s+least|flat|above|over)\s+";
        Regex::new(&format!(
            r"(?i)(?:^|\s)(?:{least})?{percent}(?:{off}|{more})(?:\s|$)"
        ))
        .ok()
    });
    let found = DISCOUNT.as_ref()?.captures(text)?;
    let percent: f64 = found[1].parse().ok()?;
    Some((Discount::from_percent(percent)?, found[0].trim().to_owned()))
}

/// Returns lower bound, upper bound and the phrase that states them.
fn price_in(text: &str) -> Option<(Option<Paise>, Option<Paise>, String)> {
    static BETWEEN: LazyLock<Option<Regex>> = LazyLock::new(|| {
        let pattern = format!(r"(?i)\b(?:between|from)\s+{AMOUNT}\s*(?:and|to|se|-|–)\s*{AMOUNT}");
        Regex::new(&pattern).ok()
    });
    static RANGE: LazyLock<Option<Regex>> = LazyLock::new(|| {
        let pattern = format!(r"(?i)(?:^|\s){AMOUNT}\s*(?:to|se|-|–)\s*{AMOUNT}(?:\s|$)");
        Regex::new(&pattern).ok()
    });
    static BOUND: LazyLock<Option<Regex>> = LazyLock::new(|| {
        let most = r"under|below|less than|within|up ?to|at most|budget";
        let least = r"above|over|more than|at least";
        Regex::new(&format!(r"(?i)\b(?:({most})|{least})\s*{AMOUNT}")).ok()
    });
    static BOUND_AFTER: LazyLock<Option<Regex>> = LazyLock::new(|| {
        let most = r"se\s+kam|se\s+sasta|tak|(?:or|and)\s+(?:less|below)|(?:ke\s+)?(?:andar|under|niche|neeche|below)|से\s+कम|तक|के\s+(?:अंदर|नीचे)";
        let least = r"se\s+(?:jyada|zyada|jada|upar|ooper)|(?:or|and)\s+(?:more|above)|(?:ke\s+)?upar|से\s+(?:ज्यादा|ज़्यादा|ऊपर)";
        Regex::new(&format!(
            r"(?i)(?:^|\s){AMOUNT}\s*(?:({most})|{least})(?:\s|$)"
        ))
        .ok()
    });
    static ALONE: LazyLock<Option<Regex>> = LazyLock::new(|| {
        let pattern = format!(r"(?i)(?:^|\s){AMOUNT}(?:\s|$)");
        Regex::new(&pattern).ok()
    });
    let between = BETWEEN.as_ref()?.captures(text);
    let range = RANGE.as_ref()?.captures(text);
    let range = range.filter(|found| !are_years(found));
    let mut ranges = between.into_iter().chain(range);
    if let Some(read) = ranges.find_map(|found| read_range(text, &found)) {
        return Some(read);
    }
    // Not “above 4 stars”.
    let first = |bounds: &Regex, at| {
        let mut all = bounds.captures_iter(text);
        all.find(|found| amount(found, at).is_some() && !is_measure(text, found))
    };
    let before = first(BOUND.as_ref()?, 2);
    let (found, at, place) = match (before, first(BOUND_AFTER.as_ref()?, 1)) {
        (Some(found), _) => (found, 2, 1),
        (None, Some(found)) => (found, 1, 4),
        // An amount of money alone is the budget.
        (None, None) => {
            let mut alone = ALONE.as_ref()?.captures_iter(text);
            (alone.find(|found| has_currency(&found[0]))?, 1, 0)
        }
    };
    let price = Some(amount(&found, at)?);
    let phrase = found[0].trim().to_owned();
    Some(match found.get(place) {
        Some(_) => (None, price, phrase),
        None => (price, None, phrase),
    })
}

/// Returns the bounds of two amounts, and the phrase that states them.
fn read_range(text: &str, found: &Captures<'_>) -> Option<(Option<Paise>, Option<Paise>, String)> {
    if is_measure(text, found) {
        return None;
    }
    let phrase = found[0].trim().to_owned();
    let b = amount(found, 4)?;
    if &found[2] == "0" {
        return Some((None, Some(b), phrase));
    }
    let a = amount(found, 1)?;
    Some((Some(a.min(b)), Some(a.max(b)), phrase))
}

/// True for two years without a currency, as titles of books have them: 1857-1947.
fn are_years(found: &Captures<'_>) -> bool {
    let is_year = |at: usize| {
        let number = found
            .get(at + 1)
            .and_then(|number| number.as_str().parse().ok());
        let is_plain = found.get(at).is_none() && found.get(at + 2).is_none();
        is_plain && number.is_some_and(|year: u32| (1800..2100).contains(&year))
    };
    is_year(1) && is_year(4)
}

/// True if a unit follows ("under 500 GB", "under 200kg") and no currency is given.
fn is_measure(text: &str, found: &Captures<'_>) -> bool {
    let (end, phrase) = found
        .get(0)
        .map_or((0, ""), |all| (all.end(), all.as_str()));
    if has_currency(phrase) {
        return false;
    }
    let rest = text.get(end..).unwrap_or_default();
    // The match includes white space after the number.
    let glued = !phrase.ends_with(char::is_whitespace)
        && rest.starts_with(|c: char| c.is_alphanumeric() || c == '%');
    let next = rest
        .trim_start()
        .split(|c: char| c.is_whitespace() || c == ',')
        .next()
        .unwrap_or_default()
        .to_lowercase();
    glued || UNITS.split_whitespace().any(|unit| unit == next)
}

fn has_currency(phrase: &str) -> bool {
    let phrase = phrase.to_lowercase();
    let names = ["₹", "rs", "inr", "rupee", "/-"];
    names.iter().any(|currency| phrase.contains(currency))
}

/// Parses the amount whose currency is capture `at`.
fn amount(found: &Captures<'_>, at: usize) -> Option<Paise> {
    let number: f64 = found.get(at + 1)?.as_str().replace(',', "").parse().ok()?;
    let is_thousands = found.get(at + 2).is_some();
    let rupees = if is_thousands {
        number * 1_000.0
    } else {
        number
    };
    let is_price = found.get(at).is_some() || rupees >= PRICE;
    is_price.then(|| Paise::from_rupees(rupees)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

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
            (
                "earphones above 4 stars under ₹1,500",
                (words("earphones above 4 stars"), None, Some(1_500)),
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
        ] {
            assert_eq!(read(text), (Some(text.to_owned()), None, None));
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
