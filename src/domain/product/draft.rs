//! Product details as somebody sent them, and the rules that make a product of them.

use std::fmt;

use jiff::Timestamp;
use serde::de::{self, Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};

use super::NewProduct;
use super::fields::Fields;
use super::rules::{Candidate, Form};
use crate::domain::FieldError;

/// What an export adds to [`NewProduct::FIELDS`]; all other fields are ignored.
const OF_AN_EXPORT: [&str; 4] = ["_id", "clicks", "createdAt", "updatedAt"];

fn known_fields() -> impl Iterator<Item = &'static str> {
    NewProduct::FIELDS.into_iter().chain(OF_AN_EXPORT)
}

/// A JSON object in the add-product shape, before any rule was applied.
///
/// Ratings may be flat (`averageRating`, `totalRatings`) or nested under
/// `ratings`. Values of a wrong type are kept, so that they become a message
/// beside their field instead of a failure of the whole document. A key that is
/// given twice is an error: which of the two was meant can't be known.
#[derive(Debug, Clone, Default)]
pub struct ProductDraft {
    fields: Fields,
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
    /// Which of [`ImportedProduct::KEPT`] the file gives: what it does not give stays as it is in a
    /// product that is there.
    pub given: [bool; 4],
}

impl ImportedProduct {
    /// The fields that sellers' files know nothing of.
    pub const KEPT: [&str; 4] = ["status", "startsAt", "endsAt", "offers"];
}

impl ProductDraft {
    /// Applies the rules of an added product (spec section 5, decisions section 3).
    ///
    /// # Errors
    ///
    /// Every field that breaks a rule, one message each, in the order of the form.
    pub fn into_product(mut self) -> Result<NewProduct, Vec<FieldError>> {
        let mut errors = self.structure_errors()?;
        let product = self.check(Form::Add, None, &mut errors);
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
        let given = ImportedProduct::KEPT.map(|field| self.fields.0.contains_key(field));
        let id = self.fields.take_id(&mut errors);
        let clicks = self.fields.take_clicks(&mut errors);
        let created_at = self.fields.take_time("createdAt", &mut errors);
        let updated_at = self.fields.take_time("updatedAt", &mut errors);
        // A row with an _id comes from an export, and a stored product may have been
        // changed: the rules for that are wider than those for adding.
        let form = if id.is_some() {
            Form::Update
        } else {
            Form::Add
        };
        let details = self.check(form, None, &mut errors);
        finish(
            details.map(|details| ImportedProduct {
                details,
                id,
                clicks,
                created_at,
                updated_at,
                given,
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
        let changed = self.check(Form::Update, Some(current), &mut errors);
        finish(changed, errors)
    }

    fn check(
        &mut self,
        form: Form,
        current: Option<&NewProduct>,
        errors: &mut Vec<FieldError>,
    ) -> Option<NewProduct> {
        Candidate::take(&mut self.fields, form, current, errors).check(form, errors)
    }

    /// The `_id` that was sent, if any; a change must not move to another product.
    pub fn id(&self) -> Option<&str> {
        self.fields.0.get("_id")?.as_str()
    }

    /// Whether offers were sent: whoever sends them says that they are so.
    pub fn has_offers(&self) -> bool {
        self.fields.0.contains_key("offers")
    }

    /// The `updatedAt` that was sent, if any: the version that a change was made
    /// to.
    ///
    /// # Errors
    ///
    /// When it is no time.
    pub fn version(&mut self) -> Result<Option<Timestamp>, Vec<FieldError>> {
        let mut errors = Vec::new();
        let version = self.fields.take_time("updatedAt", &mut errors);
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
    known_fields()
        .position(|known| known == name)
        .unwrap_or(usize::MAX)
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
            } else if known_fields().any(|known| known == key) {
                if draft
                    .fields
                    .0
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
            let Some(value) = ratings.fields.0.remove(field) else {
                continue;
            };
            let flat = draft.fields.0.entry(field).or_insert_with(|| value.clone());
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
