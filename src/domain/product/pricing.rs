//! Price, discount and final price of a product: any two determine the third.
//!
//! The final price is exact to the paisa. The discount is for display: no discount with two
//! decimals turns ₹1,09,900 into ₹84,999, so a given final price takes precedence.

use super::sent_fields::SentFields;
use super::{Discount, NewProduct, Paise};
use crate::domain::{CONSTANTS, FieldError};

const NOT_FITTING: &str =
    "Price, discount and final price do not fit together: leave one of them out.";

/// The three values, with a missing third one computed. An invalid number is NaN, which fails
/// validation.
pub(super) struct Pricing {
    pub(super) price: f64,
    pub(super) discount: f64,
    /// None if price and discount determine it.
    given: Option<Paise>,
}

impl Pricing {
    /// Parses the three fields. In an update, values unchanged from `current` yield to changed
    /// ones.
    pub(super) fn from_sent(
        fields: &mut SentFields,
        current: Option<&NewProduct>,
        errors: &mut Vec<FieldError>,
    ) -> Self {
        let sent = |fields: &mut SentFields, name| {
            let is_sent = fields.0.get(name).is_some_and(|value| !value.is_null());
            is_sent.then(|| fields.take_number(name))
        };
        let price = sent(fields, "price");
        let discount = sent(fields, "discount");
        let given = sent(fields, "finalPrice").and_then(|rupees| final_price(rupees, errors));
        let mut pricing = Self {
            price: price.unwrap_or(f64::NAN),
            discount: discount.unwrap_or(f64::NAN),
            given,
        };
        pricing.complete(price.is_none(), discount.is_none(), current, errors);
        pricing
    }

    fn complete(
        &mut self,
        without_price: bool,
        without_discount: bool,
        current: Option<&NewProduct>,
        errors: &mut Vec<FieldError>,
    ) {
        let price = Paise::from_rupees(self.price);
        let discount = Discount::from_percent(self.discount);
        let as_before = current.is_some_and(|current| {
            (price, discount) == (Some(current.price), Some(current.discount))
        });
        let Some(given) = self.given else {
            self.given = current.filter(|_| as_before).map(|it| it.final_price);
            return;
        };
        let same_given = current.filter(|current| current.final_price == given);
        // An unchanged final price yields to a changed price or discount.
        if same_given.is_some() && !as_before && price.is_some() && discount.is_some() {
            self.given = None;
            return;
        }
        match (price, discount) {
            (Some(price), _) if given > price => {
                let message = "Final price must not be above the price.";
                errors.push(FieldError::new("finalPrice", message));
                if without_discount {
                    self.discount = 0.0;
                }
            }
            (Some(price), None) if without_discount => {
                let known = same_given.filter(|current| current.price == price);
                let made = || Discount::between(price, given);
                self.discount = known.map_or_else(made, |it| it.discount).percent();
            }
            (None, Some(discount)) if without_price => {
                if let Some(price) = Paise::before(given, discount) {
                    self.price = price.rupees();
                    if price.after(discount) != given {
                        self.discount = Discount::between(price, given).percent();
                    }
                }
            }
            (Some(price), Some(discount)) if !discount.fits(price, given) => {
                if current.is_some_and(|current| current.discount == discount) {
                    self.discount = Discount::between(price, given).percent();
                } else {
                    errors.push(FieldError::new("finalPrice", NOT_FITTING));
                }
            }
            _ => {}
        }
    }

    /// Returns the given final price, or computes it.
    pub(super) fn final_price(&self, price: Paise, discount: Discount) -> Paise {
        self.given.unwrap_or_else(|| price.after(discount))
    }
}

fn final_price(rupees: f64, errors: &mut Vec<FieldError>) -> Option<Paise> {
    let paise = Paise::from_rupees(rupees);
    if paise.is_none() {
        let message = if (0.0..=CONSTANTS.max_price).contains(&rupees) {
            "Final price must have at most 2 decimals."
        } else {
            "Final price must be a number between 0 and 1,00,00,00,000."
        };
        errors.push(FieldError::new("finalPrice", message));
    }
    paise
}
