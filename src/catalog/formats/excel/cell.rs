//! Numbers, times and places of cells.

use jiff::civil::date;
use jiff::{SignedDuration, Span};
use serde_json::Value;

/// Returns a time, which Excel counts in days.
pub(super) fn day(number: f64, is_1904: bool) -> String {
    let start = if is_1904 {
        date(1904, 1, 1)
    } else if number < 60.0 {
        // Excel has a 29 February 1900.
        date(1899, 12, 31)
    } else {
        date(1899, 12, 30)
    };
    const LAST: f64 = 2_958_465.0;
    let days = number.floor().clamp(0.0, LAST);
    #[expect(clippy::cast_possible_truncation, reason = "at most the last day")]
    let [days, seconds] =
        [days, (number - days).clamp(0.0, 1.0) * 86_400.0].map(|number| number.round() as i64);
    let day = start.saturating_add(Span::new().days(days)).at(0, 0, 0, 0);
    let time = day.saturating_add(SignedDuration::from_secs(seconds));
    time.strftime("%Y-%m-%dT%H:%M:%S").to_string()
}

/// Returns a number, without decimals if it is whole.
pub(super) fn number_of(number: f64) -> Value {
    let text = number.to_string();
    text.parse::<i64>().map_or(number.into(), Value::from)
}

/// Rounds to 15 significant digits, as a spreadsheet shows a number.
pub(super) fn rounded(number: f64) -> f64 {
    format!("{number:.14e}").parse().unwrap_or(number)
}

/// Names a column as a spreadsheet does, like `AB`.
pub(super) fn letters(column: usize) -> String {
    let mut name = String::new();
    let mut rest = column + 1;
    while rest > 0 {
        rest -= 1;
        let letter = b'A' + u8::try_from(rest % 26).unwrap_or_default();
        name.insert(0, letter.into());
        rest /= 26;
    }
    name
}

#[cfg(test)]
mod tests {
    use super::super::workbook::column_of;
    use super::*;

    #[test]
    fn columns_are_named_as_in_a_spreadsheet() {
        let named = [(0, "A"), (25, "Z"), (26, "AA"), (701, "ZZ"), (702, "AAA")];
        for (column, name) in named {
            assert_eq!(letters(column), name);
            assert_eq!(column_of(&format!("{name}7")), Some(column));
        }
        assert_eq!(column_of("7"), None);
    }

    #[test]
    fn serial_dates_are_counted_as_in_excel() {
        for (number, is_1904, time) in [
            (45_000.5, false, "2023-03-15T12:00:00"),
            (45_000.0, true, "2027-03-16T00:00:00"),
            (1.0, false, "1900-01-01T00:00:00"),
            (61.0, false, "1900-03-01T00:00:00"),
            (46_022.999_988_425_9, false, "2025-12-31T23:59:59"),
            (2_958_465.5, false, "9999-12-31T12:00:00"),
            (f64::MAX, false, "9999-12-31T23:59:59"),
            (-1.0, false, "1899-12-31T00:00:00"),
        ] {
            assert_eq!(day(number, is_1904), time, "{number}");
        }
    }

    #[test]
    fn results_of_formulas_lose_the_noise_of_floating_point() {
        assert_eq!(rounded(0.1 + 0.2).to_string(), "0.3");
        assert_eq!(rounded(1299.99).to_string(), "1299.99");
        assert_eq!(rounded(110.889).to_string(), "110.889");
    }
}
