//! Stars and their number as shops write them: `4.1 out of 5 stars`, `39,812 Ratings & 2,894 Reviews`.

use super::money;

/// Maximum length of a rating in bytes.
const LONGEST: usize = 100;

/// Returns the stars of five; none for any other text, like a range.
pub(in crate::catalog::mapping) fn stars(text: &str) -> Option<f64> {
    let text = text.trim().to_lowercase();
    let text = text.split('(').next()?.trim();
    if text.len() > LONGEST {
        return None;
    }
    let text = text.trim_start_matches(|c: char| !c.is_ascii_digit() && c != '-');
    let (text, of) = match ["out of", "/", " of "]
        .iter()
        .find_map(|of| text.split_once(of))
    {
        Some((text, of)) => (text, number(&of.trim().replace(['-', '★'], " "))?),
        None if text.ends_with('%') => (text.trim_end_matches('%'), 100.0),
        None => (text, 5.0),
    };
    let stars = number(text)? * 5.0 / of;
    (0.0..=5.0)
        .contains(&stars)
        .then(|| (stars * 100.0).round() / 100.0)
}

/// Reads a number with a decimal point or comma, which at most the word or sign for stars follows.
fn number(text: &str) -> Option<f64> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.' && c != ',');
    let (digits, rest) = text.split_at(end.unwrap_or(text.len()));
    let rest = rest.trim_start_matches(|c: char| c.is_whitespace() || "★⭐☆\u{fe0f}".contains(c));
    let is_known = ["", "star", "stars", "rating", "ratings"].contains(&rest.trim());
    let number = digits.replace(',', ".").parse().ok();
    number.filter(|_| is_known)
}

/// Returns a number of ratings; none for any other text.
pub(in crate::catalog::mapping) fn count(text: &str) -> Option<f64> {
    let text = text.trim().to_lowercase();
    if text.len() > LONGEST {
        return None;
    }
    // The first of ratings & reviews.
    let first = text.split(['&', '|', '\n']).next()?.split(" and ").next()?;
    let first = first.trim().trim_matches(|c: char| "()[]+~".contains(c));
    let words = [
        "customer", "global", "verified", "ratings", "rating", "reviews", "review", "votes",
    ];
    let words = words
        .iter()
        .fold(first.to_owned(), |text, word| text.replace(word, ""));
    let amount = money::parse(words.trim().trim_end_matches('+')).ok()?;
    let is_count = amount.value >= 0.0 && amount.value.fract() == 0.0;
    (is_count && amount.unit == money::Unit::Bare).then_some(amount.value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_are_read_as_shops_write_them() {
        for (text, expected) in [
            ("4.1 out of 5 stars", Some(4.1)),
            ("4,1", Some(4.1)),
            ("4.5/5", Some(4.5)),
            ("8.4/10", Some(4.2)),
            ("4.3★", Some(4.3)),
            ("★ 4.3", Some(4.3)),
            ("4.3 (1,204)", Some(4.3)),
            ("Rated 4.6 out of 5", Some(4.6)),
            ("84%", Some(4.2)),
            ("4.0 - 4.49", None),
            ("45", None),
            ("Get", None),
        ] {
            assert_eq!(stars(text), expected, "{text}");
        }
        for (text, expected) in [
            ("39,812 Ratings & 2,894 Reviews", Some(39_812.0)),
            ("(1,204)", Some(1_204.0)),
            ("2.3k", Some(2_300.0)),
            ("1.2K+", Some(1_200.0)),
            ("1.3 lakh ratings", Some(130_000.0)),
            ("13,311", Some(13_311.0)),
            ("FREE Delivery", None),
            ("4.2", None),
        ] {
            assert_eq!(count(text), expected, "{text}");
        }
    }
}
