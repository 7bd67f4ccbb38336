//! The fields of a product, each declared once.
//!
//! Requests and answers, exports, imports, columns, the activity log and the app
//! (`frontend/src/shop/fields.json`) read this table. A [`Kind::Line`] needs nothing else but a column; the
//! other fields have rules, and a place of their own in [`NewProduct`].

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};

use self::Presence::{Depends, Kept, Required};
use super::sent_fields::SentFields;
use super::{NewProduct, Offer};
use crate::domain::{FieldError, rfc3339};

/// Returns the value of a product's field with this name.
type Get = fn(&NewProduct, &str) -> Value;

/// A field of a product.
#[derive(Serialize)]
pub struct Field {
    /// Name in JSON and in the header of an export.
    #[serde(skip)]
    pub name: &'static str,
    /// Name on screens.
    pub label: &'static str,
    /// Values, and how files write them.
    #[serde(flatten)]
    pub kind: Kind,
    presence: Presence,
    #[serde(skip)]
    value: Get,
}

/// Values of a field, and how files write them.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Kind {
    Text(Length),
    /// Text of several lines, HTML in many files.
    LongText(Length),
    /// A number that may have separators of thousands.
    Number,
    /// A number without separators of thousands.
    Decimal,
    Choice,
    Link,
    Pictures,
    Time,
    Offers,
    Tags,
    /// An optional text of one line, without rules of its own.
    Line(LineField),
}

/// Least and most characters of a text.
#[derive(Serialize)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Length {
    pub least: usize,
    pub most: usize,
}

/// An optional text of one line, without rules of its own.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LineField {
    /// Maximum number of characters.
    pub most: usize,
    /// Description for the API.
    #[serde(skip)]
    pub about: &'static str,
    /// True if the form has an input for it.
    pub in_form: bool,
    /// True if the product's page shows it.
    pub on_page: bool,
}

/// Meaning of a field that is left out.
#[derive(PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
enum Presence {
    /// The product is refused.
    Required,
    /// Another field or the form decides.
    Depends,
    /// A new product has none; an update, and a row of a file, keep the product's own value.
    Kept,
}

pub(crate) const TITLE: Length = characters(2, 500);
pub(crate) const DESCRIPTION: Length = characters(10, 10_000);
pub(crate) const SOURCE: Length = characters(1, 100);
/// Name of the seller's id, and most characters of it.
pub(crate) const EXTERNAL_ID: &str = "externalId";
pub(crate) const MAX_EXTERNAL_ID: usize = 100;

/// Every field in the order of the form; columns are read in this order.
#[rustfmt::skip]
pub static FIELDS: &[Field] = &[
    Field { name: "title", label: "Title", kind: Kind::Text(TITLE), presence: Required, value: |it, _| it.title.clone().into() },
    Field { name: "description", label: "Description", kind: Kind::LongText(DESCRIPTION), presence: Required, value: |it, _| it.description.clone().into() },
    Field { name: "price", label: "Price", kind: Kind::Number, presence: Required, value: |it, _| json!(it.price) },
    Field { name: "discount", label: "Discount", kind: Kind::Number, presence: Depends, value: |it, _| json!(it.discount) },
    Field { name: "finalPrice", label: "Final price", kind: Kind::Number, presence: Depends, value: |it, _| json!(it.final_price) },
    Field { name: "category", label: "Category", kind: Kind::Choice, presence: Required, value: |it, _| it.category.as_str().into() },
    Field { name: "source", label: "Source", kind: Kind::Text(SOURCE), presence: Required, value: |it, _| it.source.clone().into() },
    Field { name: "affiliateLink", label: "Affiliate link", kind: Kind::Link, presence: Required, value: |it, _| it.affiliate_link.clone().into() },
    Field { name: "images", label: "Images", kind: Kind::Pictures, presence: Required, value: |it, _| it.images.clone().into() },
    Field { name: "averageRating", label: "Average rating", kind: Kind::Decimal, presence: Depends, value: |it, _| it.average_rating.into() },
    Field { name: "totalRatings", label: "Total ratings", kind: Kind::Number, presence: Depends, value: |it, _| it.total_ratings.into() },
    Field { name: "status", label: "Status", kind: Kind::Choice, presence: Kept, value: |it, _| it.lifetime.status().into() },
    Field { name: "startsAt", label: "Starts", kind: Kind::Time, presence: Kept, value: |it, _| it.lifetime.starts_at.map(rfc3339).into() },
    Field { name: "endsAt", label: "Ends", kind: Kind::Time, presence: Kept, value: |it, _| it.lifetime.ends_at.map(rfc3339).into() },
    Field { name: "offers", label: "Offers", kind: Kind::Offers, presence: Kept, value: |it, _| it.offers.iter().map(Offer::to_json).collect() },
    Field { name: "tags", label: "Tags", kind: Kind::Tags, presence: Kept, value: |it, _| it.tags.clone().into() },
    Field { name: EXTERNAL_ID, label: "Seller’s product id", presence: Kept, value: LINE, kind: Kind::Line(LineField {
        most: MAX_EXTERNAL_ID, in_form: false, on_page: false,
        about: "The seller's id of the product, which identifies it before its link does",
    }) },
];

/// Value of a line.
const LINE: Get = |product, name| product.lines.get(name).into();

const fn characters(least: usize, most: usize) -> Length {
    Length { least, most }
}

impl Field {
    /// Returns the value of a product's field in JSON.
    pub(crate) fn value(&self, product: &NewProduct) -> Value {
        (self.value)(product, self.name)
    }
}

/// Returns the optional lines, the last fields.
pub(crate) fn line_fields() -> impl Iterator<Item = (&'static Field, &'static LineField)> {
    FIELDS.iter().filter_map(|field| match &field.kind {
        Kind::Line(line) => Some((field, line)),
        _ => None,
    })
}

/// Returns the fields that keep a product's own value if a row of a file lacks them, each with its bit
/// in [`super::ImportedProduct::given`].
pub(crate) fn kept_fields() -> impl Iterator<Item = (&'static Field, i64)> {
    let kept = FIELDS.iter().filter(|field| field.presence == Kept);
    kept.zip((0..).map(|at| 1 << at))
}

/// Returns the bit of one of [`kept_fields`].
pub(crate) fn given_bit(name: &str) -> i64 {
    let mut kept = kept_fields();
    kept.find(|(field, _)| field.name == name)
        .map_or(0, |(_, bit)| bit)
}

/// Optional texts of one line by the names of their fields, without those that a product lacks.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Lines(BTreeMap<&'static str, String>);

impl Lines {
    /// Returns a product's text; none if it has none.
    pub fn get(&self, field: &str) -> Option<&str> {
        self.0.get(field).map(String::as_str)
    }

    /// Parses the request's lines; missing ones keep the values of `current`.
    pub(super) fn from_sent(
        sent: &mut SentFields,
        current: Option<&NewProduct>,
        errors: &mut Vec<FieldError>,
    ) -> Self {
        let lines = line_fields().map(|(field, line)| {
            let text = match current.filter(|_| !sent.0.contains_key(field.name)) {
                Some(current) => current.lines.get(field.name).map(str::to_owned),
                None => sent.take_line(field.name, line.most, errors),
            };
            (field.name, text)
        });
        lines.collect()
    }
}

impl FromIterator<(&'static str, Option<String>)> for Lines {
    fn from_iter<T: IntoIterator<Item = (&'static str, Option<String>)>>(lines: T) -> Self {
        let lines = lines.into_iter();
        Self(
            lines
                .filter_map(|(name, text)| Some((name, text?)))
                .collect(),
        )
    }
}
