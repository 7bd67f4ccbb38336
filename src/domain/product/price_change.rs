//! A change of final prices by an amount or a percentage.

use super::{Discount, NewProduct, Paise};

/// A change of a final price, up if positive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PriceChange {
    /// By this many paise.
    Amount(i64),
    /// By this many hundredths of a percent of the final price.
    Percent(i64),
}

impl PriceChange {
    /// Largest percentage, in hundredths of a percent: ten times the price.
    const MAX_PERCENT: i64 = 100_000;

    /// Makes a change by rupees with at most two decimals; `None` for none, or above the maximum price.
    pub fn by_rupees(rupees: f64) -> Option<Self> {
        let paise = Paise::from_rupees(rupees.abs())?.get();
        let signed = if rupees < 0.0 { -paise } else { paise };
        (signed != 0).then_some(Self::Amount(signed))
    }

    /// Makes a change by percent with at most two decimals, from below 0 % down to -100 % (exclusive) or
    /// up to 1,000 %.
    pub fn by_percent(percent: f64) -> Option<Self> {
        // As many decimals as a price.
        let hundredths = Paise::from_rupees(percent.abs())?.get();
        let signed = if percent < 0.0 {
            -hundredths
        } else {
            hundredths
        };
        let fits = signed != 0 && signed > -10_000 && signed <= Self::MAX_PERCENT;
        fits.then_some(Self::Percent(signed))
    }

    /// Returns the change in words, like `10% less` or `₹50 more`.
    pub fn words(self) -> String {
        let (hundredths, rupee, percent) = match self {
            Self::Amount(paise) => (paise, "₹", ""),
            Self::Percent(hundredths) => (hundredths, "", "%"),
        };
        let direction = if hundredths < 0 { "less" } else { "more" };
        let amount = hundredths.unsigned_abs() as f64 / 100.0;
        format!("{rupee}{amount}{percent} {direction}")
    }

    /// Changes the final price, rounded half up to the paisa. The list price stays and the discount
    /// follows, unless the final price rises above the list price: then the list price rises with it, and
    /// there is no discount. False, without a change, if the result is not above 0 or is above
    /// [`Paise::MAX`].
    #[must_use]
    pub fn apply(self, details: &mut NewProduct) -> bool {
        let before = details.final_price.get();
        let after = match self {
            Self::Amount(paise) => before + paise,
            Self::Percent(hundredths) => (before * (10_000 + hundredths) + 5_000) / 10_000,
        };
        let Some(after) = Paise::new(after).filter(|after| after.get() > 0) else {
            return false;
        };
        if after.get() == before {
            return true;
        }
        details.final_price = after;
        details.price = details.price.max(after);
        details.discount = Discount::between(details.price, after);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Categories, ProductDraft};

    fn details(price: f64, discount: f64) -> NewProduct {
        let sent = serde_json::json!({
            "title": "A cable", "description": "A braided cable.", "price": price, "discount": discount,
            "category": "Electronics", "source": "Amazon", "affiliateLink": "https://www.amazon.in/dp/1",
            "images": ["https://example.com/1.jpg"], "averageRating": 4, "totalRatings": 10,
        });
        let draft: ProductDraft = serde_json::from_value(sent).unwrap();
        draft.into_product(&Categories::default()).unwrap()
    }

    fn changed(product: (f64, f64), change: Option<PriceChange>) -> Option<(f64, f64, f64)> {
        let mut details = details(product.0, product.1);
        change.unwrap().apply(&mut details).then(|| {
            let NewProduct {
                price,
                discount,
                final_price,
                ..
            } = details;
            (price.rupees(), discount.percent(), final_price.rupees())
        })
    }

    #[test]
    fn the_discount_follows_a_changed_final_price() {
        let (rupees, percent) = (PriceChange::by_rupees, PriceChange::by_percent);
        assert_eq!(
            changed((2_000.0, 25.0), rupees(-100.0)),
            Some((2_000.0, 30.0, 1_400.0))
        );
        assert_eq!(
            changed((999.99, 0.0), percent(-33.33)),
            Some((999.99, 33.33, 666.69))
        );
        // Rounded half up to the paisa.
        assert_eq!(
            changed((0.05, 0.0), percent(-50.0)),
            Some((0.05, 40.0, 0.03))
        );
        // Above the list price, which rises with it.
        assert_eq!(
            changed((1_000.0, 5.0), percent(10.0)),
            Some((1_045.0, 0.0, 1_045.0))
        );
    }

    #[test]
    fn a_change_has_words() {
        let words = |change: Option<PriceChange>| change.unwrap().words();
        assert_eq!(words(PriceChange::by_percent(-10.0)), "10% less");
        assert_eq!(words(PriceChange::by_rupees(50.5)), "₹50.5 more");
    }

    #[test]
    fn a_price_stays_above_zero_and_below_its_maximum() {
        let (rupees, percent) = (PriceChange::by_rupees, PriceChange::by_percent);
        assert_eq!(changed((100.0, 0.0), rupees(-100.0)), None);
        assert_eq!(changed((100.0, 0.0), rupees(-99.99)).unwrap().2, 0.01);
        assert_eq!(changed((0.01, 0.0), percent(-60.0)), None);
        assert_eq!(changed((900_000_000.0, 0.0), percent(12.0)), None);
        for refused in [0.0, 0.001, 1e12, f64::NAN] {
            assert_eq!(rupees(refused), None, "{refused}");
        }
        for refused in [0.0, -100.0, 1_000.01, 1.234, f64::NAN] {
            assert_eq!(percent(refused), None, "{refused}");
        }
    }
}
