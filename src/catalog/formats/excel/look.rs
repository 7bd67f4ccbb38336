//! Kinds of numbers, as the formats of their cells show them.

use std::collections::HashMap;
use std::io::Read;

use super::workbook::{WorkbookPart, attribute};
use crate::catalog::formats::error::ReadError;

/// Maximum number of formats; Excel allows 65,490. Bounds their memory.
const MOST_LOOKS: usize = 65_536;
/// Maximum number of characters of a currency's sign.
const LONGEST_SIGN: usize = 8;

/// Kinds of numbers, as their format shows them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) enum Look {
    #[default]
    Plain,
    Percent,
    Date,
    /// An amount in another currency than rupees, with its sign.
    Money(Box<str>),
}

/// Returns the kind of number of each style of a cell.
pub(super) fn looks(input: Box<dyn Read + '_>) -> Result<Vec<Look>, ReadError> {
    let mut own = HashMap::new();
    let mut looks = Vec::new();
    let mut is_of_cells = false;
    WorkbookPart::new(input).for_each(|start| {
        let id = || attribute(start, "numFmtId")?.parse::<u32>().ok();
        match start.local_name().as_ref() {
            "numFmt" if own.len() < MOST_LOOKS => {
                if let Some((id, code)) = id().zip(attribute(start, "formatCode")) {
                    own.entry(id).or_insert_with(|| look(&code));
                }
            }
            "cellXfs" => is_of_cells = true,
            "cellStyles" | "cellStyleXfs" | "dxfs" => is_of_cells = false,
            "xf" if is_of_cells && looks.len() < MOST_LOOKS => {
                let id = id().unwrap_or_default();
                looks.push(own.get(&id).cloned().unwrap_or(match id {
                    9 | 10 => Look::Percent,
                    14..=22 | 27..=36 | 45..=47 | 50..=58 => Look::Date,
                    _ => Look::Plain,
                }));
            }
            _ => {}
        }
    })?;
    Ok(looks)
}

/// Returns the kind of number that a format shows. Quoted, escaped and bracketed letters are no
/// parts of a date, but `[h]` is; they may be the sign of a currency, as `[$€-407]` is.
fn look(code: &str) -> Look {
    let mut letters = code.chars();
    let mut look = Look::Plain;
    let mut literals = vec![String::new()];
    while let Some(letter) = letters.next() {
        match letter.to_ascii_lowercase() {
            '_' | '*' => drop(letters.next()),
            '\\' => literals.extend(letters.next().map(String::from)),
            '"' => literals.push(letters.by_ref().take_while(|c| *c != '"').collect()),
            '[' => {
                let inside: String = letters.by_ref().take_while(|c| *c != ']').collect();
                let is_time = |c: char| "hms".contains(c.to_ascii_lowercase());
                if !inside.is_empty() && inside.chars().all(is_time) {
                    return Look::Date;
                }
                if let Some(sign) = inside.strip_prefix('$') {
                    literals.extend(sign.split('-').next().map(str::to_owned));
                }
            }
            ';' => break,
            'd' | 'm' | 'h' | 'y' | 's' => return Look::Date,
            '%' => look = Look::Percent,
            sign if !sign.is_ascii() || sign == '$' => literals.push(sign.into()),
            _ => {}
        }
    }
    if look == Look::Plain
        && let Some(sign) = literals.iter().find_map(|literal| foreign(literal))
    {
        return Look::Money(sign.into());
    }
    look
}

/// Returns the sign of a currency that is not the rupee.
fn foreign(literal: &str) -> Option<&str> {
    let sign = literal.trim();
    let is_sign = |c: char| matches!(c, '$' | '¢'..='¥' | '\u{20a0}'..='\u{20c0}' | '฿' | '﷼');
    let is_code = sign.len() == 3 && sign.bytes().all(|letter| letter.is_ascii_uppercase());
    let is_rupee = sign.contains(['₹', '₨']) || sign == "INR";
    let is_short = sign.chars().count() <= LONGEST_SIGN;
    (is_short && !is_rupee && (is_code || sign.contains(is_sign))).then_some(sign)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excel_number_formats_are_classified() {
        let money = |sign: &str| Look::Money(sign.into());
        for (code, expected) in [
            ("General", Look::Plain),
            ("0.00%", Look::Percent),
            ("DD/MM/YY", Look::Date),
            ("DD/MM/YY hh:mm", Look::Date),
            ("H:MM:SS;@", Look::Date),
            ("[h]:mm:ss", Look::Date),
            ("#,##0\\ [$\u{20bd}-46D]", money("₽")),
            ("[$$-409]#,##0.00", money("$")),
            ("#,##0.00\\ [$€-1]", money("€")),
            ("\"$\"#,##0_);(\"$\"#,##0)", money("$")),
            ("£#,##0", money("£")),
            ("[$USD] 0.00", money("USD")),
            ("_-\"A$\"* #,##0_-", money("A$")),
            ("[$₹-4009]\\ #,##0.00", Look::Plain),
            ("\"Rs. \"#,##0", Look::Plain),
            ("[$INR] 0", Look::Plain),
            ("\"Summer\" 0", Look::Plain),
            ("[Red]0;[Blue]0", Look::Plain),
            ("0 \\d", Look::Plain),
        ] {
            assert_eq!(look(code), expected, "{code}");
        }
    }
}
