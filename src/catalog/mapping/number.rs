//! Numbers as people write them: `₹1,29,900.00`, `1.299,00`, `Rs. 499/-`, `20 %`.

use crate::domain::truncate;

/// Currencies that are recognized in order to refuse them.
const FOREIGN: [(&str, &str); 9] = [
    ("us$", "US dollars"),
    ("$", "dollars"),
    ("usd", "US dollars"),
    ("€", "euros"),
    ("eur", "euros"),
    ("£", "pounds"),
    ("gbp", "pounds"),
    ("aed", "dirhams"),
    ("sgd", "Singapore dollars"),
];
/// Signs and words around an amount of rupees or a percentage.
const AROUND: [&str; 9] = ["₹", "rs.", "rs", "inr", "rupees", "/-", "%", "off", "mrp"];

/// Parses a number; an empty text is none.
///
/// # Errors
///
/// A sentence that names the text.
pub(super) fn parse(text: &str) -> Result<f64, String> {
    let shown = truncate(text.trim(), 40);
    let lower = text.trim().to_lowercase();
    if let Some((_, name)) = FOREIGN
        .iter()
        .find(|(sign, _)| lower.starts_with(sign) || lower.ends_with(sign))
    {
        return Err(format!("“{shown}” is in {name}: write prices in rupees."));
    }
    let mut rest = lower.as_str();
    loop {
        let before = rest;
        rest = rest.trim();
        for sign in AROUND {
            rest = rest.strip_prefix(sign).unwrap_or(rest);
            rest = rest.strip_suffix(sign).unwrap_or(rest);
        }
        if rest == before {
            break;
        }
    }
    let (sign, digits) = match rest.strip_prefix(['-', '−']) {
        Some(digits) => ("-", digits),
        None => ("", rest),
    };
    let compact: String = digits
        .chars()
        .filter(|c| !c.is_whitespace() && *c != '\'')
        .collect();
    let is_number = compact.starts_with(|c: char| c.is_ascii_digit() || c == '.' || c == ',')
        && compact
            .chars()
            .all(|c| c.is_ascii_digit() || c == '.' || c == ',')
        && compact.contains(|c: char| c.is_ascii_digit());
    if !is_number {
        return Err(format!("“{shown}” is no number."));
    }
    let plain = plain(&compact).ok_or_else(|| ambiguous(&shown, &compact))?;
    format!("{sign}{plain}")
        .parse()
        .map_err(|_| format!("“{shown}” is no number."))
}

/// Returns a number's digits with a decimal point; none if it can be read in two ways or no way.
fn plain(text: &str) -> Option<String> {
    let dots = text.matches('.').count();
    let commas = text.matches(',').count();
    let (group, decimal) = match (dots, commas) {
        (0, 0) => return Some(text.to_owned()),
        // The last separator is the decimal one.
        (1.., 1..) => {
            let is_dot = text.rfind('.') > text.rfind(',');
            let (group, decimal) = if is_dot { (',', '.') } else { ('.', ',') };
            if text.matches(decimal).count() > 1 {
                return None;
            }
            (group, Some(decimal))
        }
        (2.., 0) => ('.', None),
        (0, 2..) => (',', None),
        (1, 0) if digits_after(text, '.') != 3 => (',', Some('.')),
        // Not 1,299: a point groups thousands in some countries and is decimal in others.
        (1, 0) => return text.starts_with("0.").then(|| text.to_owned()),
        (0, 1) if digits_after(text, ',') == 3 => (',', None),
        (0, 1) if digits_after(text, ',') < 3 => ('.', Some(',')),
        _ => return None,
    };
    let (whole, fraction) = match decimal {
        Some(decimal) => text.split_once(decimal)?,
        None => (text, ""),
    };
    let mut groups = whole.split(group).collect::<Vec<_>>();
    let last = groups.pop()?;
    // Lakhs and crores have groups of two.
    let is_grouped = groups.is_empty()
        || last.len() == 3
            && groups
                .iter()
                .enumerate()
                .all(|(at, part)| (2..=3).contains(&part.len()) || at == 0 && part.len() == 1);
    let fraction = if fraction.is_empty() { "0" } else { fraction };
    let whole = whole.replace(group, "");
    let whole = if whole.is_empty() {
        "0"
    } else {
        whole.as_str()
    };
    is_grouped.then(|| format!("{whole}.{fraction}"))
}

fn digits_after(text: &str, separator: char) -> usize {
    text.rsplit(separator).next().unwrap_or_default().len()
}

fn ambiguous(shown: &str, text: &str) -> String {
    if text.matches('.').count() == 1 && !text.contains(',') {
        let grouped = text.replace('.', ",");
        return format!(
            "“{shown}” may be {text} or {grouped}: write it with decimals, like {grouped}.00."
        );
    }
    format!("“{shown}” has separators that do not fit: write it like 1,29,900.00.")
}

/// Parses a number with a decimal point or comma and no groups, like a rating.
pub(super) fn parse_plain(text: &str) -> Result<f64, String> {
    let compact = text.trim().replace(',', ".");
    let number = compact.parse::<f64>().ok().filter(|it| it.is_finite());
    number.ok_or_else(|| format!("“{}” is no number.", truncate(text.trim(), 40)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_read_as_india_and_europe_write_them() {
        for (text, number) in [
            ("499", 499.0),
            ("499.5", 499.5),
            ("₹1,29,900.00", 129_900.0),
            ("₹ 1,29,900", 129_900.0),
            ("1,299", 1_299.0),
            ("1.299,00", 1_299.0),
            ("1.29.900,50", 129_900.5),
            ("12,5", 12.5),
            ("1 299,00", 1_299.0),
            ("1\u{a0}299", 1_299.0),
            ("Rs. 499/-", 499.0),
            ("INR 499.00", 499.0),
            ("499.00 INR", 499.0),
            ("20 %", 20.0),
            ("20% off", 20.0),
            ("-20%", -20.0),
            ("0.125", 0.125),
            ("0", 0.0),
            (".5", 0.5),
        ] {
            assert_eq!(parse(text), Ok(number), "{text}");
        }
    }

    #[test]
    fn other_currencies_words_and_ambiguous_numbers_are_refused() {
        for (text, message) in [
            ("$12.99", "“$12.99” is in dollars: write prices in rupees."),
            ("12.99 USD", "US dollars"),
            ("€5", "euros"),
            ("tea", "“tea” is no number."),
            ("", "is no number"),
            ("1e5", "is no number"),
            ("1.299", "may be 1.299 or 1,299"),
            ("1,2,3", "separators that do not fit"),
            ("1,2999", "separators that do not fit"),
            ("1.2.3,4,5", "separators that do not fit"),
            ("10-20", "is no number"),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.contains(message), "{text}: {error}");
        }
    }
}
