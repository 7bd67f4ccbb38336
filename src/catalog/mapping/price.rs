//! Puts list price, selling price and discount of a row together.

use serde_json::{Map, Value};

use super::cells::whole;
use super::values::money::{Amount, Unit};
use crate::domain::FieldError;

/// Kind of a column's discounts without a unit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Off {
    #[default]
    Percent,
    /// Of one.
    Fraction,
    Rupees,
    /// Some are above 100.
    Open,
}

/// Amounts of a row, as far as it has them.
#[derive(Debug, Default)]
pub(super) struct Prices {
    pub(super) list: Option<f64>,
    pub(super) selling: Option<f64>,
    pub(super) off: Option<Amount>,
    /// True if the list price is ignored below the selling price, as Shopify does.
    pub(super) is_compared: bool,
    /// True if the selling price does not count today.
    pub(super) is_over: bool,
}

/// Returns a discount in percent or rupees.
pub(super) fn discount(amount: Amount, kind: Off, text: &str) -> Result<Amount, String> {
    let Amount { value, unit } = amount;
    // -20% is 20 % off.
    let value = value.abs();
    let (value, unit) = match (unit, kind) {
        (Unit::Bare, Off::Percent) => (value, Unit::Percent),
        (Unit::Bare, Off::Rupees) => (value, Unit::Rupees),
        (Unit::Bare, Off::Fraction) if value <= 1.0 => {
            ((value * 10_000.0).round() / 100.0, Unit::Percent)
        }
        (Unit::Bare, Off::Fraction) => {
            return Err(format!(
                "“{text}” is above 1, but the column has fractions like 0.2: write {text}% or ₹{text}."
            ));
        }
        (Unit::Bare, Off::Open) => (value, Unit::Bare),
        (unit, _) => (value, unit),
    };
    Ok(Amount { value, unit })
}

impl Prices {
    /// Adds the fields that the amounts give to those of a product.
    pub(super) fn fill(mut self, fields: &mut Map<String, Value>, errors: &mut Vec<FieldError>) {
        if self.is_over && self.list.is_some() {
            self.selling = None;
        }
        if let (Some(list), Some(selling)) = (self.list, self.selling)
            && self.is_compared
            && list < selling
        {
            (self.list, self.off) = (Some(selling), None);
        }
        let is_near = |a: f64, b: f64| (a - b).abs() <= 1.0;
        match (self.list, self.selling, self.off) {
            // Two prices say it all; a discount beside them may be their difference.
            (Some(list), Some(selling), Some(off))
                if off.unit != Unit::Percent && is_near(list - selling, off.value) =>
            {
                self.off = None;
            }
            (
                list,
                selling,
                Some(Amount {
                    value,
                    unit: Unit::Rupees,
                }),
            ) => {
                self.off = None;
                match (list, selling) {
                    (Some(list), None) if value < list => {
                        self.selling = Some(((list - value) * 100.0).round() / 100.0);
                    }
                    (None, Some(selling)) => {
                        self.list = Some(((selling + value) * 100.0).round() / 100.0);
                    }
                    (None, None) => {}
                    _ => errors.push(FieldError::new(
                        "discount",
                        format!("₹{value} off does not fit the prices: leave one of them out."),
                    )),
                }
            }
            (
                ..,
                Some(Amount {
                    value,
                    unit: Unit::Bare,
                }),
            ) => errors.push(FieldError::new(
                "discount",
                format!("“{value}” may be percent or rupees: write {value}% or ₹{value}."),
            )),
            // A price that stands alone is the price, whatever its column is called.
            (None, Some(_), None) => self.list = self.selling.take(),
            _ => {}
        }
        let off = self.off.map(|off| off.value);
        let has_errors = errors
            .iter()
            .any(|error| ["discount", "finalPrice"].contains(&error.field.as_str()));
        let none = (off.is_none() && self.selling.is_none() && !has_errors).then_some(0.0);
        let amounts = [
            ("price", self.list),
            ("finalPrice", self.selling),
            ("discount", off.or(none)),
        ];
        for (field, amount) in amounts {
            if let Some(amount) = amount {
                fields.insert(field.to_owned(), whole(amount));
            }
        }
    }
}
