//! Products and their money.

use std::fmt;

use jiff::Timestamp;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

/// An amount of money in whole paise, a hundredth of a rupee; never negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Paise(i64);

impl Paise {
    /// The largest price: one thousand million rupees (decisions, section 3).
    pub const MAX: Self = Self(100_000_000_000);

    /// Takes whole paise; `None` below zero or above [`Paise::MAX`].
    pub fn new(paise: i64) -> Option<Self> {
        (0..=Self::MAX.0).contains(&paise).then_some(Self(paise))
    }

    /// Reads rupees with at most two decimals; `None` for anything else.
    pub fn from_rupees(rupees: f64) -> Option<Self> {
        hundredths(rupees).and_then(Self::new)
    }

    /// The amount in paise.
    pub fn get(self) -> i64 {
        self.0
    }

    /// What is left to pay after a discount, rounded half up to the paisa.
    pub fn after(self, discount: Discount) -> Self {
        let rest = i64::from(Discount::FULL - discount.0);
        let full = i64::from(Discount::FULL);
        Self((self.0 * rest + full / 2) / full)
    }
}

impl Serialize for Paise {
    /// Rupees: a number with at most two decimals, and none where it is whole.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_hundredths(self.0, serializer)
    }
}

/// A discount in hundredths of a percent, 0 to 10,000 (0 % to 100 %).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Discount(u16);

impl Discount {
    const FULL: u16 = 10_000;

    /// Takes hundredths of a percent; `None` outside 0 to 10,000.
    pub fn new(hundredths: i64) -> Option<Self> {
        let value = u16::try_from(hundredths).ok()?;
        (value <= Self::FULL).then_some(Self(value))
    }

    /// Reads percent with at most two decimals; `None` for anything else.
    pub fn from_percent(percent: f64) -> Option<Self> {
        hundredths(percent).and_then(Self::new)
    }

    /// The discount in hundredths of a percent.
    pub fn get(self) -> i64 {
        i64::from(self.0)
    }
}

impl Serialize for Discount {
    /// Percent: a number with at most two decimals, and none where it is whole.
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

/// A time as it is written everywhere: RFC 3339, UTC, always with milliseconds.
#[derive(Debug, Clone, Copy)]
pub struct Rfc3339(pub Timestamp);

impl fmt::Display for Rfc3339 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.3}", self.0)
    }
}

impl Serialize for Rfc3339 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The text of a time, as [`Rfc3339`] writes it.
pub fn rfc3339(time: Timestamp) -> String {
    Rfc3339(time).to_string()
}

/// The hundredths in a number that has at most two decimals.
///
/// A decimal with two places reads as the nearest double, and so does the
/// division of its hundredths by 100; the two are equal exactly when the number
/// had no further decimals.
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

/// The four categories a product can be stored in (spec section 5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Category {
    /// Electronics.
    Electronics,
    /// Clothing.
    Clothing,
    /// Books.
    Books,
    /// Home.
    Home,
}

impl Category {
    /// Every category, in the order the screens show them.
    pub const ALL: [Self; 4] = [Self::Electronics, Self::Clothing, Self::Books, Self::Home];

    /// The name on the wire, on screen and in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Electronics => "Electronics",
            Self::Clothing => "Clothing",
            Self::Books => "Books",
            Self::Home => "Home",
        }
    }

    /// Finds a category by its exact name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|category| category.as_str() == name)
    }
}

impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What an administrator or a file says about a product; exists only when every
/// rule of spec section 5 and decisions section 3 holds.
#[derive(Debug, Clone, PartialEq)]
pub struct NewProduct {
    /// 2 to 500 characters.
    pub title: String,
    /// 10 to 10,000 characters; line breaks are kept.
    pub description: String,
    /// The price before the discount.
    pub price: Paise,
    /// The discount on the price.
    pub discount: Discount,
    /// One of the four categories.
    pub category: Category,
    /// The seller's name, 1 to 100 characters.
    pub source: String,
    /// The seller's page, an absolute http(s) URL.
    pub affiliate_link: String,
    /// 1 to 20 picture addresses; the first one stands for the product.
    pub images: Vec<String>,
    /// 0 to 5.
    pub average_rating: f64,
    /// At least 1.
    pub total_ratings: i64,
}

impl NewProduct {
    /// The name of every field on the wire, in the order of the form.
    pub const FIELDS: [&str; 10] = [
        "title",
        "description",
        "price",
        "discount",
        "category",
        "source",
        "affiliateLink",
        "images",
        "averageRating",
        "totalRatings",
    ];

    /// Every field by its name: what an export writes and what the trail of changes
    /// compares.
    pub fn fields(&self) -> impl Iterator<Item = (&'static str, Value)> {
        let values: [Value; Self::FIELDS.len()] = [
            self.title.clone().into(),
            self.description.clone().into(),
            json!(self.price),
            json!(self.discount),
            self.category.as_str().into(),
            self.source.clone().into(),
            self.affiliate_link.clone().into(),
            self.images.clone().into(),
            self.average_rating.into(),
            self.total_ratings.into(),
        ];
        Self::FIELDS.into_iter().zip(values)
    }
}

/// A product as stored.
#[derive(Debug, Clone, PartialEq)]
pub struct Product {
    /// The public identifier (`_id` on the wire).
    pub id: String,
    /// What was said about it.
    pub details: NewProduct,
    /// The price after the discount.
    pub final_price: Paise,
    /// How often somebody followed the affiliate link.
    pub clicks: i64,
    /// When it was added.
    pub created_at: Timestamp,
    /// When its details last changed; clicks do not count.
    pub updated_at: Timestamp,
    /// When its price was looked at: by an import, an administrator's save, or a change of it.
    pub price_seen_at: Timestamp,
    /// What of it may be shown, where the rules of its seller hold something back; they are asked
    /// when it is shown.
    pub shown: Option<Box<Shown>>,
}

impl Product {
    /// Whether its price may not be shown now.
    pub fn hides_price(&self) -> bool {
        self.shown.as_ref().is_some_and(|shown| shown.hides_price)
    }

    /// Whether its stars and reviews may not be shown.
    pub fn hides_ratings(&self) -> bool {
        self.shown.as_ref().is_some_and(|shown| shown.hides_ratings)
    }

    /// When its price was so, where that has to be said.
    pub fn price_as_of(&self) -> Option<Timestamp> {
        self.shown.as_ref()?.as_of
    }
}

/// What may be shown of a product now, by the rules of its seller.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shown {
    /// Whether its price is only to be seen at the seller's.
    pub hides_price: bool,
    /// When its price was so, where that has to be said beside it.
    pub as_of: Option<Timestamp>,
    /// Whether stars and reviews are held back.
    pub hides_ratings: bool,
    /// What has to be said beside it; may be empty.
    pub disclosure: String,
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
    fn times_have_milliseconds() {
        let time = Timestamp::from_millisecond(1_700_000_000_000).unwrap();
        assert_eq!(rfc3339(time), "2023-11-14T22:13:20.000Z");
    }

    #[test]
    fn discount_takes_0_to_100_percent_with_two_decimals() {
        assert_eq!(Discount::from_percent(12.5).unwrap().get(), 1_250);
        for refused in [-0.01, 100.01, 12.345, f64::NAN] {
            assert_eq!(Discount::from_percent(refused), None, "{refused}");
        }
    }
}
