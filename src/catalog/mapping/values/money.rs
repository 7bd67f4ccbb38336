//! Amounts as people write them: `₹1,29,900.00`, `1.299,00`, `Rs. 499/- only`, `1.3 lakh`, `20 %`.

use super::words::{RUPEES, currency, means};
use crate::domain::{is_invisible, truncate};

/// Maximum length of an amount in bytes.
const LONGEST: usize = 200;
/// Zeros of the digits of Arabic, Indian scripts, and full width.
const ZEROS: [u32; 12] = [
    0x660, 0x6f0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xff10,
];
/// Multiples by the sense of their words.
const MULTIPLES: [(&str, f64); 4] = [("k", 1e3), ("lakh", 1e5), ("crore", 1e7), ("million", 1e6)];

/// Unit beside a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::catalog::mapping) enum Unit {
    /// Nothing.
    Bare,
    Percent,
    Rupees,
}

/// A number with its unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::catalog::mapping) struct Amount {
    pub(in crate::catalog::mapping) value: f64,
    pub(in crate::catalog::mapping) unit: Unit,
}

/// Returns a text with ASCII digits and spaces, in lower case, without characters that are not seen.
fn folded(text: &str) -> String {
    let fold = |c: char| match c {
        c if c.is_whitespace() => Some(' '),
        c if is_invisible(c) => None,
        '，' | '٬' => Some(','),
        '．' | '٫' => Some('.'),
        '’' => Some('\''),
        '−' | '–' | '—' => Some('-'),
        '＄' => Some('$'),
        '％' => Some('%'),
        c if c.is_ascii() => Some(c),
        c => {
            let digit = |zero: &u32| u32::from(c).checked_sub(*zero).filter(|digit| *digit < 10);
            let digit = ZEROS.iter().find_map(digit);
            Some(
                digit
                    .and_then(|digit| char::from_digit(digit, 10))
                    .unwrap_or(c),
            )
        }
    };
    let text: String = text.trim().chars().filter_map(fold).collect();
    text.to_lowercase().replace("/-", " ").replace("/=", " ")
}

/// Splits a word into signs and words that are known, without punctuation.
fn parts(word: &str) -> impl Iterator<Item = &str> {
    let is_known = |part: &str| {
        currency(part).is_some() || ["percent", "around"].iter().any(|sense| means(sense, part))
    };
    let mut rest = word.trim_matches(|c| ".,:;()[]*+-~=\"'!".contains(c));
    let whole = is_known(rest);
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let is_letter = |c: char| c.is_alphanumeric() || is_mark(c);
        let end = if whole {
            rest.len()
        } else if is_letter(first) {
            rest.find(|c| !is_letter(c)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let (part, others) = rest.split_at(end);
        rest = others.trim_start_matches(['.', '-', '(', ')']);
        Some(part)
    })
}

/// True for a vowel sign of Indian scripts, which is no letter of its own.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{900}'..='\u{d7f}')
}

/// Returns the currency in the name of a column, and the name without it; none if it has none.
pub(in crate::catalog::mapping) fn in_name(name: &str) -> Option<(&'static str, String)> {
    let mut found = None;
    let mut rest = String::new();
    let is_break = |c: char| c.is_whitespace() || "_-.()[]/:,".contains(c);
    for word in name.split(is_break).filter(|word| !word.is_empty()) {
        // priceUSD has its code in capitals at the end.
        let letters = word.trim_end_matches(|c: char| c.is_ascii_uppercase());
        let (stem, code) = if letters.is_empty() {
            ("", word)
        } else {
            word.split_at(letters.len())
        };
        // Two letters are no currency in Sr No or M.R.P.
        let is_sure = word.len() > 2 || word.eq_ignore_ascii_case("rs");
        let whole = currency(&word.to_lowercase()).filter(|_| is_sure);
        let mut known = whole.map(|name| (name, ""));
        let by_code = || currency(&code.to_lowercase()).map(|name| (name, stem));
        known = known.or_else(|| {
            Some(code)
                .filter(|code| code.len() == 3)
                .and_then(|_| by_code())
        });
        let sign = |c: char| !c.is_alphanumeric() && !c.is_ascii_punctuation() || c == '$';
        let by_sign = || {
            let sign = word.chars().find(|c| sign(*c))?;
            let name = currency(sign.encode_utf8(&mut [0; 4]))?;
            Some((name, word.trim_matches(sign)))
        };
        match known.or_else(by_sign) {
            Some((name, stem)) => {
                found = Some(name);
                rest.push_str(stem);
            }
            None if word.eq_ignore_ascii_case("in") => {}
            None => rest.push_str(word),
        }
        rest.push(' ');
    }
    found.map(|found| (found, rest))
}

/// Parses an amount of rupees or a percentage; an empty text is none.
///
/// # Errors
///
/// A sentence that names the text.
pub(in crate::catalog::mapping) fn parse(text: &str) -> Result<Amount, String> {
    let shown = truncate(text.trim(), 40);
    let none = || format!("“{shown}” is not a number.");
    if text.len() > LONGEST {
        return Err(none());
    }
    let known = folded(text);
    let first = known.find(|c: char| c.is_ascii_digit()).ok_or_else(none)?;
    // A point before the digits belongs to the letters before it, as in Rs.500.
    let before = known[..first].trim_end_matches(['.', ',']);
    let start = match before.chars().next_back() {
        Some(letter) if letter.is_alphabetic() => first,
        _ => before.len(),
    };
    let is_part = |c: char| c.is_ascii_digit() || ".,' ".contains(c);
    let rest = &known[start..];
    let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
    let (digits, tail) = rest.split_at(end);
    let digits = digits.trim_end_matches([' ', '.', ',', '\'']);
    let head = known[..start].trim();
    let is_negative = head.starts_with('-') || head.ends_with('-');
    let mut unit = Unit::Bare;
    let mut multiple = None;
    let beside = head.split_whitespace().chain(tail.split_whitespace());
    for part in beside.flat_map(parts) {
        if let Some(name) = currency(part) {
            if name != RUPEES {
                return Err(format!("“{shown}” is in {name}: write prices in rupees."));
            }
            unit = Unit::Rupees;
        } else if means("percent", part) {
            unit = Unit::Percent;
        } else if let Some((_, by)) = MULTIPLES.iter().find(|(sense, _)| means(sense, part)) {
            multiple = Some(*by);
        } else if part.contains(|c: char| c.is_ascii_digit()) || tail.starts_with('e') {
            return Err(format!("“{shown}” is not a number: it has several."));
        } else if !means("around", part) {
            return Err(format!(
                "“{shown}” has “{part}” beside the number: write only the amount."
            ));
        }
    }
    let value = match multiple {
        // A point in 1.299 lakh is decimal.
        Some(by) => {
            let value: f64 = digits
                .replace([',', ' ', '\''], "")
                .parse()
                .map_err(|_| none())?;
            (value * by * 100.0).round() / 100.0
        }
        None => {
            let compact: String = digits.chars().filter(|c| !" '".contains(*c)).collect();
            let plain = Some(digits).filter(|digits| !is_split(digits));
            let plain = plain.and_then(|_| plain_of(&compact));
            let plain = plain.ok_or_else(|| ambiguous(&shown, &compact))?;
            plain.parse().map_err(|_| none())?
        }
    };
    let value = if is_negative { -value } else { value };
    Ok(Amount { value, unit })
}
/// True if spaces in a number do not part thousands.
fn is_split(digits: &str) -> bool {
    let last = digits.rsplit([' ', '\'']).next().unwrap_or_default();
    let whole = last.split(['.', ',']).next().unwrap_or_default();
    last.len() < digits.len() && whole.len() != 3
}

/// Returns a number's digits with a decimal point; none if it can be read in two ways or no way.
fn plain_of(text: &str) -> Option<String> {
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
pub(in crate::catalog::mapping) fn parse_plain(text: &str) -> Result<f64, String> {
    let compact = text.trim().replace(',', ".");
    let number = compact.parse::<f64>().ok().filter(|it| it.is_finite());
    number.ok_or_else(|| format!("“{}” is not a number.", truncate(text.trim(), 40)))
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
            ("₨ 500", 500.0),
            ("500/- only", 500.0),
            ("₹1.3L", 130_000.0),
            ("1.3 lakh", 130_000.0),
            ("2k", 2_000.0),
            ("Rs 1 cr", 10_000_000.0),
            ("₹१,२९९", 1_299.0),
            ("১২৯৯ INR", 1_299.0),
            ("रु. 499", 499.0),
            ("₹\u{202f}1\u{a0}299", 1_299.0),
            ("M.R.P.: ₹1,299 (incl. of all taxes)", 1_299.0),
        ] {
            assert_eq!(parse(text).map(|it| it.value), Ok(number), "{text}");
        }
    }

    #[test]
    fn other_currencies_words_and_ambiguous_numbers_are_refused() {
        for (text, message) in [
            ("$12.99", "“$12.99” is in dollars: write prices in rupees."),
            ("12.99 USD", "US dollars"),
            ("€5", "euros"),
            ("tea", "“tea” is not a number."),
            ("", "is not a number"),
            ("1e5", "is not a number"),
            ("1.299", "may be 1.299 or 1,299"),
            ("1,2,3", "separators that do not fit"),
            ("1,2999", "separators that do not fit"),
            ("1.2.3,4,5", "separators that do not fit"),
            ("10-20", "is not a number"),
            ("R$ 49,90", "Brazilian reais"),
            ("Rp 50.000", "Indonesian rupiah"),
            ("500zł", "Polish zloty"),
            ("A$ 12", "Australian dollars"),
            ("PKR 500", "Pakistani rupees"),
            ("from ₹499", "has “from” beside the number"),
            ("₹999 ₹499", "is not a number: it has several"),
            ("12 5", "separators that do not fit"),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.contains(message), "{text}: {error}");
        }
    }
}
