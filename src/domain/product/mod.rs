//! Products: what they are, how they are sent, and the rules they keep.

mod draft;
mod fields;
mod history;
mod lifetime;
mod money;
mod offers;
mod plot;
mod pricing;
mod rules;

use std::fmt;

use jiff::Timestamp;
use jiff::fmt::temporal::DateTimePrinter;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

pub use self::draft::{ImportedProduct, ProductDraft};
pub use self::fields::zone_rule;
pub use self::history::{PriceBadge, PriceFigures, PriceHistory, PriceRun};
pub use self::lifetime::{Lifetime, State, day_for_people};
pub use self::money::{Discount, Paise, grouped_in_india, rupees, short_rupees};
pub use self::offers::{EffectivePrice, Offer, OfferKind, Saving, effective_price};
pub use self::plot::{PLOT, price_path};

/// A time as it is written everywhere: RFC 3339, UTC, always with milliseconds.
#[derive(Debug, Clone, Copy)]
pub struct Rfc3339(pub Timestamp);

impl fmt::Display for Rfc3339 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&rfc3339(self.0))
    }
}

impl Serialize for Rfc3339 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&rfc3339(self.0))
    }
}

/// The text of a time, as [`Rfc3339`] writes it.
pub fn rfc3339(time: Timestamp) -> String {
    const PRINTER: DateTimePrinter = DateTimePrinter::new().precision(Some(3));
    PRINTER.timestamp_to_string(&time)
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
    /// The discount on the price; rounded, where the final price was given.
    pub discount: Discount,
    /// What is paid: the price after the discount, or what was given, at most the price.
    pub final_price: Paise,
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
    /// From when until when it is offered.
    pub lifetime: Lifetime,
    /// Coupons and other offers beside its price, at most 8.
    pub offers: Vec<Offer>,
}

impl NewProduct {
    /// The name of every field on the wire, in the order of the form.
    pub const FIELDS: [&str; 15] = [
        "title",
        "description",
        "price",
        "discount",
        "finalPrice",
        "category",
        "source",
        "affiliateLink",
        "images",
        "averageRating",
        "totalRatings",
        "status",
        "startsAt",
        "endsAt",
        "offers",
    ];

    /// Every field by its name: what an export writes and what the activity log
    /// compares.
    pub fn fields(&self) -> impl Iterator<Item = (&'static str, Value)> {
        let time = |at: Option<Timestamp>| at.map(rfc3339).into();
        let values: [Value; Self::FIELDS.len()] = [
            self.title.clone().into(),
            self.description.clone().into(),
            json!(self.price),
            json!(self.discount),
            json!(self.final_price),
            self.category.as_str().into(),
            self.source.clone().into(),
            self.affiliate_link.clone().into(),
            self.images.clone().into(),
            self.average_rating.into(),
            self.total_ratings.into(),
            self.lifetime.status().into(),
            time(self.lifetime.starts_at),
            time(self.lifetime.ends_at),
            self.offers.iter().map(Offer::to_json).collect(),
        ];
        Self::FIELDS.into_iter().zip(values)
    }

    /// Whether it costs the same, before the discount and after.
    pub fn costs_as(&self, other: &Self) -> bool {
        (self.price, self.final_price) == (other.price, other.final_price)
    }

    /// Whether its final price is what its discount leaves, to the paisa.
    pub fn discount_is_exact(&self) -> bool {
        self.final_price == self.price.after(self.discount)
    }
}

/// A product as stored.
#[derive(Debug, Clone, PartialEq)]
pub struct Product {
    /// The public identifier (`_id` on the wire).
    pub id: String,
    /// What was said about it.
    pub details: NewProduct,
    /// How often somebody followed the affiliate link.
    pub clicks: i64,
    /// When it was added.
    pub created_at: Timestamp,
    /// When its details last changed; clicks do not count.
    pub updated_at: Timestamp,
    /// What its former prices tell of its price, where cards say so.
    pub badge: Option<PriceBadge>,
    /// When its price was looked at: by an import, an administrator's save, or a change of it.
    pub price_seen_at: Timestamp,
    /// When its offers were last found to be so: by a change of them, an administrator's save, or an
    /// import whose row names them; none without offers.
    pub offers_checked_at: Option<Timestamp>,
    /// What it is at the time it was read.
    pub state: State,
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
    /// What is paid with its offers, like `₹1,079 with code and HDFC card`.
    pub effective: Option<String>,
    /// When it ends, where that is soon, like `Ends today 23:59`.
    pub ends: Option<String>,
    /// What its former prices tell of its price.
    pub badge: Option<PriceBadge>,
    /// Why it is in no list, where it is not.
    pub told: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_milliseconds() {
        let time = Timestamp::from_millisecond(1_700_000_000_000).unwrap();
        assert_eq!(rfc3339(time), "2023-11-14T22:13:20.000Z");
    }
}
