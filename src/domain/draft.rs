//! Product details as somebody sent them, and the rules that make a product of them.

use std::fmt;

use jiff::Timestamp;
use serde::de::{self, Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::{Map, Value};

use super::product_rules::{Candidate, ChangeCandidate, problems};
use super::{FieldError, NewProduct};

/// The fields that are read from the wire; all others are ignored.
const FIELDS: [&str; 14] = [
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
    "_id",
    "clicks",
    "createdAt",
    "updatedAt",
];

/// A JSON object in the add-product shape, before any rule was applied.
///
/// Ratings may be flat (`averageRating`, `totalRatings`) or nested under
/// `ratings`. Values of a wrong type are kept, so that they become a message
/// beside their field instead of a failure of the whole document. A key that is
/// given twice is an error: which of the two was meant can't be known.
#[derive(Debug, Clone, Default)]
pub struct ProductDraft {
    values: Map<String, Value>,
    repeated: Vec<String>,
    not_an_object: bool,
}

/// A valid product of an import, with what an export adds to it.
#[derive(Debug, Clone, PartialEq)]
pub struct ImportedProduct {
    /// The details, valid.
    pub details: NewProduct,
    /// `_id`, when the file gives one.
    pub id: Option<String>,
    /// `clicks`, when the file gives them.
    pub clicks: Option<i64>,
    /// `createdAt`, when the file gives it.
    pub created_at: Option<Timestamp>,
    /// `updatedAt`, when the file gives it.
    pub updated_at: Option<Timestamp>,
}

impl ProductDraft {
    /// Applies the rules of an added product (spec section 5, decisions section 3).
    ///
    /// # Errors
    ///
    /// Every field that breaks a rule, one message each, in the order of the form.
    pub fn into_product(mut self) -> Result<NewProduct, Vec<FieldError>> {
        let mut errors = self.structure_errors()?;
        let product = self.take_details(&mut errors);
        finish(product, errors)
    }

    /// Applies the rules of an imported product: those of an added one, and
    /// `_id`, `clicks`, `createdAt` and `updatedAt` when they are given.
    ///
    /// # Errors
    ///
    /// Every field that breaks a rule, one message each, in the order of the form.
    pub fn into_imported(mut self) -> Result<ImportedProduct, Vec<FieldError>> {
        let mut errors = self.structure_errors()?;
        let id = self.take_id(&mut errors);
        let clicks = self.take_clicks(&mut errors);
        let created_at = self.take_time("createdAt", &mut errors);
        let updated_at = self.take_time("updatedAt", &mut errors);
        // A row with an _id comes from an export, and a stored product may have been
        // changed: the rules for that are wider than those for adding.
        let details = if id.is_some() {
            self.take_changed(None, &mut errors)
        } else {
            self.take_details(&mut errors)
        };
        finish(
            details.map(|details| ImportedProduct {
                details,
                id,
                clicks,
                created_at,
                updated_at,
            }),
            errors,
        )
    }

    /// Applies the rules of a changed product (spec section 5). Images and ratings
    /// that are not sent stay as they are in `current`.
    ///
    /// # Errors
    ///
    /// Every field that breaks a rule, one message each, in the order of the form.
    pub fn into_changed(mut self, current: &NewProduct) -> Result<NewProduct, Vec<FieldError>> {
        let mut errors = self.structure_errors()?;
        let changed = self.take_changed(Some(current), &mut errors);
        finish(changed, errors)
    }

    /// The fields by the rules of a changed product; images and ratings that are
    /// not sent are those of `current`, where there is one.
    fn take_changed(
        &mut self,
        current: Option<&NewProduct>,
        errors: &mut Vec<FieldError>,
    ) -> Option<NewProduct> {
        let kept =
            |values: &Map<String, Value>, field| current.filter(|_| !values.contains_key(field));
        let images = kept(&self.values, "images").map(|current| current.images.clone());
        let average = kept(&self.values, "averageRating").map(|current| current.average_rating);
        let total = kept(&self.values, "totalRatings").map(|current| current.total_ratings);
        #[expect(clippy::cast_precision_loss, reason = "stored counts are below 2^53")]
        let total = total.map(|total| total as f64);
        let candidate = ChangeCandidate {
            title: self.take_text("title", "Title must be text.", errors),
            description: self.take_text("description", "Description must be text.", errors),
            price: self.take_number("price"),
            discount: self.take_number("discount"),
            category: self.take_text("category", "Category is required", errors),
            source: self.take_text("source", "Source is required", errors),
            affiliate_link: self.take_text(
                "affiliateLink",
                "Affiliate Link must be a valid URL",
                errors,
            ),
            images: images.unwrap_or_else(|| self.take_images(errors)),
            average_rating: average.unwrap_or_else(|| self.take_number("averageRating")),
            total_ratings: total.unwrap_or_else(|| self.take_number("totalRatings")),
        };
        errors.extend(problems(&candidate));
        candidate.into_product()
    }

    /// The `_id` that was sent, if any; a change must not move to another product.
    pub fn id(&self) -> Option<&str> {
        self.values.get("_id")?.as_str()
    }

    /// The `updatedAt` that was sent, if any: the version that a change was made
    /// to.
    ///
    /// # Errors
    ///
    /// When it is no time.
    pub fn version(&mut self) -> Result<Option<Timestamp>, Vec<FieldError>> {
        let mut errors = Vec::new();
        let version = self.take_time("updatedAt", &mut errors);
        if errors.is_empty() {
            Ok(version)
        } else {
            Err(errors)
        }
    }

    /// The keys that are given twice; a value that is no object has no fields to
    /// look at, so that is all there is to say about it.
    fn structure_errors(&self) -> Result<Vec<FieldError>, Vec<FieldError>> {
        if self.not_an_object {
            return Err(vec![FieldError::new(
                "product",
                "A product must be a JSON object.",
            )]);
        }
        Ok(self
            .repeated
            .iter()
            .map(|key| FieldError::new(key, format!("{key} is given more than once.")))
            .collect())
    }

    fn take_details(&mut self, errors: &mut Vec<FieldError>) -> Option<NewProduct> {
        let candidate = Candidate {
            title: self.take_text("title", "Title must be text.", errors),
            description: self.take_text("description", "Description must be text.", errors),
            price: self.take_number("price"),
            discount: self.take_number("discount"),
            category: self.take_text("category", "Please select a category.", errors),
            source: self.take_text("source", "Please enter a source", errors),
            affiliate_link: self.take_text(
                "affiliateLink",
                "Please enter a valid affiliate link URL.",
                errors,
            ),
            images: self.take_images(errors),
            average_rating: self.take_number("averageRating"),
            total_ratings: self.take_number("totalRatings"),
        };
        errors.extend(problems(&candidate));
        candidate.into_product()
    }

    /// A missing text is empty, and the field's own rule says what is missing.
    fn take_text(&mut self, field: &str, wrong: &str, errors: &mut Vec<FieldError>) -> String {
        match self.values.remove(field) {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(text)) => text.trim().to_owned(),
            Some(_) => {
                errors.push(FieldError::new(field, wrong));
                String::new()
            }
        }
    }

    /// Whatever is no number becomes NaN, which no rule of a number accepts.
    fn take_number(&mut self, field: &str) -> f64 {
        self.values
            .remove(field)
            .and_then(|value| value.as_f64())
            .unwrap_or(f64::NAN)
    }

    fn take_images(&mut self, errors: &mut Vec<FieldError>) -> Vec<String> {
        match self.values.remove("images") {
            None | Some(Value::Null) => Vec::new(),
            Some(Value::Array(items)) => items
                .into_iter()
                .map(|item| match item {
                    Value::String(text) => text.trim().to_owned(),
                    _ => String::new(),
                })
                .collect(),
            Some(_) => {
                errors.push(FieldError::new("images", "Images must be a list of URLs."));
                Vec::new()
            }
        }
    }

    fn take_id(&mut self, errors: &mut Vec<FieldError>) -> Option<String> {
        match self.values.remove("_id") {
            None | Some(Value::Null) => None,
            Some(Value::String(id)) if is_id(&id) => Some(id),
            Some(_) => {
                errors.push(FieldError::new(
                    "_id",
                    "An _id must be 1 to 64 letters, digits, - or _.",
                ));
                None
            }
        }
    }

    fn take_clicks(&mut self, errors: &mut Vec<FieldError>) -> Option<i64> {
        const LARGEST_EXACT_IN_JSON: i64 = 9_007_199_254_740_991;
        let value = self.values.remove("clicks").filter(|v| !v.is_null())?;
        let clicks = value
            .as_i64()
            .filter(|clicks| (0..=LARGEST_EXACT_IN_JSON).contains(clicks));
        if clicks.is_none() {
            errors.push(FieldError::new(
                "clicks",
                "Clicks must be a whole number of at least 0.",
            ));
        }
        clicks
    }

    fn take_time(&mut self, field: &str, errors: &mut Vec<FieldError>) -> Option<Timestamp> {
        let value = self.values.remove(field).filter(|v| !v.is_null())?;
        let time = value.as_str().and_then(|text| text.parse().ok());
        if time.is_none() {
            errors.push(FieldError::new(
                field,
                format!("{field} must be a time like 2026-01-31T08:30:00.000Z."),
            ));
        }
        time
    }
}

fn is_id(id: &str) -> bool {
    (1..=64).contains(&id.len())
        && id
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
}

fn finish<T>(value: Option<T>, mut errors: Vec<FieldError>) -> Result<T, Vec<FieldError>> {
    match value {
        Some(value) if errors.is_empty() => Ok(value),
        _ => {
            // A field that has the wrong type also breaks its rule; the type is
            // the more useful message and was found first.
            errors.sort_by_key(|error| position(&error.field));
            errors.dedup_by(|b, a| a.field == b.field);
            Err(errors)
        }
    }
}

fn position(field: &str) -> usize {
    let name = field.split('[').next().unwrap_or(field);
    FIELDS
        .iter()
        .position(|known| *known == name)
        .unwrap_or(FIELDS.len())
}

impl<'de> Deserialize<'de> for ProductDraft {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(DraftVisitor)
    }
}

struct DraftVisitor;

impl DraftVisitor {
    fn not_an_object<E>() -> Result<ProductDraft, E> {
        Ok(ProductDraft {
            not_an_object: true,
            ..ProductDraft::default()
        })
    }
}

impl<'de> Visitor<'de> for DraftVisitor {
    type Value = ProductDraft;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a product as a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ProductDraft, A::Error> {
        let mut draft = ProductDraft::default();
        let mut ratings = ProductDraft::default();
        let mut nested = false;
        while let Some(key) = map.next_key::<String>()? {
            if key == "ratings" {
                if std::mem::replace(&mut nested, true) {
                    draft.repeated.push(key);
                }
                ratings = map.next_value()?;
            } else if FIELDS.contains(&key.as_str()) {
                if draft
                    .values
                    .insert(key.clone(), map.next_value()?)
                    .is_some()
                    && !draft.repeated.contains(&key)
                {
                    draft.repeated.push(key);
                }
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        for field in ["averageRating", "totalRatings"] {
            let Some(value) = ratings.values.remove(field) else {
                continue;
            };
            let flat = draft.values.entry(field).or_insert_with(|| value.clone());
            if *flat != value {
                draft.repeated.push(field.to_owned());
            }
        }
        draft.repeated.append(&mut ratings.repeated);
        Ok(draft)
    }

    fn visit_bool<E: de::Error>(self, _: bool) -> Result<ProductDraft, E> {
        Self::not_an_object()
    }

    fn visit_i64<E: de::Error>(self, _: i64) -> Result<ProductDraft, E> {
        Self::not_an_object()
    }

    fn visit_u64<E: de::Error>(self, _: u64) -> Result<ProductDraft, E> {
        Self::not_an_object()
    }

    fn visit_f64<E: de::Error>(self, _: f64) -> Result<ProductDraft, E> {
        Self::not_an_object()
    }

    fn visit_str<E: de::Error>(self, _: &str) -> Result<ProductDraft, E> {
        Self::not_an_object()
    }

    fn visit_unit<E: de::Error>(self) -> Result<ProductDraft, E> {
        Self::not_an_object()
    }

    fn visit_seq<A: de::SeqAccess<'de>>(self, mut seq: A) -> Result<ProductDraft, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Self::not_an_object()
    }
}
