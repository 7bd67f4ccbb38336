//! Parses prices in search text: "shoes under 1000", "below ₹500", "between 2k and 5k", "1000-2000", "500 se kam",
//! "2000 tak", "phone 10k", "sasta phone 8000".

use std::sync::LazyLock;

use regex::{Captures, Regex};

use crate::domain::Paise;

/// Smallest number that counts as a price without a currency, in rupees.
const PRICE: f64 = 100.0;

/// A number with optional currency and optional `k`, or a word, for thousands.
const AMOUNT: &str = r"(₹|rs\.?|inr)?\s*(\d[\d,]*(?:\.\d{1,2})?)(?:\s*(k|hazaa?r|हज़ार|हजार|thousand)\b)?(?:\s*(?:rs\b\.?|rup(?:ees?|ay[ae]?|iya)\b|रुप(?:ये|ए)|/-))?";

/// Units that mark a number as a measure, not a price.
const UNITS: &str = "kg kgs g gm gms gram grams mg ml l ltr litre litres liter liters gb tb mb mah wh w \
    watt watts kw v volt volts a amp amps inch inches in cm mm m meter meters metre metres ft feet km hz \
    khz mhz ghz mp rpm page pages year years yrs month months day days hour hours hrs min mins minutes \
    piece pieces pcs pack packs set sets item items % x dpi lumens lm tc thread seater person people";

/// Returns lower bound, upper bound and the phrase that states them.
pub(super) fn price_in(text: &str) -> Option<(Option<Paise>, Option<Paise>, String)> {
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
        let pattern = format!(r"(?i)(?:^|\s){AMOUNT}(?:\s+(?:k[aie]|wal[aie]))?(?:\s|$)");
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
        (None, None) => {
            let mut alone = ALONE.as_ref()?.captures_iter(text);
            (alone.find(|found| is_budget(text, found))?, 1, 0)
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

/// True for an amount without words of a limit that is the most to spend: of a currency, beside a word like
/// "cheap", or of at least 10 thousand as in "10k phone".
fn is_budget(text: &str, found: &Captures<'_>) -> bool {
    if has_currency(&found[0]) {
        return true;
    }
    let Some(amount) = amount(found, 1).filter(|_| !is_measure(text, found)) else {
        return false;
    };
    let text = text.to_lowercase();
    let has = |words: &str| {
        let mut all = text.split_whitespace();
        all.any(|word| words.split_whitespace().any(|other| other == word))
    };
    let rupees = amount.get() / 100;
    let is_model = [128, 256, 512].contains(&rupees) || (2020..2100).contains(&rupees);
    let is_thousands = found.get(3).is_some() && rupees >= 10_000;
    has(CHEAP) && !is_model || is_thousands && !has(OF_THOUSANDS)
}

const CHEAP: &str = "cheap cheapest budget sasta saste sasti सस्ता सस्ते सस्ती";
/// Words beside which thousands are no price: karats, and charge of batteries.
const OF_THOUSANDS: &str = "gold karat carat plated bank powerbank battery";

fn has_currency(phrase: &str) -> bool {
    let phrase = phrase.to_lowercase();
    let names = ["₹", "rs", "inr", "rup", "रुप", "/-"];
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
