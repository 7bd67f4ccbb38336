//! Text forms of numbers and bytes.

use std::fmt::{Display, Write as _};

/// Formats bytes as lower-case hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a String can't fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Formats a whole number of at least 0 with Indian digit grouping, like 1,23,456.
pub fn group_digits(number: impl Display) -> String {
    let digits = number.to_string();
    let mut grouped = String::with_capacity(2 * digits.len());
    for (index, digit) in digits.chars().enumerate() {
        let left = digits.len() - index;
        if index > 0 && (left == 3 || left > 3 && left % 2 == 1) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// Formats a count with its noun, like `1 product` and `2,738 products`.
pub fn counted(number: impl Display, noun: &str) -> String {
    let number = group_digits(number);
    let plural = if number == "1" { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped_in_pairs_above_a_thousand() {
        let counts = [0, 7, 999, 1_000, 99_999, 123_456, 12_345_678, 1_000_000_000];
        assert_eq!(
            counts.map(group_digits),
            [
                "0",
                "7",
                "999",
                "1,000",
                "99,999",
                "1,23,456",
                "1,23,45,678",
                "1,00,00,00,000"
            ]
        );
    }

    #[test]
    fn only_a_count_of_one_is_singular() {
        assert_eq!(counted(1, "product"), "1 product");
        assert_eq!(counted(0, "click"), "0 clicks");
        assert_eq!(counted(2_738_u64, "product"), "2,738 products");
    }

    #[test]
    fn bytes_are_two_digits_each() {
        assert_eq!(hex(&[0, 10, 255]), "000aff");
    }
}
