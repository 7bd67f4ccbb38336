//! Exact amounts of money and discounts.

use serde::{Serialize, Serializer};

use crate::domain::group_digits;

/// A non-negative amount of money in paise (1/100 rupee).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, utoipa::ToSchema)]
#[schema(value_type = f64)]
pub struct Paise(i64);

impl Paise {
    /// Maximum price: 1,000,000,000 rupees (decisions, section 3).
    pub const MAX: Self = Self(100_000_000_000);

    /// Makes an amount; `None` below zero or above [`Paise::MAX`].
    pub fn new(paise: i64) -> Option<Self> {
        (0..=Self::MAX.0).contains(&paise).then_some(Self(paise))
    }

    /// Converts rupees with at most two decimals; `None` for anything else.
    pub fn from_rupees(rupees: f64) -> Option<Self> {
        hundredths(rupees).and_then(Self::new)
    }

    /// The amount in paise.
    pub fn get(self) -> i64 {
        self.0
    }

    /// The amount in rupees.
    pub fn rupees(self) -> f64 {
        #[expect(
            clippy::cast_precision_loss,
            reason = "the largest price is far below 2^53"
        )]
        let paise = self.0 as f64;
        paise / 100.0
    }

    /// Returns the price whose discounted value is `rest`, rounded half up to the paisa; `None` for
    /// a discount of 100 % or a result above [`Paise::MAX`].
    pub fn before(rest: Self, discount: Discount) -> Option<Self> {
        let left = i64::from(Discount::FULL - discount.0);
        if left == 0 {
            return None;
        }
        Self::new((rest.0 * i64::from(Discount::FULL) + left / 2) / left)
    }

    /// Returns the discounted price, rounded half up to the paisa.
    pub fn after(self, discount: Discount) -> Self {
        let rest = i64::from(Discount::FULL - discount.0);
        let full = i64::from(Discount::FULL);
        Self((self.0 * rest + full / 2) / full)
    }
}

impl Serialize for Paise {
    /// Writes rupees, with at most two decimals.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_hundredths(self.0, serializer)
    }
}

/// A discount in hundredths of a percent, 0 to 10,000 (0 % to 100 %).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, utoipa::ToSchema)]
#[schema(value_type = f64)]
pub struct Discount(u16);

impl Discount {
    const FULL: u16 = 10_000;
    /// 10 %.
    pub const TENTH: Self = Self(1_000);
    /// No discount.
    pub const NONE: Self = Self(0);

    /// Makes a discount; `None` outside 0 to 10,000.
    pub fn new(hundredths: i64) -> Option<Self> {
        let value = u16::try_from(hundredths).ok()?;
        (value <= Self::FULL).then_some(Self(value))
    }

    /// Converts percent with at most two decimals; `None` for anything else.
    pub fn from_percent(percent: f64) -> Option<Self> {
        hundredths(percent).and_then(Self::new)
    }

    /// Returns the discount from `price` to `rest`, rounded to 0.01 %; zero if `rest` is not lower.
    pub fn between(price: Paise, rest: Paise) -> Self {
        let off = (price.0 - rest.0).max(0);
        let hundredths = (off * i64::from(Self::FULL) + price.0 / 2)
            .checked_div(price.0)
            .unwrap_or_default();
        Self::new(hundredths).unwrap_or(Self(Self::FULL))
    }

    /// True if this is the discount from `price` to `rest`, exact or rounded to its own number of
    /// decimals.
    pub fn fits(self, price: Paise, rest: Paise) -> bool {
        let unit = match self.0 {
            // 0 % and 100 % are exact.
            0 | Self::FULL => return price.after(self) == rest,
            whole if whole % 100 == 0 => 100,
            tenths if tenths % 10 == 0 => 10,
            _ => 1,
        };
        let off = (price.0 - rest.0) * i64::from(Self::FULL);
        let wrong_by = (off - price.0 * self.get()).abs();
        price.after(self) == rest || wrong_by * 2 <= price.0 * unit
    }

    /// The discount in percent.
    pub fn percent(self) -> f64 {
        f64::from(self.0) / 100.0
    }

    /// The discount in whole percent, rounded; 100 and 0 only if it is exactly that. Mirrors
    /// `rupees.ts`.
    pub fn whole_percent(self) -> i64 {
        match self.get() {
            exact @ (0 | 10_000) => exact / 100,
            other => ((other + 50) / 100).clamp(1, 99),
        }
    }

    /// The discount in hundredths of a percent.
    pub fn get(self) -> i64 {
        i64::from(self.0)
    }
}

impl Serialize for Discount {
    /// Writes percent, with at most two decimals.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_hundredths(i64::from(self.0), serializer)
    }
}

fn serialize_hundredths<S: Serializer>(value: i64, serializer: S) -> Result<S::Ok, S::Error> {
    if value % 100 == 0 {
        return serializer.serialize_i64(value / 100);
    }
    #[expect(
        clippy::cast_precision_loss,
        reason = "the largest price is far below 2^53"
    )]
    let number = value as f64 / 100.0;
    serializer.serialize_f64(number)
}

/// Formats an amount, like ₹1,23,456.00.
pub fn rupees(amount: Paise) -> String {
    let paise = amount.get();
    format!("₹{}.{:02}", group_digits(paise / 100), paise % 100)
}

/// Formats an amount without zero paise, like ₹1,299.
pub fn short_rupees(amount: Paise) -> String {
    let written = rupees(amount);
    written.strip_suffix(".00").unwrap_or(&written).to_owned()
}

/// Returns the hundredths of a number with at most two decimals; `None` for more.
///
/// A decimal parses to the nearest double, and so does the quotient of its hundredths and 100; the
/// two are equal exactly if there are no further decimals.
fn hundredths(value: f64) -> Option<i64> {
    const EXACT_UP_TO: f64 = 9_007_199_254_740_992.0;
    let scaled = (value * 100.0).round();
    if !(scaled.abs() < EXACT_UP_TO && scaled / 100.0 == value) {
        return None;
    }
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a whole number below 2^53, checked above"
    )]
    let whole = scaled as i64;
    Some(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(rupees: f64, percent: f64) -> i64 {
        Paise::from_rupees(rupees)
            .unwrap()
            .after(Discount::from_percent(percent).unwrap())
            .get()
    }

    #[test]
    fn final_price_rounds_half_up_to_the_paisa() {
        assert_eq!(after(1099.0, 64.0), 39_564);
        assert_eq!(after(0.01, 50.0), 1);
        assert_eq!(after(0.05, 50.0), 3);
        assert_eq!(after(999.99, 33.33), 66_669);
        assert_eq!(after(1_000_000_000.0, 0.0), 100_000_000_000);
        assert_eq!(after(499.0, 100.0), 0);
    }

    #[test]
    fn money_takes_at_most_two_decimals() {
        assert_eq!(Paise::from_rupees(1299.99).unwrap().get(), 129_999);
        assert_eq!(
            Paise::from_rupees(999_999_999.99).unwrap().get(),
            99_999_999_999
        );
        for refused in [
            1.999,
            0.001,
            -1.0,
            1_000_000_000.01,
            1e308,
            f64::NAN,
            f64::INFINITY,
        ] {
            assert_eq!(Paise::from_rupees(refused), None, "{refused}");
        }
    }

    #[test]
    fn money_is_written_as_a_number_of_rupees() {
        let json = |paise| serde_json::to_string(&Paise::new(paise).unwrap()).unwrap();
        assert_eq!(json(0), "0");
        assert_eq!(json(109_900), "1099");
        assert_eq!(json(39_564), "395.64");
        assert_eq!(json(5), "0.05");
        assert_eq!(json(99_999_999_999), "999999999.99");
    }

    #[test]
    fn discount_takes_0_to_100_percent_with_two_decimals() {
        assert_eq!(Discount::from_percent(12.5).unwrap().get(), 1_250);
        for refused in [-0.01, 100.01, 12.345, f64::NAN] {
            assert_eq!(Discount::from_percent(refused), None, "{refused}");
        }
    }
}
